// Stages, rules and actions: each test is a stage's rules and what became of a launch.
#include "engine/resolver.h"

#include "catch.h"
#include "tiny_launch.h"

namespace gonogo {
namespace {

using testing::Around;
using testing::TinyLaunch;

// A pack of two parts: `first` runs the stages main and after, `second` runs late. `extra` stages may be added.
std::string pack_of(const std::string& main, const std::string& after = "", const std::string& late = "") {
  const auto stage = [](const std::string& name, const std::string& rules) {
    return "---\nstage: " + name + "\nrules:" + (rules.empty() ? " []\n" : rules + "\n");
  };
  return R"(
pack:
  name: tiny
  versions: ["1.0", "2.0"]
  entry_points: [tiny]
  parts: {first: [main, after], second: [late]}
  models: {model: "= path", draft: "= draft_path"}
  answers: {first: {a: "= a"}, second: {a: "= a"}}
  summary: {a: "= a", seen: "= state.seen", env: "= [env.NUMBER, env_is_set('NUMBER')]", heads: "= model.heads", draft: "= draft.heads"}
flags:
- {flags: [--path], field: path, default: x}
- {flags: [--draft-path], field: draft_path, default: x-draft}
- {flags: [--a], field: a, type: int, default: 1}
- {flags: [--b], field: b, type: int, default: 2}
- {flags: [--name], field: name}
fields: {record: null}
env: {NUMBER: {type: int, default: 5}, WORD: {}}
facts:
  heads: "= config.heads"
  scaled: "= config.heads * a"
  layers: [{versions: "<2.0", value: "= 10"}, {value: "= 20"}]
functions: {broken: {value: "= [][a]"}}
state: {seen: 0}
)" + stage("main", main) +
         stage("after", after) + stage("late", late) + stage("called", R"(
- {id: called/add, set: {b: "= b + 100"}}
- {id: called/leave, when: b > 300, return: stage}
- {id: called/more, set: {b: "= b + 1000"}})");
}

struct Row {
  const char* about;
  const char* rules;
  const char* history;
};

void check_histories(const std::vector<Row>& rows, const Around& around = {}) {
  for (const Row& row : rows) {
    INFO(row.about);
    CHECK(TinyLaunch(pack_of(row.rules), {}, around).history() == row.history);
  }
}

TEST_CASE("rules run from top to bottom, and the last writer wins") {
  check_histories({
      {"in order", R"(
- {id: x, set: {a: 3}}
- {id: y, set: {a: "= a + 1"}})",
       "a=3 by x; a=4 by y"},
      {"a condition sees what was written before", R"(
- {id: x, when: a == 1, set: {a: 3}}
- {id: y, when: a == 1, set: {a: 9}}
- {id: z, when: a == 3, set: {b: 7}})",
       "a=3 by x; b=7 by z"},
      {"given and typed see what was there before resolution", R"(
- {id: x, set: {a: 3}}
- {id: y, set: {b: "= a if typed(a) else given.a"}})",
       "a=3 by x; b=1 by y"},
      {"one rule reads everything before it writes", R"(
- {id: x, set: {a: "= b", b: "= a"}})",
       "a=2 by x; b=1 by x"},
      {"a rule without an action does nothing", R"(
- {id: x, when: a == 1}
- {id: y, set: {a: 2}})",
       "a=2 by y"},
      {"a write of the same value is a declaration too", R"(
- {id: x, set: {a: 1}})",
       "a=1 by x"},
  });
}

TEST_CASE("stages run in the order of the parts, and parts keep what they ended with") {
  const TinyLaunch launch(
      pack_of("\n- {id: x, set: {a: 3}}", "\n- {id: y, set: {a: \"= a * 2\"}}", "\n- {id: z, set: {a: \"= a * 10\"}}"),
      {});
  CHECK(launch.history() == "a=3 by x; a=6 by y; a=60 by z");
  CHECK(launch.verdict() == "GO");
  REQUIRE(launch.outcome.parts.size() == 2);
  CHECK(launch.outcome.parts[0].changes == 2);
  CHECK(launch.outcome.parts[1].changes == 3);
  CHECK(testing::shown(launch.outcome.parts[0].answers.at(0).second) == "6");
  CHECK(testing::shown(launch.outcome.parts[1].answers.at(0).second) == "60");
  const std::uint32_t field = launch.outcome.history[0].field;
  CHECK(launch.rule(last_change(launch.outcome, field)->rule) == "z");
  CHECK(last_change(launch.outcome, field + 1) == nullptr);
}

