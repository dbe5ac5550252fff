// What a shell holds while a script is followed: variables, functions, arguments, files that the script wrote. A copy
// of it is a subshell.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "shell/syntax.h"
#include "shell/text.h"

namespace gonogo {

struct Variable {
  enum class Shape : std::uint8_t { kScalar, kIndexed, kAssociative };
  Shape shape = Shape::kScalar;
  bool set = false;  // false: the script unset it, or declared it without a value
  bool exported = false;
  bool given = false;     // the file gave it a value, so that it shows in the environment of what is launched
  bool open = false;      // an array whose elements nobody knows
  unsigned version = 0;   // how often it was assigned
  std::string refers_to;  // `declare -n`: the variable that is meant; "": itself
  Text value;
  std::vector<std::pair<std::string, Text>> elements;  // of arrays; an indexed one is in order

  // Whether both hold the same, however often they were assigned.
  bool same(const Variable& other) const;
  const Text* element(const std::string& key) const;
  void put(const std::string& key, Text value);
  long next_index() const;
};

struct ShellState {
  std::map<std::string, Variable> variables;  // a name that isn't here is the caller's
  std::set<std::string> exported;             // names that were exported before they had a value
  std::map<std::string, CommandPtr> functions;
  std::set<std::string> exported_functions;
  std::map<std::string, Text> aliases;
  std::map<std::string, Text> files;  // that the script wrote, by path
  std::vector<Text> arguments;        // one of them may be all of the caller's, see is_all_arguments
  std::vector<std::map<std::string, std::optional<Variable>>> scopes;  // what `local` hides, a function each
  std::optional<Text> folder;                                          // where `cd` went last
  std::map<std::string, std::map<std::string, Variable>> terminals;    // of tmux and screen, by name
  bool export_all = false;
  bool expand_aliases = false;

  // Whether a command would do the same in both, but for what it makes of the variable `except`.
  bool same(const ShellState& other, const std::string& except) const;
};

// "${@}": arguments of the caller, any number of them.
Text all_arguments(TextOrigin at);
bool is_all_arguments(const Text& text);

}  // namespace gonogo
