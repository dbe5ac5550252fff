// One launch's answer in words and places: what every format prints. It is made once, after resolution; a policy may
// then change levels and suppress findings (policy/effect.h), and decide() says what follows. A format only lays it
// out, so all of them carry the same findings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/ladder.h"
#include "report/report.h"

namespace gonogo {

// How much a finding weighs. Without a policy: a refusal is an error, a warning and a flag without effect are warnings,
// advice is a note.
enum class Level : std::uint8_t { kNote, kWarning, kError };
std::string_view level_name(Level level);  // "note", "warning", "error"
Level level_of(Action action);

// A stretch of the user's text: lines and columns from 1, in code points, the end behind the last one. `file` is
// kCommandLine for gonogo's own command line; line 0: the file as a whole.
struct ReportSpan {
  std::string file;
  int line = 0;
  int column = 0;
  int end_line = 0;
  int end_column = 0;

  bool in_file() const { return !file.empty() && file != kCommandLine; }
  std::string text() const;  // "file:3:7", as far as it is known; "the command line"
};

// A value that the message names and nobody typed, and the rule that chose it.
struct ReportChoice {
  std::string field;
  std::string value;  // for people
  std::string json;   // the same as JSON text
  std::string rule;
  std::string because;  // or empty
};

// One step of how a finding came about: who decided what, in the order in which it was decided.
struct TraceStep {
  std::string text;
  std::optional<ReportSpan> span;  // of the word, where the user typed it
};

// Why a finding does not count, by whose leave.
struct Suppression {
  std::string reason;
  std::string until;  // a date, or empty: for good
  std::string by;     // "gonogo.yaml:7", "--ignore"
  bool in_source = false;
};

// One of the launches that a finding is about, where it is about several.
struct RelatedLaunch {
  std::string role;     // "prefill"; empty: one more of them
  ReportSpan launch;    // where its command begins
  ReportSpan word;      // what of it the finding is about, or the same
  std::string excerpt;  // the line of `word` with a caret under it
  int last_line = 0;    // of its command, in the file of `launch`
};

struct ReportFinding {
  Action action = Action::kFail;  // kFail, kWarn, kInert or kAdvise
  Phase phase = Phase::kResolve;
  std::string rule;
  std::string message;  // one sentence, as every format has it
  std::string hint;     // what to do, or empty
  std::string because;  // or empty
  std::string check;    // upstream's name of the place that refuses, or empty
  std::string where;    // of the rule: "file:line" in the pack, or empty
  std::string usage;    // the kind of a refusal by the arguments' parser, or empty
  std::string field;    // the field that it is about, or empty
  std::vector<std::string> see;
  std::vector<std::string> evidence;
  std::vector<ReportChoice> chosen;
  std::vector<TraceStep> trace;
  std::optional<ReportSpan> span;  // of the word that it is about
  std::vector<RelatedLaunch> related;
  std::uint32_t word = kNoIndex;  // its index among the arguments
  std::string excerpt;            // the line of `span` with a caret under it
  bool certain = true;
  std::string depends_on;  // what is unknown, where it is not certain
  bool behind = false;     // an earlier refusal ends the launch before this one
  bool folded = false;     // one of many that hang on the same unknown: that unknown's count stands for it
  Level own_level = Level::kError;
  Level level = Level::kError;  // after policy
  std::string level_by;         // what changed it: "gonogo.yaml:4"; empty where nothing did
  std::optional<Suppression> suppressed;
  std::string fingerprint;  // hex digits; the same while rule, file and message are

  // Whether it has a say in the verdict.
  bool decides() const { return level == Level::kError && !suppressed; }
  // Whether reports for people name it: what a launch that never starts would also have warned of is left out, and so
  // is what is folded.
  bool told() const { return !folded && (action == Action::kFail || action == Action::kInert || !behind); }
};

// What a verdict hangs on, and how many possible refusals hang on it.
struct ReportMissing {
  std::string what;
  std::size_t refusals = 0;
};

// "the GPUs (14 refusals depend on it)"
std::string missing_text(const ReportMissing& missing);

struct ReportFix {
  std::string change;
  bool reaches_go = false;
  bool leaves_open = false;     // nothing that is known refuses then, and what is not known decides
  std::string then_refused_by;  // where it does not: the rule that refuses then, or empty
};

struct LaunchReport {
  // Which launch.
  ReportSpan span;                       // where its command begins
  std::string entry;                     // "module", "tool serve"; empty for bare arguments
  std::vector<std::string> argv;         // secrets masked
  std::string command;                   // the line as it was typed, secrets masked; empty for a launch of a file
  std::vector<std::string> unknowns;     // names of what a file leaves open in it
  bool templated = false;                // a template's actions stand in its file
  std::vector<std::string> roles;        // "leader", "prefill" …
  std::optional<std::string> condition;  // what has to hold for it
  // Its answer.
  Verdict verdict = Verdict::kUnknown;
  Verdict own_verdict = Verdict::kUnknown;  // without a policy
  std::string setting;                      // "runtime 1.2 on 8 x GPU"
  std::string why;                          // where it could not be checked: the reason; else empty
  Ladder ladder{};
  std::vector<ReportFinding> findings;  // in the order in which they would have hit
  std::vector<ReportMissing> missing;
  std::vector<std::string> faults;
  std::vector<std::string> notes;  // of the arguments' parser
  std::vector<ReportFix> fixes;
  std::string policy;                    // the policy's file; empty where none was read
  std::vector<std::string> own_missing;  // what it hung on without a policy
  std::string locked;                    // what a lock says of it, a JSON object; empty where it was held to none
};

// The report of a launch that was resolved; `at` is where it begins.
LaunchReport report_of(const ReportInput& input, ReportSpan at);
LaunchReport report_of(const ReportInput& input);

// Verdict, ladder, what is missing and what stands behind a refusal, anew from the findings' levels and suppressions.
// What the arguments' parser refuses keeps everything after it unknown, whoever lets it pass.
void decide(LaunchReport* report);

// Where a finding is to be shown: its word, else its launch.
const ReportSpan& place_of(const LaunchReport& launch, const ReportFinding& finding);

// "refusal", "possible refusal", "warning" …: what a finding is after the policy.
std::string shown_kind(const ReportFinding& finding);
// "a refusal, told as a warning by gonogo.yaml:4"; empty where no policy changed it.
std::string level_note(const ReportFinding& finding);
// "ignored by gonogo.yaml:7 until 2027-01-01: reason"
std::string suppression_text(const Suppression& suppression);

// Counts by kind, e.g. "1 refusal, 2 warnings, 1 ignored".
std::string counts_text(const LaunchReport& report);

// Hex digits that name a finding: of the rule, the file and what is said, so that they stay while lines move.
std::string fingerprint_of(std::string_view rule, std::string_view file, std::string_view message);

// A finding as the JSON report has it.
std::string to_json(const ReportFinding& finding);

}  // namespace gonogo
