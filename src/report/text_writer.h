// Writes a report for people line by line, in a terminal's colours or without. What JsonWriter is to machines' reports.
#pragma once

#include <string>
#include <string_view>

#include "report/report.h"

namespace gonogo {

class TextWriter {
 protected:
  explicit TextWriter(bool color) : color_(color) {}

  void line(std::string_view text) {
    text_ += text;
    text_ += '\n';
  }
  std::string paint(std::string_view text, const char* code) const { return painted(text, code, color_); }

  std::string text_;
  bool color_;
};

}  // namespace gonogo
