// What to write in a launch's arguments so that another version's parser reads them as they were meant. Only words that
// this parser refuses or would take for something else are touched: a flag that is gone gives way to what the pack's
// `retired_flags` name, or goes with its values, and an abbreviation that no longer tells flags apart is written in
// full. Whatever has no counterpart is left as it is, for the parser to refuse.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "launch/launch.h"
#include "rules/pack.h"

namespace gonogo {

// One word, rewritten or taken out.
struct WordRewrite {
  std::uint32_t word = 0;  // index into the arguments
  std::string old_text;    // the part of the word that is replaced, from its beginning; a whole word where it goes
  std::optional<std::string> text;  // what stands there instead; absent: the word goes
  std::string why;                  // one phrase: "it was a flag up to 1.2"; empty for the values of such a flag
};

// The edits that `words` need for version `to`, in the order of the words. `from` is the version that they were written
// for, where that is known; otherwise a word means what it meant last.
std::vector<WordRewrite> migrate(const Pack& pack, std::span<const Word> words, std::optional<std::uint32_t> from,
                                 std::uint32_t to);

// `words` with the edits made; each keeps its place.
std::vector<Word> rewritten(std::span<const Word> words, const std::vector<WordRewrite>& edits);

}  // namespace gonogo
