// The values of Python expressions as far as a file says them: what is left reads a statement, and this the values in
// it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "carriers/placeholder.h"
#include "carriers/python_calls.h"
#include "carriers/python_cursor.h"
#include "carriers/python_scope.h"

namespace gonogo {

class PythonExpressions : protected PythonCursor {
 public:
  PythonExpressions(std::string_view text, Placeholders& marks) : PythonCursor(text), marks_(marks) {}

 protected:
  static constexpr std::size_t kMaxCopied = 100'000;
  static constexpr std::size_t kMaxNames = 1'000;  // of one dictionary, or of the environment; more are left out

  // What nobody knows: called by a name, or by what stands from `start` up to here.
  PythonValue unknown_of(const std::string& name);
  PythonValue unknown(std::size_t start);
  // Whether a value may stand in one more place; it is counted.
  bool may_copy(const PythonValue& value);
  // Goes on to the end of an expression that can't be read.
  void skip_expression();
  bool ended();
  PythonValue expression(int depth);
  bool plus(PythonValue& left, int depth);
  PythonValue atom(int depth);
  PythonValue named(const std::string& word, std::size_t start, int depth);
  PythonValue list(char end, int depth, std::size_t start);
  PythonValue dictionary(int depth, std::size_t start);
  // Keyword arguments up to a bracket; positional ones go where they are asked for.
  PythonValue keyword_arguments(char end, int depth, std::vector<PythonValue>* positional = nullptr);
  void unpack(PythonValue& out, int depth);
  static void put(PythonValue& dict, const std::string& key, PythonValue value);
  PythonValue strings(int);
  // The string here, behind its prefix; with an f, braces are filled in.
  std::string string_body(std::string_view prefix);
  void field(std::string& out);
  Placeholders& marks_;
  PythonScope scope_;
  std::size_t copied_ = 0;  // by weight
};

}  // namespace gonogo
