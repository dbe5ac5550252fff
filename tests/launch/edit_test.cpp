#include "launch/edit.h"

#include <algorithm>

#include "catch.h"

using namespace gonogo;

namespace {

// The edits of a row: the place of each is found by its text.
std::string edited(const std::string& text, const std::vector<std::pair<std::string, const char*>>& changes) {
  std::vector<TextEdit> edits;
  for (const auto& [old_text, wanted] : changes) {
    const std::size_t at = text.find(old_text);
    REQUIRE(at != std::string::npos);
    TextEdit edit;
    edit.place.line = static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(at), '\n')) + 1;
    const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    edit.place.column = static_cast<int>(at - line) + 1;
    edit.old_text = old_text;
    if (wanted != nullptr) edit.text = wanted;
    edits.push_back(edit);
  }
  const auto out = apply_edits(text, edits);
  return out ? *out : "error: " + out.error().what;
}

}  // namespace

TEST_CASE("words are replaced where they stand, and go with what only served them", "[launch][edit]") {
  struct Row {
    const char* what;
    std::string text;
    std::vector<std::pair<std::string, const char*>> changes;
    std::string wanted;
  };
  const std::vector<Row> rows = {
      {"a name", "run --old 1 --b\n", {{"--old", "--new"}}, "run --new 1 --b\n"},
      {"a name before =", "run --old=1\n", {{"--old", "--new"}}, "run --new=1\n"},
      {"two on a line", "run --a --b\n", {{"--b", "--bb"}, {"--a", "--aa"}}, "run --aa --bb\n"},
      {"a word goes", "run --a --old --b\n", {{"--old", nullptr}}, "run --a --b\n"},
      {"the last word goes", "run --a --old\n", {{"--old", nullptr}}, "run --a\n"},
      {"without a line break behind it", "run --a --old", {{"--old", nullptr}}, "run --a"},
      {"with its value", "run --old 17 --b\n", {{"--old", nullptr}, {"17", nullptr}}, "run --b\n"},
      {"its line goes", "run \\\n  --old 17 \\\n  --b\n", {{"--old", nullptr}, {"17", nullptr}}, "run \\\n  --b\n"},
      {"the last line goes with what led there",
       "run \\\n  --b \\\n  --old\nnext\n",
       {{"--old", nullptr}},
       "run \\\n  --b\nnext\n"},
      {"the same with CR LF",
       "run \\\r\n  --b \\\r\n  --old\r\nnext\r\n",
       {{"--old", nullptr}},
       "run \\\r\n  --b\r\nnext\r\n"},
      {"the last two lines go",
       "run \\\n  --b \\\n  --old \\\n  --gone\nnext\n",
       {{"--old", nullptr}, {"--gone", nullptr}},
       "run \\\n  --b\nnext\n"},
      {"an item of a YAML list",
       "args:\n- --a\n- --old\n- \"17\"\n- --b\n",
       {{"--old", nullptr}, {"17", nullptr}},
       "args:\n- --a\n- --b\n"},
      {"an element of a list", "[\"--a\", \"--old\", \"--b\"]", {{"--old", nullptr}}, "[\"--a\", \"--b\"]"},
      {"the last element", "[\"--a\", \"--old\"]", {{"--old", nullptr}}, "[\"--a\"]"},
      {"quotes of a shell", "run '--old' --b\n", {{"--old", nullptr}}, "run --b\n"},
      {"a list over lines",
       "[\n  \"--a\",\n  \"--old\",\n  \"--b\"\n]\n",
       {{"--old", nullptr}},
       "[\n  \"--a\",\n  \"--b\"\n]\n"},
      {"characters before it are not bytes", "echo \xC3\xA4 --old\n", {}, "echo \xC3\xA4 --old\n"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    CHECK(edited(row.text, row.changes) == row.wanted);
  }
}

TEST_CASE("columns count characters", "[launch][edit]") {
  const auto out = apply_edits("\xC3\xA4\xC3\xB6 --old", {{{"", 1, 4}, "--old", "--new"}});
  REQUIRE(out);
  CHECK(*out == "\xC3\xA4\xC3\xB6 --new");
}

TEST_CASE("what does not stand at its place is not touched", "[launch][edit]") {
  const std::string text = "run --old\n";
  for (const Place& place : {Place{"", 1, 4}, Place{"", 1, 80}, Place{"", 3, 1}}) {
    CAPTURE(place.line, place.column);
    const auto out = apply_edits(text, {{place, "--old", "--new"}});
    REQUIRE_FALSE(out);
    CHECK(out.error().what == "'--old' does not stand here as it is");
  }
}

TEST_CASE("a difference is shown as diff -u shows it", "[launch][edit]") {
  CHECK(unified_diff("a", "same\n", "same\n").empty());
  CHECK(unified_diff("run.sh", "1\n2\n3\n4\nold\n6\n7\n8\n9\n", "1\n2\n3\n4\nnew\n6\n7\n8\n9\n") ==
        "--- run.sh\n+++ run.sh\n@@ -2,8 +2,8 @@\n 2\n 3\n 4\n-old\n+new\n 6\n 7\n 8\n 9\n");
}
