// A rule as a Markdown page that somebody reads who was sent there by a finding: what happens, when, why, a launch that
// meets it and one beside it that does not, what to change, and where it comes from. Pages are generated and committed,
// so nothing in them may change but with what they tell: no dates, no lines of files.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "base/value.h"
#include "rules/pack.h"

namespace gonogo {

// Recorded launches on both sides of rules, as scripts/rule_examples.py writes them, one rule a line:
//   {"rule": ID, "fires": CASE, "rests": CASE}
class RuleExamples {
 public:
  struct Pair {
    Value fires;
    Value rests;
  };

  // Adds those of a file, whose name is for errors, which tell the line. A rule keeps what it had.
  std::optional<Error> add(std::string_view text, const std::string& file);

  const Pair* find(std::string_view rule) const;

 private:
  Arena arena_;
  std::map<std::string, Pair, std::less<>> pairs_;
};

// The pages' file names, below the folder that holds them all: "memory/too-small.md". A number after the id stays,
// apart from its sign, which means something else in a link.
std::string rule_page_name(std::string_view id);

std::string rule_page(const Pack& pack, std::uint32_t rule, const RuleExamples& examples);

// The page that leads to the others: by the phase in which a rule takes effect, then by the first part of its id.
std::string rule_index(const Pack& pack, const std::vector<std::uint32_t>& rules);

}  // namespace gonogo
