#include "carriers/make_expansion.h"

#include <algorithm>
#include <array>

namespace gonogo {

namespace {

constexpr auto kNone = std::string_view::npos;
constexpr int kMaxDepth = 40;
constexpr std::size_t kMaxText = 1u << 20;
constexpr std::string_view kBlanks = " \t\n";

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == kNone) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

// The bracket that closes the one before `at`; npos where none does.
std::size_t closing(std::string_view text, std::size_t at, char open, char close) {
  int depth = 1;
  for (; at < text.size(); ++at) {
    if (text[at] == open) ++depth;
    if (text[at] == close && --depth == 0) return at;
  }
  return kNone;
}

// Arguments between commas that stand outside brackets, at most `limit`.
std::vector<std::string_view> arguments(std::string_view text, std::size_t limit) {
  std::vector<std::string_view> out;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t at = 0; at < text.size() && out.size() + 1 < limit; ++at) {
    if (text[at] == '(' || text[at] == '{') ++depth;
    if (text[at] == ')' || text[at] == '}') --depth;
    if (text[at] == ',' && depth == 0) {
      out.push_back(text.substr(start, at - start));
      start = at + 1;
    }
  }
  out.push_back(text.substr(start));
  return out;
}

std::string join(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

std::string replace_all(std::string_view text, std::string_view from, std::string_view to) {
  if (from.empty()) return std::string(text) + std::string(to);
  std::string out;
  for (std::size_t at = 0;;) {
    const std::size_t next = text.find(from, at);
    out += text.substr(at, next == kNone ? kNone : next - at);
    if (next == kNone) return out;
    out += to;
    at = next + from.size();
  }
}

// One word by a pattern with at most one %.
std::string by_pattern(const std::string& word, std::string_view from, std::string_view to) {
  const std::size_t percent = from.find('%');
  if (percent == kNone) return word == from ? std::string(to) : word;
  const std::string_view head = from.substr(0, percent);
  const std::string_view tail = from.substr(percent + 1);
  if (word.size() < head.size() + tail.size() || word.compare(0, head.size(), head) != 0 ||
      word.compare(word.size() - tail.size(), tail.size(), tail) != 0) {
    return word;
  }
  const std::string stem = word.substr(head.size(), word.size() - head.size() - tail.size());
  const std::size_t into = to.find('%');
  if (into == kNone) return std::string(to);
  return std::string(to.substr(0, into)) + stem + std::string(to.substr(into + 1));
}

constexpr std::array<std::string_view, 22> kFunctions = {
    "shell",     "wildcard",  "subst",   "patsubst",   "strip", "if",    "or",        "and",
    "addprefix", "addsuffix", "foreach", "call",       "word",  "words", "firstword", "lastword",
    "notdir",    "dir",       "filter",  "filter-out", "eval",  "error"};

}  // namespace

std::vector<std::string> make_words(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = text.find_first_not_of(kBlanks); at != kNone;) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    out.emplace_back(text.substr(at, end - at));
    at = text.find_first_not_of(kBlanks, end);
  }
  return out;
}

void MakeVariables::assign(std::string_view name, std::string_view op, std::string_view value) {
  const auto it = variables_.find(name);
  if (op == "?=" && it != variables_.end()) return;
  if (op == "+=" && it != variables_.end()) {
    MakeVariable& v = it->second;
    const std::string more = v.simple ? expand(value) : std::string(value);
    v.value += (v.value.empty() ? "" : " ") + more;
    return;
  }
  MakeVariable& v = variables_[std::string(name)];
  v.simple = op == ":=";
  v.value = v.simple ? named(name, expand(value)) : std::string(value);
}

void MakeVariables::set_exported(std::string_view name, bool exported) {
  const auto it = variables_.find(name);
  if (it != variables_.end()) it->second.exported = exported;
}

