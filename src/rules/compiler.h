// The pack compiler: YAML documents in, a checked blob out. It runs at build time (gonogo-packc) and, with a base
// pack, at run time for `--rules DIR`: an overlay adds rules, facts and table rows, replaces a rule by its id, or
// switches one off. All errors are reported, each with file, line, column, a caret and the nearest name.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "rules/pack.h"

namespace gonogo {

struct PackSource {
  std::string name;  // as messages show it
  std::string text;
};

// Every *.yaml below `dir`, in order of their paths; what lies in a folder named "overlays" is left out.
Result<std::vector<PackSource>> read_pack_sources(const std::string& dir);

struct CompiledPack {
  std::string blob;           // empty where there are errors
  std::vector<Error> errors;  // at most 50
};

// Compiles `sources` alone, or as an overlay over `base` where it is not null.
CompiledPack compile_pack(const std::vector<PackSource>& sources, const Pack* base);

}  // namespace gonogo
