// A rule's page and the index, and the recorded launches that pages show.
#include "report/rule_page.h"

#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "report/rule_text.h"
#include "report/sample.h"

namespace gonogo::test {

namespace {

std::uint32_t rule_named(const Pack& pack, std::string_view id) {
  for (std::uint32_t i = 0; i < pack.rules.size(); ++i) {
    if (pack.text(pack.rules[i].id) == id) return i;
  }
  FAIL("no rule " << id);
  return 0;
}

constexpr std::string_view kExamples =
    R"({"rule":"gates/no-path","fires":{"sample":"1.0","gpu":"g1","model":"Maker__Model","argv":["--path","$MODEL","--exchange","deep"],"env":{"CAPACITY":"4 GiB"}},"rests":{"argv":["--path","$MODEL"],"config":{"layers":2}}})"
    "\n\n";

}  // namespace

TEST_CASE("a rule's page", "[report]") {
  const Sample sample({});
  RuleExamples examples;
  REQUIRE_FALSE(examples.add(kExamples, "examples.jsonl"));
  struct Row {
    std::string rule;
    std::vector<std::string> says;
    std::vector<std::string> never;
  };
  const std::vector<Row> rows = {
      {"gates/no-path",
       {"# gates/no-path\n\nthe fast runner exchanges nothing.\n",
        "The launch is refused.\n\n```text\nfail: {runner} has no path for --exchange {exchange}\n```\n",
        "## When\n\n```python\nexchange == 'deep' and runner == 'fast'\n```\n",
        "It takes effect when processes and the model are built, before weights load.\n",
        "Version 1.0 on g1:\n\n```sh\nCAPACITY='4 GiB' sample serve --path Maker/Model --exchange deep\n```\n",
        "## One beside it that does not\n\nVersion 2.0:\n\n```sh\nsample serve --path $MODEL\n```\n",
        "where the model's config.json is\n\n```json\n{\n  \"layers\": 2\n}\n```\n",
        "- `runner = 'safe'`\n- `exchange = 'none'`\n- `version = '>=2.0'`\n", "- refused upstream in: `gates.check`\n",
        "- see: `sample#1`\n", "- versions: all (1.0, 2.0)\n"},
       {}},
      {"choose/fast",
       {"A value is chosen.\n\n```text\nset: runner = 'fast'\n```\n", "- declared upstream by: `_choose`\n",
        "- versions: 1.0\n"},
       {"A launch that meets it", "What to change", "refused upstream"}},
      {"gates/eager", {"the flag does nothing"}, {"What to change"}},
  };
  for (const Row& row : rows) {
    const std::string page = rule_page(*sample.pack, rule_named(*sample.pack, row.rule), examples);
    INFO(page);
    for (const std::string& text : row.says) {
      INFO("must say: " << text);
      CHECK(page.find(text) != std::string::npos);
    }
    for (const std::string& text : row.never) {
      INFO("must not say: " << text);
      CHECK(page.find(text) == std::string::npos);
    }
  }
}

TEST_CASE("a page's name can stand in a link", "[report]") {
  CHECK(rule_page_name("gates/no-path") == "gates/no-path.md");
  CHECK(rule_page_name("gates#2") == "gates-2.md");
}

TEST_CASE("the index leads to every rule, by phase and name", "[report]") {
  const Sample sample({});
  const std::string index =
      rule_index(*sample.pack, {rule_named(*sample.pack, "choose/fast"), rule_named(*sample.pack, "gates/no-path")});
  INFO(index);
  CHECK(index.find("2 rules") != std::string::npos);
  const std::size_t first = index.find("- [choose/fast](choose/fast.md) (set): auto means the fast runner\n");
  const std::size_t second =
      index.find("- [gates/no-path](gates/no-path.md) (fail): the fast runner exchanges nothing\n");
  CHECK(first != std::string::npos);
  CHECK(second != std::string::npos);
  CHECK(index.find("## resolve: ") < first);
  CHECK(index.find("## init: ") < second);
  CHECK(first < index.find("## init: "));
}

TEST_CASE("what a rule has from one file stays", "[report]") {
  RuleExamples examples;
  CHECK_FALSE(examples.add("{\"rule\":\"a\",\"fires\":{\"id\":1},\"rests\":{}}", "one"));
  CHECK_FALSE(
      examples.add("{\"rule\":\"a\",\"fires\":{},\"rests\":{}}\n{\"rule\":\"b\",\"fires\":{},\"rests\":{}}", "two"));
  REQUIRE(examples.find("a") != nullptr);
  CHECK(examples.find("a")->fires.find("id") != nullptr);
  CHECK(examples.find("b") != nullptr);
  CHECK(examples.find("c") == nullptr);
}

TEST_CASE("examples that are none tell the line", "[report]") {
  struct Row {
    std::string text;
    int line;
  };
  for (const Row& row : std::vector<Row>{{"{\"rule\":\"a\",\"fires\":{},\"rests\":{}}\n{\n", 2},
                                         {"\n{\"rule\":\"a\",\"fires\":{}}", 2},
                                         {"{\"rule\":1,\"fires\":{},\"rests\":{}}", 1},
                                         {"[]", 1}}) {
    INFO(row.text);
    const auto error = RuleExamples().add(row.text, "examples.jsonl");
    REQUIRE(error);
    CHECK(error->place.file == "examples.jsonl");
    CHECK(error->place.line == row.line);
  }
}

TEST_CASE("conditions of the groups around a rule come before its own", "[report]") {
  const CompiledPack compiled = compile_pack({{"p.yaml", R"(
pack: {name: p, versions: ["1"], entry_points: [serve], parts: {resolve: [s]}}
flags:
- {flags: [--size], field: size, type: int, default: 1}
- {flags: [--list], field: names}
---
stage: s
when: size > 0
rules:
- id: s/group
  when: size > 1
  rules:
  - id: s/leaf
    when: names is not None
    warn: "<{size}>"
    because: a_b and _c_ <*>
)"}},
                                             nullptr);
  REQUIRE(compiled.errors.empty());
  const auto pack = Pack::open(compiled.blob);
  REQUIRE(pack);
  const std::uint32_t leaf = rule_named(*pack, "s/leaf");
  CHECK(conditions_of(*pack, leaf) == std::vector<std::string>{"size > 0", "size > 1", "names is not None"});
  CHECK(rule_text(*pack, leaf).find("  when      size > 0\n  and       size > 1\n") != std::string::npos);
  CHECK(rule_page(*pack, leaf, RuleExamples()).find("a_b and \\_c\\_ \\<\\*\\>.") != std::string::npos);
}

}  // namespace gonogo::test
