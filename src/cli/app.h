// gonogo's command line: what each command takes and which code it exits with. Everything after `--` is the launch's
// own and never gonogo's.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace gonogo {

// Runs `args` (without the program's name) and returns the exit code. Reports go to `out`, errors to `err`.
int run_app(const std::vector<std::string>& args, std::istream& in, std::ostream& out, std::ostream& err);

}  // namespace gonogo
