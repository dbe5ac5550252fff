#include "carriers/secret_mask.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "carriers/variables.h"
#include "launch/launch.h"

namespace gonogo {

namespace {

constexpr auto kNone = std::string_view::npos;
using Range = std::pair<std::size_t, std::size_t>;

// Beginnings of tokens that nobody writes for anything else, and how many characters must follow.
constexpr std::array<std::pair<std::string_view, std::size_t>, 12> kTokens = {{{"hf_", 16},
                                                                               {"sk-", 16},
                                                                               {"ghp_", 20},
                                                                               {"gho_", 20},
                                                                               {"ghs_", 20},
                                                                               {"github_pat_", 20},
                                                                               {"glpat-", 16},
                                                                               {"xoxb-", 16},
                                                                               {"xoxp-", 16},
                                                                               {"nvapi-", 16},
                                                                               {"AKIA", 16},
                                                                               {"eyJ", 30}}};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Where a value that begins at `at` ends: at its quote, or at the first blank or bracket.
std::size_t value_end(std::string_view text, std::size_t at) {
  constexpr std::string_view kStops = " \t\n\r,;)]}\"'`|&<>";
  std::size_t end = at;
  while (end < text.size() && kStops.find(text[end]) == kNone) end += text[end] == '\\' ? 2 : 1;
  return std::min(end, text.size());
}

class Scanner {
 public:
  Scanner(const Pack& pack, std::string_view text) : pack_(pack), text_(text) {}

  std::vector<Range> scan(bool names) {
    for (std::size_t at = 0; at < text_.size();) {
      const bool begins = is_word(text_[at]) && (at == 0 || !is_word(text_[at - 1]));
      if (text_.substr(at, 3) == "://") {
        url(at + 3);
        at += 3;
      } else if (begins) {
        at = word(at, names);
      } else {
        ++at;
      }
    }
    std::sort(found_.begin(), found_.end());
    return std::move(found_);
  }

 private:
  void hide(std::size_t begin, std::size_t end) {
    if (end > begin) found_.emplace_back(begin, end);
  }

  // user:password@ and token@
  void url(std::size_t at) {
    const std::size_t end = std::min(text_.find_first_of(" \t\n\r/\"'?#", at), text_.size());
    const std::size_t host = text_.substr(0, end).rfind('@');
    if (host == kNone || host < at) return;
    const std::size_t colon = text_.find(':', at);
    hide(colon < host ? colon + 1 : at, host);
  }

  std::size_t word(std::size_t begin, bool names) {
    std::size_t end = begin;
    while (end < text_.size() && is_word(text_[end])) ++end;
    const std::string_view name = text_.substr(begin, end - begin);
    for (const auto& [prefix, least] : kTokens) {
      if (name.size() < prefix.size() + least || name.substr(0, prefix.size()) != prefix) continue;
      std::size_t stop = end;
      while (stop < text_.size() && (is_word(text_[stop]) || (prefix == "eyJ" && text_[stop] == '.'))) ++stop;
      hide(begin, stop);
      return stop;
    }
    if (name == "Bearer" || name == "bearer") {
      const std::size_t at = std::min(text_.find_first_not_of(' ', end), text_.size());
      hide(at, value_end(text_, at));
      return end;
    }
    if (names && is_secret(pack_, name)) secret(name, end);
    return end;
  }

  // What follows a secret name: `=v`, `: v`, ` v` of a flag, and over lines `- --flag` `- v`, `name: N` `value: v`.
  void secret(std::string_view name, std::size_t at) {
    const bool flag = name.size() > 2 && name.substr(0, 2) == "--";
    while (at < text_.size() && (text_[at] == '"' || text_[at] == '\'')) ++at;
    std::size_t next = at;
    while (next < text_.size() && (text_[next] == ' ' || text_[next] == '\t')) ++next;
    const char c = next < text_.size() ? text_[next] : '\0';
    if (c == '=' || c == ':') {
      if (c == ':' && next + 1 < text_.size() && !is_space(text_[next + 1]) && text_[next + 1] != '"') return;
      value(next + 1, false);
    } else if (flag) {
      value(next, true);
    } else if (c == '\n' || c == ',' || c == '}') {
      // A manifest's `name: N`, with `value: v` near it.
      const std::size_t key = text_.find("value:", next);
      if (key != kNone && key < next + 200 && text_.substr(next, key - next).find("name:") == kNone)
        value(key + 6, false);
    }
  }

