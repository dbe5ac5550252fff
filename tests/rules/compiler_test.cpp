// What is wrong with a pack is told at its place, with what to do about it: one row an error.
#include "rules/compiler.h"

#include "catch.h"

namespace gonogo {
namespace {

// Rows hold what differs; around them is a pack with one stage, whose rules begin in line 15.
std::string errors_of(const std::vector<PackSource>& sources) {
  std::string out;
  for (Error e : compile_pack(sources, nullptr).errors) {
    e.excerpt.clear();
    out += (out.empty() ? "" : "\n") + to_text(e);
  }
  return out;
}

std::string with_rules(const std::string& rules) {
  return R"(pack: {name: tiny, versions: ["1.0", "2.0"], entry_points: [tiny], parts: {only: [main]}}
flags:
- {flags: [--size], field: size, type: int, default: 1}
- {flags: [--mode], field: mode, choices: [fast, slow]}
- {flags: [--on], field: on, action: store_true, default: false}
fields: {any: null}
env: {CAPACITY: {type: int, default: 8}}
facts: {layers: "= config.layers"}
functions: {twice: {args: [x], value: "= x * 2"}}
tables: {limits: [1, 2]}
state: {seen: false}
---
stage: main
rules:
)" + rules;
}

struct Row {
  const char* about;
  std::string text;
  const char* errors;  // "" for none
};

void check(const std::vector<Row>& rows, std::string (*around)(const std::string&)) {
  for (const Row& row : rows) {
    INFO(row.about);
    CHECK(errors_of({{"t.yaml", around(row.text)}}) == row.errors);
  }
}

TEST_CASE("names that do not exist are named with the nearest that does") {
  check({
      {"nothing wrong", "- {when: size > 1, warn: x}\n", ""},
      {"a field", "- {when: sise > 1, warn: x}\n", "t.yaml:15:10: unknown name 'sise' (did you mean size?)"},
      {"of given", "- {when: given.modes == 'x', warn: x}\n", "t.yaml:15:10: unknown field 'modes' (did you mean mode?)"},
      {"of typed", "- {when: typed(siz), warn: x}\n", "t.yaml:15:16: unknown field 'siz' (did you mean size?)"},
      {"a fact", "- {when: model.layer, warn: x}\n", "t.yaml:15:10: unknown model name 'layer' (did you mean layers?)"},
      {"a fact of the draft", "- {when: draft.heads, warn: x}\n", "t.yaml:15:10: unknown draft name 'heads'"},
      {"a function", "- {when: twise(1), warn: x}\n", "t.yaml:15:10: unknown function 'twise' (did you mean twice?)"},
      {"a method", "- {when: mode.startwith('x'), warn: x}\n", "t.yaml:15:10: unknown method 'startwith' (did you mean startswith?)"},
      {"a table", "- {when: size in table.limit, warn: x}\n", "t.yaml:15:18: unknown table name 'limit' (did you mean limits?)"},
      {"a variable", "- {when: env.CAPACITI > 1, warn: x}\n", "t.yaml:15:10: unknown env name 'CAPACITI' (did you mean CAPACITY?)"},
      {"whether one is set", "- {when: env_is_set('CAPACIT'), warn: x}\n",
       "t.yaml:15:21: unknown environment variable 'CAPACIT' (did you mean CAPACITY?)"},
      {"of a GPU", "- {when: gpu.cout > 1, warn: x}\n", "t.yaml:15:10: unknown gpu attribute 'cout' (did you mean count?)"},
      {"scratch", "- {when: state.sen, warn: x}\n", "t.yaml:15:10: unknown state name 'sen' (did you mean seen?)"},
      {"a field that is set", "- {set: {sizes: 1}}\n", "t.yaml:15:10: unknown name 'sizes' (did you mean size?)"},
      {"a variable that is set", "- {env: {CAPACITIES: 1}}\n", "t.yaml:15:10: unknown name 'CAPACITIES' (did you mean CAPACITY?)"},
      {"scratch that is set", "- {set: {state.son: 1}}\n", "t.yaml:15:10: unknown name 'son'"},
      {"the flag of a finding", "- {inert: x, flag: sizes}\n", "t.yaml:15:20: unknown field 'sizes'"},
      {"in a fix", "- {fail: x, fix: [{sizes: 1}]}\n", "t.yaml:15:20: unknown name 'sizes' (did you mean size?)"},
      {"a stage to run", "- {run: mein}\n", "t.yaml:15:9: there is no stage 'mein'"},
      {"a key", "- {wen: size > 1, warn: x}\n", "t.yaml:15:4: unknown key 'wen' (did you mean when?)"},
      {"a name outside of its group", "- let: {most: 1}\n  warn: x\n- {when: size > most, warn: x}\n",
       "t.yaml:17:17: unknown name 'most'"},
      {"a name outside of its comprehension", "- {when: \"any([x for x in [1]]) and x\", warn: x}\n", "t.yaml:15:37: unknown name 'x'"},
      {"self, outside of a class", "- {when: self.x, warn: x}\n", "t.yaml:15:10: unknown name 'self'"},
  }, with_rules);
}

// A stage that compares launches; its rules begin in line 25.
std::string with_peers(const std::string& rules) {
  return with_rules("- {warn: x}\n") + R"(---
stage: pair
peers:
  roles: {first: mode == "fast", second: mode == "slow"}
  key: ["= size"]
  members:
    size: "= size"
    on: "= twice(size) > 2"
rules:
)" + rules;
}

