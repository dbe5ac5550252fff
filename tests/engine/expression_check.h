// Compares the engine with CPython on recorded expressions: one line a case, as scripts/record_expressions.py writes
// them.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace gonogo::test {

struct ExpressionReport {
  int compared = 0;
  int refused_early = 0;                 // random ones that the type check refuses though Python has a value
  std::vector<std::string> differences;  // "group: text: want …, got …"
  std::vector<std::string> texts;        // of all cases, as written
};

// Reads the names' values from the first line and cases from the others. Every case that does not compile where Python
// gave a value is a difference, but for an == that can never hold; where Python gave a TypeError, a compile error is as
// good, since types are checked early.
ExpressionReport check_expressions(std::istream& in);

}  // namespace gonogo::test
