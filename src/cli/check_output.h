// What a check prints and exits with, in any of its formats, from the report of the run.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "policy/effect.h"
#include "report/check_report.h"
#include "report/lock.h"

namespace gonogo {

// A run's report without launches, as the options want it judged.
CheckReport new_check_report(const Pack& pack, const CheckOptions& options);

// What the policy says across launches, once all of them were reported: levels, suppressions, ignores of no use.
// `files`: the comments of the launches' files.
void settle_policy(PolicyEffect* effect, CheckReport* report, std::span<PolicyEffect::File> files = {});

// The report of one launch that was checked, after the policy. `lock`: what a lock says of it, or null.
// An error: the policy names a rule that there is none of.
Result<CheckReport> report_of_command(const Session& session, const CheckOptions& options, const LockAnswer* lock);

// All that a policy does to a report of launches on the command line; an error where it names a rule that there is none
// of.
std::optional<Error> apply_policy(const Policy& policy, const Pack& pack, CheckReport* report);

// Sets the exit code that the report means, and returns it: NO-GO first, then an input that could not be read, then
// UNKNOWN under --strict.
ExitStatus settle_status(CheckReport* report);

// Whether reports of the format are whole, rather than one a launch.
bool is_whole_format(const std::string& format);

// Prints a report in one of the formats that are whole. Under "github" the file that GITHUB_STEP_SUMMARY names gets the
// Markdown as well; where that can't be written it is said, and the answer stays.
void print_whole(const CheckReport& report, const std::string& format, Streams io);

// Prints the report of one launch on the command line in any format. `more`: what text says after it besides.
void print_report(const CheckReport& report, const ReportInput& input, const CheckOptions& options,
                  const std::string& more, Streams io);

// What concerns no single launch, as text; empty where there is nothing.
std::string across_text(const CheckReport& report, bool color);

}  // namespace gonogo
