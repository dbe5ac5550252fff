#include "shell/arithmetic.h"

#include <algorithm>
#include <array>

namespace gonogo {

namespace {

using Number = std::optional<std::int64_t>;

constexpr int kMaxDepth = 64;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_start(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }

// Two's complement, as bash computes.
std::int64_t wrap(std::uint64_t value) { return static_cast<std::int64_t>(value); }

class Evaluator {
 public:
  Evaluator(std::string_view text, const ArithmeticNames& names, int depth)
      : text_(text), names_(names), depth_(depth) {}

  ArithmeticResult run() {
    skip();
    if (at_ == text_.size()) return {0, false};
    Number value = comma();
    skip();
    if (at_ < text_.size()) failed_ = true;
    if (failed_) value.reset();
    return {value, failed_};
  }

 private:
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
  }

  bool take(std::string_view op) {
    skip();
    if (text_.substr(at_, op.size()) != op) return false;
    at_ += op.size();
    return true;
  }

  Number comma() {
    Number value = assignment();
    while (!failed_ && take(",")) value = assignment();
    return value;
  }

  std::string name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_start(text_[at_]) || is_digit(text_[at_]))) ++at_;
    std::string out(text_.substr(begin, at_ - begin));
    if (at_ < text_.size() && text_[at_] == '[') {
      const std::size_t close = text_.find(']', at_);
      if (close == std::string_view::npos) {
        failed_ = true;
        return out;
      }
      out += text_.substr(at_, close + 1 - at_);
      at_ = close + 1;
    }
    return out;
  }

  Number value_of(const std::string& called) {
    if (!live_) return 0;
    const std::optional<std::string> text = names_.get(called);
    if (!text.has_value()) return std::nullopt;
    if (depth_ >= kMaxDepth) {
      failed_ = true;
      return std::nullopt;
    }
    const ArithmeticResult inner = Evaluator(*text, names_, depth_ + 1).run();
    failed_ = failed_ || inner.failed;
    return inner.value;
  }

  void store(const std::string& called, Number value) {
    if (live_ && names_.set) names_.set(called, value);
  }

  Number assignment() {
    skip();
    const std::size_t begin = at_;
    if (at_ < text_.size() && is_start(text_[at_])) {
      const std::string called = name();
      skip();
      for (const std::string_view op : {"<<=", ">>=", "*=", "/=", "%=", "+=", "-=", "&=", "^=", "|=", "="}) {
        if (text_.substr(at_, op.size()) != op || (op == "=" && text_.substr(at_, 2) == "==")) continue;
        at_ += op.size();
        const Number right = assignment();
        const Number value = op == "=" ? right : apply(op.substr(0, op.size() - 1), value_of(called), right);
        store(called, value);
        return value;
      }
    }
    at_ = begin;
    return ternary();
  }

  Number ternary() {
    const Number condition = binary(0);
    if (failed_ || !take("?")) return condition;
    if (++nested_ > kMaxDepth) failed_ = true;
    const bool outer = live_;
    live_ = outer && (!condition.has_value() || *condition != 0);
    const Number yes = comma();
    if (!take(":")) failed_ = true;
    live_ = outer && (!condition.has_value() || *condition == 0);
    const Number no = failed_ ? Number() : assignment();
    live_ = outer;
    --nested_;
    if (!condition.has_value()) return yes == no ? yes : Number();
    return *condition != 0 ? yes : no;
  }

  static constexpr std::array<std::array<std::string_view, 4>, 10> kLevels = {{{"||"},
                                                                               {"&&"},
                                                                               {"|"},
                                                                               {"^"},
                                                                               {"&"},
                                                                               {"==", "!="},
                                                                               {"<=", ">=", "<", ">"},
                                                                               {"<<", ">>"},
                                                                               {"+", "-"},
                                                                               {"*", "/", "%"}}};

  // The operator of this level that stands here, and is no longer one.
  std::string_view operator_at(std::size_t level) {
    skip();
    for (const std::string_view op : kLevels[level]) {
      if (op.empty() || text_.substr(at_, op.size()) != op) continue;
      const char next = at_ + op.size() < text_.size() ? text_[at_ + op.size()] : ' ';
      if (op.size() == 1 &&
          (next == '=' || ((op == "|" || op == "&" || op == "<" || op == ">" || op == "*") && next == op[0])))
        continue;
      if ((op == "<<" || op == ">>") && next == '=') continue;
      return op;
    }
    return {};
  }

  Number binary(std::size_t level) {
    if (level == kLevels.size()) return power();
    Number left = binary(level + 1);
    while (!failed_) {
      const std::string_view op = operator_at(level);
      if (op.empty()) break;
      at_ += op.size();
      const bool outer = live_;
      if (op == "||") live_ = outer && !(left.has_value() && *left != 0);
      if (op == "&&") live_ = outer && !(left.has_value() && *left == 0);
      const Number right = binary(level + 1);
      const bool skipped = outer && !live_;
      live_ = outer;
      left = skipped ? Number(op == "||" ? 1 : 0) : apply(op, left, right);
    }
    return left;
  }

  Number power() {
    const Number base = unary();
    if (failed_ || !take("**")) return base;
    if (++nested_ > kMaxDepth) failed_ = true;
    const Number exponent = power();
    --nested_;
    return apply("**", base, exponent);
  }

  Number unary() {
    skip();
    if (++nested_ > kMaxDepth || at_ >= text_.size()) {
      failed_ = true;
      return std::nullopt;
    }
    Number out;
    if (take("++") || take("--")) {
      const int step = text_[at_ - 1] == '+' ? 1 : -1;
      skip();
      if (at_ < text_.size() && is_start(text_[at_])) {
        const std::string called = name();
        out = apply("+", value_of(called), step);
        store(called, out);
      } else {
        out = unary();
      }
    } else if (take("!")) {
      const Number inner = unary();
      if (inner.has_value()) out = *inner == 0 ? 1 : 0;
    } else if (take("~")) {
      const Number inner = unary();
      if (inner.has_value()) out = ~*inner;
    } else if (take("-")) {
      out = apply("-", 0, unary());
    } else if (take("+")) {
      out = unary();
    } else {
      out = primary();
    }
    --nested_;
    return out;
  }

  Number primary() {
    if (take("(")) {
      const Number inner = comma();
      if (!take(")")) failed_ = true;
      return inner;
    }
    const char c = text_[at_];
    if (is_digit(c)) return number();
    if (c == '\0') {  // something that isn't known
      ++at_;
      while (at_ < text_.size() && (is_start(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '\0')) ++at_;
      return std::nullopt;
    }
    if (!is_start(c)) {
      failed_ = true;
      return std::nullopt;
    }
    const std::string called = name();
    const Number value = value_of(called);
    if (text_.substr(at_, 2) == "++" || text_.substr(at_, 2) == "--") {
      store(called, apply("+", value, text_[at_] == '+' ? 1 : -1));
      at_ += 2;
    }
    return value;
  }

  Number number() {
    const std::size_t begin = at_;
    bool unknown = false;
    while (at_ < text_.size() && (is_start(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '#' ||
                                  text_[at_] == '@' || text_[at_] == '\0')) {
      unknown = unknown || text_[at_] == '\0';
      ++at_;
    }
    if (unknown) return std::nullopt;
    std::string_view digits = text_.substr(begin, at_ - begin);
    std::uint64_t base = 10;
    if (const std::size_t hash = digits.find('#'); hash != std::string_view::npos) {
      base = 0;
      for (const char d : digits.substr(0, hash))
        base = is_digit(d) && base < 100 ? base * 10 + static_cast<unsigned>(d - '0') : 1000;
      digits.remove_prefix(hash + 1);
    } else if (digits.size() > 1 && digits[0] == '0') {
      base = digits[1] == 'x' || digits[1] == 'X' ? 16 : 8;
      digits.remove_prefix(base == 16 ? 2 : 1);
    }
    std::uint64_t value = 0;
    if (base < 2 || base > 64 || digits.empty()) failed_ = true;
    for (const char d : digits) {
      std::uint64_t digit = 64;
      if (is_digit(d))
        digit = static_cast<std::uint64_t>(d - '0');
      else if (d >= 'a' && d <= 'z')
        digit = static_cast<std::uint64_t>(d - 'a' + 10);
      else if (d >= 'A' && d <= 'Z')
        digit = static_cast<std::uint64_t>(d - 'A' + (base <= 36 ? 10 : 36));
      else if (d == '@')
        digit = 62;
      else if (d == '_')
        digit = 63;
      if (digit >= base) {
        failed_ = true;
        return std::nullopt;
      }
      value = value * base + digit;
    }
    return wrap(value);
  }

  Number apply(std::string_view op, Number left, Number right) {
    if (!left.has_value() || !right.has_value()) return std::nullopt;
    const std::int64_t a = *left;
    const std::int64_t b = *right;
    const auto ua = static_cast<std::uint64_t>(a);
    const auto ub = static_cast<std::uint64_t>(b);
    if (op == "+") return wrap(ua + ub);
    if (op == "-") return wrap(ua - ub);
    if (op == "*") return wrap(ua * ub);
    if (op == "/" || op == "%") {
      if (b == 0) {
        failed_ = failed_ || live_;
        return std::nullopt;
      }
      if (b == -1) return op == "/" ? wrap(0 - ua) : 0;
      return op == "/" ? a / b : a % b;
    }
    if (op == "**") {
      if (b < 0) {
        failed_ = failed_ || live_;
        return std::nullopt;
      }
      std::uint64_t out = 1;
      std::uint64_t square = ua;
      for (std::uint64_t rest = ub; rest != 0; rest >>= 1, square *= square) {
        if ((rest & 1) != 0) out *= square;
      }
      return wrap(out);
    }
    if (op == "<<") return wrap(ua << (ub & 63));
    if (op == ">>") return a >> (b & 63);
    if (op == "&") return a & b;
    if (op == "|") return a | b;
    if (op == "^") return a ^ b;
    if (op == "&&") return a != 0 && b != 0;
    if (op == "||") return a != 0 || b != 0;
    if (op == "==") return a == b;
    if (op == "!=") return a != b;
    if (op == "<=") return a <= b;
    if (op == ">=") return a >= b;
    if (op == "<") return a < b;
    return a > b;
  }

  std::string_view text_;
  const ArithmeticNames& names_;
  int depth_;
  std::size_t at_ = 0;
  int nested_ = 0;
  bool live_ = true;  // false in what a condition leaves out
  bool failed_ = false;
};

}  // namespace

ArithmeticResult evaluate_arithmetic(std::string_view text, const ArithmeticNames& names) {
  return Evaluator(text, names, 0).run();
}

std::vector<std::string> names_in_arithmetic(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    if (is_digit(text[at])) {
      while (at < text.size() && (is_start(text[at]) || is_digit(text[at]) || text[at] == '#')) ++at;
    } else if (is_start(text[at])) {
      const std::size_t begin = at;
      while (at < text.size() && (is_start(text[at]) || is_digit(text[at]))) ++at;
      std::string name(text.substr(begin, at - begin));
      if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(std::move(name));
    } else {
      ++at;
    }
  }
  return out;
}

}  // namespace gonogo
