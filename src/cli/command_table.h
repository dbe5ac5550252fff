// gonogo's commands and options as people read them. CLI11's own tables are the only list of both: help, the manual and
// completion are made from them, so that none can tell of an option that another does not know.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace gonogo {

// A command's description without the usage that it may end with ("what it does: gonogo NAME … | gonogo NAME …"), and
// that usage, one line each; made from its arguments where the description has none. `path` is "gonogo NAME".
struct CommandText {
  std::string description;
  std::vector<std::string> usage;
};
CommandText text_of(const CLI::App& command, const std::string& path);

// Its own subcommands, its options and its arguments, in order, without hidden ones and --help.
std::vector<const CLI::App*> subcommands_of(const CLI::App& command);
std::vector<const CLI::Option*> options_of(const CLI::App& command);
std::vector<const CLI::Option*> arguments_of(const CLI::App& command);

// What a value is: "GPU", "FILE" … as type_name() says, of an argument its own name; empty of a switch.
std::string kind_of(const CLI::Option& option);
// The values that an option takes, where these are all.
std::vector<std::string> choices_of(const CLI::Option& option);

// "-j N", "--format text|json", "FILE…"
std::string spelled(const CLI::Option& option);

// What it is for; what its values look like is not said again.
std::string meaning_of(const CLI::Option& option);

// What stands below a command's options: its own, not what it inherits.
std::string footer_of(const CLI::App& command);

}  // namespace gonogo
