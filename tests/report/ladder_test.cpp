// How far a launch would get, from its findings alone.
#include "report/ladder.h"

#include <string>
#include <vector>

#include "catch.h"
#include "report/sample.h"

namespace gonogo::test {

namespace {

Finding finding(Phase phase, bool certain, Action kind = Action::kFail, bool behind = false) {
  Finding f;
  f.kind = kind;
  f.phase = phase;
  f.certain = certain;
  f.behind_failure = behind;
  return f;
}

std::string climbed(Verdict verdict, std::vector<Finding> findings) {
  Outcome outcome;
  outcome.verdict = verdict;
  outcome.findings = std::move(findings);
  return ladder_text(ladder_of(outcome), false);
}

}  // namespace

TEST_CASE("the first certain refusal ends the climb", "[report]") {
  struct Row {
    const char* about;
    Verdict verdict;
    std::vector<Finding> findings;
    const char* text;
  };
  const std::vector<Row> rows = {
      {"nothing found", Verdict::kGo, {}, "parse ✓  resolve ✓  init ✓  weights ✓  forward ✓  late ✓"},
      {"a warning passes",
       Verdict::kGo,
       {finding(Phase::kForward, true, Action::kWarn)},
       "parse ✓  resolve ✓  init ✓  weights ✓  forward ✓  late ✓"},
      {"the parser",
       Verdict::kNoGo,
       {finding(Phase::kParse, true)},
       "parse ✗  resolve –  init –  weights –  forward –  late –"},
      {"a model that can't be built",
       Verdict::kNoGo,
       {finding(Phase::kInit, true), finding(Phase::kForward, true, Action::kFail, true)},
       "parse ✓  resolve ✓  init ✗  weights –  forward –  late –"},
      {"the order of findings is not the order of phases",
       Verdict::kNoGo,
       {finding(Phase::kForward, true), finding(Phase::kWeights, true)},
       "parse ✓  resolve ✓  init ✓  weights ✗  forward –  late –"},
      {"a running server",
       Verdict::kNoGo,
       {finding(Phase::kLate, true)},
       "parse ✓  resolve ✓  init ✓  weights ✓  forward ✓  late ✗"},
      {"a possible refusal leaves what follows open",
       Verdict::kUnknown,
       {finding(Phase::kWeights, false)},
       "parse ✓  resolve ✓  init ✓  weights ?  forward ?  late ?"},
      {"a certain one behind it",
       Verdict::kNoGo,
       {finding(Phase::kInit, false), finding(Phase::kForward, true)},
       "parse ✓  resolve ✓  init ?  weights ?  forward ✗  late –"},
      {"a certain one before it",
       Verdict::kNoGo,
       {finding(Phase::kInit, true), finding(Phase::kForward, false)},
       "parse ✓  resolve ✓  init ✗  weights –  forward –  late –"},
      {"unknown without a refusal", Verdict::kUnknown, {}, "parse ✓  resolve ?  init ?  weights ?  forward ?  late ?"},
  };
  for (const Row& row : rows) {
    INFO(row.about);
    CHECK(climbed(row.verdict, row.findings) == row.text);
  }
}

TEST_CASE("colour marks the rungs and changes no word", "[report]") {
  Outcome outcome;
  outcome.verdict = Verdict::kNoGo;
  outcome.findings = {finding(Phase::kWeights, true)};
  std::string plain = ladder_text(ladder_of(outcome), true);
  CHECK(plain.find("weights \033[1;31m✗\033[0m") != std::string::npos);
  for (std::size_t at = plain.find('\033'); at != std::string::npos; at = plain.find('\033')) {
    plain.erase(at, plain.find('m', at) - at + 1);
  }
  CHECK(plain == ladder_text(ladder_of(outcome), false));
}

TEST_CASE("both reports carry the ladder", "[report]") {
  const Sample sample({"--path", "/m", "--exchange", "deep"});
  CHECK(sample.text().find("\n  parse ✓  resolve ✓  init ✗  weights –  forward –  late –\n") != std::string::npos);
  CHECK(sample.json().find(R"("phases":{"parse":"passed","resolve":"passed","init":"refused",)"
                           R"("weights":"not reached","forward":"not reached","late":"not reached"})") !=
        std::string::npos);
}

}  // namespace gonogo::test
