#include "policy/ignore.h"

#include <string>
#include <vector>

#include "catch.h"

namespace gonogo::test {

TEST_CASE("an ignore as flags and comments write it", "[policy]") {
  struct Row {
    std::string text;
    std::string rule;
    std::string reason;
    std::string until;
    std::string file;
  };
  const std::vector<Row> rows = {
      {"a/b reason=\"it is short\"", "a/b", "it is short", "", ""},
      {"  a/b#3\treason=x ", "a/b#3", "x", "", ""},
      {"a/* until=2027-03-01 file=deploy/*.yaml reason=\"x; y\"", "a/*", "x; y", "2027-03-01", "deploy/*.yaml"},
      {"a file=\"b c.sh\" reason=\"it's # fine\"", "a", "it's # fine", "", "b c.sh"},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    const auto ignore = parse_ignore(row.text, {});
    REQUIRE(ignore.ok());
    CHECK(ignore->rule == row.rule);
    CHECK(ignore->reason == row.reason);
    CHECK((ignore->until ? to_text(*ignore->until) : "") == row.until);
    CHECK(ignore->file == row.file);
  }
}

TEST_CASE("an ignore that is none says where and why", "[policy]") {
  struct Row {
    std::string text;
    int column;
    std::string what;
    std::string hint;
  };
  const std::vector<Row> rows = {
      {"", 10, "names a rule first", ""},
      {"reason=\"x\"", 10, "names a rule first", ""},
      {"a/b", 10, "the ignore of a/b has no reason", "reason"},
      {"a/b reason=\"\"", 10, "has no reason", ""},
      {"a/b reason=\"  \"", 10, "has no reason", ""},
      {"a/b reason=\"x", 14, "the quote of reason has no end", ""},
      {"a/b reson=\"x\"", 14, "'reson' says nothing", "did you mean reason?"},
      {"a/b because", 14, "'because' says nothing", ""},
      {"a/b reason=x until=soon", 23, "'soon' is no date", "YYYY-MM-DD"},
      {"ö reason=x until=2027-02-30", 21, "'2027-02-30' is no date", ""},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    const auto ignore = parse_ignore(row.text, {"f", 2, 10});
    REQUIRE_FALSE(ignore.ok());
    CHECK(ignore.error().place.line == 2);
    CHECK(ignore.error().place.column == row.column);
    CHECK(ignore.error().what.find(row.what) != std::string::npos);
    CHECK(ignore.error().hint.find(row.hint) != std::string::npos);
  }
}

TEST_CASE("comments that are ignores, and comments that are none", "[policy]") {
  struct Row {
    std::string line;
    std::size_t ignores;
    std::size_t errors;
    int column = 0;
  };
  const std::vector<Row> rows = {
      {"# gonogo: ignore=a/b reason=\"x\"", 1, 0, 18},
      {"run  # gonogo:ignore=a/b reason=x", 1, 0, 22},
      {"// gonogo: ignore=a reason=x", 1, 0, 19},
      {"<!-- gonogo: ignore=a reason=\"x\" -->", 1, 0, 21},
      {"ö # gonogo: ignore=a reason=x", 1, 0, 20},
      {"# gonogo: ignore=a", 0, 1},
      {"# gonogo: ignore a reason=x", 0, 1},
      {"# gonogo: ignore=a reason=x until=never", 0, 1},
      {"# gonogo: a tool that checks", 0, 0},
      {"echo gonogo: ignore=a", 0, 0},
      {"# see gonogo: ignore=a", 0, 0},
      {"nothing", 0, 0},
  };
  for (const Row& row : rows) {
    INFO(row.line);
    const InlineIgnores found = inline_ignores("first\n" + row.line + "\nlast", "f.sh");
    CHECK(found.ignores.size() == row.ignores);
    CHECK(found.errors.size() == row.errors);
    if (row.ignores == 0) continue;
    CHECK(found.ignores[0].place.line == 2);
    CHECK(found.ignores[0].place.column == row.column);
    CHECK(found.ignores[0].by == "f.sh:2");
    CHECK(found.ignores[0].in_source);
  }
}

TEST_CASE("a comment speaks of its own line and of what follows the comments that it stands in", "[policy]") {
  const std::string text =
      "# 1\n"
      "launch 2 \\\n"
      "  more 3\n"
      "# 4\n"
      "  # 5\n"
      "launch 6\n"
      "\n"
      "launch 8\n"
      "# gonogo: ignore=a reason=x\n";
  const InlineIgnores found = inline_ignores(text, "f");
  struct Row {
    int line;
    int first;
    int last;
    bool speaks;
  };
  const std::vector<Row> rows = {
      {1, 2, 3, true}, {2, 2, 3, true},  {3, 2, 3, true},  {4, 2, 3, false}, {4, 6, 6, true},
      {5, 6, 6, true}, {3, 6, 6, false}, {1, 6, 6, false}, {6, 8, 8, false}, {7, 8, 8, false},
  };
  for (const Row& row : rows) {
    INFO(row.line << " of " << row.first);
    CHECK(found.speaks_of(row.line, row.first, row.last) == row.speaks);
  }
  CHECK_FALSE(InlineIgnores().speaks_of(1, 5, 6));
  std::string many;
  for (int i = 0; i < 2000; ++i) many += "# gonogo: ignore=a reason=x\n";
  CHECK(inline_ignores(many, "f").ignores.size() == kMostInline);
}

TEST_CASE("patterns of rules", "[policy]") {
  struct Row {
    std::string pattern;
    std::string id;
    bool matches;
  };
  const std::vector<Row> rows = {
      {"a/b", "a/b", true},  {"a/b", "a/b#2", false}, {"a/*", "a/b", true},    {"a/*", "a/b/c", true},
      {"a/*", "b/a", false}, {"*", "a/b/c", true},    {"a/b*", "a/b#2", true}, {"*/b", "a/b", true},
  };
  for (const Row& row : rows) {
    INFO(row.pattern << " " << row.id);
    CHECK(names_rule(row.pattern, row.id) == row.matches);
  }
}

}  // namespace gonogo::test
