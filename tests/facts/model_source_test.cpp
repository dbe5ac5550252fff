#include "facts/model_source.h"

#include <sys/stat.h>

#include "base/json.h"
#include "catch.h"
#include "tree.h"

using namespace gonogo;

namespace {

const std::string kCommit = "0123456789abcdef0123456789abcdef01234567";
const std::string kOther = "fedcba9876543210fedcba9876543210fedcba98";

using Variables = Environment::Assignments;

ModelSource source(const std::string& model, const Variables& variables = {}, const std::string& override_path = {},
                   const std::string& revision = {}, const std::string& cwd = ".") {
  return ModelSource({model, revision, override_path, cwd}, Environment(variables, Environment::Below::kNothing));
}

// The value as JSON, "absent", "unknown" or the error.
std::string read(ModelSource& model, const std::string& name = "config.json") {
  const Result<ModelFile>& file = model.file(name);
  if (!file) {
    Error error = file.error();
    error.excerpt.clear();
    return "error: " + to_text(error);
  }
  switch (file->state) {
    case ModelFile::State::kFound:
      return to_json(file->value);
    case ModelFile::State::kAbsent:
      return "absent";
    case ModelFile::State::kUnknown:
      return "unknown";
  }
  return {};
}

std::string read_once(const std::string& model, const Variables& variables = {}, const std::string& revision = {},
                      const std::string& name = "config.json") {
  ModelSource s = source(model, variables, {}, revision);
  return read(s, name);
}

}  // namespace

TEST_CASE("a model in a directory: its files, and what it is known not to have") {
  const Tree tree;
  const std::string config = tree.file("m/config.json", "{\"a\": 1}");
  tree.file("m/hf_quant_config.json", "[1]");
  ModelSource model = source(tree / "m");
  CHECK(read(model) == "{\"a\": 1}");
  CHECK(model.file("config.json")->path == config);
  CHECK(read(model, "hf_quant_config.json") == "[1]");
  CHECK(read(model, "generation_config.json") == "absent");
  CHECK(model.where() == "directory " + (tree / "m"));

  tree.directory("empty");
  ModelSource empty = source(tree / "empty");
  CHECK(read(empty) == "absent");

  ModelSource relative = source("m", {}, {}, {}, tree.path());
  CHECK(read(relative) == "{\"a\": 1}");
}

TEST_CASE("a file is read once") {
  const Tree tree;
  tree.file("config.json", "{\"a\": 1}");
  ModelSource model = source(tree.path());
  CHECK(read(model) == "{\"a\": 1}");
  const Result<ModelFile>* first = &model.file("config.json");
  CHECK(read(model, "other.json") == "absent");
  tree.file("config.json", "{\"a\": 2}");
  tree.file("other.json", "{}");
  CHECK(read(model) == "{\"a\": 1}");
  CHECK(read(model, "other.json") == "absent");
  CHECK(&model.file("config.json") == first);
}

TEST_CASE("a path that is not here is unknown, not absent") {
  const Tree tree;
  const std::string file = tree.file("model.gguf", "x");
  const struct {
    std::string model, where;
  } rows[] = {
      {"/models/that/are/elsewhere", "not on this machine: /models/that/are/elsewhere"},
      {"./models/m", "not on this machine: ./models/m"},
      {"s3://bucket/m", "not on this machine: s3://bucket/m"},
      {"a/b/c", "not on this machine: a/b/c"},
      {"org/../m", "not on this machine: org/../m"},
      {std::string("m\0m", 3), "not on this machine: " + std::string("m\0m", 3)},
      {"org/model", "not in the Hugging Face cache /none/hub: org/model"},
      {"", "the launch names no model"},
      {file, "a single file, which has no config.json: " + file},
  };
  for (const auto& row : rows) {
    CAPTURE(row.model);
    ModelSource model = source(row.model, {{"HF_HUB_CACHE", "/none/hub"}});
    CHECK(read(model) == "unknown");
    CHECK(read(model, "hf_quant_config.json") == "unknown");
    CHECK(model.where() == row.where);
  }
}

