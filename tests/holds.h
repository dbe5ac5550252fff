// Whether a text has a part.
#pragma once

#include <string_view>

namespace gonogo::test {

inline bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace gonogo::test
