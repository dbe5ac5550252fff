#include "carriers/python_calls.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "carriers/variables.h"
#include "shell/word_parser.h"

namespace gonogo {

namespace {

constexpr auto kNone = std::string_view::npos;
constexpr int kMaxDepth = 40;
constexpr std::size_t kMaxCopied = 100'000;

PythonValue text_value(std::string text, std::size_t offset) {
  PythonValue out;
  out.kind = PythonValue::Kind::kText;
  out.text = std::move(text);
  out.offset = offset;
  return out;
}

class Reader {
 public:
  Reader(std::string_view text, const std::vector<std::string>& wanted, Placeholders& marks)
      : text_(text), wanted_(wanted), marks_(marks) {}

  std::vector<PythonCall> read() {
    bool fresh = true;  // at the beginning of a statement
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n' || c == ';') {
        fresh = true;
        ++at_;
      } else if (c == '#') {
        comment();
      } else if (c == '"' || c == '\'') {
        string_body("");
        fresh = false;
      } else if (is_name_start(c)) {
        const bool was_fresh = fresh;
        fresh = false;
        name(was_fresh);
      } else {
        if (c != ' ' && c != '\t' && c != '\\') fresh = false;
        ++at_;
      }
    }
    return std::move(out_);
  }

 private:
  // How many values a value holds: names that stand for lists of lists must not multiply without end.
  static std::size_t weight(const PythonValue& value) {
    std::size_t out = 1;
    for (const PythonValue& item : value.items) out += weight(item);
    for (const auto& entry : value.entries) out += weight(entry.second);
    return out;
  }

  void comment() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  // Blanks, newlines and comments inside brackets.
  void blanks() {
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
  void same_line() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(char c) {
    blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::string dotted() {
    std::string out;
    while (at_ < text_.size() && (is_name_char(text_[at_]) || (text_[at_] == '.' && !out.empty()))) out += text_[at_++];
    return out;
  }

  void name(bool fresh) {
    const std::size_t start = at_;
    const std::string word = dotted();
    if (fresh && (word == "import" || word == "from")) {
      imports(word);
      return;
    }
    // A string's prefix.
    if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'') && word.size() <= 2) {
      string_body(word);
      return;
    }
    if (fresh && word == "os.environ" && at_ < text_.size() && text_[at_] == '[') {
      environment();
      return;
    }
    const std::size_t after = at_;
    same_line();
    if (fresh && word.find('.') == std::string::npos && assigned()) {
      const std::size_t value_at = at_;
      PythonValue value = expression(0);
      // What can't be worked out is called by the name that holds it.
      if (value.kind == PythonValue::Kind::kUnknown) value.text = marks_.variable(word);
      values_[word] = std::move(value);
      at_ = value_at;  // calls inside are still to be found
      return;
    }
    if (at_ < text_.size() && text_[at_] == '(' && is_wanted(word)) {
      PythonCall call;
      call.callee = full_name(word);
      call.offset = start;
      ++at_;
      const std::size_t inside = at_;
      call.arguments = keyword_arguments(')', 0);
      call.env = env_;
      out_.push_back(std::move(call));
      at_ = inside;
      return;
    }
    at_ = after;
  }

  // Skips `=` or `: type =` behind a name at the beginning of a statement.
  bool assigned() {
    std::size_t at = at_;
    if (at < text_.size() && text_[at] == ':') {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      const std::size_t equals = text_.find('=', at);
      if (equals == kNone || equals >= end) return false;
      at = equals;
    }
    if (at >= text_.size() || text_[at] != '=' || (at + 1 < text_.size() && text_[at + 1] == '=')) return false;
    at_ = at + 1;
    same_line();
    return true;
  }

  void environment() {
    ++at_;
    const PythonValue key = expression(0);
    if (!take(']')) return;
    same_line();
    if (at_ >= text_.size() || text_[at_] != '=' || text_[at_ + 1] == '=') return;
    ++at_;
    same_line();
    const PythonValue value = expression(0);
    if (key.kind != PythonValue::Kind::kText) return;
    for (auto& [name, was] : env_) {
      if (name == key.text) {
        was = value.text;
        return;
      }
    }
    env_.emplace_back(key.text, value.text);
  }

