#include "carriers/just_expression.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace gonogo {

namespace {

constexpr auto kNone = std::string_view::npos;
constexpr int kMaxDepth = 40;

bool name_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; }

// The length of the string or backtick that begins `text`, quotes included; 0 where none does.
std::size_t string_length(std::string_view text, std::string_view* quote) {
  for (const std::string_view q : {"\"\"\"", "'''", "```", "\"", "'", "`"}) {
    if (text.substr(0, q.size()) != q) continue;
    *quote = q;
    for (std::size_t at = q.size(); at < text.size(); ++at) {
      if (q[0] == '"' && text[at] == '\\') {
        ++at;
      } else if (text.substr(at, q.size()) == q) {
        return at + q.size();
      }
    }
    return text.size();
  }
  return 0;
}

std::string unescape(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\' || at + 1 >= text.size()) {
      out += text[at];
      continue;
    }
    const char c = text[++at];
    if (c == 'n') {
      out += '\n';
    } else if (c == 't') {
      out += '\t';
    } else if (c == 'r') {
      out += '\r';
    } else if (c != '\n') {
      out += c;
    }
  }
  return out;
}

// Takes the common indentation from a string in triple quotes.
std::string dedent(std::string_view text) {
  if (!text.empty() && text[0] == '\n') text.remove_prefix(1);
  std::size_t common = kNone;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const std::size_t margin = line.find_first_not_of(" \t");
    if (margin != kNone) common = std::min(common, margin);
    at = end + 1;
  }
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    out += line.substr(std::min(common, line.size()));
    if (end < text.size()) out += '\n';
    at = end + 1;
  }
  return out;
}

class Evaluator {
 public:
  Evaluator(std::string_view text, const JustLookup& lookup, Placeholders& marks)
      : text_(text), lookup_(lookup), marks_(marks) {}

  std::string run() {
    std::string out = sum(0);
    blanks();
    return at_ == text_.size() && !failed_ ? out : unknown(text_);
  }

 private:
  void blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool take(std::string_view token) {
    blanks();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  std::string unknown(std::string_view shown) { return marks_.mark(shown, shown); }

  std::string sum(int depth) {
    if (depth > kMaxDepth) {
      failed_ = true;
      return {};
    }
    if (take("/")) return "/" + sum(depth + 1);
    std::string left = value(depth);
    while (!failed_) {
      if (take("+")) {
        left += value(depth);
      } else if (take("/")) {
        left += "/" + value(depth);
      } else {
        break;
      }
    }
    return left;
  }

  std::string value(int depth) {
    blanks();
    const std::size_t start = at_;
    std::string_view quote;
    if (const std::size_t length = string_length(text_.substr(at_), &quote); length > 0) {
      const std::string_view whole = text_.substr(at_, length);
      const std::string_view inner =
          whole.substr(quote.size(), whole.size() - std::min(whole.size(), 2 * quote.size()));
      at_ += length;
      if (quote[0] == '`') return unknown(whole);
      std::string out = quote.size() == 3 ? dedent(inner) : std::string(inner);
      return quote[0] == '"' ? unescape(out) : out;
    }
    if (take("(")) {
      std::string out = sum(depth + 1);
      failed_ |= !take(")");
      return out;
    }
    std::string name;
    while (at_ < text_.size() && name_char(text_[at_])) name += text_[at_++];
    if (name == "if") return conditional(depth);
    if (name.empty()) {
      failed_ = true;
      return {};
    }
    if (take("(")) return call(name, start, depth);
    const std::string* known = lookup_(name);
    return known != nullptr ? *known : marks_.variable(name);
  }

  std::string conditional(int depth) {
    const std::string left = sum(depth + 1);
    const bool equal = take("==");
    const bool unequal = !equal && take("!=");
    if (!equal && !unequal && !take("=~") && !take("!~")) failed_ = true;
    const std::string right = sum(depth + 1);
    failed_ |= !take("{");
    std::string yes = sum(depth + 1);
    failed_ |= !take("}") || !take("else");
    blanks();
    std::string no;
    if (text_.substr(at_, 2) == "if") {
      no = value(depth + 1);
    } else {
      failed_ |= !take("{");
      no = sum(depth + 1);
      failed_ |= !take("}");
    }
    if (marks_.any(left) || marks_.any(right) || (!equal && !unequal)) failed_ = true;  // open: as written
    return (left == right) == equal ? yes : no;
  }

  std::string call(const std::string& name, std::size_t start, int depth) {
    std::vector<std::string> args;
    while (!failed_ && !take(")")) {
      args.push_back(sum(depth + 1));
      if (!take(",")) {
        failed_ |= !take(")");
        break;
      }
    }
    const std::string_view written = text_.substr(start, at_ - start);
    const bool environment = name == "env" || name == "env_var" || name == "env_var_or_default";
    if (environment && args.size() == 2) return args[1];
    if (environment && args.size() == 1) return marks_.variable(args[0]);
    if (args.size() == 1 && !marks_.any(args[0])) {
      std::string text = args[0];
      if (name == "uppercase" || name == "lowercase") {
        for (char& c : text) {
          const auto u = static_cast<unsigned char>(c);
          c = static_cast<char>(name == "uppercase" ? std::toupper(u) : std::tolower(u));
        }
        return text;
      }
      if (name == "trim") {
        const std::size_t begin = text.find_first_not_of(" \t\n");
        return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
      }
      if (name == "file_name") return text.substr(text.rfind('/') + 1);
      if (name == "quote") return "'" + text + "'";
    }
    if (name == "replace" && args.size() == 3 && !args[1].empty()) {
      std::string out = args[0];
      for (std::size_t at = out.find(args[1]); at != std::string::npos; at = out.find(args[1], at + args[2].size())) {
        out.replace(at, args[1].size(), args[2]);
        if (out.size() > (1u << 16U)) break;
      }
      return out;
    }
    return unknown(written);
  }

  std::string_view text_;
  const JustLookup& lookup_;
  Placeholders& marks_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace

std::string evaluate_just(std::string_view expression, const JustLookup& lookup, Placeholders& marks) {
  const std::size_t begin = expression.find_first_not_of(" \t\n");
  if (begin == kNone) return {};
  expression = expression.substr(begin, expression.find_last_not_of(" \t\n") - begin + 1);
  return Evaluator(expression, lookup, marks).run();
}

std::size_t just_value_length(std::string_view text) {
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string_view quote;
    if (const std::size_t length = string_length(text.substr(at), &quote); length > 0) {
      at += length - 1;
    } else if (text[at] == '(') {
      ++depth;
    } else if (text[at] == ')') {
      if (depth-- == 0) return at;
    } else if (depth == 0 && (text[at] == ' ' || text[at] == '\t' || text[at] == ':' || text[at] == ',')) {
      return at;
    }
  }
  return text.size();
}

}  // namespace gonogo
