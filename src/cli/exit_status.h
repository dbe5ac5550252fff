// What gonogo's exit codes mean; the table in README.md says the same, and tests hold both to it.
#pragma once

namespace gonogo {

enum class ExitStatus : int {
  kGo = 0,               // GO, and UNKNOWN without --strict
  kNoGo = 1,             // NO-GO, or a finding at or above --fail-on
  kCouldNotCheck = 2,    // an input is missing or can't be read or understood
  kUnknown = 3,          // UNKNOWN under --strict
  kUsage = 4,            // gonogo was called wrongly
  kInternal = 70,        // a fault of gonogo; never looks like NO-GO
  kNotExecutable = 126,  // of `run`, as a shell says it: the command is there and can't be started
  kNotFound = 127,       // of `run`: there is no such command
  kInterrupted = 130,
};

}  // namespace gonogo
