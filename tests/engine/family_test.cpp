// What is done in advance for launches that differ in some fields comes out as if each were resolved alone. Each row is
// a stage; the last stage refuses with another rule for each value of `b`, so that the answer tells what `b` became.
#include "engine/family.h"

#include "catch.h"
#include "tiny_launch.h"

namespace gonogo {
namespace {

using testing::Around;
using testing::compiled_or_throw;
using testing::TinyHost;
using testing::TinyModels;

std::string pack_of(const std::string& main) {
  std::string out = R"(
pack:
  name: tiny
  versions: ["1.0", "2.0"]
  entry_points: [tiny]
  parts: {first: [main], second: [late]}
  models: {model: "= path", draft: "= draft_path"}
  answers: {first: {a: "= model.answer"}, second: {a: "= a"}}
flags:
- {flags: [--path], field: path, default: x}
- {flags: [--draft-path], field: draft_path, default: x-draft}
- {flags: [--a], field: a, type: int, default: 1}
- {flags: [--b], field: b, type: int, default: 2}
- {flags: [--c], field: c, type: int, default: 5}
- {flags: [--name], field: name}
fields: {record: null}
env: {NUMBER: {type: int, default: 5}, WORD: {}}
facts:
  heads: "= config.heads"
  scaled: "= c * 10"
  of_a: "= a * 10"
  answer: "= c * 100"
  above: "= model.scaled + 1"
functions:
  twice: {args: [x], value: "= x * 2"}
  broken: {value: "= [][a]"}
  scaled_up: {value: "= model.scaled + a"}
state: {seen: 0}
---
stage: called
rules:
- {id: called/leave, when: a == 2, return: stage}
- {id: called/add, set: {b: "= b + 3"}}
---
stage: main
rules:)" + main + R"(
---
stage: late
rules:)";
  for (int i = 0; i < 70; ++i) {
    const std::string n = std::to_string(i);
    out += "\n- {id: late/b" + n + ", when: b == " + n + ", fail: b is " + n + "}";
  }
  return out;
}

std::string told(const Pack& pack, Verdict verdict, std::uint32_t rule, const std::string& needs) {
  if (verdict == Verdict::kGo) return "GO";
  return verdict == Verdict::kNoGo ? std::string(pack.text(pack.rules[rule].id)) : "? " + needs;
}

struct Compared {
  std::string together;
  std::string alone;
  std::size_t remaining = 0;
  std::size_t rules = 0;
};

// The answers for all of a in 0..4 and, where `open_b`, b in 0..2.
Compared compare(const std::string& main, const Around& around, bool open_b) {
  const std::string blob = compiled_or_throw(pack_of(main));
  const Pack pack = *Pack::open(blob);
  TinyModels models(around);
  TinyHost host;
  World world;
  if (around.gpu) world.gpu = GpuFacts{"Ten", "nvidia", 9, 0, 1000, 10, 8};
  world.env = around.env;
  world.models = &models;
  world.host = &host;
  Runtime runtime(pack, pack.version_index(around.version));
  Arena arena;
  const Given given = default_given(pack, runtime.version(), arena);
  std::vector<std::uint32_t> open{pack.find_field("a")};
  if (open_b) open.push_back(pack.find_field("b"));
  Family family(runtime, world, given, open);
  Compared out;
  out.remaining = family.remaining();
  out.rules = pack.rules.size();
  for (int a = 0; a <= 4; ++a) {
    for (int b = 0; b <= (open_b ? 2 : 0); ++b) {
      const Family::Member members[] = {{Value::integer(a), true}, {Value::integer(b), b > 0}};
      const Family::Answer answer = family.decide({members, open.size()});
      out.together += told(pack, answer.verdict, answer.rule, answer.needs) + "; ";
      Given own = copy_of(given, arena);
      for (std::size_t i = 0; i < open.size(); ++i) {
        own.values[open[i]] = members[i].value;
        own.origins[open[i]].typed = members[i].typed;
      }
      const Outcome alone = resolve(runtime, world, own, arena, {.evidence = false, .until_refused = true});
      const std::string needs = !alone.missing.empty()  ? alone.missing.front()
                                : !alone.faults.empty() ? alone.faults.front()
                                                        : "";
      const std::uint32_t rule = alone.findings.empty() ? kNoIndex : alone.findings.back().rule;
      out.alone += told(pack, alone.verdict, alone.verdict == Verdict::kNoGo ? rule : kNoIndex, needs) + "; ";
    }
  }
  return out;
}

struct Row {
  const char* about;
  const char* rules;
};

const Row kRows[] = {
    {"nothing reads what is open", R"(
- {id: x, when: c == 5, set: {b: 7}}
- {id: y, when: c == 6, set: {b: 8}})"},
    {"a condition reads it", R"(
- {id: x, when: a == 1, set: {b: 7}}
- {id: y, when: b == 7, set: {b: 9}})"},
    {"a value reads it", R"(
- {id: x, set: {b: "= a + 10"}}
- {id: y, when: b > 12, set: {c: 6}}
- {id: z, when: c == 6, set: {b: 20}})"},
    {"whether it was typed", R"(
- {id: x, when: typed(b), set: {b: 30}})"},
    {"what was given, after it was overwritten", R"(
- {id: x, set: {a: 9}}
- {id: y, when: given.a == 3, set: {b: "= a"}})"},
    {"a ladder with an open branch", R"(
- id: f
  first:
  - {id: f/1, when: c == 6, set: {b: 1}}
  - {id: f/2, when: a == 2, set: {b: 11}}
  - {id: f/3, when: c == 5, set: {b: 12}}
  - {id: f/4, set: {b: 13}})"},
    {"a ladder's open branch without an action", R"(
- id: f
  first:
  - {id: f/1, when: a >= 3}
  - {id: f/2, set: {b: 12}})"},
    {"a group under an open condition, and what follows", R"(
- id: g
  when: a > 1
  rules:
  - {id: g/1, when: c == 5, set: {c: 6}}
  - {id: g/2, when: c == 6, set: {b: 21}}
- {id: y, when: c == 6, set: {b: "= b + 1"}})"},
    {"a group that reads the state as it was", R"(
- id: g
  reads: entry
  rules:
  - {id: g/1, when: a == 2, set: {b: 11, c: 1}}
  - {id: g/2, when: b == 11, set: {b: 50}}
  - {id: g/3, when: c == 5, set: {b: "= b + 20"}}
- {id: y, when: c == 1, set: {b: "= b + 1"}})"},
    {"a stage left under an open condition", R"(
- {id: x, when: a == 3, return: stage}
- {id: y, set: {b: 31}})"},
    {"a part left under an open condition", R"(
- {id: x, when: a == 3, return: pipeline}
- {id: y, set: {b: 31}})"},
    {"a stage that is run from another", R"(
- {id: x, run: called}
- {id: y, when: a == 4, run: called}
- {id: z, set: {b: "= b + 1"}})"},
    {"a fact that is first read under an open condition, before what it reads changes", R"(
- {id: x, when: a == 2 and model.scaled == 50, set: {b: 11}}
- {id: y, set: {c: 6}}
- {id: z, set: {b: "= model.scaled - 10 if a != 2 else model.scaled"}})"},
    {"the same, read by a rule that is no longer open", R"(
- {id: x, when: a == 2 and model.scaled == 50, set: {state.seen: 1}}
- {id: y, set: {c: 6}}
- {id: z, when: model.scaled == 60, set: {b: 41}}
- {id: w, when: model.scaled == 50, set: {b: 42}})"},
    {"a fact behind a fact and a function", R"(
- {id: x, when: a == 2 and scaled_up() == 52, set: {b: 9}}
- {id: y, set: {c: 6}}
- {id: z, set: {b: "= model.above"}})"},
    {"a fact read in a group that not every launch enters", R"(
- id: g
  when: a == 1
  rules:
  - {id: g/1, when: model.scaled == 50, set: {record: 1}}
- {id: y, set: {c: 6}}
- {id: z, set: {b: "= model.scaled"}})"},
    {"a fact of what is open", R"(
- {id: x, when: model.of_a == 20, set: {b: 11}}
- {id: y, set: {a: 3}}
- {id: z, set: {b: "= model.of_a + b"}})"},
    {"a fact that a part's answer is the first to read", R"(
- {id: x, when: a == 1, set: {c: 0}}
- {id: y, when: c == 0, set: {b: 3}})"},
    {"a let name, before and after what it reads changes", R"(
- id: g
  let: {n: "= c + 1"}
  rules:
  - {id: g/1, when: a == 2 and n == 6, set: {record: 1}}
  - {id: g/2, set: {c: 9}}
  - {id: g/3, set: {b: "= n"}})"},
    {"a let name that all have read by then", R"(
- id: g
  let: {n: "= c + 1"}
  rules:
  - {id: g/1, when: n == 6, set: {record: 1}}
  - {id: g/2, set: {c: 9}}
  - {id: g/3, when: a > 1, set: {b: "= n + a"}})"},
    {"a let name of what is open, bound twice", R"(
- {id: x, let: {n: "= a * 2"}, when: n > 3, set: {b: "= n"}}
- {id: y, let: {m: "= b + 1"}, when: m > 5, set: {b: "= twice(a) + m"}})"},
    {"state that rules pass on", R"(
- {id: x, when: a > 2, set: {state.seen: 3}}
- {id: y, set: {b: "= state.seen + 10"}})"},
    {"one leaf of a record", R"(
- {id: x, set: {record: {one: 1, two: 2}}}
- {id: y, set: {record.one: "= a"}}
- {id: z, set: {b: "= record.one + record.two"}})"},
    {"a variable that a rule sets", R"(
- {id: x, when: a == 2, env: {NUMBER: "= 17"}}
- {id: y, set: {b: "= env.NUMBER"}}
- {id: z, env: {NUMBER: "= 18"}}
- {id: w, when: a == 3, set: {b: "= env.NUMBER"}})"},
    {"a refusal of some, and one of all the others", R"(
- {id: x, when: a == 2, fail: two}
- {id: y, when: a < 2 or a > 2, fail: not two}
- {id: z, fail: never})"},
    {"a refusal of all ends it", R"(
- {id: x, when: c == 5, fail: five}
- {id: y, when: a == 1, fail: one})"},
    {"what can't be evaluated for some", R"(
- {id: x, when: broken() == 1 and a == 1, set: {b: 3}}
- {id: y, when: 1 / a > 0.4, set: {b: 4}})"},
    {"a doubt for some", R"(
- {id: x, when: a == 2, unknown: "what two means"}
- {id: y, when: a > 0, fail: positive})"},
    {"what nobody knows", R"(
- {id: x, when: a == 2 and gpu.major == 9, fail: two}
- {id: y, when: a == 3 and model.heads == 4, set: {b: 33}})"},
    {"warnings decide nothing", R"(
- {id: x, when: a == 2, warn: two}
- {id: y, when: c == 5, warn: five}
- {id: z, when: a == 2 and model.scaled == 50, inert: nothing}
- {id: w, set: {c: 6}}
- {id: v, set: {b: "= model.scaled"}})"},
};

}  // namespace

