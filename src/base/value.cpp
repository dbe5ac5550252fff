#include "base/value.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

namespace gonogo {

Value Value::real(double d) {
  Value v(Kind::kFloat, 0, 0);
  v.float_ = d;
  return v;
}

Value Value::str(std::string_view text) {
  Value v(Kind::kStr, static_cast<std::uint32_t>(text.size()), 0);
  v.text_ = text.data();
  return v;
}

Value Value::list(const Value* items, std::uint32_t count) {
  Value v(Kind::kList, count, 0);
  v.items_ = items;
  return v;
}

Value Value::tuple(const Value* items, std::uint32_t count) {
  Value v(Kind::kTuple, count, 0);
  v.items_ = items;
  return v;
}

Value Value::dict(const Entry* entries, std::uint32_t count) {
  Value v(Kind::kDict, count, 0);
  v.entries_ = entries;
  return v;
}

Value Value::unknown(std::string_view what) {
  Value v = str(what);
  v.kind_ = Kind::kUnknown;
  return v;
}

Value Value::error(ErrorKind kind, std::string_view message) {
  Value v = str(message);
  v.kind_ = Kind::kError;
  v.error_ = kind;
  return v;
}

const Value* Value::find(std::string_view key) const {
  if (kind_ != Kind::kDict) return nullptr;
  for (std::uint32_t i = 0; i < size_; ++i) {
    const Value& k = entries_[i].key;
    if (k.kind_ == Kind::kStr && k.size_ == key.size() && std::memcmp(k.text_, key.data(), key.size()) == 0) {
      return &entries_[i].value;
    }
  }
  return nullptr;
}

bool truthy(const Value& v) {
  switch (v.kind()) {
    case Kind::kNone:
      return false;
    case Kind::kBool:
    case Kind::kInt:
      return v.as_int() != 0;
    case Kind::kFloat:
      return v.as_double() != 0;
    default:
      return v.size() != 0;
  }
}

namespace {

// Comparing an int with a float must be exact, as in Python: 2**53 + 1 is not float(2**53).
bool equal_numbers(const Value& a, const Value& b) {
  if (a.is_integral() && b.is_integral()) return a.as_int() == b.as_int();
  if (a.is(Kind::kFloat) && b.is(Kind::kFloat)) return a.as_double() == b.as_double();
  const double d = a.is(Kind::kFloat) ? a.as_double() : b.as_double();
  const std::int64_t i = a.is(Kind::kFloat) ? b.as_int() : a.as_int();
  return d >= -9223372036854775808.0 && d < 9223372036854775808.0 && std::trunc(d) == d &&
         static_cast<std::int64_t>(d) == i;
}

const Value* find_key(const Value& dict, const Value& key, bool (*same)(const Value&, const Value&)) {
  for (std::uint32_t i = 0; i < dict.size(); ++i) {
    if (same(dict.entries()[i].key, key)) return &dict.entries()[i].value;
  }
  return nullptr;
}

bool equal_containers(const Value& a, const Value& b, bool (*same)(const Value&, const Value&)) {
  if (a.size() != b.size()) return false;
  if (a.is_dict()) {
    for (std::uint32_t i = 0; i < a.size(); ++i) {
      const Value* other = find_key(b, a.entries()[i].key, same);
      if (other == nullptr || !same(a.entries()[i].value, *other)) return false;
    }
    return true;
  }
  for (std::uint32_t i = 0; i < a.size(); ++i) {
    if (!same(a[i], b[i])) return false;
  }
  return true;
}

}  // namespace

bool equal(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) return equal_numbers(a, b);
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Kind::kNone:
      return true;
    case Kind::kStr:
      return a.as_str() == b.as_str();
    case Kind::kList:
    case Kind::kTuple:
    case Kind::kDict:
      return equal_containers(a, b, equal);
    default:
      return false;
  }
}

bool identical(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return false;
  if (a.is_sequence() || a.is_dict()) return equal_containers(a, b, identical);
  if (a.is_unknown()) return a.as_str() == b.as_str();
  return equal(a, b);
}