// What is all one function's unknown result is called by the variable that holds it.
std::string MakeVariables::named(std::string_view name, std::string value) const {
  if (!marks_.any(value)) return value;
  std::vector<std::string> names;
  const std::string shown = marks_.restore(value, &names);
  const bool whole = names.size() == 1 && shown == names[0] && shown.rfind("$(", 0) == 0;
  return whole ? marks_.variable(name) : value;
}

std::string MakeVariables::expand(std::string_view text) const { return expand(text, 0); }

MappedText MakeVariables::expand(const MappedText& text) const {
  MappedText out;
  const std::string& t = text.text();
  for (std::size_t at = 0; at < t.size();) {
    const std::size_t dollar = std::min(t.find('$', at), t.size());
    out.append(text, at, dollar);
    at = dollar;
    if (at + 1 >= t.size()) {
      out.append(text, at, t.size());
      break;
    }
    const char next = t[at + 1];
    std::size_t end = at + 1;  // the last byte of the reference
    if (next == '(' || next == '{') end = closing(t, at + 2, next, next == '(' ? ')' : '}');
    if (end == kNone) end = at + 1;
    const std::string_view written = std::string_view(t).substr(at, end + 1 - at);
    if (next == '$') {
      out.append(text, at, at + 1);
    } else {
      out.append_at(expand(written, 0), text.offset(at));
    }
    at = end + 1;
  }
  return out;
}

std::string MakeVariables::expand(std::string_view text, int depth) const {
  std::string out;
  for (std::size_t at = 0; at < text.size() && out.size() < kMaxText;) {
    const std::size_t dollar = std::min(text.find('$', at), text.size());
    out += text.substr(at, dollar - at);
    at = dollar;
    if (at + 1 >= text.size()) {
      out += text.substr(at);
      break;
    }
    const char next = text[at + 1];
    if (next == '$') {
      out += '$';
      at += 2;
      continue;
    }
    if (next == '(' || next == '{') {
      const std::size_t end = closing(text, at + 2, next, next == '(' ? ')' : '}');
      if (end != kNone && depth < kMaxDepth) {
        out += reference(text.substr(at + 2, end - at - 2), text.substr(at, end + 1 - at), depth + 1);
        at = end + 1;
        continue;
      }
    }
    out += value_of(text.substr(at + 1, 1), depth + 1);
    at += 2;
  }
  return out;
}

std::string MakeVariables::reference(std::string_view inner, std::string_view written, int depth) const {
  const std::size_t blank = inner.find_first_of(" \t\n");
  if (blank != kNone) {
    const std::string_view name = inner.substr(0, blank);
    if (std::find(kFunctions.begin(), kFunctions.end(), name) != kFunctions.end()) {
      return function(name, inner.substr(std::min(inner.find_first_not_of(" \t\n", blank), inner.size())), written,
                      depth);
    }
  }
  const std::size_t colon = inner.find(':');
  const std::size_t equals = colon == kNone ? kNone : inner.find('=', colon);
  if (equals != kNone) {  // $(X:.c=.o)
    std::string from = expand(inner.substr(colon + 1, equals - colon - 1), depth);
    std::string to = expand(inner.substr(equals + 1), depth);
    if (from.find('%') == kNone) {
      from.insert(0, 1, '%');
      to.insert(0, 1, '%');
    }
    std::vector<std::string> words = make_words(value_of(expand(inner.substr(0, colon), depth), depth));
    for (std::string& word : words) word = by_pattern(word, from, to);
    return join(words);
  }
  return value_of(expand(inner, depth), depth);
}

std::string MakeVariables::value_of(std::string_view name, int depth) const {
  const auto it = variables_.find(name);
  if (it == variables_.end() || depth >= kMaxDepth) return marks_.variable(name);
  return it->second.simple ? it->second.value : named(name, expand(it->second.value, depth + 1));
}

