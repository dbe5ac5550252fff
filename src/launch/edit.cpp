#include "launch/edit.h"

#include <algorithm>
#include <dtl/dtl.hpp>
#include <sstream>

namespace gonogo {

namespace {

bool blank(char c) { return c == ' ' || c == '\t'; }

// The byte at which a place lies; npos where the text has no such place.
std::size_t offset_of(std::string_view text, const Place& place) {
  std::size_t at = 0;
  for (int line = 1; line < place.line; ++line) {
    at = text.find('\n', at);
    if (at == std::string_view::npos) return at;
    ++at;
  }
  for (int column = 1; column < place.column; ++column) {
    if (at >= text.size() || text[at] == '\n') return std::string_view::npos;
    do ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
  }
  return at;
}

// A stretch of the text that goes, or is replaced.
struct Cut {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
  bool goes = false;
};

class Editor {
 public:
  explicit Editor(std::string_view text) : text_(text) {}

  std::optional<Error> add(const TextEdit& edit) {
    const std::size_t at = offset_of(text_, edit.place);
    if (!stands_at(text_, edit.place, edit.old_text)) {
      return Error{Error::Kind::kInput, "'" + edit.old_text + "' does not stand here as it is", edit.place,
                   "change what makes it, by hand", ""};
    }
    Cut cut{at, at + edit.old_text.size(), edit.text.value_or(""), !edit.text};
    if (cut.goes) with_quotes(&cut);
    cuts_.push_back(std::move(cut));
    return std::nullopt;
  }

  std::string text() {
    const auto in_order = [](const Cut& a, const Cut& b) { return a.begin < b.begin; };
    std::sort(cuts_.begin(), cuts_.end(), in_order);
    std::vector<Cut> widened = cuts_;
    for (Cut& cut : widened) {
      if (cut.goes) widen(&cut);
    }
    std::sort(widened.begin(), widened.end(), in_order);
    std::string out;
    std::size_t at = 0;
    for (const Cut& cut : widened) {
      if (cut.end <= at) continue;  // on a line that went already
      if (cut.begin > at) out.append(text_.substr(at, cut.begin - at));
      out += cut.text;
      at = cut.end;
    }
    out.append(text_.substr(at));
    return out;
  }

 private:
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\n'; }

  void with_quotes(Cut* cut) const {
    if (cut->begin == 0) return;
    const char quote = text_[cut->begin - 1];
    if ((quote != '"' && quote != '\'') || at(cut->end) != quote) return;
    --cut->begin;
    ++cut->end;
  }

  // Takes along what only served the word. Neighbours that go as well are seen as one with it.
  void widen(Cut* cut) const {
    const std::size_t line = line_begin(cut->begin);
    std::size_t end = std::min(text_.find('\n', cut->end), text_.size());
    if (line_goes(line, end)) {
      if (end < text_.size()) ++end;
      take_line(cut, line, end);
      return;
    }
    if (at(cut->end) == ',') {
      ++cut->end;
      while (blank(at(cut->end))) ++cut->end;
    } else {
      std::size_t before = cut->begin;
      while (before > line && blank(text_[before - 1])) --before;
      cut->begin = before > line && text_[before - 1] == ',' ? before - 1 : before;
    }
  }

  std::size_t line_begin(std::size_t at) const {
    while (at > 0 && text_[at - 1] != '\n') --at;
    return at;
  }

  // Whether nothing but words that go stands on a line: "- --flag", "--flag value \", "\"--flag\",".
  bool line_goes(std::size_t begin, std::size_t end) const {
    std::string rest;
    std::size_t from = begin;
    bool any = false;
    for (const Cut& cut : cuts_) {
      if (cut.end <= begin || cut.begin >= end) continue;
      if (!cut.goes) return false;
      any = true;
      if (cut.begin > from) rest += text_.substr(from, cut.begin - from);
      from = std::max(from, cut.end);
    }
    if (from < end) rest += text_.substr(from, end - from);
    rest.erase(std::remove_if(rest.begin(), rest.end(), [](char c) { return blank(c) || c == '\r'; }), rest.end());
    if (!any) return false;
    return rest.empty() || rest == "-" || rest == "\\" || rest == ",";
  }

  // A last line of a continued command leaves the continuation of the line before it without one to continue.
  void take_line(Cut* cut, std::size_t begin, std::size_t end) const {
    const std::string_view line = text_.substr(begin, end - begin);
    const std::size_t last = line.find_last_not_of(" \t\r\n");
    const bool continues = last != std::string_view::npos && line[last] == '\\';
    cut->begin = begin;
    cut->end = end;
    if (continues) return;
    // Lines before it that go as well lead nowhere either.
    for (std::size_t line_before; begin > 0; begin = line_before) {
      line_before = line_begin(begin - 1);
      if (!line_goes(line_before, begin - 1)) break;
    }
    if (begin < 2) return;
    std::size_t before = begin - 1;  // the line break
    const bool crlf = before > 0 && text_[before - 1] == '\r';
    before -= crlf ? 1 : 0;
    if (before == 0 || text_[before - 1] != '\\') return;
    std::size_t from = before - 1;
    while (from > 0 && blank(text_[from - 1])) --from;
    cut->begin = from;
    cut->text = crlf ? "\r\n" : "\n";
  }

  std::string_view text_;
  std::vector<Cut> cuts_;
};

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

}  // namespace

bool stands_at(std::string_view text, const Place& place, std::string_view word) {
  const std::size_t at = offset_of(text, place);
  return at != std::string_view::npos && text.substr(at, word.size()) == word;
}

Result<std::string> apply_edits(std::string_view text, const std::vector<TextEdit>& edits) {
  Editor editor(text);
  for (const TextEdit& edit : edits) {
    if (auto error = editor.add(edit)) return *error;
  }
  return editor.text();
}

std::string unified_diff(std::string_view name, std::string_view before, std::string_view after) {
  if (before == after) return {};
  dtl::Diff<std::string> diff(lines_of(before), lines_of(after));
  diff.onHuge();
  diff.compose();
  diff.composeUnifiedHunks();
  std::ostringstream out;
  out << "--- " << name << "\n+++ " << name << '\n';
  diff.printUnifiedFormat(out);
  return out.str();
}

}  // namespace gonogo
