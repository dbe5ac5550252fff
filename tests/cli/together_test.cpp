// Launches that work together, end to end: which rule of the pack speaks of a pair of servers or of the nodes of one
// launch, and in which close neighbour it rests.
#include "cli/together.h"

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "catch.h"
#include "cli/run_binary.h"
#include "rules/pack.h"
#include "tree.h"

using namespace gonogo::test;
using gonogo::Tree;
using nlohmann::json;

namespace {

// One prefill and one decode server in a script.
std::string pair(const std::string& model, const std::string& prefill, const std::string& decode) {
  return server(model, "--disaggregation-mode prefill " + prefill) +
         server(model, "--disaggregation-mode decode " + decode);
}

// A manifest that starts leader and worker at the same time.
std::string set_of(const std::string& leader, const std::string& worker) {
  const auto pod = [](const std::string& flags) {
    return "      spec:\n        containers:\n        - image: x/sglang:v0.5.23\n          command: [bash, -c, "
           "\"python3 -m "
           "sglang.launch_server --model-path " +
           kModels + "Qwen__Qwen3-8B " + flags + "\"]\n";
  };
  return "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nspec:\n  leaderWorkerTemplate:\n    size: 2\n"
         "    leaderTemplate:\n" +
         pod(leader) + "    workerTemplate:\n" + pod(worker);
}

struct Row {
  const char* what;
  std::string text;
  const char* said;
  const char* version = "0.5.23";
  const char* gpu = "h200x8";
};

const std::string kAt = "--nnodes 2 --dist-init-addr 10.0.0.1:5000 ";

}  // namespace

