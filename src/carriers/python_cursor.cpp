#include "carriers/python_cursor.h"

#include <algorithm>
#include <cctype>

#include "shell/word_parser.h"

namespace gonogo {

void PythonCursor::comment() { at_ = std::min(text_.find('\n', at_), text_.size()); }

void PythonCursor::blanks() {
  while (at_ < text_.size()) {
    if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '\\') {
      ++at_;
    } else if (text_[at_] == '#') {
      comment();
    } else {
      break;
    }
  }
}

void PythonCursor::same_line() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
}

bool PythonCursor::take(char c) {
  blanks();
  if (at_ >= text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

std::string PythonCursor::dotted() {
  std::string out;
  while (at_ < text_.size() && (is_name_char(text_[at_]) || (text_[at_] == '.' && !out.empty()))) out += text_[at_++];
  return out;
}

void PythonCursor::imports(const std::string& word) {
  const std::size_t end = std::min(text_.find('\n', at_), text_.size());
  same_line();
  std::string module = word == "from" ? dotted() : "";
  same_line();
  if (word == "from") {
    if (text_.substr(at_, 6) != "import") return;
    at_ += 6;
  }
  while (at_ < end || (at_ < text_.size() && parenthesised_)) {
    if (word == "from") {
      blanks_or_bracket();
    } else {
      same_line();
    }
    const std::string name = dotted();
    if (name.empty()) break;
    std::string alias = name;
    const std::size_t after = at_;
    same_line();
    if (text_.substr(at_, 3) == "as ") {
      at_ += 3;
      same_line();
      alias = dotted();
    } else {
      at_ = after;
    }
    imports_[alias] = word == "from" ? module + "." + name : name;
    same_line();
    if (parenthesised_) blanks();
    if (at_ >= text_.size() || text_[at_] != ',') break;
    ++at_;
  }
  parenthesised_ = false;
}

void PythonCursor::blanks_or_bracket() {
  same_line();
  if (at_ < text_.size() && text_[at_] == '(') {
    parenthesised_ = true;
    ++at_;
  }
  if (parenthesised_) blanks();
}

std::string PythonCursor::full_name(const std::string& word) const {
  const std::size_t dot = word.find('.');
  const auto it = imports_.find(word.substr(0, dot));
  if (it == imports_.end()) return word;
  return it->second + (dot == std::string::npos ? "" : word.substr(dot));
}

}  // namespace gonogo
