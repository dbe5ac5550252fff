// `gonogo rules …` on the command line: what its commands take.
#pragma once

#include <functional>
#include <string>

#include "cli/commands.h"

namespace CLI {
class App;
}  // namespace CLI

namespace gonogo {

class RulesCommands {
 public:
  explicit RulesCommands(Streams io) : io_(io) {}

  // Adds the commands. The one that is called sets `command`; this must live until it has run. `runtime_flag` is the
  // option for the runtime's version.
  void add_to(CLI::App& app, const std::string& runtime_flag, std::function<ExitStatus()>* command);

 private:
  void add_coverage(CLI::App* rules, const std::string& runtime_flag, std::function<ExitStatus()>* command);

  Streams io_;
  CheckOptions options_;  // of these, rules and format
  CoverageOptions coverage_;
  RuleDocsOptions docs_;
  std::string what_;
  bool standalone_ = false;
};

}  // namespace gonogo
