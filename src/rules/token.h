// The words of an expression: Python's tokens, without newlines (an expression is read as if in parentheses).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rules/expression.h"

namespace gonogo {

struct Token {
  enum class Type : std::uint8_t { kInt, kFloat, kStr, kName, kKeyword, kOperator, kEnd };
  Type type = Type::kEnd;
  std::size_t offset = 0;
  std::string text;  // of a string: its contents, escapes resolved
};

// All tokens, the last of them kEnd.
std::variant<std::vector<Token>, ExpressionError> tokenize(std::string_view text);

}  // namespace gonogo
