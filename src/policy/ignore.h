// A leave to pass over a rule's findings: for which launches, why, and until when. One without a reason is refused,
// since nobody could say later whether it still holds.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "policy/date.h"
#include "report/launch_report.h"

namespace gonogo {

struct Ignore {
  std::string rule;  // an id, or a pattern with * in it
  std::string file;  // a pattern of files; empty: every launch
  std::string reason;
  std::optional<Date> until;  // the last day on which it holds
  std::string by;             // where it stands, for people: "gonogo.yaml:7", "--ignore"
  ReportSpan place;           // the same for formats; no line for flags and variables
  bool in_source = false;     // in a comment beside the launch

  bool expired(const Date& on) const { return until && *until < on; }
};

// Whether a rule's id is the one that `pattern` names; * spans anything.
bool names_rule(std::string_view pattern, std::string_view id);

// `RULE reason="…" until=YYYY-MM-DD file=PATTERN`, in any order behind the rule. Errors have the column in `at`'s line.
Result<Ignore> parse_ignore(std::string_view text, const Place& at);

// What stands in comments of a file: `# gonogo: ignore=RULE reason="…"`, also behind // and <!--.
struct InlineIgnores {
  std::vector<Ignore> ignores;  // at most kMostInline
  std::vector<Error> errors;    // comments that are meant to be one and are none
  std::vector<bool>
      comments;  // by line from 0: whether it holds nothing but a comment; empty where there are no ignores

  // Whether a comment at `line` speaks of what stands on lines `first` to `last`: on one of them, or in the comments
  // right above.
  bool speaks_of(int line, int first, int last) const;
};
inline constexpr std::size_t kMostInline = 1000;
InlineIgnores inline_ignores(std::string_view text, const std::string& file);

}  // namespace gonogo