TEST_CASE("several files add to a part's answers, and one that can't be computed is None") {
  const TinyLaunch launch(pack_of("\n- {id: x, set: {a: 3}}") +
                              "\n---\npack: {answers: {first: {more: \"= a + 1\", broken: \"= 1 // (a - 3)\", unknown: "
                              "\"= config.heads\"}}}"
                              "\n---\npack: {answers: {first: {a: \"= a * 100\"}}}\n",
                          {});
  std::string told;
  for (const auto& [name, value] : launch.outcome.parts[0].answers) {
    told += std::string(launch.pack.text(name)) + "=" + (value.is_unknown() ? "unknown" : testing::shown(value)) + " ";
  }
  CHECK(told == "more=4 broken=None unknown=unknown a=300 ");
}

TEST_CASE("an attempt is None where the value can't be computed, and stays unknown where a fact is missing") {
  const TinyLaunch launch(
      pack_of("") + "\n---\npack: {answers: {second: {fails: \"= attempt(1 // (a - 1))\", inside: \"= 1 + (attempt([][a]) or 5)\", "
                    "works: \"= attempt(a + 1)\", unknown: \"= attempt(config.heads)\", fact: \"= attempt(model.layers)\"}}}\n",
      {});
  std::string told;
  for (const auto& [name, value] : launch.outcome.parts[1].answers) {
    told += std::string(launch.pack.text(name)) + "=" + (value.is_unknown() ? "unknown" : testing::shown(value)) + " ";
  }
  CHECK(told == "a=1 fails=None inside=6 works=2 unknown=unknown fact=10 ");
  CHECK(launch.outcome.faults.empty());
}

TEST_CASE("groups, ladders and lets") {
  check_histories({
      {"a group's condition holds for all inside and is asked once", R"(
- when: a == 1
  rules:
  - {id: x, set: {a: 3}}
  - {id: y, set: {b: 4}})",
       "a=3 by x; b=4 by y"},
      {"a ladder takes its first branch that holds", R"(
- first:
  - {id: x, when: a == 2, set: {b: 1}}
  - {id: y, when: a == 1, set: {a: 2}}
  - {id: z, when: a == 2, set: {b: 3}}
  - {id: w, set: {b: 4}})",
       "a=2 by y"},
      {"a branch without an action stops a ladder", R"(
- first:
  - {id: x, when: a == 1}
  - {id: y, set: {b: 4}}
- {id: z, set: {b: 5}})",
       "b=5 by z"},
      {"the branch of another version is no branch", R"(
- first:
  - {id: x, versions: ">=2.0", set: {b: 3}}
  - {id: y, set: {b: 4}})",
       "b=4 by y"},
      {"let names are evaluated at their first use and keep their value", R"(
- let: {old: "= a", never: "= [][a]"}
  rules:
  - {id: x, set: {b: "= old"}}
  - {id: y, set: {a: 50}}
  - {id: z, set: {b: "= old + 1"}})",
       "b=1 by x; a=50 by y; b=2 by z"},
      {"a let name that is first used late sees the state of then", R"(
- let: {late: "= a"}
  rules:
  - {id: x, set: {a: 50}}
  - {id: y, set: {b: "= late"}})",
       "a=50 by x; b=50 by y"},
      {"let names are sequential", R"(
- let: {one: "= a", two: "= one + 1"}
  rules:
  - {id: x, set: {b: "= two"}})",
       "b=2 by x"},
      {"reads: entry sees the fields of the beginning", R"(
- reads: entry
  rules:
  - {id: x, set: {a: 10}}
  - {id: y, when: a == 1, set: {b: "= a + 1"}}
  - {id: z, set: {a: "= a + 5"}}
- {id: w, set: {b: "= a * 100"}})",
       "a=10 by x; b=2 by y; a=6 by z; b=600 by w"},
      {"each is the rule once for each value", R"(
- each: {f: [a, b], v: ["7", "8"]}
  id: set-$f
  set: {$f: "= $v"})",
       "a=7 by set-a; b=8 by set-b"},
  });
}

