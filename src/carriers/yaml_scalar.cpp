#include "carriers/yaml_scalar.h"

#include <algorithm>
#include <cctype>

namespace gonogo {

namespace {

constexpr auto kNone = std::string_view::npos;

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Walks `text` beside `value` and appends what they share.
class Walk {
 public:
  Walk(std::string_view text, std::string_view original, std::string_view value, std::size_t at)
      : text_(text), original_(original), value_(value), at_(at) {}

  // A flow scalar: plain (end 0) or quoted (end: the quote).
  bool flow(char end) {
    while (done_ < value_.size()) {
      if (at_ >= text_.size()) return false;
      const char c = text_[at_];
      if ((is_blank(c) || c == '\n') && fold()) continue;
      if (end == '"' && c == '\\') {
        if (!escape()) return false;
      } else if (end == '\'' && c == '\'') {
        if (value_[done_] != '\'') return false;
        take_at(1, at_);
        at_ += 2;
      } else if (!same()) {
        return false;
      }
    }
    return true;
  }

  bool block() {
    const std::size_t header = text_.find('\n', at_);
    if (header == kNone) return value_.empty();
    at_ = header + 1;
    std::size_t indent = kNone;
    while (done_ < value_.size()) {
      if (at_ > text_.size()) return false;
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      const std::string_view line = text_.substr(at_, end - at_);
      const std::size_t margin = std::min(line.find_first_not_of(' '), line.size());
      if (margin == line.size() && (indent == kNone || margin <= indent)) {  // nothing but the margin
        if (value_[done_] != '\n') return false;
        take_at(1, end);
        at_ = end + 1;
        continue;
      }
      if (indent == kNone) {
        const std::size_t kept = std::min(value_.find_first_not_of(' ', done_), value_.size()) - done_;
        if (kept > margin) return false;
        indent = margin - kept;
      }
      if (margin < indent) return false;
      at_ += indent;
      while (at_ < end && done_ < value_.size() && same()) {
      }
      if (done_ == value_.size()) return true;
      if (at_ < end) return false;
      // The line's end is a newline, a blank where it is folded, or nothing before a blank line that is kept.
      if (value_[done_] == '\n' || value_[done_] == ' ') {
        if (value_[done_] == '\n' && folds_into_next(end)) {
          at_ = end + 1;
          continue;
        }
        take_at(1, end);
      }
      at_ = end + 1;
    }
    return true;
  }

  bool folded = false;
  MappedText take() { return std::move(out_); }

 private:
  bool same() {
    if (text_[at_] != value_[done_]) {
      // A masked byte was restored in the value already.
      if (original_[at_] != value_[done_]) return false;
    }
    out_.append(original_.substr(at_, 1), at_);
    ++at_;
    ++done_;
    return true;
  }

  void take_at(std::size_t count, std::size_t offset) {
    out_.append_at(value_.substr(done_, count), offset);
    done_ += count;
  }

  // In a folded scalar a line's own break vanishes where a blank line follows that is not more indented.
  bool folds_into_next(std::size_t end) const {
    if (!folded || end + 1 >= text_.size()) return false;
    std::size_t blank = 0;
    std::size_t at = end + 1;
    while (at < text_.size()) {
      const std::size_t stop = std::min(text_.find('\n', at), text_.size());
      if (text_.substr(at, stop - at).find_first_not_of(' ') != kNone) break;
      ++blank;
      at = stop + 1;
    }
    std::size_t breaks = 0;
    while (done_ + breaks < value_.size() && value_[done_ + breaks] == '\n') ++breaks;
    return blank > 0 && breaks == blank;
  }

  // A line break with the blanks around it: one blank, or a newline less than there are.
  bool fold() {
    std::size_t end = at_;
    std::size_t breaks = 0;
    while (end < text_.size() && (is_blank(text_[end]) || text_[end] == '\n')) breaks += text_[end++] == '\n';
    if (breaks == 0) return false;
    const std::size_t width = breaks == 1 ? 1 : breaks - 1;
    const std::string expected(width, breaks == 1 ? ' ' : '\n');
    if (value_.substr(done_, width) != expected) return false;
    take_at(width, at_);
    at_ = end;
    return true;
  }

  bool escape() {
    if (at_ + 1 >= text_.size()) return false;
    const char c = text_[at_ + 1];
    if (c == '\n') {  // a line that goes on
      at_ += 2;
      while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
      return true;
    }
    std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    std::size_t width = c == 'N' || c == '_' ? 2 : c == 'L' || c == 'P' ? 3 : 1;
    if (digits > 0) {
      const unsigned char lead = static_cast<unsigned char>(value_[done_]);
      width = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    }
    if (done_ + width > value_.size()) return false;
    take_at(width, at_);
    at_ += 2 + digits;
    return true;
  }

  std::string_view text_;
  std::string_view original_;
  std::string_view value_;
  std::size_t at_;
  std::size_t done_ = 0;
  MappedText out_;
};

}  // namespace

std::size_t skip_properties(std::string_view text, std::size_t offset) {
  while (offset < text.size()) {
    const char c = text[offset];
    if (c == '&' || c == '!') {
      while (offset < text.size() && !is_blank(text[offset]) && text[offset] != '\n') ++offset;
    } else if (is_blank(c) || c == '\n') {
      ++offset;
    } else if (c == '#' && offset > 0 && (is_blank(text[offset - 1]) || text[offset - 1] == '\n')) {
      while (offset < text.size() && text[offset] != '\n') ++offset;
    } else {
      break;
    }
  }
  return offset;
}

YamlItem::Style style_at(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return YamlItem::Style::kPlain;
  switch (text[offset]) {
    case '"':
      return YamlItem::Style::kDouble;
    case '\'':
      return YamlItem::Style::kSingle;
    case '|':
      return YamlItem::Style::kLiteral;
    case '>':
      return YamlItem::Style::kFolded;
    default:
      return YamlItem::Style::kPlain;
  }
}

MappedText map_scalar(std::string_view text, std::string_view original, std::size_t offset, YamlItem::Style style,
                      std::string_view value) {
  const bool block = style == YamlItem::Style::kLiteral || style == YamlItem::Style::kFolded;
  const bool quoted = style == YamlItem::Style::kSingle || style == YamlItem::Style::kDouble;
  Walk walk(text, original, value, block || !quoted ? offset : offset + 1);
  walk.folded = style == YamlItem::Style::kFolded;
  const bool ok = block ? walk.block() : walk.flow(quoted ? text[offset] : '\0');
  if (ok) return walk.take();
  MappedText out;
  out.append_at(value, offset);
  return out;
}

}  // namespace gonogo
