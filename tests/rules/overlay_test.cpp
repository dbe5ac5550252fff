// An overlay over a pack: what it adds, replaces and switches off, seen by the rules that then stand in the stage and
// by what a launch becomes.
#include "catch.h"
#include "engine/tiny_launch.h"
#include "toy_pack.h"

namespace gonogo {
namespace {

using testing::TinyLaunch;

constexpr const char* kBase = R"yaml(
pack:
  name: tiny
  versions: ["1.0", "2.0"]
  entry_points: [tiny]
  parts: {only: [main]}
  summary: {limits: "= table.limits", names: "= table.names", limit: "= limit(1)", layers: "= model.layers"}
flags:
- {flags: [--a], field: a, type: int, default: 1}
- {flags: [--b], field: b, type: int, default: 2}
facts: {layers: "= 10"}
functions: {limit: {args: [x], value: "= x + model.layers"}}
tables:
  limits: [1, 2]
  names: {one: 1}
---
stage: main
rules:
- {id: first, set: {a: 10}}
- id: group
  when: a == 10
  let: {base: "= a"}
  check: base.check
  rules:
  - {id: group/x, set: {b: "= base + 1"}}
  - {id: group/y, versions: ">=2.0", set: {b: "= base + 2"}}
- {id: last, set: {a: "= a + 1"}}
---
stage: spare
rules:
- {id: spare/one, set: {b: 77}}
)yaml";

std::string layered(const std::string& overlay) {
  const testing::OpenPack base(testing::compiled(kBase));
  return testing::compiled(overlay, &*base);
}

// The ids of the rules in order, stages included; those that are off in brackets.
std::string order(const std::string& overlay) {
  const testing::OpenPack pack(layered(overlay));
  std::string out;
  for (const RuleRec& rule : pack->rules) {
    const std::string id(pack->text(rule.id));
    out += (out.empty() ? "" : " ") + (rule.disabled != 0 ? "[" + id + "]" : id);
  }
  return out;
}

std::string history(const std::string& overlay, const std::string& version = "1.0") {
  testing::Around around;
  around.version = version;
  return TinyLaunch(TinyLaunch::Blob{layered(overlay)}, {}, around).history();
}

std::string summary(const std::string& overlay, const char* label) {
  return TinyLaunch(TinyLaunch::Blob{layered(overlay)}, {}, {}).summary(label);
}

std::string errors(const std::string& overlay) {
  const testing::OpenPack base(testing::compiled(kBase));
  std::string out;
  for (Error e : compile_pack({{"o.yaml", overlay}}, &*base).errors) {
    e.excerpt.clear();
    out += (out.empty() ? "" : "\n") + to_text(e);
  }
  return out;
}

TEST_CASE("an overlay speaks of launches that work together") {
  const std::string base = std::string(kBase) + R"yaml(---
stage: pair
peers:
  roles: {one: a == 1, two: a == 2}
  members: {b: "= b"}
rules:
- {id: pair/b, when: one.b != two.b, fail: "{one.b} and {two.b}"}
)yaml";
  const testing::OpenPack pack(testing::compiled(base));
  const auto errors = [&](const std::string& overlay) {
    std::string out;
    for (Error e : compile_pack({{"o.yaml", overlay}}, &*pack).errors) {
      e.excerpt.clear();
      out += to_text(e);
    }
    return out;
  };
  CHECK(errors("disable: [pair/b]\n") == "");
  CHECK(errors("stage: pair\nrules: [{after: pair/b, id: pair/c, when: one.b > two.b, warn: x}]\n") == "");
  CHECK(errors("stage: pair\nrules: [{id: pair/b, when: one.c, warn: x}]\n") == "o.yaml:2:28: unknown member 'c'");
  CHECK(errors("stage: pair\nrules: [{when: a == 1, warn: x}]\n") ==
        "o.yaml:2:16: unknown name in a rule that compares launches: 'a'");
}

TEST_CASE("an empty overlay changes nothing") {
  CHECK(order("") == "main first group group/x group/y last spare spare/one");
  CHECK(history("") == "a=10 by first; b=11 by group/x; a=11 by last");
  CHECK(history("", "2.0") == "a=10 by first; b=11 by group/x; b=12 by group/y; a=11 by last");
}

TEST_CASE("rules are added at the end of a stage, before a rule or after one") {
  struct Row {
    const char* overlay;
    const char* order;
    const char* history;
  };
  const std::vector<Row> rows = {
      {"stage: main\nrules: [{id: new, set: {b: \"= a * 2\"}}]\n",
       "main first group group/x group/y last new spare spare/one",
       "a=10 by first; b=11 by group/x; a=11 by last; b=22 by new"},
      {"stage: main\nrules: [{id: new, before: first, set: {b: \"= a * 2\"}}]\n",
       "main new first group group/x group/y last spare spare/one",
       "b=2 by new; a=10 by first; b=11 by group/x; a=11 by last"},
      {"stage: main\nrules: [{id: new, after: first, set: {b: \"= a * 2\"}}]\n",
       "main first new group group/x group/y last spare spare/one",
       "a=10 by first; b=20 by new; b=11 by group/x; a=11 by last"},
      {"stage: main\nrules: [{id: new, after: group/x, set: {b: \"= b + base\"}}]\n",
       "main first group group/x new group/y last spare spare/one",
       "a=10 by first; b=11 by group/x; b=21 by new; a=11 by last"},
      {"stage: main\nrules: [{id: new, after: last, set: {b: 1}}, {id: newer, after: new, set: {b: 2}}]\n",
       "main first group group/x group/y last new newer spare spare/one",
       "a=10 by first; b=11 by group/x; a=11 by last; b=1 by new; b=2 by newer"},
      {"stage: main\nrules: [{id: new, before: group, rules: [{id: in, set: {a: 11}}]}]\n",
       "main first new in group group/x group/y last spare spare/one", "a=10 by first; a=11 by in; a=12 by last"},
  };
  for (const Row& row : rows) {
    INFO(row.overlay);
    CHECK(order(row.overlay) == row.order);
    CHECK(history(row.overlay) == row.history);
  }
}