TEST_CASE("the cache's directory is chosen as its library does") {
  const Tree tree;
  for (const std::string hub : {"hub", "hf/hub", "xdg/huggingface/hub", "home/.cache/huggingface/hub", "home/mine"}) {
    tree.file(hub + "/models--org--m/refs/main", kCommit + "\n");
    tree.file(hub + "/models--org--m/snapshots/" + kCommit + "/config.json", "{\"in\": \"" + hub + "\"}");
  }
  const std::string home = tree / "home";
  const struct {
    Variables variables;
    std::string hub;
  } rows[] = {
      {{{"HF_HUB_CACHE", tree / "hub"}, {"HF_HOME", tree / "hf"}}, "hub"},
      {{{"HUGGINGFACE_HUB_CACHE", tree / "hub"}, {"HF_HOME", tree / "hf"}}, "hub"},
      {{{"HF_HUB_CACHE", tree / "hf/hub"}, {"HUGGINGFACE_HUB_CACHE", tree / "hub"}}, "hf/hub"},
      {{{"HF_HOME", tree / "hf"}, {"HOME", home}}, "hf/hub"},
      {{{"XDG_CACHE_HOME", tree / "xdg"}, {"HOME", home}}, "xdg/huggingface/hub"},
      {{{"HOME", home}}, "home/.cache/huggingface/hub"},
      {{{"HF_HUB_CACHE", "~/mine"}, {"HOME", home}}, "home/mine"},
  };
  for (const auto& row : rows) CHECK(read_once("org/m", row.variables) == "{\"in\": \"" + row.hub + "\"}");
  // The one that is set counts, even where it holds nothing.
  CHECK(read_once("org/m", {{"HF_HUB_CACHE", tree / "none"}, {"HOME", home}}) == "unknown");
}

TEST_CASE("a cached model, by revision") {
  const Tree tree;
  const Variables cache = {{"HF_HUB_CACHE", tree.path()}};
  tree.file("models--org--m/refs/main", kCommit);
  tree.file("models--org--m/refs/refs/pr/1", kOther);
  tree.file("models--org--m/blobs/b1", "{\"r\": \"main\"}");
  tree.link("../../blobs/b1", "models--org--m/snapshots/" + kCommit + "/config.json");
  tree.file("models--org--m/snapshots/" + kOther + "/config.json", "{\"r\": \"other\"}");
  tree.file("models--short/refs/main", kCommit);
  tree.file("models--short/snapshots/" + kCommit + "/config.json", "{\"r\": \"short\"}");
  CHECK(read_once("org/m", cache) == "{\"r\": \"main\"}");
  CHECK(read_once("org/m", cache, "main") == "{\"r\": \"main\"}");
  CHECK(read_once("org/m", cache, kOther) == "{\"r\": \"other\"}");
  CHECK(read_once("org/m", cache, "refs/pr/1") == "{\"r\": \"other\"}");
  CHECK(read_once("short", cache) == "{\"r\": \"short\"}");
  for (const std::string& revision : std::vector<std::string>{"v2", "../main", "/main", kCommit.substr(0, 8)}) {
    CAPTURE(revision);
    CHECK(read_once("org/m", cache, revision) == "unknown");
  }
  ModelSource model = source("org/m", cache);
  CHECK(model.where() == "Hugging Face cache " + (tree / ("models--org--m/snapshots/" + kCommit)));
  ModelSource other = source("org/m", cache, {}, "v2");
  CHECK(other.where() == "not in the Hugging Face cache " + tree.path() + ": org/m at revision v2");
  // A directory of that name is nearer than the cache.
  tree.file("work/org/m/config.json", "{\"r\": \"directory\"}");
  ModelSource directory = source("org/m", cache, {}, {}, tree / "work");
  CHECK(read(directory) == "{\"r\": \"directory\"}");
}

TEST_CASE("what a cached model is known not to have") {
  const Tree tree;
  const Variables cache = {{"HF_HUB_CACHE", tree.path()}};
  const std::string snapshot = "models--org--m/snapshots/" + kCommit;
  tree.file("models--org--m/refs/main", kCommit);
  tree.file(snapshot + "/config.json", "{}");
  tree.file("models--org--m/.no_exist/" + kCommit + "/hf_quant_config.json");
  CHECK(read_once("org/m", cache, {}, "hf_quant_config.json") == "absent");     // marked as missing upstream
  CHECK(read_once("org/m", cache, {}, "generation_config.json") == "unknown");  // may just not be fetched
  tree.file(snapshot + "/model-00001-of-00002.safetensors");
  CHECK(read_once("org/m", cache, {}, "generation_config.json") == "absent");
}

