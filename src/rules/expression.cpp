#include "rules/expression.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>

#include "rules/token.h"

namespace gonogo {

namespace {

using Type = Expression::Type;
using Ptr = Expression::Ptr;

constexpr int kMaxDepth = 100;
constexpr std::size_t kMaxTokens =
    4000;  // bounds the depth of trees that grow by chains: a + b + …, a.b.c…, a ** b **…

// Recursive descent, one function a level of Python's precedence. The first error is kept in `error_` and every
// function returns null from then on.
class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  Ptr parse() {
    Ptr result = ternary();
    if (result && peek().type != Token::Type::kEnd) {
      fail(peek().type == Token::Type::kOperator && peek().text == "=" ? "assignment is not part of the language"
                                                                       : "unexpected '" + peek().text + "'",
           peek().text == "=" ? "compare with ==" : "");
      return nullptr;
    }
    return error_ ? nullptr : std::move(result);
  }
  std::optional<ExpressionError> error_;

 private:
  const Token& peek(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }

  bool is(std::string_view text, std::size_t ahead = 0) const {
    const Token& t = peek(ahead);
    return (t.type == Token::Type::kOperator || t.type == Token::Type::kKeyword) && t.text == text;
  }
  bool take(std::string_view text) {
    if (!is(text)) return false;
    ++at_;
    return true;
  }
  bool expect(std::string_view text) {
    if (take(text)) return true;
    const std::string found = peek().type == Token::Type::kEnd ? "the end" : "'" + peek().text + "'";
    fail("expected '" + std::string(text) + "' but found " + found);
    return false;
  }
  void fail(std::string what, std::string hint = {}) { fail_at(peek().offset, std::move(what), std::move(hint)); }
  void fail_at(std::size_t offset, std::string what, std::string hint = {}) {
    if (!error_) error_ = ExpressionError{offset, std::move(what), std::move(hint)};
  }

  Ptr node(Type type, std::size_t offset, std::string text = {}) const {
    auto n = std::make_unique<Expression>();
    n->type = type;
    n->offset = offset;
    n->text = std::move(text);
    return n;
  }
  template <typename... Kids>
  Ptr with(Ptr parent, Kids... kids) {
    const std::array<Ptr*, sizeof...(kids)> all{&kids...};
    for (Ptr* kid : all) {
      if (!*kid) return nullptr;
      parent->kids.push_back(std::move(*kid));
    }
    return parent;
  }

  Ptr ternary() {
    if (++depth_ > kMaxDepth) fail("the expression is nested too deeply");
    if (error_) return nullptr;
    const std::size_t offset = peek().offset;
    Ptr value = disjunction();
    if (value && take("if")) {
      Ptr condition = disjunction();
      if (!condition || !expect("else")) return nullptr;
      value = with(node(Type::kIf, offset), std::move(value), std::move(condition), ternary());
    }
    --depth_;
    return value;
  }

  Ptr binary(std::initializer_list<std::string_view> operators, Ptr (Parser::*operand)()) {
    const std::size_t offset = peek().offset;
    Ptr left = (this->*operand)();
    while (left) {
      const auto op = std::find_if(operators.begin(), operators.end(), [this](auto o) { return is(o); });
      if (op == operators.end()) break;
      ++at_;
      left = with(node(Type::kBinary, offset, std::string(*op)), std::move(left), (this->*operand)());
    }
    return left;
  }

  Ptr disjunction() { return binary({"or"}, &Parser::conjunction); }
  Ptr conjunction() { return binary({"and"}, &Parser::negation); }

  Ptr negation() {
    const std::size_t offset = peek().offset;
    if (!is("not")) return comparison();
    if (++depth_ > kMaxDepth) fail("the expression is nested too deeply");
    if (error_) return nullptr;
    ++at_;
    Ptr result = with(node(Type::kUnary, offset, "not"), negation());
    --depth_;
    return result;
  }

  // The comparison operator here, or empty; `width` is its number of tokens.
  std::string comparison_operator(std::size_t* width) const {
    *width = 1;
    for (const char* op : {"==", "!=", "<=", ">=", "<", ">", "in"}) {
      if (is(op)) return op;
    }
    if (is("is")) {
      if (is("not", 1)) *width = 2;
      return *width == 2 ? "is not" : "is";
    }
    if (is("not") && is("in", 1)) {
      *width = 2;
      return "not in";
    }
    return {};
  }

