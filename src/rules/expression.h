// An expression of the rule language as a tree, and its parser. The grammar is a strict subset of Python's
// (rules/LANGUAGE.md); what is Python but not in the subset is named in the error, so that nobody has to guess.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gonogo {

struct Expression {
  enum class Type : std::uint8_t {
    kNone,
    kTrue,
    kFalse,
    kInt,
    kFloat,
    kStr,
    kName,
    kAttribute,  // kids[0].text
    kIndex,      // kids[0][kids[1]]
    kSlice,      // kids[0][kids[1]:kids[2]], either may be null
    kCall,       // text(kids…): a plain function
    kMethod,     // kids[0].text(kids[1:]…)
    kUnary,      // text: "-", "+", "not"
    kBinary,     // text: "+", "and", …
    kCompare,    // kids compared in a chain by `words`
    kIf,         // kids: value, condition, otherwise
    kList,
    kTuple,
    kDict,           // kids: key, value, key, value …
    kComprehension,  // [kids[0] for text in kids[1] if kids[2]]; kids[2] may be null; integer 1: written without []
  };
  using Ptr = std::unique_ptr<Expression>;

  Type type = Type::kNone;
  std::size_t offset = 0;  // of its first character in the parsed text
  std::string text;
  std::int64_t integer = 0;
  double real = 0;
  std::vector<Ptr> kids;
  std::vector<std::string> words;  // kCompare: operators; kCall: keyword names, aligned with the last kids
};

struct ExpressionError {
  std::size_t offset = 0;
  std::string what;
  std::string hint;
};

// Parses the whole of `text`. Nesting beyond 100 levels is an error, and so are more than 4000 tokens.
std::variant<Expression::Ptr, ExpressionError> parse_expression(std::string_view text);

}  // namespace gonogo