TEST_CASE("paths write one leaf of a record, and state is scratch") {
  const TinyLaunch launch(pack_of(R"(
- {id: p, set: {record: {x: {y: 1, z: 2}}}}
- {id: q, set: {record.x.y: 9}}
- {id: r, set: {record.new.deep: "= a", state.seen: "= state.seen + 1"}}
- {id: s, when: state.seen == 1, set: {state.seen: 5}})"),
                          {});
  CHECK(launch.history() ==
        "record={'x': {'y': 1, 'z': 2}} by p; record={'x': {'y': 9, 'z': 2}} by q; "
        "record={'x': {'y': 9, 'z': 2}, 'new': {'deep': 1}} by r");
  CHECK(launch.summary("seen") == "5");
}

TEST_CASE("a path that starts from None makes the record") {
  CHECK(TinyLaunch(pack_of("\n- {id: q, set: {record.x.y: 9}}"), {}).history() == "record={'x': {'y': 9}} by q");
}

TEST_CASE("variables that rules set are seen by what follows") {
  struct Case {
    const char* rules;
    const char* summary;
    std::map<std::string, std::string, std::less<>> env;
  };
  const std::vector<Case> rows = {
      {"", "[5, False]", {}},
      {"", "[7, True]", {{"NUMBER", "7"}}},
      {"", "[5, True]", {{"NUMBER", "seven"}}},
      {"\n- {id: x, env: {NUMBER: \"= a + 8\"}}", "[9, True]", {}},
      {"\n- {id: x, env: {NUMBER: null}}", "[5, False]", {{"NUMBER", "7"}}},
      {"\n- {id: x, env: {NUMBER: 1}}\n- {id: y, when: env_is_set('NUMBER'), env: {NUMBER: 2}}", "[2, True]", {}},
  };
  for (const Case& row : rows) {
    INFO(row.rules << " with " << row.env.size());
    Around around;
    around.env = row.env;
    CHECK(TinyLaunch(pack_of(row.rules), {}, around).summary("env") == row.summary);
  }
  const TinyLaunch launch(pack_of("\n- {id: x, env: {NUMBER: 1, WORD: null}}\n- {id: y, env: {NUMBER: true}}"), {});
  CHECK(launch.outcome.env.at("NUMBER") == "True");
  CHECK_FALSE(launch.outcome.env.at("WORD").has_value());
  CHECK(launch.rule(launch.outcome.env_by.at("NUMBER")) == "y");
  CHECK(launch.rule(launch.outcome.env_by.at("WORD")) == "x");
}

TEST_CASE("return leaves the stage or the part, and run makes a stage run now") {
  const std::string after = "\n- {id: after, set: {b: 1}}";
  const std::string late = "\n- {id: late, set: {b: 2}}";
  const auto history = [&](const std::string& main) { return TinyLaunch(pack_of(main, after, late), {}).history(); };
  CHECK(history("\n- {id: x, when: a == 1, return: stage}\n- {id: y, set: {a: 9}}") == "b=1 by after; b=2 by late");
  CHECK(history("\n- {id: x, when: a == 1, return: pipeline}\n- {id: y, set: {a: 9}}") == "b=2 by late");
  CHECK(history("\n- {id: x, set: {a: 4}, return: pipeline}\n- {id: y, set: {a: 9}}") == "a=4 by x; b=2 by late");
  CHECK(history("\n- {id: x, when: a == 7, return: pipeline}\n- {id: y, set: {a: 9}}") ==
        "a=9 by y; b=1 by after; b=2 by late");
  CHECK(history("\n- rules: [{id: x, return: stage}]\n- {id: y, set: {a: 9}}") == "b=1 by after; b=2 by late");
  CHECK(history("\n- first: [{id: x, return: stage}]\n- {id: y, set: {a: 9}}") == "b=1 by after; b=2 by late");
  check_histories({
      {"a return inside a stage that was run ends that stage alone", R"(
- {id: x, run: called}
- {id: y, run: called}
- {id: z, set: {a: 5}})",
       "b=102 by called/add; b=1102 by called/more; b=1202 by called/add; a=5 by z"},
      {"a return: stage behind a run leaves the outer stage", R"(
- {id: x, run: called, return: stage}
- {id: z, set: {a: 5}})",
       "b=102 by called/add; b=1102 by called/more"},
  });
}

