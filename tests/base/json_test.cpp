#include "base/json.h"

#include <sys/stat.h>

#include <cmath>
#include <string>

#include "catch.h"
#include "tree.h"

using namespace gonogo;

namespace {

std::string nested(int depth) {
  return std::string(static_cast<std::size_t>(depth), '[') + std::string(static_cast<std::size_t>(depth), ']');
}

// The value as JSON again, or the error as text without its excerpt.
std::string read(std::string_view text, JsonLimits limits = {}) {
  Arena arena;
  const Result<Value> value = parse_json(text, "f", arena, limits);
  if (value) return to_json(*value);
  Error error = value.error();
  error.excerpt.clear();
  return to_text(error);
}

}  // namespace

TEST_CASE("JSON is read and written back") {
  const struct {
    std::string text, json;
  } rows[] = {
      {"null", "null"},
      {"true", "true"},
      {" [1, -2,0] ", "[1, -2, 0]"},
      {"{\"a\": {\"b\": [ ]}, \"c\": {}}", "{\"a\": {\"b\": []}, \"c\": {}}"},
      {"{\"b\": 1, \"a\": 2}", "{\"b\": 1, \"a\": 2}"},  // the order is kept
      {"\"\\u00e9\\n\\\"\"", "\"\xc3\xa9\\n\\\"\""},
      {"\"\\ud83d\\ude00\"", "\"\xf0\x9f\x98\x80\""},
      {"\"\\u0001\"", "\"\\u0001\""},
      {"1.5", "1.5"},
      {"1e3", "1000.0"},
      {"2.0", "2.0"},
      {"1e-6", "1e-06"},
      {"-0", "0"},
      {"9223372036854775807", "9223372036854775807"},
      {"-9223372036854775808", "-9223372036854775808"},
      // Integers beyond 64 bits become floats.
      {"9223372036854775808", "9.223372036854776e+18"},
      {"18446744073709551616", "1.8446744073709552e+19"},
      {"-9223372036854775809", "-9.223372036854776e+18"},
      {"\xef\xbb\xbf{}", "{}"},  // a byte order mark is skipped
      {"[[1], {\"x\": [2]}, [3]]", "[[1], {\"x\": [2]}, [3]]"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text);
    CHECK(read(row.text) == row.json);
  }
}

TEST_CASE("Python's constants are read where a value may stand, and nowhere else") {
  const struct {
    std::string text, json;
  } rows[] = {
      {"NaN", "NaN"},
      {"Infinity", "Infinity"},
      {"-Infinity", "-Infinity"},
      {"[NaN,Infinity,-Infinity,0]", "[NaN, Infinity, -Infinity, 0]"},
      {"[0, NaN, 0 ]", "[0, NaN, 0]"},
      {"{\"a\":NaN,\"b\":[0,-Infinity]}", "{\"a\": NaN, \"b\": [0, -Infinity]}"},
      {"{\"NaN\": \"Infinity, NaN\"}", "{\"NaN\": \"Infinity, NaN\"}"},
      {"[\"\\\", NaN,\", NaN]", "[\"\\\", NaN,\", NaN]"},
      {"[\"\\\\\", NaN]", "[\"\\\\\", NaN]"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text);
    CHECK(read(row.text) == row.json);
  }
  for (const std::string text : {"[1NaN]", "[-NaN]", "[NaNN]", "[+Infinity]", "[nan]", "{NaN: 1}", "Inf", "NaN NaN",
                                 "[NaN Infinity]", "\"NaN", "[NaN,]", "- Infinity", "NaN1"}) {
    CAPTURE(text);
    CHECK(read(text).find("not valid JSON") != std::string::npos);
  }
}

TEST_CASE("a JSON error has its place and says why") {
  const struct {
    std::string text, error;
  } rows[] = {
      {"", "f:1:1: not valid JSON: unexpected end of input; expected '[', '{', or a literal (the text is empty)"},
      {"{\"a\": 1", "f:1:8: not valid JSON: unexpected end of input; expected '}' (the text is cut off)"},
      {"{\n  \"a\": [1,\n  2", "f:3:4: not valid JSON: unexpected end of input; expected ']' (the text is cut off)"},
      {"{\"a\": 1,}",
       "f:1:8: not valid JSON: unexpected '}'; expected string literal (JSON has no comma behind the last "
       "item)"},
      {"[1\n 2]", "f:2:2: not valid JSON: unexpected number literal; expected ']'"},
      {"{} x", "f:1:4: not valid JSON: invalid literal; expected end of input"},
      {"[1] [2]", "f:1:5: not valid JSON: unexpected '['; expected end of input"},
      {"{\"a\": \"b", "f:1:7: not valid JSON: invalid string: missing closing quote"},
      {"{'a': 1}", "f:1:2: not valid JSON: invalid literal; expected string literal (JSON has double quotes only)"},
      {"{\n\"a\": 1,\n \"b\": {\"a\": 2},\n \"a\": 3}", "f:4:2: the key \"a\" stands twice in the same object"},
      {"{\"q\\\"\": 1, \"q\\\"\": 2}", "f:1:12: the key \"q\\\"\" stands twice in the same object"},
      {"{\"\\u0061\": 1, \"a\": 2}", "f:1:15: the key \"a\" stands twice in the same object"},
      {"[1e999]", "f:1:2: a number is too large"},
      {"[\"\xc3\xa9\", \"\xff\"]", "f:1:8: not UTF-8 (JSON is UTF-8 text)"},
      {"[\"\xed\xa0\x80\"]", "f:1:3: not UTF-8 (JSON is UTF-8 text)"},
      {std::string("{}\0{", 4), "f:1:3: not valid JSON: a NUL byte"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text);
    CHECK(read(row.text) == row.error);
  }
}

