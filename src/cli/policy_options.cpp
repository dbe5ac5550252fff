#include "cli/policy_options.h"

#include <algorithm>
#include <cstdlib>
#include <ostream>

namespace gonogo {

namespace {

constexpr const char* kToday = "GONOGO_TODAY";

// Who gave an option that can come by either way.
std::string giver(const PolicyKey& key, const std::vector<std::string>& values) {
  const char* variable = std::getenv(key.variable().c_str());
  const bool by_variable = variable != nullptr && values.size() == 1 && values[0] == variable;
  return by_variable ? key.variable() : key.flag();
}

std::optional<Error> set(CLI::App* command, const PolicyKey& key, PolicySetting* setting) {
  CLI::Option* option = command->get_option_no_throw(key.flag());
  if (option == nullptr || option->count() > 0) return std::nullopt;
  try {
    for (const std::string& value : setting->values) option->add_result(value);
    option->run_callback();
  } catch (const CLI::Error& e) {
    return Error{Error::Kind::kInput, e.what(), setting->place, "", ""};
  }
  setting->holds = true;
  return std::nullopt;
}

Result<Date> date_of_run() {
  const char* given = std::getenv(kToday);
  if (given == nullptr || *given == '\0') return today();
  const auto date = parse_date(given);
  if (date) return *date;
  return Error{Error::Kind::kUsage, std::string(kToday) + ": '" + given + "' is no date", {}, "write YYYY-MM-DD", ""};
}

}  // namespace

void add_policy_options(CLI::App* command, PolicyOptions* options, CLI::Option* with) {
  CLI::Option* const file = command->add_option("--policy", options->file,
                                                "the policy; without it the nearest gonogo.yaml upwards from here");
  CLI::Option* const none = command->add_flag("--no-policy", options->none, "read no gonogo.yaml");
  CLI::Option* const severity =
      command->add_option("--severity", options->severities, "RULE=error|warning|note: what its findings weigh")
          ->allow_extra_args(false);
  CLI::Option* const ignore = command
                                  ->add_option("--ignore", options->ignores,
                                               "RULE reason=\"…\" [until=DATE] [file=PATTERN]: pass over its findings")
                                  ->allow_extra_args(false);
  for (const PolicyKey& key : policy_keys(Pack::embedded())) {
    CLI::Option* option = command->get_option_no_throw(key.flag());
    if (option == nullptr) continue;
    // Severities and ignores part their own texts.
    if (key.shape == KeyShape::kTexts || key.shape == KeyShape::kPaths || key.name == "gpu_name") {
      option->delimiter(',');
    }
  }
  const auto take_variables = [command, file, none] {
    file->envname("GONOGO_POLICY");
    none->envname("GONOGO_NO_POLICY");
    for (const PolicyKey& key : policy_keys(Pack::embedded())) {
      if (CLI::Option* option = command->get_option_no_throw(key.flag())) option->envname(key.variable());
    }
  };
  // Commands share what their options set, and variables are read for all commands: only the one that was called has
  // variables, and it has them once it is known to ask a policy.
  if (with == nullptr) {
    command->preparse_callback([take_variables](std::size_t) { take_variables(); });
    return;
  }
  for (CLI::Option* option : {file, none, severity, ignore}) option->needs(with);
  with->trigger_on_parse()->each([take_variables](const std::string&) { take_variables(); });
}

Result<Policy> take_policy(CLI::App* command, const PolicyOptions& options) {
  const std::vector<PolicyKey> keys = policy_keys(Pack::embedded());
  Policy out;
  const std::string file = options.none ? "" : options.file.empty() ? find_policy() : options.file;
  if (!file.empty()) {
    auto read = read_policy(file, keys);
    if (!read) return read.error();
    out = std::move(*read);
  }
  auto date = date_of_run();
  if (!date) return date.error();
  out.today = *date;
  for (const PolicyKey& key : keys) {
    for (PolicySetting& setting : out.settings) {
      if (setting.key != key.name) continue;
      if (auto error = set(command, key, &setting)) return *error;
    }
    const bool severity = key.name == "severity";
    if (!severity && key.name != "ignore") continue;
    const std::vector<std::string>& given = severity ? options.severities : options.ignores;
    for (const std::string& text : given) {
      const std::string by = giver(key, given);
      if (auto error = severity ? add_severities(text, by, &out) : add_ignores(text, by, &out)) return *error;
    }
  }
  return out;
}

Result<Policy> take_policy_or_warn(CLI::App* command, const PolicyOptions& options, Streams io) {
  auto policy = take_policy(command, options);
  if (policy || policy.error().kind != Error::Kind::kInput) return policy;
  report_error(policy.error(), io);
  PolicyOptions without = options;
  without.none = true;
  return take_policy(command, without);
}

bool may_be_of_policy_file(const Error& error, const CheckOptions& options) {
  const Policy& policy = options.policy;
  if (!policy.file.empty() && error.place.file == policy.file) return true;
  return error.kind == Error::Kind::kUsage &&
         std::any_of(policy.settings.begin(), policy.settings.end(), [](const PolicySetting& s) { return s.holds; });
}

CheckOptions without_policy_file(CheckOptions options) {
  Policy& policy = options.policy;
  const CheckOptions none;
  for (const PolicySetting& setting : policy.settings) {
    if (!setting.holds) continue;
    const std::string& key = setting.key;
    if (key == "gpu") options.session.gpus = none.session.gpus;
    if (key == "model_config") options.session.model_config = none.session.model_config;
    if (key == "models") options.session.models = none.session.models;
    if (key == "rules") options.session.rules = none.session.rules;
    if (key == "fail_on") options.fail_on = none.fail_on;
    if (key == "strict") options.strict = none.strict;
    if (key == Pack::embedded().text(Pack::embedded().about->name)) options.session.version = none.session.version;
  }
  policy.settings.clear();
  policy.file.clear();
  std::erase_if(policy.severities, [](const Severity& s) { return s.place.line > 0; });
  std::erase_if(policy.ignores, [](const Ignore& i) { return i.place.line > 0; });
  return options;
}

}  // namespace gonogo
