#include "carriers/placeholder.h"

#include <algorithm>

namespace gonogo {

namespace {

// Marks are the code points from U+100000 on, four bytes each in UTF-8: F4 80..8F 80..BF 80..BF.
constexpr std::size_t kMarkBytes = 4;
constexpr std::size_t kMaxMarks = 0xF000;

bool is_mark(std::string_view text, std::size_t at) {
  return at + kMarkBytes <= text.size() && text[at] == '\xF4' && (static_cast<unsigned char>(text[at + 1]) >> 4) == 8;
}

std::size_t index_of(std::string_view text, std::size_t at) {
  const auto bits = [&](std::size_t i, unsigned mask) { return static_cast<unsigned char>(text[at + i]) & mask; };
  return (bits(1, 0x0FU) << 12U) | (bits(2, 0x3FU) << 6U) | bits(3, 0x3FU);
}

}  // namespace

std::string Placeholders::mark(std::string_view shown, std::string_view name) {
  std::size_t index = 0;
  while (index < entries_.size() && (entries_[index].shown != shown || entries_[index].name != name)) ++index;
  if (index == entries_.size()) {
    if (index >= kMaxMarks) return std::string(shown);
    entries_.push_back({std::string(shown), std::string(name)});
  }
  return {'\xF4', static_cast<char>(0x80U | (index >> 12U)), static_cast<char>(0x80U | ((index >> 6U) & 0x3FU)),
          static_cast<char>(0x80U | (index & 0x3FU))};
}

std::string Placeholders::variable(std::string_view name) { return mark("${" + std::string(name) + "}", name); }

std::string Placeholders::restore(std::string_view text, std::vector<std::string>* names) const {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t index = is_mark(text, at) ? index_of(text, at) : entries_.size();
    if (index >= entries_.size()) {
      out += text[at++];
      continue;
    }
    const Entry& entry = entries_[index];
    out += entry.shown;
    at += kMarkBytes;
    if (names != nullptr && std::find(names->begin(), names->end(), entry.name) == names->end()) {
      names->push_back(entry.name);
    }
  }
  return out;
}

bool Placeholders::any(std::string_view text) const {
  for (std::size_t at = text.find('\xF4'); at != std::string_view::npos; at = text.find('\xF4', at + 1)) {
    if (is_mark(text, at) && index_of(text, at) < entries_.size()) return true;
  }
  return false;
}

}  // namespace gonogo
