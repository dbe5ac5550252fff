#include "flags/unknown_flag.h"

#include <algorithm>
#include <bit>

#include "base/arena.h"
#include "base/text.h"
#include "rules/constant.h"

namespace gonogo {

const RetiredRec* retired_flag(const Pack& pack, std::string_view spelling) {
  const auto at = std::find_if(pack.retired.begin(), pack.retired.end(),
                               [&](const RetiredRec& r) { return pack.text(r.flag) == spelling; });
  return at == pack.retired.end() ? nullptr : &*at;
}

namespace {

bool has_spelling(const Pack& pack, const FlagRec& flag, std::string_view name) {
  const auto ids = pack.slice(flag.spellings);
  return std::any_of(ids.begin(), ids.end(), [&](StrId id) { return pack.text(id) == name; });
}

// What to write for a flag that is gone, where the version's parser takes it.
std::string replacement(const Pack& pack, const Spellings& spellings, std::string_view name, const FlagRec& flag) {
  std::string_view text = pack.text(pack.special(flag).replacement);
  if (const RetiredRec* retired = retired_flag(pack, name)) text = pack.text(retired->write);
  const std::string_view spelling = text.substr(0, text.find_first_of("= "));
  return spellings.find(spelling) == kNoIndex ? std::string() : std::string(text);
}

}  // namespace

std::string runtime_name(const Pack& pack, std::uint32_t version) {
  return std::string(pack.text(pack.about->name)) + " " + std::string(pack.version(version));
}

bool is_flag_of_any_version(const Pack& pack, std::string_view spelling) {
  return std::any_of(pack.flags.begin(), pack.flags.end(),
                     [&](const FlagRec& flag) { return has_spelling(pack, flag, spelling); });
}

std::string hint_for_unknown(const Pack& pack, std::uint32_t version, const Spellings& spellings,
                             std::string_view word) {
  const std::string_view name = word.substr(0, word.find('='));
  Mask versions = 0;
  std::string use;
  for (const FlagRec& flag : pack.flags) {
    if (!has_spelling(pack, flag, name)) continue;
    versions |= flag.versions;
    if (use.empty()) use = replacement(pack, spellings, name, flag);
  }
  if (versions == 0) return did_you_mean(name, spellings.shown());
  const bool later = versions >> version != 0;
  const auto at = later ? static_cast<std::uint32_t>(std::countr_zero(versions >> version)) + version
                        : static_cast<std::uint32_t>(std::bit_width(versions)) - 1;
  return (later ? "it comes with " : "it was a flag up to ") + std::string(pack.version(at)) +
         (use.empty() ? "" : "; now " + use);
}

}  // namespace gonogo
