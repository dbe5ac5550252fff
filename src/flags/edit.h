// A changed command line: the words that give a flag another value, or none, and where they go. What a report proposes
// is written with these, and tried as these, so that what is shown is what was tried.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/arena.h"
#include "base/value.h"
#include "launch/launch.h"
#include "rules/pack.h"

namespace gonogo {

// Words [first, first + count) are replaced by `by`; an insertion has count 0.
struct WordEdit {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::vector<std::string> by;
};

// The words that give a field a value, and the value exactly as the parser will read them: 1 for a flag of floats
// becomes 1.0. The value lives in the arena.
struct FlagWords {
  std::vector<std::string> words;
  Value value;
};

// The preferred flag of a version that can set `field` to `value`, with its words; nullopt where none can, as for False
// of a flag that only switches on.
std::optional<FlagWords> flag_words(const Pack& pack, std::uint32_t version, std::uint32_t field, const Value& value,
                                    Arena& arena);

// The edits after which nothing of `words` sets `field`, and `by` does, at the place of the last word that did or at
// the end. An empty `by` only takes away.
std::vector<WordEdit> edits_for(const Pack& pack, std::uint32_t version, std::span<const Word> words,
                                std::uint32_t field, std::vector<std::string> by);

// `words` after edits, which must not overlap.
std::vector<Word> edited(std::span<const Word> words, std::vector<WordEdit> edits);

}  // namespace gonogo
