#include "shell/word_parser.h"

#include <utility>

namespace gonogo {

namespace {

constexpr std::size_t kMaxDepth = 200;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

void append_utf8(unsigned long code, std::string* out) {
  if (code < 0x80) {
    *out += static_cast<char>(code);
  } else if (code < 0x800) {
    *out += static_cast<char>(0xc0 | code >> 6);
    *out += static_cast<char>(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    *out += static_cast<char>(0xe0 | code >> 12);
    *out += static_cast<char>(0x80 | (code >> 6 & 0x3f));
    *out += static_cast<char>(0x80 | (code & 0x3f));
  } else if (code < 0x110000) {
    *out += static_cast<char>(0xf0 | code >> 18);
    *out += static_cast<char>(0x80 | (code >> 12 & 0x3f));
    *out += static_cast<char>(0x80 | (code >> 6 & 0x3f));
    *out += static_cast<char>(0x80 | (code & 0x3f));
  }
}

}  // namespace

bool is_name_start(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }
bool is_name_char(char c) { return is_name_start(c) || is_digit(c); }
bool is_meta(char c) { return std::string_view(" \t\n;&|<>()").find(c) != std::string_view::npos; }

bool WordParser::skip_continuation() {
  if (peek() != '\\' || peek(1) != '\n' || at_ + 1 >= chars_.size()) return false;
  at_ += 2;
  return true;
}

SyntaxWord WordParser::word(Mode mode) {
  SyntaxWord out;
  parts(mode, mode == Mode::kExpression, &out);
  return out;
}

SyntaxWord WordParser::here_document() {
  SyntaxWord out;
  parts(Mode::kHere, true, &out);
  return out;
}

bool WordParser::expression(SyntaxWord* out) {
  const std::size_t begin = at_;
  SyntaxWord expression = word(Mode::kExpression);
  if (!fault_.has_value() && starts("))")) {
    at_ += 2;
    *out = std::move(expression);
    return true;
  }
  at_ = begin;
  fault_.reset();
  return false;
}

bool WordParser::ends(Mode mode, int nesting) const {
  const char c = chars_[at_];
  switch (mode) {
    case Mode::kWord:
      return is_meta(c);
    case Mode::kDouble:
      return c == '"';
    case Mode::kHere:
      return false;
    case Mode::kOperand:
    case Mode::kPattern:
      return c == '}';
    case Mode::kSubstitute:
      return c == '}' || c == '/';
    case Mode::kOffset:
      return c == '}' || (c == ':' && nesting == 0);
    case Mode::kIndex:
      return c == ']' && nesting == 0;
    case Mode::kExpression:
      return nesting == 0 && (c == ')' || c == ';');
    case Mode::kRegex:
      return nesting == 0 && (c == ' ' || c == '\t' || c == '\n' || c == '&' || c == ';');
  }
  return true;
}

void WordParser::text(bool quoted, std::size_t begin, std::size_t end, SyntaxWord* out) {
  if (out->empty() || out->back().kind != SyntaxPart::Kind::kText || out->back().quoted != quoted) {
    out->emplace_back();
    out->back().quoted = quoted;
  }
  if (end == begin + 1 && script_->running(begin) && !script_->carried(begin)) {
    out->back().text.append(std::string_view(chars_).substr(begin, 1), script_->origin(begin));
  } else if (end > begin) {
    out->back().text.append(script_->slice(begin, end));
  }
}

void WordParser::parts(Mode mode, bool quoted, SyntaxWord* out) {
  if (++depth_ > kMaxDepth) fail("quotes and substitutions are nested too deeply");
  const bool in_quotes = mode == Mode::kDouble || mode == Mode::kHere;
  int nesting = 0;
  while (!done()) {
    const char c = chars_[at_];
    if (mode == Mode::kWord && c == '(' && !out->empty() && out->back().kind == SyntaxPart::Kind::kText &&
        !out->back().quoted && !out->back().text.empty() &&
        std::string_view("@?*+!").find(out->back().text.chars().back()) != std::string_view::npos) {
      ++nesting;  // an extended pattern
      text(quoted, at_, at_ + 1, out);
      ++at_;
      continue;
    }
    if (mode == Mode::kWord && nesting > 0 && (c == '(' || c == ')' || c == '|')) {
      nesting += c == '(' ? 1 : c == ')' ? -1 : 0;
      text(quoted, at_, at_ + 1, out);
      ++at_;
      continue;
    }
    if (mode == Mode::kWord && (c == '<' || c == '>') && peek(1) == '(' && nesting == 0) {
      if (out->empty()) {
        command(SyntaxPart::Kind::kProcess, quoted, out);
        continue;
      }
    }
    if (ends(mode, nesting)) break;
    if (mode == Mode::kExpression || mode == Mode::kOffset || mode == Mode::kRegex || mode == Mode::kIndex) {
      const char open = mode == Mode::kIndex ? '[' : '(';
      const char close = mode == Mode::kIndex ? ']' : ')';
      if (c == open) ++nesting;
      if (c == close && nesting > 0) --nesting;
      if (mode == Mode::kOffset && c == '?') ++nesting;
      if (mode == Mode::kOffset && c == ':' && nesting > 0) --nesting;
    }
    if (c == '\\') {
      if (skip_continuation()) continue;
      const char next = peek(1);
      const bool special = !quoted || mode == Mode::kPattern
                               ? true
                               : next == '$' || next == '`' || next == '\\' ||
                                     (next == '"' && mode != Mode::kHere && mode != Mode::kExpression) ||
                                     (next == '}' && (mode == Mode::kOperand || mode == Mode::kSubstitute));
      if (special && at_ + 1 < chars_.size()) {
        text(true, at_ + 1, at_ + 2, out);
        at_ += 2;
      } else {
        text(quoted, at_, at_ + 1, out);
        ++at_;
      }
    } else if (c == '\'' && !in_quotes && (!quoted || mode == Mode::kPattern || mode == Mode::kSubstitute)) {
      single_quotes(out);
    } else if (c == '"' && mode != Mode::kHere) {
      if (mode == Mode::kExpression) {
        ++at_;
      } else {
        double_quotes(out);
      }
    } else if (c == '$') {
      dollar(quoted, in_quotes || quoted, out);
    } else if (c == '`') {
      backquotes(quoted, in_quotes || quoted, out);
    } else {
      std::size_t end = at_ + 1;  // a run of plain characters at once
      while (end < chars_.size() && (is_name_char(chars_[end]) || chars_[end] == '-' || chars_[end] == '.' ||
                                     (in_quotes && chars_[end] == ' '))) {
        ++end;
      }
      text(quoted, at_, end, out);
      at_ = end;
    }
  }
  if (at_ >= chars_.size() && (mode == Mode::kOperand || mode == Mode::kPattern || mode == Mode::kSubstitute ||
                               mode == Mode::kOffset || mode == Mode::kIndex || mode == Mode::kExpression)) {
    fail("the text ends inside an expansion");
  }
  --depth_;
}

void WordParser::single_quotes(SyntaxWord* out) {
  const std::size_t end = chars_.find('\'', at_ + 1);
  if (end == std::string::npos) return fail("a single quote is not closed");
  text(true, at_ + 1, end, out);
  at_ = end + 1;
}

void WordParser::double_quotes(SyntaxWord* out) {
  const std::size_t begin = at_++;
  if (peek() == '"') text(true, at_, at_, out);  // "" is a word
  parts(Mode::kDouble, true, out);
  if (at_ >= chars_.size() && !fault_.has_value()) {
    at_ = begin;
    fail("a double quote is not closed");
  }
  ++at_;
}

void WordParser::ansi_quotes(SyntaxWord* out) {
  const TextOrigin origin = script_->origin(at_);
  at_ += 2;
  std::string plain;
  while (at_ < chars_.size() && chars_[at_] != '\'') {
    if (chars_[at_] != '\\') {
      plain += chars_[at_++];
      continue;
    }
    const char c = peek(1);
    at_ += 2;
    const auto number = [&](int base, std::size_t digits) {
      unsigned long value = 0;
      for (std::size_t i = 0; i < digits && at_ < chars_.size(); ++i, ++at_) {
        const char d = chars_[at_];
        const int digit = is_digit(d)            ? d - '0'
                          : d >= 'a' && d <= 'f' ? d - 'a' + 10
                          : d >= 'A' && d <= 'F' ? d - 'A' + 10
                                                 : 99;
        if (digit >= base) break;
        value = value * static_cast<unsigned long>(base) + static_cast<unsigned long>(digit);
      }
      return value;
    };
    constexpr std::string_view kLetters = "abeEfnrtv";
    constexpr std::string_view kMeanings = "\a\b\x1b\x1b\f\n\r\t\v";
    if (const std::size_t letter = kLetters.find(c); letter != std::string_view::npos) {
      plain += kMeanings[letter];
    } else if (c == 'x') {
      plain += static_cast<char>(number(16, 2));
    } else if (c == 'u' || c == 'U') {
      append_utf8(number(16, c == 'u' ? 4 : 8), &plain);
    } else if (c >= '0' && c <= '7') {
      --at_;
      plain += static_cast<char>(number(8, 3));
    } else {
      if (c != '\'' && c != '"' && c != '\\' && c != '?') plain += '\\';
      plain += c;
    }
  }
  if (at_ >= chars_.size()) return fail("a single quote is not closed");
  ++at_;
  text(true, at_, at_, out);
  out->back().text.append_fixed(plain, origin);
}

void WordParser::dollar(bool quoted, bool in_quotes, SyntaxWord* out) {
  const char next = at_ + 1 < chars_.size() ? chars_[at_ + 1] : '\n';
  if (next == '\'' && !in_quotes) return ansi_quotes(out);
  if (next == '"' && !in_quotes) {
    ++at_;
    return double_quotes(out);
  }
  if (next == '(') {
    if (peek(2) == '(') {
      const std::size_t begin = at_;
      at_ += 3;
      SyntaxPart part;
      part.kind = SyntaxPart::Kind::kArithmetic;
      part.quoted = quoted;
      if (expression(&part.operand)) {
        part.written = script_->slice(begin, at_);
        out->push_back(std::move(part));
        return;
      }
      at_ = begin;
    }
    return command(SyntaxPart::Kind::kCommand, quoted, out);
  }
  constexpr std::string_view kSpecial = "@*#?$!-";
  if (next == '{' || is_name_char(next) || kSpecial.find(next) != std::string_view::npos) return parameter(quoted, out);
  text(quoted, at_, at_ + 1, out);
  ++at_;
}

void WordParser::command(SyntaxPart::Kind kind, bool quoted, SyntaxWord* out) {
  const std::size_t begin = at_;
  at_ += 2;
  SyntaxPart part;
  part.kind = kind;
  part.quoted = quoted;
  part.body = substitution();
  if (fault_.has_value()) return;
  if (peek() != ')' || at_ >= chars_.size()) return fail("a command substitution is not closed");
  ++at_;
  part.written = script_->slice(begin, at_);
  out->push_back(std::move(part));
}

void WordParser::backquotes(bool quoted, bool in_quotes, SyntaxWord* out) {
  const TextOrigin origin = script_->origin(at_);
  const std::size_t begin = ++at_;
  Text inner;
  while (at_ < chars_.size() && chars_[at_] != '`') {
    if (chars_[at_] == '\\' && (peek(1) == '`' || peek(1) == '\\' || peek(1) == '$' || (in_quotes && peek(1) == '"')))
      ++at_;
    if (at_ < chars_.size()) inner.append(script_->slice(at_, at_ + 1));
    ++at_;
  }
  if (at_ >= chars_.size()) return fail("a backquote is not closed");
  SyntaxPart part;
  part.kind = SyntaxPart::Kind::kCommand;
  part.quoted = quoted;
  part.written.append_fixed("$(", origin);
  part.written.append(script_->slice(begin, at_));
  part.written.append_fixed(")", origin);
  ++at_;
  part.body = parse_other(std::make_shared<const Text>(std::move(inner)));
  out->push_back(std::move(part));
}

void WordParser::parameter(bool quoted, SyntaxWord* out) {
  const std::size_t begin = at_++;
  SyntaxPart part;
  part.kind = SyntaxPart::Kind::kParameter;
  part.quoted = quoted;
  if (peek() == '{') {
    ++at_;
    braced(&part, quoted);
    if (fault_.has_value()) return;
  } else {
    const std::size_t first = at_++;
    if (is_name_start(chars_[first])) {
      while (at_ < chars_.size() && is_name_char(chars_[at_])) ++at_;
    }
    part.name = chars_.substr(first, at_ - first);
  }
  part.written = script_->slice(begin, at_);
  out->push_back(std::move(part));
}

void WordParser::braced(SyntaxPart* part, bool quoted) {
  const auto is_special = [](char c) { return std::string_view("@*#?$!-").find(c) != std::string_view::npos; };
  if ((peek() == '#' || peek() == '!') && peek(1) != '}' &&
      (is_name_char(peek(1)) || (peek() == '#' && (peek(1) == '@' || peek(1) == '*')))) {
    part->prefix = chars_[at_++];
  }
  const std::size_t first = at_;
  if (is_name_start(peek())) {
    while (at_ < chars_.size() && is_name_char(chars_[at_])) ++at_;
  } else if (is_digit(peek())) {
    while (at_ < chars_.size() && is_digit(chars_[at_])) ++at_;
  } else if (is_special(peek())) {
    ++at_;
  } else {
    return fail("this is not an expansion that a shell understands");
  }
  part->name = chars_.substr(first, at_ - first);
  if (peek() == '[') {
    ++at_;
    part->indexed = true;
    part->index = word(Mode::kIndex);
    if (!fault_.has_value()) ++at_;
  }
  constexpr std::string_view kOperators[] = {":-", ":=", ":+", ":?", "##", "%%", "//", "/#", "/%", "^^", ",,",
                                             "-",  "=",  "+",  "?",  "#",  "%",  "/",  ":",  "^",  ",",  "@"};
  for (const std::string_view op : kOperators) {
    if (!starts(op)) continue;
    part->op = op;
    at_ += op.size();
    break;
  }
  if (part->op.empty()) {
    if (peek() == '*' && part->prefix == '!') {
      part->op = "*";
      ++at_;
    }
  } else if (part->op[0] == '/') {
    parts(Mode::kSubstitute, quoted, &part->operand);
    if (peek() == '/' && !fault_.has_value()) {
      ++at_;
      part->has_second = true;
      parts(Mode::kOperand, quoted, &part->second);
    }
  } else if (part->op == ":") {
    parts(Mode::kOffset, true, &part->operand);
    if (peek() == ':' && !fault_.has_value()) {
      ++at_;
      part->has_second = true;
      parts(Mode::kOffset, true, &part->second);
    }
  } else {
    const bool pattern = part->op[0] == '#' || part->op[0] == '%' || part->op[0] == '^' || part->op[0] == ',';
    parts(pattern ? Mode::kPattern : Mode::kOperand, pattern ? false : quoted, &part->operand);
  }
  if (fault_.has_value()) return;
  if (peek() != '}') return fail("an expansion is not closed");
  ++at_;
}

}  // namespace gonogo
