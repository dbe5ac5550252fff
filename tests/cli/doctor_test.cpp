// `gonogo doctor`, end to end: logs in the manner of public bug reports, the rule that they lead to, and the launch.
#include <string>
#include <vector>

#include "base/json.h"
#include "catch.h"
#include "cli/run_binary.h"
#include "holds.h"

namespace gonogo::test {

namespace {

using Texts = std::vector<std::string>;

std::string frame(const std::string& path, const std::string& function, const std::string& source = "…") {
  return "  File \"/usr/local/lib/python3.12/dist-packages/sglang/srt/" + path + "\", line 77, in " + function +
         "\n    " + source + "\n";
}

const std::string kStart = "Traceback (most recent call last):\n";

// Every rank prints the same; the launcher then says that a child died.
std::string runner_log() {
  const std::string one = kStart + frame("managers/scheduler.py", "run_scheduler_process") +
                          frame("layers/moe/fused_moe_triton/layer.py", "__init__") +
                          frame("layers/quantization/fp8.py", "create_moe_runner") +
                          frame("layers/moe/moe_runner/runner.py", "__init__", "raise NotImplementedError(") +
                          "NotImplementedError: Runner backend MoeRunnerBackend.FLASHINFER_TRTLLM requires a fused "
                          "func for a2a backend deepep, but none is registered.\n";
  return "[2026-01-02 03:04:05 TP0] Load weight begin. avail mem=178.1 GB, NVIDIA B200\n"
         "[2026-01-02 03:04:06 TP0] Scheduler hit an exception: " +
         one + "\n[2026-01-02 03:04:06 TP1] Scheduler hit an exception: " + one +
         "\n[2026-01-02 03:04:07] Received sigquit from a child process. It usually means the child failed.\n";
}

Ran doctor(const std::string& log, Texts options = {}, const Texts& launch = {}) {
  Texts args{"doctor", "--log", "-"};
  args.insert(args.end(), options.begin(), options.end());
  if (!launch.empty()) args.emplace_back("--");
  args.insert(args.end(), launch.begin(), launch.end());
  return run_gonogo(args, log);
}

}  // namespace

TEST_CASE("a log alone names the rule", "[cli]") {
  struct Row {
    std::string name;
    std::string log;
    int status;
    Texts wanted;
  };
  const std::vector<Row> rows = {
      {"runner without a path", runner_log(), 0, {"build/runner-no-path", "2 times", "before weights load", "b200"}},
      {"speculation with pipelines",
       kStart + frame("server_args.py", "check_server_args", "assert (") +
           "AssertionError: Currently only DSPARK supports PP with speculation.\n",
       0,
       {"check/"}},
      {"a usage error",
       "usage: launch_server.py [-h]\nlaunch_server.py: error: unrecognized arguments: --enable-nsa\n",
       0,
       {"by the argument parser", "--enable-nsa"}},
      {"an exception of nobody's",
       kStart + "  File \"app.py\", line 1, in main\n    x\nZeroDivisionError: division by zero\n",
       2,
       {"ZeroDivisionError"}},
      {"no exception", "all is well\n", 2, {"no exception"}},
  };
  for (const Row& row : rows) {
    INFO(row.name);
    const Ran ran = doctor(row.log);
    INFO(ran.out << ran.err);
    CHECK(ran.status == row.status);
    for (const std::string& part : row.wanted) CHECK(holds(ran.out, part));
  }
}

TEST_CASE("with the launch, doctor says who chose what and what goes", "[cli]") {
  const std::string model = std::string(GONOGO_TESTDATA) + "/models/XiaomiMiMo__MiMo-V2-Flash";
  const Ran ran = doctor(runner_log(), {"--sglang", "0.5.21", "--gpu", "b200x8", "--model-config", model},
                         {"python", "-m", "sglang.launch_server", "--model-path", "XiaomiMiMo/MiMo-V2-Flash", "--tp",
                          "8", "--moe-a2a-backend", "deepep"});
  INFO(ran.out << ran.err);
  CHECK(ran.status == 0);
  CHECK(holds(ran.out, "certain: build/runner-no-path\n"));
  CHECK(holds(ran.out, "in the same place"));
  CHECK(holds(ran.out, "you did not choose flashinfer_trtllm"));
  CHECK(holds(ran.out, "1  --moe-runner-backend deep_gemm"));
}

TEST_CASE("doctor takes the arguments that a log records", "[cli]") {
  const std::string model = std::string(GONOGO_TESTDATA) + "/models/XiaomiMiMo__MiMo-V2-Flash";
  const std::string arguments =
      "[2026-01-02 03:04:05] server_args=ServerArgs(model_path='XiaomiMiMo/MiMo-V2-Flash', tp_size=8, ep_size=8, "
      "moe_a2a_backend='deepep', moe_runner_backend='flashinfer_trtllm', random_seed=5, quantization=None)\n";
  const Ran ran = doctor(arguments + runner_log(), {"--sglang", "0.5.21", "--model-config", model, "--format", "json"});
  INFO(ran.out << ran.err);
  Arena arena;
  const auto report = parse_json(ran.out, "report", arena);
  REQUIRE(report.ok());
  const Value* launch = report->find("launch");
  REQUIRE(launch != nullptr);
  CHECK(launch->find("predicted")->as_bool());
  CHECK(launch->find("rule")->as_str().starts_with("build/runner-no-path"));
  CHECK(launch->find("fixes")->size() > 0);
  CHECK(report->find("explained")->as_bool());
}

TEST_CASE("a launch that is refused elsewhere is said to be", "[cli]") {
  const std::string model = std::string(GONOGO_TESTDATA) + "/models/Qwen__Qwen3-0.6B";
  const Ran ran =
      doctor(runner_log(), {"--gpu", "b200x8", "--model-config", model}, {"sglang", "serve", "--model-path", "/m"});
  INFO(ran.out << ran.err);
  CHECK(holds(ran.out, "no refusal is this one"));
}

TEST_CASE("hostile logs end well", "[cli]") {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"binary", std::string("\0\x01\xff\xfe\x1b[\n\x1b", 8)},
      {"one huge line", std::string(3u << 20, 'a')},
      {"open brackets", "ServerArgs(a=" + std::string(100000, '[')},
      {"half a frame", "  File \"x.py\", line 1, in "},
      {"frames for ever",
       [] {
         std::string out;
         for (int i = 0; i < 20000; ++i) out += "  File \"moe_hook.py\", line 1, in handle_a2a_moe\n";
         return out;
       }()},
  };
  for (const auto& [name, log] : rows) {
    INFO(name);
    for (const char* format : {"text", "json"}) {
      const Ran ran = doctor(log, {"--format", format});
      CHECK((ran.status == 0 || ran.status == 2));
    }
  }
  CHECK(run_gonogo({"doctor", "--log", "/nonexistent"}).status == 2);
  CHECK(run_gonogo({"doctor"}).status == 4);
}

}  // namespace gonogo::test
