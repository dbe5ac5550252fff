#include "policy/policy.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace gonogo {

namespace {

// Rules of findings that no pack has.
constexpr std::array<std::string_view, 6> kOwnRules = {
    "argparse", "unread", "lock/changed", "policy/unused-ignore", "policy/expired-ignore", "policy/invalid-ignore"};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
  return text.substr(0, text.find_last_not_of(kSpaces) + 1);
}

// The parts of `text` between `separators` that stand in no quotes, without those that are empty.
std::vector<std::string> parts_of(std::string_view text, std::string_view separators) {
  std::vector<std::string> out;
  bool quoted = false;
  std::size_t from = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '"') quoted = !quoted;
    if (i < text.size() && (quoted || separators.find(text[i]) == std::string_view::npos)) continue;
    if (const std::string_view part = trimmed(text.substr(from, i - from)); !part.empty()) out.emplace_back(part);
    from = i + 1;
  }
  return out;
}

Error usage(std::string what, std::string hint) {
  return {Error::Kind::kUsage, std::move(what), {}, std::move(hint), ""};
}

}  // namespace

std::string PolicyKey::flag() const {
  std::string out = "--" + std::string(name);
  std::replace(out.begin(), out.end(), '_', '-');
  return out;
}

std::string PolicyKey::variable() const {
  std::string out = "GONOGO_" + std::string(name);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (c == '-') c = '_';
  }
  return out;
}

std::vector<PolicyKey> policy_keys(const Pack& pack) {
  return {
      {pack.text(pack.about->name), KeyShape::kText},
      {"gpu", KeyShape::kTexts},
      {"gpu_name", KeyShape::kPairs},
      {"model_config", KeyShape::kPath},
      {"models", KeyShape::kPaths},
      {"rules", KeyShape::kPath},
      {"format", KeyShape::kText},
      {"fail_on", KeyShape::kText},
      {"strict", KeyShape::kSwitch},
      {"severity", KeyShape::kPairs},
      {"ignore", KeyShape::kIgnores},
  };
}

std::optional<Error> add_severities(const std::string& text, const std::string& by, Policy* policy) {
  for (const std::string& part : parts_of(text, ",\n")) {
    const std::size_t equals = part.rfind('=');
    Severity out{part.substr(0, equals), Level::kNote, by, {}};
    const std::string level = equals == std::string::npos ? std::string() : part.substr(equals + 1);
    bool known = false;
    for (const Level l : {Level::kNote, Level::kWarning, Level::kError}) {
      if (level != level_name(l)) continue;
      out.level = l;
      known = true;
    }
    if (out.rule.empty() || !known) {
      return usage(by + ": '" + part + "' gives no rule a severity", "write RULE=error, RULE=warning or RULE=note");
    }
    policy->severities.push_back(std::move(out));
  }
  return std::nullopt;
}

std::optional<Error> add_ignores(const std::string& text, const std::string& by, Policy* policy) {
  for (const std::string& part : parts_of(text, ";\n")) {
    auto ignore = parse_ignore(part, {});
    if (!ignore) return usage(by + ": " + ignore.error().what, ignore.error().hint);
    ignore->by = by;
    ignore->place = {by, 0, 0, 0, 0};
    policy->ignores.push_back(std::move(*ignore));
  }
  return std::nullopt;
}

std::string no_such_rule(const std::string& rule, const Pack& pack, std::string* hint) {
  if (rule.find('*') != std::string::npos || pack.find_rule(rule) != kNoIndex) return {};
  if (std::find(kOwnRules.begin(), kOwnRules.end(), rule) != kOwnRules.end()) return {};
  std::vector<std::string_view> known(kOwnRules.begin(), kOwnRules.end());
  for (const RuleRec& r : pack.rules) known.push_back(pack.text(r.id));
  *hint = did_you_mean(rule, known);
  return "there is no rule '" + rule + "'";
}

std::optional<Error> unknown_rule(const Policy& policy, const Pack& pack) {
  std::string hint;
  const auto check = [&](const std::string& rule, const Place& at, const std::string& by) -> std::optional<Error> {
    const std::string what = no_such_rule(rule, pack, &hint);
    if (what.empty()) return std::nullopt;
    if (at.line == 0) return usage(by + ": " + what, hint);
    return Error{Error::Kind::kInput, what, at, hint, ""};
  };
  for (const Severity& s : policy.severities) {
    if (auto error = check(s.rule, s.place, s.by)) return error;
  }
  for (const Ignore& i : policy.ignores) {
    if (auto error = check(i.rule, {i.place.file, i.place.line, i.place.column}, i.by)) return error;
  }
  return std::nullopt;
}

}  // namespace gonogo
