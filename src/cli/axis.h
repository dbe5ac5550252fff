// One thing that a matrix varies: a flag, the GPUs, the runtime's version or an environment variable, with the values
// that it takes in turn. What is varied is decided by its name alone: "gpu", the runtime's name and env.NAME have
// their own meanings, and everything else is a flag of the runtime.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "launch/launch.h"
#include "rules/pack.h"

namespace gonogo {

struct AxisValue {
  std::string text;    // as it was written
  bool unset = false;  // "(unset)": the flag or variable is not given at all
};

struct Axis {
  enum class Kind : std::uint8_t { kFlag, kGpu, kVersion, kEnv };

  Kind kind = Kind::kFlag;
  std::string name;                // for people: "--flag", "gpu", the runtime's name, "NAME"
  std::uint32_t field = kNoIndex;  // of a flag
  std::vector<AxisValue> values;   // at least one; no text twice
};

// A matrix may have so many launches.
inline constexpr std::size_t kMostCells = 1'000'000;

// Reads options "NAME=VALUE,VALUE…" in order. A comma inside brackets or quotes parts nothing; A..B among versions is
// all that the pack has from one to the other. Refuses unknown names with the nearest, what is there twice, and more
// than kMostCells launches in all.
Result<std::vector<Axis>> read_axes(const Pack& pack, const std::vector<std::string>& options);

// `launch` with a flag or variable as `value` says; other axes leave it as it is. In a version without the flag the
// word stands as it was written, for the parser to refuse.
Launch with_value(const Pack& pack, std::uint32_t version, Launch launch, const Axis& axis, const AxisValue& value);

// The value for people: masked, where the flag or variable is secret; `index` tells it from its neighbours then.
std::string shown_value(const Pack& pack, const Axis& axis, std::size_t index);

}  // namespace gonogo
