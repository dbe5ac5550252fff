// Edits that may mend a word which the parser refuses: the nearest flag, what an abbreviation can stand for, a choice
// that there is, or the flag left out.
#pragma once

#include <span>
#include <vector>

#include "flags/edit.h"
#include "flags/usage.h"
#include "rules/pack.h"

namespace gonogo {

// Alternatives for one refusal, the likeliest first; empty where nobody but the user can know, as for a flag that must
// be given.
std::vector<WordEdit> usage_edits(const Pack& pack, std::uint32_t version, std::span<const Word> words,
                                  const UsageFinding& refusal);

// All ways to take one alternative for each of several refusals, likelier ones first; at most kMostMends, and `cut`
// says whether there are more.
inline constexpr std::size_t kMostMends = 40;
std::vector<std::vector<WordEdit>> ways_to_mend(const std::vector<std::vector<WordEdit>>& alternatives, bool* cut);

}  // namespace gonogo
