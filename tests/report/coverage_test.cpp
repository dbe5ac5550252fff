// Which rules count as exercised, what the sums say, and upstream's refusals that no rule stands for.
#include "report/coverage.h"

#include <string>
#include <vector>

#include "base/json.h"
#include "holds.h"
#include "report/sample.h"

namespace gonogo::test {

namespace {

using Words = std::vector<std::string>;

// Resolves a launch of the sample runtime once more, with the rules that act.
std::vector<bool> acted_in(const Sample& sample) {
  std::vector<bool> acted;
  if (!sample.given) return acted;
  Arena arena;
  resolve(*sample.rules, sample.world, *sample.given, arena, {.evidence = false, .acted = &acted});
  return acted;
}

std::string names_of(const Pack& pack, const std::vector<bool>& acted) {
  std::string out;
  for (std::uint32_t i = 0; i < acted.size(); ++i) {
    if (acted[i] && is_covered_rule(pack.rules[i]))
      out += (out.empty() ? "" : " ") + std::string(pack.text(pack.rules[i].id));
  }
  return out;
}

}  // namespace

TEST_CASE("the rules that act in a launch", "[report]") {
  struct Row {
    std::string name;
    Words words;
    std::string version;
    bool gpu;
    std::string acted;
  };
  const std::vector<Row> rows = {
      {"by version", {"--path", "/m"}, "1.0", true, "choose/fast"},
      {"by version, another", {"--path", "/m"}, "2.0", true, "choose/fast-alone"},
      {"findings", {"--path", "/m", "--runner", "safe", "--eager"}, "1.0", true, "gates/eager gates/advice"},
      {"nothing behind a refusal",
       {"--path", "/m", "--exchange", "deep", "--eager"},
       "1.0",
       true,
       "choose/fast gates/no-path"},
      {"an uncertain refusal does not act", {"--path", "/m", "--size", "2"}, "1.0", false, "choose/fast"},
      {"a parser that refuses", {"--path", "/m", "--size", "x"}, "1.0", true, ""},
  };
  for (const Row& row : rows) {
    const Sample sample(row.words, row.version, row.gpu);
    INFO(row.name);
    CHECK(names_of(*sample.pack, acted_in(sample)) == row.acted);
  }
}

TEST_CASE("coverage sums rules by stage and file", "[report]") {
  const Sample one({"--path", "/m"});
  const Sample two({"--path", "/m", "--eager"});
  const Sample refused({"--path", "/m", "--size", "x"});
  Coverage coverage(*one.pack, ~Mask{0}, 1);
  coverage.add(acted_in(one), "c:1");
  coverage.add(acted_in(two), "c:2");
  coverage.add(acted_in(refused), "c:3");
  CHECK(coverage.cases() == 3);
  CHECK(coverage.total().fired == 2);
  CHECK(coverage.total().rules == 8);
  CHECK(coverage.total().percent() == 25.0);
  REQUIRE(coverage.stages().size() == 2);
  CHECK(coverage.stages()[0].name == "choose");
  CHECK(coverage.stages()[0].fired == 1);
  CHECK(coverage.stages()[0].rules == 2);
  CHECK(coverage.stages()[1].name == "gates");
  CHECK(coverage.stages()[1].fired == 1);
  REQUIRE(coverage.files().size() == 1);
  CHECK(coverage.files()[0].name == "sample.yaml");
  for (const Coverage::Rule& rule : coverage.rules()) {
    if (coverage.pack().text(coverage.pack().rules[rule.index].id) != "choose/fast") continue;
    CHECK(rule.fired == 2);
    CHECK(rule.cases == Words{"c:1"});  // as many as were asked for
  }

  const std::string text = coverage_to_text(coverage, {1, 4, 3, 2}, nullptr);
  INFO(text);
  CHECK(
      text.starts_with("2 of 8 rules (25.0 %) act in 3 cases of 1 file\n  4 cases of other versions left out\n"
                       "  accepted or refused as recorded: 2 of 3\n"));
  CHECK(holds(text, "\nchoose      1      2   50.0 %\n"));
  CHECK(holds(text, "\n6 rules act in no case:\n  choose/fast-alone "));
  CHECK_FALSE(holds(text, "Upstream"));

  // Only what a version has.
  const Coverage newer(*one.pack, Mask{2}, 1);
  CHECK(newer.total().rules == 7);

  Arena arena;
  const auto report = parse_json(coverage_to_json(coverage, {1, 4, 3, 2}, nullptr), "coverage", arena);
  REQUIRE(report.ok());
  CHECK(report->find("format_version")->as_int() == 1);
  CHECK(report->find("fired")->as_int() == 2);
  CHECK(report->find("upstream") == nullptr);
  const Value& first = (*report->find("by_rule"))[0];
  CHECK(first.find("id")->as_str() == "choose/fast");
  CHECK(to_json(*first.find("versions")) == R"(["1.0"])");
  CHECK(first.find("stage")->as_str() == "choose");
  CHECK(to_json(*first.find("cases")) == R"(["c:1"])");
}

TEST_CASE("upstream's refusals that no rule stands for", "[report]") {
  const Sample sample({"--path", "/m"});
  const std::string head = "kind\tcheck\twhere\twhat\tcount\n";
  const std::string table = head +
                            "raise\tgates.check\tgates.py:3\tValueError\t4\nassert\tgates.check\tgates.py:9\t\t4\n"
                            "raise\tother.check\tother.py:1\tValueError\t7\r\ndeclare\tchoose.pass\tchoose.py:1\tx\t2\n"
                            "raise\tthird.check\tthird.py:1\tValueError\t0\n";
  const auto checks = read_upstream_checks(table, "t.tsv", *sample.pack, ~Mask{0});
  REQUIRE(checks.ok());
  REQUIRE(checks->size() == 3);
  CHECK((*checks)[0].name == "gates.check");
  CHECK((*checks)[0].where == "gates.py:3");
  CHECK((*checks)[0].sites == 2);
  CHECK((*checks)[0].recorded == 4);
  CHECK((*checks)[0].rules == 3);  // its refusals; a warning stands for none
  CHECK((*checks)[1].rules == 0);
  const Coverage coverage(*sample.pack, ~Mask{0}, 1);
  const std::string text = coverage_to_text(coverage, {}, &*checks);
  INFO(text);
  CHECK(holds(text,
              "1 of 3 have a refusal in the rules; 0 of these have more sites than rules\nNo rule stands for:\n  "
              "other.check "));
  CHECK(holds(text, "other.py:1, 1 site, 7 recorded\n  third.check"));  // the most recorded first
  CHECK(holds(coverage_to_json(coverage, {}, &*checks),
              R"({"check":"other.check","where":"other.py:1","sites":1,"recorded":7,"rules":0})"));

  // A further table may say why a check is out of a launch's reach, and add checks of its own.
  auto more =
      read_upstream_checks(head + "out-of-reach\tother.check\t\tplugins only\t0\nraise\tfourth.check\tf.py:1\tE\t1\n",
                           "more.tsv", *sample.pack, ~Mask{0});
  REQUIRE(more.ok());
  std::vector<UpstreamCheck> all = *checks;
  add_checks(std::move(*more), &all);
  REQUIRE(all.size() == 4);
  CHECK(all[1].sites == 1);
  CHECK(all[1].recorded == 7);
  const std::string whole = coverage_to_text(coverage, {}, &all);
  INFO(whole);
  CHECK(holds(whole, "1 of 4 have a refusal in the rules"));
  CHECK(holds(whole, "No rule stands for:\n  fourth.check "));
  CHECK(whole.substr(whole.find("No launch reaches:")).find("  other.check ") == 19);
  CHECK(holds(whole, "plugins only\n"));
  CHECK(holds(coverage_to_json(coverage, {}, &all), R"("rules":0,"out_of_reach":"plugins only"})"));

  struct Row {
    std::string line;
    std::string says;
  };
  const std::vector<Row> wrong = {
      {"raise\ta.b\tc:1\t5\n", "4 columns"}, {"raise\ta.b\tc:1\t\tx\n", "no number"}, {"one\n", "1 columns"}};
  for (const Row& row : wrong) {
    const auto bad = read_upstream_checks(head + row.line, "t.tsv", *sample.pack, ~Mask{0});
    INFO(row.line);
    REQUIRE_FALSE(bad.ok());
    CHECK(holds(to_text(bad.error()), "t.tsv:2"));
    CHECK(holds(bad.error().what, row.says));
  }
}

}  // namespace gonogo::test