  void imports(const std::string& word) {
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
  void blanks_or_bracket() {
    same_line();
    if (at_ < text_.size() && text_[at_] == '(') {
      parenthesised_ = true;
      ++at_;
    }
    if (parenthesised_) blanks();
  }

  std::string full_name(const std::string& word) const {
    const std::size_t dot = word.find('.');
    const auto it = imports_.find(word.substr(0, dot));
    if (it == imports_.end()) return word;
    return it->second + (dot == std::string::npos ? "" : word.substr(dot));
  }

  bool is_wanted(const std::string& word) const {
    const std::string last = full_name(word);
    const std::string part = last.substr(last.rfind('.') + 1);
    return std::find(wanted_.begin(), wanted_.end(), part) != wanted_.end();
  }

  PythonValue unknown(std::size_t start) {
    PythonValue out;
    out.offset = start;
    std::string shown(text_.substr(start, at_ - start));
    while (!shown.empty() && std::isspace(static_cast<unsigned char>(shown.back())) != 0) shown.pop_back();
    const bool plain =
        !shown.empty() && is_name_start(shown[0]) && std::all_of(shown.begin(), shown.end(), is_name_char);
    out.text = plain ? marks_.variable(shown) : marks_.mark(shown, shown);
    return out;
  }

  // Goes on to the end of an expression that can't be read.
  void skip_expression() {
    int depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        string_body("");
        continue;
      }
      if (c == '#') {
        comment();
        continue;
      }
      if (c == '(' || c == '[' || c == '{') ++depth;
      if (c == ')' || c == ']' || c == '}') {
        if (depth == 0) return;
        --depth;
      }
      if (depth == 0 && (c == ',' || c == '\n' || c == ';' || c == ':')) return;
      ++at_;
    }
  }

  // Whether an expression ends here.
  bool ended() {
    const std::size_t was = at_;
    same_line();
    bool end = at_ >= text_.size() || std::string_view(",)]}\n;:#").find(text_[at_]) != kNone;
    if (!end && text_[at_] == '\n') end = true;
    at_ = was;
    return end;
  }

  PythonValue expression(int depth) {
    const std::size_t start = at_;
    PythonValue out = depth > kMaxDepth ? PythonValue() : atom(depth);
    if (out.kind == PythonValue::Kind::kUnknown && out.text.empty()) {
      at_ = start;
      skip_expression();
      return unknown(start);
    }
    if (!ended()) {
      const std::size_t was = at_;
      blanks();
      if (at_ < text_.size() && std::string_view(",)]}").find(text_[at_]) != kNone) {
        at_ = was;
        return out;
      }
      at_ = start;
      skip_expression();
      return unknown(start);
    }
    return out;
  }

  PythonValue atom(int depth) {
    PythonValue out;
    out.offset = at_;
    if (at_ >= text_.size()) return out;
    const char c = text_[at_];
    if (c == '"' || c == '\'') return strings(depth);
    if (c == '{') {
      ++at_;
      return dictionary(depth + 1, out.offset);
    }
    if (c == '[' || c == '(') {
      ++at_;
      return list(c == '[' ? ']' : ')', depth + 1, out.offset);
    }
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.') {
      const std::size_t start = at_++;
      while (at_ < text_.size() && (is_name_char(text_[at_]) || text_[at_] == '.' ||
                                    ((text_[at_] == '-' || text_[at_] == '+') && (text_[at_ - 1] == 'e')))) {
        ++at_;
      }
      out.kind = PythonValue::Kind::kNumber;
      for (const char d : text_.substr(start, at_ - start)) {
        if (d != '_') out.text += d;
      }
      return out;
    }
    if (!is_name_start(c)) return out;
    const std::string word = dotted();
    if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'') && word.size() <= 2) {
      at_ -= word.size();
      return strings(depth);
    }
    return named(word, out.offset, depth);
  }

  PythonValue named(const std::string& word, std::size_t start, int depth) {
    PythonValue out;
    out.offset = start;
    using Kind = PythonValue::Kind;
    const bool call = at_ < text_.size() && text_[at_] == '(';
    const bool index = at_ < text_.size() && text_[at_] == '[';
    if (!call && !index) {
      if (word == "True" || word == "False" || word == "None") {
        out.kind = word == "True" ? Kind::kTrue : word == "False" ? Kind::kFalse : Kind::kNone;
        out.text = word;
        return out;
      }
      const auto it = values_.find(word);
      copied_ += it == values_.end() ? 0 : weight(it->second);
      if (it != values_.end() && copied_ < kMaxCopied) return it->second;
      out.text = word.find('.') == std::string::npos ? marks_.variable(word) : marks_.mark(word, word);
      return out;
    }
    const std::string full = full_name(word);
    ++at_;
    if (index) {
      if (full != "os.environ") return out;
      const PythonValue key = expression(depth + 1);
      if (!take(']')) return PythonValue();
      out.text = marks_.variable(key.text);
      return out;
    }
    if (word == "dict") {
      out = keyword_arguments(')', depth + 1);
      out.offset = start;
      return out;
    }
    if (full == "os.getenv" || full == "os.environ.get") {
      blanks();
      const PythonValue key = expression(depth + 1);
      if (take(',')) {
        blanks();
        if (at_ < text_.size() && text_[at_] != ')') out = expression(depth + 1);
        take(',');
      } else {
        out.text = marks_.variable(key.text);
      }
      return take(')') ? out : PythonValue();
    }
    if (word == "str" || word == "int" || word == "float" || word == "bool") {
      blanks();
      out = expression(depth + 1);
      if (word == "str" && out.kind == Kind::kNumber) out.kind = Kind::kText;
      return take(')') ? out : PythonValue();
    }
    return out;  // another function
  }

  PythonValue list(char end, int depth, std::size_t start) {
    PythonValue out;
    out.kind = PythonValue::Kind::kList;
    out.offset = start;
    bool comma = false;
    while (!take(end)) {
      if (at_ >= text_.size()) return PythonValue();
      const std::size_t was = at_;
      out.items.push_back(expression(depth));
      if (take(',')) {
        comma = true;
      } else if (!take(end)) {
        return PythonValue();
      } else {
        break;
      }
      if (at_ <= was) return PythonValue();
    }
    if (end == ')' && !comma && out.items.size() == 1) return std::move(out.items[0]);
    return out;
  }

  PythonValue dictionary(int depth, std::size_t start) {
    PythonValue out;
    out.kind = PythonValue::Kind::kDict;
    out.offset = start;
    while (!take('}')) {
      if (at_ >= text_.size()) return PythonValue();
      if (text_.substr(at_, 2) == "**") {
        at_ += 2;
        unpack(out, depth);
      } else {
        PythonValue key = expression(depth);
        if (!take(':')) return PythonValue();
        blanks();
        PythonValue value = expression(depth);
        value.offset = key.offset;
        put(out, key.text, std::move(value));
      }
      if (!take(',')) return take('}') ? std::move(out) : PythonValue();
    }
    return out;
  }

  // Keyword arguments up to a bracket; positional ones are passed over.
  PythonValue keyword_arguments(char end, int depth) {
    PythonValue out;
    out.kind = PythonValue::Kind::kDict;
    out.offset = at_;
    while (!take(end)) {
      if (at_ >= text_.size()) break;
      if (text_.substr(at_, 2) == "**") {
        at_ += 2;
        unpack(out, depth);
      } else {
        const std::size_t start = at_;
        const std::string word = dotted();
        blanks();
        if (!word.empty() && at_ + 1 < text_.size() && text_[at_] == '=' && text_[at_ + 1] != '=') {
          ++at_;
          blanks();
          PythonValue value = expression(depth + 1);
          value.offset = start;
          put(out, word, std::move(value));
        } else {
          at_ = start;
          skip_expression();
        }
      }
      if (!take(',')) {
        take(end);
        break;
      }
    }
    return out;
  }

  void unpack(PythonValue& out, int depth) {
    PythonValue other = expression(depth);
    for (auto& [key, value] : other.entries) put(out, key, std::move(value));
  }

  static void put(PythonValue& dict, const std::string& key, PythonValue value) {
    for (auto& [have, was] : dict.entries) {
      if (have == key) {
        was = std::move(value);
        return;
      }
    }
    dict.entries.emplace_back(key, std::move(value));
  }

  // Adjacent strings are one.
  PythonValue strings(int) {
    const std::size_t start = at_;
    std::string out;
    for (;;) {
      std::string prefix;
      while (at_ < text_.size() && is_name_char(text_[at_])) prefix += text_[at_++];
      out += string_body(prefix);
      const std::size_t was = at_;
      blanks();
      std::size_t quote = at_;
      while (quote < text_.size() && quote - at_ < 3 && is_name_char(text_[quote])) ++quote;
      if (quote >= text_.size() || (text_[quote] != '"' && text_[quote] != '\'')) {
        at_ = was;
        break;
      }
    }
    return text_value(std::move(out), start);
  }

  // The string at `at_`, behind its prefix; with an f, braces are filled in.
  std::string string_body(std::string_view prefix) {
    const bool raw = prefix.find_first_of("rR") != kNone;
    const bool formatted = prefix.find_first_of("fF") != kNone;
    const bool triple = text_.substr(at_, 3) == std::string(3, text_[at_]);
    const std::string quote(triple ? 3 : 1, text_[at_]);
    at_ += quote.size();
    std::string out;
    while (at_ < text_.size() && text_.substr(at_, quote.size()) != quote) {
      const char c = text_[at_];
      if (c == '\n' && !triple) break;
      if (c == '\\' && at_ + 1 < text_.size()) {
        const char next = text_[at_ + 1];
        const std::size_t known = std::string_view("nrt\\'\"").find(next);
        if (raw) {
          out += text_.substr(at_, 2);
        } else if (known != kNone) {
          out += "\n\r\t\\'\""[known];
        } else if (next != '\n') {
          out += text_.substr(at_, 2);
        }
        at_ += 2;
      } else if (formatted && (c == '{' || c == '}')) {
        field(out);
      } else {
        out += c;
        ++at_;
      }
    }
    at_ = std::min(at_ + quote.size(), text_.size());
    return out;
  }

  void field(std::string& out) {
    const char c = text_[at_];
    if (text_.substr(at_, 2) == std::string(2, c) || c == '}') {
      out += c;
      at_ += text_.substr(at_, 2) == std::string(2, c) ? 2 : 1;
      return;
    }
    const std::size_t end = text_.find('}', at_);
    if (end == kNone) {
      ++at_;
      return;
    }
    const std::string inner(text_.substr(at_ + 1, end - at_ - 1));
    const auto it = values_.find(inner);
    const bool plain = !inner.empty() && std::all_of(inner.begin(), inner.end(), is_name_char);
    if (it != values_.end() && it->second.items.empty() && it->second.entries.empty()) {
      out += it->second.text;
    } else if (plain) {
      out += marks_.variable(inner);
    } else {
      out += marks_.mark("{" + inner + "}", "{" + inner + "}");
    }
    at_ = end + 1;
  }

  std::string_view text_;
  const std::vector<std::string>& wanted_;
  Placeholders& marks_;
  std::size_t at_ = 0;
  bool parenthesised_ = false;
  std::size_t copied_ = 0;
  std::map<std::string, PythonValue, std::less<>> values_;
  std::map<std::string, std::string, std::less<>> imports_;
  std::vector<std::pair<std::string, std::string>> env_;
  std::vector<PythonCall> out_;
};

}  // namespace

const PythonValue* PythonValue::find(std::string_view key) const {
  for (const auto& [name, value] : entries) {
    if (name == key) return &value;
  }
  return nullptr;
}

std::vector<PythonCall> python_calls(std::string_view text, const std::vector<std::string>& wanted,
                                     Placeholders& marks) {
  return Reader(text, wanted, marks).read();
}

}  // namespace gonogo
