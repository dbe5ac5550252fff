// What a lock says of a launch of a small runtime, and what it holds a later one to.
#include "report/lock.h"

#include <string>
#include <vector>

#include "base/json.h"
#include "holds.h"
#include "report/sample.h"

namespace gonogo::test {

namespace {

using Words = std::vector<std::string>;

// "name value [typed] [rule/pass]", one a row.
std::string brief(const std::vector<LockedRow>& rows) {
  std::string out;
  for (const LockedRow& row : rows) {
    out += (out.empty() ? "" : "; ") + row.name + " " + to_json(row.value) + (row.typed ? " typed" : "");
    if (!row.rule.empty()) out += " " + row.rule + "/" + row.pass;
  }
  return out;
}

Lock lock_of(const Sample& sample) {
  Lock lock;
  lock.gonogo = "1.2";
  lock.pack = sample.pack->text(sample.pack->about->name);
  lock.hash = sample.pack->hash();
  lock.launches.push_back(locked(sample.input(), *lock.arena));
  lock.launches.back().name = name_of(*sample.pack, sample.launch);
  return lock;
}

// A launch held to what another one's lock says, by way of the lock's text.
LockAnswer held(const Sample& was, const Sample& now) {
  const auto lock = lock_of_text(*now.pack, lock_to_text(lock_of(was)), "x.lock");
  REQUIRE(lock.ok());
  Arena arena;
  LockedLaunch as_now = locked(now.input(), arena);
  as_now.name = name_of(*now.pack, now.launch);
  return compare_locked(*lock, "x.lock", lock->launches[0], as_now, now.input(), "", false);
}

}  // namespace

TEST_CASE("a lock holds what was typed and what rules changed", "[report]") {
  struct Row {
    Words words;
    std::string version;
    std::string resolved;
    Verdict verdict;
    std::string refusal;
  };
  const std::vector<Row> rows = {
      {{"--path", "/m"}, "1.0", "path \"/m\" typed; runner \"fast\" choose/fast/_choose", Verdict::kGo, ""},
      {{"--path", "/m", "--runner", "safe", "--api-key", "s3cr3t"},
       "1.0",
       "path \"/m\" typed; runner \"safe\" typed; api_key \"***\" typed",
       Verdict::kGo,
       ""},
      {{"--path", "/m", "--exchange", "deep"},
       "1.0",
       "path \"/m\" typed; runner \"fast\" choose/fast/_choose; exchange \"deep\" typed",
       Verdict::kNoGo,
       "gates/no-path"},
      {{"--path", "/m", "--size", "x"}, "1.0", "", Verdict::kNoGo, "argparse"},
      {{"--path", "hf_abcdefghijklmnopqrstuvw"},
       "2.0",
       "path \"***\" typed; runner \"fast\" choose/fast-alone/_choose",
       Verdict::kGo,
       ""},
  };
  for (const Row& row : rows) {
    const Sample sample(row.words, row.version);
    const Lock lock = lock_of(sample);
    const LockedLaunch& launch = lock.launches[0];
    CHECK(brief(launch.resolved) == row.resolved);
    CHECK(launch.verdict == row.verdict);
    CHECK(launch.version == row.version);
    CHECK(launch.parsed == (row.refusal != "argparse"));
    CHECK((launch.refusals.empty() ? "" : launch.refusals[0].rule) == row.refusal);
  }
}

TEST_CASE("a lock's text gives the lock back", "[report]") {
  const Sample sample({"--path", "/m", "--exchange", "deep", "--list", "a", "b", "--size", "3"});
  const Lock lock = lock_of(sample);
  const std::string text = lock_to_text(lock);
  const auto back = lock_of_text(*sample.pack, text, "x.lock");
  REQUIRE(back.ok());
  CHECK(lock_to_text(*back) == text);
  CHECK(back->launches[0].name == lock.launches[0].name);
  CHECK(brief(back->launches[0].resolved) == brief(lock.launches[0].resolved));
  CHECK(holds(text, "\n        \"names\": {\"value\":[\"a\", \"b\"],\"typed\":true}\n"));
  CHECK(holds(text, "\n        \"runner\": {\"value\":\"fast\",\"rule\":\"choose/fast\",\"pass\":\"_choose\"},\n"));
}

TEST_CASE("what a later launch is held to", "[report]") {
  struct Row {
    std::string name;
    Words was;
    std::string was_version;
    Words now;
    std::string now_version;
    bool same;
    Words says;
  };
  const Words plain = {"--path", "/m"};
  const std::vector<Row> rows = {
      {"the same", plain, "1.0", plain, "1.0", true, {"as locked in x.lock\n"}},
      {"the same values from another rule of another version",
       plain,
       "1.0",
       plain,
       "2.0",
       true,
       {"as locked in x.lock\n"}},
      {"what nobody chose, typed",
       plain,
       "1.0",
       {"--path", "/m", "--size", "1"},
       "1.0",
       true,
       {"as locked in x.lock\n"}},
      {"a typed value",
       plain,
       "1.0",
       {"--path", "/m", "--size", "2"},
       "1.0",
       false,
       {"not as locked in x.lock", "size  1 -> 2", "was   default", "now   you typed it"}},
      {"one that is typed no more",
       {"--path", "/m", "--size", "2"},
       "1.0",
       plain,
       "1.0",
       false,
       {"size  2 -> 1", "was   you typed it", "now   default"}},
      {"one that a rule chose",
       plain,
       "1.0",
       {"--path", "/m", "--runner", "safe"},
       "1.0",
       false,
       {"runner  fast -> safe", "was   choose/fast", "now   you typed it"}},
      {"another secret",
       {"--path", "/m", "--api-key", "s3cr3t-1"},
       "1.0",
       {"--path", "/m", "--api-key", "s3cr3t-2"},
       "1.0",
       true,
       {}},
      {"a secret that is gone",
       {"--path", "/m", "--api-key", "s3cr3t-1"},
       "1.0",
       plain,
       "1.0",
       false,
       {"api_key  *** -> None"}},
      {"a refusal",
       plain,
       "1.0",
       {"--path", "/m", "--exchange", "deep"},
       "1.0",
       false,
       {"GO -> NO-GO", "new refusal", "[gates/no-path]"}},
      {"one that is lifted",
       {"--path", "/m", "--exchange", "deep"},
       "1.0",
       {"--path", "/m", "--exchange", "deep"},
       "2.0",
       false,
       {"version 1.0 -> 2.0", "NO-GO -> GO", "lifted refusal", "runner  fast -> auto"}},
      {"one that stays",
       {"--path", "/m", "--exchange", "deep"},
       "1.0",
       {"--path", "/m", "--exchange", "deep"},
       "1.0",
       true,
       {}},
      {"a warning alone is none of its",
       {"--path", "/m", "--size", "1"},
       "1.0",
       {"--path", "/m", "--eager"},
       "1.0",
       false,
       {"eager  False -> True"}},
      {"what the parser refuses",
       plain,
       "1.0",
       {"--path", "/m", "--size", "x"},
       "1.0",
       false,
       {"GO -> NO-GO", "[argparse]"}},
      {"what it refused, and does still",
       {"--path", "/m", "--size", "x"},
       "1.0",
       {"--path", "/m", "--size", "x"},
       "1.0",
       true,
       {}},
  };
  for (const Row& row : rows) {
    const Sample was(row.was, row.was_version);
    const Sample now(row.now, row.now_version);
    const LockAnswer answer = held(was, now);
    INFO(row.name << "\n" << answer.text);
    CHECK(answer.same == row.same);
    for (const std::string& text : row.says) {
      INFO("must say: " << text);
      CHECK(holds(answer.text, text));
    }
    CHECK_FALSE(holds(answer.text + answer.json, "s3cr3t"));
    Arena arena;
    const auto json = parse_json(answer.json, "json", arena);
    REQUIRE(json.ok());
    CHECK(json->find("same")->as_bool() == row.same);
    CHECK((json->find("diff") != nullptr) == !row.same);
  }
}

TEST_CASE("files of a model have one name, however they are written", "[report]") {
  Arena arena;
  const auto name = [&](const std::string& text) { return model_files_name(*parse_json(text, "x", arena)); };
  CHECK(name(R"({"config.json": {"a": 1}})") == name("{ \"config.json\" :\n{\"a\":1} }"));
  CHECK(name(R"({"config.json": {"a": 1}})") != name(R"({"config.json": {"a": 2}})"));
  CHECK(name(R"({"config.json": {"a": 1}})").size() == 16);
  CHECK(name("{}").empty());
  CHECK(model_files_name(Value::unknown("the model")).empty());
}

}  // namespace gonogo::test
