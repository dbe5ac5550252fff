// The catalogue that the build put into the binary (see CMakeLists.txt).
#include <cstdlib>

#include "rules/catalogue.h"

extern "C" {
extern const char gonogo_embedded_catalogue[];
extern const char gonogo_embedded_catalogue_end[];
}

namespace gonogo {

const Catalogue& Catalogue::embedded() {
  static const Catalogue catalogue = [] {
    auto opened = open({gonogo_embedded_catalogue,
                        static_cast<std::size_t>(gonogo_embedded_catalogue_end - gonogo_embedded_catalogue)});
    if (!opened) std::abort();  // the build itself would be broken
    return *opened;
  }();
  return catalogue;
}

}  // namespace gonogo
