// A sweep's answers are those of single checks: random axes over a few models, every cell both ways.
#include "cli/sweep.h"

#include <random>
#include <string>
#include <vector>

#include "catch.h"
#include "cli/axis.h"
#include "paths.h"
#include "tree.h"

namespace gonogo::test {

namespace {

const std::vector<std::string> kAxes = {
    "tp-size=1,2,3,8",
    "ep-size=(unset),1,2,8",
    "dp-size=1,2,8",
    "enable-dp-attention=false,true",
    "moe-a2a-backend=none,deepep,deepep_v2,mooncake,flashinfer,nosuch",
    "moe-runner-backend=auto,triton,deep_gemm,flashinfer_trtllm,flashinfer_cutlass,cutlass",
    "attention-backend=(unset),fa3,fa4,flashinfer,triton,trtllm_mla,trtllm_mha",
    "page-size=(unset),1,32,64,128,x",
    "kv-cache-dtype=auto,fp8_e4m3,bf16",
    "quantization=(unset),fp8,modelopt_fp4,awq",
    "speculative-algorithm=(unset),EAGLE,NEXTN,NGRAM",
    "speculative-num-steps=(unset),1,3",
    "speculative-eagle-topk=(unset),1,4",
    "disable-cuda-graph=true,false",
    "enable-two-batch-overlap=true,false",
    "disaggregation-mode=null,prefill,decode",
    "deepep-mode=auto,normal,low_latency",
    "chunked-prefill-size=(unset),-1,2048,16384",
    "mem-fraction-static=(unset),0.5,0.95",
    "json-model-override-args={},{\"num_hidden_layers\": 2}",
    "pp-size=1,2",
    "enable-hierarchical-cache=false,true",
    "disable-radix-cache=false,true",
    "device=(unset),cuda,cpu",
    "load-format=(unset),dummy",
    "gpu=b200x8,h100x8,mi300xx8",
    "sglang=0.5.20..0.5.23",
    "env.SGLANG_DEEPEP_V2_NUM_MAX_DISPATCH_TOKENS_PER_RANK=(unset),128,4096",
};
const std::vector<std::string> kModelNames = {"XiaomiMiMo__MiMo-V2-Flash", "deepseek-ai__DeepSeek-V3", "Qwen__Qwen3-8B",
                                              "Qwen__Qwen3-235B-A22B-FP8"};

std::string reason_of(const Swept& swept, std::size_t cell) {
  const std::uint32_t reason = swept.cells[cell].reason;
  if (reason == kNoIndex) return "";
  const MatrixReason& r = swept.reasons[reason];
  return r.rule.empty() ? r.text : r.rule;
}

}  // namespace

TEST_CASE("every cell of a random sweep is what a single check says", "[cli]") {
  const Pack& pack = Pack::embedded();
  std::mt19937 random(20261130);
  std::size_t cells = 0, go = 0, no_go = 0;
  for (int round = 0; round < 80; ++round) {
    std::vector<std::string> chosen = kAxes;
    std::shuffle(chosen.begin(), chosen.end(), random);
    chosen.resize(2 + round % 2);
    auto axes = read_axes(pack, chosen);
    if (!axes) FAIL(axes.error().what);
    SweepOptions options;
    options.axes = *axes;
    options.workers = 2;
    options.session.gpus = {"b200x8"};
    options.session.model_config =
        std::string(GONOGO_TESTDATA) + "/models/" + kModelNames[static_cast<std::size_t>(round) % kModelNames.size()];
    options.session.launch = Launch();
    for (const char* word : {"--model-path", "/m", "--tp", "8"}) options.session.launch->args.push_back({word, {}});
    const auto together = sweep(options, pack, {});
    if (!together) FAIL(together.error().what);
    options.each_alone = true;
    const auto alone = sweep(options, pack, {});
    if (!alone) FAIL(alone.error().what);
    REQUIRE(together->cells.size() == alone->cells.size());
    for (std::size_t i = 0; i < alone->cells.size(); ++i) {
      ++cells;
      go += alone->cells[i].verdict == Verdict::kGo;
      no_go += alone->cells[i].verdict == Verdict::kNoGo;
      if (together->cells[i].verdict == alone->cells[i].verdict && reason_of(*together, i) == reason_of(*alone, i)) {
        continue;
      }
      std::string where;
      const SessionOptions cell = options_of(options, pack, i);
      for (const Word& word : cell.launch->args) where += word.text + " ";
      FAIL_CHECK("round " << round << ", " << options.session.model_config << ", cell " << i << ": " << where << "\n  "
                          << reason_of(*together, i) << "\n  alone: " << reason_of(*alone, i));
    }
  }
  // A sweep that is all of one kind would prove little.
  CHECK(cells > 1500);
  CHECK(go > 50);
  CHECK(no_go > 50);
}

TEST_CASE("what holds for every launch of a sweep is read once, and what fails there is an error", "[cli]") {
  const Pack& pack = Pack::embedded();
  const auto axes = read_axes(pack, {"tp-size=1,2"});
  REQUIRE(axes);
  SweepOptions options;
  options.axes = *axes;
  options.session.gpus = {"b200x8"};
  options.session.launch = Launch();
  options.session.launch->args = {{"--model-path", {}}, {"/m", {}}};
  const auto unknown = sweep(options, pack, {});
  REQUIRE(unknown);
  CHECK(unknown->cells[0].verdict == Verdict::kUnknown);
  REQUIRE(unknown->reasons.size() == 1);
  CHECK(unknown->reasons[0].text.find("config.json") != std::string::npos);
  options.session.model_config = "/nonexistent";
  const auto failed = sweep(options, pack, {});
  REQUIRE(!failed);
  CHECK(failed.error().kind == Error::Kind::kInput);
}

TEST_CASE("a file of further arguments has its say in every launch", "[cli]") {
  const Tree tree;
  const std::string file = tree.file("args.yaml", "tp-size: 3\n");  // as many words as name the file
  const auto axes = read_axes(Pack::embedded(), {"tp-size=(unset),x,8", "page-size=1,64"});
  REQUIRE(axes);
  SweepOptions options;
  options.axes = *axes;
  options.session.gpus = {"b200x8"};
  options.session.model_config = std::string(GONOGO_TESTDATA) + "/models/Qwen__Qwen3-8B";
  options.session.launch = Launch();
  for (const std::string& word : {std::string("--model-path"), std::string("/m"), std::string("--config"), file}) {
    options.session.launch->args.push_back({word, {}});
  }
  const auto together = sweep(options, Pack::embedded(), {});
  options.each_alone = true;
  const auto alone = sweep(options, Pack::embedded(), {});
  REQUIRE(together);
  REQUIRE(alone);
  for (std::size_t i = 0; i < 6; ++i) {
    INFO(i);
    CHECK(reason_of(*together, i) == reason_of(*alone, i));
  }
  CHECK(together->cells[0].verdict == Verdict::kNoGo);  // three GPUs, as the file says
  CHECK(reason_of(*together, 2) == "argparse");
  CHECK(together->cells[4].verdict == Verdict::kGo);
}

TEST_CASE("a long sweep says how far it is", "[cli]") {
  const auto axes = read_axes(Pack::embedded(), {"tp-size=1,2", "page-size=1,2,4"});
  REQUIRE(axes);
  SweepOptions options;
  options.axes = *axes;
  options.workers = 2;
  options.session.gpus = {"b200x8"};
  options.session.launch = Launch();
  options.session.launch->args = {{"--model-path", {}}, {"/m", {}}};
  std::size_t last = 0;
  REQUIRE(sweep(options, Pack::embedded(), [&](std::size_t done) { last = done; }));
  CHECK(last == 6);
}

}  // namespace gonogo::test
