// What became of the flags that the user typed: those whose value after resolution is another one. Such a change is
// always told, since the runtime itself often does not log it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"

namespace gonogo {

struct Overridden {
  std::uint32_t field = 0;
  Value typed;
  Value value;
  std::uint32_t rule = kNoIndex;  // who wrote it last
};

// In the order of the pack's fields. Empty where resolution itself is refused or has not finished for certain. A value
// that is unknown and one chosen at random are left out.
std::vector<Overridden> overridden(const ReportInput& input);

// "--flag a becomes b: because … (rule); the runtime logs a warning".
std::string overridden_text(const ReportInput& input, const Overridden& change);

std::string_view log_name(Log log);  // "none", "info", "warning"

}  // namespace gonogo
