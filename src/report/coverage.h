// How much of a pack recorded cases exercise: for each rule the cases in which it acts, summed by stage and by file,
// and which of the runtime's own refusals no rule stands for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "rules/pack.h"

namespace gonogo {

// Whether a rule counts: one that acts itself, in a single launch.
bool is_covered_rule(const RuleRec& rule);

class Coverage {
 public:
  // Rules of `versions` only. Of the cases in which a rule acts the first `kept` are named.
  Coverage(const Pack& pack, Mask versions, std::size_t kept);

  // Counts a case: `acted` as in ResolveOptions, empty where no rule was reached; `where` names it, "file:line".
  void add(const std::vector<bool>& acted, const std::string& where);

  struct Rule {
    std::uint32_t index = 0;
    std::size_t fired = 0;  // cases
    std::vector<std::string> cases;
  };
  struct Group {
    std::string name;
    std::size_t fired = 0;
    std::size_t rules = 0;
    double percent() const {
      return rules == 0 ? 100.0 : 100.0 * static_cast<double>(fired) / static_cast<double>(rules);
    }
  };

  const Pack& pack() const { return pack_; }
  const std::vector<Rule>& rules() const { return rules_; }  // in the pack's order
  std::size_t cases() const { return cases_; }
  Group total() const;
  std::vector<Group> stages() const;  // in the pack's order
  std::vector<Group> files() const;   // by name

  // The stage that a rule stands in.
  std::string_view stage_of(std::uint32_t rule) const;

 private:
  template <typename Name>
  std::vector<Group> groups(Name name) const;

  const Pack& pack_;
  std::size_t kept_;
  std::size_t cases_ = 0;
  std::vector<Rule> rules_;
};

// A check of the runtime that can refuse a launch, all its sites together.
struct UpstreamCheck {
  std::string name;   // "file.function"
  std::string where;  // its first site, "file:line"
  std::size_t sites = 0;
  std::size_t recorded = 0;  // recorded launches that it refused
  std::size_t rules = 0;     // refusals of the pack that name it
  std::string out_of_reach;  // why no launch gets there; empty where one may
};

// Reads a table of upstream's sites: a head line, then tab-separated lines of kind, check, place, what, and how many
// recordings were refused there; lines of the kind "declare" are no refusals. One of the kind "out-of-reach" says in
// the column "what" why no launch reaches its check. `file` is its name in messages.
Result<std::vector<UpstreamCheck>> read_upstream_checks(std::string_view text, const std::string& file,
                                                        const Pack& pack, Mask versions);

// Adds what a further table says: its checks, and its reasons.
void add_checks(std::vector<UpstreamCheck> more, std::vector<UpstreamCheck>* checks);

// Of recorded cases, how many were answered; `agreed` of `judged` on whether the launch is accepted.
struct CoverageCases {
  std::size_t files = 0;
  std::size_t skipped = 0;  // of other versions
  std::size_t judged = 0;
  std::size_t agreed = 0;
};

// `checks` is null where no table was given.
std::string coverage_to_text(const Coverage& coverage, const CoverageCases& cases,
                             const std::vector<UpstreamCheck>* checks);
std::string coverage_to_json(const Coverage& coverage, const CoverageCases& cases,
                             const std::vector<UpstreamCheck>* checks);

}  // namespace gonogo
