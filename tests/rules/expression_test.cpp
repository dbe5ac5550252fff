// The parser and the emitter: what is read is printed again as Python would write it, and what is not in the language
// is refused at its place. Fields: n (int), flag (bool), name (str), names (list), any.
#include "rules/expression.h"

#include "catch.h"
#include "rules/compiler.h"
#include "rules/walk.h"
#include "toy_pack.h"

namespace gonogo {
namespace {

std::string pack_with(const std::string& expression) {
  std::string quoted;
  for (const char c : expression) quoted += c == '\'' ? std::string("''") : std::string(1, c);
  return R"(
pack: {name: tiny, versions: ["1.0"], entry_points: [tiny]}
flags:
- {flags: [--n], field: n, type: int, default: 3}
- {flags: [--flag], field: flag, action: store_true, default: false}
- {flags: [--name], field: name}
- {flags: [--names], field: names, nargs: "+"}
fields: {any: null}
env: {VAR: {type: int, default: 1}}
facts: {layers: "= config.layers"}
functions: {twice: {args: [x], value: "= x * 2"}}
tables: {rows: [1, 2]}
state: {seen: false}
---
stage: main
rules:
- {id: it, when: ')" +
         quoted + "', warn: x}\n";
}

std::string printed(const std::string& expression) {
  const testing::OpenPack pack(testing::compiled(pack_with(expression)));
  return unparse(*pack, pack->rules[testing::rule_named(*pack, "it")].when);
}

struct Row {
  const char* expression;
  const char* text;
};

TEST_CASE("an expression is printed with as few parentheses as it needs") {
  const std::vector<Row> rows = {
      {"None", "None"},
      {"True", "True"},
      {"12", "12"},
      {"1_000_000", "1000000"},
      {"9223372036854775807", "9223372036854775807"},
      {"1.50", "1.5"},
      {"1e3", "1000.0"},
      {".5", "0.5"},
      {"\"it's\"", "\"it's\""},
      {"'a' \"b\"", "'ab'"},
      {"'a\\n\\t\\\\'", "'a\\n\\t\\\\'"},
      {"  n  ", "n"},
      {"((n))", "n"},
      {"n+1", "n + 1"},
      {"n + 1 + 2", "n + 1 + 2"},
      {"n + (1 + 2)", "n + (1 + 2)"},
      {"(n + 1) * 2", "(n + 1) * 2"},
      {"n + 1 * 2", "n + 1 * 2"},
      {"n // 2 % 3", "n // 2 % 3"},
      {"n / (2 / 3)", "n / (2 / 3)"},
      {"2 ** 3 ** 2", "2 ** 3 ** 2"},
      {"(2 ** 3) ** 2", "(2 ** 3) ** 2"},
      {"-n ** 2", "-n ** 2"},
      {"(-n) ** 2", "(-n) ** 2"},
      {"2 ** -1", "2 ** -1"},
      {"not flag and flag or n", "not flag and flag or n"},
      {"not (flag and n)", "not (flag and n)"},
      {"flag and (n or flag)", "flag and (n or flag)"},
      {"n == 1", "n == 1"},
      {"1 < n <= 3 != 4", "1 < n <= 3 != 4"},
      {"(1 < n) == True", "(1 < n) == True"},
      {"n not in [1, 2]", "n not in [1, 2]"},
      {"not n in (1,)", "not n in (1,)"},
      {"n is not None", "n is not None"},
      {"1 if flag else 2 if n else 3", "1 if flag else 2 if n else 3"},
      {"(1 if flag else 2) if n else 3", "(1 if flag else 2) if n else 3"},
      {"[]", "[]"},
      {"()", "()"},
      {"(1, 2,)", "(1, 2)"},
      {"{'a': 1, 'b': [2]}", "{'a': 1, 'b': [2]}"},
      {"any.a['b'][0].c", "any.a['b'][0].c"},
      {"names[1:]", "names[1:]"},
      {"names[:-1]", "names[:-1]"},
      {"names[1:2]", "names[1:2]"},
      {"names[:]", "names[:]"},
      {"[x + 1 for x in names if x if n]", "[x + 1 for x in names if x and n]"},
      {"any(x == 1 for x in names)", "any([x == 1 for x in names])"},
      {"sorted(names, reverse=True)", "sorted(names, reverse=True)"},
      {"sorted(names, reverse=False)", "sorted(names)"},
      {"len(set(names))", "len(set(names))"},
      {"n in set(names)", "n in set(names)"},
      {"isinstance(any, (int, str))", "isinstance(any, (str, int))"},
      {"typed(n)", "typed(n)"},
      {"given.n", "given.n"},
      {"env.VAR", "env.VAR"},
      {"env_is_set('VAR')", "env_is_set('VAR')"},
      {"model.layers + draft.layers", "model.layers + draft.layers"},
      {"table.rows", "table.rows"},
      {"state.seen", "state.seen"},
      {"gpu.cc >= 90", "gpu.cc >= 90"},
      {"host.file('/x')", "host.file('/x')"},
      {"host.text('/x')", "host.text('/x')"},
      {"host.infiniband", "host.infiniband"},
      {"files['x.json'].y", "files['x.json'].y"},
      {"name.startswith(('a', 'b'))", "name.startswith(('a', 'b'))"},
      {"any.get('k', 1)", "any.get('k', 1)"},
      {"twice(n) + 1", "twice(n) + 1"},
      {"round(1.5, 1)", "round(1.5, 1)"},
  };
  for (const Row& row : rows) {
    INFO(row.expression);
    CHECK(printed(row.expression) == row.text);
  }
}

TEST_CASE("what is printed means the same: printing it again changes nothing") {
  for (const char* expression :
       {"-(n + 1) * (2 - (3 - n)) ** -(2)", "not (n == 1) == (flag or n)", "(n if flag else 1) + 2",
        "[x for x in (names or []) if (x if n else 2)]", "-(n.x if 0 else n) < 1", "('a' + 'b').upper()", "(1, 2)[0]",
        "(not flag) in [True]"}) {
    INFO(expression);
    std::string once;
    try {
      once = printed(expression);
    } catch (const std::runtime_error&) {
      continue;  // refused by types: not this test's matter
    }
    CHECK(printed(once) == once);
  }
}

TEST_CASE("what is no expression of the language is refused at its place") {
  struct Wrong {
    const char* expression;
    std::size_t offset;
    const char* what;
    const char* hint;
  };
  const std::vector<Wrong> rows = {
      {"", 0, "the expression ends too early", ""},
      {"1 +", 3, "the expression ends too early", ""},
      {"n n", 2, "unexpected 'n'", ""},
      {"n = 1", 2, "assignment is not part of the language", "compare with =="},
      {"lambda x: x", 0, "lambda is not part of the language", "define a function in the pack"},
      {"n & 1", 2, "'&' is not part of the language", "write 'and'"},
      {"n | 1", 2, "'|' is not part of the language", "write 'or'"},
      {"!n", 0, "unexpected character '!'", "write 'not'"},
      {"n ? 1", 2, "unexpected character '?'", ""},
      {"'abc", 0, "a string is not closed", ""},
      {"1 + 'abc", 4, "a string is not closed", ""},
      {"'a\nb'", 0, "a string runs over the end of its line", ""},
      {"'a\\x41'", 2, "unknown escape in a string", "the language knows \\n \\t \\0 \\\\ \\' and \\\""},
      {"'a\\01'", 2, "an octal escape in a string", "\\0 is known, without more digits"},
      {"'a\\'", 0, "a string is not closed", ""},
      {"12ab", 0, "a number runs into a name", ""},
      {"1 + 012", 4, "a number has a leading zero", ""},
      {"9223372036854775808", 0, "the integer 9223372036854775808 does not fit 64 bits", ""},
      {"(1", 2, "expected ')' but found the end", ""},
      {"(1]", 2, "expected ')' but found ']'", ""},
      {"[1, 2", 5, "expected ']' but found the end", ""},
      {"{1}", 2, "expected ':' but found '}'", ""},
      {"x[1:2:3]", 5, "expected ']' but found ':'", ""},
      {"1 if 2", 6, "expected 'else' but found the end", ""},
      {"n is 1", 5, "'is' compares only with None, True or False", "use == for values"},
      {"(x for x in y)", 3, "a generator is allowed only as the sole argument of a function",
       "write a list: [… for …]"},
      {"[x for 1 in y]", 7, "a comprehension goes over one name", ""},
      {"[x for x, y in z]", 8, "a comprehension goes over one name", ""},
      {"[x for x in y for z in x]", 14, "a comprehension has one 'for'", ""},
      {"f(a=1, 2)", 7, "a positional argument follows a keyword argument", ""},
      {"a.b()()", 5, "only named functions can be called", ""},
      {"[1](2)", 3, "only named functions can be called", ""},
      {"a.1", 1, "unexpected '.1'", ""},
      {"a.", 2, "expected a name after '.'", ""},
      {"for", 0, "unexpected 'for'", ""},
  };
  for (const Wrong& row : rows) {
    INFO(row.expression);
    const auto parsed = parse_expression(row.expression);
    const auto* error = std::get_if<ExpressionError>(&parsed);
    REQUIRE(error != nullptr);
    CHECK(error->offset == row.offset);
    CHECK(error->what == row.what);
    CHECK(error->hint == row.hint);
  }
}

TEST_CASE("nesting has a limit, whatever nests") {
  const auto fails = [](const std::string& text) {
    return std::holds_alternative<ExpressionError>(parse_expression(text));
  };
  CHECK_FALSE(fails(std::string(90, '(') + "1" + std::string(90, ')')));
  for (const std::string unit : {"(", "[", "-", "{1: ", "f(", "x[", "1 if 1 else ", "2 ** "}) {
    std::string text;
    for (int i = 0; i < 20'000; ++i) text += unit;
    INFO(unit);
    CHECK(fails(text + "1"));
  }
  std::string nots;
  for (int i = 0; i < 20'000; ++i) nots += "not ";
  CHECK(fails(nots + "1"));
}

TEST_CASE("chains, which nest only in the tree, have a limit too") {
  for (const std::string link : {" + 1", " ** 1", ".a", "[0]", " or 1", " < 1"}) {
    const auto chain = [&](int links) {
      std::string text = "n";
      for (int i = 0; i < links; ++i) text += link;
      return parse_expression(text);
    };
    INFO(link);
    CHECK(std::holds_alternative<Expression::Ptr>(chain(500)));
    const auto long_one = chain(1'000'000);
    REQUIRE(std::holds_alternative<ExpressionError>(long_one));
    CHECK(std::get<ExpressionError>(long_one).what == "the expression is too long");
  }
}

}  // namespace
}  // namespace gonogo