TEST_CASE("rules that compare launches see their members alone") {
  check({
      {"members of each, of all, and tables", "- {when: 'first.size != second.size and first.size in table.limits', warn: '{first.size}'}\n"
       "- {when: 'together and any(l.on for l in launches)', fail: x}\n", ""},
      {"a member", "- {when: first.sise == 1, warn: x}\n", "t.yaml:25:10: unknown member 'sise' (did you mean size?)"},
      {"of all launches", "- {when: any(l.sise for l in launches), warn: x}\n", "t.yaml:25:14: unknown member 'sise' (did you mean size?)"},
      {"in a message", "- {warn: '{second.sise}'}\n", "t.yaml:25:12: unknown member 'sise' (did you mean size?)"},
      {"a field", "- {when: mode == 'fast', warn: x}\n", "t.yaml:25:10: unknown name in a rule that compares launches: 'mode'"},
      {"a role", "- {when: third.size == 1, warn: x}\n", "t.yaml:25:10: unknown name in a rule that compares launches: 'third'"},
      {"a fact", "- {when: model.layers, warn: x}\n", "t.yaml:25:10: unknown name in a rule that compares launches: 'model'"},
      {"a function", "- {when: twice(first.size) > 2, warn: x}\n", "t.yaml:25:10: twice() is about one launch, and this rule compares several (make it a member)"},
      {"whether a flag was typed", "- {when: typed(size), warn: x}\n", "t.yaml:25:10: typed() is about one launch, and this rule compares several (make it a member)"},
      {"the host", "- {when: host.file('x'), warn: x}\n", "t.yaml:25:10: unknown method 'file'"},
      {"a field that is set", "- {set: {size: 1}}\n", "t.yaml:25:9: a rule that compares launches can only fail, warn or advise"},
  }, with_peers);
}

std::string with_peers_that(const std::string& peers) {
  return with_rules("- {warn: x}\n") + "---\nstage: pair\npeers: " + peers + "\nrules: [{warn: x}]\n";
}

TEST_CASE("peers have two roles and members") {
  check({
      {"nothing wrong", "{roles: {a: size == 1, b: size == 2}, members: {size: '= size'}, in_turn: warn}", ""},
      {"one role", "{roles: {a: size == 1}, members: {}}",
       "t.yaml:18:8: peers have two roles, each with the condition under which a launch plays it"},
      {"no members", "{roles: {a: size == 1, b: size == 2}}",
       "t.yaml:18:8: peers have 'members', a mapping from names to values, and may have 'key', a list of values"},
      {"a role's condition", "{roles: {a: sise == 1, b: size == 2}, members: {}}", "t.yaml:18:20: unknown name 'sise' (did you mean size?)"},
      {"a member's value", "{roles: {a: size == 1, b: size == 2}, members: {m: '= sise'}}", "t.yaml:18:62: unknown name 'sise' (did you mean size?)"},
      {"a key", "{roles: {a: size == 1, b: size == 2}, members: {}, keys: []}", "t.yaml:18:59: unknown key 'keys' (did you mean key?)"},
      {"what is compared as written", "{roles: {a: size == 1, b: size == 2}, members: {m: '= size'}, as_written: [n]}",
       "t.yaml:18:83: as_written names one of the first 32 members"},
      {"launches in turn", "{roles: {a: size == 1, b: size == 2}, members: {}, in_turn: x}", "t.yaml:18:68: in_turn knows only 'warn'"},
  }, with_peers_that);
}

