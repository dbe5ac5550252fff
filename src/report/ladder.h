// How far a launch would get: the phases of the runtime's start in order, and what became of each. A reader sees at a
// glance what a refusal would have cost: one that stands late hits when weights and caches are in place.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/outcome.h"

namespace gonogo {

enum class Rung : std::uint8_t { kPassed, kRefused, kUnsure, kNotReached };

inline constexpr std::size_t kPhases = 6;
using Ladder = std::array<Rung, kPhases>;  // by Phase

// The first certain refusal ends the climb. From the first refusal that depends on something unknown on, what is not
// refused for certain is unsure.
Ladder ladder_of(const Outcome& outcome);
// The same from the first phase that refuses for certain and the first that may (kPhases: none); `unknown` is whether
// the verdict is UNKNOWN.
Ladder ladder_of(std::size_t refused, std::size_t unsure, bool unknown);

std::string_view rung_name(Rung rung);  // "passed", "refused", "unsure", "not reached"

// "parse ✓  resolve ✓  init ✗  weights –  forward –  late –", in a terminal's colours if wanted.
std::string ladder_text(const Ladder& ladder, bool color);

}  // namespace gonogo
