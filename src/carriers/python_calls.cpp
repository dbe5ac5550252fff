#include "carriers/python_calls.h"

#include <algorithm>

#include "carriers/python_expressions.h"
#include "shell/word_parser.h"

namespace gonogo {

namespace {

constexpr auto kNone = std::string_view::npos;
constexpr std::size_t kMaxCalls = 10'000;        // of one file
constexpr std::size_t kMaxBrackets = 40;         // around a call
constexpr std::size_t kMaxEnvCopied = 1u << 20;  // by weight, over all calls

// Whether a statement has a block of its own, which may stand on the same line.
bool begins_block(std::string_view word) {
  for (const std::string_view known : {"if", "elif", "else", "for", "while", "with", "try", "except", "finally"}) {
    if (word == known) return true;
  }
  return false;
}

class Reader : private PythonExpressions {
 public:
  Reader(std::string_view text, const std::function<bool(std::string_view)>& wanted, Placeholders& marks)
      : PythonExpressions(text, marks), wanted_(wanted) {}

  std::vector<PythonCall> read() {
    bool fresh = true;  // at the beginning of a statement
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n' || c == ';') {
        fresh = brackets_ == 0;
        block_ = block_ && !fresh;
        ++at_;
      } else if (c == ':' && block_ && brackets_ == 0) {
        fresh = true;  // `if x: y = 1`: a statement further right than its line
        block_ = false;
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
  // `name += value`, `name.append(value)`, `name.extend(value)`: the list grows; under a condition, by nobody knows
  // what.
  // Where the name of a list or dictionary ends in `name.update(…)` and its like.
  std::size_t changed_part(const std::string& word) const {
    const std::size_t dot = word.rfind('.');
    if (dot == kNone || at_ >= text_.size() || text_[at_] != '(') return kNone;
    for (const std::string_view method :
         {".update", ".setdefault", ".pop", ".insert", ".remove", ".clear", ".popitem"}) {
      if (word.compare(dot, std::string::npos, method) == 0) return dot;
    }
    return kNone;
  }

  void grow(const std::string& word) {
    const std::size_t was = at_;
    std::string target = word;
    bool one = false;
    bool adds = true;
    same_line();
    if (text_.substr(at_, 2) == "+=" || text_.substr(at_, 2) == "|=") {
      at_ += 2;
    } else if (at_ < text_.size() && text_[at_] == '[' && word.find('.') == std::string::npos) {
      adds = false;
    } else if (const std::size_t end = changed_part(word); end != kNone) {
      adds = false;
      target = word.substr(0, end);
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
    PythonValue more;
    if (adds) more = expression(0);
    at_ = was;
    bool plain = false;
    PythonValue* value = scope_.latest(target, &plain);
    if (value == nullptr) return;
    using Kind = PythonValue::Kind;
    if (value->kind == Kind::kDict) {  // more entries, or others
      PythonValue rest = unknown_of(target);
      put(*value, "**" + rest.text, std::move(rest));
    } else if (value->kind != Kind::kList || value->items.size() > 10'000 || !adds) {
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
    if (fresh) block_ = begins_block(word);
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
    if (fresh && !block_ && word.find('.') == std::string::npos && assigned()) {
      const std::size_t value_at = at_;
      PythonValue value = expression(0);
      // What can't be worked out is called by the name that holds it.
      if (value.kind == PythonValue::Kind::kUnknown) value.text = marks_.variable(word);
      scope_.give(word, std::move(value));
      at_ = value_at;  // calls inside are still to be found
      return;
    }
    if (at_ < text_.size() && text_[at_] == '(' && brackets_ < kMaxBrackets && may_call() && is_wanted(word)) {
      PythonCall call;
      call.callee = full_name(word);
      call.offset = start;
      ++at_;
      ++brackets_;
      const std::size_t inside = at_;
      call.arguments = keyword_arguments(')', 0, &call.positional);
      call.env = env_;
      env_copied_ += env_weight_;
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
    if (at_ >= text_.size() || text_[at_] != '=' || text_.substr(at_ + 1, 1) == "=") return;
    ++at_;
    same_line();
    const PythonValue value = expression(0);
    if (key.kind != PythonValue::Kind::kText) return;
    if (!may_copy(value)) return;
    env_weight_ += value.weight();
    for (auto& [name, was] : env_) {
      if (name == key.text) {
        was = value.text;
        return;
      }
    }
    if (env_.size() < kMaxNames) env_.emplace_back(key.text, value.text);
  }

  // What one call costs more than its own text is a copy of the environment.
  bool may_call() const { return out_.size() < kMaxCalls && env_copied_ < kMaxEnvCopied; }

  bool is_wanted(const std::string& word) const {
    const std::string last = full_name(word);
    const std::string part = last.substr(last.rfind('.') + 1);
    return wanted_(part);
  }

  const std::function<bool(std::string_view)>& wanted_;
  std::size_t brackets_ = 0;
  bool block_ = false;  // the statement's block begins at the next colon
  std::vector<std::pair<std::string, std::string>> env_;
  std::size_t env_weight_ = 0;
  std::size_t env_copied_ = 0;
  std::vector<PythonCall> out_;
};

}  // namespace

std::vector<PythonCall> python_calls(std::string_view text, const std::function<bool(std::string_view)>& wanted,
                                     Placeholders& marks) {
  return Reader(text, wanted, marks).read();
}

}  // namespace gonogo
