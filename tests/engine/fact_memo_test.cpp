// A fact that was worked out for one launch is taken for another exactly where working it out again would come to the
// same. Each row is a fact, asked for in launches that differ in everything a fact can read.
#include "engine/fact_memo.h"

#include <map>
#include <string>
#include <vector>

#include "catch.h"
#include "tiny_launch.h"

namespace gonogo {
namespace {

using testing::Around;
using testing::compiled_or_throw;
using testing::TinyHost;
using testing::TinyModels;

std::string pack_of(const std::string& fact) {
  return R"yaml(
pack:
  name: tiny
  versions: ["1.0"]
  entry_points: [tiny]
  parts: {all: [main, ask]}
  models: {model: "= path", draft: "= draft_path", overlay: "= json(over)"}
  answers: {all: {asked: "= model.asked", b: "= b"}}
flags:
- {flags: [--path], field: path, default: x}
- {flags: [--draft-path], field: draft_path, default: x-draft}
- {flags: [--over], field: over, default: "{}"}
- {flags: [--a], field: a, type: int, default: 1}
- {flags: [--b], field: b, type: int, default: 2}
env: {NUMBER: {type: int, default: 5}}
facts:
  asked: ")yaml" +
         fact + R"yaml("
  heads: "= config.heads"
  presented: "= hf.heads"
  of_a: "= a * 10"
  by_heads: "= model.of_a if model.heads == 4 else 0"
  many: "= [i for i in range(100)]"
functions:
  twice: {args: [x], value: "= x * 2 + b"}
state: {seen: 0}
---
stage: main
rules:
- {id: main/early, when: b == 3, set: {b: "= model.of_a"}}
- {id: main/later, when: b == 4, set: {a: 8, state.seen: 1}}
---
stage: ask
rules:
- {id: ask/b, when: model.asked == 80, set: {b: 99}}
)yaml";
}

// Launches that differ from the first in one thing each, and the first again.
struct Launched {
  std::map<std::string, std::int64_t> numbers = {};
  std::map<std::string, std::string> texts = {};
  std::map<std::string, std::string, std::less<>> env = {};
};
const std::vector<Launched> kLaunches = {
    {},
    {.numbers = {{"a", 2}}},
    {.numbers = {{"a", 1}}},  // typed, and the same
    {.numbers = {{"b", 3}}},
    {.numbers = {{"b", 4}}},
    {.texts = {{"path", "x-draft"}}},
    {.texts = {{"over", "{\"heads\": 6}"}}},
    {.env = {{"NUMBER", "7"}}},
    {.env = {{"NUMBER", "5"}}},  // set, and the same
    {},
};

struct Compared {
  std::vector<std::string> with;
  std::vector<std::string> without;
  std::size_t evaluated = 0;  // how often the fact was worked out with a memo
};

Compared compare(const std::string& fact) {
  const std::string blob = compiled_or_throw(pack_of(fact));
  const Pack pack = *Pack::open(blob);
  // The files of a path are read once, as by the real reader.
  class Once : public Models {
   public:
    explicit Once(const Around& around) : models_(around) {}
    ModelFiles at(std::string_view path) override {
      const auto known = files_.find(std::string(path));
      return known != files_.end() ? known->second : files_[std::string(path)] = models_.at(path);
    }

   private:
    TinyModels models_;
    std::map<std::string, ModelFiles> files_;
  } models({.config = R"({"heads": 4, "list": [1, 2]})", .draft_config = R"({"heads": 5})"});
  TinyHost host;
  World world;
  world.models = &models;
  world.host = &host;
  Runtime runtime(pack, 0);
  FactMemo memo(pack);
  Arena kept;
  Compared out;
  for (const Launched& launch : kLaunches) {
    Given given = default_given(pack, 0, kept);
    for (const auto& [name, number] : launch.numbers) given.set(pack.find_field(name), Value::integer(number));
    for (const auto& [name, text] : launch.texts) given.set(pack.find_field(name), Value::str(text));
    world.env = launch.env;
    for (FactMemo* with : {&memo, static_cast<FactMemo*>(nullptr)}) {
      Arena own;
      const Outcome outcome = resolve(runtime, world, given, with != nullptr ? kept : own, {.memo = with});
      std::string told;
      for (const auto& [name, value] : outcome.parts[0].answers) {
        told += std::string(pack.text(name)) + "=" + testing::shown(value) + " ";
      }
      (with != nullptr ? out.with : out.without).push_back(told);
    }
  }
  for (std::uint32_t i = 0; i < pack.facts.size(); ++i) {
    if (pack.text(pack.facts[i].name) == "asked") out.evaluated = memo.known(memo.fact(false, i)).size();
  }
  return out;
}

}  // namespace

