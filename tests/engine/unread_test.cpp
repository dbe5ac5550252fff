// Which reads give a flag an effect: those of conditions and values that decide, not those of advice.
#include <string>
#include <vector>

#include "catch.h"
#include "engine/tiny_launch.h"

namespace gonogo {

namespace {

using testing::Around;
using testing::TinyLaunch;

std::string with_rules(const std::string& rules) {
  return R"(
pack: {name: tiny, versions: ["1.0"], entry_points: [tiny], models: {model: "= path"}, parts: {only: [main]}}
flags:
- {flags: [--path], field: path, default: x}
- {flags: [--size], field: size, type: int, default: 1}
- {flags: [--mode], field: mode}
- {flags: [--on], field: on, action: store_true, default: false}
readers_known: [size]
facts: {wide: "= size > 1"}
functions: {twice: {args: [], value: "= size * 2"}}
---
stage: main
rules:
)" + rules;
}

}  // namespace

TEST_CASE("a flag that nothing reads has no effect", "[engine]") {
  const std::string unread = "--size has no effect: nothing in this launch reads it";
  struct Row {
    const char* about;
    const char* rules;
    std::vector<std::string> words;
    std::string findings;
  };
  const std::vector<Row> rows = {
      {"no rule", "- {when: on, set: {mode: a}}\n", {"--size", "2"}, unread},
      {"typed as it is by default", "- {when: on, set: {mode: a}}\n", {"--size", "1"}, ""},
      {"not typed", "- {when: on, set: {mode: a}}\n", {}, ""},
      {"a condition", "- {when: size > 5, set: {mode: a}}\n", {"--size", "2"}, ""},
      {"a condition that is not come to", "- {when: on and size > 5, set: {mode: a}}\n", {"--size", "2"}, unread},
      {"a condition that is come to", "- {when: on and size > 5, set: {mode: a}}\n", {"--size", "2", "--on"}, ""},
      {"within a group that does not hold",
       "- {when: on, rules: [{when: size > 5, set: {mode: a}}]}\n",
       {"--size", "2"},
       unread},
      {"a value", "- {set: {mode: '= str(size)'}}\n", {"--size", "2"}, ""},
      {"as it was given", "- {set: {mode: '= str(given.size)'}}\n", {"--size", "2"}, ""},
      {"whether it was typed", "- {when: typed(size), set: {mode: a}}\n", {"--size", "2"}, unread},
      {"a function", "- {when: twice() > 5, set: {mode: a}}\n", {"--size", "2"}, ""},
      {"a let name", "- {let: {s: '= size'}, when: s > 5, set: {mode: a}}\n", {"--size", "2"}, ""},
      {"a refusal that does not hold", "- {when: size > 5, fail: large}\n", {"--size", "2"}, ""},
      {"a warning alone", "- {when: size > 1, warn: large}\n", {"--size", "2"}, "large; " + unread},
      {"advice alone", "- {when: size > 1, advise: 'use {size}'}\n", {"--size", "2"}, "use 2; " + unread},
      {"a fact that a warning reads first", "- {when: model.wide, warn: wide}\n", {"--size", "2"}, "wide"},
      {"behind a refusal", "- {when: not on, fail: off}\n", {"--size", "2"}, "off"},
  };
  for (const Row& row : rows) {
    INFO(row.about);
    CHECK(TinyLaunch(with_rules(row.rules), row.words, Around{.config = "{}"}).findings() == row.findings);
  }
}

TEST_CASE("with a fact missing no flag is called unread", "[engine]") {
  const std::string rules = "- {when: gpu.count > 2, fail: many}\n";
  CHECK(TinyLaunch(with_rules(rules), {"--size", "2"}).findings() == "many?");
  CHECK(TinyLaunch(with_rules(rules), {"--size", "2"}, Around{.gpu = true}).findings() == "many");
}

}  // namespace gonogo
