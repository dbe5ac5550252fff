#include "carriers/python_calls.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "carriers/python_cursor.h"
#include "carriers/python_scope.h"
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

class Reader : private PythonCursor {
 public:
  Reader(std::string_view text, const std::function<bool(std::string_view)>& wanted, Placeholders& marks)
      : PythonCursor(text), wanted_(wanted), marks_(marks) {}

  std::vector<PythonCall> read() {
    bool fresh = true;  // at the beginning of a statement
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n' || c == ';') {
        fresh = brackets_ == 0;
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
        if (c == '(' || c == '[' || c == '{') ++brackets_;
        if ((c == ')' || c == ']' || c == '}') && brackets_ > 0) --brackets_;
        ++at_;
      }
    }
    return std::move(out_);
  }

 private:
  void begin_statement() {
    const std::size_t line = at_ == 0 ? 0 : text_.rfind('\n', at_ - 1) + 1;
    scope_.begin_statement(at_ - line);
  }

  // `def name(a, b=1, *c):` parameters have no value that anybody knows.
  void definition() {
    scope_.enter_function();
    const std::size_t open = text_.find('(', at_);
    const std::size_t line = std::min(text_.find('\n', at_), text_.size());
    if (open == kNone || open > line) return;
    at_ = open + 1;
    bool name_next = true;
    for (int depth = 0; at_ < text_.size() && depth >= 0;) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        string_body("");
      } else if (c == '#') {
        comment();
      } else if (is_name_start(c)) {
        const std::string parameter = dotted();
        if (name_next) scope_.give_parameter(parameter, unknown_of(parameter));
        name_next = false;
      } else {
        if (c == '(' || c == '[' || c == '{') ++depth;
        if (c == ')' || c == ']' || c == '}') --depth;
        if (c == ',' && depth == 0) name_next = true;
        ++at_;
      }
    }
  }
  PythonValue unknown_of(const std::string& name) {
    PythonValue out;
    out.offset = at_;
    out.text = marks_.variable(name);
    return out;
  }

  // `name += value`, `name.append(value)`, `name.extend(value)`: the list grows; under a condition, by nobody knows
  // what.
  void grow(const std::string& word) {
    const std::size_t was = at_;
    std::string target = word;
    bool one = false;
    same_line();
    if (text_.substr(at_, 2) == "+=") {
      at_ += 2;
    } else if (const std::size_t dot = word.rfind('.');
               dot != kNone && at_ < text_.size() && text_[at_] == '(' &&
               (word.substr(dot) == ".append" || word.substr(dot) == ".extend")) {
      one = word.substr(dot) == ".append";
      target = word.substr(0, dot);
      ++at_;
      blanks();
    } else {
      at_ = was;
      return;
    }
    same_line();
    PythonValue more = expression(0);
    at_ = was;
    bool plain = false;
    PythonValue* value = scope_.latest(target, &plain);
    if (value == nullptr) return;
    using Kind = PythonValue::Kind;
    if (value->kind != Kind::kList || value->items.size() > 10'000) {
      if (plain && value->kind == Kind::kText && more.kind == Kind::kText && copied_ < kMaxCopied) {
        value->text += more.text;
        copied_ += value->text.size() / 64;
      } else {
        *value = unknown_of(target);
      }
    } else if (plain && one) {
      value->items.push_back(std::move(more));
    } else if (plain && more.kind == Kind::kList) {
      for (PythonValue& item : more.items) value->items.push_back(std::move(item));
    } else {
      PythonValue rest = unknown_of(target);
      rest.text = marks_.mark("*" + target, target);
      value->items.push_back(std::move(rest));
    }
  }

  void name(bool fresh) {
    const std::size_t start = at_;
    if (fresh) begin_statement();
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
    if (fresh && (word == "def" || word == "async")) {
      if (word == "async") {
        same_line();
        if (dotted() != "def") return;
      }
      definition();
      return;
    }
    if (fresh && word == "for") {
      const std::size_t was = at_;
      while (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != ':') {
        if (!is_name_start(text_[at_])) {
          ++at_;
          continue;
        }
        const std::string target = dotted();
        if (target == "in") break;
        scope_.give(target, unknown_of(target));
      }
      at_ = was;
      return;
    }
    if (fresh) grow(word);
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
      scope_.give(word, std::move(value));
      at_ = value_at;  // calls inside are still to be found
      return;
    }
    if (at_ < text_.size() && text_[at_] == '(' && is_wanted(word)) {
      PythonCall call;
      call.callee = full_name(word);
      call.offset = start;
      ++at_;
      ++brackets_;
      const std::size_t inside = at_;
      call.arguments = keyword_arguments(')', 0, &call.positional);
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

  bool is_wanted(const std::string& word) const {
    const std::string last = full_name(word);
    const std::string part = last.substr(last.rfind('.') + 1);
    return wanted_(part);
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
    while (plus(out, depth)) {
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

  // `+ value` behind a value: a longer list or text.
  bool plus(PythonValue& left, int depth) {
    using Kind = PythonValue::Kind;
    const std::size_t was = at_;
    same_line();
    if (at_ + 1 >= text_.size() || text_[at_] != '+' || text_[at_ + 1] == '=' || depth > kMaxDepth ||
        (left.kind != Kind::kList && left.kind != Kind::kText)) {
      at_ = was;
      return false;
    }
    ++at_;
    blanks();
    const std::size_t start = at_;
    PythonValue right = atom(depth + 1);
    if (right.kind == Kind::kUnknown && right.text.empty()) {
      at_ = start;
      skip_expression();
      right = unknown(start);
    }
    copied_ += right.weight();
    if (left.kind == Kind::kText) {
      left.text += right.text;
      return right.items.empty() && right.entries.empty();
    }
    if (right.kind == Kind::kList) {
      for (PythonValue& item : right.items) left.items.push_back(std::move(item));
    } else {
      left.items.push_back(std::move(right));
    }
    return copied_ < kMaxCopied;
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
      const PythonValue* known = scope_.find(word);
      copied_ += known == nullptr ? 0 : known->weight();
      if (known != nullptr && copied_ < kMaxCopied) return *known;
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
    if (full == "shlex.split") {  // the text, which is taken apart where it is run
      blanks();
      out = expression(depth + 1);
      return take(')') ? out : PythonValue();
    }
    if (const std::size_t dot = word.rfind(".split"); dot != kNone && dot + 6 == word.size() && take(')')) {
      if (const PythonValue* known = scope_.find(word.substr(0, dot))) return *known;
      return PythonValue();
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

  // Keyword arguments up to a bracket; positional ones go where they are asked for.
  PythonValue keyword_arguments(char end, int depth, std::vector<PythonValue>* positional = nullptr) {
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
          if (positional == nullptr || positional->size() >= 256) {
            skip_expression();
          } else {
            positional->push_back(expression(depth + 1));
          }
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
    const PythonValue* known = scope_.find(inner);
    const bool plain = !inner.empty() && std::all_of(inner.begin(), inner.end(), is_name_char);
    if (known != nullptr && known->items.empty() && known->entries.empty()) {
      out += known->text;
    } else if (plain) {
      out += marks_.variable(inner);
    } else {
      out += marks_.mark("{" + inner + "}", "{" + inner + "}");
    }
    at_ = end + 1;
  }

  const std::function<bool(std::string_view)>& wanted_;
  Placeholders& marks_;
  std::size_t copied_ = 0;
  PythonScope scope_;
  std::size_t brackets_ = 0;
  std::vector<std::pair<std::string, std::string>> env_;
  std::vector<PythonCall> out_;
};

}  // namespace

std::vector<PythonCall> python_calls(std::string_view text, const std::function<bool(std::string_view)>& wanted,
                                     Placeholders& marks) {
  return Reader(text, wanted, marks).read();
}

}  // namespace gonogo
