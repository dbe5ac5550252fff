// The launches that started the project, as a user makes them: the verdict, what the report says and what it must not.
#include <string>
#include <vector>

#include "catch.h"
#include "cli/expect.h"
#include "cli/run_binary.h"

namespace gonogo::test {

namespace {

const std::string kFlash = std::string(GONOGO_TESTDATA) + "/models/XiaomiMiMo__MiMo-V2-Flash";
const std::string kPro = std::string(GONOGO_TESTDATA) + "/scenarios/mimo-v2-pro";
const std::string kMiniMax = std::string(GONOGO_TESTDATA) + "/models/nvidia__MiniMax-M2.7-NVFP4";
const std::string kMiniMaxFp8 = std::string(GONOGO_TESTDATA) + "/models/MiniMaxAI__MiniMax-M2.7";
const std::string kGptOss = std::string(GONOGO_TESTDATA) + "/models/openai__gpt-oss-120b";
const std::string kLlama = std::string(GONOGO_TESTDATA) + "/models/meta-llama__Meta-Llama-3.1-8B";
const std::string kOverlay = std::string(GONOGO_RULES) + "/overlays/sglang-39080";
const std::string kCapacity = "SGLANG_DEEPEP_V2_NUM_MAX_DISPATCH_TOKENS_PER_RANK=16384";

struct Row {
  std::string name;
  std::string model;
  std::string version;
  std::string gpu;
  std::vector<std::string> launch;
  int status;
  std::vector<std::string> says;
  std::vector<std::string> never = {};
  std::string env = {};
  std::string rules = {};
};

const std::vector<Row> kRows = {
    {"MiMo Flash, deepep, 0.5.21",
     kFlash,
     "0.5.21",
     "b200x8",
     {"--tp", "8", "--moe-a2a-backend", "deepep"},
     1,
     {"NO-GO", "build/runner-no-path", "you did not choose flashinfer_trtllm", "1  --moe-runner-backend deep_gemm",
      "--moe-a2a-backend none", "sglang >=0.5.22"}},
    {"MiMo Pro, deepep, 0.5.21",
     kPro,
     "0.5.21",
     "b200x8",
     {"--tp", "8", "--moe-a2a-backend", "deepep"},
     1,
     {"NO-GO", "build/runner-no-path", "--moe-runner-backend deep_gemm"}},
    {"MiMo Flash, deepep, 0.5.22",
     kFlash,
     "0.5.22",
     "b200x8",
     {"--tp", "8", "--moe-a2a-backend", "deepep"},
     0,
     {"GO  sglang 0.5.22", "fp8 on deep_gemm, dispatched by DeepEP"},
     {"NO-GO"}},
    {"MiMo Pro, deepep, 0.5.23",
     kPro,
     "0.5.23",
     "b200x8",
     {"--tp", "8", "--moe-a2a-backend", "deepep"},
     0,
     {"GO  sglang 0.5.23", "fp8 on deep_gemm, dispatched by DeepEP"},
     {"NO-GO"}},
    {"MiMo Pro, no a2a, 0.5.21", kPro, "0.5.21", "b200x8", {"--tp", "8"}, 0, {"GO  ", "flashinfer_trtllm"}, {"NO-GO"}},
    {"MiMo Pro, no a2a, 0.5.22", kPro, "0.5.22", "b200x8", {"--tp", "8"}, 0, {"GO  ", "flashinfer_trtllm"}, {"NO-GO"}},
    {"MiMo Flash, no a2a, 0.5.23",
     kFlash,
     "0.5.23",
     "b200x8",
     {"--tp", "8"},
     0,
     {"GO  ", "flashinfer_trtllm"},
     {"NO-GO"}},
    {"MiMo Pro, deepep_v2, 0.5.21: the list, and the gates behind it",
     kPro,
     "0.5.21",
     "b200x8",
     {"--tp", "8", "--moe-a2a-backend", "deepep_v2"},
     1,
     {"[a2a/deepep-v2-arch]", "Behind it", "build/runner-no-path", "not enough: --moe-runner-backend deep_gemm"},
     {"  1  --moe-runner-backend deep_gemm\n", "  2  --moe-runner-backend deep_gemm\n"},
     kCapacity},
    {"MiMo Pro, deepep_v2, 0.5.21 with the overlay",
     kPro,
     "0.5.21",
     "b200x8",
     {"--tp", "8", "--moe-a2a-backend", "deepep_v2"},
     1,
     {"refused when the arguments are resolved", "[a2a/deepep-v2-runner]", "build/runner-deepep-v2",
      "build/runner-no-path", "  1  --moe-runner-backend deep_gemm\n"},
     {"a2a/deepep-v2-arch"},
     kCapacity,
     kOverlay},
    {"MiMo Pro, deepep_v2, 0.5.23",
     kPro,
     "0.5.23",
     "b200x8",
     {"--tp", "8", "--moe-a2a-backend", "deepep_v2"},
     0,
     {"GO  ", "deep_gemm", "ep_size               8"},
     {"NO-GO"},
     kCapacity},
    {"MiMo Pro, deepep_v2, 0.5.23 without the variable",
     kPro,
     "0.5.23",
     "b200x8",
     {"--tp", "8", "--moe-a2a-backend", "deepep_v2"},
     1,
     {"brings 2048 tokens", "is 128", "[a2a/deepep-v2-prefill-tokens]"}},
    {"MiMo Pro, deepep_v2 over two nodes",
     kPro,
     "0.5.23",
     "b200x8",
     {"--tp", "16", "--nnodes", "2", "--node-rank", "0", "--dist-init-addr", "10.0.0.1:5000", "--moe-a2a-backend",
      "deepep_v2"},
     1,
     {"NO-GO", "--deepep-v2-mode hybrid"},
     {},
     kCapacity},
    {"MiMo Pro, deepep_v2 over two nodes, hybrid",
     kPro,
     "0.5.23",
     "b200x8",
     {"--tp", "16", "--nnodes", "2", "--node-rank", "0", "--dist-init-addr", "10.0.0.1:5000", "--moe-a2a-backend",
      "deepep_v2", "--deepep-v2-mode", "hybrid"},
     0,
     {"GO  "},
     {"NO-GO"},
     kCapacity},
    {"MiniMax NVFP4, auto",
     kMiniMax,
     "0.5.23",
     "b200x8",
     {"--tp", "4"},
     0,
     {"GO  ", "flashinfer_trtllm_routed"},
     {"NO-GO", "26324"}},
    {"MiniMax NVFP4, cutlass kept",
     kMiniMax,
     "0.5.23",
     "b200x8",
     {"--tp", "4", "--moe-runner-backend", "flashinfer_cutlass"},
     0,
     {"moe_runner_backend    flashinfer_cutlass        you"},
     {"NO-GO"}},
    {"MiniMax NVFP4 on Hopper",
     kMiniMax,
     "0.5.23",
     "h200x8",
     {"--tp", "4"},
     0,
     {"GO  "},
     {"NO-GO", "flashinfer_trtllm_routed"}},
    {"MiniMax NVFP4 on Thor: the plain runner is risky",
     kMiniMax,
     "0.5.23",
     "thorx8",
     {"--tp", "4"},
     0,
     {"warning", "silently"},
     {"NO-GO", "flashinfer_trtllm_routed"}},
    {"MiniMax NVFP4, the plain runner typed",
     kMiniMax,
     "0.5.23",
     "b200x8",
     {"--tp", "4", "--moe-runner-backend", "flashinfer_trtllm"},
     0,
     {"warning", "silently"},
     {"NO-GO"}},
    {"MiniMax FP8 is not rewritten",
     kMiniMaxFp8,
     "0.5.23",
     "b200x8",
     {"--tp", "4"},
     0,
     {"GO  "},
     {"NO-GO", "moe_runner_backend    flashinfer_trtllm_routed"}},
    {"MiniMax NVFP4, deepep",
     kMiniMax,
     "0.5.23",
     "b200x8",
     {"--tp", "4", "--moe-a2a-backend", "deepep"},
     1,
     {"NO-GO", "flashinfer_trtllm_routed", "before weights load"}},
    {"gpt-oss, deepep",
     kGptOss,
     "0.5.23",
     "b200x8",
     {"--tp", "8", "--moe-a2a-backend", "deepep"},
     1,
     {"NO-GO", "flashinfer_mxfp4", "before weights load"}},
    {"a dense model with deepep",
     kLlama,
     "0.5.23",
     "b200x8",
     {"--tp", "8", "--moe-a2a-backend", "deepep"},
     0,
     {"GO  ", "no effect", "ep_size"},
     {"NO-GO"}},
};

}  // namespace

TEST_CASE("the seed scenarios, end to end", "[cli]") {
  for (const Row& row : kRows) {
    std::vector<std::string> args{"check", "--gpu", row.gpu, "--sglang", row.version, "--model-config", row.model};
    if (!row.rules.empty()) args.insert(args.end(), {"--rules", row.rules});
    args.emplace_back("--");
    if (!row.env.empty()) args.push_back(row.env);
    args.insert(args.end(), {"python3", "-m", "sglang.launch_server", "--model-path", "/models/m"});
    args.insert(args.end(), row.launch.begin(), row.launch.end());
    const Ran ran = run_gonogo(args);
    expect(ran, row);
  }
}

TEST_CASE("a command that picks its server by the model is UNKNOWN where the model is not known", "[cli]") {
  struct Served {
    std::string name;
    std::vector<std::string> launch;
    int status;
    std::vector<std::string> says;
    std::vector<std::string> never;
  };
  const std::string diffusion = "no-such-org/no-such-diffusion";
  const std::vector<Served> rows = {
      {"a flag of another server",
       {"sglang", "serve", diffusion, "--num-gpus", "2"},
       3,
       {"UNKNOWN", "what the command starts for this model", "--model-type llm", "'--num-gpus' is no flag"},
       {"NO-GO"}},
      {"said to be another",
       {"sglang", "serve", "--model-path", kLlama, "--model-type", "diffusion"},
       3,
       {"UNKNOWN", "the runtime only with --model-type llm"},
       {"NO-GO"}},
      {"said to be ours",
       {"sglang", "serve", diffusion, "--num-gpus", "2", "--model-type=llm"},
       1,
       {"NO-GO", "'--num-gpus' is no flag"},
       {"UNKNOWN"}},
      {"a model with a config", {"sglang", "serve", kLlama, "--num-gpus", "2"}, 1, {"NO-GO"}, {"UNKNOWN"}},
      {"and a launch of it that goes", {"sglang", "serve", kLlama, "--tp", "2"}, 0, {"GO  sglang"}, {"UNKNOWN"}},
      {"a command that starts ours alone",
       {"python", "-m", "sglang.launch_server", "--model-path", diffusion, "--num-gpus", "2"},
       1,
       {"NO-GO"},
       {"UNKNOWN"}},
  };
  for (const Served& row : rows) {
    std::vector<std::string> args{"check", "--strict", "--gpu", "h200x8", "--"};
    args.insert(args.end(), row.launch.begin(), row.launch.end());
    expect(run_gonogo(args), row);
  }
}

}  // namespace gonogo::test
