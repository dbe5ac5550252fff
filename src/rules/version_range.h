// Ranges of versions (">=0.5.22,<0.5.23"), compared number by number. A part that is no number counts by its leading
// digits, so "0.5.23rc1" equals "0.5.23".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gonogo {

class VersionRange {
 public:
  // Terms < <= > >= == != joined by commas; nullopt where the text is anything else.
  static std::optional<VersionRange> parse(std::string_view text);

  bool contains(std::string_view version) const;

 private:
  struct Term {
    std::string_view op;  // points to a literal
    std::string version;
  };
  std::vector<Term> terms_;
};

}  // namespace gonogo