  void value(std::size_t at, bool over_lines) {
    while (at < text_.size()) {
      const char c = text_[at];
      const bool skip =
          c == ' ' || c == '\t' || (over_lines && (c == '\n' || c == ',' || c == '"' || c == '\'' || c == '\\'));
      if (!skip && !(over_lines && c == '-' && at + 1 < text_.size() && text_[at + 1] == ' ')) break;
      ++at;
    }
    if (at >= text_.size()) return;
    const char quote = text_[at];
    if (quote == '"' || quote == '\'') {
      std::size_t end = at + 1;
      while (end < text_.size() && text_[end] != quote && text_[end] != '\n')
        end += quote == '"' && text_[end] == '\\' ? 2 : 1;
      open(at + 1, std::min(end, text_.size()));
      return;
    }
    if (over_lines && text_.substr(at, 2) == "--") return;
    open(at, value_end(text_, at));
  }

  // A value that is a variable or a placeholder is none.
  void open(std::size_t begin, std::size_t end) {
    const char c = begin < end ? text_[begin] : '$';
    if (c == '$' || c == '<' || text_.substr(begin, 2) == "{{") return;
    hide(begin, end);
  }

  const Pack& pack_;
  std::string_view text_;
  std::vector<Range> found_;
};

}  // namespace

std::string mask_lines(const Pack& pack, std::string_view text) {
  std::string out;
  std::size_t done = 0;
  for (const auto& [begin, end] : Scanner(pack, text).scan(true)) {
    if (end <= done) continue;
    const std::size_t from = std::max(begin, done);
    out += text.substr(done, from - done);
    for (const char c : text.substr(from, end - from)) {
      // One asterisk a code point.
      if (c == '\n') {
        out += c;
      } else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) {
        out += '*';
      }
    }
    done = end;
  }
  out += text.substr(done);
  return out;
}

std::string mask_value(const Pack& pack, std::string_view value) {
  const bool json = value.find('"') != kNone && value.find(':') != kNone;
  std::string out;
  std::size_t done = 0;
  for (const auto& [begin, end] : Scanner(pack, value).scan(json)) {
    if (end <= done) continue;
    const std::size_t from = std::max(begin, done);
    out += value.substr(done, from - done);
    out += kSecretMask;
    done = end;
  }
  out += value.substr(done);
  return out;
}

std::vector<std::string> shown_args(const Pack& pack, const std::vector<FoundWord>& args) {
  std::vector<std::string> out;
  bool secret = false;
  for (const FoundWord& word : args) {
    const std::string_view text = word.text;
    const bool flag = text.size() > 2 && text.substr(0, 2) == "--";
    const bool hidden = std::exchange(secret, false) && !flag;
    const std::size_t equals = flag ? text.find('=') : kNone;
    const bool placeholder =
        !word.unknowns.empty() && !text.empty() && (text[0] == '$' || text[0] == '<' || text[0] == '{');
    if (hidden && !placeholder) {
      out.emplace_back(kSecretMask);
    } else if (flag && is_secret(pack, text.substr(0, equals))) {
      secret = equals == kNone;
      const bool open = equals == kNone || !word.unknowns.empty();
      out.push_back(open ? std::string(text) : std::string(text.substr(0, equals + 1)) + std::string(kSecretMask));
    } else {
      out.push_back(mask_value(pack, text));
    }
  }
  return out;
}

std::string shown_env(const Pack& pack, const FoundVariable& variable) {
  const std::string& text = variable.value.text;
  if (is_secret(pack, variable.name) && !text.empty() && variable.value.unknowns.empty() && text[0] != '$') {
    return std::string(kSecretMask);
  }
  return mask_value(pack, text);
}

}  // namespace gonogo
