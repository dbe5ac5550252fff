// What to say about a flag that the parser doesn't have: it may be misspelt, gone, renamed, or of a later release.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "flags/spelling.h"
#include "rules/pack.h"

namespace gonogo {

// A hint for a word that is no flag of `version`, or for an abbreviation that is no longer unique; may be empty.
std::string hint_for_unknown(const Pack& pack, std::uint32_t version, const Spellings& spellings,
                             std::string_view word);

// What the pack says of a flag that a release no longer takes, by its full spelling; nullptr where it says nothing.
const RetiredRec* retired_flag(const Pack& pack, std::string_view spelling);

// Whether any release's parser takes a flag of this full spelling.
bool is_flag_of_any_version(const Pack& pack, std::string_view spelling);

// "toy 1.1": the runtime as messages name it.
std::string runtime_name(const Pack& pack, std::uint32_t version);

}  // namespace gonogo