// A stage whose first role is a companion; the rest of `peers` and its rules stand in line 18.
std::string with_companion(const std::string& rest) {
  return with_rules("- {warn: x}\n") + "---\nstage: pair\npeers: {roles: {a: {runs: [x go], flags: {url: [[]], at: 80}, " + rest + "\n";
}

TEST_CASE("a role may be a companion's") {
  const std::string listens = "b: size == 2}, members: {host: '= mode', port: '= size'}, listens: [host, port]}\n";
  check({
      {"its flags, what it calls and what comes of it",
       "calls: [url]}, " + listens + "rules: [{when: \"a.at == b.port and a.to.port == 1 and reach == 'yes' and beside and not named and "
       "all([s.port == 1 for s in reached])\", warn: x}]", ""},
      {"a flag", "calls: [url]}, " + listens + "rules: [{when: a.no == 1, warn: x}]", "t.yaml:19:16: unknown member 'no' (did you mean to?)"},
      {"of what answers", "}, " + listens + "rules: [{when: 'any([s.prt for s in reached])', warn: x}]",
       "t.yaml:19:22: unknown member 'prt' (did you mean port?)"},
      {"a flag that it calls", "calls: [urls]}, " + listens + "rules: [{warn: x}]", "t.yaml:18:71: 'calls' names flags of the companion"},
      {"a flag that it looks for", "finds: [urls]}, " + listens + "rules: [{warn: x}]", "t.yaml:18:71: 'finds' names flags of the companion"},
      {"where launches listen", "}, b: size == 2}, members: {host: '= mode'}, listens: [host, port]}\nrules: [{warn: x}]",
       "t.yaml:18:8: with a companion, peers have 'listens', the members that are a launch's host and port"},
  }, with_companion);
  check({{"the names of one in a stage without", "- {when: reach == 'yes', warn: x}\n",
          "t.yaml:25:10: unknown name in a rule that compares launches: 'reach'"}}, with_peers);
}

TEST_CASE("types, arities and calls are checked where no value could work") {
  check({
      {"a sum", "- {when: size + mode, warn: x}\n",
       "t.yaml:15:10: '+' of None or int or float and None or str is a TypeError"},
      {"an order", "- {when: size < mode, warn: x}\n",
       "t.yaml:15:10: None or int or float < None or str is a TypeError"},
      {"an equality that never holds", "- {when: size + 1 == 'x', warn: x}\n", "t.yaml:15:10: int or float == str never holds"},
      {"membership in a number", "- {when: 1 in size, warn: x}\n", "t.yaml:15:10: int in None or int or float is a TypeError"},
      {"a number in a text", "- {when: 1 in 'abc', warn: x}\n", "t.yaml:15:10: int in str is a TypeError"},
      {"a member of a number", "- {when: (size + 1).x, warn: x}\n", "t.yaml:15:11: int or float has no member 'x'"},
      {"an index of a number", "- {when: \"size[0]\", warn: x}\n", "t.yaml:15:11: None or int or float can't be indexed"},
      {"a slice of a number", "- {when: \"size[1:]\", warn: x}\n", "t.yaml:15:11: None or int or float can't be sliced"},
      {"a loop over a number", "- {when: any(x for x in size), warn: x}\n", "t.yaml:15:25: None or int or float can't be iterated"},
      {"a sign of a text", "- {when: \"-'x'\", warn: x}\n", "t.yaml:15:11: unary '-' of str"},
      {"a length of a number", "- {when: len(size), warn: x}\n", "t.yaml:15:14: len() of a value without a length"},
      {"a method of a number", "- {when: size.lower(), warn: x}\n", "t.yaml:15:10: .lower() is no method of this value"},
      {"a value of another type", "- {set: {size: text}}\n", "t.yaml:15:16: 'size' can't hold a value of this type"},
      {"too few arguments", "- {when: twice(), warn: x}\n", "t.yaml:15:10: twice() takes 1 arguments"},
      {"too many arguments", "- {when: \"len(1, 2)\", warn: x}\n", "t.yaml:15:11: len() takes 1 arguments, not 2"},
      {"arguments of a method", "- {when: mode.lower(1), warn: x}\n", "t.yaml:15:10: .lower() takes 0 arguments, not 1"},
      {"typed of a value", "- {when: typed(1), warn: x}\n", "t.yaml:15:10: typed() takes the bare name of a field"},
      {"a keyword", "- {when: len(x=mode), warn: x}\n", "t.yaml:15:10: len() has no argument 'x' here"},
      {"a computed order", "- {when: \"sorted([1], reverse=on)\", warn: x}\n", "t.yaml:15:31: reverse is True or False"},
      {"isinstance of another type", "- {when: \"isinstance(size, bytes)\", warn: x}\n",
       "t.yaml:15:28: isinstance() knows dict, list, tuple, str, int, float and bool"},
      {"a set that shows its order", "- {when: \"list(set([1]))\", warn: x}\n",
       "t.yaml:15:16: set() has no order, and this use could show one (sorted(set(…)), len(set(…)) or x in set(…))"},
      {"a loop over a set", "- {when: \"[x for x in set([1])]\", warn: x}\n",
       "t.yaml:15:23: set() has no order, and this use could show one (sorted(set(…)), len(set(…)) or x in set(…))"},
      {"a set on the left of in", "- {when: \"set([1]) in [1]\", warn: x}\n",
       "t.yaml:15:11: set() has no order, and this use could show one (sorted(set(…)), len(set(…)) or x in set(…))"},
      {"sets where they may stand", "- {when: \"sorted(set([1])) and len(set([1])) and 1 not in set([1])\", warn: x}\n", ""},
  }, with_rules);
}