TEST_CASE("a rule or value of another version is not there") {
  const std::string rules = R"(
- {id: x, versions: "<2.0", set: {a: 3}}
- versions: ">=2.0"
  rules:
  - {id: y, set: {a: 4}}
  - {id: z, versions: "<2.0", set: {a: 5}}
- {id: w, set: {b: "= model.layers"}})";
  Around around;
  CHECK(TinyLaunch(pack_of(rules), {}, around).history() == "a=3 by x; b=10 by w");
  around.version = "2.0";
  CHECK(TinyLaunch(pack_of(rules), {}, around).history() == "a=4 by y; b=20 by w");
}

TEST_CASE("facts are about the model or the draft, and frozen at their first use") {
  Around around;
  around.config = R"({"heads": 8})";
  around.draft_config = R"({"heads": 2})";
  const TinyLaunch launch(pack_of(R"(
- {id: x, set: {a: 3}}
- {id: y, set: {b: "= model.scaled"}}
- {id: z, set: {a: 100}}
- {id: w, set: {b: "= model.scaled + 1"}}
- {id: v, set: {b: "= draft.scaled"}})"),
                          {}, around);
  CHECK(launch.history() == "a=3 by x; b=24 by y; a=100 by z; b=25 by w; b=200 by v");
  CHECK(launch.summary("heads") == "8");
  CHECK(launch.summary("draft") == "2");
}

struct Verdicts {
  const char* about;
  const char* rules;
  const char* findings;
  const char* verdict;
};

void check_verdicts(const std::vector<Verdicts>& rows) {
  for (const Verdicts& row : rows) {
    INFO(row.about);
    const TinyLaunch launch(pack_of(row.rules), {});
    CHECK(launch.findings() == row.findings);
    CHECK(launch.verdict() == row.verdict);
  }
}

TEST_CASE("refusals decide, warnings do not, and all are told in order") {
  check_verdicts({
      {"nothing", "", "", "GO"},
      {"a refusal", "\n- {id: x, when: a == 1, fail: \"a is {a}, {{so}}\"}", "a is 1, {so}", "NO-GO"},
      {"one that does not hold", "\n- {id: x, when: a == 2, fail: no}", "", "GO"},
      {"warnings", "\n- {id: x, warn: w}\n- {id: y, inert: i, flag: a}\n- {id: z, advise: \"v {name} {1 / 2}\"}",
       "w; i; v None 0.5", "GO"},
      {"one refusal behind another", "\n- {id: x, fail: one}\n- {id: y, fail: two}\n- {id: z, warn: w}",
       "one; two~; w~", "NO-GO"},
      {"a write behind a refusal still counts for what follows",
       "\n- {id: x, fail: one, return: stage}\n- {id: y, fail: two}", "one", "NO-GO"},
  });
}

TEST_CASE("a refusal names its part, and the parts behind it are not reached") {
  const TinyLaunch launch(
      pack_of("\n- {id: x, warn: w}", "\n- {id: y, fail: one}\n- {id: z, fail: two}", "\n- {id: l, fail: three}"), {});
  CHECK(launch.findings() == "w; one; two~; three~");
  REQUIRE(launch.outcome.parts.size() == 2);
  CHECK(launch.outcome.parts[0].reached);
  CHECK(launch.outcome.parts[0].refused_by == 1u);
  CHECK_FALSE(launch.outcome.parts[1].reached);
  CHECK(launch.outcome.findings[3].part == 1u);
}

