// Launches for AMD GPUs as a user makes them: arguments resolve as on ROCm, what is refused there is NO-GO, and what
// these rules do not know of ROCm is UNKNOWN, with the reason.
#include <string>
#include <vector>

#include "catch.h"
#include "cli/expect.h"
#include "cli/run_binary.h"

namespace gonogo::test {

namespace {

struct Row {
  std::string name;
  std::string model;
  std::string gpu;
  std::vector<std::string> launch;
  int status;  // under --strict: 0 GO, 1 NO-GO, 3 UNKNOWN
  std::vector<std::string> says;
  std::vector<std::string> never = {};
  std::string env = {};
  std::string version = "0.5.23";
};

const std::vector<Row> kRows = {
    {"a dense model",
     "meta-llama__Meta-Llama-3.1-8B",
     "mi300xx8",
     {},
     0,
     {"GO  ", "AMD Instinct MI300X", "attention_backend     aiter"},
     {"NO-GO", " fa3", "flashinfer", "breakable"}},
    {"a dense model on a backend that ROCm images don't bring",
     "meta-llama__Meta-Llama-3.1-8B",
     "mi300xx8",
     {"--attention-backend", "flashinfer"},
     3,
     {"UNKNOWN", "not in these rules"}},
    {"experts",
     "Qwen__Qwen3-235B-A22B-FP8",
     "mi300xx8",
     {"--tp", "8"},
     3,
     {"UNKNOWN", "attention_backend     aiter", "AMD Instinct MI300X", "not in these rules"},
     {"deep_gemm", "Fp8MoEMethod"}},
    {"a refusal that is understood is certain, on Blackwell's kernels",
     "deepseek-ai__DeepSeek-R1",
     "mi355xx8",
     {"--tp", "8", "--attention-backend", "trtllm_mla"},
     1,
     {"NO-GO", "AMD Instinct MI355X", "attention/trtllm-mla-gpu"},
     {"SM0", "SM95"}},
    {"and a usage error", "meta-llama__Meta-Llama-3.1-8B", "mi325xx8", {"--tp", "x"}, 1, {"NO-GO", "--tp"}},
    {"a quantization that ROCm lacks",
     "nvidia__MiniMax-M2.7-NVFP4",
     "mi300xx8",
     {"--tp", "4"},
     1,
     {"NO-GO", "model-config/quantization-rocm", "AMD GPUs"}},
    {"the NVIDIA kernel of sparse attention is refused there, AMD's here",
     "deepseek-ai__DeepSeek-V3.2",
     "h200x8",
     {"--tp", "8", "--dsa-prefill-backend", "triton"},
     1,
     {"NO-GO", "dsa/triton-cuda"}},
    {"sparse attention on ROCm without aiter",
     "deepseek-ai__DeepSeek-V3.2",
     "mi300xx8",
     {"--tp", "8", "--dsa-prefill-backend", "triton"},
     3,
     {"UNKNOWN", "page_size             1 "},
     {"dsa/triton-cuda", "Triton is 3.5"}},
    {"with aiter its pages depend on the host's Triton",
     "deepseek-ai__DeepSeek-V3.2",
     "mi300xx8",
     {"--tp", "8"},
     3,
     {"UNKNOWN", "Triton is 3.5"},
     {},
     "SGLANG_USE_AITER=1"},
    {"a draft decodes by rejection sampling",
     "deepseek-ai__DeepSeek-R1",
     "mi300xx8",
     {"--tp", "8", "--speculative-algorithm", "EAGLE"},
     3,
     {"UNKNOWN", "EAGLE"},
     {"NO-GO"}},
    {"prefill context parallelism is for one architecture",
     "Qwen__Qwen3-235B-A22B-FP8",
     "mi300xx8",
     {"--tp", "8", "--enable-prefill-cp", "--attn-cp-size", "8", "--cp-strategy", "zigzag"},
     1,
     {"NO-GO", "parallel/prefill-cp-hip"}},
    {"and before 0.5.22 for none",
     "Qwen__Qwen3-235B-A22B-FP8",
     "mi300xx8",
     {"--tp", "8", "--enable-prefill-cp"},
     1,
     {"NO-GO", "parallel/prefill-cp-amd"},
     {},
     {},
     "0.5.21"},
    {"RCCL is not deterministic",
     "meta-llama__Meta-Llama-3.1-8B",
     "mi300xx8",
     {"--tp", "4", "--enable-deterministic-inference", "--attention-backend", "triton", "--disable-custom-all-reduce"},
     1,
     {"NO-GO", "deterministic/allreduce-rccl"}},
    {"the custom all-reduce is",
     "meta-llama__Meta-Llama-3.1-8B",
     "mi300xx8",
     {"--tp", "4", "--enable-deterministic-inference", "--attention-backend", "triton"},
     0,
     {"GO  "},
     {"NO-GO", "deterministic/allreduce-rccl"}},
    {"CUDA's ways to share memory",
     "Qwen__Qwen3-VL-8B-Instruct",
     "mi300xx8",
     {"--mm-feature-transport", "cuda_ipc"},
     1,
     {"NO-GO", "serving/mm-transport-vendor"}},
};

}  // namespace

TEST_CASE("launches for AMD GPUs end as they do on ROCm, or are UNKNOWN", "[cli]") {
  for (const Row& row : kRows) {
    std::vector<std::string> args{
        "check",    "--strict",  "--gpu",          row.gpu,
        "--sglang", row.version, "--model-config", std::string(GONOGO_TESTDATA) + "/models/" + row.model,
        "--"};
    if (!row.env.empty()) args.push_back(row.env);
    args.insert(args.end(), {"python3", "-m", "sglang.launch_server", "--model-path", "/models/m"});
    args.insert(args.end(), row.launch.begin(), row.launch.end());
    const Ran ran = run_gonogo(args);
    expect(ran, row);
  }
}

}  // namespace gonogo::test
