// gonogo-packc DIR OUT: compiles the pack in DIR at build time.
#include <cstdio>
#include <fstream>

#include "rules/compiler.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: gonogo-packc DIR OUT\n");
    return 4;
  }
  const auto sources = gonogo::read_pack_sources(argv[1]);
  if (!sources) {
    std::fprintf(stderr, "%s\n", gonogo::to_text(sources.error()).c_str());
    return 2;
  }
  const gonogo::CompiledPack pack = gonogo::compile_pack(*sources, nullptr);
  for (const gonogo::Error& e : pack.errors) std::fprintf(stderr, "%s\n", gonogo::to_text(e).c_str());
  if (!pack.errors.empty()) return 2;
  std::ofstream out(argv[2], std::ios::binary);
  out.write(pack.blob.data(), static_cast<std::streamsize>(pack.blob.size()));
  return out.flush() ? 0 : 2;
}
