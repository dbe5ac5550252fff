// Programs that run the rest of their words: which of their options take a value, and how many words stand between
// the options and the program.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "shell/text.h"

namespace gonogo {

struct Wrapper {
  std::string_view name;     // of the program, or of it and its subcommand: "uv run"
  std::string_view shorts;   // letters of options with a value
  std::string_view longs;    // names of long options with a value as the next word, each between blanks
  std::size_t operands = 0;  // words before the program
  bool all_longs = false;    // every long option without "=" takes the next word, but those in `longs`
};

// The wrapper that these words begin with; null where there is none.
const Wrapper* find_wrapper(const std::vector<Text>& words);

// How many words a wrapper's own name, options and operands are.
std::size_t wrapper_words(const Wrapper& wrapper, const std::vector<Text>& words);

}  // namespace gonogo
