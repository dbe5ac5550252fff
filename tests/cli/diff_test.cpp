// gonogo diff as people call it: the ways to name two sides, exit codes, the first line.
#include <string>
#include <vector>

#include "catch.h"
#include "cli/run_binary.h"
#include "holds.h"

namespace gonogo::test {

namespace {

using Args = std::vector<std::string>;

const std::string kModels = std::string(GONOGO_TESTDATA) + "/models/";
const std::string kFlash = kModels + "XiaomiMiMo__MiMo-V2-Flash";
const std::string kDense = kModels + "Qwen__Qwen3-8B";
const Args kLaunch = {"sglang", "serve", "/m", "--tp", "8", "--moe-a2a-backend", "deepep"};

Args diff(const Args& options, const Args& launch, const Args& other = {}) {
  Args args{"diff"};
  args.insert(args.end(), options.begin(), options.end());
  args.emplace_back("--");
  args.insert(args.end(), launch.begin(), launch.end());
  if (!other.empty()) args.emplace_back("---");
  args.insert(args.end(), other.begin(), other.end());
  return args;
}

}  // namespace

TEST_CASE("the two sides of a comparison, and its exit code", "[cli]") {
  struct Row {
    std::string name;
    Args args;
    int status;
    std::string says;  // the beginning of standard output; of an error, a part of it
  };
  const Args gpu_and_model = {"--gpu", "b200x8", "--model-config", kFlash};
  const auto with = [&](const Args& more) {
    Args out = gpu_and_model;
    out.insert(out.end(), more.begin(), more.end());
    return out;
  };
  const std::vector<Row> rows = {
      {"two versions", diff(with({"--sglang", "0.5.21..0.5.23"}), kLaunch), 1, "sglang, version 0.5.21 -> 0.5.23: "},
      {"two versions, one an option", diff(with({"--sglang", "0.5.21", "--sglang", "0.5.23"}), kLaunch), 1,
       "sglang, version 0.5.21 -> 0.5.23: "},
      {"two GPUs", diff({"--gpu", "H200x8..b200x8", "--model-config", kFlash}, kLaunch), 1,
       "sglang, GPUs 8 x NVIDIA H200 (143771 MiB) -> 8 x NVIDIA B200"},
      {"two models", diff({"--gpu", "b200x8", "--model-config", kFlash + ".." + kDense}, kLaunch), 1,
       "sglang, model 1 -> 2: "},
      {"two models, one an option",
       diff({"--gpu", "b200x8", "--model-config", kFlash, "--model-config", kDense}, kLaunch), 1,
       "sglang, model 1 -> 2: "},
      {"two versions and GPUs",
       diff({"--gpu", "h200x8..b200x8", "--sglang", "0.5.22..0.5.23", "--model-config", kFlash}, kLaunch), 1,
       "sglang, version 0.5.22 -> 0.5.23, GPUs 8 x NVIDIA H200"},
      {"two launches", diff(gpu_and_model, kLaunch, {"--model-path", "/m", "--tp", "4"}), 1, "sglang, launch 1 -> 2: "},
      {"the same launch twice", diff(gpu_and_model, kLaunch, kLaunch), 0,
       "sglang, nothing varied: no difference, GO in both\n"},
      {"other words of the same launch",
       diff(gpu_and_model, {"sglang", "serve", "/m", "--tp", "8"}, {"--model-path", "/m", "--tp-size=8"}), 0,
       "sglang, launch 1 -> 2: no difference, GO in both\n"},
      {"one that the parser refuses", diff(gpu_and_model, kLaunch, {"--model-path", "/m", "--tp", "x"}), 1,
       "sglang, launch 1 -> 2: 1 difference, GO -> NO-GO\n"},
      {"a profile with a parent folder in its path",
       diff({"--gpu", "../none.json..b200x8", "--model-config", kFlash}, kLaunch), 2, "../none.json"},
      {"no such model", diff({"--gpu", "b200x8", "--model-config", kFlash + "../nonexistent"}, kLaunch), 2,
       "/nonexistent"},
      {"nothing to compare", diff(gpu_and_model, kLaunch), 4, "--gpu A..B"},
      {"the same twice", diff({"--gpu", "b200x8..b200x8"}, kLaunch), 4, "nothing to compare"},
      {"one end", diff(with({"--sglang", "0.5.21.."}), kLaunch), 4, "only one end"},
      {"three versions", diff(with({"--sglang", "0.5.21", "--sglang", "0.5.22", "--sglang", "0.5.23"}), kLaunch), 4,
       "given 3 times"},
      {"an unknown version", diff(with({"--sglang", "0.5.21..9.9"}), kLaunch), 4, "9.9"},
      {"an empty second launch", {"diff", "--gpu", "b200x8", "--", "sglang", "serve", "/m", "---"}, 4, "---"},
      {"three launches",
       {"diff", "--gpu", "b200x8", "--", "--tp", "1", "---", "--tp", "2", "---", "--tp", "3"},
       4,
       "more than two"},
      {"no launch", {"diff", "--gpu", "h200x8..b200x8"}, 4, "the launch is missing"},
  };
  for (const Row& row : rows) {
    const Ran ran = run_gonogo(row.args);
    INFO(row.name << "\n" << ran.out << ran.err);
    CHECK(ran.status == row.status);
    if (row.status <= 1) {
      CHECK(ran.out.starts_with(row.says));
    } else {
      CHECK(holds(ran.err, row.says));
      CHECK(ran.out.empty());
    }
  }
}

TEST_CASE("a comparison of versions names who decided", "[cli]") {
  const Ran ran =
      run_gonogo(diff({"--gpu", "b200x8", "--model-config", kFlash, "--sglang", "0.5.21..0.5.23"}, kLaunch));
  INFO(ran.out);
  for (const char* text :
       {"NO-GO -> GO", "lifted refusal when processes and the model are built", "[build/runner-no-path]",
        "you did not choose flashinfer_trtllm: mimo-v2/fp8-sm100-runner-always set moe_runner_backend",
        "  moe_runner_backend  flashinfer_trtllm -> auto\n    was   mimo-v2/fp8-sm100-runner-always\n          "
        "because ",
        "  env NCCL_GRAPH_REGISTER  left alone -> 0\n    was   nobody\n    now   parallel/nccl-graph-register-off"}) {
    INFO("must say: " << text);
    CHECK(holds(ran.out, text));
  }
}

TEST_CASE("a comparison of launches shows no secret", "[cli]") {
  for (const char* format : {"text", "json"}) {
    const Ran ran = run_gonogo(diff({"--gpu", "b200x8", "--model-config", kDense, "--format", format},
                                    {"--model-path", "/m", "--api-key", "s3cr3t-one"},
                                    {"--model-path", "/m", "--api-key=s3cr3t-two"}));
    INFO(ran.out << ran.err);
    CHECK(ran.status == 1);
    CHECK_FALSE(holds(ran.out + ran.err, "s3cr3t"));
  }
}

}  // namespace gonogo::test
