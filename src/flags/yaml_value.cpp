#include "flags/yaml_value.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <new>
#include <optional>
#include <string>

#include "flags/number.h"

namespace gonogo {

namespace {

bool only(std::string_view text, std::string_view set) { return text.find_first_not_of(set) == std::string_view::npos; }

constexpr std::string_view kDigits = "0123456789_";

bool starts_with_digit(std::string_view text) { return !text.empty() && text[0] >= '0' && text[0] <= '9'; }

std::string without(std::string_view text, char unwanted) {
  std::string out(text);
  out.erase(std::remove(out.begin(), out.end(), unwanted), out.end());
  return out;
}

// 1:30 and 1:30.5: every part but the first is below 60.
std::optional<double> sexagesimal(std::string_view text) {
  double total = 0;
  for (bool first = true;; first = false) {
    const std::size_t colon = text.find(':');
    const std::string part = without(text.substr(0, colon), '_');
    const bool last = colon == std::string_view::npos;
    const std::string_view whole = std::string_view(part).substr(0, last ? part.find('.') : std::string::npos);
    if (whole.empty() || !only(whole, "0123456789") || !only(part, last ? "0123456789." : "0123456789")) return {};
    if (!first && (whole.size() > 2 || (whole.size() == 2 && whole[0] > '5'))) return {};
    double value = 0;
    std::from_chars(part.data(), part.data() + part.size(), value);
    total = total * 60 + value;
    if (last) return total;
    text.remove_prefix(colon + 1);
  }
}

// The base of a whole number by its form, or 0; `digits` becomes what the base reads.
int base_of(std::string_view body, std::string_view* digits) {
  *digits = body.substr(std::min<std::size_t>(2, body.size()));
  const bool zero = body.size() > 1 && body[0] == '0';
  if (zero && body[1] == 'b' && !digits->empty() && only(*digits, "01_")) return 2;
  if (zero && body[1] == 'x' && !digits->empty() && only(*digits, "0123456789abcdefABCDEF_")) return 16;
  *digits = body;
  if (zero && only(body, "01234567_")) return 8;
  return starts_with_digit(body) && (body[0] != '0' || body.size() == 1) && only(body, kDigits) ? 10 : 0;
}

std::optional<Value> whole_number(std::string_view text, std::string_view body, bool negative) {
  std::string_view digits;
  const int base = base_of(body, &digits);
  if (base == 0) {
    if (body.find(':') == std::string_view::npos || body.find('.') != std::string_view::npos || body[0] == '0')
      return {};
    const std::optional<double> value = sexagesimal(body);
    if (!value.has_value() || *value > 9e15) return {};
    const auto whole = static_cast<std::int64_t>(*value);
    return Value::integer(negative ? -whole : whole);
  }
  const std::string plain = (negative ? "-" : "") + without(digits, '_');
  std::int64_t value = 0;
  const auto [end, failed] = std::from_chars(plain.data(), plain.data() + plain.size(), value, base);
  if (failed == std::errc()) return Value::integer(value);
  return Value::str(text);  // more than 64 bits, or underscores alone
}

// [0-9][0-9_]*\.[0-9_]*([eE][-+][0-9]+)? and .[0-9][0-9_]*([eE][-+][0-9]+)?
std::optional<Value> decimal_fraction(std::string_view body, bool has_sign, bool negative) {
  const std::size_t point = body.find('.');
  if (point == std::string_view::npos || (point == 0 && has_sign)) return {};
  std::string_view fraction = body.substr(point + 1);
  const std::size_t e = fraction.find_first_of("eE");
  if (e != std::string_view::npos) {
    const std::string_view exponent = fraction.substr(e + 1);
    if (exponent.size() < 2 || (exponent[0] != '-' && exponent[0] != '+') || !only(exponent.substr(1), "0123456789"))
      return {};
    fraction = fraction.substr(0, e);
  }
  const std::string_view whole = body.substr(0, point);
  if (!only(whole, kDigits) || !only(fraction, kDigits)) return {};
  if (point == 0 ? !starts_with_digit(fraction) : !starts_with_digit(whole)) return {};
  double value = 0;
  if (read_float(without(body, '_'), &value) != NumberText::kGood) return {};
  return Value::real(negative ? -value : value);
}

std::optional<Value> number(std::string_view text) {
  const bool has_sign = text[0] == '-' || text[0] == '+';
  const bool negative = text[0] == '-';
  const std::string_view body = text.substr(has_sign ? 1 : 0);
  if (body.empty()) return {};
  if (body == ".inf" || body == ".Inf" || body == ".INF") {
    return Value::real(negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity());
  }
  if (text == ".nan" || text == ".NaN" || text == ".NAN") return Value::real(std::numeric_limits<double>::quiet_NaN());
  if (std::optional<Value> whole = whole_number(text, body, negative)) return whole;
  if (body.find(':') == std::string_view::npos) return decimal_fraction(body, has_sign, negative);
  if (body.find('.') == std::string_view::npos || !starts_with_digit(body)) return {};
  const std::optional<double> value = sexagesimal(body);
  if (!value.has_value()) return {};
  return Value::real(negative ? -*value : *value);
}

// A bare word of a file.
Value plain_scalar(std::string_view text) {
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") return {};
  for (const std::string_view word : {"yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"}) {
    if (text == word) return Value::boolean(true);
  }
  for (const std::string_view word : {"no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"}) {
    if (text == word) return Value::boolean(false);
  }
  return number(text).value_or(Value::str(text));
}

}  // namespace

Value yaml_value(const YamlNode& node, Arena& arena) {
  switch (node.type) {
    case YamlNode::Type::kNull:
      return {};
    case YamlNode::Type::kScalar: {
      const std::string_view text = arena.copy(node.scalar);
      return node.plain ? plain_scalar(text) : Value::str(text);
    }
    case YamlNode::Type::kSequence: {
      Value* items = arena.array<Value>(node.items.size());
      for (std::size_t i = 0; i < node.items.size(); ++i) new (items + i) Value(yaml_value(node.items[i], arena));
      return Value::list(items, static_cast<std::uint32_t>(node.items.size()));
    }
    case YamlNode::Type::kMapping: {
      Entry* entries = arena.array<Entry>(node.entries.size());
      for (std::size_t i = 0; i < node.entries.size(); ++i) {
        const auto& [key, value] = node.entries[i];
        new (entries + i) Entry{yaml_value(key, arena), yaml_value(value, arena)};
      }
      return Value::dict(entries, static_cast<std::uint32_t>(node.entries.size()));
    }
  }
  return {};
}

}  // namespace gonogo
