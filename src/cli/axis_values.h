// The values of an axis as the parser reads them. Each flag sets its own field, so a value reads the same whatever else
// a launch says: it is parsed once, and of flags that take one word the word alone is.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/arena.h"
#include "base/value.h"
#include "cli/axis.h"
#include "flags/usage.h"
#include "launch/launch.h"
#include "rules/pack.h"

namespace gonogo {

struct ParsedValue {
  Value value;  // of the axis's field; in the arena or the pack
  bool typed = false;
  std::optional<UsageFinding> refusal;  // the parser refuses it, or the launch around it
};

// The values of a flag's axis, in order, put into `launch`.
std::vector<ParsedValue> parse_values(const Pack& pack, std::uint32_t version, const Launch& launch, const Axis& axis,
                                      Arena& arena);

}  // namespace gonogo