TEST_CASE("launches that share what they have in common are answered as if alone", "[engine]") {
  const Around rounds[] = {{}, {.version = "2.0", .gpu = true, .config = R"({"heads": 4})", .env = {{"NUMBER", "40"}}}};
  for (const Row& row : kRows) {
    for (const Around& around : rounds) {
      for (const bool open_b : {false, true}) {
        INFO(row.about << (around.gpu ? ", with a GPU" : "") << (open_b ? ", b is open too" : ""));
        const Compared ran = compare(row.rules, around, open_b);
        CHECK(ran.together == ran.alone);
      }
    }
  }
}

TEST_CASE("what is the same in all launches does not remain", "[engine]") {
  const Around around{.gpu = true, .config = R"({"heads": 4})"};
  // 70 rules ask for b; where it does not depend on a, one refuses all.
  const Compared closed = compare(kRows[0].rules, around, false);
  CHECK(closed.together == "late/b7; late/b7; late/b7; late/b7; late/b7; ");
  CHECK(closed.remaining == 3);  // both stages and that rule
  const Compared open = compare(kRows[1].rules, around, false);
  CHECK(open.together == "late/b2; late/b9; late/b2; late/b2; late/b2; ");
  CHECK(open.remaining > 70);
  CHECK(open.remaining < open.rules);
}

TEST_CASE("a model that is open is resolved launch by launch", "[engine]") {
  const std::string blob = compiled_or_throw(pack_of(R"(
- {id: x, when: config.heads == 4, set: {b: 7}})"));
  const Pack pack = *Pack::open(blob);
  TinyModels models({.config = R"({"heads": 4})", .draft_config = R"({"heads": 5})"});
  TinyHost host;
  World world;
  world.models = &models;
  world.host = &host;
  Runtime runtime(pack, 0);
  Arena arena;
  const Given given = default_given(pack, 0, arena);
  Family family(runtime, world, given, {pack.find_field("path")});
  CHECK(family.remaining() == pack.rules.size());
  const Family::Member one{Value::str("x"), true}, other{Value::str("x-draft"), true};
  CHECK(pack.text(pack.rules[family.decide({&one, 1}).rule].id) == "late/b7");
  CHECK(pack.text(pack.rules[family.decide({&other, 1}).rule].id) == "late/b2");
}

}  // namespace gonogo
