#include "flags/config_file.h"

#include <string>
#include <vector>

#include "catch.h"
#include "flags/argparse.h"
#include "flags/small_pack.h"
#include "tree.h"

using namespace gonogo;
using namespace gonogo::testing;

namespace {

Launch launch_of(const std::string& line) {
  Launch launch;
  launch.args = words(split(line));
  return launch;
}

// The merged words, joined by |, or "refused: …" or "error: …" with the place.
std::string merged(Launch* launch) {
  const auto outcome = merge_config_file(small_pack(), small_pack().version_index("1.1"), launch);
  const auto at = [](const Place& place) {
    return " at " + std::to_string(place.line) + ":" + std::to_string(place.column);
  };
  if (!outcome) return "error: " + outcome.error().what + at(outcome.error().place);
  if (outcome->has_value()) return "refused: " + (*outcome)->message + at((*outcome)->place);
  std::string out;
  for (const Word& word : launch->args) out += (out.empty() ? "" : "|") + word.text;
  return out;
}

std::string merged(const std::string& yaml, const std::string& rest = "") {
  const Tree tree;
  Launch launch = launch_of("--file " + tree.file("args.yaml", yaml) + rest);
  return merged(&launch);
}

struct Row {
  const char* yaml;
  const char* wanted;
};

}  // namespace

TEST_CASE("entries become words", "[flags][config]") {
  for (const Row& row : {
           Row{"model: m\nsize: 8\n", "--model|m|--size|8"},
           {"model-path: m", "--model-path|m"},
           {"model_path: m", "--model_path|m"},  // as written: the parser has no such flag
           {"trust: true\nverbose: no\n", "--trust"},
           {"trust: yes", "--trust"},
           {"trust: 'yes'", "--trust|yes"},
           {"quant: true", "--quant|true"},
           {"quant: off", "--quant|false"},
           {"quant: null", "--quant|None"},
           {"quant:", "--quant|None"},
           {"ports: [1, 2]", "--ports|1|2"},
           {"ports: []", ""},
           {"tags: [a, yes, 1.50, ~, 0x10]", "--tags|a|True|1.5|None|16"},
           {"extra: {a: 1, b: [yes, \"x\"]}", "--extra|{\"a\": 1, \"b\": [true, \"x\"]}"},
           {"share: 0.50", "--share|0.5"},
           {"share: 1e3", "--share|1e3"},
           {"length: 010", "--length|8"},
           {"length: 1_000", "--length|1000"},
           {"length: \"010\"", "--length|010"},
           {"size: 99999999999999999999", "--size|99999999999999999999"},
           {"out: 2024-01-01", "--out|2024-01-01"},
           {"out: |\n  two\n  lines\n", "--out|two\nlines\n"},
           {"one: yes-please", "--one|yes-please"},
           {"", ""},
           {"# nothing\n", ""},
           {"---\nsize: 2\n", "--size|2"},
           {"base: &b 3\nsize: *b", "--base|3|--size|3"},
       }) {
    INFO(row.yaml);
    CHECK(merged(row.yaml) == row.wanted);
  }
}

TEST_CASE("what a file can't give", "[flags][config]") {
  for (const Row& row : {
           Row{"fold: true", "refused: 'fold' can't be given in a file at 1:1"},
           {"size: 1\nno-fold: true", "refused: 'no-fold' can't be given in a file at 2:1"},
           {"adapters: [a]", "refused: 'adapters' can't be given in a file at 1:1"},
           {"old-trust: true", "refused: 'old-trust' can't be given in a file at 1:1"},
           {"- model\n", "refused: the file must hold a mapping of flags to values at 1:1"},
           {"just text", "refused: the file must hold a mapping of flags to values at 1:1"},
           {"on: x", "refused: the key 'on' is read as bool, not as a flag at 1:1"},
           {"1: x", "refused: the key '1' is read as int, not as a flag at 1:1"},
       }) {
    INFO(row.yaml);
    CHECK(merged(row.yaml) == row.wanted);
  }
  // A deprecated flag whose field another flag sets: that key stays usable.
  CHECK(merged("trust: true") == "--trust");
}