TEST_CASE("places inside folded, quoted and block scalars are those of the file") {
  check({
      {"plain over two lines", "- when: size > 1\n    and sise > 2\n  warn: x\n", "t.yaml:16:9: unknown name 'sise' (did you mean size?)"},
      {"folded", "- when: >-\n    size > 1\n    and size > 2\n    and sise > 3\n  warn: x\n",
       "t.yaml:18:9: unknown name 'sise' (did you mean size?)"},
      {"literal", "- when: |\n    size > 1 and\n      sise > 2\n  warn: x\n", "t.yaml:17:7: unknown name 'sise' (did you mean size?)"},
      {"quoted", "- when: 'size > 1 and sise > 2'\n  warn: x\n", "t.yaml:15:23: unknown name 'sise' (did you mean size?)"},
      {"behind =", "- set: {size: \"= sise\"}\n", "t.yaml:15:18: unknown name 'sise' (did you mean size?)"},
      {"in a message", "- warn: \"{size} and {sise}\"\n", "t.yaml:15:22: unknown name 'sise' (did you mean size?)"},
      {"in a message over two lines", "- warn: >-\n    {size} and\n    so {sise}\n", "t.yaml:17:9: unknown name 'sise' (did you mean size?)"},
      {"a brace that is not closed", "- warn: \"is {size\"\n", "t.yaml:15:13: a '{' in the text is not closed (write {{ for a brace)"},
      {"a brace in a string in a message", "- warn: \"is {'}' if on else size\"\n",
       "t.yaml:15:13: a '{' in the text is not closed (write {{ for a brace)"},
  }, with_rules);
}

