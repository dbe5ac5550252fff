#include "flags/usage.h"

#include <algorithm>

#include "base/text.h"

namespace gonogo {

std::string_view usage_kind_name(UsageFinding::Kind kind) {
  constexpr std::string_view kNames[] = {"config-file", "ambiguous", "missing-value", "unwanted-value", "bad-value",
                                         "bad-choice",  "retired",   "bad-item",      "help",           "version",
                                         "required",    "unknown",   "deprecated",    "ignored"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string quoted(std::string_view text) {
  constexpr std::size_t kMost = 60;
  std::string out = "'";
  for (std::size_t shown = 0; !text.empty(); ++shown) {
    if (shown == kMost) {
      out += "…";
      break;
    }
    const unsigned char lead = static_cast<unsigned char>(text[0]);
    std::size_t size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    size = std::min(size, text.size());
    if (lead < 0x20 || lead == 0x7f) {
      out += ' ';
    } else if (invalid_utf8(text.substr(0, size)) != std::string_view::npos) {
      out += "\xef\xbf\xbd";
      size = 1;
    } else {
      out += text.substr(0, size);
    }
    text.remove_prefix(size);
  }
  return out + "'";
}

}  // namespace gonogo
