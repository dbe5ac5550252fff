// What a check prints and exits with, in any of its formats, from the report of the run.
#pragma once

#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "report/check_report.h"

namespace gonogo {

// A run's report without launches, as the options want it judged.
CheckReport new_check_report(const Pack& pack, const CheckOptions& options);

// Sets the exit code that the report means, and returns it: NO-GO first, then an input that could not be read, then
// UNKNOWN under --strict.
ExitStatus settle_status(CheckReport* report);

// Whether reports of the format are whole, rather than one a launch.
bool is_whole_format(const std::string& format);

// Prints a report in one of the formats that are whole. Under "github" the file that GITHUB_STEP_SUMMARY names gets the
// Markdown as well; where that can't be written it is said, and the answer stays.
void print_whole(const CheckReport& report, const std::string& format, Streams io);

// What concerns no single launch, as text; empty where there is nothing.
std::string across_text(const CheckReport& report, bool color);

}  // namespace gonogo
