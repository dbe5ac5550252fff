// The report of `gonogo doctor`: what ended a server, by its log, and what gonogo makes of the launch.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/diagnosis.h"
#include "facts/server_log.h"
#include "report/report.h"

namespace gonogo {

struct DoctorReport {
  struct Cause {
    std::size_t exception = 0;     // in the log's
    std::vector<Diagnosis> rules;  // the best first; empty where no rule is near
  };

  const Pack& pack;
  const ServerLog& log;
  std::vector<Cause> causes;            // the likeliest first
  const ReportInput* launch = nullptr;  // null where none is known, or it could not be checked
  std::string launch_from;              // "the command" or "the log's own arguments"; why there is none
  std::uint32_t predicted = kNoIndex;   // the launch's finding that is the first cause

  // Whether something says what happened: a rule for the first cause, or the argument parser.
  bool explained() const;
};

std::string to_text(const DoctorReport& report, bool color);
std::string to_json(const DoctorReport& report, int exit_code);

std::string_view confidence_word(Diagnosis::Confidence confidence);  // "certain", "likely", "possible"

}  // namespace gonogo
