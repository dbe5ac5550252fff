// Every fix that is printed for a recorded refusal reaches GO: its words and variables are made a new case, which is
// answered like any other.
#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "base/json.h"
#include "catch.h"
#include "cli/case_runner.h"
#include "rules/pack.h"

namespace gonogo {

namespace {

// What a search may resolve: it is bounded by number, and this is what the bounds of fixes.cpp come to.
constexpr std::size_t kMostTried = 1300;

struct Count {
  int refused = 0;
  int with_fix = 0;
  int fixes = 0;
  std::size_t most_tried = 0;
};

std::string quoted_json(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

// The case with a fix made.
std::string changed_case(const CaseRun& run, const Pack& pack, const FixTrial& trial) {
  std::string out = "{";
  for (const char* key : {"gpu", "gpus", "model", "config", "files"}) {
    if (const Value* v = run.input.find(key)) out += quoted_json(key) + ":" + to_json(*v) + ",";
  }
  out += quoted_json(pack.text(pack.about->name)) + ":" + quoted_json(pack.version(trial.version)) + ",\"argv\":[";
  for (std::size_t i = 0; i < trial.args.size(); ++i) out += (i > 0 ? "," : "") + quoted_json(trial.args[i]);
  auto env = run.env;
  for (const FixChange& c : trial.fix) {
    if (c.kind != Target::kEnv) continue;
    const std::string name(pack.text(pack.envs[c.target].name));
    env.erase(name);
    if (!c.value.is_none()) env[name] = to_str(c.value);
  }
  out += "],\"env\":{";
  for (const auto& [name, value] : env)
    out += (out.back() == '{' ? "" : ",") + quoted_json(name) + ":" + quoted_json(value);
  return out + "}}";
}

Count count_of(const std::string& name) {
  const Pack& pack = Pack::embedded();
  const std::string folder = GONOGO_TESTDATA;
  CaseRunner first(pack, "", folder + "/models", CaseFolders::Missing::kUnknown);
  CaseRunner again(pack, "", folder + "/models", CaseFolders::Missing::kUnknown);
  std::ifstream file(folder + "/conformance/" + name + ".jsonl");
  REQUIRE(file.good());
  Count count;
  for (std::string line; std::getline(file, line);) {
    Fixes fixes;
    const auto run = first.run(line, nullptr, &fixes);
    REQUIRE(run.ok());
    if (run->outcome.verdict != Verdict::kNoGo) continue;
    ++count.refused;
    count.with_fix += fixes.any() ? 1 : 0;
    count.most_tried = std::max(count.most_tried, fixes.tried);
    std::size_t shown = 0;
    for (const FixTrial& trial : fixes.trials) {
      if (!trial.enough) continue;
      ++shown;
      const std::string changed = changed_case(*run, pack, trial);
      INFO(name << " " << to_json(first.id()) << " " << changed.substr(0, 600));
      const auto answer = again.run(changed);
      REQUIRE(answer.ok());
      CHECK(answer->outcome.verdict == Verdict::kGo);
      CHECK(trial.mends.size() + trial.fix.size() <= kMostChanges);
    }
    CHECK(shown <= kMostFixes);
    count.fixes += static_cast<int>(shown);
  }
  return count;
}

}  // namespace

TEST_CASE("every fix of a recorded refusal reaches GO when it is typed", "[conformance]") {
  for (const char* name : {"resolve-0.5.21", "resolve-0.5.22", "resolve-0.5.23", "build-0.5.23", "seeds"}) {
    const Count count = count_of(name);
    INFO(name << ": " << count.refused << " refused, " << count.with_fix << " with a fix");
    CHECK(count.refused > 0);
    CHECK(count.with_fix * 10 >= count.refused * 7);
    CHECK(count.fixes >= count.with_fix);
    CHECK(count.most_tried <= kMostTried);
  }
}

}  // namespace gonogo