TEST_CASE("a fact is taken again where what it read is the same", "[engine]") {
  struct Row {
    const char* about;
    const char* fact;
    std::size_t evaluated;  // of ten launches
  };
  const Row rows[] = {
      {"nothing", "= 80", 1},
      {"a field, which one launch types otherwise and a rule sets in another", "= a * 10", 3},
      {"what was given of it", "= given.a * 40", 2},
      {"whether it was typed", "= 80 if typed(a) else 2", 2},
      {"the config, and a field that is not reached", "= 80 if config.heads > 0 or a == 2 else 3", 2},
      {"scratch", "= state.seen * 80", 2},
      {"a variable", "= env.NUMBER * 16", 2},
      {"the config", "= config.heads * 20", 2},
      {"the config as it is presented", "= hf.heads * 20", 3},
      {"a fact of the config", "= model.heads * 20", 2},
      {"a fact of a fact, frozen before a rule changed what it read", "= model.of_a * 4", 3},
      {"a fact that reads another only of some models", "= model.by_heads * 8", 4},
      {"a fact of the draft model", "= draft.heads * 16", 1},
      {"a function, and what is read in it", "= twice(a)", 4},
      {"elements of a list of the config", "= [i * a for i in config.list][0] * 80", 4},
      {"a long list, worked out once", "= model.many[8] * 10", 1},
      {"an error", "= [][a]", 3},
      {"what is missing", "= gpu.count", 1},
  };
  for (const Row& row : rows) {
    INFO(row.about);
    const Compared got = compare(row.fact);
    CHECK(got.with == got.without);
    CHECK(got.evaluated == row.evaluated);
  }
}

TEST_CASE("what is kept can be forgotten, and is bounded", "[engine]") {
  const std::string blob = compiled_or_throw(pack_of("= a"));
  const Pack pack = *Pack::open(blob);
  FactMemo memo(pack);
  for (int i = 0; i < 1000; ++i) memo.keep(memo.hf(false), {Value::integer(i), {}});
  CHECK(memo.known(memo.hf(false)).size() < 100);
  memo.clear();
  CHECK(memo.known(memo.hf(false)).empty());
}

TEST_CASE("values are the same by value where they are small, else by where they lie", "[engine]") {
  const Value few[] = {Value::integer(1), Value::integer(2)};
  const Value few_again[] = {Value::integer(1), Value::integer(2)};
  const std::vector<Value> many(1000, Value::integer(3));
  const std::vector<Value> many_again = many;
  const Entry entry[] = {{Value::str("a"), Value::integer(1)}};
  const Entry entry_again[] = {{Value::str("a"), Value::integer(1)}};
  struct Row {
    const char* about;
    Value a;
    Value b;
    bool same;
  };
  const Row rows[] = {
      {"numbers", Value::integer(1), Value::integer(1), true},
      {"of another kind", Value::integer(1), Value::real(1.0), false},
      {"texts", Value::str(std::string_view("ab")), Value::str(std::string_view("abc").substr(0, 2)), true},
      {"short lists", Value::list(few, 2), Value::list(few_again, 2), true},
      {"a list and a tuple", Value::list(few, 2), Value::tuple(few, 2), false},
      {"a long list", Value::list(many.data(), 1000), Value::list(many.data(), 1000), true},
      {"a long list elsewhere", Value::list(many.data(), 1000), Value::list(many_again.data(), 1000), false},
      {"mappings elsewhere", Value::dict(entry, 1), Value::dict(entry_again, 1), false},
      {"a mapping", Value::dict(entry, 1), Value::dict(entry, 1), true},
      {"what is unknown", Value::unknown("x"), Value::unknown("x"), true},
      {"unknown for another reason", Value::unknown("x"), Value::unknown("y"), false},
      {"errors", Value::error(ErrorKind::kTypeError, "x"), Value::error(ErrorKind::kTypeError, "x"), true},
      {"errors of another kind", Value::error(ErrorKind::kTypeError, "x"), Value::error(ErrorKind::kKeyError, "x"),
       false},
  };
  for (const Row& row : rows) {
    INFO(row.about);
    CHECK(FactMemo::same(row.a, row.b) == row.same);
  }
}

}  // namespace gonogo
