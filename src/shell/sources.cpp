#include "shell/sources.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace gonogo {

std::uint32_t Sources::add(std::string name, std::string text) {
  Entry entry;
  entry.source = {std::move(name), std::move(text)};
  entry.lines.push_back(0);
  const std::string& kept = entry.source.text;
  for (std::size_t at = kept.find('\n'); at != std::string::npos; at = kept.find('\n', at + 1)) {
    entry.lines.push_back(static_cast<std::uint32_t>(at + 1));
  }
  entries_.push_back(std::move(entry));
  return static_cast<std::uint32_t>(entries_.size() - 1);
}

int Sources::line(TextOrigin origin) const {
  if (origin.source >= entries_.size()) return 0;
  const auto& lines = entries_[origin.source].lines;
  return static_cast<int>(std::upper_bound(lines.begin(), lines.end(), origin.offset) - lines.begin());
}

Place Sources::place(TextOrigin origin) const {
  if (origin.source >= entries_.size()) return {};
  const Entry& entry = entries_[origin.source];
  Place place{entry.source.name, line(origin), 1};
  const std::size_t begin = entry.lines[static_cast<std::size_t>(place.line) - 1];
  const std::size_t end = std::min<std::size_t>(origin.offset, entry.source.text.size());
  std::string_view before = std::string_view(entry.source.text).substr(begin, end - begin);
  while (!before.empty()) {  // code points, or bytes that are none
    const std::size_t valid = std::min(invalid_utf8(before), before.size());
    place.column += static_cast<int>(code_points(before.substr(0, valid)));
    if (valid < before.size()) ++place.column;
    before.remove_prefix(std::min(valid + 1, before.size()));
  }
  return place;
}

}  // namespace gonogo
