// A text and where it stands in a file. Words of a launch are often taken out of something else (a YAML scalar, a
// fence, a continued line), so that the text is not the file's own bytes; runs say where each part of it came from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gonogo {

class MappedText {
 public:
  MappedText() = default;

  // `text`, whose first byte stands at `offset` of the file and whose others follow it.
  static MappedText of(std::string_view text, std::size_t offset);

  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }
  std::size_t size() const { return text_.size(); }

  // Appends text that stands at `offset` of the file, byte for byte.
  void append(std::string_view text, std::size_t offset);
  // Appends text that has no bytes of its own in the file: all of it belongs to `offset`.
  void append_at(std::string_view text, std::size_t offset);
  void append(const MappedText& other) { append(other, 0, other.size()); }
  // Appends the bytes [first, last) of `other` with their places.
  void append(const MappedText& other, std::size_t first, std::size_t last);

  // The offset in the file of a byte of the text; of the end: one behind the last byte's.
  std::size_t offset(std::size_t at) const;

 private:
  struct Run {
    std::uint32_t at;      // where it begins in the text
    std::uint32_t offset;  // where its first byte stands in the file
    bool stretched;        // all of it stands at one place
  };
  void push(std::size_t at, std::size_t offset, bool stretched);

  std::string text_;
  std::vector<Run> runs_;
};

// The lines of a file, to turn an offset into a place.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text);

  int line(std::size_t offset) const;  // from 1
  // `column` counts bytes from 1.
  Place place(std::string_view file, std::size_t offset) const;
  // The offset where a line (from 1) begins; the text's size behind the last one.
  std::size_t start(int line) const;
  int count() const { return static_cast<int>(starts_.size()); }

 private:
  std::vector<std::uint32_t> starts_;
  std::size_t size_;
};

}  // namespace gonogo
