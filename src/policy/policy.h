// What a team has decided about its checks, from gonogo.yaml, variables and flags: the settings of a check, how much a
// rule's findings weigh, and which are ignored.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "policy/date.h"
#include "policy/ignore.h"
#include "report/launch_report.h"
#include "rules/pack.h"

namespace gonogo {

// How a key's value is written in the file.
enum class KeyShape : std::uint8_t {
  kText,     // a text or number
  kSwitch,   // true or false
  kPath,     // a path, relative to the file's folder
  kPaths,    // a path or a list of them, likewise
  kTexts,    // a text or a list of them; those with a slash or ending in .json are paths as well
  kPairs,    // a mapping of names to texts: NAME=TEXT on the command line
  kIgnores,  // a list of mappings with rule, reason, until and file
};

// A key of gonogo.yaml. The flag is --key with dashes for underscores, the variable GONOGO_KEY; the flag goes before
// the variable, and that before the file. Severities and ignores add up instead.
struct PolicyKey {
  std::string_view name;
  KeyShape shape;
  std::string flag() const;
  std::string variable() const;
};

// All keys: the one table that file, flags and variables are read by. `severity` and `ignore` are among them.
std::vector<PolicyKey> policy_keys(const Pack& pack);

// A setting as the command line would have it, and where it stands.
struct PolicySetting {
  std::string key;
  std::vector<std::string> values;
  Place place;
  bool holds = false;  // neither a flag nor a variable went before it
};

// How much a rule's findings weigh, in place of what they weigh by themselves.
struct Severity {
  std::string rule;  // an id, or a pattern with * in it
  Level level = Level::kWarning;
  std::string by;  // "gonogo.yaml:4", "--severity"
  Place place;
};

struct Policy {
  std::string file;  // as it was found, "../gonogo.yaml"; empty where there is none
  std::vector<PolicySetting> settings;
  std::vector<Severity> severities;  // the last that names a rule decides
  std::vector<Ignore> ignores;
  Date today;
};

// The nearest gonogo.yaml from the working directory upwards, to the root of a repository; empty where there is none.
std::string find_policy();

// Reads a file's text. An unknown key, a key that stands twice, and a value of the wrong shape are errors with their
// line and column.
Result<Policy> parse_policy(const std::string& text, const std::string& file, std::span<const PolicyKey> keys);
Result<Policy> read_policy(const std::string& file, std::span<const PolicyKey> keys);

// "RULE=error|warning|note", several with commas, as a flag or variable says it; `by` names that.
std::optional<Error> add_severities(const std::string& text, const std::string& by, Policy* policy);
// Ignores as parse_ignore has them, several with semicolons or on lines of their own.
std::optional<Error> add_ignores(const std::string& text, const std::string& by, Policy* policy);

// The first rule named by severities or ignores that `pack` doesn't have.
std::optional<Error> unknown_rule(const Policy& policy, const Pack& pack);
// Why `rule`, an id or a pattern, names no rule; empty where it does.
std::string no_such_rule(const std::string& rule, const Pack& pack, std::string* hint);

}  // namespace gonogo
