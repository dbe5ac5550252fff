// The commands, each from its options to an exit status.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "cli/exit_status.h"
#include "cli/session.h"
#include "policy/policy.h"
#include "report/report.h"

namespace gonogo {

struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
};

struct CheckOptions {
  SessionOptions session;
  std::string format = "text";      // "text", "json"; of a check any of kCheckFormats
  std::string color = "auto";       // "auto", "always", "never"
  std::string fail_on = "refusal";  // "refusal", "warning"
  bool strict = false;
  std::string locked;  // a lock that the launches must resolve as; empty: none
  Policy policy;  // severities and ignores; its settings stand in the members above
};

ExitStatus check_command(const CheckOptions& options, Streams io);

struct RunOptions {
  CheckOptions check;
  bool warn_only = false;  // start it whatever the verdict, and where it could not be checked
};

// Checks the launch and becomes it, so that it returns only where nothing was started: the check's own status, or
// kNotFound or kNotExecutable. The report goes to `io.err`.
ExitStatus run_command(const RunOptions& options, Streams io);

// What commands take that read launches out of files.
struct FilesOptions {
  std::vector<std::string> files;      // names, folders, patterns, "-"
  std::vector<std::string> known;      // NAME=VALUE: values of unknowns
  std::vector<std::string> gpu_names;  // LABEL=PROFILE: more names of GPUs
  std::string format = "text";         // "text", "json"
};

// Every launch of the files, unchecked.
ExitStatus launches_command(const FilesOptions& options, Streams io);

// Every launch of the files, checked. The worst verdict decides; a file that can't be read comes before UNKNOWN.
ExitStatus check_files_command(const FilesOptions& files, const CheckOptions& options, Streams io);

struct LockOptions {
  CheckOptions check;
  FilesOptions files;                  // unused where there is a command
  std::string output = "gonogo.lock";  // "-": standard output
};

// Writes what launches resolve to. kCouldNotCheck where a file can't be read or the lock can't be written; then the
// lock is as it was. The verdicts are in it, and none of them is a failure.
ExitStatus lock_command(const LockOptions& options, Streams io);

// A value of `gpus`, `versions` or `model_configs` may be a pair of ends, "A..B"; versions and configs may also be two.
struct DiffOptions {
  CheckOptions check;  // its command may be two, with the word --- between them
  std::vector<std::string> versions;
  std::vector<std::string> model_configs;
};

// What differs between two launches, or one under two settings: kGo where nothing does, kNoGo where something does.
ExitStatus diff_command(const DiffOptions& options, Streams io);

struct BaseDiffOptions {
  CheckOptions check;
  FilesOptions files;  // what of the repository to look at; empty: all of it
  std::string base;    // a commit, as git names it
};

// What a change does to the launches of the files that it touches: kNoGo where one that it adds or changes is NO-GO.
ExitStatus base_diff_command(const BaseDiffOptions& options, Streams io);

struct MigrateOptions {
  FilesOptions files;                // files that hold launches; unused where there is a command
  std::vector<std::string> command;  // the words after --
  std::optional<std::string> from;   // the version that they were written for, where it is known
  std::optional<std::string> to;     // the version that shall read them; absent: the newest
  bool write = false;                // change the files
  std::string format = "text";
};

// Launches' words as another version's parser reads them: kGo where it takes them then, kNoGo where it refuses still or
// a word can't be edited where it stands.
ExitStatus migrate_command(const MigrateOptions& options, Streams io);

struct PlanOptions {
  CheckOptions check;
  std::vector<std::int64_t> lengths;  // of one request; empty: what the pack says
};

// What a GPU's memory holds under a launch, and how many requests fit. kCouldNotCheck where the model is not known well
// enough for a plan, kNoGo where the launch is refused.
ExitStatus plan_command(const PlanOptions& options, Streams io);

struct MatrixOptions {
  CheckOptions check;             // its format may also be "csv", "markdown", "html"
  std::vector<std::string> vary;  // "NAME=VALUE,VALUE…"
  bool any = false;               // one GO is enough
  std::size_t workers = 0;        // 0: one a core
};

// One launch under every combination of what is varied: the worst verdict decides, or, where any will do, the best.
ExitStatus matrix_command(const MatrixOptions& options, Streams io);

// How a field came to its value in a launch, or what a rule says and whether it acted.
ExitStatus explain_command(const std::string& what, const CheckOptions& options, Streams io);

// Which rule explains the failure in a log ("-": standard input); with a command, its check as well. kGo where
// something explains it, kCouldNotCheck where nothing does.
ExitStatus doctor_command(const std::string& path, const CheckOptions& options, Streams io);

// The GPUs that --gpu names, or this machine's.
ExitStatus gpu_command(const CheckOptions& options, Streams io);

ExitStatus rules_list_command(const std::string& pattern, const CheckOptions& options, Streams io);
ExitStatus rules_show_command(const std::string& id, const CheckOptions& options, Streams io);
// Compiles a folder: an overlay over the embedded pack, or a pack of its own.
ExitStatus rules_check_command(const std::string& dir, bool standalone, Streams io);

struct RuleDocsOptions {
  std::string dir;
  std::vector<std::string> examples;  // files of recorded launches on both sides of rules
  std::string rules;                  // a folder with an overlay pack
  bool check = false;    // say what would change, and change nothing
};

// One Markdown page a rule and an index. With `check` kNoGo where the folder doesn't hold just that.
ExitStatus rules_docs_command(const RuleDocsOptions& options, Streams io);

struct CoverageOptions {
  std::vector<std::string> files;     // recorded cases, one a line
  std::string models_dir;             // where folders named by cases lie
  std::string version;                // only its cases and rules; empty: all
  std::string rules;                  // a folder with an overlay pack
  std::vector<std::string> refusals;  // tables of upstream's refusals
  std::size_t kept = 3;               // cases to name for a rule
  std::string format = "text";
};

// Which rules recorded cases exercise. kCouldNotCheck where a case could not be run; the others are counted all the
// same.
ExitStatus rules_coverage_command(const CoverageOptions& options, Streams io);

// Prints errors and says which status they mean.
ExitStatus report_errors(const std::vector<Error>& errors, Streams io);
ExitStatus report_error(const Error& error, Streams io);
// All of `errors` where there are any, else `error` alone: why a pack or a launch could not be had.
ExitStatus report_failure(const Error& error, const std::vector<Error>& errors, Streams io);

// Whether text on `out` is coloured, by the option, then NO_COLOR, CLICOLOR_FORCE and FORCE_COLOR, TERM and whether
// the descriptor (1: standard output) is a terminal.
bool use_color(const std::string& option, int descriptor = 1);

// What a report of a session is made from. The session must outlive it.
ReportInput input_of(const Session& session);

}  // namespace gonogo
