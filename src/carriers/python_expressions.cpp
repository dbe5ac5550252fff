#include "carriers/python_expressions.h"

#include <algorithm>
#include <cctype>

#include "shell/word_parser.h"

namespace gonogo {

namespace {

constexpr auto kNone = std::string_view::npos;
constexpr int kMaxDepth = 40;
constexpr std::size_t kMaxShown = 1'000;  // bytes of what is not known

PythonValue text_value(std::string text, std::size_t offset) {
  PythonValue out;
  out.kind = PythonValue::Kind::kText;
  out.text = std::move(text);
  out.offset = offset;
  return out;
}

}  // namespace

bool PythonExpressions::may_copy(const PythonValue& value) {
  if (copied_ < kMaxCopied) copied_ += value.weight();
  return copied_ < kMaxCopied;
}

PythonValue PythonExpressions::unknown_of(const std::string& name) {
  PythonValue out;
  out.offset = at_;
  out.text = marks_.variable(name);
  return out;
}

PythonValue PythonExpressions::unknown(std::size_t start) {
  PythonValue out;
  out.offset = start;
  std::string shown(text_.substr(start, at_ - start));
  while (!shown.empty() && std::isspace(static_cast<unsigned char>(shown.back())) != 0) shown.pop_back();
  if (shown.size() > kMaxShown) shown = shown.substr(0, kMaxShown) + "… (byte " + std::to_string(start) + ")";
  const bool plain = !shown.empty() && is_name_start(shown[0]) && std::all_of(shown.begin(), shown.end(), is_name_char);
  out.text = plain ? marks_.variable(shown) : marks_.mark(shown, shown);
  return out;
}

// Goes on to the end of an expression that can't be read.
void PythonExpressions::skip_expression() {
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
bool PythonExpressions::ended() {
  const std::size_t was = at_;
  same_line();
  bool end = at_ >= text_.size() || std::string_view(",)]}\n;:#").find(text_[at_]) != kNone;
  if (!end && text_[at_] == '\n') end = true;
  at_ = was;
  return end;
}

PythonValue PythonExpressions::expression(int depth) {
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
bool PythonExpressions::plus(PythonValue& left, int depth) {
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
  if (!may_copy(right)) {
    left = unknown(start);
    return false;
  }
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

PythonValue PythonExpressions::atom(int depth) {
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

PythonValue PythonExpressions::named(const std::string& word, std::size_t start, int depth) {
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
    if (known != nullptr && may_copy(*known)) return *known;
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
    const PythonValue* known = scope_.find(word.substr(0, dot));
    return known != nullptr && may_copy(*known) ? *known : PythonValue();
  }
  if (word == "str" || word == "int" || word == "float" || word == "bool") {
    blanks();
    out = expression(depth + 1);
    if (word == "str" && out.kind == Kind::kNumber) out.kind = Kind::kText;
    return take(')') ? out : PythonValue();
  }
  return out;  // another function
}

PythonValue PythonExpressions::list(char end, int depth, std::size_t start) {
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

PythonValue PythonExpressions::dictionary(int depth, std::size_t start) {
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
PythonValue PythonExpressions::keyword_arguments(char end, int depth, std::vector<PythonValue>* positional) {
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

void PythonExpressions::unpack(PythonValue& out, int depth) {
  PythonValue other = expression(depth);
  for (auto& [key, value] : other.entries) put(out, key, std::move(value));
  if (other.kind == PythonValue::Kind::kUnknown) put(out, "**" + other.text, std::move(other));
}

void PythonExpressions::put(PythonValue& dict, const std::string& key, PythonValue value) {
  for (auto& [have, was] : dict.entries) {
    if (have == key) {
      was = std::move(value);
      return;
    }
  }
  if (dict.entries.size() < kMaxNames) dict.entries.emplace_back(key, std::move(value));
}

// Adjacent strings are one.
PythonValue PythonExpressions::strings(int) {
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
std::string PythonExpressions::string_body(std::string_view prefix) {
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

void PythonExpressions::field(std::string& out) {
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
  if (known != nullptr && known->items.empty() && known->entries.empty() && may_copy(*known)) {
    out += known->text;
  } else if (plain) {
    out += marks_.variable(inner);
  } else {
    out += marks_.mark("{" + inner + "}", "{" + inner + "}");
  }
  at_ = end + 1;
}

}  // namespace gonogo