TEST_CASE("each rule that compares launches speaks, and rests in a close neighbour") {
  const std::vector<Row> rows = {
      {"a good pair", pair("deepseek-ai__DeepSeek-R1", "--tp 8", "--tp 8"), ""},
      {"page sizes", pair("deepseek-ai__DeepSeek-R1", "--tp 8 --page-size 64", "--tp 8 --page-size 1"),
       "pd-pair/page-size refusal"},
      {"page sizes that resolution makes equal",
       pair("deepseek-ai__DeepSeek-R1", "--tp 8 --page-size 64", "--tp 8 --page-size 1 --attention-backend flashmla"),
       ""},
      {"formats of the cache", pair("Qwen__Qwen3-8B", "--kv-cache-dtype fp8_e4m3", ""),
       "pd-pair/kv-cache-dtype refusal"},
      {"of one name", pair("Qwen__Qwen3-8B", "--kv-cache-dtype bf16", "--kv-cache-dtype bfloat16"),
       "pd-pair/kv-cache-dtype refusal"},
      {"equal formats", pair("Qwen__Qwen3-8B", "--kv-cache-dtype fp8_e4m3", "--kv-cache-dtype fp8_e4m3"), ""},
      {"backends", pair("Qwen__Qwen3-8B", "--disaggregation-transfer-backend nixl", ""),
       "pd-pair/transfer-backend refusal"},
      {"equal backends",
       pair("Qwen__Qwen3-8B", "--disaggregation-transfer-backend nixl", "--disaggregation-transfer-backend nixl"), ""},
      {"stages", pair("Qwen__Qwen3-8B", "--pp-size 4", "--pp-size 2"), "pd-pair/pipeline refusal"},
      {"all stages to one", pair("Qwen__Qwen3-8B", "--pp-size 4", ""), ""},
      {"models of other shapes",
       server("Qwen__Qwen3-8B", "--disaggregation-mode prefill") +
           server("Qwen__Qwen3-0.6B", "--disaggregation-mode decode"),
       "pd-pair/model-shape refusal, pd-pair/model warning"},
      {"models of one shape",
       server("Qwen__Qwen3-8B", "--disaggregation-mode prefill") +
           server("Qwen__Qwen3-8B-FP8", "--disaggregation-mode decode"),
       "pd-pair/model warning"},
      {"lengths", pair("Qwen__Qwen3-8B", "--context-length 8192", "--context-length 4096"), "pd-pair/context advice"},
      {"one of them says it", pair("Qwen__Qwen3-8B", "", "--context-length 4096"), ""},
      {"two pairs", pair("Qwen__Qwen3-8B", "", "") + pair("Qwen__Qwen3-4B", "--page-size 16", "--page-size 16"), ""},
      {"sliding windows on other ranks", pair("openai__gpt-oss-120b", "--tp 1", "--tp 4"),
       "pd-pair/attention-ranks-windows refusal", "0.5.21"},
      {"which later releases cut by heads", pair("openai__gpt-oss-120b", "--tp 1", "--tp 4"), "", "0.5.22"},
      {"but not under mori",
       pair("openai__gpt-oss-120b", "--tp 1 --disaggregation-transfer-backend mori",
            "--tp 4 --disaggregation-transfer-backend mori"),
       "pd-pair/attention-ranks-mori refusal", "0.5.22"},
      {"on equal ranks", pair("openai__gpt-oss-120b", "--tp 4", "--tp 4"), "", "0.5.21"},
      {"latent attention needs no equal ranks",
       pair("deepseek-ai__DeepSeek-R1", "--tp 8", "--tp 8 --dp 8 --enable-dp-attention"), ""},
      {"and ranks that don't divide each other are a risk elsewhere", pair("microsoft__phi-4", "--tp 2", "--tp 5"),
       "pd-pair/attention-ranks-odd warning"},
      {"which these do", pair("microsoft__phi-4", "--tp 1", "--tp 5"), ""},
      {"the state of sparse attention",
       pair("MiniMaxAI__MiniMax-M3-like", "--tp 8 --context-length 8192",
            "--tp 8 --context-length 8192 --dp 2 --enable-dp-attention"),
       "pd-pair/attention-ranks-minimax refusal"},
      {"on equal ranks",
       pair("MiniMaxAI__MiniMax-M3-like", "--tp 8 --context-length 8192", "--tp 8 --context-length 8192"), ""},
      {"which earlier releases didn't ask for",
       pair("MiniMaxAI__MiniMax-M3-like", "--tp 8 --context-length 8192",
            "--tp 8 --context-length 8192 --dp 2 --enable-dp-attention"),
       "", "0.5.22"},
      {"scales of a cache", pair("Qwen__Qwen3-8B", "--tp 2 --kv-cache-dtype mxfp8", "--tp 4 --kv-cache-dtype mxfp8"),
       "pd-pair/attention-ranks-mxfp8 refusal", "0.5.23", "b200x8"},
      {"a cache without",
       pair("Qwen__Qwen3-8B", "--tp 2 --kv-cache-dtype fp8_e4m3", "--tp 4 --kv-cache-dtype fp8_e4m3"), "", "0.5.23",
       "b200x8"},
      {"shards of context", pair("deepseek-ai__DeepSeek-R1", "--tp 8 --attn-cp-size 8", "--tp 8 --dcp-size 8"),
       "pd-pair/context-shards refusal"},
      {"on the decode server alone", pair("deepseek-ai__DeepSeek-R1", "--tp 8", "--tp 8 --dcp-size 8"), ""},
      {"rank twice in a script",
       server("Qwen__Qwen3-8B", "--tp 16 --node-rank 1 " + kAt) +
           server("Qwen__Qwen3-8B", "--tp 16 --node-rank 1 " + kAt),
       "nodes/rank-twice warning"},
      {"each rank once",
       server("Qwen__Qwen3-8B", "--tp 16 --node-rank 0 " + kAt) +
           server("Qwen__Qwen3-8B", "--tp 16 --node-rank 1 " + kAt),
       ""},
      {"sizes",
       server("Qwen__Qwen3-8B", "--tp 16 --node-rank 0 " + kAt) +
           server("Qwen__Qwen3-8B", "--tp 8 --node-rank 1 " + kAt),
       "nodes/sizes warning"},
      {"counts",
       server("Qwen__Qwen3-8B", "--tp 16 --node-rank 0 " + kAt) +
           server("Qwen__Qwen3-8B", "--tp 16 --node-rank 1 --nnodes 4 --dist-init-addr 10.0.0.1:5000"),
       "nodes/count warning"},
      {"one is missing",
       server("Qwen__Qwen3-8B", "--tp 16 --node-rank 0 --nnodes 4 --dist-init-addr 10.0.0.1:5000") +
           server("Qwen__Qwen3-8B", "--tp 16 --node-rank 2 --nnodes 4 --dist-init-addr 10.0.0.1:5000"),
       "nodes/missing warning"},
      {"addresses",
       server("Qwen__Qwen3-8B", "--tp 16 --node-rank 0 " + kAt) +
           server("Qwen__Qwen3-8B", "--tp 16 --node-rank 1 --nnodes 2 --dist-init-addr 10.0.0.2:5000"),
       "nodes/addresses warning"},
  };
  std::set<std::string> spoken;
  for (const Row& row : rows) {
    INFO(row.what);
    int status = 0;
    const json report = check("a.sh", row.text, {"--sglang", row.version}, &status, row.gpu);
    INFO(verdicts(report));
    CHECK(said(report) == row.said);
    for (const json& f : report["across"]) spoken.insert(f["rule"].get<std::string>());
    const bool refused = std::string(row.said).find("refusal") != std::string::npos;
    CHECK((report["verdict"] == "NO-GO") == refused);
    CHECK(status == (refused ? 1 : 0));
  }
  const gonogo::Pack& pack = gonogo::Pack::embedded();
  for (const gonogo::RuleRec& rule : pack.rules) {
    const bool speaks = rule.action != gonogo::Action::kRules && rule.action != gonogo::Action::kFirst;
    const std::string id(pack.text(rule.id));
    if (rule.between == 0 || !speaks || id.rfind("router/", 0) == 0) continue;
    INFO(id);
    CHECK(spoken.count(id) == 1);
  }
}

