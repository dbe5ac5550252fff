// A pack while it is made: what is shared, what does not fit, and that nothing is lost on the way to a blob and back.
#include "rules/pack_data.h"

#include <numeric>
#include <vector>

#include "catch.h"
#include "engine/runtime.h"
#include "rules/code.h"
#include "rules/toy_pack.h"
#include "rules/walk.h"

using namespace gonogo;
using namespace gonogo::testing;

namespace {

std::vector<std::uint32_t> counted(std::size_t count) {
  std::vector<std::uint32_t> out(count);
  std::iota(out.begin(), out.end(), 1u);
  return out;
}

bool same(Run run, std::uint32_t first, std::uint32_t count) { return run.first == first && run.count == count; }

// What table `name` holds in a version, as JSON-like text.
std::string table_text(const Pack& pack, std::string_view name, std::uint32_t version) {
  Runtime runtime(pack, version);
  for (std::uint32_t i = 0; i < pack.tables.size(); ++i) {
    if (pack.text(pack.tables[i].name) == name) return to_repr(runtime.table(i));
  }
  return "no such table";
}

}  // namespace

TEST_CASE("a text has one id of each kind", "[rules]") {
  PackData data;
  CHECK(data.intern("") == 0);
  CHECK(data.intern_cold("") == 0);
  const StrId hot = data.intern("a");
  CHECK(hot == 1);
  CHECK(data.intern("a") == hot);
  CHECK(data.intern_cold("a") == hot);  // what is hot already is not held again

  const StrId cold = data.intern_cold("b");
  CHECK(cold == kColdText);
  const StrId both = data.intern("b");
  CHECK(both == 2);
  CHECK(data.intern_cold("b") == cold);  // the id that was given out stays the same
  CHECK(data.intern("b") == both);
  CHECK(data.text(hot) == "a");
  CHECK(data.text(cold) == "b");
  CHECK(data.text(both) == "b");
}

TEST_CASE("ids of texts survive a blob", "[rules]") {
  PackData data;
  const StrId hot = data.intern("hot");
  const StrId cold = data.intern_cold("cold");
  const StrId both = data.intern_cold("both");
  data.intern("both");
  const OpenPack pack(data.serialize());
  PackData again(*pack);
  CHECK(again.intern("hot") == hot);
  CHECK(again.intern_cold("hot") == hot);
  CHECK(again.intern_cold("cold") == cold);
  CHECK(again.intern_cold("both") == both);
  CHECK(again.intern("both") == data.intern("both"));
  CHECK(again.intern("new") == data.intern("new"));
  CHECK(again.intern_cold("new too") == data.intern_cold("new too"));
}

TEST_CASE("a run that is there is used again", "[rules]") {
  PackData data;
  struct Row {
    std::vector<std::uint32_t> run;
    std::uint32_t first;
    std::size_t size_after;
  };
  const std::vector<Row> rows = {
      {{}, 0, 0},           // nothing
      {{1, 2, 3}, 0, 3},    // new
      {{1, 2, 3}, 0, 3},    // the same
      {{2, 3}, 1, 3},       // a part of it
      {{3}, 2, 3},          //
      {{}, 0, 3},           // nothing again
      {{3, 4}, 3, 5},       // begins in it, but goes on
      {{2, 3, 3, 4}, 1, 5}  // across two
  };
  for (const Row& row : rows) {
    const Run run = data.add(data.ids, row.run);
    CHECK(same(run, row.first, static_cast<std::uint32_t>(row.run.size())));
    CHECK(data.ids.size() == row.size_after);
  }
  CHECK_FALSE(data.too_large());
}

TEST_CASE("code may lie in other code, but never at 0", "[rules]") {
  PackData data;
  CHECK(data.add_code({word(Op::kNone)}) == 1);  // code 0 is the same word and means that there is none
  const CodeRef sum = data.add_code({word(Op::kAdd), word(Op::kTrue), word(Op::kSmallInt, 5)});
  CHECK(data.add_code({word(Op::kSmallInt, 5)}) == sum + 2);
  CHECK(data.add_code({word(Op::kSmallInt, 6)}) == sum + 3);
  CHECK(data.code.size() == sum + 4);
}

TEST_CASE("what does not fit a record is noticed", "[rules]") {
  SECTION("a run") {
    PackData data;
    CHECK(data.add(data.ids, counted(Run::kMaxCount)).count == Run::kMaxCount);
    CHECK_FALSE(data.too_large());
    data.add(data.ids, counted(Run::kMaxCount + 1));
    CHECK(data.too_large());
  }
  SECTION("where a run begins") {
    PackData data;
    data.ids.resize(Run::kMaxFirst);
    data.add(data.ids, {1});
    CHECK_FALSE(data.too_large());
    data.add(data.ids, {2});
    CHECK(data.too_large());
  }
  SECTION("code") {
    PackData data;
    data.code.resize(Run::kMaxFirst + 1);
    CHECK(data.too_large());
  }
  SECTION("fields") {
    PackData data;
    data.fields.resize(RuleRec::kNoFlag);
    CHECK(data.too_large());
  }
  SECTION("the compiler says so") {
    std::string text = "pack: {name: toy, versions: ['1'], packages: [";
    for (std::size_t i = 0; i <= Run::kMaxCount; ++i) text += "p" + std::to_string(i) + ", ";
    const CompiledPack pack = compile_pack({{"large.yaml", text + "]}"}}, nullptr);
    REQUIRE(pack.errors.size() == 1);
    CHECK(pack.errors[0].what == "the pack is too large");
    CHECK(pack.blob.empty());
  }
}

