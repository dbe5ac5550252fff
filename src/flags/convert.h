// A word as a value: the conversions that a parser declares for its flags, each with Python's own rules, and the
// checks on the converted value.
#pragma once

#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/value.h"
#include "flags/usage.h"
#include "rules/pack.h"

namespace gonogo {

// A value, or why there is none. `problem` completes a sentence that begins with the flag: "needs a whole number,
// not 'x'".
struct Converted {
  Value value;
  std::string problem;  // empty where all is well
  std::string hint;
  UsageFinding::Kind kind = UsageFinding::Kind::kBadValue;

  bool ok() const { return problem.empty(); }
};

// `text` converted by the flag's type and checked against its choices. The value lives in `arena`.
Converted convert(const Pack& pack, const FlagRec& flag, std::string_view text, Arena& arena);

// One word of a flag with named paths: kept as written without white space around it, or the JSON object it holds,
// which must have the keys of the flag's shape.
Converted convert_named_path(const Pack& pack, const FlagRec& flag, std::string_view text, Arena& arena);

}  // namespace gonogo
