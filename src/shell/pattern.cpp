#include "shell/pattern.h"

#include <cstddef>
#include <vector>

namespace gonogo {

namespace {

// Bounded, because a pattern with many stars asks for more than anybody waits for.
class Matcher {
 public:
  bool match(std::string_view p, std::string_view t, int depth = 0) {
    if (depth > 64) return false;
    for (;;) {
      if (++steps_ > kMaxSteps) return false;
      if (p.empty()) return t.empty();
      const char c = p[0];
      if (p.size() > 1 && p[1] == '(' && std::string_view("@?*+!").find(c) != std::string_view::npos) {
        return extended(p, t, depth);
      }
      if (c == '*') {
        while (!p.empty() && p[0] == '*' && !(p.size() > 1 && p[1] == '(')) p.remove_prefix(1);
        if (p.empty()) return true;
        for (std::size_t i = 0; i <= t.size(); ++i) {
          if (match(p, t.substr(i), depth + 1)) return true;
        }
        return false;
      }
      if (t.empty()) return false;
      if (c == '?') {
        std::size_t bytes = 1;
        while (bytes < t.size() && (static_cast<unsigned char>(t[bytes]) & 0xc0) == 0x80) ++bytes;
        p.remove_prefix(1);
        t.remove_prefix(bytes);
        continue;
      }
      if (c == '[') {
        bool in = false;
        if (const std::size_t length = set(p, t[0], &in); length > 0) {
          if (!in) return false;
          p.remove_prefix(length);
          t.remove_prefix(1);
          continue;
        }
      }
      if (c == '\\' && p.size() > 1) p.remove_prefix(1);
      if (p[0] != t[0]) return false;
      p.remove_prefix(1);
      t.remove_prefix(1);
    }
  }

  bool exhausted() const { return steps_ > kMaxSteps; }

 private:
  static constexpr std::size_t kMaxSteps = 1'000'000;

  // The length of a [set] at the pattern's front, or 0.
  static std::size_t set(std::string_view p, char c, bool* in) {
    std::size_t at = 1;
    const bool negated = at < p.size() && (p[at] == '!' || p[at] == '^');
    if (negated) ++at;
    bool found = false;
    for (bool first = true; at < p.size(); first = false) {
      if (p[at] == ']' && !first) {
        *in = found != negated;
        return at + 1;
      }
      if (p.substr(at, 2) == "[:") {
        const std::size_t close = p.find(":]", at + 2);
        if (close == std::string_view::npos) return 0;
        found = found || in_class(p.substr(at + 2, close - at - 2), c);
        at = close + 2;
        continue;
      }
      if (p[at] == '\\' && at + 1 < p.size()) ++at;
      const char low = p[at++];
      char high = low;
      if (at + 1 < p.size() && p[at] == '-' && p[at + 1] != ']') {
        high = p[at + 1] == '\\' && at + 2 < p.size() ? p[at + 2] : p[at + 1];
        at += p[at + 1] == '\\' && at + 2 < p.size() ? 3 : 2;
      }
      found = found || (low <= c && c <= high);
    }
    return 0;
  }

  static bool in_class(std::string_view name, char c) {
    const bool digit = c >= '0' && c <= '9';
    const bool lower = c >= 'a' && c <= 'z';
    const bool upper = c >= 'A' && c <= 'Z';
    if (name == "digit") return digit;
    if (name == "lower") return lower;
    if (name == "upper") return upper;
    if (name == "alpha") return lower || upper;
    if (name == "alnum") return lower || upper || digit;
    if (name == "space") return c == ' ' || (c >= '\t' && c <= '\r');
    if (name == "blank") return c == ' ' || c == '\t';
    return name == "punct" && c > ' ' && c < 0x7f && !lower && !upper && !digit;
  }

  bool extended(std::string_view p, std::string_view t, int depth) {
    const char kind = p[0];
    std::vector<std::string_view> choices;
    std::size_t begin = 2;
    std::size_t at = 2;
    for (int nesting = 0; at < p.size(); ++at) {
      if (p[at] == '\\') {
        ++at;
      } else if (p[at] == '(') {
        ++nesting;
      } else if (p[at] == '|' && nesting == 0) {
        choices.push_back(p.substr(begin, at - begin));
        begin = at + 1;
      } else if (p[at] == ')' && nesting-- == 0) {
        break;
      }
    }
    if (at >= p.size()) return false;
    choices.push_back(p.substr(begin, at - begin));
    const std::string_view rest = p.substr(at + 1);
    if ((kind == '?' || kind == '*') && match(rest, t, depth + 1)) return true;
    for (std::size_t length = 0; length <= t.size(); ++length) {
      bool any = false;
      for (const std::string_view choice : choices) any = any || match(choice, t.substr(0, length), depth + 1);
      if (any == (kind == '!')) continue;
      if (match(rest, t.substr(length), depth + 1)) return true;
      if ((kind == '*' || kind == '+') && length > 0) {
        const std::string again = "*" + std::string(p.substr(1));
        if (match(again, t.substr(length), depth + 1)) return true;
      }
    }
    return false;
  }

  std::size_t steps_ = 0;
};

}  // namespace

bool matches_pattern(std::string_view pattern, std::string_view text) { return Matcher().match(pattern, text); }

bool is_plain_pattern(std::string_view pattern, std::string* text) {
  text->clear();
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '*' || c == '?' || c == '[') return false;
    if (std::string_view("@+!").find(c) != std::string_view::npos && pattern.substr(i + 1, 1) == "(") return false;
    if (c == '\\' && i + 1 < pattern.size()) ++i;
    *text += pattern[i];
  }
  return true;
}

std::string without_pattern(std::string_view text, std::string_view pattern, char side, bool longest) {
  Matcher matcher;  // one for all, so that its bound holds for all
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const std::size_t length = longest ? text.size() - i : i;
    const std::string_view piece = side == '#' ? text.substr(0, length) : text.substr(text.size() - length);
    if (!matcher.match(pattern, piece)) continue;
    return std::string(side == '#' ? text.substr(length) : text.substr(0, text.size() - length));
  }
  return std::string(text);
}

std::string replace_pattern(std::string_view text, std::string_view pattern, std::string_view replacement, bool all,
                            char anchor) {
  std::string out;
  if (pattern.empty() && anchor == 0) return std::string(text);
  Matcher matcher;
  std::string plain;
  const bool is_plain = is_plain_pattern(pattern, &plain);
  for (std::size_t at = 0; at <= text.size();) {
    std::size_t matched = std::string_view::npos;
    const std::size_t rest = text.size() - at;
    if (is_plain) {
      const bool fits = text.substr(at, plain.size()) == plain && (anchor != '%' || plain.size() == rest);
      if (fits && (!plain.empty() || anchor != 0)) matched = plain.size();
    } else {
      for (std::size_t length = rest;; --length) {
        const bool fits = anchor != '%' || length == rest;
        if (fits && (length > 0 || anchor != 0) && matcher.match(pattern, text.substr(at, length))) {
          matched = length;
          break;
        }
        if (length == 0 || matcher.exhausted()) break;
      }
    }
    if (matched != std::string_view::npos) {
      out += replacement;
      at += matched;
      if (!all || anchor != 0 || matched == 0) return out.append(text.substr(at));
      continue;
    }
    if (anchor == '#' || matcher.exhausted()) return out.append(text.substr(at));
    if (at < text.size()) out += text[at];
    ++at;
  }
  return out;
}

}  // namespace gonogo
