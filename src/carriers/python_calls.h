// Calls in a Python file, as far as their arguments can be read without running it: literals, names that the file
// gives a literal, sums, dictionaries and f-strings of these, and the environment with a default. Anything else is a
// placeholder; so is a name that another function, a branch or a loop gave its value.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "carriers/placeholder.h"

namespace gonogo {

struct PythonValue {
  enum class Kind { kText, kNumber, kTrue, kFalse, kNone, kList, kDict, kUnknown };
  Kind kind = Kind::kUnknown;
  std::string text;  // of text: its value; of a number: as written; unknown: a mark
  std::size_t offset = 0;
  std::vector<PythonValue> items;
  std::vector<std::pair<std::string, PythonValue>> entries;

  const PythonValue* find(std::string_view key) const;
  // How much it holds, in values and their text: names that stand for lists of lists, or for texts that are put
  // together from others, must not multiply without end.
  std::size_t weight() const;
};

struct PythonCall {
  std::string callee;                                    // as the file's imports make it: "package.Class"
  std::size_t offset = 0;                                // of the call
  PythonValue arguments;                                 // a dict of the keyword arguments, in order
  std::vector<PythonValue> positional;                   // the others
  std::vector<std::pair<std::string, std::string>> env;  // what the file put into os.environ before
};

// The calls whose callee's last part `wanted` accepts, in order.
std::vector<PythonCall> python_calls(std::string_view text, const std::function<bool(std::string_view)>& wanted,
                                     Placeholders& marks);

}  // namespace gonogo