TEST_CASE("a refusal behind an unknown condition is uncertain and makes the verdict UNKNOWN") {
  check_verdicts({
      {"a refusal", "\n- {id: x, when: gpu.count > 1, fail: f}", "f?", "UNKNOWN"},
      {"a warning is left out", "\n- {id: x, when: gpu.count > 1, warn: w}", "", "GO"},
      {"a group", "\n- when: gpu.count > 1\n  rules: [{id: x, fail: f}, {id: y, when: a == 2, fail: g}]", "f?",
       "UNKNOWN"},
      {"one that is decided anyway", "\n- {id: x, when: gpu.count > 1 and a == 2, fail: f}", "", "GO"},
      {"a certain refusal decides", "\n- {id: x, when: gpu.count > 1, fail: f}\n- {id: y, fail: g}", "f?; g", "NO-GO"},
      {"behind a certain refusal", "\n- {id: x, fail: f}\n- {id: y, when: gpu.count > 1, fail: g}", "f; g?~", "NO-GO"},
      {"the branch behind an unknown branch",
       "\n- first: [{id: x, when: gpu.count > 1, set: {b: 3}}, {id: y, fail: f}]", "f?", "UNKNOWN"},
      {"not a branch that does not hold",
       "\n- first: [{id: x, when: gpu.count > 1, set: {b: 3}}, {id: y, when: a == 2, fail: f}]", "", "GO"},
      {"behind a return that may have happened", "\n- {id: x, when: gpu.count > 1, return: stage}\n- {id: y, fail: f}",
       "f?", "UNKNOWN"},
      {"a field that became unknown", "\n- {id: x, when: gpu.count > 1, set: {b: 3}}\n- {id: y, when: b == 3, fail: f}",
       "f?", "UNKNOWN"},
      {"a field that became unknown and was set again",
       "\n- {id: x, when: gpu.count > 1, set: {b: 3}}\n- {id: z, set: {b: 4}}\n- {id: y, when: b == 3, fail: f}", "",
       "GO"},
  });
  const TinyLaunch launch(pack_of("\n- {id: x, when: gpu.count > 1, fail: f}\n- {id: y, when: config.k, fail: g}\n- "
                                  "{id: z, when: gpu.cc > 1, fail: h}"),
                          {});
  CHECK(launch.outcome.missing == std::vector<std::string>{"the GPUs (--gpu)", "the config"});
  CHECK(launch.outcome.findings.at(0).depends_on == "the GPUs (--gpu)");
}

TEST_CASE("an unknown condition makes the fields that it guards unknown, and no others") {
  check_histories({
      {"one rule", "\n- {id: x, when: gpu.count > 1, set: {b: 3}}", "b=unknown by x"},
      {"what is inside a group",
       "\n- when: gpu.count > 1\n  rules: [{id: x, set: {b: 3}}, {id: y, when: a == 2, set: {a: 3}}]\n- {id: z, set: "
       "{a: 4}}",
       "b=unknown by x; a=4 by z"},
      {"below an unknown branch",
       "\n- first: [{id: x, when: gpu.count > 1, set: {b: 3}}, {id: y, set: {a: 3}}]\n- {id: z, set: {b: 4}}",
       "b=unknown by x; a=unknown by y; b=4 by z"},
      {"below an unknown branch, up to the first that holds",
       "\n- first: [{id: x, when: gpu.count > 1}, {id: y, set: {a: 3}}, {id: z, set: {b: 3}}]", "a=unknown by y"},
      {"behind a return that may have happened, to the end of the stage",
       "\n- {id: x, when: gpu.count > 1, return: stage}\n- {id: y, set: {a: 3}}", "a=unknown by y"},
      {"an unknown value", "\n- {id: x, set: {b: \"= gpu.count\"}}", "b=unknown by x"},
      {"a leaf of a record",
       "\n- {id: x, set: {record: {k: 1}}}\n- {id: y, when: gpu.count > 1, set: {record.k: 2}}\n- {id: z, set: {b: \"= "
       "record.other or 0\"}}",
       "record={'k': 1} by x; record={'k': <unknown: the GPUs (--gpu)>} by y; b=0 by z"},
  });
  const std::string leave = "\n- {id: x, when: gpu.count > 1, return: pipeline}\n- {id: y, set: {a: 3}}";
  CHECK(TinyLaunch(pack_of(leave, "\n- {id: after, set: {b: 1}}", "\n- {id: late, set: {b: 2}}"), {}).history() ==
        "a=unknown by y; b=unknown by after; b=2 by late");
  const std::string stage = "\n- {id: x, when: gpu.count > 1, return: stage}\n- {id: y, set: {a: 3}}";
  CHECK(TinyLaunch(pack_of(stage, "\n- {id: after, set: {b: 1}}"), {}).history() == "a=unknown by y; b=1 by after");
}

