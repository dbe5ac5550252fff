// A place in a Python file that moves forward over blanks, comments and names, and knows what the file's imports call
// by which name.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace gonogo {

class PythonCursor {
 public:
  explicit PythonCursor(std::string_view text) : text_(text) {}

 protected:
  void comment();
  void blanks();     // blanks, newlines and comments inside brackets
  void same_line();  // blanks alone
  bool take(char c);
  // A name with its parts, "a.b.c".
  std::string dotted();
  // What follows the `import` or `from` that is `word`.
  void imports(const std::string& word);
  // A name with what its first part was imported as in its place.
  std::string full_name(const std::string& word) const;

  std::string_view text_;
  std::size_t at_ = 0;

 private:
  void blanks_or_bracket();

  bool parenthesised_ = false;
  std::map<std::string, std::string, std::less<>> imports_;
};

}  // namespace gonogo
