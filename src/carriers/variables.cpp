#include "carriers/variables.h"

#include <cctype>

#include "shell/word_parser.h"

namespace gonogo {

namespace {

constexpr auto kNone = std::string_view::npos;
constexpr int kMaxNesting = 20;

// The offset of the brace that closes the one before `at`, or npos.
std::size_t closing_brace(std::string_view text, std::size_t at) {
  int depth = 1;
  for (; at < text.size(); ++at) {
    if (text[at] == '{') ++depth;
    if (text[at] == '}' && --depth == 0) return at;
  }
  return kNone;
}

std::size_t name_end(std::string_view text, std::size_t at) {
  if (at >= text.size() || !is_name_start(text[at])) return at;
  while (at < text.size() && is_name_char(text[at])) ++at;
  return at;
}

// One `${…}`: its name, operator and the word behind it, as a part of the text.
struct Braced {
  std::string_view name;
  std::string_view op;  // "", ":-", "-", ":+", "+", ":?", "?"
  std::size_t word = 0;
  std::size_t end = 0;  // of the word: the closing brace
};

bool read_braced(std::string_view text, std::size_t at, Braced* out) {
  out->end = closing_brace(text, at);
  if (out->end == kNone) return false;
  const std::size_t stop = name_end(text, at);
  if (stop == at || stop > out->end) return false;
  out->name = text.substr(at, stop - at);
  std::size_t op = stop;
  if (op < out->end && text[op] == ':') ++op;
  if (op < out->end && (text[op] == '-' || text[op] == '+' || text[op] == '?')) {
    ++op;
  } else if (op != out->end) {
    return false;
  }
  out->op = text.substr(stop, op - stop);
  out->word = op;
  return true;
}

// Dollars in a text, with the operators that Docker's builder and compose share.
class Dollars {
 public:
  Dollars(const VariableLookup& lookup, Placeholders& marks, bool doubled)
      : lookup_(lookup), marks_(marks), doubled_(doubled) {}

  MappedText expand(const MappedText& text, int depth = 0) {
    MappedText out;
    const std::string& t = text.text();
    std::size_t at = 0;
    while (at < t.size()) {
      const std::size_t dollar = std::min(t.find('$', at), t.size());
      out.append(text, at, dollar);
      at = dollar;
      if (at < t.size()) at = one(text, at, out, depth);
    }
    return out;
  }

  // Appends what the dollar at `at` stands for; where to go on.
  std::size_t one(const MappedText& text, std::size_t at, MappedText& out, int depth) {
    const std::string_view t = text.text();
    const std::size_t place = text.offset(at);
    if (doubled_ && at + 1 < t.size() && t[at + 1] == '$') {
      out.append(text, at + 1, at + 2);
      return at + 2;
    }
    if (at + 1 < t.size() && t[at + 1] == '{' && depth < kMaxNesting) {
      Braced b;
      if (read_braced(t, at + 2, &b)) {
        braced(text, b, out, place, depth);
        return b.end + 1;
      }
    }
    const std::size_t stop = name_end(t, at + 1);
    if (stop == at + 1) {
      out.append(text, at, at + 1);
      return at + 1;
    }
    put(out, t.substr(at + 1, stop - at - 1), place);
    return stop;
  }

 private:
  void put(MappedText& out, std::string_view name, std::size_t place) {
    const std::string* value = lookup_(name);
    out.append_at(value != nullptr ? *value : marks_.variable(name), place);
  }

  void braced(const MappedText& text, const Braced& b, MappedText& out, std::size_t place, int depth) {
    const std::string* value = lookup_(b.name);
    const char kind = b.op.empty() ? '\0' : b.op.back();
    const bool given = value != nullptr && (b.op.size() < 2 || !value->empty());
    if (kind == '-' ? !given : kind == '+' && given) {
      MappedText word;
      word.append(text, b.word, b.end);
      out.append(expand(word, depth + 1));
    } else if (kind != '+') {
      put(out, b.name, place);
    }
  }