  Ptr comparison() {
    const std::size_t offset = peek().offset;
    Ptr first = sum();
    std::size_t width = 0;
    std::string op = comparison_operator(&width);
    if (!first || op.empty()) return first;
    Ptr chain = with(node(Type::kCompare, offset), std::move(first));
    while (!op.empty()) {
      at_ += width;
      Ptr right = sum();
      if (!right) return nullptr;
      if (op.starts_with("is") && right->type != Type::kNone && right->type != Type::kTrue &&
          right->type != Type::kFalse) {
        fail_at(right->offset, "'is' compares only with None, True or False", "use == for values");
        return nullptr;
      }
      chain->words.push_back(std::move(op));
      chain->kids.push_back(std::move(right));
      op = comparison_operator(&width);
    }
    return chain;
  }

  Ptr sum() { return binary({"+", "-"}, &Parser::term); }
  Ptr term() { return binary({"*", "//", "/", "%"}, &Parser::factor); }

  Ptr factor() {
    const std::size_t offset = peek().offset;
    if (is("-") || is("+")) {
      if (++depth_ > kMaxDepth) fail("the expression is nested too deeply");
      if (error_) return nullptr;
      const std::string op = tokens_[at_++].text;
      Ptr result = with(node(Type::kUnary, offset, op), factor());
      --depth_;
      return result;
    }
    Ptr base = postfix();
    if (base && take("**")) base = with(node(Type::kBinary, offset, "**"), std::move(base), factor());
    return base;
  }

  Ptr postfix() {
    Ptr value = atom();
    while (value && !error_) {
      const std::size_t offset = value->offset;
      if (take(".")) {
        if (peek().type != Token::Type::kName && peek().type != Token::Type::kKeyword) {
          fail("expected a name after '.'");
          return nullptr;
        }
        std::string name = tokens_[at_++].text;
        if (take("(")) {
          value = with(node(Type::kMethod, offset, std::move(name)), std::move(value));
          value = arguments(std::move(value));
        } else {
          value = with(node(Type::kAttribute, offset, std::move(name)), std::move(value));
        }
      } else if (take("[")) {
        value = subscript(std::move(value));
      } else if (is("(")) {
        if (value->type != Type::kName) {
          fail("only named functions can be called");
          return nullptr;
        }
        ++at_;
        value = arguments(node(Type::kCall, offset, value->text));
      } else {
        break;
      }
    }
    return value;
  }

  Ptr subscript(Ptr value) {
    const std::size_t offset = value->offset;
    Ptr start = is(":") ? nullptr : ternary();
    if (error_) return nullptr;
    if (!take(":")) {
      if (!expect("]")) return nullptr;
      return with(node(Type::kIndex, offset), std::move(value), std::move(start));
    }
    Ptr end = is("]") ? nullptr : ternary();
    if (error_ || !expect("]")) return nullptr;
    Ptr slice = with(node(Type::kSlice, offset), std::move(value));
    slice->kids.push_back(std::move(start));
    slice->kids.push_back(std::move(end));
    return slice;
  }

  Ptr arguments(Ptr call) {
    if (!call) return nullptr;
    while (!is(")")) {
      const bool keyword = peek().type == Token::Type::kName && is("=", 1);
      if (keyword) {
        call->words.push_back(peek().text);
        at_ += 2;
      } else if (!call->words.empty()) {
        fail("a positional argument follows a keyword argument");
        return nullptr;
      }
      Ptr argument = ternary();
      if (argument && !keyword && is("for")) {
        argument = comprehension(std::move(argument));
        if (argument) argument->integer = 1;
      }
      if (!argument) return nullptr;
      call->kids.push_back(std::move(argument));
      if (!take(",")) break;
    }
    if (!expect(")")) return nullptr;
    return call;
  }

  Ptr comprehension(Ptr element) {
    const std::size_t offset = element->offset;
    ++at_;  // for
    if (peek().type != Token::Type::kName) {
      fail("a comprehension goes over one name");
      return nullptr;
    }
    Ptr result = node(Type::kComprehension, offset, tokens_[at_++].text);
    if (is(",")) fail("a comprehension goes over one name");
    if (!expect("in")) return nullptr;
    Ptr source = disjunction();
    Ptr condition;
    while (source && take("if")) {
      const std::size_t at = peek().offset;
      Ptr more = disjunction();
      if (!more) return nullptr;
      condition =
          condition ? with(node(Type::kBinary, at, "and"), std::move(condition), std::move(more)) : std::move(more);
    }
    if (is("for")) fail("a comprehension has one 'for'");
    if (!source || error_) return nullptr;
    result->kids.push_back(std::move(element));
    result->kids.push_back(std::move(source));
    result->kids.push_back(std::move(condition));
    return result;
  }

