// The policy's flags and variables, by the table of its keys, and how they go together with gonogo.yaml.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/commands.h"
#include "policy/policy.h"

namespace gonogo {

struct PolicyOptions {
  std::string file;                     // --policy; empty: the nearest gonogo.yaml
  bool none = false;                    // --no-policy
  std::vector<std::string> severities;  // RULE=LEVEL
  std::vector<std::string> ignores;     // RULE reason="…"
};

// Adds --policy, --no-policy, --severity and --ignore, and gives each key's option its variable. The options of other
// keys have to be there already; a key whose option the command lacks does not concern it. `with`: the option without
// which the command asks no policy.
void add_policy_options(CLI::App* command, PolicyOptions* options, CLI::Option* with = nullptr);

// The policy of a parsed command: the file's settings go to the options that neither flag nor variable gave. The
// variable GONOGO_TODAY stands for the system's date.
Result<Policy> take_policy(CLI::App* command, const PolicyOptions& options);

// The same where a broken file must not stop the command: what is wrong with it is said, and flags and variables hold.
Result<Policy> take_policy_or_warn(CLI::App* command, const PolicyOptions& options, Streams io);

// Whether an error of a check by these options may come from the policy's file; and the options without what it says.
bool may_be_of_policy_file(const Error& error, const CheckOptions& options);
CheckOptions without_policy_file(CheckOptions options);

}  // namespace gonogo
