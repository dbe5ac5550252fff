#include "flags/number.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <utility>

#include "base/text.h"

namespace gonogo {

namespace {

// The digit zero of every script that has decimal digits; the other nine follow it.
constexpr char32_t kZeros[] = {
    0x660,   0x6f0,   0x7c0,   0x966,   0x9e6,   0xa66,   0xae6,   0xb66,   0xbe6,   0xc66,   0xce6,   0xd66,   0xde6,
    0xe50,   0xed0,   0xf20,   0x1040,  0x1090,  0x17e0,  0x1810,  0x1946,  0x19d0,  0x1a80,  0x1a90,  0x1b50,  0x1bb0,
    0x1c40,  0x1c50,  0xa620,  0xa8d0,  0xa900,  0xa9d0,  0xa9f0,  0xaa50,  0xabf0,  0xff10,  0x104a0, 0x10d30, 0x11066,
    0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50,
    0x11da0, 0x16a60, 0x16ac0, 0x16b50, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0,
};

// The code point at the front of `text` and its size in bytes; U+FFFFFFFF and 1 for a byte that is none.
std::pair<char32_t, std::size_t> front(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[i])); };
  const char32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (size > text.size() || invalid_utf8(text.substr(0, size)) != std::string_view::npos) return {~char32_t{0}, 1};
  char32_t c = lead & (0xffU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) c = c << 6 | (byte(i) & 0x3f);
  return {c, size};
}

bool is_space(char32_t c) {
  return (c >= 9 && c <= 13) || (c >= 0x1c && c <= 0x20) || c == 0x85 || c == 0xa0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

// `text` without white space around it and with ASCII digits. Python takes fewer characters for white space where
// all of them are ASCII.
std::string ascii(std::string_view text) {
  std::string out;
  if (std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
    constexpr std::string_view kSpaces = " \t\n\v\f\r";
    const std::size_t first = text.find_first_not_of(kSpaces);
    if (first != std::string_view::npos) out = text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
    return out;
  }
  for (text = stripped(text); !text.empty();) {
    const auto [c, size] = front(text);
    const auto* after = std::upper_bound(std::begin(kZeros), std::end(kZeros), c);
    if (c >= 0x80 && after != std::begin(kZeros) && c - *(after - 1) < 10) {
      out += static_cast<char>('0' + (c - *(after - 1)));
    } else {
      out += text.substr(0, size);
    }
    text.remove_prefix(size);
  }
  return out;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes out the underscores that stand between two digits; false where one stands elsewhere.
bool without_underscores(std::string* text) {
  std::string out;
  for (std::size_t i = 0; i < text->size(); ++i) {
    if ((*text)[i] != '_') {
      out += (*text)[i];
    } else if (i == 0 || i + 1 == text->size() || !is_digit((*text)[i - 1]) || !is_digit((*text)[i + 1])) {
      return false;
    }
  }
  *text = std::move(out);
  return true;
}

// A sign and at least one digit, as a 64-bit number.
NumberText to_int(std::string_view text, std::int64_t* out) {
  const bool signed_text = !text.empty() && (text[0] == '+' || text[0] == '-');
  const std::string_view digits = text.substr(signed_text ? 1 : 0);
  if (digits.empty() || !std::all_of(digits.begin(), digits.end(), is_digit)) return NumberText::kBad;
  if (digits.size() > 4300) return NumberText::kBad;  // Python's own limit
  if (text[0] == '+') text.remove_prefix(1);
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), *out);
  return failed == std::errc() ? NumberText::kGood : NumberText::kTooLarge;
}

bool equals_folded(std::string_view text, std::string_view word) {
  return text.size() == word.size() && std::equal(text.begin(), text.end(), word.begin(), [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b;
         });
}

}  // namespace

std::string_view stripped(std::string_view text) {
  while (!text.empty()) {
    const auto [c, size] = front(text);
    if (!is_space(c)) break;
    text.remove_prefix(size);
  }
  while (!text.empty()) {
    std::size_t start = text.size() - 1;
    while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xc0) == 0x80) --start;
    if (!is_space(front(text.substr(start)).first)) break;
    text.remove_suffix(text.size() - start);
  }
  return text;
}

NumberText read_int(std::string_view text, std::int64_t* out) {
  std::string plain = ascii(text);
  return without_underscores(&plain) ? to_int(plain, out) : NumberText::kBad;
}

NumberText read_float(std::string_view text, double* out) {
  std::string plain = ascii(text);
  if (!without_underscores(&plain)) return NumberText::kBad;
  std::string_view body = plain;
  const bool negative = !body.empty() && body[0] == '-';
  if (negative || (!body.empty() && body[0] == '+')) body.remove_prefix(1);
  if (equals_folded(body, "inf") || equals_folded(body, "infinity")) {
    *out = std::numeric_limits<double>::infinity() * (negative ? -1 : 1);
    return NumberText::kGood;
  }
  if (equals_folded(body, "nan")) {
    *out = std::numeric_limits<double>::quiet_NaN();
    return NumberText::kGood;
  }
  if (body.empty() || !(is_digit(body[0]) || body[0] == '.')) return NumberText::kBad;
  const auto [end, failed] = std::from_chars(body.data(), body.data() + body.size(), *out);
  if (end != body.data() + body.size() || failed == std::errc::invalid_argument) return NumberText::kBad;
  if (failed == std::errc::result_out_of_range) *out = std::strtod(std::string(body).c_str(), nullptr);
  if (negative) *out = -*out;
  return NumberText::kGood;
}

NumberText read_human_int(std::string_view text, std::int64_t* out) {
  text = stripped(text);
  const std::string plain = ascii(text);
  const std::size_t whole = std::min(plain.find_first_not_of("0123456789"), plain.size());
  std::size_t end = whole;
  if (whole > 0 && end + 1 < plain.size() && plain[end] == '.' && is_digit(plain[end + 1])) {
    end = std::min(plain.find_first_not_of("0123456789", end + 1), plain.size());
  }
  const std::string_view suffix = std::string_view(plain).substr(end);
  const std::size_t power = suffix.empty() ? std::string_view::npos : std::string_view("kMGT").find(suffix[0]);
  const bool decimal = power != std::string_view::npos && suffix.size() == 1;
  const bool binary = suffix.size() == 2 && suffix[1] == 'i' && std::string_view("KMGT").find(suffix[0]) < 4;
  if (whole == 0 || !(decimal || binary)) return read_int(text, out);
  if (binary) {
    if (end != whole) return NumberText::kBadSuffix;
    const NumberText result = to_int(std::string_view(plain).substr(0, whole), out);
    if (result != NumberText::kGood) return result;
    const int shift = 10 * (1 + static_cast<int>(std::string_view("KMGT").find(suffix[0])));
    if (*out > (std::numeric_limits<std::int64_t>::max() >> shift)) return NumberText::kTooLarge;
    *out <<= shift;
    return NumberText::kGood;
  }
  // Move the point to the right and cut off what stays behind it.
  std::string digits = plain.substr(0, whole);
  std::string fraction = end > whole ? plain.substr(whole + 1, end - whole - 1) : "";
  fraction.resize(3 * (power + 1), '0');
  return to_int(digits + fraction, out);
}

}  // namespace gonogo
