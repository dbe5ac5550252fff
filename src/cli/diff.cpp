// `gonogo diff`: one launch under two settings, or two launches.
#include "report/diff.h"

#include <algorithm>
#include <ostream>
#include <tuple>
#include <utility>

#include "cli/commands.h"

namespace gonogo {

namespace {

constexpr std::string_view kBetween = "---";  // the word between two commands

Error usage(std::string what, std::string hint) {
  return {Error::Kind::kUsage, std::move(what), {}, std::move(hint), ""};
}

// "A..B" as A and B, any other text as both. Dots that name a parent folder ("../b", "a/../b") part nothing.
std::pair<std::string, std::string> ends_of(const std::string& text) {
  for (std::size_t at = text.find("..", 1); at != std::string::npos; at = text.find("..", at + 1)) {
    if (text[at - 1] == '/') continue;
    return {text.substr(0, at), text.substr(at + 2)};
  }
  return {text, text};
}

// The ends of an option that is given once with "..", or twice; an error where it is neither.
Result<std::pair<std::string, std::string>> two_of(std::string_view option, const std::vector<std::string>& given) {
  std::pair<std::string, std::string> out;
  if (given.size() == 1) out = ends_of(given[0]);
  if (given.size() == 2) out = {given[0], given[1]};
  if (given.size() > 2)
    return usage(std::string(option) + " is given " + std::to_string(given.size()) + " times", "two are compared");
  if (!given.empty() && (out.first.empty() || out.second.empty())) {
    return usage("'" + given[0] + "' has only one end", "write " + std::string(option) + " A..B");
  }
  return out;
}

// What to check on either side.
Result<std::pair<SessionOptions, SessionOptions>> sides(const DiffOptions& options, const std::string& version_option) {
  SessionOptions from = options.check.session;
  SessionOptions to = from;
  const auto between = std::find(from.command.begin(), from.command.end(), kBetween);
  const bool two_commands = between != from.command.end();
  if (two_commands) {
    to.command.erase(to.command.begin(), to.command.begin() + (between - from.command.begin()) + 1);
    from.command.erase(between, from.command.end());
    if (from.command.empty() || to.command.empty())
      return usage("a command is missing beside ---", "write -- COMMAND --- COMMAND");
    if (std::find(to.command.begin(), to.command.end(), kBetween) != to.command.end()) {
      return usage("there are more than two commands", "two are compared: -- COMMAND --- COMMAND");
    }
  }
  auto versions = two_of(version_option, options.versions);
  if (!versions) return versions.error();
  auto configs = two_of("--model-config", options.model_configs);
  if (!configs) return configs.error();
  if (!options.versions.empty()) {
    from.version = versions->first;
    to.version = versions->second;
  }
  from.model_config = configs->first;
  to.model_config = configs->second;
  for (std::size_t i = 0; i < options.check.session.gpus.size(); ++i) {
    std::tie(from.gpus[i], to.gpus[i]) = ends_of(from.gpus[i]);
    if (from.gpus[i].empty() || to.gpus[i].empty()) return usage("--gpu has only one end", "write --gpu A..B");
  }
  if (!two_commands && from.version == to.version && from.model_config == to.model_config && from.gpus == to.gpus) {
    return usage("there is nothing to compare",
                 "give two ends (" + version_option +
                     " A..B, --gpu A..B, --model-config A..B), or two launches: -- COMMAND --- COMMAND");
  }
  return std::pair{std::move(from), std::move(to)};
}

}  // namespace

ExitStatus diff_command(const DiffOptions& options, Streams io) {
  const Pack& embedded = Pack::embedded();
  auto both = sides(options, "--" + std::string(embedded.text(embedded.about->name)));
  if (!both) return report_error(both.error(), io);
  std::string blob;
  std::vector<Error> errors;
  const auto pack = load_pack(options.check.session.rules, &blob, &errors);
  if (!pack) return report_failure(pack.error(), errors, io);
  auto from = check_launch(*pack, both->first);
  if (!from) return report_error(from.error(), io);
  auto to = check_launch(*pack, both->second);
  if (!to) return report_error(to.error(), io);
  const ReportInput a = input_of(**from);
  const ReportInput b = input_of(**to);
  const Diff diff = diff_of(a, b);
  const ExitStatus status = diff.same() ? ExitStatus::kGo : ExitStatus::kNoGo;
  io.out << (options.check.format == "json" ? diff_to_json(a, b, diff, static_cast<int>(status))
                                            : diff_to_text(a, b, diff, use_color(options.check.color)));
  return status;
}

}  // namespace gonogo
