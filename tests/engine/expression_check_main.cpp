// expression_check < cases.jsonl: the comparison for scripts/differential.sh, with as many cases as one likes.
#include <iostream>

#include "engine/expression_check.h"

int main() {
  const auto report = gonogo::test::check_expressions(std::cin);
  for (const auto& difference : report.differences) std::cout << difference << '\n';
  std::cout << report.compared << " expressions, " << report.refused_early << " refused by the type check, "
            << report.differences.size() << " differences\n";
  return report.differences.empty() ? 0 : 1;
}
