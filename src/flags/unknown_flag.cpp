#include "flags/unknown_flag.h"

#include <algorithm>
#include <bit>

#include "base/arena.h"
#include "base/text.h"
#include "rules/constant.h"

namespace gonogo {

namespace {

bool has_spelling(const Pack& pack, const FlagRec& flag, std::string_view name) {
  const auto ids = pack.slice(flag.spellings);
  return std::any_of(ids.begin(), ids.end(), [&](StrId id) { return pack.text(id) == name; });
}

// The replacement, where the version's parser takes it; a replacement may be more than a spelling.
std::string replacement(const Pack& pack, const Spellings& spellings, const FlagRec& flag) {
  const std::string_view text = pack.text(flag.replacement);
  const std::string_view spelling = text.substr(0, text.find_first_of("= "));
  return spellings.find(spelling) == kNoIndex ? std::string() : std::string(text);
}

}  // namespace

std::string runtime_name(const Pack& pack, std::uint32_t version) {
  return std::string(pack.text(pack.about->name)) + " " + std::string(pack.version(version));
}

std::string hint_for_unknown(const Pack& pack, std::uint32_t version, const Spellings& spellings,
                             std::string_view word) {
  const std::string_view name = word.substr(0, word.find('='));
  for (const FlagRec& flag : pack.flags) {
    if ((flag.versions >> version & 1) != 0 || !has_spelling(pack, flag, name)) continue;
    std::string hint;
    if (flag.versions == 0) {
      Arena arena;
      const Value until = constant(pack, flag.constant, arena);
      hint =
          until.is_str() ? "it was a flag up to " + std::string(until.as_str()) : "it was a flag of earlier releases";
    } else if (flag.versions >> version != 0) {
      const auto first = static_cast<std::uint32_t>(std::countr_zero(flag.versions >> version)) + version;
      hint = "it comes with " + std::string(pack.version(first));
    } else {
      const auto last = static_cast<std::uint32_t>(std::bit_width(flag.versions)) - 1;
      hint = "it was a flag up to " + std::string(pack.version(last));
    }
    const std::string use = replacement(pack, spellings, flag);
    return use.empty() ? hint : hint + "; now " + use;
  }
  return did_you_mean(name, spellings.shown());
}

}  // namespace gonogo