std::string MakeVariables::function(std::string_view name, std::string_view rest, std::string_view written,
                                    int depth) const {
  const auto unknown = [&] { return marks_.mark(written, written); };
  const std::vector<std::string_view> args =
      arguments(rest, name == "if" || name == "subst" || name == "patsubst" ? 3 : 64);
  const auto arg = [&](std::size_t i) { return i < args.size() ? expand(args[i], depth) : std::string(); };
  if (name == "if") {
    const std::string test = expand(trim(args[0]), depth);
    if (marks_.any(test)) return unknown();
    return test.empty() ? arg(2) : arg(1);
  }
  if (name == "or") {
    for (const std::string_view a : args) {
      std::string value = expand(trim(a), depth);
      if (!value.empty()) return value;
    }
    return {};
  }
  if (name == "and") {
    std::string value;
    for (const std::string_view a : args) {
      value = expand(trim(a), depth);
      if (value.empty()) return {};
    }
    return value;
  }
  if (name == "call") return call(args, written, depth);
  if (name == "foreach" && args.size() == 3) return each(args, written, depth);
  if (name == "subst" && args.size() == 3) return replace_all(arg(2), arg(0), arg(1));
  std::vector<std::string> words = make_words(arg(args.size() - 1));
  if (name == "strip") return join(words);
  if (name == "firstword") return words.empty() ? std::string() : words.front();
  if (name == "lastword") return words.empty() ? std::string() : words.back();
  if (name == "words") return std::to_string(words.size());
  if (name == "patsubst" && args.size() == 3) {
    const std::string from(trim(arg(0)));
    const std::string to(trim(arg(1)));
    for (std::string& word : words) word = by_pattern(word, from, to);
    return join(words);
  }
  if ((name == "addprefix" || name == "addsuffix") && args.size() == 2) {
    const std::string affix = arg(0);
    for (std::string& word : words) word = name == "addprefix" ? affix + word : word + affix;
    return join(words);
  }
  if ((name == "filter" || name == "filter-out") && args.size() == 2) {
    const std::vector<std::string> patterns = make_words(arg(0));
    std::vector<std::string> kept;
    for (const std::string& word : words) {
      const bool hit = std::any_of(patterns.begin(), patterns.end(), [&](const std::string& p) {
        return p.find('%') == std::string::npos ? word == p : by_pattern(word, p, "") != word;
      });
      if (hit == (name == "filter")) kept.push_back(word);
    }
    return join(kept);
  }
  if (name == "notdir") {
    for (std::string& word : words) word = word.substr(word.rfind('/') + 1);
    return join(words);
  }
  return unknown();
}

// Calls within calls could go on without end.
bool MakeVariables::spend() const {
  constexpr std::size_t kMaxCalls = 10'000;
  return ++*spent_ <= kMaxCalls;
}

std::string MakeVariables::call(const std::vector<std::string_view>& args, std::string_view written, int depth) const {
  const std::string first = args.empty() ? std::string() : expand(args[0], depth);
  const std::string name(trim(first));
  if (!defined(name) || depth >= kMaxDepth || !spend()) return marks_.mark(written, written);
  MakeVariables inner = *this;
  for (std::size_t i = 1; i <= 9; ++i)
    inner.assign(std::to_string(i), ":=", i < args.size() ? expand(args[i], depth) : std::string());
  return inner.value_of(name, depth + 1);
}

std::string MakeVariables::each(const std::vector<std::string_view>& args, std::string_view written, int depth) const {
  const std::string first = expand(args[0], depth);
  const std::string name(trim(first));
  const std::string list = expand(args[1], depth);
  if (marks_.any(list) || depth >= kMaxDepth) return marks_.mark(written, written);
  MakeVariables inner = *this;
  std::string out;
  for (const std::string& word : make_words(list)) {
    if (!spend() || out.size() > kMaxText) return marks_.mark(written, written);
    inner.assign(name, ":=", word);
    out += (out.empty() ? "" : " ") + inner.expand(args[2], depth + 1);
  }
  return out;
}

std::vector<std::pair<std::string, std::string>> MakeVariables::exports(bool all) const {
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto& [name, v] : variables_) {
    if (all || v.exported) out.emplace_back(name, value_of(name, 0));
  }
  return out;
}

}  // namespace gonogo
