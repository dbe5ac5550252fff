// Calls with keyword arguments in a Python file, as far as they can be read without running it: literals, names that
// the file gives a literal, dictionaries and f-strings of these, and the environment with a default. Anything else is a
// placeholder.
#pragma once

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
};

struct PythonCall {
  std::string callee;                                    // as the file's imports make it: "package.Class"
  std::size_t offset = 0;                                // of the call
  PythonValue arguments;                                 // a dict of the keyword arguments, in order
  std::vector<std::pair<std::string, std::string>> env;  // what the file put into os.environ before
};

// The calls whose callee's last part `wanted` accepts, in order.
std::vector<PythonCall> python_calls(std::string_view text, const std::vector<std::string>& wanted,
                                     Placeholders& marks);

}  // namespace gonogo
