// A changed command line.
#include "flags/edit.h"

#include <string>
#include <vector>

#include "base/json.h"
#include "catch.h"
#include "rules/compiler.h"

namespace gonogo {

namespace {

using Texts = std::vector<std::string>;

const char* const kEditPack = R"(
pack: {name: toy, versions: ["1.0", "2.0"], entry_points: ["toy"], parts: {resolve: [s]}}
flags:
- {flags: [--size, --sz], field: size, type: int, default: 1}
- {flags: [--old-size], field: size, type: int, deprecated: true}
- {flags: [--share], field: share, type: float}
- {flags: [--mode], field: mode, choices: [a, b], default: a}
- {flags: [--names], field: names, nargs: "+"}
- {flags: [--fast], field: fast, action: store_true, default: false}
- {flags: [--slow, --no-slow], field: slow, action: boolean_optional, default: true}
- {flags: [--fixed], field: fixed, action: store_const, nargs: none, const: 7}
- {flags: [--text], field: text}
- {flags: [--extra], field: extra, type: json}
- {flags: [--late], field: late, versions: ">=2.0"}
---
stage: s
rules: []
)";

const Pack& edit_pack() {
  static const std::string blob = compile_pack({{"toy.yaml", kEditPack}}, nullptr).blob;
  static const Pack pack = *Pack::open(blob);
  return pack;
}

std::string joined(const Texts& words) {
  std::string out;
  for (const std::string& w : words) out += (out.empty() ? "" : " ") + w;
  return out;
}

}  // namespace

TEST_CASE("the words that give a field a value", "[flags]") {
  struct Row {
    std::string field;
    std::string value;   // JSON
    std::string wanted;  // the words, then the value as it is read; empty where no flag can
    std::uint32_t version = 0;
  };
  const std::vector<Row> rows = {
      {"size", "4", "--size 4 -> 4"},
      {"size", "\"x\"", ""},
      {"share", "1", "--share 1 -> 1.0"},
      {"mode", "\"b\"", "--mode b -> 'b'"},
      {"mode", "\"c\"", ""},
      {"names", "[\"a\", \"b\"]", "--names a b -> ['a', 'b']"},
      {"names", "\"a\"", ""},
      {"names", "[]", ""},
      {"fast", "true", "--fast -> True"},
      {"fast", "false", ""},
      {"slow", "false", "--no-slow -> False"},
      {"slow", "true", "--slow -> True"},
      {"fixed", "7", "--fixed -> 7"},
      {"fixed", "8", ""},
      {"text", "\"-x\"", "--text=-x -> '-x'"},
      {"text", "\"two words\"", "--text two words -> 'two words'"},
      {"extra", "{\"k\": 1}", "--extra {\"k\": 1} -> {'k': 1}"},
      {"size", "null", ""},
      {"late", "\"x\"", ""},
      {"late", "\"x\"", "--late x -> 'x'", 1},
  };
  const Pack& pack = edit_pack();
  for (const Row& row : rows) {
    Arena arena;
    INFO(row.field << " " << row.value);
    const auto value = parse_json(row.value, "row", arena);
    REQUIRE(value.ok());
    const auto words = flag_words(pack, row.version, pack.find_field(row.field), *value, arena);
    const std::string got = words ? joined(words->words) + " -> " + to_repr(words->value) : "";
    CHECK(got == row.wanted);
  }
}

TEST_CASE("edits of a command line", "[flags]") {
  struct Row {
    std::string name;
    Texts words;
    std::string field;
    Texts by;
    std::string wanted;
  };
  const std::vector<Row> rows = {
      {"added at the end", {"--fast"}, "size", {"--size", "2"}, "--fast --size 2"},
      {"in its place", {"--size", "4", "--fast"}, "size", {"--size", "2"}, "--size 2 --fast"},
      {"taken away", {"--size", "4", "--fast"}, "size", {}, "--fast"},
      {"by another spelling, and all of them",
       {"--sz", "4", "--fast", "--old-size=3"},
       "size",
       {"--size", "2"},
       "--fast --size 2"},
      {"abbreviated", {"--si", "4", "--fast"}, "size", {}, "--fast"},
      {"many values", {"--names", "a", "b", "--fast"}, "names", {}, "--fast"},
      {"a negative number is a value", {"--size", "-4", "--fast"}, "size", {}, "--fast"},
      {"a switch takes no value", {"--fast", "x"}, "fast", {}, "x"},
      {"nothing to take away", {"--fast"}, "size", {}, "--fast"},
      {"what stands behind -- is no flag", {"--", "--fast"}, "fast", {}, "-- --fast"},
  };
  for (const Row& row : rows) {
    std::vector<Word> words;
    for (const std::string& text : row.words) words.push_back({text, {}});
    INFO(row.name);
    const Pack& pack = edit_pack();
    Texts got;
    for (const Word& w : edited(words, edits_for(pack, 0, words, pack.find_field(row.field), row.by)))
      got.push_back(w.text);
    CHECK(joined(got) == row.wanted);
  }
}

}  // namespace gonogo
