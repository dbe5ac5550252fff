// YAML of other tools: places of every byte, merge keys, and what is refused.
#include "carriers/yaml_tree.h"

#include <string>
#include <vector>

#include "catch.h"

using namespace gonogo;

namespace {

// The line and column (from 1) of a byte of a scalar.
std::string place(const YamlTree& tree, std::string_view file, const YamlItem& item, std::size_t at) {
  const Place p = LineIndex(file).place("f", tree.mapped(item).offset(at));
  return std::to_string(p.line) + ":" + std::to_string(p.column);
}

const YamlItem& only(const Result<YamlTree>& tree, std::string_view key) {
  REQUIRE(tree.ok());
  REQUIRE(tree->documents().size() == 1);
  const YamlItem* item = tree->documents()[0]->find(key);
  REQUIRE(item != nullptr);
  return *item;
}

}  // namespace

TEST_CASE("each byte of a scalar leads back to the file") {
  struct Row {
    const char* what;
    const char* file;
    const char* text;    // the scalar under k
    const char* needle;  // a part of it
    const char* place;   // where the part stands
  };
  const std::vector<Row> rows = {
      {"plain", "k: one two\n", "one two", "two", "1:8"},
      {"plain over lines", "k: one\n  two\n  three\n", "one two three", "three", "3:3"},
      {"plain with a blank line", "k: one\n\n  two\n", "one\ntwo", "two", "3:3"},
      {"double quotes and escapes", "k: \"a\\tb \\\"c\\\" d\"\n", "a\tb \"c\" d", "d", "1:16"},
      {"a unicode escape", "k: \"\\u00e9x\"\n", "\xC3\xA9x", "x", "1:11"},
      {"double quotes over lines", "k: \"one\n   two \\\n   three\"\n", "one two three", "three", "3:4"},
      {"single quotes", "k: 'it''s so'\n", "it's so", "so", "1:11"},
      {"an anchor before it", "k: &a  word\n", "word", "word", "1:8"},
      {"a tag before it", "k: !!str 'word'\n", "word", "word", "1:11"},
      {"literal", "k: |\n  one\n    two\n  three\n", "one\n  two\nthree\n", "three", "4:3"},
      {"literal, stripped", "k: |-\n    one\n    two\n", "one\ntwo", "two", "3:5"},
      {"literal with a comment in its head", "k: |  # note\n  one\n", "one\n", "one", "2:3"},
      {"literal with blank lines", "k: |\n  one\n\n\n  two\n", "one\n\n\ntwo\n", "two", "5:3"},
      {"literal, indentation said", "k: |2\n    one\n  two\n", "  one\ntwo\n", "two", "3:3"},
      {"folded", "k: >\n  one\n  two\n  three\n", "one two three\n", "three", "4:3"},
      {"folded with a blank line", "k: >-\n  one\n\n  two\n", "one\ntwo", "two", "4:3"},
      {"folded with more indented lines", "k: >\n  one\n    two\n  three\n", "one\n  two\nthree\n", "three", "4:3"},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    const auto tree = YamlTree::parse(row.file, "f");
    const YamlItem& item = only(tree, "k");
    CHECK(item.text == row.text);
    CHECK(tree->mapped(item).text() == row.text);
    CHECK(place(*tree, row.file, item, item.text.find(row.needle)) == row.place);
  }
}

TEST_CASE("spelling of plain scalars is kept") {
  const auto tree = YamlTree::parse("a: 0.90\nb: yes\nc: 010\nd: ~\ne: 'null'\nf:\n", "f");
  REQUIRE(tree.ok());
  const YamlItem& root = *tree->documents()[0];
  CHECK(root.scalar("a") == "0.90");
  CHECK(root.scalar("b") == "yes");
  CHECK(root.scalar("c") == "010");
  CHECK(root.find("d")->is_null());
  CHECK_FALSE(root.find("e")->is_null());
  CHECK(root.find("f")->is_null());
}

TEST_CASE("aliases and merge keys") {
  const auto tree = YamlTree::parse(
      "base: &b {x: 1, y: 2}\nmore: &m {y: 3, z: 4}\none:\n  <<: *b\n  y: own\ntwo:\n  <<: [*b, *m]\nthree: *b\n", "f");
  REQUIRE(tree.ok());
  const YamlItem& root = *tree->documents()[0];
  CHECK(root.find("one", "x")->text == "1");
  CHECK(root.find("one", "y")->text == "own");
  CHECK(root.find("two", "y")->text == "2");
  CHECK(root.find("two", "z")->text == "4");
  CHECK(root.find("three") == root.find("base"));
  CHECK(root.find("one", "<<") == nullptr);
}

TEST_CASE("a duplicate key is noted, and the last value stays") {
  const auto tree = YamlTree::parse("a: 1\nb: 2\na: 3\n", "f");
  REQUIRE(tree.ok());
  REQUIRE(tree->duplicate() != nullptr);
  CHECK(LineIndex("a: 1\nb: 2\na: 3\n").line(tree->duplicate()->offset) == 3);
  CHECK(tree->documents()[0]->scalar("a") == "3");
  CHECK(YamlTree::parse("a: 1\nb: {a: 2}\n", "f")->duplicate() == nullptr);
}

TEST_CASE("what is no YAML is an error with its place") {
  struct Row {
    std::string file;
    const char* what;
  };
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "[";
  const std::vector<Row> rows = {
      {"a: [1\n", "no valid YAML"},
      {"a: b: c\n", "no valid YAML"},
      {"<<<<<<< HEAD\na: 1\n=======\nb: 2\n", "no valid YAML"},
      {deep, "nested too deeply"},
      {"a: &x [*x]\n", "inside its own anchor"},
  };
  for (const Row& row : rows) {
    INFO(row.file.substr(0, 30));
    const auto tree = YamlTree::parse(row.file, "f.yaml");
    REQUIRE_FALSE(tree.ok());
    CHECK(tree.error().what.find(row.what) != std::string::npos);
    CHECK(tree.error().place.line > 0);
  }
}

TEST_CASE("aliases that multiply cost nothing") {
  std::string bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n";
  for (char c = 'b'; c < 'z'; ++c) {
    bomb += std::string(1, c) + ": &" + c + " [";
    for (int i = 0; i < 9; ++i) bomb += std::string(i > 0 ? ", *" : "*") + static_cast<char>(c - 1);
    bomb += "]\n";
  }
  const auto tree = YamlTree::parse(bomb, "f");
  REQUIRE(tree.ok());
  CHECK(tree->documents()[0]->find("y")->items.size() == 9);
}
