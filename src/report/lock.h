// A lock: what launches resolved to when somebody took that for right, as a file that is kept beside them. It holds
// what a person would look at in a review, one value a line in a fixed order, and enough to say later what resolves
// otherwise and who decided it. Values that nobody changed are not in it, nor are secrets, nor where things lie on the
// machine that wrote it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "carriers/launch_match.h"
#include "report/launch_report.h"
#include "report/report.h"

namespace gonogo {

// A value and who decided it.
struct LockedRow {
  std::string name;  // "field", or "field.key.key" of a mapping that a rule changed; a variable; a row of the summary
  Value value;       // as it is shown; of a variable None where it is removed
  bool typed = false;
  std::string rule;  // that changed it; empty: none
  std::string pass;  // what the runtime calls the place where it does; may be empty
};

// A certain refusal.
struct LockedRefusal {
  Phase phase = Phase::kResolve;
  std::string rule;  // its id, or "argparse"
  std::string message;
};

struct LockedLaunch {
  LaunchName name;
  std::string version;        // of the runtime; empty where the launch could not be checked from here
  std::vector<GpuSet> nodes;  // empty: unknown
  std::string model;          // as the launch names it
  std::string model_files;    // names the contents of its JSON files; empty where they are not known
  Verdict verdict = Verdict::kUnknown;
  bool parsed = false;               // whether the runtime's parser took the arguments
  std::vector<std::string> missing;  // what an UNKNOWN depends on
  std::vector<LockedRefusal> refusals;
  std::vector<LockedRow> resolved;  // in the pack's order; typed fields, and those that a rule changed
  std::vector<LockedRow> env;       // variables that resolution sets or removes
  std::vector<LockedRow> built;     // rows of the summary that are no fields
};

struct Lock {
  std::unique_ptr<Arena> arena = std::make_unique<Arena>();  // of the rows' values
  std::string gonogo;                                        // its version
  std::string pack;                                          // its name
  std::string hash;                                          // and what names its contents
  std::vector<LockedLaunch> launches;
};

// What a lock says of an outcome; values live in `arena` and in the outcome. Name and model are the caller's to fill.
LockedLaunch locked(const ReportInput& input, Arena& arena);

// A name for the contents of a model's JSON files, whatever their spacing; empty where they are not known.
std::string model_files_name(const Value& files);

std::string lock_to_text(const Lock& lock);

// An error: the text is no lock, or is one for another pack or of a newer format, or names a field that the pack lacks.
Result<Lock> lock_of_text(const Pack& pack, std::string_view text, std::string_view file);

// What became of a locked launch.
struct LockAnswer {
  bool same = true;                // verdict, resolved values, variables and what is built
  std::string what;                // where it is not: one sentence
  std::vector<std::string> notes;  // what else is not as it was, e.g. the rules
  std::string text;                // for people: one line, or the difference
  std::string json;                // the member `locked` of a report, an object
};

// Compares `to`, of which `now` is what a lock would say, with `was`. `place` is how a report calls the launch: empty,
// or "file:line".
LockAnswer compare_locked(const Lock& lock, std::string_view lock_name, const LockedLaunch& was,
                          const LockedLaunch& now, const ReportInput& to, std::string_view place, bool color);

// The same of a launch that can't be checked from here, and why.
LockAnswer compare_locked_unchecked(std::string_view lock_name, const LockedLaunch& was, const std::string& why,
                                    std::string_view place, bool color);

// For a launch that a lock does not hold, and for one of its launches that is gone.
LockAnswer not_locked(std::string_view lock_name, std::string_view place, bool color);
LockAnswer no_longer_there(std::string_view lock_name, const LaunchName& name, bool color);

// A launch that is not as locked, as a finding across launches, which fails the run.
ReportFinding finding_of(const LockAnswer& answer, std::optional<ReportSpan> at);

}  // namespace gonogo
