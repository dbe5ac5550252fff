#include "carriers/mapped_text.h"

#include <algorithm>

namespace gonogo {

MappedText MappedText::of(std::string_view text, std::size_t offset) {
  MappedText out;
  out.append(text, offset);
  return out;
}

void MappedText::push(std::size_t at, std::size_t offset, bool stretched) {
  if (!runs_.empty() && !stretched && !runs_.back().stretched &&
      runs_.back().offset + (at - runs_.back().at) == offset) {
    return;  // it goes on where the last run ends
  }
  runs_.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(offset), stretched});
}

void MappedText::append(std::string_view text, std::size_t offset) {
  if (text.empty()) return;
  push(text_.size(), offset, false);
  text_.append(text);
}

void MappedText::append_at(std::string_view text, std::size_t offset) {
  if (text.empty()) return;
  push(text_.size(), offset, true);
  text_.append(text);
}

void MappedText::append(const MappedText& other, std::size_t first, std::size_t last) {
  last = std::min(last, other.size());
  if (first >= last) return;
  auto run = std::upper_bound(other.runs_.begin(), other.runs_.end(), first,
                              [](std::size_t at, const Run& r) { return at < r.at; });
  if (run != other.runs_.begin()) --run;
  for (std::size_t at = first; at < last;) {
    const auto next = run + 1;
    const std::size_t end = next == other.runs_.end() ? last : std::min<std::size_t>(last, next->at);
    const std::string_view part = std::string_view(other.text_).substr(at, end - at);
    if (run->stretched) {
      append_at(part, run->offset);
    } else {
      append(part, run->offset + (at - run->at));
    }
    at = end;
    run = next;
  }
}

std::size_t MappedText::offset(std::size_t at) const {
  if (runs_.empty()) return 0;
  at = std::min(at, text_.size());
  auto run = std::upper_bound(runs_.begin(), runs_.end(), at, [](std::size_t a, const Run& r) { return a < r.at; });
  if (run != runs_.begin()) --run;
  return run->stretched ? run->offset : run->offset + (at - run->at);
}

LineIndex::LineIndex(std::string_view text) : size_(text.size()) {
  starts_.push_back(0);
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    starts_.push_back(static_cast<std::uint32_t>(at + 1));
  }
}

int LineIndex::line(std::size_t offset) const {
  const auto it = std::upper_bound(starts_.begin(), starts_.end(), static_cast<std::uint32_t>(offset));
  return static_cast<int>(it - starts_.begin());
}

Place LineIndex::place(std::string_view file, std::size_t offset) const {
  const int at = line(offset);
  return {std::string(file), at, static_cast<int>(offset - starts_[static_cast<std::size_t>(at - 1)]) + 1};
}

std::size_t LineIndex::start(int line) const {
  return line < 1 ? 0 : line > count() ? size_ : starts_[static_cast<std::size_t>(line - 1)];
}

}  // namespace gonogo
