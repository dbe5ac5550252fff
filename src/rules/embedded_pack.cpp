// The pack that the build put into the binary (see CMakeLists.txt).
#include <cstdlib>

#include "rules/pack.h"

extern "C" {
extern const char gonogo_embedded_pack[];
extern const char gonogo_embedded_pack_end[];
}

namespace gonogo {

const Pack& Pack::embedded() {
  static const Pack pack = [] {
    auto opened =
        Pack::open({gonogo_embedded_pack, static_cast<std::size_t>(gonogo_embedded_pack_end - gonogo_embedded_pack)});
    if (!opened) std::abort();  // the build itself would be broken
    return *opened;
  }();
  return pack;
}

}  // namespace gonogo
