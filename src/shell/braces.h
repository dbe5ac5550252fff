// Brace expansion: {a,b}, {1..8}, {01..10..3}, nested and with what stands around them.
#pragma once

#include <vector>

#include "shell/syntax.h"

namespace gonogo {

// The words that one becomes: itself where no brace expands. More than `limit` are not made; the word then stays.
std::vector<SyntaxWord> expand_braces(const SyntaxWord& word, std::size_t limit = 4096);

}  // namespace gonogo
