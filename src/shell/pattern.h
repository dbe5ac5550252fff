// A shell pattern: *, ?, [sets], and the extended @(a|b), ?(…), *(…), +(…), !(…). Characters that were quoted stand
// behind a backslash.
#pragma once

#include <string>
#include <string_view>

namespace gonogo {

// Whether all of `text` matches.
bool matches_pattern(std::string_view pattern, std::string_view text);

// Whether a pattern is plain text, and which.
bool is_plain_pattern(std::string_view pattern, std::string* text);

// `${X#P}` ('#' or '%'): `text` without its shortest, or longest, beginning or end that matches.
std::string without_pattern(std::string_view text, std::string_view pattern, char side, bool longest);

// `${X/P/R}`: with `replacement` for the first match, or each; `anchor` is '#' (at the beginning), '%' (at the end) or
// 0.
std::string replace_pattern(std::string_view text, std::string_view pattern, std::string_view replacement, bool all,
                            char anchor);

}  // namespace gonogo
