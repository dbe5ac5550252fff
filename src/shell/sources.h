// The texts that one look at a file reads: the file itself, and what it names beside it. An origin is a byte in one of
// them; everything found leads back to an origin, however many quotes, variables and scripts within scripts it went
// through, and an origin becomes a line and a column only when somebody asks.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "launch/launch.h"

namespace gonogo {

// A byte of a source. `source` is what Sources::add returned, or kNowhere.
struct TextOrigin {
  std::uint32_t source = 0xffffffffu;
  std::uint32_t offset = 0;
};

inline constexpr std::uint32_t kNowhere = 0xffffffffu;

class Sources {
 public:
  // Keeps a copy; the result names it in origins.
  std::uint32_t add(std::string name, std::string text);

  const Source& operator[](std::uint32_t source) const { return entries_[source].source; }
  std::size_t size() const { return entries_.size(); }

  // File, line and column (code points, from 1); line 0 for nowhere.
  Place place(TextOrigin origin) const;

  // The line alone, from 1; 0 for nowhere.
  int line(TextOrigin origin) const;

 private:
  struct Entry {
    Source source;
    std::vector<std::uint32_t> lines;  // where each line begins
  };
  std::deque<Entry> entries_;  // references to a source stay good
};

}  // namespace gonogo