std::string format_float(double d) {
  if (std::isnan(d)) return "nan";
  if (std::isinf(d)) return d > 0 ? "inf" : "-inf";
  std::array<char, 40> buffer{};
  auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), d, std::chars_format::scientific).ptr;
  const std::string scientific(buffer.data(), end);
  const int exponent = std::stoi(scientific.substr(scientific.find('e') + 1));
  if (exponent >= 16 || exponent < -4) return scientific;
  end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), d, std::chars_format::fixed).ptr;
  std::string fixed(buffer.data(), end);
  if (fixed.find('.') == std::string::npos) fixed += ".0";
  return fixed;
}

namespace {

void append_repr(std::string& out, const Value& v);

void append_quoted(std::string& out, std::string_view text) {
  // Python prefers single quotes and changes to double ones only to save escapes.
  const bool has_single = text.find('\'') != std::string_view::npos;
  const char quote = has_single && text.find('"') == std::string_view::npos ? '"' : '\'';
  out += quote;
  for (const char c : text) {
    if (c == quote || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      constexpr std::string_view kHex = "0123456789abcdef";
      out += "\\x";
      out += kHex[static_cast<unsigned char>(c) >> 4];
      out += kHex[static_cast<unsigned char>(c) & 15];
    } else {
      out += c;
    }
  }
  out += quote;
}

void append_items(std::string& out, const Value& v) {
  for (std::uint32_t i = 0; i < v.size(); ++i) {
    if (i > 0) out += ", ";
    if (v.is_dict()) {
      append_repr(out, v.entries()[i].key);
      out += ": ";
      append_repr(out, v.entries()[i].value);
    } else {
      append_repr(out, v[i]);
    }
  }
}

void append_repr(std::string& out, const Value& v) {
  switch (v.kind()) {
    case Kind::kNone:
      out += "None";
      break;
    case Kind::kBool:
      out += v.as_bool() ? "True" : "False";
      break;
    case Kind::kInt:
      out += std::to_string(v.as_int());
      break;
    case Kind::kFloat:
      out += format_float(v.as_double());
      break;
    case Kind::kStr:
      append_quoted(out, v.as_str());
      break;
    case Kind::kList:
      out += '[';
      append_items(out, v);
      out += ']';
      break;
    case Kind::kTuple:
      out += '(';
      append_items(out, v);
      out += v.size() == 1 ? ",)" : ")";
      break;
    case Kind::kDict:
      out += '{';
      append_items(out, v);
      out += '}';
      break;
    case Kind::kUnknown:
      out += "<unknown: ";
      out += v.as_str();
      out += '>';
      break;
    case Kind::kError:
      out += '<';
      out += error_name(v.error_kind());
      out += ": ";
      out += v.as_str();
      out += '>';
      break;
  }
}

}  // namespace

std::string to_str(const Value& v) { return v.is_str() ? std::string(v.as_str()) : to_repr(v); }

std::string to_repr(const Value& v) {
  std::string out;
  append_repr(out, v);
  return out;
}

std::string_view type_name(const Value& v) {
  static constexpr std::array<std::string_view, 10> kNames = {"NoneType", "bool",  "int",  "float",   "str",
                                                              "list",     "tuple", "dict", "unknown", "error"};
  return kNames[static_cast<std::size_t>(v.kind())];
}

std::string_view error_name(ErrorKind kind) {
  static constexpr std::array<std::string_view, 6> kNames = {"TypeError",  "ValueError",    "ZeroDivisionError",
                                                             "IndexError", "OverflowError", "KeyError"};
  return kNames[static_cast<std::size_t>(kind)];
}

Value deep_copy(const Value& v, Arena& arena) {
  switch (v.kind()) {
    case Kind::kStr:
      return Value::str(arena.copy(v.as_str()));
    case Kind::kUnknown:
      return Value::unknown(arena.copy(v.as_str()));
    case Kind::kList:
    case Kind::kTuple: {
      auto* items = arena.array<Value>(v.size());
      for (std::uint32_t i = 0; i < v.size(); ++i) new (items + i) Value(deep_copy(v[i], arena));
      return v.is(Kind::kList) ? Value::list(items, v.size()) : Value::tuple(items, v.size());
    }
    case Kind::kDict: {
      auto* entries = arena.array<Entry>(v.size());
      for (std::uint32_t i = 0; i < v.size(); ++i) {
        new (entries + i) Entry{deep_copy(v.entries()[i].key, arena), deep_copy(v.entries()[i].value, arena)};
      }
      return Value::dict(entries, v.size());
    }
    default:
      return v;
  }
}

}  // namespace gonogo