TEST_CASE("rules that are not formed as the language says") {
  check({
      {"two actions", "- {set: {size: 1}, warn: x}\n",
       "t.yaml:15:26: a rule has one action, and this is a second one (make it a rule of its own)"},
      {"an id that stands twice", "- {id: x, warn: x}\n- {id: x, warn: y}\n", "t.yaml:16:8: the id 'x' stands twice"},
      {"a key that stands twice", "- {id: x, id: y}\n", "t.yaml:15:11: the key 'id' stands twice (remove one)"},
      {"versions", "- {versions: \"1.0\", warn: x}\n",
       "t.yaml:15:15: this is no range of versions (write for example \">=1.2.3,<1.3.0\")"},
      {"a version of a fix", "- {fail: x, fix: [{version: new}]}\n",
       "t.yaml:15:29: this is no range of versions (write for example \">=1.2.3,<1.3.0\")"},
      {"what is logged", "- {log: loud, warn: x}\n", "t.yaml:15:9: log is 'none', 'info' or 'warning'"},
      {"a phase", "- {phase: boot, fail: x}\n", "t.yaml:15:11: unknown phase 'boot' (parse, resolve, init, weights, forward or late)"},
      {"a return", "- {return: part}\n", "t.yaml:15:12: return is 'stage' or 'pipeline'"},
      {"reads", "- {reads: exit, rules: []}\n", "t.yaml:15:11: reads knows only 'entry'"},
      {"rules that are no list", "- {rules: {warn: x}}\n", "t.yaml:15:11: a list of rules is expected here"},
      {"a rule that is no mapping", "- warn\n", "t.yaml:15:3: a mapping is expected here"},
      {"set that is no mapping", "- {set: size}\n", "t.yaml:15:9: a mapping from names to values is expected here"},
      {"fix that is no list", "- {fail: x, fix: {size: 1}}\n", "t.yaml:15:18: fix is a list of changes"},
      {"lists of unequal length", "- {each: {f: [size, mode], v: [1]}, set: {$f: $v}}\n",
       "t.yaml:15:31: the lists of one 'each' differ in length"},
      {"each without a list", "- {each: [a], warn: x}\n", "t.yaml:15:10: each is a mapping from a name to a list"},
      {"one error of each is told once", "- {each: {f: [a1, a2]}, when: sise > 1, warn: x}\n", "t.yaml:15:31: unknown name 'sise' (did you mean size?)"},
      {"all errors are told", "- {when: sise, warn: x}\n- {when: on, wern: x}\n- {run: y}\n",
       "t.yaml:15:10: unknown name 'sise' (did you mean size?)\nt.yaml:16:14: unknown key 'wern' (did you mean warn?)\n"
       "t.yaml:17:9: there is no stage 'y'"},
      {"a number beyond 64 bits", "- {set: {size: 99999999999999999999}}\n", "t.yaml:15:16: the integer does not fit 64 bits"},
      {"no expression", "- {when: \"size >\", warn: x}\n", "t.yaml:15:17: the expression ends too early"},
  }, with_rules);
}

std::string with_pack(const std::string& text) {
  return "pack: {name: t, versions: [\"1.0\"], entry_points: [t]}\n" + text;
}

TEST_CASE("definitions are checked too") {
  check({
      {"a fact that needs itself", "facts: {a: \"= model.b\", b: \"= model.a\"}\n",
       "t.yaml:2:9: 'a' needs itself (facts and functions can't be recursive)"},
      {"by way of the draft", "facts: {a: \"= draft.a\"}\n", "t.yaml:2:9: 'a' needs itself (facts and functions can't be recursive)"},
      {"a function that needs itself", "functions: {f: {args: [x], value: \"= f(x)\"}}\n",
       "t.yaml:2:13: 'f' needs itself (facts and functions can't be recursive)"},
      {"by way of a fact", "functions: {f: {value: \"= model.a\"}}\nfacts: {a: \"= f()\"}\n",
       "t.yaml:3:9: 'a' needs itself (facts and functions can't be recursive)"},
      {"a fact twice", "facts: {a: 1}\n---\nfacts: {a: 2}\n", "t.yaml:4:9: 'a' is defined twice"},
      {"a table twice", "tables: {a: [1]}\n---\ntables: {a: [2]}\n", "t.yaml:4:10: 'a' is defined twice"},
      {"a class twice", "classes: {a: {}}\n---\nclasses: {a: {}}\n", "t.yaml:4:11: the class 'a' is defined twice"},
      {"a stage twice", "---\nstage: a\nrules: []\n---\nstage: a\nrules: []\n", "t.yaml:6:8: the stage 'a' is defined twice"},
      {"a variable twice", "env: {A: {}}\n---\nenv: {A: {}}\n", "t.yaml:4:7: the variable A is declared twice"},
      {"a function without a value", "functions: {f: {args: [x]}}\n", "t.yaml:2:13: the function has no value"},
      {"a table that is no table", "tables: {a: 1}\n", "t.yaml:2:13: a table is a list or a mapping"},
      {"rows added to what is not there", "tables: {a: {add: [1]}}\n", "t.yaml:2:10: 'add' belongs to an overlay"},
      {"a row by version inside a row", "tables: {a: {k: [b, {row: c, versions: \">=1.0\"}]}}\n",
       "t.yaml:2:21: a choice of versions has no meaning inside a value ('row' is for the items of a table, 'value' for a list of "
       "nothing else: put 'versions' on the whole item)"},
      {"the whole row by version", "tables: {a: {k: {row: [b, c], versions: \">=1.0\"}}}\n", ""},
      {"a mapping that has a row", "tables: {a: {k: [{row: 1, column: 2}]}}\n", ""},
      {"a value by version beside a plain one", "facts: {a: [b, {value: c, versions: \">=1.0\"}]}\n",
       "t.yaml:2:16: a choice of versions has no meaning inside a value ('row' is for the items of a table, 'value' for a list of "
       "nothing else: put 'versions' on the whole item)"},
      {"values by version alone", "facts: {a: [{value: b, versions: \">=1.0\"}, {value: c}]}\n", ""},
      {"facts that are no mapping", "facts: [a]\n", "t.yaml:2:8: 'facts' is a mapping"},
      {"a flag without spellings", "flags: [{field: a}]\n", "t.yaml:2:9: a flag needs its spellings (flags: [--name])"},
      {"a list of fields", "readers_known: [a]\n", "t.yaml:2:17: unknown field 'a'"},
      {"a flag's type", "flags: [{flags: [--a], field: a, type: integer}]\n", "t.yaml:2:40: unknown word 'integer'"},
      {"a flag's action", "flags: [{flags: [--a], field: a, action: store_tru}]\n", "t.yaml:2:42: unknown word 'store_tru' (did you mean store_true?)"},
      {"a flag's key", "flags: [{flag: [--a], field: a}]\n", "t.yaml:2:10: unknown key 'flag' (did you mean flags?)\nt.yaml:2:9: a flag needs its spellings (flags: [--name])"},
      {"a truth value", "flags: [{flags: [--a], field: a, hidden: 1}]\n", "t.yaml:2:42: true or false is expected here"},
      {"a GPU's number", "gpus: {g: {major: nine}}\n", "t.yaml:2:19: a whole number is expected here"},
      {"a volatile field", "volatile: [a]\n", "t.yaml:2:12: unknown field 'a'"},
      {"a key of a document", "flegs: []\n", "t.yaml:2:1: unknown key 'flegs' (did you mean flags?)"},
      {"a document that is no mapping", "---\n- a\n", "t.yaml:3:1: a mapping is expected here"},
      {"yaml", "facts: [\n", "t.yaml:3:1: this is no valid YAML: end of sequence flow not found"},
  }, with_pack);
}

