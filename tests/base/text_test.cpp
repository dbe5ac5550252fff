#include "base/text.h"

#include <unistd.h>

#include <fstream>
#include <string>

#include "catch.h"

using namespace gonogo;

TEST_CASE("edit distance counts insertions, deletions, changes and swaps, up to a limit") {
  const struct {
    std::string_view a, b;
    int limit, distance;
  } rows[] = {
      {"", "", 3, 0},
      {"abc", "abc", 3, 0},
      {"abc", "abd", 3, 1},
      {"abc", "ab", 3, 1},
      {"abc", "xabc", 3, 1},
      {"abcd", "acbd", 3, 1},  // a swap
      {"ca", "abc", 3, 3},     // no edit inside a swapped pair
      {"kitten", "sitting", 3, 3},
      {"kitten", "sitting", 2, 3},
      {"abcdef", "ghijkl", 2, 3},
      {"a", "abcdef", 3, 4},
      {"", "abc", 5, 3},
      {"abc", "abd", 0, 1},
      {"abcdefgh", "badcfehg", 4, 4},
      {"abcdefgh", "badcfehg", 3, 4},
  };
  for (const auto& row : rows) {
    CAPTURE(row.a, row.b, row.limit);
    CHECK(edit_distance(row.a, row.b, row.limit) == row.distance);
    CHECK(edit_distance(row.b, row.a, row.limit) == row.distance);
  }
}

TEST_CASE("the nearest candidate is the word that was meant, or none") {
  const std::vector<std::string_view> words = {"--tp-size", "--dp-size", "--model-path", "--mem-fraction", "b200",
                                               "h100",      "h100-nvl",  "page_size",    "deep_gemm"};
  const struct {
    std::string_view word, nearest;
  } rows[] = {
      {"--tp-szie", "--tp-size"},
      {"--model_path", "--model-path"},
      {"--MODEL-PATH", "--model-path"},
      {"--modl-pth", "--model-path"},
      {"model-path", "--model-path"},
      {"page-size", "page_size"},
      {"b20", "b200"},
      {"b201", "b200"},
      {"h100-nvk", "h100-nvl"},
      {"deepgemm", "deep_gemm"},
      {"--mem", "--mem-fraction"},  // the beginning of one candidate
      {"--quantization", ""},
      {"", ""},
      {"--", ""},
      {"z", ""},
  };
  for (const auto& row : rows) {
    CAPTURE(row.word);
    CHECK(nearest(row.word, words) == row.nearest);
  }
  CHECK(nearest("deep", {"deepest-a", "deepest-b"}).empty());  // the beginning of two
  CHECK(did_you_mean("b20", words) == "did you mean b200?");
  CHECK(did_you_mean("zzzzzz", words).empty());
  CHECK(did_you_mean("x", {}).empty());
}

TEST_CASE("UTF-8 is checked to the letter") {
  const auto npos = std::string_view::npos;
  const struct {
    std::string_view text;
    std::size_t bad;
  } rows[] = {
      {"", npos},
      {"abc", npos},
      {"\xc3\xa9", npos},
      {"\xe2\x82\xac", npos},
      {"\xf0\x9f\x98\x80", npos},
      {"\xf4\x8f\xbf\xbf", npos},
      {"a\x80", 1},             // a continuation byte alone
      {"a\xc3", 1},             // cut off
      {"ab\xe2\x82", 2},        // cut off
      {"\xf0\x9f\x98", 0},      // cut off
      {"\xc0\xaf", 0},          // overlong
      {"\xe0\x80\xaf", 0},      // overlong
      {"\xf0\x80\x80\xaf", 0},  // overlong
      {"\xed\xa0\x80", 0},      // a surrogate
      {"\xf4\x90\x80\x80", 0},  // past the last code point
      {"\xc3\xa9\xff", 2},
      {"\xc3(", 0},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text);
    CHECK(invalid_utf8(row.text) == row.bad);
  }
  CHECK(code_points("") == 0);
  CHECK(code_points("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80") == 4);
}

TEST_CASE("an excerpt shows the line and a caret under the place") {
  const struct {
    std::string text;
    std::size_t offset;
    int line, column;
    std::string excerpt;
  } rows[] = {
      {"one\ntwo\nthree", 0, 1, 1, "one\n^"},
      {"one\ntwo\nthree", 5, 2, 2, "two\n ^"},
      {"one\ntwo\nthree", 3, 1, 4, "one\n   ^"},  // at the line's end
      {"one\ntwo\nthree", 99, 3, 6, "three\n     ^"},
      {"one\r\ntwo", 2, 1, 3, "one\n  ^"},
      {"", 0, 1, 1, "\n^"},
      {"\n", 1, 2, 1, "\n^"},
      {"\tx y", 3, 1, 4, " x y\n   ^"},  // a tab is one column
      {"\xc3\xa9\xe2\x82\xac=1", 5, 1, 3, "\xc3\xa9\xe2\x82\xac=1\n  ^"},
      {"a\xff\x1b[0m", 1, 1, 2, "a\xef\xbf\xbd\xef\xbf\xbd[0m\n ^"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text, row.offset);
    int line = 0;
    int column = 0;
    CHECK(caret_excerpt(row.text, row.offset, &line, &column) == row.excerpt);
    CHECK(line == row.line);
    CHECK(column == row.column);
  }
}

TEST_CASE("an excerpt of a long line is a window around the place") {
  const std::string text = std::string(1000, 'a') + "X" + std::string(1000, 'b');
  int line = 0;
  int column = 0;
  const std::string excerpt = caret_excerpt(text, 1000, &line, &column);
  CHECK(column == 1001);
  CHECK(excerpt == "…" + std::string(60, 'a') + "X" + std::string(39, 'b') + "…\n" + std::string(61, ' ') + "^");
}

TEST_CASE("files are read whole, up to a limit") {
  const std::string path = "/tmp/gonogo-text-test-" + std::to_string(::getpid());
  const std::string text = std::string("a\0b\r\n", 5) + std::string(10'000, 'x');
  std::ofstream(path, std::ios::binary) << text;
  REQUIRE(read_file(path, text.size()));
  CHECK(*read_file(path, text.size()) == text);
  CHECK(read_file(path, text.size() - 1).error().what == "is larger than the limit of 10004 bytes");
  CHECK(read_file(path + ".none", 10).error().place.file == path + ".none");
  CHECK(read_file("/tmp", 10).error().what == "is a directory, not a file");
  CHECK(read_file("/dev/null", 10).error().what == "is not a regular file");
  CHECK(read_file(std::string("/tmp\0x", 6), 10).error().what == "the path holds a NUL byte");
  // A file whose size the system does not tell beforehand.
  REQUIRE(read_file("/proc/self/status", 1 << 20));
  CHECK(read_file("/proc/self/status", 1 << 20)->find("Name:") == 0);
  CHECK_FALSE(read_file("/proc/self/status", 10));
  ::unlink(path.c_str());
}

TEST_CASE("an error as text") {
  CHECK(to_text({Error::Kind::kInput, "no", {"f", 3, 7}, "try", "line\n^"}) == "f:3:7: no (try)\nline\n^");
  CHECK(to_text({Error::Kind::kInput, "no", {"f", 3, 0}, "", ""}) == "f:3: no");
  CHECK(to_text({Error::Kind::kInput, "no", {"f", 0, 0}, "", ""}) == "f: no");
  CHECK(to_text({Error::Kind::kInput, "no", {}, "", ""}) == "no");
}
