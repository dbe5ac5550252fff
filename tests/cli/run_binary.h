// Runs the built gonogo as a user's shell would and keeps what it printed.
#pragma once

#include <string>
#include <vector>

namespace gonogo::test {

struct Ran {
  int status = -1;  // exit code; 128 + signal where one ended it
  std::string out;
  std::string err;
};

// `env` holds NAME=VALUE words; HOME is empty, so nothing of the caller's machine is seen.
Ran run_gonogo(const std::vector<std::string>& args, const std::string& input = {},
               const std::vector<std::string>& env = {});

// The same of another program, by its path.
Ran run_program(const std::string& program, const std::vector<std::string>& args, const std::string& input = {},
                const std::vector<std::string>& env = {});

}  // namespace gonogo::test