TEST_CASE("what a manifest starts at the same time is refused") {
  struct Set {
    const char* what;
    std::string leader;
    std::string worker;
    const char* said;
  };
  const std::string at =
      "--nnodes $(LWS_GROUP_SIZE) --node-rank $(LWS_WORKER_INDEX) --dist-init-addr $(LWS_LEADER_ADDRESS):20000";
  for (const Set& row : {
           Set{"equal", "--tp 16 " + at, "--tp 16 " + at, ""},
           {"an address that is known only at run time, as it is written", "--tp 16 " + at, "--tp 8 " + at,
            "nodes/sizes refusal"},
           {"which is another", "--tp 16 " + at, "--tp 8 " + at + "1", ""},
           {"sizes", "--tp 16 --node-rank 0 " + kAt, "--tp 8 --node-rank $(LWS_WORKER_INDEX) " + kAt,
            "nodes/sizes refusal"},
           {"ranks", "--tp 16 --node-rank 1 " + kAt, "--tp 16 --node-rank 1 " + kAt, "nodes/rank-twice refusal"},
       }) {
    INFO(row.what);
    int status = 0;
    const json report = check("a.yaml", set_of(row.leader, row.worker), {}, &status);
    INFO(verdicts(report));
    CHECK(said(report) == row.said);
  }
}

TEST_CASE("a finding between launches points at both words") {
  const std::string text = "# two servers\n" + pair("Qwen__Qwen3-8B", "--page-size 64", "\\\n  --page-size 1");
  int status = 0;
  const json report = check("a.sh", text, {}, &status);
  REQUIRE(report["across"].size() == 1);
  const json& finding = report["across"][0];
  CHECK(finding["phase"] == "late");
  REQUIRE(finding["launches"].size() == 2);
  const auto place = [](const json& p) { return p["line"].dump() + ":" + p["column"].dump(); };
  CHECK(finding["launches"][0]["role"] == "prefill");
  CHECK(place(finding["launches"][0]) == "2:1");
  CHECK(finding["launches"][0]["word"]["line"] == 2);
  CHECK(finding["launches"][1]["role"] == "decode");
  CHECK(place(finding["launches"][1]) == "3:1");
  CHECK(place(finding["launches"][1]["word"]) == "4:15");

  const Tree tree;
  const Ran ran = run_gonogo({"check", "--gpu", "h200x8", tree.file("a.sh", text)});
  for (const std::string part :
       {"a.sh:2:", "  prefill\n", "[pd-pair/page-size]", "page size is 64 and the decode server's 1",
        "a.sh:4:15  decode", "because the decode server", "0 NO-GO, 0 UNKNOWN, 2 GO; together NO-GO"}) {
    INFO(part << "\n" << ran.out);
    CHECK(ran.out.find(part) != std::string::npos);
  }
}
