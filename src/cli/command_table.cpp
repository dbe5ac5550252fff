#include "cli/command_table.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

namespace gonogo {

namespace {

constexpr std::string_view kBeforeUsage = ": gonogo ";
constexpr std::size_t kMostOfChoices = 20;    // bytes of them beside an option's name
constexpr std::string_view kUnsaid = "TEXT";  // what CLI11 calls a value that nobody named

bool is_shown(const CLI::Option& option, const CLI::App& command) {
  return !option.get_group().empty() && &option != command.get_help_ptr() && option.get_name() != "--version";
}

std::vector<const CLI::Option*> shown(const CLI::App& command, bool arguments) {
  return command.get_options(
      [&](const CLI::Option* option) { return is_shown(*option, command) && option->get_positional() == arguments; });
}

}  // namespace

CommandText text_of(const CLI::App& command, const std::string& path) {
  CommandText out;
  const std::string whole = command.get_description();
  const std::size_t usage = whole.find(kBeforeUsage);
  out.description = whole.substr(0, usage);
  if (usage != std::string::npos) {
    std::string rest = whole.substr(usage + 2);
    for (std::size_t at = 1; (at = rest.find("gonogo ", 1)) != std::string::npos; rest.erase(0, at)) {
      std::string line = rest.substr(0, at);
      line.erase(line.find_last_not_of(" ,|") + 1);
      out.usage.push_back(line);
    }
    out.usage.push_back(rest);
    return out;
  }
  std::string line = path;
  if (!subcommands_of(command).empty()) line += " COMMAND";
  for (const CLI::Option* option : options_of(command)) {
    if (option->get_required()) line += " " + spelled(*option);
  }
  if (!options_of(command).empty()) line += " [OPTIONS]";
  for (const CLI::Option* argument : arguments_of(command)) {
    const std::string word = spelled(*argument);
    line += argument->get_required() ? " " + word : " [" + word + "]";
  }
  out.usage.push_back(line);
  return out;
}

std::vector<const CLI::App*> subcommands_of(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App* sub) { return !sub->get_group().empty(); });
}

std::vector<const CLI::Option*> options_of(const CLI::App& command) { return shown(command, false); }
std::vector<const CLI::Option*> arguments_of(const CLI::App& command) { return shown(command, true); }

std::string kind_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return "";
  const std::string type = option.get_type_name();
  const std::string name = type.substr(0, type.find(':'));
  if (option.get_positional() && (name.empty() || name == kUnsaid)) return option.get_name(true);
  return name;
}

std::vector<std::string> choices_of(const CLI::Option& option) {
  // A check of membership says what it takes at the end of the type's name: "TEXT:{a,b}".
  const std::string type = option.get_type_name();
  const std::size_t first = type.find(":{"), last = type.rfind('}');
  std::vector<std::string> out;
  if (first == std::string::npos || last == std::string::npos) return out;
  for (std::size_t at = first + 2; at < last;) {
    const std::size_t end = std::min(type.find(',', at), last);
    out.push_back(type.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::string spelled(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true) + (option.get_items_expected_max() > 1 ? "…" : "");
  std::string out = option.get_name();
  out = out.substr(0, out.find(','));
  std::string value;
  for (const std::string& choice : choices_of(option)) value += (value.empty() ? "" : "|") + choice;
  // Many choices are told by the description.
  if (value.size() > kMostOfChoices) {
    value = out.substr(out.find_first_not_of('-'));
    std::transform(value.begin(), value.end(), value.begin(), [](unsigned char c) { return std::toupper(c); });
  }
  if (value.empty()) value = kind_of(option);
  return value.empty() ? out : out + " " + value;
}

std::string meaning_of(const CLI::Option& option) {
  const std::string text = option.get_description(), kind = kind_of(option) + ": ";
  return text.starts_with(kind) ? text.substr(kind.size()) : text;
}

std::string footer_of(const CLI::App& command) {
  std::string out = command.get_footer();
  for (const CLI::App* above = command.get_parent(); above != nullptr; above = above->get_parent()) {
    if (above->get_footer() == out) return "";
  }
  return out;
}

}  // namespace gonogo