TEST_CASE("equal records of a pack are stored once", "[rules]") {
  const OpenPack pack(compiled(kToyPack));
  CHECK(pack->classes[0].defaults == pack->classes[1].defaults);
  CHECK(pack->envs[pack->find_env("TOY_SET")].values == pack->envs[pack->find_env("TOY_UNREAD")].values);
}

TEST_CASE("a pack that is loaded and written is the same, byte for byte", "[rules]") {
  const OpenPack toy(compiled(kToyPack));
  CHECK(PackData(*toy).serialize() == toy->blob);
  const Pack& embedded = Pack::embedded();
  CHECK((PackData(embedded).serialize() == embedded.blob));  // parentheses: half a megabyte is not to be printed
}

TEST_CASE("how it is packed changes no content", "[rules]") {
  const PackData data(Pack::embedded());
  const OpenPack smallest(data.serialize(Effort::kSmallest));
  const OpenPack fastest(data.serialize(Effort::kFastest));
  CHECK(smallest->blob.size() < fastest->blob.size());
  CHECK(smallest->hash() == fastest->hash());
  CHECK(fastest->hash() == Pack::embedded().hash());
  REQUIRE(fastest->cold().notes.size() == fastest->rules.size());
  for (std::uint32_t rule = 0; rule < smallest->rules.size(); ++rule) {
    if (smallest->text(smallest->note(rule).because) != fastest->text(fastest->note(rule).because)) FAIL_CHECK(rule);
  }
}

TEST_CASE("a variable becomes hot when it is used", "[rules]") {
  PackData data;
  EnvRec env;
  env.name = data.intern_cold("NAME");
  env.former_name = data.intern_cold("OLD_NAME");
  data.envs = {env, env};
  data.use_env(1);
  CHECK(data.envs[0].name >= kColdText);
  CHECK(data.envs[1].name < kColdText);
  CHECK(data.text(data.envs[1].name) == "NAME");
  CHECK(data.text(data.envs[1].former_name) == "OLD_NAME");
  const StrId name = data.envs[1].name;
  data.use_env(1);
  CHECK(data.envs[1].name == name);
}

TEST_CASE("an overlay keeps what it does not change", "[rules]") {
  const OpenPack base(compiled(kToyPack));
  const OpenPack pack(compiled(R"(
overlay: mine
disable: [main/env]
tables:
  limits: {add: {fastest: 4}}
  names: {add: [three]}
---
stage: main
rules:
- {id: main/set, when: env.TOY_UNREAD == 4, set: {size: 2}}
- {id: mine/new, after: main/limits, warn: "size is {size}"}
)",
                               &*base));
  const auto message = [&](const char* id) { return unparse(*pack, pack->rules[rule_named(*pack, id)].payload.first); };
  CHECK(message("main/limits") == "{mode} mode takes up to {most}, and not {size}");
  CHECK(message("mine/new") == "size is {size}");
  CHECK(rule_named(*pack, "mine/new") == rule_named(*pack, "main/limits") + 1);
  CHECK(pack->rules[rule_named(*pack, "main/env")].disabled == 1);
  CHECK(unparse(*pack, pack->rules[rule_named(*pack, "main/set")].when) == "env.TOY_UNREAD == 4");
  CHECK(pack->text(pack->note(rule_named(*pack, "main/set")).because) == "toys are small");
  CHECK(pack->envs[pack->find_env("TOY_UNREAD")].name < kColdText);
  CHECK(pack->rules.size() == base->rules.size() + 1);
  CHECK(pack->cold().notes.size() == pack->rules.size());

  CHECK(table_text(*base, "limits", 0) == "{'fast': 8, 'slow': 16}");
  CHECK(table_text(*pack, "limits", 0) == "{'fast': 8, 'slow': 16, 'fastest': 4}");
  CHECK(table_text(*pack, "limits", 1) == "{'fast': 8, 'slow': 16, 'slower': 32, 'slowest': 64, 'fastest': 4}");
  CHECK(table_text(*base, "names", 1) == "['one', 'two']");
  CHECK(table_text(*pack, "names", 1) == "['one', 'two', 'three']");
}

TEST_CASE("an overlay over an overlay", "[rules]") {
  const OpenPack base(compiled(kToyPack));
  const OpenPack first(compiled("overlay: a\n---\nstage: main\nrules:\n- {id: a/one, warn: one}\n", &*base));
  const OpenPack second(compiled("overlay: b\n---\nstage: main\nrules:\n- {id: a/one, warn: two}\n", &*first));
  CHECK(second->rules.size() == first->rules.size());
  CHECK(unparse(*second, second->rules[rule_named(*second, "a/one")].payload.first) == "two");
  CHECK(second->hash() != first->hash());
  CHECK(PackData(*second).serialize(Effort::kFastest) == second->blob);
}
