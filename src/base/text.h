// Small helpers for words and for UTF-8.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gonogo {

// Optimal-string-alignment distance, capped: returns `limit + 1` when it is larger.
int edit_distance(std::string_view a, std::string_view b, int limit);

// The candidate that `word` was probably meant to be; empty when none is near.
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates);

// "did you mean X?" or an empty string.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates);

// Offset of the first byte that is not part of valid UTF-8; npos when all is valid.
std::size_t invalid_utf8(std::string_view text);

// Number of code points in valid UTF-8.
std::size_t code_points(std::string_view text);

// The whole of a regular file of at most `limit` bytes.
Result<std::string> read_file(const std::string& path, std::size_t limit);

// The line of `text` that holds byte `offset`, with a caret under it; fills line and column (from 1).
std::string caret_excerpt(std::string_view text, std::size_t offset, int* line, int* column);

}  // namespace gonogo
