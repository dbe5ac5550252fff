// Evaluates what stands in $(( )): 64-bit integers with C's operators, bases as in 16#ff and 010, assignments. A name
// is asked for its value; one that isn't known makes the result unknown, unless an operator doesn't need it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gonogo {

struct ArithmeticNames {
  // The text of a variable, "NAME" or "NAME[index]"; none where it is not known. An unset variable is "".
  std::function<std::optional<std::string>(const std::string& name)> get;
  // An assignment happened; none: to a value that isn't known.
  std::function<void(const std::string& name, std::optional<std::int64_t> value)> set;
};

struct ArithmeticResult {
  std::optional<std::int64_t> value;  // none: not known, or an error
  bool failed = false;                // the expression can't be read, or divides by zero
};

// `text` after its expansions were made.
ArithmeticResult evaluate_arithmetic(std::string_view text, const ArithmeticNames& names);

// The names in an expression, each once, in order; `$X` and `${X}` among them.
std::vector<std::string> names_in_arithmetic(std::string_view text);

}  // namespace gonogo
