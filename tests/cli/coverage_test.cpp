// gonogo rules coverage as people call it.
#include <string>
#include <vector>

#include "base/json.h"
#include "catch.h"
#include "cli/run_binary.h"
#include "holds.h"
#include "tree.h"

namespace gonogo::test {

namespace {

using Args = std::vector<std::string>;

const std::string kDense = R"("gpu":"b200","model":"Qwen__Qwen3-8B","argv":["--model-path","$MODEL"])";

}  // namespace

TEST_CASE("coverage of recorded cases", "[cli]") {
  const std::string models = std::string(GONOGO_TESTDATA) + "/models";
  const Tree tree;
  const std::string cases = tree.file("cases.jsonl", "{\"id\":\"a\",\"sglang\":\"0.5.23\"," + kDense +
                                                         ",\"ok\":true}\n\n{\"id\":\"b\",\"sglang\":\"0.5.21\"," +
                                                         kDense + ",\"ok\":false}\n");
  const std::string broken = tree.file("broken.jsonl", "{\"id\":\"a\"\n{\"id\":\"b\"," + kDense + "}\n");
  const std::string table =
      tree.file("table.tsv", "kind\tcheck\twhere\twhat\tcount\nraise\tno_such.check\tx.py:1\tValueError\t3\n");
  struct Row {
    std::string name;
    Args args;
    int status;
    Args says;
  };
  const std::vector<Row> rows = {
      {"all versions",
       {cases, "--models", models},
       0,
       {" act in 2 cases of 1 file\n", "as recorded: 1 of 2\n", "act in no case:"}},
      {"one version",
       {cases, "--models", models, "--sglang", "0.5.23"},
       0,
       {" act in 1 case of 1 file\n", "  1 case of other versions left out\n", "as recorded: 1 of 1\n"}},
      {"upstream's refusals",
       {cases, "--models", models, "--refusals", table},
       0,
       {"0 of 1 have a refusal", "no_such.check", "x.py:1, 1 site, 3 recorded"}},
      {"a case that can't be read, and one that can",
       {broken, "--models", models},
       2,
       {" act in 1 case of 1 file\n", broken + ":1:"}},
      {"no models", {cases}, 2, {"act in 0 cases", "--models"}},
      {"no such file", {"/nonexistent.jsonl"}, 2, {"/nonexistent.jsonl"}},
      {"no such table", {cases, "--models", models, "--refusals", "/nonexistent.tsv"}, 2, {"/nonexistent.tsv"}},
      {"an unknown version", {cases, "--sglang", "9.9"}, 4, {"9.9"}},
      {"no file", {}, 4, {"CASES"}},
  };
  for (const Row& row : rows) {
    Args args{"rules", "coverage"};
    args.insert(args.end(), row.args.begin(), row.args.end());
    const Ran ran = run_gonogo(args);
    INFO(row.name << "\n" << ran.out.substr(0, 2000) << ran.err);
    CHECK(ran.status == row.status);
    for (const std::string& text : row.says) {
      INFO("must say: " << text);
      CHECK(holds(ran.out + ran.err, text));
    }
  }
}

TEST_CASE("coverage names the cases in which a rule acts", "[cli]") {
  const Tree tree;
  const std::string cases = tree.file("cases.jsonl", "{\"id\":\"a\"," + kDense + "}\n{\"id\":\"b\"," + kDense + "}\n");
  const std::string models = std::string(GONOGO_TESTDATA) + "/models";
  const Ran ran = run_gonogo({"rules", "coverage", cases, "--models", models, "--format", "json", "--cases", "1"});
  Arena arena;
  const auto report = parse_json(ran.out, "coverage", arena);
  REQUIRE(report.ok());
  CHECK(report->find("cases")->as_int() == 2);
  const Value& rules = *report->find("by_rule");
  REQUIRE(rules.size() > 1000);
  std::size_t fired = 0;
  for (std::uint32_t i = 0; i < rules.size(); ++i) {
    const std::int64_t count = rules[i].find("fired")->as_int();
    fired += count > 0 ? 1 : 0;
    if (count == 0) continue;
    CHECK(count == 2);
    CHECK(to_json(*rules[i].find("cases")) == "[\"" + cases + ":1\"]");
  }
  CHECK(static_cast<std::int64_t>(fired) == report->find("fired")->as_int());
  CHECK(fired > 20);
}

}  // namespace gonogo::test
