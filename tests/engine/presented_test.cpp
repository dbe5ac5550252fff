// How `hf` comes about: defaults, aliases and nested configs of classes, the class that a pack chooses, and what is
// laid over it all.
#include "catch.h"
#include "tiny_launch.h"

namespace gonogo {
namespace {

using testing::Around;
using testing::TinyLaunch;

// The value of `expression` over hf, for a model with this config.json and the overlay of `--over`.
std::string value_of(const std::string& expression, const std::string& config, const std::string& over = "{}",
                     const std::string& version = "1.0") {
  const std::string pack = R"yaml(
pack:
  name: tiny
  versions: ["1.0", "2.0"]
  entry_points: [tiny]
  parts: {only: [main]}
  models: {model: "= path", draft: "= None", class: "= 'grown' if config.kind == 'tree' else config.model_type",
           overlay: "= json(over)", merged: "= table.merged"}
  summary: {it: "= )yaml" + expression +
                           R"yaml("}
flags:
- {flags: [--path], field: path, default: x}
- {flags: [--over], field: over, default: "{}"}
tables: {merged: [text, {row: rope, versions: ">=2.0"}]}
classes:
  "*": {alias: {old_dtype: dtype}}
  plain: {defaults: {layers: 4, heads: "= self.layers * 2"}, alias: {n_layer: layers}}
  grown: {defaults: {rings: 9}}
  pair: {sub: {text: plain, sight: {open: plain}}}
---
stage: main
rules: []
)yaml";
  Around around;
  around.config = config;
  around.version = version;
  return TinyLaunch(pack, {"--over", over}, around).summary("it");
}

struct Row {
  const char* about;
  const char* expression;
  const char* config;
  const char* value;
};

TEST_CASE("a class adds defaults below what the file says") {
  const std::vector<Row> rows = {
      {"a default", "hf.layers", R"({"model_type": "plain"})", "4"},
      {"the file goes first", "hf.layers", R"({"model_type": "plain", "layers": 7})", "7"},
      {"a null is a value", "hf.layers", R"({"model_type": "plain", "layers": null})", "None"},
      {"a default follows from another", "hf.heads", R"({"model_type": "plain", "layers": 7})", "14"},
      {"no class, no default", "hf.layers", R"({"model_type": "other"})", "None"},
      {"no type", "hf.layers", R"({"layers": 3})", "3"},
      {"a type that is no text", "hf.layers", R"({"model_type": 5})", "None"},
      {"config is the file itself", "config.layers", R"({"model_type": "plain"})", "None"},
      {"the pack chooses the class", "[hf.rings, hf.layers]", R"({"model_type": "plain", "kind": "tree"})",
       "[9, None]"},
  };
  for (const Row& row : rows) {
    INFO(row.about);
    CHECK(value_of(row.expression, row.config) == row.value);
  }
}

TEST_CASE("an alias makes one member of two names") {
  const std::vector<Row> rows = {
      {"by the second name", "[hf.n_layer, hf.layers]", R"({"model_type": "plain", "n_layer": 6})", "[6, 6]"},
      {"by the name", "[hf.n_layer, hf.layers]", R"({"model_type": "plain", "layers": 6})", "[6, 6]"},
      {"by default", "[hf.n_layer, hf.layers]", R"({"model_type": "plain"})", "[4, 4]"},
      {"the name goes first", "[hf.n_layer, hf.layers]", R"({"model_type": "plain", "layers": 6, "n_layer": 5})",
       "[6, 6]"},
      {"but a null does not", "[hf.n_layer, hf.layers]", R"({"model_type": "plain", "layers": null, "n_layer": 5})",
       "[5, 5]"},
      {"defaults see it", "hf.heads", R"({"model_type": "plain", "n_layer": 6})", "12"},
      {"of every class", "hf.dtype", R"({"model_type": "plain", "old_dtype": "b"})", "'b'"},
      {"of no class too", "hf.dtype", R"({"model_type": "other", "old_dtype": "b"})", "'b'"},
      {"of nested configs too", "hf.text.dtype", R"({"model_type": "pair", "text": {"old_dtype": "b"}})", "'b'"},
      {"nothing to name", "'dtype' in hf", R"({"model_type": "plain"})", "False"},
  };
  for (const Row& row : rows) {
    INFO(row.about);
    CHECK(value_of(row.expression, row.config) == row.value);
  }
}

TEST_CASE("a nested config is read by its parent's class for it, or by its own type where the parent goes by that") {
  const std::vector<Row> rows = {
      {"none there", "hf.text.layers", R"({"model_type": "pair"})", "4"},
      {"null there", "hf.text.layers", R"({"model_type": "pair", "text": null})", "4"},
      {"without a type", "hf.text.layers", R"({"model_type": "pair", "text": {}})", "4"},
      {"with a type of its own", "hf.text.layers", R"({"model_type": "pair", "text": {"model_type": "grown"}})", "4"},
      {"with an empty type", "hf.text.layers", R"({"model_type": "pair", "text": {"model_type": ""}})", "4"},
      {"the type stays", "hf.text.model_type", R"({"model_type": "pair", "text": {"model_type": "grown"}})", "'grown'"},
      {"open, without a type", "hf.sight.layers", R"({"model_type": "pair", "sight": {}})", "4"},
      {"open, with a type", "[hf.sight.rings, hf.sight.layers]",
       R"({"model_type": "pair", "sight": {"model_type": "grown"}})", "[9, None]"},
      {"open, none there", "hf.sight.layers", R"({"model_type": "pair"})", "4"},
      {"no class above", "hf.text.rings", R"({"model_type": "other", "text": {"model_type": "grown"}})", "9"},
      {"no object", "hf.text", R"({"model_type": "pair", "text": 3})", "3"},
  };
  for (const Row& row : rows) {
    INFO(row.about);
    CHECK(value_of(row.expression, row.config) == row.value);
  }
}

TEST_CASE("what a pack lays over a config goes before the file and the class, and no default follows from it") {
  struct Over {
    const char* about;
    const char* over;
    const char* expression;
    const char* value;
    const char* version = "1.0";
  };
  const char* config =
      R"({"model_type": "pair", "kind": "bush", "text": {"layers": 5}, "rope": {"type": "a", "k": 1}})";
  const std::vector<Over> rows = {
      {"a member", R"({"kind": "x"})", "hf.kind", "'x'"},
      {"a new member", R"({"new": [1]})", "hf.new", "[1]"},
      {"a null", R"({"kind": null})", "[hf.kind, 'kind' in hf]", "[None, True]"},
      {"config stays", R"({"kind": "x"})", "config.kind", "'bush'"},
      {"the class stays", R"({"model_type": "plain"})", "[hf.model_type, hf.layers]", "['plain', None]"},
      {"a merged object", R"({"text": {"heads": 1}})", "[hf.text.layers, hf.text.heads]", "[5, 1]"},
      {"defaults are made before", R"({"text": {"layers": 1}})", "[hf.text.layers, hf.text.heads]", "[1, 10]"},
      {"aliases of a nested config", R"({"text": {"n_layer": 1}})", "[hf.text.layers, hf.text.n_layer]", "[1, 1]"},
      {"aliases the other way", R"({"text": {"layers": 1}})", "hf.text.n_layer", "1"},
      {"an object in the place of another", R"({"rope": {"k": 2}})", "hf.rope", "{'k': 2}"},
      {"merged in a later version", R"({"rope": {"k": 2}})", "hf.rope", "{'type': 'a', 'k': 2}", "2.0"},
      {"no object in the place of one", R"({"text": 3})", "hf.text", "3"},
      {"an object in the place of none", R"({"kind": {"a": 1}})", "hf.kind", "{'a': 1}"},
      {"a nested object is replaced", R"({"text": {"rope": {"k": 2}}})", "hf.text.rope", "{'k': 2}"},
      {"no object at all", "[1]", "hf.kind", "'bush'"},
      {"no JSON", "{", "hf.kind", "'bush'"},
  };
  for (const Over& row : rows) {
    INFO(row.about);
    CHECK(value_of(row.expression, config, row.over, row.version) == row.value);
  }
}

TEST_CASE("without a config, or with a class that is not known, hf is unknown") {
  CHECK(value_of("hf.layers", "") == "unknown");
  CHECK(value_of("hf.layers", "", R"({"layers": 1})") == "unknown");
}

}  // namespace
}  // namespace gonogo
