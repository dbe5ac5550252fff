// Changes of a file's text, word by word: what stands at a word's place is replaced, or taken out together with what
// only served it (its quotes, the comma of a list, its line and the continuation that led there). Nothing else moves.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gonogo {

struct TextEdit {
  Place place;                      // where the word begins: line, and column in characters, both from 1
  std::string old_text;             // what stands there, byte for byte
  std::optional<std::string> text;  // what shall stand there; absent: the word goes
};

// Whether `word` stands at `place` of `text`, byte for byte.
bool stands_at(std::string_view text, const Place& place, std::string_view word);

// `text` with the edits made, in any order. An error where a place does not hold the edit's old text.
Result<std::string> apply_edits(std::string_view text, const std::vector<TextEdit>& edits);

// The difference of two texts as `diff -u` prints it, with three or four lines around each change; empty where there is
// none.
std::string unified_diff(std::string_view name, std::string_view before, std::string_view after);

}  // namespace gonogo
