// `gonogo migrate`, end to end.
#include <fstream>
#include <sstream>

#include "catch.h"
#include "cli/run_binary.h"
#include "holds.h"
#include "tree.h"

using namespace gonogo::test;
using gonogo::Tree;

namespace {

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

const std::vector<std::string> kLaunch = {"python", "-m", "sglang.launch_server", "--model-path", "/m"};

std::vector<std::string> migrate(std::vector<std::string> options, const std::vector<std::string>& args) {
  options.insert(options.begin(), "migrate");
  options.emplace_back("--");
  options.insert(options.end(), kLaunch.begin(), kLaunch.end());
  options.insert(options.end(), args.begin(), args.end());
  return options;
}

}  // namespace

TEST_CASE("a command for a later release", "[cli][migrate]") {
  struct Row {
    std::vector<std::string> options;
    std::vector<std::string> args;
    int status;
    std::string says;
  };
  const std::vector<Row> rows = {
      {{}, {"--tp", "8"}, 0, "nothing to change for sglang 0.5.23"},
      {{},
       {"--cuda-graph-max-bs", "64"},
       0,
       "--cuda-graph-max-bs -> --cuda-graph-max-bs-decode   it was a flag up to 0.5.19"},
      {{},
       {"--mamba-scheduler-strategy=no_buffer"},
       0,
       "\npython -m sglang.launch_server --model-path /m --mamba-radix-cache-strategy=no_buffer\n"},
      {{}, {"--disable-piecewise-cuda-graph"}, 0, " --cuda-graph-backend-prefill=disabled\n"},
      {{},
       {"--enable-nsa-prefill-context-parallel", "--nsa-prefill-cp-mode", "round-robin-split"},
       0,
       " --enable-prefill-cp --cp-strategy interleave\n"},
      {{}, {"--prefill-round-robin-balance", "--tp", "2"}, 0, " --model-path /m --tp 2\n"},
      {{},
       {"--torchao-config", "int4wo"},
       1,
       "still refused: '--torchao-config' is no flag of sglang 0.5.23 (it was a flag up to 0.5.17)"},
      {{"--to", "0.5.18"}, {"--cuda-graph-max-bs", "64"}, 0, "nothing to change for sglang 0.5.18"},
      {{"--to", "9.9"}, {}, 4, ""},
      {{"--from", "9.9"}, {}, 4, ""},
      {{}, {"--api-key", "planted-secret", "--cuda-graph-bs", "1", "2"}, 0, "--cuda-graph-bs-decode 1 2"},
  };
  for (const Row& row : rows) {
    const Ran ran = run_gonogo(migrate(row.options, row.args));
    INFO(ran.out << ran.err);
    CHECK(ran.status == row.status);
    CHECK(holds(ran.out, row.says));
    CHECK_FALSE(holds(ran.out + ran.err, "planted-secret"));
  }
  const Ran json =
      run_gonogo(migrate({"--format", "json"}, {"--cuda-graph-max-bs", "64", "--api-key", "planted-secret"}));
  CHECK(holds(json.out, R"("edits":[{"old":"--cuda-graph-max-bs","new":"--cuda-graph-max-bs-decode",)"));
  CHECK(holds(json.out, R"("refusals":[])"));
  CHECK_FALSE(holds(json.out, "planted-secret"));
}

TEST_CASE("files are changed where the words stand, and nowhere else", "[cli][migrate]") {
  struct Row {
    const char* name;
    std::string before;
    std::string after;
  };
  const std::vector<Row> rows = {
      {"run.sh",
       "#!/bin/bash\n# --cuda-graph-max-bs stays in a comment\npython -m sglang.launch_server \\\n  --model-path /m "
       "\\\n"
       "  --cuda-graph-max-bs 64 \\\n  --prefill-round-robin-balance\necho done\n",
       "#!/bin/bash\n# --cuda-graph-max-bs stays in a comment\npython -m sglang.launch_server \\\n  --model-path /m "
       "\\\n"
       "  --cuda-graph-max-bs-decode 64\necho done\n"},
      {"pod.yaml",
       "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: a\n    image: "
       "lmsysorg/sglang:v0.5.18\n"
       "    command: [python3, -m, sglang.launch_server]\n    args:\n    - --model-path\n    - /m\n    - "
       "--cuda-graph-max-bs\n    - \"64\"\n",
       "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: a\n    image: "
       "lmsysorg/sglang:v0.5.18\n"
       "    command: [python3, -m, sglang.launch_server]\n    args:\n    - --model-path\n    - /m\n    - "
       "--cuda-graph-max-bs-decode\n    - \"64\"\n"},
      {"recipe.yaml",
       "backend:\n  type: sglang\n  sglang_config:\n    aggregated:\n      model-path: /m\n      cuda-graph-max-bs: "
       "64\n"
       "resources: {gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n",
       "backend:\n  type: sglang\n  sglang_config:\n    aggregated:\n      model-path: /m\n      "
       "cuda-graph-max-bs-decode: 64\n"
       "resources: {gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n"},
      {"same.sh", "python -m sglang.launch_server --model-path /m --tp 2\n",
       "python -m sglang.launch_server --model-path /m --tp 2\n"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const Tree tree;
    const std::string file = tree.file(row.name, row.before);
    const Ran shown = run_gonogo({"migrate", file});
    INFO(shown.out << shown.err);
    CHECK(shown.status == 0);
    CHECK(text_of(file) == row.before);  // nothing is written unless asked
    CHECK(holds(shown.out, "\n+++ ") == (row.before != row.after));
    const Ran written = run_gonogo({"migrate", "--write", file});
    CHECK(written.status == 0);
    CHECK(text_of(file) == row.after);
    CHECK(holds(run_gonogo({"migrate", file}).out, "0 files to change"));
  }
}

TEST_CASE("what can't be edited where it stands is said, and nothing is changed", "[cli][migrate]") {
  const std::string text =
      "FLAG=--cuda-graph\npython -m sglang.launch_server --model-path /m ${FLAG}-max-bs 64 --cuda-graph-bs 1\n";
  const Tree tree;
  const std::string file = tree.file("run.sh", text);
  const Ran ran = run_gonogo({"migrate", "--write", file});
  INFO(ran.out << ran.err);
  CHECK(ran.status == 1);
  CHECK(holds(ran.out, "by hand: "));
  CHECK(text_of(file) == text);
}
