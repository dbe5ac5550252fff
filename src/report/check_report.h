// What one run of a check found: every launch's report, what concerns several launches or the policy, and what could
// not be read. The formats of formats.h print it; none of them asks anything else.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "report/launch_report.h"

namespace gonogo {

struct CheckReport {
  std::string tool_version;  // gonogo's own
  std::string rules;         // the pack's name and hash
  std::string policy;        // the policy's file; empty where none was read
  std::vector<LaunchReport> launches;
  std::vector<ReportFinding> across;  // about no single launch: several together, or the policy; `span` says where
  std::vector<Error> errors;          // inputs that could not be read
  std::size_t files = 0;              // that were looked at; 0 for a launch on the command line
  std::size_t files_with = 0;         // of these, with a launch in them
  std::size_t files_without = 0;
  Level fail_on = Level::kError;  // a finding of this level fails the run
  bool strict = false;            // UNKNOWN fails it as well
  int exit_code = 0;

  // The worst of all launches, with what is said across them; none where there is no launch.
  std::optional<Verdict> verdict() const;
  std::size_t count(Verdict verdict) const;
  // Whether a finding, told and not ignored, is at or above `fail_on` while no verdict is NO-GO.
  bool fails_by_level() const;
  // Whether a finding fails the run.
  bool fails(const ReportFinding& finding) const;
};

// Calls `with` for each finding that reports name, launch by launch and then those across, with its launch or null.
void each_told(const CheckReport& report,
               const std::function<void(const LaunchReport* launch, const ReportFinding& finding)>& with);

// What is to be said of a finding beneath its message, a sentence each: what to do, why, who chose what, what the
// policy did.
std::vector<std::string> details_of(const ReportFinding& finding);
// What is to be said of a launch beside its findings: what it hangs on, faults of rules, notes, changes that reach GO.
std::vector<std::string> details_of(const LaunchReport& launch);

// "deploy/a.yaml:8  NO-GO  tool serve, leader  runtime 1.2 on 8 x GPU: 1 refusal"
std::string headline(const LaunchReport& launch, bool color = false);
// "2 launches in 1 file: 1 NO-GO, 0 UNKNOWN, 1 GO; 3 files hold none"
std::string totals_text(const CheckReport& report);

// A launch in a list of them as JSON: what it is, and `report`, its report as JSON (empty where it was not checked).
std::string to_json(const LaunchReport& launch, const std::string& report);
// The same for an input that could not be read.
std::string to_json(const Error& error);

}  // namespace gonogo