TEST_CASE("files that can't be read are errors with their place", "[flags][config]") {
  CHECK(merged("size: 1\nsize: 2\n") == "error: the key 'size' stands twice at 2:1");
  CHECK(merged("size: [1\n").rfind("error: this is no valid YAML", 0) == 0);
  CHECK(merged("a: 1\n---\nb: 2\n").rfind("error: a file of arguments holds one document", 0) == 0);
  CHECK(merged("<<: {size: 1}\n").rfind("error: merge keys", 0) == 0);
  CHECK(merged("a: " + std::string(200, '[') + std::string(200, ']')).rfind("error: ", 0) == 0);
  CHECK(merged("a: x" + std::string(2u << 20, 'x')).rfind("error: the file of --file is larger", 0) == 0);
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before + ", " + before + ", " + before +
            ", " + before + ", " + before + ", " + before + ", " + before + ", " + before + "]\n";
  }
  CHECK(merged(bomb).rfind("error: ", 0) == 0);
  Launch missing = launch_of("--file /nonexistent/args.yaml");
  CHECK(merged(&missing).rfind("error: the file of --file can't be opened", 0) == 0);
  Launch directory = launch_of("--file x.yaml");
  const Tree tree;
  directory.args[1].text = tree.directory("folder.yaml");
  CHECK(merged(&directory).rfind("error: the file of --file is a directory", 0) == 0);
}

TEST_CASE("the flag itself", "[flags][config]") {
  const std::string two = "--file a.yaml --file b.yaml";
  for (const Row& row : {
           Row{"--size 2", "--size|2"},
           {"--file", "refused: --file needs a file at 1:1"},
           {"--file ''", "--file|"},
           {"--file a.json", "refused: --file takes a .yaml or .yml file, not 'a.json' at 1:8"},
           {"--file .yaml", "refused: --file takes a .yaml or .yml file, not '.yaml' at 1:8"},
           {"--file a/.yml", "refused: --file takes a .yaml or .yml file, not 'a/.yml' at 1:8"},
           {"--file a.yaml --file b.yaml", "refused: --file is given twice at 1:15"},
           {"--file=a.json", "--file=a.json"},
           {"--fil a.json", "--fil|a.json"},
       }) {
    INFO(row.yaml);
    Launch launch = launch_of(row.yaml);
    CHECK(merged(&launch) == row.wanted);
  }
  const Tree tree;
  Launch launch = launch_of("--model m --file x --size 4");
  launch.args[3].text = tree.file("args.YML", "size: 3");
  CHECK(merged(&launch) == "--size|3|--model|m|--size|4");
}

TEST_CASE("words keep their place in the file, and the command line wins", "[flags][config]") {
  const Tree tree;
  const std::string file = tree.file("args.yaml", "model: m\nports:\n  - 1\n  - x\nsize: 2\n");
  Launch launch = launch_of("--file x --size 8");
  launch.args[1].text = file;
  CHECK(merged(&launch) == "--model|m|--ports|1|x|--size|2|--size|8");
  CHECK(launch.args[4].place.file == file);
  CHECK(launch.args[4].place.line == 4);
  CHECK(launch.args[4].place.column == 5);
  Arena arena;
  const Parsed parsed = parse(small_pack(), small_pack().version_index("1.1"), launch.args, arena);
  REQUIRE(parsed.refusals.size() == 1);
  CHECK(parsed.refusals[0].place.line == 4);
  CHECK(excerpt(launch, parsed.refusals[0].place) == "  - x\n    ^");
  CHECK(parsed.given.value(small_pack().find_field("size")).as_int() == 8);
}

TEST_CASE("a file that is among the sources is not read from disk") {
  Launch launch = launch_of("--file /etc/none/x.yaml --size 4");
  launch.sources.push_back({"other", "size: 9"});
  launch.sources.push_back({"/etc/none/x.yaml", "model: m\nsize: 2\n"});
  const auto merged = merge_config_file(small_pack(), 1, &launch);
  REQUIRE(merged.ok());
  CHECK_FALSE(merged->has_value());
  std::string texts;
  for (const Word& word : launch.args) texts += word.text + " ";
  CHECK(texts == "--model m --size 2 --size 4 ");
  CHECK(launch.args[0].place.file == "/etc/none/x.yaml");
  CHECK(launch.args[2].place.line == 2);
}
