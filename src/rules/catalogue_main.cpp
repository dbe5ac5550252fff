// gonogo-catalogue DIR OUT: compiles the models of a folder at build time.
#include <cstdio>
#include <fstream>

#include "rules/catalogue.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: gonogo-catalogue DIR OUT\n");
    return 4;
  }
  const auto blob = gonogo::compile_catalogue(argv[1]);
  if (!blob) {
    std::fprintf(stderr, "%s\n", gonogo::to_text(blob.error()).c_str());
    return 2;
  }
  std::ofstream out(argv[2], std::ios::binary);
  out.write(blob->data(), static_cast<std::streamsize>(blob->size()));
  return out.flush() ? 0 : 2;
}
