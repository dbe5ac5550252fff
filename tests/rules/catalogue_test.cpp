// The catalogue of models: what goes in comes out, and damage is an error.
#include "rules/catalogue.h"

#include <set>
#include <string>
#include <vector>

#include "catch.h"
#include "paths.h"
#include "tree.h"

namespace gonogo {

namespace {

std::string model(const std::string& name, const std::string& config = R"({"hidden_size": 4})") {
  return R"({"model": ")" + name + R"(", "source": "a book", "date": "2026-01-02", "files": {"config.json": )" +
         config + R"(, "more.json": {"x": [1, null]}}})";
}

Result<std::string> compiled(const std::vector<std::pair<std::string, std::string>>& files) {
  const Tree tree;
  for (const auto& [name, text] : files) tree.file(name, text);
  return compile_catalogue(tree.path());
}

}  // namespace

TEST_CASE("a model is found by its repository alone") {
  const auto blob = compiled(
      {{"b.json", model("org/b")}, {"a.json", model("org/a", R"({"hidden_size": 8})")}, {"notes.txt", "no model"}});
  REQUIRE(blob.ok());
  const auto catalogue = Catalogue::open(*blob);
  REQUIRE(catalogue.ok());
  CHECK(catalogue->size() == 2);
  CHECK(catalogue->name(0) == "org/a");
  CHECK(catalogue->name(1) == "org/b");
  Arena arena;
  const auto found = catalogue->find("org/a", arena);
  REQUIRE((found.ok() && found->has_value()));
  CHECK((*found)->source == "a book");
  CHECK((*found)->date == "2026-01-02");
  CHECK((*found)->files.find("config.json")->find("hidden_size")->as_int() == 8);
  CHECK((*(*found)->files.find("more.json")->find("x"))[0].as_int() == 1);
  for (const char* name : {"", "org", "org/", "org/aa", "org/B", "a", "/org/a", "org/a/", "zzz/z"}) {
    INFO(name);
    const auto none = catalogue->find(name, arena);
    REQUIRE(none.ok());
    CHECK_FALSE(none->has_value());
  }
}

TEST_CASE("what is no model does not compile") {
  struct Row {
    const char* what;
    std::vector<std::pair<std::string, std::string>> files;
    const char* says;
  };
  const std::vector<Row> rows = {
      {"no JSON", {{"a.json", "{"}}, "a.json:1"},
      {"a list", {{"a.json", "[]"}}, "config.json"},
      {"no date", {{"a.json", R"({"model": "a/b", "source": "x", "files": {"config.json": {}}})"}}, "config.json"},
      {"no config.json", {{"a.json", R"({"model": "a/b", "source": "x", "date": "y", "files": {}})"}}, "config.json"},
      {"a config that is no object", {{"a.json", model("a/b", "[]")}}, "config.json"},
      {"two of one name", {{"a.json", model("a/b")}, {"b.json", model("a/b")}}, "twice"},
      {"too large", {{"a.json", model("a/b", "{\"x\": \"" + std::string(2u << 20, 'x') + "\"}")}}, "a.json"},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    const auto blob = compiled(row.files);
    REQUIRE_FALSE(blob.ok());
    INFO(to_text(blob.error()));
    CHECK(to_text(blob.error()).find(row.says) != std::string::npos);
  }
  CHECK_FALSE(compile_catalogue("/nonexistent").ok());
  const auto empty = compiled({});
  REQUIRE(empty.ok());
  CHECK(Catalogue::open(*empty)->size() == 0);
}

TEST_CASE("a damaged catalogue is an error, wherever the damage is") {
  const auto blob = compiled({{"a.json", model("org/a")}, {"b.json", model("org/b")}});
  REQUIRE(blob.ok());
  for (std::size_t size = 0; size < blob->size(); ++size) {
    const auto cut = Catalogue::open(std::string_view(*blob).substr(0, size));
    INFO("cut to " << size << " of " << blob->size());
    CHECK_FALSE(cut.ok());
  }
  // Every byte of head, rows, names and streams: an error, or a model that was not hit.
  std::size_t errors = 0;
  for (std::size_t at = 0; at < blob->size(); ++at) {
    std::string bytes = *blob;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
    const auto catalogue = Catalogue::open(bytes);
    if (!catalogue) {
      ++errors;
      continue;
    }
    Arena arena;
    for (const char* name : {"org/a", "org/b"}) {
      const auto found = catalogue->find(name, arena);
      if (!found) {
        ++errors;
        CHECK(found.error().kind == Error::Kind::kInternal);
      } else if (found->has_value()) {
        CHECK((*found)->files.find("config.json")->find("hidden_size")->as_int() == 4);
      }
    }
  }
  CHECK(errors > blob->size() / 2);
}

TEST_CASE("the embedded catalogue holds what the repository does") {
  const Catalogue& catalogue = Catalogue::embedded();
  CHECK(catalogue.size() >= 80);
  std::set<std::string> names;
  for (std::uint32_t i = 0; i < catalogue.size(); ++i) {
    const std::string name(catalogue.name(i));
    INFO(name);
    names.insert(name);
    Arena arena;
    const auto found = catalogue.find(name, arena);
    REQUIRE((found.ok() && found->has_value()));
    CHECK((*found)->date.size() == 10);
    CHECK_FALSE((*found)->source.empty());
    CHECK((*found)->files.find("config.json")->find("architectures") != nullptr);
    std::string file = name;
    file.replace(file.find('/'), 1, "__");
    CHECK(std::filesystem::exists(std::string(GONOGO_RULES) + "/sglang/models/" + file + ".json"));
  }
  CHECK(names.size() == catalogue.size());
  const auto again = compile_catalogue(std::string(GONOGO_RULES) + "/sglang/models");
  REQUIRE(again.ok());
  CHECK(Catalogue::open(*again)->size() == catalogue.size());
}

}  // namespace gonogo
