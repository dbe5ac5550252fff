#include "base/yaml.h"

#include "catch.h"

namespace gonogo {
namespace {

YamlNode one(const std::string& text) {
  auto documents = parse_yaml(text, "f.yaml");
  if (!documents) FAIL(to_text(documents.error()));
  REQUIRE(documents->size() == 1);
  return documents->at(0);
}

std::string error_of(const std::string& text, YamlLimits limits = {}) {
  const auto documents = parse_yaml(text, "f.yaml", limits);
  return documents ? "no error" : to_text(documents.error());
}

TEST_CASE("plain scalars are told from quoted and block ones, and nothing is converted") {
  struct Row {
    const char* yaml;
    const char* scalar;
    bool plain;
  };
  const std::vector<Row> rows = {
      {"k: 1", "1", true},
      {"k: no", "no", true},
      {"k: 010", "010", true},
      {"k: \"1\"", "1", false},
      {"k: '1'", "1", false},
      {"k: ''", "", false},
      {"k: \"a\\nb\"", "a\nb", false},
      {"k: 'it''s'", "it's", false},
      {"k: a: b", "error", true},
      {"k: |\n  a\n  b\n", "a\nb\n", false},
      {"k: >\n  a\n  b\n", "a b\n", false},
      {"k: >-\n  a\n  b\n", "a b", false},
      {"k: a\n  b", "a b", true},
  };
  for (const Row& row : rows) {
    INFO(row.yaml);
    const auto documents = parse_yaml(row.yaml, "f.yaml");
    CHECK(documents.ok() == (std::string(row.scalar) != "error"));
    if (!documents) continue;
    const YamlNode* value = documents->at(0).find("k");
    REQUIRE(value != nullptr);
    CHECK(value->scalar == row.scalar);
    CHECK(value->plain == row.plain);
  }
}

TEST_CASE("nulls, lists, mappings and several documents keep their shape") {
  const YamlNode node = one("a: null\nb: ~\nc:\nd: [x, {y: z}]\n");
  CHECK(node.is_mapping());
  for (const char* key : {"a", "b", "c"}) CHECK(node.find(key)->type == YamlNode::Type::kNull);
  CHECK(node.find("missing") == nullptr);
  REQUIRE(node.find("d")->items.size() == 2);
  CHECK(node.find("d")->items[1].find("y")->scalar == "z");
  CHECK(parse_yaml("a: 1\n---\nb: 2\n", "f.yaml")->size() == 2);
  CHECK(parse_yaml("", "f.yaml")->empty());
}

TEST_CASE("places are those in the file, from 1") {
  struct Row {
    const char* yaml;
    int line;
    int column;
  };
  const std::vector<Row> rows = {
      {"k: v", 1, 4},        {"\n\nk:   v", 3, 6},        {"k: 'v'", 1, 4}, {"k:\n  v", 2, 3},
      {"k: |\n  v\n", 1, 4}, {"k: >-\n  v\n  w\n", 1, 4}, {"k: [v]", 1, 4}, {"# c\nk: {a: v}", 2, 4},
  };
  for (const Row& row : rows) {
    INFO(row.yaml);
    const YamlNode node = one(row.yaml);
    CHECK(node.find("k")->line == row.line);
    CHECK(node.find("k")->column == row.column);
  }
}

TEST_CASE("what is wrong is told with its place") {
  struct Row {
    const char* yaml;
    const char* error;
  };
  const std::vector<Row> rows = {
      {"a: 1\nb: 2\na: 3\n", "f.yaml:3:1: the key 'a' stands twice (remove one)"},
      {"x:\n  - {a: 1, a: 2}\n", "f.yaml:2:12: the key 'a' stands twice (remove one)"},
      {"a: 1\n\"a\": 2\n", "f.yaml:2:1: the key 'a' stands twice (remove one)"},
      {"? [a]\n: 1\n", "f.yaml:1:3: a key is not plain text"},
      {"a: *none\n", "f.yaml:1:4: this is no valid YAML"},
      {"a: [1, 2\n", "f.yaml:2:1: this is no valid YAML"},
      {"a: 1\n  b: 2\n", "f.yaml:2:4: this is no valid YAML"},
      {"{", "f.yaml:1:1: this is no valid YAML"},
  };
  for (const Row& row : rows) {
    INFO(row.yaml);
    CHECK(error_of(row.yaml).substr(0, std::string(row.error).size()) == row.error);
  }
}

TEST_CASE("an alias bomb, deep nesting and a large file are refused quickly") {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last;
    for (int k = 1; k < 10; ++k) bomb += ", " + last;
    bomb += "]\n";
  }
  CHECK(error_of(bomb).find("the file expands to too many values (do not nest aliases)") != std::string::npos);
  CHECK(one("a: &x [1]\nb: *x\n").find("b")->items.size() == 1);

  const auto nested = [](int levels) { return "k: " + std::string(levels, '[') + std::string(levels, ']'); };
  CHECK(error_of(nested(59)) == "no error");
  CHECK(error_of(nested(61)).find("the file is nested too deeply") != std::string::npos);
  CHECK(error_of(nested(100'000)) != "no error");

  CHECK(error_of("a: " + std::string(5u << 20, 'x')) == "f.yaml: the file is larger than 4 MiB");
  CHECK(error_of("[a, b, c]", {.bytes = 100, .depth = 5, .nodes = 3}).find("too many values") != std::string::npos);
  CHECK(error_of("[a, b, c]", {.bytes = 100, .depth = 5, .nodes = 4}) == "no error");
}

}  // namespace
}  // namespace gonogo
