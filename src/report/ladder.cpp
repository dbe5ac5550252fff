#include "report/ladder.h"

#include <algorithm>

#include "report/report.h"

namespace gonogo {

Ladder ladder_of(const Outcome& outcome) {
  std::size_t refused = kPhases;
  std::size_t unsure = kPhases;
  for (const Finding& f : outcome.findings) {
    if (f.kind != Action::kFail) continue;
    std::size_t& first = f.certain ? refused : unsure;
    first = std::min(first, static_cast<std::size_t>(f.phase));
  }
  return ladder_of(refused, unsure, outcome.verdict == Verdict::kUnknown);
}

Ladder ladder_of(std::size_t refused, std::size_t unsure, bool unknown) {
  // What is missing without a refusal behind it leaves everything after the arguments open.
  if (unsure == kPhases && refused == kPhases && unknown) {
    unsure = static_cast<std::size_t>(Phase::kResolve);
  }
  Ladder out{};
  for (std::size_t i = 0; i < kPhases; ++i) {
    out[i] = i == refused  ? Rung::kRefused
             : i > refused ? Rung::kNotReached
             : i >= unsure ? Rung::kUnsure
                           : Rung::kPassed;
  }
  return out;
}

std::string_view rung_name(Rung rung) {
  static constexpr std::array<std::string_view, 4> kNames = {"passed", "refused", "unsure", "not reached"};
  return kNames[static_cast<std::size_t>(rung)];
}

std::string ladder_text(const Ladder& ladder, bool color) {
  static constexpr std::array<std::string_view, 4> kMarks = {"✓", "✗", "?", "–"};
  static constexpr std::array<const char*, 4> kColors = {"32", "1;31", "1;33", "2"};
  std::string out;
  for (std::size_t i = 0; i < kPhases; ++i) {
    if (i > 0) out += "  ";
    const auto at = static_cast<std::size_t>(ladder[i]);
    out += std::string(phase_name(static_cast<Phase>(i))) + " " + painted(kMarks[at], kColors[at], color);
  }
  return out;
}

}  // namespace gonogo
