// Which changes are derived from what a refusal read, in which order, and what is left alone.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "catch.h"
#include "engine/fixes.h"
#include "engine/resolver.h"
#include "flags/argparse.h"
#include "report/report.h"
#include "report/sample.h"

namespace gonogo::test {

namespace {

using Texts = std::vector<std::string>;

const char* const kPack = R"(
pack:
  name: toy
  versions: ["1.0", "2.0"]
  entry_points: ["toy serve"]
  secrets: [token]
  fixes: {never: [path, heads], last: [gpus], avoid: [exotic]}
  parts: {resolve: [choose, gates]}
flags:
- {flags: [--path], field: path}
- {flags: [--runner], field: runner, choices: [auto, fast, safe, exotic], default: auto}
- {flags: [--exchange], field: exchange, choices: [none, deep], default: none}
- {flags: [--gpus], field: gpus, type: int, default: 1}
- {flags: [--heads], field: heads, type: int, default: 12}
- {flags: [--chunk], field: chunk, type: int, default: 64}
- {flags: [--overlap], field: overlap, action: store_true, default: false}
- {flags: [--graph, --no-graph], field: graph, action: boolean_optional, default: true}
- {flags: [--level], field: level, choices: [low, mid, high]}
- {flags: [--page], field: page, type: int, default: 16}
- {flags: [--token], field: token}
env:
  LIMIT: {type: int, default: 128}
  SAFE_MODE: {type: bool, default: false}
---
stage: choose
rules:
- {id: c/runner, when: runner == "auto" and exchange == "deep", set: {runner: fast}}
- {id: c/level, when: level is None, set: {level: low}}
---
stage: gates
check: gates.check
rules:
- {id: g/overlap, when: overlap and runner == "fast", fail: "no overlap on the fast runner"}
- {id: g/heads, when: heads % gpus != 0, fail: "{heads} do not split over {gpus}"}
- {id: g/page, when: chunk % page != 0, fail: "{chunk} is no multiple of {page}"}
- {id: g/limit, when: chunk > env.LIMIT, fail: "{chunk} is more than {env.LIMIT}"}
- {id: g/safe, when: level == "high" and not env.SAFE_MODE, fail: "high needs SAFE_MODE"}
- {id: g/version, versions: "<2.0", when: not graph and level == "mid", fail: "no graph at mid"}
- {id: g/two-a, when: path == "two" and not overlap, fail: "a"}
- {id: g/two-b, when: path == "two" and graph, fail: "b"}
- {id: g/either, when: path == "either" and (graph or not overlap), fail: "either"}
- {id: g/three, when: path == "three" and (graph or not overlap or chunk > 32), fail: "three"}
- {id: g/four, when: path == "four" and (graph or not overlap or chunk > 32 or page > 8), fail: "four"}
- {id: g/hopeless, when: path == "none", fail: "nothing helps"}
- {id: g/open, when: path == "open" and overlap, fail: "no overlap"}
- {id: g/open-gpus, when: path == "open" and gpu.count > 8, fail: "many GPUs"}
- {id: g/secret, when: token == "t" and path == "token", fail: "token"}
)";

struct Tried {
  Texts enough;
  Texts not_enough;
  Fixes fixes;
};

Tried tried(const Texts& args, const std::string& version = "1.0",
            std::map<std::string, std::string, std::less<>> env = {}) {
  CompiledPack made = compile_pack({{"toy.yaml", kPack}}, nullptr);
  for (const Error& e : made.errors) FAIL_CHECK(to_text(e));
  const Pack pack = *Pack::open(made.blob);
  Texts command{"toy", "serve"};
  command.insert(command.end(), args.begin(), args.end());
  const Launch launch = *read_command(pack, command);
  RuntimeVersion runtime;
  runtime.index = pack.version_index(version);
  NoModels models;
  NoHost host;
  World world;
  world.env = std::move(env);
  world.models = &models;
  world.host = &host;
  Arena arena;
  Parsed parsed = parse(pack, runtime.index, launch.args, arena);
  std::optional<Given> given;
  Outcome outcome;
  Runtime rules(pack, runtime.index);
  if (parsed.ok()) {
    given = parsed.given;
    outcome = resolve(rules, world, *given, arena);
  } else {
    outcome = refused_by_parser(pack, parsed.refusals);
  }
  Tried out;
  out.fixes = try_fixes({pack, world, given ? &*given : nullptr, runtime.index, launch.args}, outcome);
  const std::vector<GpuSet> nodes;
  const std::string where;
  const ReportInput input{pack, launch, runtime, nodes, where, given ? &*given : nullptr, outcome, out.fixes};
  for (const FixTrial& t : out.fixes.trials) (t.enough ? out.enough : out.not_enough).push_back(fix_text(input, t));
  return out;
}

}  // namespace

