// The parser against Python's argparse, and YAML typing against PyYAML: rows of testdata/argparse, as
// scripts/record_argparse.py recorded them.
#include <fstream>
#include <string>
#include <vector>

#include "base/json.h"
#include "catch.h"
#include "flags/argparse.h"
#include "flags/yaml_value.h"
#include "rules/pack.h"

using namespace gonogo;

namespace {

std::vector<std::string> lines_of(const std::string& name) {
  std::ifstream in(std::string(GONOGO_TESTDATA) + "/argparse/" + name);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

Value json(const std::string& line, Arena& arena) {
  const Result<Value> row = parse_json(line, "row", arena);
  REQUIRE(row.ok());
  return *row;
}

std::vector<Word> words_of(const Value& argv) {
  std::vector<Word> words;
  for (std::uint32_t i = 0; i < argv.size(); ++i) words.push_back({std::string(argv[i].as_str()), {"argv", 1, 1}});
  return words;
}

// What differs between the recorded answer and ours; empty where nothing does.
std::string difference(const Pack& pack, const Value& row, Arena& arena) {
  const std::uint32_t version = pack.version_index(row.find("version")->as_str());
  if (version == kNoIndex) return "unknown version";
  const std::vector<Word> words = words_of(*row.find("argv"));
  const Parsed parsed = parse(pack, version, words, arena);
  if (const Value* kind = row.find("error")) {
    if (parsed.ok()) return "accepted; recorded: " + std::string(kind->as_str());
    const UsageFinding& first = parsed.refusals[0];
    if (usage_kind_name(first.kind) != kind->as_str()) return "refused otherwise: " + first.message;
    const Value* stray = row.find("word");
    if (stray != nullptr && words[first.word].text != stray->as_str()) return "other word: " + words[first.word].text;
    return first.message.empty() ? "no message" : "";
  }
  if (!parsed.ok()) return "refused: " + parsed.refusals[0].message;
  const Value& values = *row.find("values");
  for (std::uint32_t i = 0; i < values.size(); ++i) {
    const std::uint32_t field = pack.find_field(values.entries()[i].key.as_str());
    if (field == kNoIndex) return "unknown field";
    const std::string wanted = to_json(values.entries()[i].value);
    const std::string got = to_json(parsed.given.value(field));
    if (got != wanted) return to_str(values.entries()[i].key) + " is " + got + ", recorded: " + wanted;
    if (!parsed.given.typed(field)) return to_str(values.entries()[i].key) + " is not marked as typed";
  }
  for (std::uint32_t field = 0; field < parsed.given.field_count; ++field) {
    if (values.find(pack.field_name(field)) != nullptr) continue;
    if (parsed.given.typed(field)) return std::string(pack.field_name(field)) + " is marked as typed";
    if (!identical(parsed.given.value(field), field_default(pack, field, version, arena))) return "a default changed";
  }
  return "";
}

}  // namespace

TEST_CASE("argv is read as Python's argparse reads it", "[flags][recorded]") {
  const Pack& pack = Pack::embedded();
  const std::vector<std::string> lines = lines_of("cases.jsonl");
  REQUIRE(lines.size() >= 600);
  std::string wrong;
  for (const std::string& line : lines) {
    Arena arena;
    const std::string problem = difference(pack, json(line, arena), arena);
    if (problem.empty()) continue;
    wrong += line.substr(0, 400) + "\n    " + problem + "\n";
  }
  CHECK(wrong == "");
}

TEST_CASE("bare YAML words are typed as PyYAML types them", "[flags][recorded]") {
  const std::vector<std::string> lines = lines_of("yaml.jsonl");
  REQUIRE(lines.size() >= 100);
  for (const std::string& line : lines) {
    Arena arena;
    const Value row = json(line, arena);
    YamlNode node;
    node.type = YamlNode::Type::kScalar;
    node.scalar = std::string(row.find("text")->as_str());
    const Value value = yaml_value(node, arena);
    INFO(line);
    CHECK(to_json(value) == to_json(*row.find("value")));
    CHECK(to_str(value) == row.find("str")->as_str());
  }
}