TEST_CASE("the pack itself") {
  const auto as_it_is = [](const std::string& text) { return text; };
  check({
      {"no versions", "pack: {name: t}\n", "the pack names no versions (pack: {versions: [\"1.0\"]})"},
      {"a key", "pack: {name: t, versions: [\"1\"], part: {}}\n", "t.yaml:1:34: unknown key 'part' (did you mean parts?)"},
      {"a stage that no file defines", "pack: {versions: [\"1\"], parts: {only: [main, mian]}}\n---\nstage: main\nrules: []\n",
       "t.yaml:1:46: no file defines the stage 'mian' (did you mean main?)"},
      {"a plan of something else", "pack: {versions: [\"1\"], plan: {memry: 1}}\n", "t.yaml:1:32: unknown key 'memry' (did you mean memory?)"},
      {"answers of no part", "pack: {versions: [\"1\"], answers: {p: {a: 1}}}\n", "t.yaml:1:35: there is no part 'p'"},
      {"the model's place", "pack: {versions: [\"1\"], models: {model: \"= path\"}}\n", "t.yaml:1:44: unknown name 'path'"},
  }, as_it_is);
  std::string many = "pack: {versions: [";
  for (int i = 0; i < 33; ++i) many += "\"" + std::to_string(i) + "\", ";
  CHECK(errors_of({{"t.yaml", many + "]}"}}) == "a pack holds at most 32 versions");
}

TEST_CASE("an error names its file and shows its line") {
  const CompiledPack made = compile_pack({{"a.yaml", with_pack("")}, {"dir/b.yaml", "facts:\n  a: \"= 1 +\"\n"}}, nullptr);
  REQUIRE(made.errors.size() == 1);
  CHECK(made.blob.empty());
  CHECK(to_text(made.errors[0]).find("dir/b.yaml:2:12: the expression ends too early\n") == 0);
  CHECK(made.errors[0].excerpt.find("  a: \"= 1 +\"") != std::string::npos);
  CHECK(made.errors[0].excerpt.find('^') != std::string::npos);
}

TEST_CASE("there are at most fifty errors") {
  std::string facts = "facts:\n";
  for (int i = 0; i < 80; ++i) facts += "  f" + std::to_string(i) + ": \"= nothing\"\n";
  CHECK(compile_pack({{"t.yaml", with_pack(facts)}}, nullptr).errors.size() == 50);
}

}  // namespace
}  // namespace gonogo
