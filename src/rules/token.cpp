#include "rules/token.h"

#include <algorithm>
#include <array>

namespace gonogo {

namespace {

constexpr std::array<std::string_view, 12> kKeywords = {"and", "or", "not",  "if",   "else",  "for",
                                                        "in",  "is", "None", "True", "False", "lambda"};
// Longest first.
constexpr std::array<std::string_view, 25> kOperators = {"**", "//", "==", "!=", "<=", ">=", "+", "-", "*",
                                                         "/",  "%",  "<",  ">",  "(",  ")",  "[", "]", "{",
                                                         "}",  ",",  ":",  ".",  "=",  "&",  "|"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::variant<std::vector<Token>, ExpressionError> run() {
    for (skip_space(); at_ < text_.size() && !failed_; skip_space()) next();
    if (failed_) return error_;
    tokens_.push_back({Token::Type::kEnd, text_.size(), {}});
    return std::move(tokens_);
  }

 private:
  char at(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }

  void fail(std::size_t offset, std::string what, std::string hint = {}) {
    failed_ = true;
    error_ = {offset, std::move(what), std::move(hint)};
  }

  void next() {
    const char c = at();
    if (is_digit(c) || (c == '.' && is_digit(at(1)))) return number();
    if (c == '"' || c == '\'') return string(c);
    if (is_name_start(c)) return name();
    for (const std::string_view op : kOperators) {
      if (text_.substr(at_).starts_with(op)) {
        if (op == "&" || op == "|")
          return fail(at_, "'" + std::string(op) + "' is not part of the language",
                      op == "&" ? "write 'and'" : "write 'or'");
        tokens_.push_back({Token::Type::kOperator, at_, std::string(op)});
        at_ += op.size();
        return;
      }
    }
    fail(at_, "unexpected character '" + std::string(1, c) + "'", c == '!' ? "write 'not'" : "");
  }

  void number() {
    const std::size_t start = at_;
    bool real = false;
    while (is_digit(at()) || (at() == '_' && is_digit(at(1)))) ++at_;
    if (at() == '.') {
      real = true;
      ++at_;
      while (is_digit(at())) ++at_;
    }
    if ((at() == 'e' || at() == 'E') && (is_digit(at(1)) || ((at(1) == '-' || at(1) == '+') && is_digit(at(2))))) {
      real = true;
      at_ += 2;
      while (is_digit(at())) ++at_;
    }
    if (is_name_start(at())) return fail(start, "a number runs into a name");
    std::string digits(text_.substr(start, at_ - start));
    std::erase(digits, '_');
    if (!real && digits.size() > 1 && digits[0] == '0') return fail(start, "a number has a leading zero");
    tokens_.push_back({real ? Token::Type::kFloat : Token::Type::kInt, start, std::move(digits)});
  }

  void string(char quote) {
    const std::size_t start = at_++;
    std::string out;
    while (at_ < text_.size() && at() != quote) {
      char c = text_[at_++];
      if (c == '\n') return fail(start, "a string runs over the end of its line");
      if (c == '\\') {
        const char e = at();
        ++at_;
        switch (e) {
          case 'n':
            c = '\n';
            break;
          case 't':
            c = '\t';
            break;
          case '0':  // Python reads further digits as octal
            if (is_digit(at())) return fail(at_ - 2, "an octal escape in a string", "\\0 is known, without more digits");
            c = '\0';
            break;
          case '\\':
          case '\'':
          case '"':
            c = e;
            break;
          default:
            return fail(at_ - 2, "unknown escape in a string", "the language knows \\n \\t \\0 \\\\ \\' and \\\"");
        }
      }
      out += c;
    }
    if (at() != quote) return fail(start, "a string is not closed");
    ++at_;
    tokens_.push_back({Token::Type::kStr, start, std::move(out)});
  }

  void name() {
    const std::size_t start = at_;
    while (is_name_start(at()) || is_digit(at())) ++at_;
    const std::string_view word = text_.substr(start, at_ - start);
    const bool keyword = std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end();
    tokens_.push_back({keyword ? Token::Type::kKeyword : Token::Type::kName, start, std::string(word)});
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
  bool failed_ = false;
  ExpressionError error_;
};

}  // namespace

std::variant<std::vector<Token>, ExpressionError> tokenize(std::string_view text) { return Lexer(text).run(); }

}  // namespace gonogo