  const VariableLookup& lookup_;
  Placeholders& marks_;
  bool doubled_;
};

}  // namespace

std::string expand_dockerfile(std::string_view text, const VariableLookup& lookup, Placeholders& marks) {
  Dollars dollars(lookup, marks, false);
  const MappedText mapped = MappedText::of(text, 0);
  MappedText out;
  char quote = '\0';
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '\\' && quote != '\'' && at + 1 < text.size()) {
      const char next = text[at + 1];
      if (quote == '"' && next != '"' && next != '$' && next != '\\') out.append("\\", at);
      out.append(text.substr(at + 1, 1), at + 1);
      at += 2;
    } else if (c == quote) {
      quote = '\0';
      ++at;
    } else if (quote == '\0' && (c == '"' || c == '\'')) {
      quote = c;
      ++at;
    } else if (c == '$' && quote != '\'') {
      at = dollars.one(mapped, at, out, 0);
    } else {
      out.append(text.substr(at, 1), at);
      ++at;
    }
  }
  return out.text();
}

MappedText expand_dockerfile(const MappedText& text, const VariableLookup& lookup, Placeholders& marks) {
  // A here-document keeps what the build does not know: the copied script's own variables are written \$X.
  MappedText out;
  Dollars dollars(lookup, marks, false);
  const std::string& t = text.text();
  for (std::size_t at = 0; at < t.size();) {
    if (t[at] == '\\' && at + 1 < t.size() && (t[at + 1] == '$' || t[at + 1] == '\\')) {
      out.append(text, at + 1, at + 2);
      at += 2;
    } else if (t[at] == '$') {
      at = dollars.one(text, at, out, 0);
    } else {
      out.append(text, at, at + 1);
      ++at;
    }
  }
  return out;
}

MappedText expand_compose(const MappedText& text, const VariableLookup& lookup, Placeholders& marks) {
  return Dollars(lookup, marks, true).expand(text);
}

MappedText expand_kubernetes(const MappedText& text, const VariableLookup& lookup,
                             const std::function<bool(std::string_view)>& is_unknown, Placeholders& marks) {
  const std::string& t = text.text();
  MappedText out;
  std::size_t at = 0;
  while (at < t.size()) {
    const std::size_t dollar = std::min(t.find('$', at), t.size());
    out.append(text, at, dollar);
    at = dollar;
    if (at >= t.size()) break;
    const char next = at + 1 < t.size() ? t[at + 1] : '\0';
    if (next == '$') {  // the first dollar escapes the second
      out.append(text, at + 1, at + 2);
      at += 2;
      continue;
    }
    const std::size_t stop = next == '(' ? t.find(')', at) : kNone;
    const std::string_view name =
        stop == kNone ? std::string_view() : std::string_view(t).substr(at + 2, stop - at - 2);
    const bool whole =
        !name.empty() &&
        name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.") == kNone;
    if (const std::string* value = whole ? lookup(name) : nullptr) {
      out.append_at(*value, text.offset(at));
      at = stop + 1;
    } else if (whole && is_unknown(name)) {
      out.append_at(marks.variable(name), text.offset(at));
      at = stop + 1;
    } else {
      out.append(text, at, at + 1);
      ++at;
    }
  }
  return out;
}

std::vector<MappedText> split_words(const MappedText& text) {
  std::vector<MappedText> out;
  const std::string& t = text.text();
  MappedText word;
  bool any = false;
  char quote = '\0';
  for (std::size_t at = 0; at < t.size(); ++at) {
    const char c = t[at];
    if (quote == '\0' && (c == ' ' || c == '\t' || c == '\n')) {
      if (any) out.push_back(std::move(word));
      word = MappedText();
      any = false;
    } else if (c == quote) {
      quote = '\0';
    } else if (quote == '\0' && (c == '"' || c == '\'')) {
      quote = c;
      any = true;
    } else if (c == '\\' && quote != '\'' && at + 1 < t.size() &&
               (quote == '\0' || t[at + 1] == '"' || t[at + 1] == '\\')) {
      ++at;
      if (t[at] != '\n') word.append(text, at, at + 1);
      any = true;
    } else {
      word.append(text, at, at + 1);
      any = true;
    }
  }
  if (any) out.push_back(std::move(word));
  return out;
}

}  // namespace gonogo
