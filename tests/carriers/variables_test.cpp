// How Docker's builder, compose and Kubernetes put variables into values, and texts that remember their places.
#include "carriers/variables.h"

#include <map>
#include <string>
#include <vector>

#include "carriers/compose.h"
#include "carriers/mapped_text.h"
#include "catch.h"

using namespace gonogo;

namespace {

const std::map<std::string, std::string, std::less<>> kValues = {{"A", "1"}, {"E", ""}, {"S", "x y"}};

const VariableLookup kLookup = [](std::string_view name) -> const std::string* {
  const auto it = kValues.find(name);
  return it == kValues.end() ? nullptr : &it->second;
};

struct Row {
  const char* text;
  const char* value;
};

}  // namespace

TEST_CASE("a Dockerfile's values") {
  const std::vector<Row> rows = {
      {"$A", "1"},      {"${A}b", "1b"},        {"$Ab", "${Ab}"},     {"\\$A", "$A"},    {"'$A'", "$A"},
      {"\"$A\"", "1"},  {"\"a\\nb\"", "a\\nb"}, {"a\\ b", "a b"},     {"${E:-d}", "d"},  {"${E-d}", ""},
      {"${U:-d}", "d"}, {"${U:-$A}", "1"},      {"${A:+yes}", "yes"}, {"${U:+yes}", ""}, {"${U:-a${V:-b}}", "ab"},
      {"$", "$"},       {"${A", "${A"},         {"$1", "$1"},         {"${U}", "${U}"},  {"a\"b\"c", "abc"},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    Placeholders marks;
    CHECK(marks.restore(expand_dockerfile(row.text, kLookup, marks)) == row.value);
  }
}

TEST_CASE("a compose file's values") {
  const std::vector<Row> rows = {
      {"$A", "1"},           {"${A}", "1"},   {"$$A", "$A"},      {"$${A}", "${A}"},      {"${U:-d}", "d"},
      {"${E:-d}", "d"},      {"${E-d}", ""},  {"${U}", "${U}"},   {"$U/x", "${U}/x"},     {"${U:?say it}", "${U}"},
      {"${A:?say it}", "1"}, {"${A+b}", "b"}, {"${U+b}", ""},     {"${U:-${V:-w}}", "w"}, {"'$A'", "'1'"},
      {"a$", "a$"},          {"${}", "${}"},  {"${A!}", "${A!}"},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    Placeholders marks;
    CHECK(marks.restore(expand_compose(MappedText::of(row.text, 0), kLookup, marks).text()) == row.value);
  }
}

TEST_CASE("a Kubernetes value") {
  const std::vector<Row> rows = {
      {"$(A)", "1"},    {"a$(A)b$(S)", "a1bx y"}, {"$$(A)", "$(A)"}, {"$(U)", "${U}"}, {"$A", "$A"},
      {"${A}", "${A}"}, {"$(a b)", "$(a b)"},     {"$(A", "$(A"},    {"$$$(A)", "$1"}, {"$(low)", "$(low)"},
  };
  const auto is_unknown = [](std::string_view name) { return name == "U"; };
  for (const Row& row : rows) {
    INFO(row.text);
    Placeholders marks;
    CHECK(marks.restore(expand_kubernetes(MappedText::of(row.text, 0), kLookup, is_unknown, marks).text()) ==
          row.value);
  }
}

TEST_CASE("words of a command line") {
  struct Split {
    const char* text;
    std::vector<std::string> words;
  };
  const std::vector<Split> rows = {{"a b  c\n d", {"a", "b", "c", "d"}},
                                   {"'a b' \"c d\"", {"a b", "c d"}},
                                   {"a'b'c", {"abc"}},
                                   {"'' x", {"", "x"}},
                                   {"a\\ b", {"a b"}},
                                   {"\"a\\\"b\"", {"a\"b"}},
                                   {"'{\"a\": 1}'", {"{\"a\": 1}"}},
                                   {"$A *", {"$A", "*"}},
                                   {"  ", {}}};
  for (const Split& row : rows) {
    INFO(row.text);
    std::vector<std::string> words;
    for (const MappedText& word : split_words(MappedText::of(row.text, 0))) words.push_back(word.text());
    CHECK(words == row.words);
  }
}

TEST_CASE("an environment file") {
  EnvList want = {{"A", "1"}, {"B", "x y"}, {"C", "v"}, {"D", ""}};
  CHECK(read_env_file("# c\nA=1\r\nB=\"x y\"\n\nPASSED\nexport C=v # note\nD=\n") == want);
}

TEST_CASE("a text remembers where its bytes stand") {
  MappedText text = MappedText::of("ab", 10);
  text.append("cd", 12);
  text.append_at("XYZ", 20);
  text.append("e", 30);
  REQUIRE(text.text() == "abcdXYZe");
  const std::vector<std::size_t> want = {10, 11, 12, 13, 20, 20, 20, 30, 31};
  for (std::size_t i = 0; i < want.size(); ++i) {
    INFO(i);
    CHECK(text.offset(i) == want[i]);
  }
  SECTION("a part keeps its places") {
    MappedText part;
    part.append(text, 3, 8);
    REQUIRE(part.text() == "dXYZe");
    CHECK(part.offset(0) == 13);
    CHECK(part.offset(2) == 20);
    CHECK(part.offset(4) == 30);
  }
  SECTION("parts beyond the end are what there is") {
    MappedText part;
    part.append(text, 7, 99);
    CHECK(part.text() == "e");
    part.append(text, 9, 8);
    CHECK(part.text() == "e");
  }
}

TEST_CASE("lines of a file") {
  const LineIndex lines("ab\n\ncd");
  struct At {
    std::size_t offset;
    int line;
    int column;
  };
  for (const At& at : std::vector<At>{{0, 1, 1}, {2, 1, 3}, {3, 2, 1}, {4, 3, 1}, {5, 3, 2}, {6, 3, 3}}) {
    INFO(at.offset);
    const Place place = lines.place("f", at.offset);
    CHECK(place.line == at.line);
    CHECK(place.column == at.column);
  }
  CHECK(lines.count() == 3);
  CHECK(lines.start(3) == 4);
  CHECK(lines.start(9) == 6);
}
