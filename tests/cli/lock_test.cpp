// gonogo lock and check --locked: what is held, what is a difference, what is only said.
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/json.h"
#include "catch.h"
#include "cli/run_binary.h"
#include "holds.h"
#include "tree.h"

namespace gonogo::test {

namespace {

using Args = std::vector<std::string>;

const std::string kModels = std::string(GONOGO_TESTDATA) + "/models/";
const std::string kFlash = kModels + "XiaomiMiMo__MiMo-V2-Flash";
const Args kLaunch = {"python", "-m", "sglang.launch_server", "--model-path", "/m", "--tp", "8"};

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

Args join(Args a, const Args& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// A command of gonogo about one launch.
Args about(const Args& command, const Args& options, const Args& launch) {
  return join(join(join(command, options), {"--"}), launch);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

const Args kB200 = {"--gpu", "b200x8", "--model-config", kFlash, "--sglang", "0.5.23"};

// A pod that runs the launch with `more` words.
std::string pod(const std::string& name, const std::string& more, const std::string& tag = "v0.5.23") {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name +
         "}\nspec:\n  nodeSelector: {nvidia.com/gpu.product: NVIDIA-B200}\n  containers:\n  - image: x/sglang:" + tag +
         "\n    resources: {limits: {nvidia.com/gpu: 8}}\n    command: [python3, -m, sglang.launch_server, "
         "--model-path, " +
         kFlash + ", --tp, \"8\"" + more + "]\n";
}

}  // namespace

TEST_CASE("a launch is held to its lock", "[cli]") {
  const Tree tree;
  const std::string lock = tree / "a.lock";
  const Ran made = run_gonogo(about({"lock", "-o", lock}, kB200, kLaunch));
  INFO(made.out << made.err);
  REQUIRE(made.status == 0);
  CHECK(made.out == "locked in " + lock + ": 1 launch: 0 NO-GO, 0 UNKNOWN, 1 GO\n");
  struct Row {
    std::string name;
    Args options;
    Args launch;
    int status;
    Args says;
  };
  const std::vector<Row> rows = {
      {"the same", kB200, kLaunch, 0, {"\nas locked in " + lock + "\n"}},
      {"the same, in other words",
       kB200,
       {"sglang", "serve", "/m", "--tp-size=8"},
       0,
       {"\nas locked in " + lock + "\n"}},
      {"another flag",
       kB200,
       join(kLaunch, {"--chunked-prefill-size", "4096"}),
       1,
       {"not as locked in ", "launch 1 -> 2", "launch 1  python -m sglang.launch_server --model-path /m --tp 8\n",
        "chunked_prefill_size  16384 -> 4096", "was   memory/chunked-prefill-size", "now   you typed it"}},
      {"another release, on which it resolves otherwise",
       {"--gpu", "b200x8", "--model-config", kFlash, "--sglang", "0.5.21"},
       kLaunch,
       1,
       {"version 0.5.23 -> 0.5.21", "NCCL_GRAPH_REGISTER  0 -> left alone", "was   parallel/nccl-graph-register-off"}},
      {"another GPU",
       {"--gpu", "h200x8", "--model-config", kFlash, "--sglang", "0.5.23"},
       kLaunch,
       1,
       {"GPUs 8 x NVIDIA B200 (183359 MiB) -> 8 x NVIDIA H200", "attention_backend  fa4 -> "}},
      {"another model",
       {"--gpu", "b200x8", "--model-config", kModels + "Qwen__Qwen3-8B", "--sglang", "0.5.23"},
       kLaunch,
       1,
       {"the model's files are others", "model 1 -> 2", "experts"}},
      {"one that the parser refuses", kB200, join(kLaunch, {"--page-size", "x"}), 1, {"GO -> NO-GO", "new refusal"}},
      {"what can't be known any more", {"--gpu", "b200x8", "--sglang", "0.5.23"}, kLaunch, 1, {"GO -> UNKNOWN"}},
  };
  for (const Row& row : rows) {
    const Ran ran = run_gonogo(about({"check", "--locked", lock}, row.options, row.launch));
    INFO(row.name << "\n" << ran.out << ran.err);
    CHECK(ran.status == row.status);
    for (const std::string& text : row.says) {
      INFO("must say: " << text);
      CHECK(holds(ran.out, text));
    }
    const Ran json = run_gonogo(about({"check", "--format", "json", "--locked", lock}, row.options, row.launch));
    Arena arena;
    const auto report = parse_json(json.out, "report", arena);
    REQUIRE(report.ok());
    CHECK(json.status == row.status);
    CHECK(report->find("exit_code")->as_int() == row.status);
    CHECK(report->find("locked")->find("same")->as_bool() == (row.status == 0));
    CHECK((report->find("locked")->find("diff") != nullptr) == (row.status != 0));
  }
}

TEST_CASE("a lock reads well, and the same launch gives the same bytes", "[cli]") {
  const Args launch = join({"HF_TOKEN=hf_abcdefghijklmnopqrstuvw", "A=1"}, join(kLaunch, {"--api-key", "s3cr3t-key"}));
  const Ran a = run_gonogo(about({"lock", "-o", "-"}, kB200, launch));
  INFO(a.out << a.err);
  REQUIRE(a.status == 0);
  CHECK(a.out == run_gonogo(about({"lock", "-o", "-"}, kB200, launch)).out);
  for (const char* text :
       {"\n  \"rules\": {\"name\":\"sglang\",\"hash\":\"", "\n        \"HF_TOKEN=***\",\n        \"A=1\"\n",
        "\n      \"version\": \"0.5.23\",\n", "\n      \"verdict\": \"GO\",\n", "\"name\":\"NVIDIA B200\"",
        "\n        \"tp_size\": {\"value\":8,\"typed\":true},\n",
        "\n        \"attention_backend\": {\"value\":\"fa4\",\"rule\":\"mimo-v2/attention\",\"pass\":\"",
        "\n        \"cuda_graph_config.decode.max_bs\": {\"value\":512,", "\n        \"api_key\": {\"value\":\"***\"",
        "\n        \"NCCL_GRAPH_REGISTER\": {\"value\":\"0\","}) {
    INFO("must hold: " << text);
    CHECK(holds(a.out, text));
  }
  CHECK_FALSE(holds(a.out, "s3cr3t"));
  CHECK_FALSE(holds(a.out, "hf_abc"));
  // A secret that is another one is no difference.
  const Tree tree;
  const std::string lock = tree.file("x.lock", a.out);
  const Args later = join({"HF_TOKEN=hf_zzzzzzzzzzzzzzzzzzzzzzz", "A=1"}, join(kLaunch, {"--api-key", "n3w-key"}));
  const Ran held = run_gonogo(about({"check", "--locked", lock}, kB200, later));
  INFO(held.out);
  CHECK(held.status == 0);
  CHECK(holds(held.out, "\nas locked in "));
}

TEST_CASE("rules that changed are said, and are no failure by themselves", "[cli]") {
  const Tree tree;
  const std::string text = run_gonogo(about({"lock", "-o", "-"}, kB200, kLaunch)).out;
  const std::string attention = "{\"value\":\"fa4\",\"rule\":\"mimo-v2/attention\"";
  struct Row {
    std::string name;
    std::string from, to;
    int status;
    std::string says;
  };
  const std::vector<Row> rows = {
      {"another hash", "\"hash\":\"", "\"hash\":\"f", 0, ", though the rules are others (f"},
      {"another rule for the same value", "mimo-v2/attention", "old/rule", 0, "as locked in "},
      {"another value by a rule that is gone", attention, "{\"value\":\"old\",\"rule\":\"old/rule\"", 1,
       "attention_backend  old -> fa4\n    was   old/rule\n    now   mimo-v2/attention"},
      {"a variable by a rule that is gone", "\"NCCL_GRAPH_REGISTER\": {\"value\":\"0\",\"rule\":\"",
       "\"NCCL_GRAPH_REGISTER\": {\"value\":\"1\",\"rule\":\"old/", 1, "    was   old/"},
      {"a release that the rules do not cover", "\"version\": \"0.5.23\"", "\"version\": \"0.4.1\"", 1,
       "it was locked for version 0.4.1, which these rules do not cover"},
      {"another entry of a mapping", "\"cuda_graph_config.decode.max_bs\": {\"value\":512",
       "\"cuda_graph_config.decode.max_bs\": {\"value\":7", 1, "cuda_graph_config.decode.max_bs  7 -> 512"},
      {"another verdict", "\"verdict\": \"GO\"", "\"verdict\": \"NO-GO\"", 1, "NO-GO -> GO"},
  };
  for (const Row& row : rows) {
    const std::string lock = tree.file("x.lock", replaced(text, row.from, row.to));
    const Ran ran = run_gonogo(about({"check", "--locked", lock}, kB200, kLaunch));
    INFO(row.name << "\n" << ran.out << ran.err);
    CHECK(ran.status == row.status);
    CHECK(holds(ran.out, row.says));
  }
}

TEST_CASE("a lock that can't be read is no verdict", "[cli]") {
  const Tree tree;
  const std::string text = run_gonogo(about({"lock", "-o", "-"}, kB200, kLaunch)).out;
  struct Row {
    std::string name;
    std::string text;
    std::string says;
  };
  const std::vector<Row> rows = {
      {"cut off", text.substr(0, text.size() / 2), "x.lock:"},
      {"empty", "", "x.lock"},
      {"a list", "[]", "\"format_version\""},
      {"of a newer format", replaced(text, "\"format_version\": 1", "\"format_version\": 2"), "newer gonogo"},
      {"of another pack", replaced(text, "\"name\":\"sglang\"", "\"name\":\"other\""), "\"rules.name\""},
      {"a field that there is none of", replaced(text, "\"tp_size\"", "\"tp_sise\""), "resolved.tp_sise"},
      {"a verdict that there is none of", replaced(text, "\"GO\"", "\"MAYBE\""), "launches[0].verdict"},
      {"GPUs without end", replaced(text, "\"count\":8", "\"count\":99999999"), "launches[0].count"},
      {"a row without a value", replaced(text, "{\"value\":8,", "{\"valu\":8,"), "resolved.tp_size"},
      {"words that are none", replaced(text, "\"--tp\"", "7"), "launches[0].args"},
      {"a key twice", replaced(text, "\"parsed\"", "\"verdict\""), "verdict"},
      {"a merge's marks", replaced(text, "  \"launches\"", "<<<<<<< ours\n  \"launches\""), "x.lock:5"},
  };
  for (const Row& row : rows) {
    const std::string lock = tree.file("x.lock", row.text);
    const Ran ran = run_gonogo(about({"check", "--locked", lock}, kB200, kLaunch));
    INFO(row.name << "\n" << ran.out << ran.err);
    CHECK(ran.status == 2);
    CHECK(ran.out.empty());
    CHECK(holds(ran.err, row.says));
    CHECK(run_gonogo({"check", "--locked", lock, tree.file("empty.sh")}).status == 2);
  }
}

TEST_CASE("the launches of files are held to a lock, wherever both lie", "[cli]") {
  const Tree tree;
  const std::string deploy = tree.directory("deploy");
  tree.file("deploy/a.yaml", pod("a", "") + "---\n" + pod("b", ", --chunked-prefill-size, \"2048\""));
  tree.file("deploy/b.yaml", pod("c", ", --page-size, \"x\""));
  tree.file("deploy/old.yaml", pod("d", "", "v0.4.1"));
  tree.file("deploy/notes.txt", "nothing");
  const std::string lock = tree / "gonogo.lock";
  const Ran made = run_gonogo({"lock", "-o", lock, deploy});
  INFO(made.out << made.err);
  REQUIRE(made.status == 0);
  CHECK(holds(made.out, "4 launches: 1 NO-GO, 1 UNKNOWN, 2 GO"));
  CHECK(holds(text_of(lock), "\"file\": \"deploy/a.yaml\""));
  CHECK_FALSE(holds(text_of(lock), "\"file\": \"" + tree.path()));
  struct Row {
    std::string name;
    std::string file, text;
    int status;
    Args says;
  };
  const std::string a = pod("a", "") + "---\n" + pod("b", ", --chunked-prefill-size, \"2048\"");
  const std::vector<Row> rows = {
      {"the same", "a.yaml", a, 0, {"2 launches in 1 file: 0 NO-GO, 0 UNKNOWN, 2 GO\n"}},
      {"lines that moved", "a.yaml", "# new\n\n" + a, 0, {"0 NO-GO"}},
      {"another value",
       "a.yaml",
       replaced(a, "2048", "1024"),
       1,
       {"not as locked", "chunked_prefill_size  2048 -> 1024", "[lock/changed]"}},
      {"a new launch",
       "a.yaml",
       a + "---\n" + pod("e", ", --tp, \"2\", --dp, \"4\""),
       1,
       {"this launch is not in ", "[lock/changed]"}},
      {"a launch that is gone",
       "a.yaml",
       pod("a", ""),
       1,
       {"holds a launch that is no longer there", "--chunked-prefill-size 2048"}},
      {"a NO-GO stays one", "b.yaml", pod("c", ", --page-size, \"x\""), 1, {"1 NO-GO"}},
      {"a release that can't be checked, as before", "old.yaml", pod("d", "", "v0.4.1"), 0, {"1 UNKNOWN"}},
      {"one that can be now",
       "old.yaml",
       pod("d", ""),
       1,
       {"it could not be checked when it was locked, and is GO now"}},
      {"one that can't be any more", "a.yaml", replaced(a, "v0.5.23", "v0.4.1"), 1, {"it can't be checked now: "}},
  };
  for (const Row& row : rows) {
    const std::string file = tree.file("deploy/" + row.file, row.text);
    const Ran ran = run_gonogo({"check", "--locked", lock, file});
    INFO(row.name << "\n" << ran.out << ran.err);
    CHECK(ran.status == row.status);
    for (const std::string& text : row.says) {
      INFO("must say: " << text);
      CHECK(holds(ran.out, text));
    }
    const Ran json = run_gonogo({"check", "--format", "json", "--locked", lock, file});
    CHECK(json.status == row.status);
    CHECK(holds(json.out, "\"locked\":{\"lock\":"));
    tree.file("deploy/a.yaml", a);
  }
}

TEST_CASE("a lock is written as a whole or not at all", "[cli]") {
  const Tree tree;
  const std::string lock = tree.file("gonogo.lock", "before");
  const std::string good = tree.file("good.yaml", pod("a", ""));
  struct Row {
    std::string name;
    Args args;
    int status;
    std::string says;
  };
  const std::vector<Row> rows = {
      {"a file that is not there", {"lock", "-o", lock, good, tree / "none.yaml"}, 2, "none.yaml"},
      {"a file that is none of its form",
       {"lock", "-o", lock, good, tree.file("bad.yaml", "kind: Pod\na: [1\n")},
       2,
       "bad.yaml"},
      {"no launch", {"lock", "-o", lock, tree.file("empty.sh", "echo\n")}, 2, "no launch found"},
      {"a folder that is not there", {"lock", "-o", tree / "none/x.lock", good}, 2, "can't write"},
      {"neither files nor a launch", {"lock", "-o", lock}, 4, "the launch is missing"},
      {"both", {"lock", "-o", lock, good, "--", "sglang", "serve", "/m"}, 4, "the launch is missing"},
      {"another program", {"lock", "-o", lock, "--", "vllm", "serve"}, 4, ""},
  };
  for (const Row& row : rows) {
    const Ran ran = run_gonogo(row.args);
    INFO(row.name << "\n" << ran.out << ran.err);
    CHECK(ran.status == row.status);
    CHECK(holds(ran.err, row.says));
    CHECK(text_of(lock) == "before");
  }
}

}  // namespace gonogo::test