  Ptr sequence(Type type, std::size_t offset, std::string_view close) {
    Ptr list = node(type, offset);
    while (!is(close)) {
      Ptr item = ternary();
      if (item && type == Type::kList && list->kids.empty() && is("for")) {
        item = comprehension(std::move(item));
        if (!item || !expect(close)) return nullptr;
        return item;
      }
      if (!item) return nullptr;
      list->kids.push_back(std::move(item));
      if (type == Type::kDict) {
        if (!expect(":")) return nullptr;
        Ptr value = ternary();
        if (!value) return nullptr;
        list->kids.push_back(std::move(value));
      }
      if (!take(",")) break;
    }
    if (!expect(close)) return nullptr;
    return list;
  }

  Ptr parenthesis(std::size_t offset) {
    if (take(")")) return node(Type::kTuple, offset);
    Ptr first = ternary();
    if (!first) return nullptr;
    if (is("for")) {
      fail("a generator is allowed only as the sole argument of a function", "write a list: [… for …]");
      return nullptr;
    }
    if (!is(",")) {
      if (!expect(")")) return nullptr;
      return first;
    }
    Ptr tuple = with(node(Type::kTuple, offset), std::move(first));
    while (take(",") && !is(")")) {
      Ptr item = ternary();
      if (!item) return nullptr;
      tuple->kids.push_back(std::move(item));
    }
    if (!expect(")")) return nullptr;
    return tuple;
  }

  Ptr number(const Token& token) {
    if (token.type == Token::Type::kFloat) {
      Ptr n = node(Type::kFloat, token.offset, token.text);
      n->real = std::strtod(token.text.c_str(), nullptr);
      return n;
    }
    Ptr n = node(Type::kInt, token.offset, token.text);
    const auto [end, failed] = std::from_chars(token.text.data(), token.text.data() + token.text.size(), n->integer);
    if (failed != std::errc() || end != token.text.data() + token.text.size()) {
      fail_at(token.offset, "the integer " + token.text + " does not fit 64 bits");
      return nullptr;
    }
    return n;
  }

  Ptr atom() {
    const Token token = peek();
    const std::size_t offset = token.offset;
    switch (token.type) {
      case Token::Type::kInt:
      case Token::Type::kFloat:
        ++at_;
        return number(token);
      case Token::Type::kStr: {
        Ptr text = node(Type::kStr, offset);
        while (peek().type == Token::Type::kStr) text->text += tokens_[at_++].text;
        return text;
      }
      case Token::Type::kName:
        ++at_;
        return node(Type::kName, offset, token.text);
      case Token::Type::kEnd:
        fail("the expression ends too early");
        return nullptr;
      default:
        break;
    }
    ++at_;
    if (token.text == "None") return node(Type::kNone, offset);
    if (token.text == "True") return node(Type::kTrue, offset);
    if (token.text == "False") return node(Type::kFalse, offset);
    if (token.text == "(") return parenthesis(offset);
    if (token.text == "[") return sequence(Type::kList, offset, "]");
    if (token.text == "{") return sequence(Type::kDict, offset, "}");
    if (token.text == "lambda") {
      fail_at(offset, "lambda is not part of the language", "define a function in the pack");
    } else {
      fail_at(offset, "unexpected '" + token.text + "'");
    }
    return nullptr;
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::variant<Expression::Ptr, ExpressionError> parse_expression(std::string_view text) {
  auto tokens = tokenize(text);
  if (auto* error = std::get_if<ExpressionError>(&tokens)) return std::move(*error);
  auto& words = std::get<std::vector<Token>>(tokens);
  if (words.size() > kMaxTokens) {
    return ExpressionError{words[kMaxTokens].offset, "the expression is too long",
                           "name its parts with let or a function"};
  }
  Parser parser(std::move(words));
  Ptr result = parser.parse();
  if (!result) return parser.error_.value_or(ExpressionError{0, "the expression can't be read", {}});
  return result;
}

}  // namespace gonogo
