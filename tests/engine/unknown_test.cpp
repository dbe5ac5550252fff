// Three-valued logic: what an expression is where a part of it is unknown. There is no GPU, so gpu.count is unknown;
// `U` stands for it. An error behind an unknown stays unknown: Python might not have got there.
#include "catch.h"
#include "tiny_launch.h"

namespace gonogo {
namespace {

using testing::Around;
using testing::TinyLaunch;

// The value of an expression over a field `n` (3), a field `names` (None), the functions below and a config.
std::string value_of(std::string expression, const std::string& config = "") {
  for (std::size_t at = 0; (at = expression.find('U', at)) != std::string::npos;)
    expression.replace(at, 1, "gpu.count");
  std::string quoted;
  for (const char c : expression) quoted += c == '\'' ? std::string("''") : std::string(1, c);
  const std::string pack = R"(
pack: {name: tiny, versions: ["1.0"], entry_points: [tiny], parts: {only: [main]}, models: {model: "= path"},
       summary: {it: '=)" + quoted +
                           R"('}}
flags:
- {flags: [--path], field: path, default: x}
- {flags: [--n], field: n, type: int, default: 3}
- {flags: [--names], field: names, nargs: "+"}
functions: {bad: {value: "= [][n]"}, same: {args: [x], value: "= x"}, never: {args: [x], value: "= 7"}}
---
stage: main
rules: []
)";
  Around around;
  around.config = config;
  return TinyLaunch(pack, {}, around).summary("it");
}

struct Row {
  const char* expression;
  const char* value;
};

void check(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    INFO(row.expression);
    CHECK(value_of(row.expression) == row.value);
  }
}

TEST_CASE("an unknown operand of and, or and not counts only where the other side does not decide") {
  check({
      {"True and U", "unknown"},
      {"False and U", "False"},
      {"0 and U", "0"},
      {"U and True", "unknown"},
      {"U and False", "False"},
      {"U and ''", "''"},
      {"U and U", "unknown"},
      {"True or U", "True"},
      {"5 or U", "5"},
      {"False or U", "unknown"},
      {"U or True", "True"},
      {"U or 'x'", "'x'"},
      {"U or False", "unknown"},
      {"U or U", "unknown"},
      {"not U", "unknown"},
      {"U and True or True", "True"},
      {"U or False and True", "unknown"},
      {"(U or True) and n", "3"},
      {"not (U and False)", "True"},
  });
}

TEST_CASE("an error behind an unknown is unknown, and one that is certain to come is an error") {
  check({
      {"bad()", "IndexError"},
      {"U and bad()", "unknown"},
      {"U or bad()", "unknown"},
      {"bad() and U", "IndexError"},
      {"bad() or U", "IndexError"},
      {"False and bad()", "False"},
      {"True or bad()", "True"},
      {"True and bad()", "IndexError"},
      {"bad() if U else 1", "unknown"},
      {"U if bad() else 1", "IndexError"},
      {"not bad()", "IndexError"},
      {"U < 1 < bad()", "unknown"},
      {"1 < 0 < bad()", "False"},
      {"any([True, bad()])", "IndexError"},
      {"any([U, bad()])", "IndexError"},
      {"all([False, bad()])", "IndexError"},
      {"any(x == 3 or bad() for x in [3, 4])", "True"},
      {"any(bad() for x in [3] if U == 1)", "unknown"},
      {"all(bad() for x in [3] if False)", "True"},
      {"[bad() for x in [1, 2]]", "IndexError"},
  });
}

TEST_CASE("a choice by an unknown condition is unknown, and an unknown branch only where it is chosen") {
  check({
      {"1 if U else 2", "unknown"},
      {"1 if U else 1", "unknown"},
      {"U if True else 2", "unknown"},
      {"U if False else 2", "2"},
      {"1 if True else U", "1"},
      {"1 if U or True else 2", "1"},
  });
}

TEST_CASE("comparisons and arithmetic with an unknown are unknown") {
  for (const std::string op : {"==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "//", "%", "**"}) {
    INFO(op);
    CHECK(value_of("U " + op + " 1") == "unknown");
    CHECK(value_of("n " + op + " U") == "unknown");
    CHECK(value_of("U " + op + " U") == "unknown");
  }
  check({
      {"U is None", "unknown"},
      {"U is not None", "unknown"},
      {"-U", "unknown"},
      {"+U", "unknown"},
      {"1 < U < 3", "unknown"},
      {"5 < n < U", "False"},
      {"1 < n < U", "unknown"},
      {"U < n < 2", "False"},
      {"U < n < 5", "unknown"},
      {"1 // 0 + U", "ZeroDivisionError"},
      {"U + 1 // 0", "unknown"},
  });
}

TEST_CASE("membership with an unknown is decided where the known items decide it") {
  check({
      {"3 in [U, 3]", "True"},
      {"3 in [3, U]", "True"},
      {"4 in [3, U]", "unknown"},
      {"3 not in [U, 3]", "False"},
      {"4 not in [U, 3]", "unknown"},
      {"U in [1, 2]", "unknown"},
      {"U in []", "unknown"},
      {"3 in (U, 3)", "True"},
      {"4 in (U, 3)", "unknown"},
      {"3 in [bad(), 3]", "IndexError"},
      {"3 in host.infiniband", "unknown"},
      {"gpu.name in 'abc'", "unknown"},
      {"'a' in gpu.name", "unknown"},
  });
}

TEST_CASE("any and all follow or and and, over lists and comprehensions") {
  check({
      {"any([U, True])", "True"},
      {"any([U, False])", "unknown"},
      {"any([True, U])", "True"},
      {"all([U, False])", "False"},
      {"all([False, U])", "False"},
      {"all([True, U])", "unknown"},
      {"all([U])", "unknown"},
      {"any((U, 1))", "True"},
      {"any(x == U for x in [1])", "unknown"},
      {"any(x == U or x == 2 for x in [1, 2])", "True"},
      {"any(x == U for x in [])", "False"},
      {"all(x == U for x in [])", "True"},
      {"all(x == U and x != 2 for x in [1, 2])", "False"},
      {"all(x < 5 for x in [1, 2] if U == 1)", "True"},
      {"all(x < 2 for x in [1, 2] if U == 1)", "unknown"},
      {"any(x > 5 for x in [1, 2] if U == 1)", "False"},
      {"any(x > 1 for x in [1, 2] if U == 1)", "unknown"},
      {"any(x == 1 for x in [1, 2] if x == 1 or U == 1)", "True"},
      {"any(x for x in host.infiniband)", "unknown"},
  });
}

TEST_CASE("whatever else needs an unknown is unknown") {
  check({
      {"[x for x in [1, U]]", "unknown"},
      {"[x + U for x in [1]]", "unknown"},
      {"[x + U for x in []]", "[]"},
      {"[x for x in [1] if U == 1]", "unknown"},
      {"[x for x in [1] if U == 1 and False]", "[]"},
      {"[1, U]", "unknown"},
      {"(1, U)", "unknown"},
      {"{'a': U}", "unknown"},
      {"[1, U][0]", "unknown"},
      {"[1, 2][U]", "unknown"},
      {"'abc'[U:]", "unknown"},
      {"'abc'[:U]", "unknown"},
      {"len([U])", "unknown"},
      {"min(1, U)", "unknown"},
      {"max(U, 1)", "unknown"},
      {"sum([1, U])", "unknown"},
      {"sorted([1, U])", "unknown"},
      {"int(U)", "unknown"},
      {"str(U)", "unknown"},
      {"bool(U)", "unknown"},
      {"range(U)", "unknown"},
      {"isinstance(U, int)", "unknown"},
      {"gpu.name.lower()", "unknown"},
      {"'a'.startswith(gpu.name)", "unknown"},
      {"{'a': 1}.get(gpu.name)", "unknown"},
      {"host.importable('m')", "unknown"},
      {"host.file(gpu.name)", "unknown"},
      {"host.file('/dir')", "'directory'"},
      {"host.file(None)", "None"},
      {"host.text('/near')", "'{\"steps\": [1, 3]}'"},
      {"json(host.text('/near')).steps", "[1, 3]"},
      {"host.text('/none')", "None"},
      {"json(host.text('/none')).steps", "None"},
      {"host.text('/far')", "unknown"},
      {"json(host.text('/far')).steps", "unknown"},
      {"host.text(gpu.name)", "unknown"},
      {"host.text(None)", "None"},
      {"host.text(n)", "TypeError"},
      {"uuid5(gpu.name)", "unknown"},
      {"uuid5(n)", "TypeError"},
      {"uuid5('a\\0/x')", "'68da6cd16a47540e92b7d8a9fd06a6c5'"},
      {"same(U)", "unknown"},
      {"never(U)", "7"},
  });
}

TEST_CASE("a missing key is None at any depth, and so is every member of None") {
  const std::string config = R"({"a": {"b": {"c": 7}, "none": null, "list": [1, 2]}, "text": "t"})";
  const std::vector<Row> rows = {
      {"config.a.b.c", "7"},
      {"config['a']['b']['c']", "7"},
      {"config.a.b.missing", "None"},
      {"config.a.missing.c", "None"},
      {"config.missing.b.c.d.e", "None"},
      {"config['missing']['b'][0]['c']", "None"},
      {"config.a.none.x", "None"},
      {"config.a.none[0]", "None"},
      {"config.a['list'][1]", "2"},
      {"config.a['list'][2]", "IndexError"},
      {"config.a[7]", "None"},
      {"config.text.x", "TypeError"},
      {"config.a['list'].x", "TypeError"},
      {"config.missing or 5", "5"},
      {"config.missing < 3", "TypeError"},
      {"'x' in config.missing", "TypeError"},
      {"config.a.get('missing', 9)", "9"},
      {"config.missing.get('x')", "TypeError"},
      {"config.missing is None", "True"},
  };
  for (const Row& row : rows) {
    INFO(row.expression);
    CHECK(value_of(row.expression, config) == row.value);
  }
}

TEST_CASE("a config that was not found is unknown throughout, and one that is known to be none is None") {
  for (const char* expression :
       {"config", "config.a", "config.a.b[0].c", "hf.a", "files['x.json'].y", "config.a or 1 > 5"}) {
    INFO(expression);
    CHECK(value_of(expression) == "unknown");
  }
  CHECK(value_of("config.a.b", "null") == "None");
  CHECK(value_of("hf.a", "null") == "None");
}

}  // namespace
}  // namespace gonogo