TEST_CASE("the excerpt of a JSON error points at the byte") {
  Arena arena;
  const Result<Value> value = parse_json("{\n  \"hidden_size\": 4O96\n}", "config.json", arena);
  REQUIRE_FALSE(value);
  CHECK(value.error().place.line == 2);
  CHECK(value.error().place.column == 19);
  CHECK(value.error().excerpt == "  \"hidden_size\": 4O96\n                  ^");
}

TEST_CASE("duplicate keys are found in large objects too") {
  std::string text = "{";
  for (int i = 0; i < 1000; ++i) text += "\"k" + std::to_string(i) + "\": {\"k\": 1}, ";
  CHECK(read(text + "\"k1000\": 0}").substr(0, 3) == "{\"k");
  CHECK(read(text + "\"k999\": 0}").find("the key \"k999\" stands twice") != std::string::npos);
  CHECK(read(text + "\"k3\": 0}").find("the key \"k3\" stands twice") != std::string::npos);
}

TEST_CASE("size and depth of JSON are limited") {
  CHECK(read(nested(100)) == nested(100));
  CHECK(read(nested(101)) == "f:1:101: nested more than 100 levels deep");
  CHECK(read(std::string(5'000'000, '[')) == "f:1:101: nested more than 100 levels deep");
  CHECK(read("[[{}]]", {100, 2}) == "f:1:3: nested more than 2 levels deep");
  CHECK(read("[1, 2]", {6, 10}) == "[1, 2]");
  CHECK(read("[1, 2]", {5, 10}) == "f: is larger than the limit of 5 bytes");
}

TEST_CASE("the value outlives the text") {
  Arena arena;
  Value value;
  {
    const std::string text = "{\"name\": \"a long text that is not held in the string object\"}";
    const Result<Value> read_back = parse_json(text, "f", arena);
    REQUIRE(read_back);
    value = *read_back;
  }
  REQUIRE(value.find("name") != nullptr);
  CHECK(value.find("name")->as_str() == "a long text that is not held in the string object");
}

TEST_CASE("values that JSON lacks are written too") {
  Arena arena;
  const Value items[] = {Value::integer(1), Value::str("a")};
  const Entry entries[] = {{Value::integer(1), Value::none()},
                           {Value::boolean(true), Value::none()},
                           {Value::none(), Value::tuple(items, 2)}};
  CHECK(to_json(Value::tuple(items, 2)) == "[1, \"a\"]");
  CHECK(to_json(Value::dict(entries, 3)) == "{\"1\": null, \"true\": null, \"null\": [1, \"a\"]}");
  CHECK(to_json(Value::unknown("the GPU")) == "{\"unknown\": \"the GPU\"}");
  CHECK(to_json(Value::error(ErrorKind::kTypeError, "no")) == "{\"error\": \"TypeError: no\"}");
  CHECK(to_json(Value::real(HUGE_VAL)) == "Infinity");
  CHECK(to_json(Value::list(items, 2), true) == "[\n  1,\n  \"a\"\n]");
  CHECK(to_json(Value::dict(entries, 1), true) == "{\n  \"1\": null\n}");
  CHECK(to_json(Value::list(items, 0), true) == "[]");
}

TEST_CASE("a string is escaped, and what is not UTF-8 replaced") {
  std::string out;
  append_json_string(out, std::string("a\"\\\n\r\t\0\x1f\x7f\xc3\xa9\xff\xc3", 13));
  CHECK(out == "\"a\\\"\\\\\\n\\r\\t\\u0000\\u001f\x7f\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\"");
}

TEST_CASE("JSON files") {
  const Tree dir;
  Arena arena;
  const Result<Value> good = load_json(dir.file("good.json", "{\"a\": 1}"), arena);
  REQUIRE(good);
  CHECK(to_json(*good) == "{\"a\": 1}");

  const std::string bad = dir.file("bad.json", "{\n\"a\": ]}");
  CHECK(to_text(load_json(bad, arena).error()).find(bad + ":2:6: not valid JSON") == 0);
  CHECK(to_text(load_json(dir.path(), arena).error()) == dir.path() + ": is a directory, not a file");
  CHECK(load_json(dir / "none.json", arena).error().what == "can't be opened: No such file or directory");
  const std::string large = dir.file("large.json", std::string(2000, ' '));
  CHECK(load_json(large, arena, {1000, 100}).error().what == "is larger than the limit of 1000 bytes");
  const std::string pipe = dir / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(load_json(pipe, arena).error().what == "is not a regular file");
}