TEST_CASE("a rule with a known id replaces it, a group with all that is inside") {
  CHECK(history("stage: main\nrules: [{id: first, set: {a: 20}}]\n") == "a=20 by first; a=21 by last");
  CHECK(history("stage: main\nrules: [{id: group/x, set: {b: \"= base + 5\"}}]\n") ==
        "a=10 by first; b=15 by group/x; a=11 by last");
  CHECK(order("stage: main\nrules: [{id: group, set: {b: 5}}]\n") == "main first group last spare spare/one");
  // It keeps the versions of the old one where it names none.
  const std::string newer = "stage: main\nrules: [{id: group/y, set: {b: 9}}]\n";
  CHECK(history(newer) == "a=10 by first; b=11 by group/x; a=11 by last");
  CHECK(history(newer, "2.0") == "a=10 by first; b=11 by group/x; b=9 by group/y; a=11 by last");
}

TEST_CASE("a rule is switched off with all that is inside") {
  CHECK(order("disable: [first, group/x]\n") == "main [first] group [group/x] group/y last spare spare/one");
  CHECK(history("disable: [first]\n") == "a=2 by last");
  CHECK(history("disable: [group]\n") == "a=10 by first; a=11 by last");
  CHECK(history("disable: [group/x]\n", "2.0") == "a=10 by first; b=12 by group/y; a=11 by last");
}

TEST_CASE("tables take further rows, or are replaced") {
  CHECK(summary("", "limits") == "[1, 2]");
  CHECK(summary("tables: {limits: {add: [3, 4]}}\n", "limits") == "[1, 2, 3, 4]");
  CHECK(summary("tables: {limits: {add: [3, {row: 4, versions: \">=2.0\"}]}}\n", "limits") == "[1, 2, 3]");
  CHECK(summary("tables: {limits: [9]}\n", "limits") == "[9]");
  CHECK(summary("tables: {names: {add: {two: 2}}}\n", "names") == "{'one': 1, 'two': 2}");
  CHECK(summary("tables: {limits: {add: [3]}}\n---\ntables: {limits: {add: [4]}}\n", "limits") == "[1, 2, 3, 4]");
}

TEST_CASE("facts, functions, tables and stages may be new, and facts and functions defined anew") {
  CHECK(summary("facts: {layers: \"= 20\"}\n", "layers") == "20");
  CHECK(summary("facts: {layers: \"= 20\"}\n", "limit") == "21");
  CHECK(summary("functions: {limit: {args: [x], value: \"= x * 3\"}}\n", "limit") == "3");
  CHECK(history("facts: {heads: \"= model.layers * 2\"}\ntables: {more: [5]}\nfunctions: {plus: {args: [x], value: \"= "
                "x + 1\"}}\n"
                "---\nstage: main\nrules: [{id: new, set: {b: \"= plus(model.heads) + table.more[0]\"}}]\n") ==
        "a=10 by first; b=11 by group/x; a=11 by last; b=26 by new");
  const std::string stage = "stage: extra\nrules: [{id: extra/one, set: {b: \"= b + 1\"}}]\n---\n";
  CHECK(history(stage + "stage: main\nrules: [{id: new, run: extra}]\n") ==
        "a=10 by first; b=11 by group/x; a=11 by last; b=12 by extra/one");
  CHECK(history("stage: main\nrules: [{id: new, run: spare}]\n") ==
        "a=10 by first; b=11 by group/x; a=11 by last; b=77 by spare/one");
}

TEST_CASE("a fact that needs itself by way of the base is an error when it is read, and no endless loop") {
  CHECK(summary("facts: {layers: \"= limit(1)\"}\n", "layers") == "ValueError");
}

TEST_CASE("what is wrong with an overlay is told at its place") {
  struct Row {
    const char* overlay;
    const char* errors;
  };
  const std::vector<Row> rows = {
      {"disable: [frist]\n", "o.yaml:1:11: there is no rule 'frist'"},
      {"stage: main\nrules: [{id: new, before: nothing, set: {a: 1}}]\n",
       "o.yaml:2:27: the stage has no rule 'nothing'"},
      {"stage: main\nrules: [{id: new, after: spare/one, set: {a: 1}}]\n",
       "o.yaml:2:26: the stage has no rule 'spare/one'"},
      {"stage: main\nwhen: a\nrules: []\n", "o.yaml:2:1: unknown key 'when'"},
      {"stage: main\nrules: [{id: new, set: {c: 1}}]\n", "o.yaml:2:25: unknown name 'c'"},
      {"stage: main\nrules: [{id: new, set: {b: \"= base\"}}]\n", "o.yaml:2:31: unknown name 'base'"},
      {"stage: main\nrules: [{id: new, warn: x}, {id: new, warn: y}]\n", "o.yaml:2:34: the id 'new' stands twice"},
      {"tables: {limits: {add: {a: 1}}}\n", "o.yaml:1:24: the table is of another shape"},
      {"stage: main\nrules: [{id: group, when: base == 1, warn: x}]\n", "o.yaml:2:27: unknown name 'base'"},
      {"functions: {limit: {args: [x, y], value: \"= x\"}}\n",
       "o.yaml:1:13: 'limit' takes another number of arguments than in the pack"},
  };
  for (const Row& row : rows) {
    INFO(row.overlay);
    CHECK(errors(row.overlay) == row.errors);
  }
}

}  // namespace
}  // namespace gonogo
