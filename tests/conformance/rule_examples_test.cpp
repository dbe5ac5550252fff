// Rules at work: testdata/rule_examples.jsonl, as scripts/rule_examples.py finds it, holds for each rule a launch in
// which it acts and a close one in which it does not; ignored_flags.jsonl and late_refusals.jsonl hold launches that
// were written for rules about what no recording tells. What lacks either is named in rule_exceptions.jsonl.
// ignored_settings.jsonl lists what SGLang 0.5.23 was found to ignore or to replace, with the rules that say so.
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/json.h"
#include "catch.h"
#include "cli/case_runner.h"
#include "report/coverage.h"
#include "rules/pack.h"

using namespace gonogo;

namespace {

constexpr std::size_t kFewestPairs = 1900;   // rules with both; may rise and never fall
constexpr std::size_t kMostExceptions = 13;  // with a reason; may fall and never rise
constexpr std::size_t kMostUnsought = 0;     // new rules that nobody has looked for yet; may fall and never rise
constexpr std::string_view kUnsought = "not looked for";
constexpr std::size_t kIgnoredSettings = 143;  // that were found in SGLang's source
constexpr std::size_t kMostWithoutRule = 11;   // of them, each with its reason; may fall and never rise

// Where pairs of launches are.
const std::vector<std::string> kPairFiles = {"rule_examples.jsonl", "ignored_flags.jsonl", "late_refusals.jsonl"};

std::string testdata(const std::string& name) { return std::string(GONOGO_TESTDATA) + "/" + name; }

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

// What a rule lacks, by its id: "fires" or "rests"; nothing of a rule that has both.
using Lacking = std::map<std::string, std::string>;

Lacking rules_of(const Pack& pack) {
  Lacking out;
  for (const RuleRec& rule : pack.rules) {
    if (is_covered_rule(rule)) out[std::string(pack.text(rule.id))] = "fires";
  }
  return out;
}

std::string listed(const Lacking& lacking) {
  std::string out;
  for (const auto& [rule, what] : lacking) out += rule + " lacks " + what + "\n";
  return out;
}

}  // namespace

TEST_CASE("each rule acts in one launch and rests in a close one", "[conformance]") {
  CaseRunner runner(Pack::embedded(), "", testdata("models"), CaseFolders::Missing::kError);
  std::string wrong;  // one text, so that a rule that was renamed is not hidden among a thousand good ones
  std::size_t pairs = 0;
  Lacking lacking = rules_of(Pack::embedded());
  for (const std::string& name : kPairFiles) {
    std::ifstream file(testdata(name));
    REQUIRE(file.good());
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
      if (rests == nullptr && lacking.count(id) > 0) lacking[id] = "rests";
      if (rests == nullptr) continue;
      pairs += lacking.erase(id);
      if (acts(&runner, id, *rests)) wrong += id + " acts in " + to_str(*rests->find("id")) + "\n";
    }
  }
  CHECK(wrong == "");
  CHECK(pairs >= kFewestPairs);

  std::ifstream exceptions(testdata("rule_exceptions.jsonl"));
  REQUIRE(exceptions.good());
  std::size_t excused = 0;
  std::size_t unsought = 0;
  std::string stale;
  for (std::string line; std::getline(exceptions, line);) {
    Arena arena;
    const auto row = parse_json(line, "rule_exceptions.jsonl", arena);
    REQUIRE(row.ok());
    const std::string id(row->find("rule")->as_str());
    const std::string reason(row->find("because")->as_str());
    const auto rule = lacking.find(id);
    if (rule == lacking.end() || rule->second != row->find("lacks")->as_str()) {
      stale += id + " is excused for what it does not lack\n";
      continue;
    }
    CHECK(!reason.empty());
    ++(reason == kUnsought ? unsought : excused);
    lacking.erase(rule);
  }
  INFO("write launches for these, one a line, and run scripts/rule_examples.py build/release/gonogo testdata FILE");
  CHECK(listed(lacking) == "");
  CHECK(stale == "");
  CHECK(excused <= kMostExceptions);
  CHECK(unsought <= kMostUnsought);
}

TEST_CASE("each setting that the runtime ignores has rules that say so, or a reason why none does", "[conformance]") {
  std::set<std::string> paired;
  for (const std::string& name : kPairFiles) {
    std::ifstream file(testdata(name));
    for (std::string line; std::getline(file, line);) {
      Arena arena;
      const auto row = parse_json(line, name, arena);
      REQUIRE(row.ok());
      if (row->find("rests") != nullptr) paired.insert(to_str(*row->find("rule")));
    }
  }
  std::ifstream file(testdata("ignored_settings.jsonl"));
  REQUIRE(file.good());
  std::size_t entries = 0;
  std::size_t without = 0;
  for (std::string line; std::getline(file, line);) {
    Arena arena;
    const auto row = parse_json(line, "ignored_settings.jsonl", arena);
    REQUIRE(row.ok());
    ++entries;
    INFO(line);
    CHECK(row->find("entry")->as_int() == static_cast<std::int64_t>(entries));
    const Value* rules = row->find("rules");
    const Value* reason = row->find("because");
    CHECK((rules == nullptr) != (reason == nullptr));
    if (rules == nullptr) {
      ++without;
      CHECK((reason != nullptr && !reason->as_str().empty()));
      continue;
    }
    CHECK(rules->size() > 0);
    for (std::uint32_t i = 0; i < rules->size(); ++i) {
      const std::string rule = to_str((*rules)[i]);
      INFO(rule);
      CHECK(Pack::embedded().find_rule(rule) != kNoIndex);
      CHECK(paired.count(rule) == 1);
    }
  }
  CHECK(entries == kIgnoredSettings);
  CHECK(without <= kMostWithoutRule);
}
