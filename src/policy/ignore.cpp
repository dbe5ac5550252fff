#include "policy/ignore.h"

#include <algorithm>

#include "base/text.h"
#include "carriers/file_list.h"

namespace gonogo {

namespace {

constexpr std::string_view kSpaces = " \t\r";

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
  return text.substr(0, text.find_last_not_of(kSpaces) + 1);
}

// Reads an ignore's words from left to right.
class IgnoreReader {
 public:
  IgnoreReader(std::string_view text, const Place& at) : text_(text), at_(at) {}

  Result<Ignore> read() {
    Ignore out;
    skip();
    out.rule = text_.substr(pos_, text_.find_first_of(kSpaces, pos_) - pos_);
    if (out.rule.empty() || out.rule.find('=') != std::string::npos) {
      return error("an ignore names a rule first", "write RULE reason=\"…\"");
    }
    pos_ += out.rule.size();
    for (skip(); pos_ < text_.size(); skip()) {
      if (auto problem = member(&out)) return *problem;
    }
    if (out.reason.empty()) {
      pos_ = 0;
      return error("the ignore of " + out.rule + " has no reason", "write reason=\"…\"");
    }
    return out;
  }

 private:
  void skip() { pos_ = std::min(text_.find_first_not_of(kSpaces, pos_), text_.size()); }

  Error error(std::string what, std::string hint) const {
    Place place = at_;
    if (place.column > 0) place.column += static_cast<int>(code_points(text_.substr(0, pos_)));
    return {Error::Kind::kInput, std::move(what), std::move(place), std::move(hint), ""};
  }

  std::optional<Error> member(Ignore* out) {
    const std::size_t equals = text_.find('=', pos_);
    const std::string_view name =
        trimmed(text_.substr(pos_, equals == std::string_view::npos ? equals : equals - pos_));
    if (name != "reason" && name != "until" && name != "file") {
      std::string hint = did_you_mean(name, {"reason", "until", "file"});
      return error("'" + std::string(name) + "' says nothing about an ignore",
                   hint.empty() ? "known are reason=\"…\", until=YYYY-MM-DD and file=PATTERN" : hint);
    }
    std::size_t from = equals + 1;
    std::size_t end = text_.find_first_of(kSpaces, from);
    if (from < text_.size() && text_[from] == '"') {
      end = text_.find('"', ++from);
      if (end == std::string_view::npos) return error("the quote of " + std::string(name) + " has no end", "");
    }
    const std::string value(text_.substr(from, end == std::string_view::npos ? end : end - from));
    if (name == "reason") out->reason = trimmed(value);
    if (name == "file") out->file = value;
    if (name == "until") {
      out->until = parse_date(value);
      if (!out->until) return error("'" + value + "' is no date", "write until=YYYY-MM-DD");
    }
    pos_ = end == std::string_view::npos ? text_.size() : end + (text_[end] == '"' ? 1 : 0);
    return std::nullopt;
  }

  std::string_view text_;
  const Place& at_;
  std::size_t pos_ = 0;
};

bool is_comment(std::string_view line) {
  line = trimmed(line);
  return line.starts_with('#') || line.starts_with("//") || line.starts_with("<!--");
}

// Reads one line that holds the mark at `at`.
void read_line(std::string_view line, std::size_t at, const std::string& file, int number, InlineIgnores* out) {
  constexpr std::string_view kMark = "gonogo:";
  constexpr std::string_view kWord = "ignore";
  const std::string_view before = trimmed(line.substr(0, at));
  const bool html = before.ends_with("<!--");
  if (!html && !before.ends_with('#') && !before.ends_with("//")) return;
  std::string_view rest = line.substr(at + kMark.size());
  if (html) rest = rest.substr(0, rest.find("-->"));
  const std::size_t word = std::min(rest.find_first_not_of(kSpaces), rest.size());
  if (!rest.substr(word).starts_with(kWord)) return;
  rest.remove_prefix(word + kWord.size());
  const std::size_t from = at + kMark.size() + word + kWord.size();
  Place place{file, number, static_cast<int>(code_points(line.substr(0, from))) + 1};
  if (!rest.starts_with('=')) {
    out->errors.push_back({Error::Kind::kInput, "an ignore names a rule", place, "write ignore=RULE reason=\"…\"", ""});
    return;
  }
  rest.remove_prefix(1);
  ++place.column;
  auto ignore = parse_ignore(trimmed(rest), place);
  if (!ignore) {
    out->errors.push_back(ignore.error());
    return;
  }
  ignore->in_source = true;
  ignore->by = file + ":" + std::to_string(number);
  ignore->place = {file, number, place.column, number, place.column + static_cast<int>(code_points(ignore->rule))};
  out->ignores.push_back(std::move(*ignore));
}

}  // namespace

bool names_rule(std::string_view pattern, std::string_view id) {
  if (pattern.find('*') == std::string_view::npos) return pattern == id;
  std::string wide;  // an id is no path: * spans its slashes
  for (const char c : pattern) wide += c == '*' ? "**" : std::string(1, c);
  return glob_matches(wide, id);
}

Result<Ignore> parse_ignore(std::string_view text, const Place& at) { return IgnoreReader(text, at).read(); }

InlineIgnores inline_ignores(std::string_view text, const std::string& file) {
  InlineIgnores out;
  if (text.find("gonogo:") == std::string_view::npos) return out;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    out.comments.push_back(is_comment(line));
    const std::size_t at = line.find("gonogo:");
    if (at != std::string_view::npos && out.ignores.size() + out.errors.size() < kMostInline) {
      read_line(line, at, file, number, &out);
    }
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return out;
}

bool InlineIgnores::speaks_of(int line, int first, int last) const {
  if (line > last) return false;
  for (int between = line; between < first; ++between) {
    const auto at = static_cast<std::size_t>(between - 1);
    if (at >= comments.size() || !comments[at]) return false;
  }
  return true;
}

}  // namespace gonogo
