// gonogo as people call it: exit codes, usage, hostile input, secrets.
#include <string>
#include <vector>

#include "base/json.h"
#include "catch.h"
#include "cli/run_binary.h"
#include "holds.h"
#include "tree.h"

namespace gonogo::test {

namespace {

const std::string kModel = std::string(GONOGO_TESTDATA) + "/models/Qwen__Qwen3-235B-A22B-FP8";

using Args = std::vector<std::string>;

Args check(Args options, const Args& launch) {
  Args args{"check"};
  args.insert(args.end(), options.begin(), options.end());
  args.insert(args.end(), {"--", "python", "-m", "sglang.launch_server"});
  args.insert(args.end(), launch.begin(), launch.end());
  return args;
}

}  // namespace

TEST_CASE("an input that can't be read is said with its place, and is never a verdict", "[cli]") {
  const Tree folder;
  struct Row {
    std::string name;
    std::string path;
    std::string says;
  };
  const std::string nested = folder.directory("nested");
  folder.directory("nested/config.json");
  const std::string empty = folder.directory("empty");
  const std::vector<Row> rows = {
      {"cut off", folder.file("cut.json", "{\"architectures\": [\"A\""), "cut.json:1:23"},
      {"nested deeply", folder.file("deep.json", std::string(100'000, '[')), "deep.json:1:101"},
      {"a key twice", folder.file("twice.json", "{\"a\": 1,\n \"a\": 2}"), "twice.json:2:2"},
      {"not UTF-8", folder.file("bytes.json", "{\"a\": \"\xff\"}"), "bytes.json:1:8"},
      {"too large", folder.file("large.json", std::string(17u << 20, ' ')), "16"},
      {"no object", folder.file("list.json", "[1, 2]"), "object"},
      {"a folder in its place", nested, "config.json"},
      {"a folder without it", empty, "no config.json"},
  };
  for (const Row& row : rows) {
    const Ran ran = run_gonogo(check({"--gpu", "b200x8", "--model-config", row.path}, {"--model-path", "/m"}));
    INFO(row.name << "\n" << ran.out << ran.err);
    CHECK(ran.status == 2);
    CHECK(ran.out.empty());
    CHECK(holds(ran.err, row.says));
  }
  rmdir((nested + "/config.json").c_str());
}

TEST_CASE("a hostile overlay or command is refused quickly", "[cli]") {
  const Tree folder;
  std::string bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n";
  for (char c = 'b'; c < 'k'; ++c) {
    bomb += std::string(1, c) + ": &" + c + " [";
    for (int i = 0; i < 9; ++i) bomb += std::string("*") + static_cast<char>(c - 1) + ",";
    bomb += "]\n";
  }
  folder.file("bomb.yaml", bomb);
  const Ran overlay = run_gonogo(check({"--gpu", "b200x8", "--rules", folder.path()}, {"--model-path", "/m"}));
  INFO(overlay.err);
  CHECK(overlay.status == 2);
  CHECK(holds(overlay.err, "bomb.yaml"));

  Args many{"--model-path", "/m"};
  for (int i = 0; i < 50'000; ++i) many.insert(many.end(), {"--tp", "8"});
  const Ran command = run_gonogo(check({"--gpu", "b200x8"}, many));
  CHECK(command.status == 4);
  CHECK(holds(command.err, "16384 words"));
}

TEST_CASE("a mistake in an overlay points at the word and the nearest name", "[cli]") {
  const Tree folder;
  folder.file(
      "x.yaml",
      "stage: a2a-moe\nrules:\n- id: x/y\n  when: moe_a2a_backed == \"deepep\" and\n    tp_size > 3\n  fail: \"no\"\n");
  const Ran ran = run_gonogo(check({"--gpu", "b200x8", "--rules", folder.path()}, {"--model-path", "/m"}));
  INFO(ran.err);
  CHECK(ran.status == 2);
  CHECK(holds(ran.err, "x.yaml:4:9"));
  CHECK(holds(ran.err, "moe_a2a_backend"));
  CHECK(holds(ran.err, "        ^"));
}

TEST_CASE("secrets are in no output", "[cli]") {
  const std::string secret = "s3cr3t-value";
  for (const char* format : {"text", "json"}) {
    for (const Args& launch :
         {Args{"--model-path", "/m", "--api-key", secret}, Args{"--model-path", "/m", "--api-key=" + secret},
          Args{"--model-path", "/m", "--tp", "x", "--api-key", secret}}) {
      const Ran ran = run_gonogo(check({"--gpu", "b200x8", "--model-config", kModel, "--format", format}, launch), {},
                                 {"HF_TOKEN=" + secret});
      INFO(ran.out << ran.err);
      CHECK_FALSE(holds(ran.out, secret));
      CHECK_FALSE(holds(ran.err, secret));
    }
  }
  const Ran explained = run_gonogo({"explain", "api-key", "--gpu", "b200x8", "--model-config", kModel, "--", "sglang",
                                    "serve", "/m", "--api-key", secret});
  CHECK(explained.status == 0);
  CHECK_FALSE(holds(explained.out, secret));
}

TEST_CASE("explain tells every step of a field", "[cli]") {
  const Ran ran = run_gonogo({"explain", "moe-runner-backend", "--gpu", "b200x8", "--sglang", "0.5.21",
                              "--model-config", std::string(GONOGO_TESTDATA) + "/models/XiaomiMiMo__MiMo-V2-Flash",
                              "--", "sglang", "serve", "/m", "--tp", "8", "--moe-a2a-backend", "deepep"});
  INFO(ran.out << ran.err);
  CHECK(ran.status == 0);
  CHECK(holds(ran.out, "moe_runner_backend  (--moe-runner-backend)"));
  CHECK(holds(ran.out, "default    'auto'"));
  CHECK(holds(ran.out, "then       'flashinfer_trtllm'"));
  CHECK(holds(ran.out, "_mimo_v2_overrides"));
  CHECK(holds(ran.out, "in the end 'flashinfer_trtllm'"));
}

TEST_CASE("what the arguments' parser refuses points at the word", "[cli]") {
  struct Row {
    Args launch;
    std::string says;
    std::string hint;
  };
  const std::vector<Row> rows = {
      {{"--model-path", "/m", "--moe-a2a-backend", "deepep_v3"}, "'deepep_v3'", "deepep_v2"},
      {{"--model-path", "/m", "--page-size", "x"}, "--page-size needs a whole number", ""},
      {{"--model-path", "/m", "--page-sise", "1"}, "'--page-sise'", "--page-size"},
      {{"--model-path"}, "--model-path", ""},
      {{"--tp", "8"}, "--model-path", ""},
  };
  for (const Row& row : rows) {
    const Ran ran = run_gonogo(check({"--gpu", "b200x8"}, row.launch));
    INFO(ran.out);
    CHECK(ran.status == 1);
    CHECK(holds(ran.out, "refused when the arguments are read"));
    CHECK(holds(ran.out, row.says));
    CHECK(holds(ran.out, row.hint));
  }
}

TEST_CASE("the JSON report holds what the text says", "[cli]") {
  const Ran ran = run_gonogo(check({"--gpu", "b200x8", "--sglang", "0.5.21", "--format", "json", "--model-config",
                                    std::string(GONOGO_TESTDATA) + "/models/XiaomiMiMo__MiMo-V2-Flash"},
                                   {"--model-path", "/m", "--tp", "8", "--moe-a2a-backend", "deepep"}));
  Arena arena;
  const auto report = parse_json(ran.out, "report", arena);
  REQUIRE(report.ok());
  CHECK(report->find("verdict")->as_str() == "NO-GO");
  CHECK(report->find("exit_code")->as_int() == 1);
  CHECK(report->find("format_version")->as_int() == 1);
  const Value& first = (*report->find("findings"))[0];
  CHECK(first.find("rule")->as_str() == "build/runner-no-path");
  CHECK(first.find("phase")->as_str() == "init");
  CHECK((*first.find("chosen"))[0].find("field")->as_str() == "moe_runner_backend");
  CHECK((*report->find("fixes"))[0].find("reaches_go")->as_bool());
  CHECK(report->find("resolved")->find("moe_runner_backend")->find("value")->as_str() == "flashinfer_trtllm");
}

TEST_CASE("colour follows the option, then the environment", "[cli]") {
  const Args plain = check({"--gpu", "b200x8", "--model-config", kModel}, {"--model-path", "/m"});
  const Args always = check({"--gpu", "b200x8", "--model-config", kModel, "--color", "always"}, {"--model-path", "/m"});
  const Args never = check({"--gpu", "b200x8", "--model-config", kModel, "--color", "never"}, {"--model-path", "/m"});
  const std::string escape = "\033[";
  CHECK_FALSE(holds(run_gonogo(plain).out, escape));
  CHECK(holds(run_gonogo(plain, {}, {"CLICOLOR_FORCE=1"}).out, escape));
  CHECK(holds(run_gonogo(plain, {}, {"FORCE_COLOR=1"}).out, escape));
  CHECK_FALSE(holds(run_gonogo(plain, {}, {"FORCE_COLOR=1", "NO_COLOR=1"}).out, escape));
  CHECK(holds(run_gonogo(always, {}, {"NO_COLOR=1"}).out, escape));
  CHECK_FALSE(holds(run_gonogo(never, {}, {"FORCE_COLOR=1"}).out, escape));
}

}  // namespace gonogo::test
