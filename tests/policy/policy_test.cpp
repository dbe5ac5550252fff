#include "policy/policy.h"

#include <set>
#include <string>
#include <vector>

#include "catch.h"
#include "report/sample.h"

namespace gonogo::test {

namespace {

const Sample& sample() {
  static const Sample out({"--path", "/m"});
  return out;
}

Result<Policy> read(const std::string& text, const std::string& file = "up/gonogo.yaml") {
  static const std::vector<PolicyKey> keys = policy_keys(*sample().pack);
  return parse_policy(text, file, keys);
}

}  // namespace

TEST_CASE("each key has a flag and a variable of its own", "[policy]") {
  std::set<std::string> names;
  for (const PolicyKey& key : policy_keys(*sample().pack)) {
    CHECK(names.insert(key.flag()).second);
    CHECK(names.insert(key.variable()).second);
    CHECK(key.flag().find('_') == std::string::npos);
  }
  CHECK(names.count("--fail-on") == 1);
  CHECK(names.count("GONOGO_FAIL_ON") == 1);
  CHECK(names.count("--sample") == 1);  // the runtime's name
}

TEST_CASE("settings as the command line would have them", "[policy]") {
  struct Row {
    std::string text;
    std::string key;
    std::vector<std::string> values;
  };
  const std::vector<Row> rows = {
      {"sample: 1.0", "sample", {"1.0"}},
      {"sample: '1.0'", "sample", {"1.0"}},
      {"gpu: b200x8", "gpu", {"b200x8"}},
      {"gpu: [b200x8, node.json, sub/x]", "gpu", {"b200x8", "up/node.json", "up/sub/x"}},
      {"gpu_name: {pool-a: h100, pool-b: h200}", "gpu_name", {"pool-a=h100", "pool-b=h200"}},
      {"model_config: models/a", "model_config", {"up/models/a"}},
      {"model_config: /models/a", "model_config", {"/models/a"}},
      {"models: models", "models", {"up/models"}},
      {"models: [models, /m]", "models", {"up/models", "/m"}},
      {"rules: ../rules", "rules", {"up/../rules"}},
      {"strict: true", "strict", {"true"}},
      {"fail_on: warning", "fail_on", {"warning"}},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    const auto policy = read(row.text);
    REQUIRE(policy.ok());
    REQUIRE(policy->settings.size() == 1);
    CHECK(policy->settings[0].key == row.key);
    CHECK(policy->settings[0].values == row.values);
    CHECK(policy->settings[0].place.line == 1);
  }
  CHECK(read("").ok());
  CHECK(read("# nothing\n").ok());
  CHECK(read("model_config: a", "gonogo.yaml")->settings[0].values[0] == "a");
}

TEST_CASE("severities and ignores of a file", "[policy]") {
  const auto policy = read(
      "severity:\n  gates/large: error\n  gates/*: note\nignore:\n- rule: gates/gpu\n  file: deploy/*.yaml\n"
      "  reason: one GPU is enough\n  until: 2030-05-06\n");
  REQUIRE(policy.ok());
  REQUIRE(policy->severities.size() == 2);
  CHECK(policy->severities[0].rule == "gates/large");
  CHECK(policy->severities[0].level == Level::kError);
  CHECK(policy->severities[1].level == Level::kNote);
  CHECK(policy->severities[1].by == "up/gonogo.yaml:3");
  REQUIRE(policy->ignores.size() == 1);
  const Ignore& ignore = policy->ignores[0];
  CHECK(ignore.rule == "gates/gpu");
  CHECK(ignore.file == "deploy/*.yaml");
  CHECK(ignore.reason == "one GPU is enough");
  CHECK(ignore.until == Date{2030, 5, 6});
  CHECK(ignore.by == "up/gonogo.yaml:5");
  CHECK(ignore.place.text() == "up/gonogo.yaml:5:9");
}

TEST_CASE("a mistake in a policy has a place and a way out", "[policy]") {
  struct Row {
    std::string text;
    std::string place;
    std::string what;
    std::string hint;
  };
  const std::vector<Row> rows = {
      {"fail-on: warning", "1:1", "no key 'fail-on'", "did you mean fail_on?"},
      {"a: 1\nfoo_bar_baz: x", "1:1", "no key 'a'", "known are sample, gpu"},
      {"gpu: x\ngpu: y", "2:1", "stands twice", ""},
      {"gpu:", "1:1", "gpu has no value", ""},
      {"gpu: {a: b}", "1:6", "a list of texts", ""},
      {"gpu: [[a]]", "1:7", "a list of texts", ""},
      {"sample: [1.0]", "1:9", "sample is one text", ""},
      {"strict: yes", "1:9", "true or false", ""},
      {"gpu_name: a", "1:11", "a mapping", ""},
      {"gpu_name: {a: [b]}", "1:15", "'a' needs a text", ""},
      {"severity: [a]", "1:11", "a mapping of rules", ""},
      {"severity: {a: refusal}", "1:15", "error, warning or note", ""},
      {"severity: {a: off}", "1:15", "error, warning or note", "ignore it"},
      {"severity: {a: [error]}", "1:15", "error, warning or note", ""},
      {"ignore: {rule: a}", "1:9", "ignore is a list", ""},
      {"ignore: [a]", "1:10", "an ignore is a mapping", ""},
      {"ignore:\n- reason: x", "2:3", "names no rule", ""},
      {"ignore:\n- rule: a/b", "2:3", "the ignore of a/b has no reason", "reason"},
      {"ignore:\n- rule: a/b\n  reason: '  '", "2:3", "no reason", ""},
      {"ignore:\n- rule: a/b\n  reason: ''", "2:3", "no reason", ""},
      {"ignore:\n- rule: a\n  resaon: b", "3:3", "no key 'resaon'", "did you mean reason?"},
      {"ignore:\n- rule: a\n  reason: b\n  until: soon", "4:10", "'soon' is no date", "YYYY-MM-DD"},
      {"ignore:\n- rule: [a]\n  reason: b", "2:3", "rule is one text", ""},
      {"- a", "1:1", "a policy is a mapping", ""},
      {"a: [", "", "no valid YAML", ""},
      {"gpu: x\n---\ngpu: y", "", "one document", ""},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    const auto policy = read(row.text, "p.yaml");
    REQUIRE_FALSE(policy.ok());
    const std::string said = to_text(policy.error());
    INFO(said);
    CHECK(said.rfind("p.yaml:" + row.place, 0) == 0);
    CHECK(said.find(row.what) != std::string::npos);
    CHECK(said.find(row.hint) != std::string::npos);
    CHECK(policy.error().kind == Error::Kind::kInput);
  }
  CHECK_FALSE(read(std::string(2u << 20, '#')).ok());
  CHECK_FALSE(read("gpu: " + std::string(50, '[') + std::string(50, ']')).ok());
}

TEST_CASE("severities and ignores of flags and variables", "[policy]") {
  Policy policy;
  CHECK_FALSE(add_severities("a/b=error, c*=note\nd=warning", "GONOGO_SEVERITY", &policy));
  REQUIRE(policy.severities.size() == 3);
  CHECK(policy.severities[1].rule == "c*");
  CHECK(policy.severities[2].level == Level::kWarning);
  for (const char* bad : {"a", "=error", "a=", "a=fatal", "a=error,b"}) {
    INFO(bad);
    const auto error = add_severities(bad, "--severity", &policy);
    REQUIRE(error);
    CHECK(error->kind == Error::Kind::kUsage);
  }
  CHECK_FALSE(add_ignores("a reason=\"x; y\"; b reason=z", "GONOGO_IGNORE", &policy));
  REQUIRE(policy.ignores.size() == 2);
  CHECK(policy.ignores[0].reason == "x; y");
  CHECK(policy.ignores[1].by == "GONOGO_IGNORE");
  CHECK(add_ignores("a", "--ignore", &policy)->what == "--ignore: the ignore of a has no reason");
}

TEST_CASE("a rule that there is none of", "[policy]") {
  const Pack& pack = *sample().pack;
  struct Row {
    std::string text;
    std::string says;
  };
  const std::vector<Row> rows = {
      {"severity: {gates/large: note}", ""},
      {"severity: {argparse: note, policy/unused-ignore: error, unread: note}", ""},
      {"severity: {'gates/*': note}", ""},
      {"severity: {gates/lage: note}", "p.yaml:1:12: there is no rule 'gates/lage' (did you mean gates/large?)"},
      {"ignore: [{rule: unred, reason: x}]", "p.yaml:1:17: there is no rule 'unred' (did you mean unread?)"},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    const auto policy = read(row.text, "p.yaml");
    REQUIRE(policy.ok());
    const auto error = unknown_rule(*policy, pack);
    CHECK((error ? to_text(*error) : "") == row.says);
  }
  Policy flags;
  add_severities("gates/lage=note", "--severity", &flags);
  CHECK(unknown_rule(flags, pack)->kind == Error::Kind::kUsage);
}

}  // namespace gonogo::test
