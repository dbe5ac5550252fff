// What a rule says, taken apart once for every place that shows it: `rules show`, `explain`, and rule pages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rules/pack.h"

namespace gonogo {

// One line of a rule: what it is ("when", "set", "fail", "because" …) and its text.
struct RuleLine {
  std::string_view label;
  std::string text;
};

// Whether it does something itself (a group only holds others) and no overlay switched it off.
bool acts_itself(const RuleRec& rule);

// "0.5.22, 0.5.23"; empty where the mask holds none.
std::string versions_listed(const Pack& pack, Mask mask);
// The same, "all (0.5.21, …)" or "none"; of versions with rules.
std::string versions_text(const Pack& pack, Mask mask);

// The conditions of the groups around a rule, outermost first, and its own. Never empty texts; none: it always acts.
std::vector<std::string> conditions_of(const Pack& pack, std::uint32_t rule);

// What it binds, sets, says and leaves, in the order of a rule file, without its conditions.
std::vector<RuleLine> actions_of(const Pack& pack, std::uint32_t rule);

// The changes that its author proposes, one text a fix; a check tries them and others.
std::vector<std::string> proposed_fixes(const Pack& pack, std::uint32_t rule);

// All of it, one line a part, for a terminal.
std::string rule_text(const Pack& pack, std::uint32_t rule);

}  // namespace gonogo
