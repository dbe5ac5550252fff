// Rules at work: testdata/rule_examples.jsonl, as scripts/rule_examples.py finds it, holds for a rule a recorded launch
// in which it acts and a close one in which it does not. ignored_flags.jsonl and late_refusals.jsonl hold launches
// written for rules about what no recording tells.
#include <fstream>
#include <string>
#include <vector>

#include "base/json.h"
#include "catch.h"
#include "cli/case_runner.h"
#include "report/coverage.h"
#include "rules/pack.h"

using namespace gonogo;

namespace {

constexpr std::size_t kFewestPairs = 1000;  // rules with both; may rise and never fall
constexpr std::size_t kFewestIgnored = 40;
constexpr std::size_t kFewestLate = 20;

// Whether any of the rules with this id acts in a case; says so where the case can't be run.
bool acts(CaseRunner* runner, const std::string& id, const Value& example) {
  const Pack& pack = Pack::embedded();
  std::vector<bool> acted;
  const auto run = runner->run(to_json(example), &acted);
  if (!run) FAIL_CHECK(to_text(run.error()));
  for (std::uint32_t i = 0; i < acted.size(); ++i) {
    if (acted[i] && is_covered_rule(pack.rules[i]) && pack.text(pack.rules[i].id) == id) return true;
  }
  return false;
}

// Runs the examples of a file of testdata; how many rules have both.
std::size_t check_examples(const std::string& name) {
  std::ifstream file(std::string(GONOGO_TESTDATA) + "/" + name);
  REQUIRE(file.good());
  CaseRunner runner(Pack::embedded(), "", std::string(GONOGO_TESTDATA) + "/models", CaseFolders::Missing::kError);
  std::string wrong;  // one text, so that a rule that was renamed is not hidden among a thousand good ones
  std::size_t pairs = 0;
  for (std::string line; std::getline(file, line);) {
    Arena arena;
    const auto row = parse_json(line, name, arena);
    REQUIRE(row.ok());
    const std::string id(row->find("rule")->as_str());
    const Value* fires = row->find("fires");
    const Value* rests = row->find("rests");
    REQUIRE(fires != nullptr);
    if (Pack::embedded().find_rule(id) == kNoIndex) {
      wrong += id + " is no rule; scripts/rule_examples.py finds examples anew\n";
      continue;
    }
    if (!acts(&runner, id, *fires)) wrong += id + " does not act in " + to_str(*fires->find("id")) + "\n";
    if (rests == nullptr) continue;
    ++pairs;
    if (acts(&runner, id, *rests)) wrong += id + " acts in " + to_str(*rests->find("id")) + "\n";
  }
  CHECK(wrong == "");
  return pairs;
}

}  // namespace

TEST_CASE("each rule with examples acts in one and rests in the other", "[conformance]") {
  CHECK(check_examples("rule_examples.jsonl") >= kFewestPairs);
}

// Flags without effect, and what a server finds out after it is built: launches written for each rule.
TEST_CASE("what is found out late has a launch on each side", "[conformance]") {
  CHECK(check_examples("ignored_flags.jsonl") >= kFewestIgnored);
  CHECK(check_examples("late_refusals.jsonl") >= kFewestLate);
}