TEST_CASE("a rule that Python would refuse to evaluate is a fault with its id, and the verdict is UNKNOWN") {
  struct Fault {
    const char* about;
    const char* rules;
    std::vector<std::string> faults;
    const char* verdict;
  };
  const std::vector<Fault> rows = {
      {"a condition", "\n- {id: x, when: record < 3, fail: f}", {"x: TypeError: these types have no order"}, "UNKNOWN"},
      {"of a rule that would only warn",
       "\n- {id: x, when: record < 3, warn: w}",
       {"x: TypeError: these types have no order"},
       "UNKNOWN"},
      {"a value", "\n- {id: x, set: {b: \"= broken()\"}}", {"x: IndexError: the index is out of range"}, "UNKNOWN"},
      {"a variable", "\n- {id: x, env: {NUMBER: \"= a // 0\"}}", {"x: ZeroDivisionError: division by zero"}, "UNKNOWN"},
      {"not behind a refusal", "\n- {id: r, fail: f}\n- {id: x, when: record < 3, warn: w}", {}, "NO-GO"},
      {"not where the rule may not run",
       "\n- {id: r, when: gpu.count > 1, rules: [{id: x, when: record < 3, warn: w}]}",
       {},
       "GO"},
      {"not where it is not reached", "\n- {id: x, when: a == 2 and record < 3, warn: w}", {}, "GO"},
      {"a refusal elsewhere still decides",
       "\n- {id: x, when: record < 3, warn: w}\n- {id: r, fail: f}",
       {"x: TypeError: these types have no order"},
       "NO-GO"},
  };
  for (const Fault& row : rows) {
    INFO(row.about);
    const TinyLaunch launch(pack_of(row.rules), {});
    CHECK(launch.outcome.faults == row.faults);
    CHECK(launch.verdict() == row.verdict);
  }
}

TEST_CASE("a finding tells what its conditions read, each name once, and nothing is evaluated for it") {
  Around around;
  around.config = R"({"heads": 8})";
  const TinyLaunch launch(pack_of(R"(
- when: a == 1
  let: {double: "= a * 2"}
  rules:
  - {id: x, when: (a < 5 or model.heads == 7) and double == 2, fail: f, fix: [{a: "= b"}, {b: null, env: {NUMBER: 1}}, {version: ">=2.0"}]})"),
                          {}, around);
  REQUIRE(launch.outcome.findings.size() == 1);
  const Finding& finding = launch.outcome.findings[0];
  REQUIRE(finding.evidence.size() == 2);
  CHECK(testing::shown(finding.evidence[0].value) == "1");
  CHECK(testing::shown(finding.evidence[1].value) == "2");
  REQUIRE(finding.fixes.size() == 3);
  CHECK(testing::shown(finding.fixes[0].at(0).value) == "2");
  CHECK(finding.fixes[1].size() == 2);
  CHECK(finding.fixes[1][0].value.is_none());
  CHECK(finding.fixes[2].at(0).kind == Target::kVersion);
}

}  // namespace
}  // namespace gonogo
