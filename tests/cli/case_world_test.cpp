// What a recorded case says of its machine and models, and what it leaves open.
#include "cli/case_world.h"

#include <string>
#include <vector>

#include "base/json.h"
#include "catch.h"

using namespace gonogo;

namespace {

constexpr std::string_view kFiles =
    R"({"config.json":{"a":1},"draft/config.json":{"b":2},"draft/more.json":{"c":3},"x.gguf":{}})";
constexpr std::string_view kHost =
    R"({"files":{"/etc/w.json":"file","/data":"directory"},"modules":["granian"],"infiniband":["mlx5_0"]})";

Value json(std::string_view text, Arena& arena) {
  const auto value = parse_json(text, "test", arena);
  REQUIRE(value.ok());
  return *value;
}

std::string shown(const Value& value) { return value.is_unknown() ? "unknown" : to_json(value); }

}  // namespace

TEST_CASE("a case's machine has its model's folder and what it is said to have, and nothing else", "[cli]") {
  Arena arena;
  const ClosedHost closed({"torch"}, "/nowhere");
  const Value files = json(kFiles, arena);
  const Value said = json(kHost, arena);
  CaseHost host(closed, files, &said);
  CaseHost bare(closed, files, nullptr);
  struct Row {
    std::string path;
    std::string with;  // what is said
    std::string without;
  };
  const std::vector<Row> rows = {
      {"$MODEL", R"("directory")", R"("directory")"},
      {"$MODEL/config.json", R"("file")", R"("file")"},
      {"$MODEL/draft", R"("directory")", R"("directory")"},
      {"$MODEL/draft/", R"("directory")", R"("directory")"},
      {"$MODEL/draft/more.json", R"("file")", R"("file")"},
      {"$MODEL/other", "null", "null"},
      {"$MODEL/dra", "null", "null"},
      {"/etc/w.json", R"("file")", "null"},
      {"/data", R"("directory")", "null"},
      {"/data/x", "null", "null"},
  };
  for (const Row& row : rows) {
    INFO(row.path);
    CHECK(shown(host.file(row.path)) == row.with);
    CHECK(shown(bare.file(row.path)) == row.without);
  }
  CHECK(shown(host.importable("granian")) == "true");
  CHECK(shown(bare.importable("granian")) == "false");
  CHECK(shown(host.importable("torch")) == "true");
  CHECK(shown(host.infiniband(arena)) == R"(["mlx5_0"])");
  CHECK(shown(bare.infiniband(arena)) == "[]");
}

TEST_CASE("a case's models lie in its folder, and what is elsewhere or packed is unknown", "[cli]") {
  Arena arena;
  CaseModels models(json(kFiles, arena), arena);
  struct Row {
    std::string path;
    std::string config;
  };
  const std::vector<Row> rows = {
      {"$MODEL", R"({"a": 1})"}, {"$MODEL/", R"({"a": 1})"},   {"$MODEL/draft", R"({"b": 2})"},
      {"$MODEL/other", "null"},  {"/other", "null"},           {"org/name", "null"},
      {"s3://b/m", "unknown"},   {"$MODEL/x.gguf", "unknown"},
  };
  for (const Row& row : rows) {
    INFO(row.path);
    CHECK(shown(models.at(row.path).config) == row.config);
  }
  CHECK(shown(*models.at("$MODEL/draft").files.find("more.json")) == R"({"c": 3})");
}
