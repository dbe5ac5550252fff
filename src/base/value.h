// The values of the rule language: Python's None, bool, int, float, str, list, tuple and dict, and two more.
// Unknown is a fact that was not obtained; Error is an operation that Python refuses (TypeError and the like).
// A Value is 16 bytes without ownership: text and items live in an Arena, in the pack or in a loaded file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/arena.h"

namespace gonogo {

struct Entry;

enum class Kind : std::uint8_t { kNone, kBool, kInt, kFloat, kStr, kList, kTuple, kDict, kUnknown, kError };

// Python's name for the error; the order is that of `error_name`.
enum class ErrorKind : std::uint8_t {
  kTypeError,
  kValueError,
  kZeroDivisionError,
  kIndexError,
  kOverflowError,
  kKeyError,
};

class Value {
 public:
  constexpr Value() : kind_(Kind::kNone), size_(0), int_(0) {}
  static constexpr Value none() { return {}; }
  static constexpr Value boolean(bool b) { return Value(Kind::kBool, 0, b ? 1 : 0); }
  static constexpr Value integer(std::int64_t i) { return Value(Kind::kInt, 0, i); }
  static Value real(double d);
  static Value str(std::string_view text);  // `text` must outlive the value
  static Value list(const Value* items, std::uint32_t count);
  static Value tuple(const Value* items, std::uint32_t count);
  static Value dict(const Entry* entries, std::uint32_t count);
  static Value unknown(std::string_view what);  // what is missing, as the user would supply it
  static Value error(ErrorKind kind, std::string_view message);

  Kind kind() const { return kind_; }
  bool is(Kind k) const { return kind_ == k; }
  bool is_none() const { return kind_ == Kind::kNone; }
  bool is_str() const { return kind_ == Kind::kStr; }
  bool is_dict() const { return kind_ == Kind::kDict; }
  bool is_sequence() const { return kind_ == Kind::kList || kind_ == Kind::kTuple; }
  bool is_integral() const { return kind_ == Kind::kInt || kind_ == Kind::kBool; }
  bool is_number() const { return is_integral() || kind_ == Kind::kFloat; }
  bool is_unknown() const { return kind_ == Kind::kUnknown; }
  bool is_error() const { return kind_ == Kind::kError; }
  bool is_bad() const { return kind_ >= Kind::kUnknown; }

  bool as_bool() const { return int_ != 0; }
  std::int64_t as_int() const { return int_; }
  double as_double() const { return kind_ == Kind::kFloat ? float_ : static_cast<double>(int_); }
  std::string_view as_str() const { return {text_, size_}; }  // also the text of an unknown or error
  ErrorKind error_kind() const { return error_; }

  std::uint32_t size() const { return size_; }  // items, entries, or bytes of text
  const Value* items() const { return items_; }
  const Value& operator[](std::uint32_t i) const { return items_[i]; }
  const Entry* entries() const { return entries_; }

  // The value under a string key of a dict; nullptr where it is no dict or has no such key.
  const Value* find(std::string_view key) const;

 private:
  constexpr Value(Kind kind, std::uint32_t size, std::int64_t i) : kind_(kind), size_(size), int_(i) {}

  Kind kind_;
  ErrorKind error_ = ErrorKind::kTypeError;
  std::uint32_t size_;
  union {
    std::int64_t int_;
    double float_;
    const char* text_;
    const Value* items_;
    const Entry* entries_;
  };
};
static_assert(sizeof(Value) == 16);

struct Entry {
  Value key;
  Value value;
};

// Python's truth of a value that is neither unknown nor an error.
bool truthy(const Value& v);

// Python's `==` (1 == 1.0 == True; a list never equals a tuple). Unknowns and errors equal nothing.
bool equal(const Value& a, const Value& b);

// `equal`, and the same kinds throughout: tells 2 from 2.0 and 1 from True.
bool identical(const Value& a, const Value& b);

// Python's str(v), and repr(v) as it stands inside a container.
std::string to_str(const Value& v);
std::string to_repr(const Value& v);

// The shortest text that reads back as `d`, as Python prints it: 0.1, 1e+16, 2.0, inf.
std::string format_float(double d);

// "int", "str", "NoneType" …
std::string_view type_name(const Value& v);
std::string_view error_name(ErrorKind kind);

// A copy of `v` and everything in it that lives in `arena`.
Value deep_copy(const Value& v, Arena& arena);

}  // namespace gonogo