TEST_CASE("changes derived from what a refusal read", "[engine]") {
  struct Row {
    std::string name;
    Texts args;
    std::string first;  // the gentlest
    Texts also;         // among the others
    Texts never;        // not among them
    std::string version = "1.0";
    std::map<std::string, std::string, std::less<>> env = {};
  };
  const std::vector<Row> rows = {
      {"another value where a rule chose one",
       {"--overlap", "--exchange", "deep"},
       "without --overlap",
       {"--exchange none", "--runner safe"},
       {"--runner exotic", "--runner fast"}},
      {"numbers that divide, downwards where more takes hardware",
       {"--gpus", "8"},
       "--gpus 6",
       {},
       {"--gpus 12", "--gpus 24"}},
      {"numbers that divide, the nearest", {"--chunk", "100"}, "--chunk 96", {}, {}},
      {"a variable's bound", {"--chunk", "256"}, "--chunk 128", {"without --chunk", "LIMIT=256"}, {}},
      {"a variable that was set",
       {"--chunk", "96"},
       "without --chunk",
       {"without LIMIT", "LIMIT=96"},
       {},
       "1.0",
       {{"LIMIT", "64"}}},
      {"a switch of the environment", {"--level", "high"}, "without --level", {"SAFE_MODE=1"}, {}},
      {"either form of a switch, and another release last",
       {"--no-graph", "--level", "mid"},
       "without --no-graph",
       {"toy 2.0"},
       {"--graph"}},
      {"two gates one behind the other", {"--path", "two"}, "--overlap and --no-graph", {}, {"--path one"}},
      {"two reasons of one gate", {"--path", "either"}, "--no-graph and --overlap", {}, {}},
      {"three reasons of one gate", {"--path", "three"}, "--no-graph and --overlap and --chunk 32", {}, {}},
      {"four, which is more than a fix changes", {"--path", "four"}, "", {}, {}},
      {"a secret is only left out", {"--path", "token", "--token", "t"}, "without --token", {}, {}},
      {"nothing that may be touched helps", {"--path", "none"}, "", {}, {"without --path"}},
  };
  for (const Row& row : rows) {
    const Tried got = tried(row.args, row.version, row.env);
    INFO(row.name);
    for (const std::string& text : got.enough) UNSCOPED_INFO("  " << text);
    CHECK((got.enough.empty() ? std::string() : got.enough[0]) == row.first);
    const auto has = [&](const std::string& t) {
      return std::find(got.enough.begin(), got.enough.end(), t) != got.enough.end();
    };
    for (const std::string& text : row.also) CHECK(has(text));
    for (const std::string& text : row.never) CHECK_FALSE(has(text));
    CHECK(got.enough.size() <= kMostFixes);
  }
}

TEST_CASE("refusals of the parser are mended", "[engine]") {
  struct Row {
    std::string name;
    Texts args;
    Texts wanted;  // the first ones
  };
  const std::vector<Row> rows = {
      {"the nearest flag", {"--chnk", "64"}, {"--chunk in place of --chnk", "without --chnk"}},
      {"with its value in the same word", {"--chnk=64"}, {"--chunk in place of --chnk", "without --chnk"}},
      {"what an abbreviation may be", {"--p", "3"}, {"--path in place of --p"}},
      {"the nearest choice", {"--runner", "saf"}, {"safe in place of saf"}},
      {"a number that is none", {"--chunk", "x"}, {"without --chunk"}},
      {"two at once", {"--chnk", "64", "--runner", "saf"}, {"safe in place of saf and --chunk in place of --chnk"}},
      {"and refused by a rule then", {"--chnk", "100"}, {"without --chnk"}},
      {"a secret's value is not told", {"--tokn=hush"}, {"--token in place of --tokn", "without --tokn"}},
  };
  for (const Row& row : rows) {
    const Tried got = tried(row.args);
    INFO(row.name);
    for (const std::string& text : got.enough) UNSCOPED_INFO("  " << text);
    REQUIRE(got.enough.size() >= row.wanted.size());
    for (std::size_t i = 0; i < row.wanted.size(); ++i) CHECK(got.enough[i] == row.wanted[i]);
    if (row.wanted.empty()) CHECK(got.enough.empty());
  }
}

TEST_CASE("a fix comes with the arguments as they would be typed", "[engine]") {
  const Tried got = tried({"--chunk", "100", "--overlap"});
  REQUIRE(got.fixes.any());
  CHECK(got.fixes.trials[0].args == Texts{"--chunk", "96", "--overlap"});
  CHECK(got.fixes.tried > 0);
  CHECK_FALSE(got.fixes.cut);
}

TEST_CASE("where what is not known decides, changes that lift the refusal are told in place of fixes", "[engine]") {
  const Tried open = tried({"--path", "open", "--overlap"});  // how many GPUs there are is not known
  CHECK(open.enough.empty());
  CHECK(open.not_enough == Texts{"without --overlap"});
  REQUIRE(open.fixes.trials.size() == 1);
  CHECK(open.fixes.trials.front().open);
  for (const FixTrial& trial : tried({"--path", "one", "--overlap", "--runner", "fast"}).fixes.trials)
    CHECK(!trial.open);
}

}  // namespace gonogo::test
