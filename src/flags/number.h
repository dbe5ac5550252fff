// Numbers as Python's int() and float() read them from a word, and with the suffixes that runtimes add.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gonogo {

enum class NumberText : std::uint8_t {
  kGood,
  kBad,        // no number
  kTooLarge,   // a whole number of more than 64 bits, which Python would hold
  kBadSuffix,  // a fraction before a binary suffix: "1.5Ki"
};

// int(text): a sign, decimal digits of any script, single underscores between digits, spaces around.
NumberText read_int(std::string_view text, std::int64_t* out);

// float(text): also inf, infinity, nan, exponents; too large is infinity.
NumberText read_float(std::string_view text, double* out);

// int(text), or a number with k, M, G, T (powers of 1000; fractions allowed, the rest cut off) or Ki, Mi, Gi, Ti
// (powers of 1024; whole numbers only). Suffixes are case-sensitive.
NumberText read_human_int(std::string_view text, std::int64_t* out);

// str.strip(): without Unicode white space at both ends.
std::string_view stripped(std::string_view text);

}  // namespace gonogo
