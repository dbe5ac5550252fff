// CPython is the reference for expressions.
#include <fstream>
#include <string>

#include "catch.h"
#include "engine/expression_check.h"

namespace gonogo::test {

TEST_CASE("recorded expressions have CPython's values and errors", "[engine]") {
  std::ifstream cases(std::string(GONOGO_TESTDATA) + "/expressions/cases.jsonl");
  REQUIRE(cases.good());
  const ExpressionReport report = check_expressions(cases);
  CHECK(report.compared >= 600);
  for (const std::string& difference : report.differences) FAIL_CHECK(difference);
}

}  // namespace gonogo::test
