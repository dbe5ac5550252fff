// gonogo matrix as people call it: tables, formats, exit codes.
#include <string>
#include <vector>

#include "catch.h"
#include "cli/expect.h"
#include "cli/run_binary.h"

namespace gonogo::test {

namespace {

using Args = std::vector<std::string>;

const std::string kFlash = std::string(GONOGO_TESTDATA) + "/models/XiaomiMiMo__MiMo-V2-Flash";

Args matrix(const Args& options, const Args& launch) {
  Args args{"matrix", "--gpu", "b200x8", "--model-config", kFlash};
  args.insert(args.end(), options.begin(), options.end());
  args.emplace_back("--");
  args.insert(args.end(), launch.begin(), launch.end());
  return args;
}

const Args kLaunch = {"sglang", "serve", "/m", "--tp", "8", "--moe-a2a-backend", "deepep_v2"};
const std::string kBackends = "moe-a2a-backend=none,deepep,deepep_v2";
const std::string kRunners = "moe-runner-backend=auto,triton";

}  // namespace

TEST_CASE("a matrix, its formats and its exit code", "[cli]") {
  struct Row {
    std::string name;
    Args args;
    int status;
    Args says;
    Args never;
  };
  const std::vector<Row> rows = {
      {"a grid",
       matrix({"--vary", kBackends, "--vary", kRunners}, kLaunch),
       1,
       {"sglang, 6 launches: GO 3, NO-GO 3", "--moe-a2a-backend  auto     triton",
        "deepep             GO       NO-GO 1", "[a2a/deepep-v2-prefill-tokens] (1)",
        "Closest to what was typed: --moe-a2a-backend deepep\n"},
       {"\033["}},
      {"rows", matrix({"--vary", kBackends}, kLaunch), 1, {"deepep_v2          NO-GO 1\n"}, {}},
      {"colour", matrix({"--vary", kBackends, "--color", "always"}, kLaunch), 1, {"\033[31mNO-GO 1\033[0m"}, {}},
      {"all good", matrix({"--vary", "moe-a2a-backend=none,deepep"}, kLaunch), 0, {"GO 2\n"}, {"What decides"}},
      {"no launch of the runtime", matrix({"--vary", "page-size=(unset),64"}, {"/m", "--tp", "8"}), 4, {}, {}},
      {"typed and good",
       matrix({"--vary", "tp=3,8"}, {"sglang", "serve", "/m", "--tp", "8"}),
       1,
       {"What was typed is GO."},
       {}},
      {"any good one will do", matrix({"--vary", kBackends, "--any"}, kLaunch), 0, {"NO-GO 1"}, {}},
      {"none is good", matrix({"--vary", "tp=8", "--any"}, kLaunch), 1, {"None of them is GO."}, {}},
      {"two GPUs and versions",
       matrix({"--vary", "gpu=b200x8,h200x8", "--vary", "sglang=0.5.21..0.5.23"}, kLaunch),
       1,
       {"gpu     0.5.21", "[a2a/deepep-v2-arch]"},
       {}},
      {"one that the parser refuses",
       matrix({"--vary", "tp=8,x", "--vary", "moe-a2a-backend=none"}, kLaunch),
       1,
       {"[argparse] (1)", "not 'x'"},
       {}},
      {"a flag that must be given is varied",
       matrix({"--vary", "model-path=/m,(unset)"}, {"--tp", "8"}),
       1,
       {"(unset)       NO-GO"},
       {}},
      {"unknown", {"matrix", "--gpu", "b200x8", "--vary", "tp=1,2", "--", "--model-path", "/m"}, 0, {"UNKNOWN 2"}, {}},
      {"strict",
       {"matrix", "--gpu", "b200x8", "--strict", "--vary", "tp=1,2", "--", "--model-path", "/m"},
       3,
       {"UNKNOWN 1"},
       {}},
      {"strict, any",
       {"matrix", "--gpu", "b200x8", "--strict", "--any", "--vary", "tp=1,2", "--", "--model-path", "/m"},
       3,
       {},
       {}},
      {"JSON",
       matrix({"--vary", kBackends, "--format", "json"}, kLaunch),
       1,
       {R"("counts":{"go":2,"no_go":1,"unknown":0})", R"({"at":[2],"verdict":"NO-GO","reason":0})", R"("closest":1)",
        R"("typed":2)"},
       {}},
      {"CSV",
       matrix({"--vary", kBackends, "--format", "csv"}, kLaunch),
       1,
       {"--moe-a2a-backend,verdict,rule,reason\r\nnone,GO,,\r\n", "deepep_v2,NO-GO,a2a/deepep-v2-prefill-tokens,\""},
       {}},
      {"Markdown",
       matrix({"--vary", kBackends, "--vary", kRunners, "--format", "markdown"}, kLaunch),
       1,
       {"| `--moe-a2a-backend` \\ `--moe-runner-backend` | `auto` | `triton` |\n|---|---|---|\n| `none` | **GO** | "
        "**GO** |"},
       {}},
      {"HTML",
       matrix({"--vary", kBackends, "--format", "html"}, {"--model-path", "/</script><script>", "--tp", "8"}),
       1,
       {"<!DOCTYPE html>", R"(\u003c/script>)"},
       {"/</script><script>"}},
      {"secrets",
       matrix({"--vary", "api-key=hunter2,(unset)", "--format", "json"}, {"--model-path", "/m", "--tp", "8"}),
       0,
       {"*** 1"},
       {"hunter2"}},
      {"an unknown flag", matrix({"--vary", "tp=1,2", "--vary", "nosuchflag=1"}, kLaunch), 4, {}, {}},
      {"nothing is varied", matrix({}, kLaunch), 4, {}, {}},
      {"no launch", {"matrix", "--vary", "tp=1"}, 4, {}, {}},
      {"a model that can't be read",
       {"matrix", "--gpu", "b200x8", "--model-config", "/nonexistent", "--vary", "tp=1", "--", "--model-path", "/m"},
       2,
       {},
       {}},
  };
  for (const Row& row : rows) expect(run_gonogo(row.args), row);
}

TEST_CASE("a matrix is the same on any number of cores", "[cli]") {
  const Args options = {"--vary",   kBackends, "--vary", "sglang=0.5.21..0.5.23", "--vary", "tp=1,2,4,8",
                        "--format", "csv",     "-j"};
  Args one = options, four = options;
  one.emplace_back("1");
  four.emplace_back("4");
  const Ran a = run_gonogo(matrix(one, kLaunch));
  const Ran b = run_gonogo(matrix(four, kLaunch));
  CHECK(a.out.size() > 1000);
  CHECK(a.out == b.out);
  CHECK(a.err.empty());
}

TEST_CASE("a grid keeps to the terminal's width", "[cli]") {
  const Args args =
      matrix({"--vary", "moe-runner-backend=auto,triton,deep_gemm,flashinfer_trtllm,flashinfer_cutlass,cutlass,marlin",
              "--vary", "attention-backend=fa3,fa4,flashinfer,triton,trtllm_mha,trtllm_mla,cutlass_mla"},
             kLaunch);
  const Ran ran = run_gonogo(args, {}, {"COLUMNS=60"});
  const std::string grid = ran.out.substr(0, ran.out.find("What decides"));
  std::size_t lines = 0;
  for (std::size_t at = 0, end; (end = grid.find('\n', at)) != std::string::npos; at = end + 1) {
    ++lines;
    INFO(grid.substr(at, end - at));
    CHECK(end - at <= 60);
  }
  CHECK(lines > 18);  // two blocks
}

}  // namespace gonogo::test
