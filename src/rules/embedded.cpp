// The pack and the catalogue of models that the build put into the binary (see CMakeLists.txt).
#include <cstdlib>

#include "rules/catalogue.h"
#include "rules/pack.h"

extern "C" {
extern const char gonogo_embedded_pack[];
extern const char gonogo_embedded_pack_end[];
extern const char gonogo_embedded_catalogue[];
extern const char gonogo_embedded_catalogue_end[];
}

namespace gonogo {

namespace {

template <typename T>
T opened(const char* first, const char* end) {
  auto out = T::open({first, static_cast<std::size_t>(end - first)});
  if (!out) std::abort();  // the build itself would be broken
  return *out;
}

}  // namespace

const Pack& Pack::embedded() {
  static const Pack pack = opened<Pack>(gonogo_embedded_pack, gonogo_embedded_pack_end);
  return pack;
}

const Catalogue& Catalogue::embedded() {
  static const Catalogue catalogue = opened<Catalogue>(gonogo_embedded_catalogue, gonogo_embedded_catalogue_end);
  return catalogue;
}

}  // namespace gonogo
