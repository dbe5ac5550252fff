// Make's variables and its $(…) text functions.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "carriers/mapped_text.h"
#include "carriers/placeholder.h"

namespace gonogo {

struct MakeVariable {
  std::string value;
  bool simple = false;  // := has expanded it already
  bool exported = false;
};

class MakeVariables {
 public:
  explicit MakeVariables(Placeholders& marks) : marks_(marks) {}

  // `op`: "=", ":=", "?=" or "+=".
  void assign(std::string_view name, std::string_view op, std::string_view value);
  void set_exported(std::string_view name, bool exported);
  bool defined(std::string_view name) const { return variables_.find(name) != variables_.end(); }

  std::string expand(std::string_view text) const;
  // The same with places: what a variable brings in stands where it is named.
  MappedText expand(const MappedText& text) const;

  // Exported variables and their values; `all`: every variable of the file.
  std::vector<std::pair<std::string, std::string>> exports(bool all) const;

 private:
  std::string reference(std::string_view inner, std::string_view written, int depth) const;
  std::string value_of(std::string_view name, int depth) const;
  std::string function(std::string_view name, std::string_view rest, std::string_view written, int depth) const;
  std::string expand(std::string_view text, int depth) const;
  std::string named(std::string_view name, std::string value) const;

  // `$(call name,…)` and `$(foreach name,words,text)`.
  std::string call(const std::vector<std::string_view>& args, std::string_view written, int depth) const;
  std::string each(const std::vector<std::string_view>& args, std::string_view written, int depth) const;
  bool spend() const;

  Placeholders& marks_;
  std::map<std::string, MakeVariable, std::less<>> variables_;
  std::shared_ptr<std::size_t> spent_ = std::make_shared<std::size_t>(0);  // calls, of all copies
};

// Splits at blanks.
std::vector<std::string> make_words(std::string_view text);

}  // namespace gonogo
