// The forms of a check's report for other programs. All print the same CheckReport: the same launches, findings,
// suppressions and errors; `text` and `json` print each launch in full as well.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "report/check_report.h"

namespace gonogo {

inline constexpr std::array<std::string_view, 7> kCheckFormats = {"text",  "json",   "jsonl",   "sarif",
                                                                  "junit", "github", "markdown"};

// SARIF 2.1.0 with what GitHub's code scanning wants of it. A launch on the command line is the artifact "argv", whose
// contents are the command.
std::string to_sarif(const CheckReport& report);

// JUnit's XML: a suite a launch, a case a finding. What fails the run is a failure, what can't be known is skipped, and
// a file that can't be read is an error. No suite is empty, since many readers take none for success.
std::string to_junit(const CheckReport& report);

// Commands of a GitHub workflow, a line an annotation, and a plain line a launch.
std::string to_github(const CheckReport& report);

// For a step summary or a comment.
std::string to_markdown(const CheckReport& report);

}  // namespace gonogo
