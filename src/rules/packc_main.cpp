// gonogo-packc pack|models DIR OUT: compiles the pack in DIR, or the models of a catalogue, at build time.
#include <cstdio>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "rules/catalogue.h"
#include "rules/compiler.h"

namespace {

// The blob; what is wrong has been said where there is none.
std::optional<std::string> compile(std::string_view what, const char* folder) {
  const auto fail = [](const gonogo::Error& e) {
    std::fprintf(stderr, "%s\n", gonogo::to_text(e).c_str());
    return std::nullopt;
  };
  if (what == "models") {
    auto blob = gonogo::compile_catalogue(folder);
    if (!blob) return fail(blob.error());
    return std::move(*blob);
  }
  const auto sources = gonogo::read_pack_sources(folder);
  if (!sources) return fail(sources.error());
  gonogo::CompiledPack pack = gonogo::compile_pack(*sources, nullptr);
  for (const gonogo::Error& e : pack.errors) fail(e);
  if (!pack.errors.empty()) return std::nullopt;
  return std::move(pack.blob);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc == 4 ? argv[1] : "";
  if (what != "pack" && what != "models") {
    std::fprintf(stderr, "usage: gonogo-packc pack|models DIR OUT\n");
    return 4;
  }
  const auto blob = compile(what, argv[2]);
  if (!blob) return 2;
  std::ofstream out(argv[3], std::ios::binary);
  out.write(blob->data(), static_cast<std::streamsize>(blob->size()));
  return out.flush() ? 0 : 2;
}
