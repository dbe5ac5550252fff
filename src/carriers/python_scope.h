// What names of a Python file stand for, statement by statement. A file is not run, so a value holds only where it
// surely is the one: a name that a branch or a loop gave a value has it inside of that block alone, and what one
// function gives is nothing to another. Everywhere else the name has none.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "carriers/python_calls.h"

namespace gonogo {

class PythonScope {
 public:
  // A statement begins, `indent` columns from the left: functions that it stands no more in are left.
  void begin_statement(std::size_t indent);
  // The statement defines a function, in which those that follow stand.
  void enter_function();

  void give(const std::string& name, PythonValue value);
  void give_parameter(const std::string& name, PythonValue value);

  // The value that a name surely has at this statement, or nullptr.
  const PythonValue* find(std::string_view name);
  // The value that a name was given last, to be changed, or nullptr; `plain`: by a statement of this very block.
  PythonValue* latest(std::string_view name, bool* plain);

 private:
  struct Given {
    PythonValue value;
    std::size_t function = 0;  // 0: none
    std::size_t indent = 0;
  };
  struct Function {
    std::size_t number;
    std::size_t indent;
  };
  Given* given(std::string_view name);
  std::size_t function() const { return functions_.empty() ? 0 : functions_.back().number; }
  void put(const std::string& name, PythonValue value, std::size_t indent);

  std::map<std::string, std::vector<Given>, std::less<>> values_;
  std::vector<Function> functions_;
  std::size_t counted_ = 0;
  std::size_t indent_ = 0;
};

}  // namespace gonogo