TEST_CASE("--model-config stands in for the model's folder") {
  const Tree tree;
  tree.file("m/config.json", "{\"from\": \"model\"}");
  const std::string file = tree.file("o/mine.json", "{\"from\": \"override\"}");
  tree.file("o/hf_quant_config.json", "{\"from\": \"beside\"}");
  tree.file("d/config.json", "{\"from\": \"directory\"}");

  ModelSource by_file = source(tree / "m", {}, file);
  CHECK(read(by_file) == "{\"from\": \"override\"}");
  CHECK(read(by_file, "hf_quant_config.json") == "{\"from\": \"beside\"}");
  CHECK(read(by_file, "generation_config.json") == "absent");
  CHECK(by_file.where() == "file " + file);

  ModelSource by_directory = source("org/m", {}, tree / "d");
  CHECK(read(by_directory) == "{\"from\": \"directory\"}");
  CHECK(read(by_directory, "hf_quant_config.json") == "absent");
  CHECK(by_directory.where() == "directory " + (tree / "d"));

  ModelSource gone = source(tree / "m", {}, tree / "none");
  CHECK(read(gone) == "error: " + (tree / "none") + ": there is no such file or directory");
  CHECK(read(gone, "hf_quant_config.json") == "error: " + (tree / "none") + ": there is no such file or directory");
}

TEST_CASE("a file that is there and can't be read is an error with its place") {
  const Tree tree;
  const auto model_with = [&](const std::string& name, const std::string& text) {
    tree.file(name + "/config.json", text);
    return tree / name;
  };
  const struct {
    std::string name, text, error;
  } rows[] = {
      {"truncated", "{\"a\": [1,\n", ":1:10: not valid JSON: unexpected end of input"},
      {"empty", "", ":1:1: not valid JSON: unexpected end of input"},
      {"twice", "{\"a\": 1,\n \"a\": 2}", ":2:2: the key \"a\" stands twice in the same object"},
      {"latin", "{\"a\": \"\xe9\"}", ":1:8: not UTF-8"},
      {"deep", std::string(200, '['), ":1:101: nested more than 100 levels deep"},
      {"list", "[1]", ": must be a JSON object, not list"},
      {"large", std::string((16u << 20) + 1, ' '), ": is larger than the limit of 16777216 bytes"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.name);
    const std::string answer = read_once(model_with(row.name, row.text));
    const std::string wanted = "error: " + (tree / (row.name + "/config.json")) + row.error;
    CHECK(answer.substr(0, wanted.size()) == wanted);
  }

  tree.directory("folder/config.json");
  CHECK(read_once(tree / "folder") == "error: " + (tree / "folder/config.json") + ": is a directory, not a file");
  tree.link("../blobs/gone", "dangling/config.json");
  CHECK(read_once(tree / "dangling") ==
        "error: " + (tree / "dangling/config.json") + ": is a link to a file that does not exist");
  tree.directory("pipe");
  REQUIRE(::mkfifo((tree / "pipe/config.json").c_str(), 0600) == 0);
  CHECK(read_once(tree / "pipe") == "error: " + (tree / "pipe/config.json") + ": is not a regular file");

  // Files other than config.json are small.
  const std::string padded = std::string(5u << 20, ' ') + "{}";
  tree.file("padded/config.json", padded);
  tree.file("padded/other.json", padded);
  CHECK(read_once(tree / "padded") == "{}");
  CHECK(read_once(tree / "padded", {}, {}, "other.json") ==
        "error: " + (tree / "padded/other.json") + ": is larger than the limit of 4194304 bytes");

  tree.file("models--org--m/refs/main", "not a commit");
  CHECK(read_once("org/m", {{"HF_HUB_CACHE", tree.path()}}) ==
        "error: " + (tree / "models--org--m/refs/main") + ": holds no commit (the cache is damaged)");
}

TEST_CASE("only plain names of JSON files are looked up") {
  const Tree tree;
  tree.file("secret.json", "{}");
  tree.file("m/config.json", "{}");
  tree.file("m/.hidden.json", "{}");
  tree.file("m/notes.txt", "{}");
  for (const std::string name :
       {"../secret.json", "/etc/x.json", ".hidden.json", "notes.txt", "", ".json", "a/b.json"}) {
    CAPTURE(name);
    CHECK(read_once(tree / "m", {}, {}, name) == "error: \"" + name + "\" is not the name of a JSON file");
  }
}
