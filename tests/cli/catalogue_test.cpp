// A model that is not on this machine: what the built-in catalogue answers, what goes before it, and that it is said.
#include <string>
#include <vector>

#include "base/json.h"
#include "catch.h"
#include "cli/run_binary.h"
#include "holds.h"
#include "tree.h"

namespace gonogo::test {

namespace {

using Args = std::vector<std::string>;

const std::string kKnown = "Qwen/Qwen3-8B";
const std::string kDense = std::string(GONOGO_TESTDATA) + "/models/Qwen__Qwen3-8B";
const std::string kFlash = std::string(GONOGO_TESTDATA) + "/models/XiaomiMiMo__MiMo-V2-Flash";

// A report without the breaks of its long lines.
std::string unwrapped(std::string text) {
  constexpr std::string_view kBreak = "\n    ";
  for (std::size_t at = text.find(kBreak); at != std::string::npos; at = text.find(kBreak, at)) {
    text.replace(at, kBreak.size(), " ");
  }
  return text;
}

Args check(const Args& options, const Args& launch) {
  Args args{"check", "--gpu", "b200x8", "--sglang", "0.5.23"};
  args.insert(args.end(), options.begin(), options.end());
  args.insert(args.end(), {"--", "sglang", "serve"});
  args.insert(args.end(), launch.begin(), launch.end());
  return args;
}

}  // namespace

TEST_CASE("the catalogue answers for a repository that is not here, and says so", "[cli]") {
  const Tree tree;
  // A folder that is named like a repository, and a cache with another config under this name.
  const std::string cached = tree / "hub/models--Qwen--Qwen3-8B";
  const std::string commit(40, 'a');
  tree.file("hub/models--Qwen--Qwen3-8B/refs/main", commit);
  tree.file(
      "hub/models--Qwen--Qwen3-8B/snapshots/" + commit + "/config.json",
      R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 64, "num_attention_heads": 3,
                "num_hidden_layers": 2, "vocab_size": 128})");
  tree.file("hub/models--Qwen--Qwen3-8B/snapshots/" + commit + "/model.safetensors");
  const std::string folder = tree.directory("none");
  struct Row {
    std::string name;
    Args args;
    Args env;
    int status;
    std::string says;
    bool catalogue;
  };
  const std::vector<Row> rows = {
      {"a known one", check({"--strict"}, {kKnown}), {}, 0, "GO  sglang 0.5.23", true},
      {"a known one that is refused", check({}, {kKnown, "--tp", "5"}), {}, 1, "NO-GO", true},
      {"a known one, not looked up",
       check({"--strict", "--no-catalogue"}, {kKnown}),
       {},
       3,
       "model: not in the Hugging Face cache",
       false},
      {"an unknown one",
       check({"--strict"}, {"Qwen/Qwen3-8B-of-mine"}),
       {},
       3,
       "model: not in the Hugging Face cache",
       false},
      {"a path that ends like one",
       check({"--strict"}, {"/models/" + kKnown}),
       {},
       3,
       "model: not on this machine",
       false},
      {"other letter case is another name", check({"--strict"}, {"qwen/qwen3-8b"}), {}, 3, "UNKNOWN", false},
      {"its own files, where they are given",
       check({"--strict", "--model-config", kFlash}, {kKnown, "--tp", "8"}),
       {},
       0,
       "model: directory " + kFlash,
       false},
      {"the cache goes before it",
       check({}, {kKnown, "--tp", "2"}),
       {"HF_HUB_CACHE=" + tree.path() + "/hub"},
       1,
       "model: Hugging Face cache",
       false},
      {"a draft beside a model that is here",
       check({},
             {kDense, "--speculative-algorithm", "STANDALONE", "--speculative-draft-model-path", "Qwen/Qwen3-0.6B"}),
       {},
       0,
       "model: directory " + kDense + "; built-in catalogue, Qwen/Qwen3-0.6B (",
       true},
  };
  for (const Row& row : rows) {
    const Ran ran = run_gonogo(row.args, {}, row.env);
    INFO(row.name << "\n" << ran.out << ran.err);
    CHECK(ran.status == row.status);
    const std::string said = unwrapped(ran.out);
    CHECK(holds(said, row.says));
    CHECK(holds(said, "built-in catalogue, ") == row.catalogue);
    CHECK(holds(said, "(aiconfigurator-core ") == row.catalogue);
    CHECK(holds(said, "which may have changed since: give the real file with --model-config") == row.catalogue);
    Args json = row.args;
    json.insert(json.begin() + 1, {"--format", "json"});
    const Ran machine = run_gonogo(json, {}, row.env);
    Arena arena;
    const auto report = parse_json(machine.out, "report", arena);
    REQUIRE(report.ok());
    CHECK(holds(std::string(report->find("model")->as_str()), "built-in catalogue") == row.catalogue);
  }
}

TEST_CASE("a local folder of the repository's name goes before the catalogue", "[cli]") {
  const Tree tree;
  tree.file("Qwen/Qwen3-8B/config.json", "{\"architectures\": [\"NoSuchModel\"], \"model_type\": \"llama\"}");
  Args words = {"-c", "cd \"$0\" && exec \"$@\"", tree.path(), GONOGO_BINARY};
  for (const std::string& word : check({}, {kKnown})) words.push_back(word);
  const Ran ran = run_program("/bin/sh", words);
  INFO(ran.out << ran.err);
  CHECK(holds(ran.out, "model: directory " + kKnown));
  CHECK_FALSE(holds(ran.out, "built-in catalogue"));
}

TEST_CASE("a file's launches say that the catalogue answered", "[cli]") {
  const Tree tree;
  const std::string file = tree.file("a.sh", "sglang serve " + kKnown + "\nsglang serve me/mine\n");
  const Ran ran = run_gonogo({"check", "--gpu", "b200x8", file});
  INFO(ran.out << ran.err);
  CHECK(holds(ran.out, "model from the built-in catalogue: "));
  CHECK(holds(ran.out, "1 UNKNOWN, 1 GO"));
  const Ran without = run_gonogo({"check", "--gpu", "b200x8", "--no-catalogue", file});
  CHECK_FALSE(holds(without.out, "catalogue"));
  CHECK(holds(without.out, "2 UNKNOWN, 0 GO"));
}

TEST_CASE("recorded cases are answered without the catalogue", "[cli]") {
  const Ran ran = run_gonogo(
      {"batch"}, R"({"id": "x", "model": "Qwen/Qwen3-8B", "gpu": "b200", "argv": ["--model-path", "$MODEL"]})");
  INFO(ran.out << ran.err);
  CHECK(holds(ran.out, "\"verdict\":\"unknown\""));
}

}  // namespace gonogo::test
