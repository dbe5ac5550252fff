// gonogo.yaml as a check finds it: every key by file, variable and flag, and what becomes of the answer.
#include "policy/policy.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "catch.h"
#include "cli/run_binary.h"
#include "holds.h"
#include "tree.h"

namespace gonogo::test {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;
using Words = std::vector<std::string>;

const std::string kModels = std::string(GONOGO_TESTDATA) + "/models/";
const std::string kFlash = kModels + "XiaomiMiMo__MiMo-V2-Flash";
const Words kRefused = {"--gpu", "b200x8", "--sglang", "0.5.21", "--model-config",    kFlash,  "--", "sglang",
                        "serve", "/m",     "--tp",     "8",      "--moe-a2a-backend", "deepep"};

// A working directory of its own that goes when the test ends.
class Folder : public Tree {
 public:
  explicit Folder(const std::vector<std::pair<std::string, std::string>>& files)
      : Tree(files), back_(fs::current_path()) {
    directory(".git");  // a policy above is none of this test's
    fs::current_path(path());
  }
  ~Folder() { fs::current_path(back_); }

 private:
  fs::path back_;
};

Words check(Words options, const Words& more) {
  options.insert(options.begin(), "check");
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

std::string manifest(const std::string& gpu) {
  return "apiVersion: v1\nkind: Pod\nspec:\n  nodeSelector: {nvidia.com/gpu.product: " + gpu +
         "}\n  containers:\n  - image: x/y\n    resources: {limits: {nvidia.com/gpu: 8}}\n    command: [python3, -m, "
         "sglang.launch_server, --model-path, /m]\n";
}

std::string overlay(const std::string& id) {
  return "stage: a2a-moe\nrules:\n- id: " + id + "\n  when: tp_size == 1\n  warn: told\n";
}

json launch_of(const Ran& ran) { return json::parse(ran.out)["launches"][0]["report"]; }

// The rules of all findings, in one text.
std::string rules_of(const Ran& ran) {
  std::string out;
  const json report = launch_of(ran);
  for (const json& f : report["findings"]) out += f["rule"].get<std::string>() + " ";
  return out;
}

const json& finding(const json& report, const std::string& rule) {
  for (const json& f : report["findings"]) {
    if (f["rule"] == rule) return f;
  }
  FAIL("no finding of " << rule);
  return report;
}

}  // namespace

TEST_CASE("every key comes by file, variable and flag, and the flag goes first", "[cli]") {
  struct Row {
    std::string key;
    std::string file;  // the whole policy
    std::string variable;
    Words flag;
    // What a run says for each of the three.
    std::function<std::string(const Ran&)> asks;
    std::string by_file;
    std::string by_variable;
    std::string by_flag;
  };
  const auto version = [](const Ran& ran) { return launch_of(ran)["runtime"]["version"].get<std::string>(); };
  const auto gpu = [](const Ran& ran) { return launch_of(ran)["nodes"][0]["gpu"].get<std::string>(); };
  const auto model = [](const Ran& ran) { return launch_of(ran)["model"].get<std::string>(); };
  const auto status = [](const Ran& ran) { return std::to_string(ran.status); };
  const auto level = [](const Ran& ran) { return finding(launch_of(ran), "argparse")["level_by"].get<std::string>(); };
  const auto ignored = [](const Ran& ran) {
    return finding(launch_of(ran), "argparse")["suppressed"]["by"].get<std::string>();
  };
  const std::vector<Row> rows = {
      {"sglang", "sglang: 0.5.21", "0.5.22", {"--sglang", "0.5.23"}, version, "0.5.21", "0.5.22", "0.5.23"},
      {"gpu", "gpu: [b200x8]", "h200x8", {"--gpu", "h100x8"}, gpu, "NVIDIA B200", "NVIDIA H200", "NVIDIA H100"},
      {"gpu_name",
       "gpu_name: {pool: b200, other: h200}",
       "pool=h200,other=b200",
       {"--gpu-name", "pool=h100"},
       gpu,
       "NVIDIA B200",
       "NVIDIA H200",
       "NVIDIA H100"},
      {"model_config",
       "model_config: m/a",
       "m/b",
       {"--model-config", "m/c"},
       model,
       "directory m/a",
       "directory m/b",
       "directory m/c"},
      {"models",
       "models: n/a",
       "n,n/b",
       {"--models", "n/c"},
       model,
       "directory n/a/org/name",
       "directory n/b/org__name",
       "directory n/c/name"},
      {"rules", "rules: r/a", "r/b", {"--rules", "r/c"}, rules_of, "r/a", "r/b", "r/c"},
      {"fail_on", "fail_on: warning", "refusal", {"--fail-on", "warning"}, status, "1", "0", "1"},
      {"strict", "strict: true", "false", {"--strict"}, status, "3", "0", "3"},
      {"severity",
       "severity: {argparse: note}",
       "argparse=note",
       {"--severity", "argparse=warning"},
       level,
       "gonogo.yaml:1",
       "GONOGO_SEVERITY",
       "--severity"},
      {"ignore",
       "ignore: [{rule: argparse, reason: x}]",
       "argparse reason=\"x\"",
       {"--ignore", "argparse reason=x"},
       ignored,
       "gonogo.yaml:1",
       "GONOGO_IGNORE",
       "--ignore"},
  };
  std::vector<std::pair<std::string, std::string>> files = {
      {"n/a/org/name/config.json", "{}"}, {"n/b/org__name/config.json", "{}"}, {"n/c/name/config.json", "{}"}};
  for (const char* name : {"a", "b", "c"}) {
    files.emplace_back(std::string("r/") + name + "/x.yaml", overlay(std::string("r/") + name));
    std::ifstream config(kModels + "Qwen__Qwen3-8B/config.json");
    files.emplace_back(std::string("m/") + name + "/config.json",
                       std::string(std::istreambuf_iterator<char>(config), {}));
  }
  std::set<std::string> tested;
  const Folder folder(files);
  for (const Row& row : rows) {
    INFO(row.key);
    tested.insert(row.key);
    const PolicyKey key{row.key, KeyShape::kText};
    CHECK(row.flag[0] == key.flag());
    const bool adds_up = row.key == "severity" || row.key == "ignore";
    // A refusal to weigh or ignore; a warning of the overlay; a model that is not there, so that the answer is UNKNOWN.
    Words rest = {"--format", "json", "pod.yaml"};
    if (row.key == "fail_on") rest.insert(rest.begin(), {"--rules", "r/a"});
    if (row.key != "gpu" && row.key != "gpu_name") rest.insert(rest.begin(), {"--gpu", "b200"});
    if (row.key == "rules" || row.key == "fail_on") rest.insert(rest.begin(), {"--model-config", "m/a"});
    std::string text = manifest("pool");
    if (adds_up) text.replace(text.find("/m]"), 3, "/m, --nope]");
    if (row.key == "models") text.replace(text.find("/m]"), 3, "org/name]");
    std::ofstream("pod.yaml") << text;
    std::ofstream("gonogo.yaml") << row.file << '\n';
    const std::string variable = key.variable() + "=" + row.variable;
    const auto asked = [&](const Words& options, const Words& env) {
      const Ran ran = run_gonogo(check(options, rest), {}, env);
      INFO(ran.out.substr(0, 2000) << ran.err);
      REQUIRE_FALSE(ran.out.empty());
      return row.asks(ran);
    };
    CHECK(holds(asked({}, {}), row.by_file));
    CHECK(holds(asked(adds_up ? Words{"--no-policy"} : Words{}, {variable}), row.by_variable));
    Words flag = row.flag;
    if (adds_up) flag.push_back("--no-policy");
    CHECK(holds(asked(flag, {variable}), row.by_flag));
  }
  for (const PolicyKey& key : policy_keys(Pack::embedded())) {
    INFO(key.name);
    CHECK(tested.count(std::string(key.name)) == 1);
  }
}

TEST_CASE("which policy is read", "[cli]") {
  struct Row {
    std::string name;
    std::vector<std::pair<std::string, std::string>> files;
    std::string in;
    Words options;
    Words env;
    std::string says;  // in the report's last line
    std::string never;
  };
  const std::string some = "fail_on: refusal\n";
  const std::vector<Row> rows = {
      {"none", {}, ".", {}, {}, "rules sglang", "policy"},
      {"here", {{"gonogo.yaml", some}}, ".", {}, {}, "policy gonogo.yaml", ""},
      {"above", {{"gonogo.yaml", some}, {"a/b/x", ""}}, "a/b", {}, {}, "policy ../../gonogo.yaml", ""},
      {"the nearest", {{"gonogo.yaml", some}, {"a/gonogo.yaml", some}}, "a", {}, {}, "policy gonogo.yaml", ""},
      {"not beyond a repository", {{"gonogo.yaml", some}, {"a/.git/x", ""}}, "a", {}, {}, "rules sglang", "policy"},
      {"by flag", {{"gonogo.yaml", some}, {"p.yaml", some}}, ".", {"--policy", "p.yaml"}, {}, "policy p.yaml", ""},
      {"by variable", {{"p.yaml", some}}, ".", {}, {"GONOGO_POLICY=p.yaml"}, "policy p.yaml", ""},
      {"switched off", {{"gonogo.yaml", some}}, ".", {"--no-policy"}, {}, "rules sglang", "policy"},
      {"switched off by variable", {{"gonogo.yaml", some}}, ".", {}, {"GONOGO_NO_POLICY=1"}, "rules sglang", "policy"},
  };
  for (const Row& row : rows) {
    INFO(row.name);
    const Folder folder(row.files);
    fs::current_path(row.in);
    const Ran ran = run_gonogo(check(row.options, kRefused), {}, row.env);
    INFO(ran.out << ran.err);
    const std::string last = ran.out.substr(ran.out.rfind('\n', ran.out.size() - 2) + 1);
    CHECK(holds(last, row.says));
    if (!row.never.empty()) CHECK_FALSE(holds(ran.out, row.never));
    CHECK(ran.status == 1);
  }
}

TEST_CASE("what a policy makes of the answer, and that it says so", "[cli]") {
  struct Row {
    std::string name;
    std::string policy;
    Words options;
    Words env;
    int status;
    Words says;
  };
  const std::string ignore = "ignore:\n- rule: build/runner-no-path\n  reason: patched here\n";
  const std::vector<Row> rows = {
      {"ignored",
       ignore,
       {},
       {},
       0,
       {"GO  sglang", "1 ignored", "without the policy the answer is NO-GO", "ignored by gonogo.yaml:2: patched here",
        "[build/runner-no-path]"}},
      {"until a day to come",
       ignore + "  until: 2030-01-01\n",
       {},
       {"GONOGO_TODAY=2030-01-01"},
       0,
       {"until 2030-01-01"}},
      {"until a day gone",
       ignore + "  until: 2030-01-01\n",
       {},
       {"GONOGO_TODAY=2030-01-02"},
       1,
       {"NO-GO", "held until 2030-01-01  [policy/expired-ignore]", "--> gonogo.yaml:2:9"}},
      {"lowered",
       "severity: {build/runner-no-path: warning}",
       {},
       {},
       0,
       {"GO  sglang", "1 warning", "a refusal, told as a warning by gonogo.yaml:1"}},
      {"lowered, and failing",
       "severity: {build/*: warning}\nfail_on: warning",
       {},
       {},
       1,
       {"GO  sglang", "1 warning"}},
      {"an expired ignore fails where warnings do",
       ignore + "- {rule: unread, reason: x, until: 2020-01-01}\nfail_on: warning",
       {},
       {},
       1,
       {"GO  sglang", "[policy/expired-ignore]"}},
      {"and not where it is a note",
       ignore + "- {rule: unread, reason: x, until: 2020-01-01}\nfail_on: warning\nseverity: {policy/*: note}",
       {},
       {},
       0,
       {"GO  sglang", "[policy/expired-ignore]", "a warning, told as a note by gonogo.yaml:6"}},
      {"an unknown key", "fail_onn: x", {}, {}, 2, {"gonogo.yaml:1:1", "did you mean fail_on?"}},
      {"a value that the flag would not take", "fail_on: never", {}, {}, 2, {"gonogo.yaml:1:10", "never"}},
      {"a rule that there is none of", "severity: {build/runner-no-pth: note}", {}, {}, 2, {"build/runner-no-path?"}},
      {"a flag without a reason", "", {"--ignore", "unread"}, {}, 4, {"--ignore: the ignore of unread has no reason"}},
      {"a flag with no severity", "", {"--severity", "unread=off"}, {}, 4, {"--severity: 'unread=off'"}},
      {"no date", "", {}, {"GONOGO_TODAY=soon"}, 4, {"GONOGO_TODAY: 'soon' is no date"}},
      {"no such file", "", {"--policy", "/nonexistent.yaml"}, {}, 2, {"/nonexistent.yaml"}},
  };
  for (const Row& row : rows) {
    INFO(row.name);
    const Folder folder({{"gonogo.yaml", row.policy}});
    const Ran ran = run_gonogo(check(row.options, kRefused), {}, row.env);
    INFO(ran.out << ran.err);
    CHECK(ran.status == row.status);
    for (const std::string& text : row.says) CHECK(holds(ran.out + ran.err, text));
  }
}

TEST_CASE("ignores beside launches, and those of no use", "[cli]") {
  const std::string good = "# gonogo: ignore=argparse reason=\"a fork's flag\" until=2030-01-01\n";
  const std::string launch = "python -m sglang.launch_server --model-path " + kModels + "Qwen__Qwen3-8B --nope\n";
  const std::string roles = "# gonogo: ignore=pd-pair/pipeline reason=\"in turn\"\n";
  const auto of_role = [](const std::string& role_and_stages) {
    const std::size_t space = role_and_stages.find(' ');
    return "python3 -m sglang.launch_server --model-path " + kModels + "Qwen__Qwen3-8B --disaggregation-mode " +
           role_and_stages.substr(0, space) + " --pp-size" + role_and_stages.substr(space) + " &\n";
  };
  struct Row {
    std::string name;
    std::string text;
    std::string today;
    int status;
    Words says;
  };
  const std::vector<Row> rows = {
      {"none", launch, "2029-01-01", 1, {"1 NO-GO"}},
      {"one", good + launch, "2029-01-01", 0, {"1 UNKNOWN", "ignored by a.sh:1 until 2030-01-01: a fork's flag"}},
      {"one of two launches", good + launch + "\n" + launch, "2029-01-01", 1, {"1 NO-GO, 1 UNKNOWN"}},
      {"too old", good + launch, "2031-01-01", 1, {"1 NO-GO", "[policy/expired-ignore]\n  --> a.sh:1:18"}},
      {"of no use", "# gonogo: ignore=unread reason=x\n" + launch, "2029-01-01", 1, {"[policy/unused-ignore]"}},
      {"launches that don't fit", of_role("prefill 4") + of_role("decode 2"), "2029-01-01", 1, {"[pd-pair/pipeline]"}},
      {"beside the first of them",
       roles + of_role("prefill 4") + "\n" + of_role("decode 2"),
       "2029-01-01",
       0,
       {"ignored  ", "[pd-pair/pipeline]", "ignored by a.sh:1: in turn"}},
      {"beside the second of them",
       of_role("prefill 4") + "\n" + roles + of_role("decode 2"),
       "2029-01-01",
       0,
       {"[pd-pair/pipeline]", "ignored by a.sh:3: in turn"}},
      {"beside neither of them",
       roles + "\n" + of_role("prefill 4") + of_role("decode 2"),
       "2029-01-01",
       1,
       {"[pd-pair/pipeline]", "[policy/unused-ignore]"}},
      {"without a reason", "# gonogo: ignore=argparse\n" + launch, "2029-01-01", 1, {"[policy/invalid-ignore]"}},
  };
  for (const Row& row : rows) {
    INFO(row.name);
    const Folder folder({{"a.sh", row.text}});
    const Ran ran = run_gonogo({"check", "--gpu", "b200x8", "a.sh"}, {}, {"GONOGO_TODAY=" + row.today});
    INFO(ran.out << ran.err);
    CHECK(ran.status == row.status);
    for (const std::string& text : row.says) CHECK(holds(ran.out, text));
  }
}

}  // namespace gonogo::test
