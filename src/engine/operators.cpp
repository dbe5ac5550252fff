#include "engine/operators.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "base/text.h"

namespace gonogo {

namespace {

constexpr std::size_t kMaxItems = 1'000'000;  // of a sequence that an expression makes

Value overflow() { return Value::error(ErrorKind::kOverflowError, "the integer does not fit 64 bits"); }
Value division_by_zero() { return Value::error(ErrorKind::kZeroDivisionError, "division by zero"); }

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  const std::int64_t q = a / b;
  return (a % b != 0 && (a % b < 0) != (b < 0)) ? q - 1 : q;
}

// Python's float divmod: the remainder has the divisor's sign, the quotient is floored.
void float_divmod(double a, double b, double* quotient, double* remainder) {
  double mod = std::fmod(a, b);
  double div = (a - mod) / b;
  if (mod != 0) {
    if ((b < 0) != (mod < 0)) {
      mod += b;
      div -= 1;
    }
  } else {
    mod = std::copysign(0.0, b);
  }
  double floored = div != 0 ? std::floor(div) : std::copysign(0.0, a / b);
  if (div != 0 && div - floored > 0.5) floored += 1;
  *quotient = floored;
  *remainder = mod;
}

Value int_power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0) {
    if (base == 0) return Value::error(ErrorKind::kZeroDivisionError, "0 can't be raised to a negative power");
    return Value::real(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
  }
  std::int64_t result = 1;
  while (exponent > 0) {
    if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result)) return overflow();
    exponent >>= 1;
    if (exponent > 0 && __builtin_mul_overflow(base, base, &base)) return overflow();
  }
  return Value::integer(result);
}

Value int_arithmetic(Op op, std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  switch (op) {
    case Op::kAdd:
      return __builtin_add_overflow(a, b, &r) ? overflow() : Value::integer(r);
    case Op::kSub:
      return __builtin_sub_overflow(a, b, &r) ? overflow() : Value::integer(r);
    case Op::kMul:
      return __builtin_mul_overflow(a, b, &r) ? overflow() : Value::integer(r);
    case Op::kDiv:
      if (b == 0) return division_by_zero();
      return Value::real(static_cast<double>(static_cast<long double>(a) / static_cast<long double>(b)));
    case Op::kFloorDiv:
      if (b == 0) return division_by_zero();
      if (a == std::numeric_limits<std::int64_t>::min() && b == -1) return overflow();
      return Value::integer(floor_div(a, b));
    case Op::kMod:
      if (b == 0) return division_by_zero();
      return Value::integer(b == -1 ? 0 : a - floor_div(a, b) * b);
    default:
      return int_power(a, b);
  }
}

Value float_arithmetic(Op op, double a, double b) {
  double quotient = 0;
  double remainder = 0;
  switch (op) {
    case Op::kAdd:
      return Value::real(a + b);
    case Op::kSub:
      return Value::real(a - b);
    case Op::kMul:
      return Value::real(a * b);
    case Op::kDiv:
      return b == 0 ? division_by_zero() : Value::real(a / b);
    case Op::kFloorDiv:
    case Op::kMod:
      if (b == 0) return division_by_zero();
      float_divmod(a, b, &quotient, &remainder);
      return Value::real(op == Op::kMod ? remainder : quotient);
    default: {
      if (a == 0 && b < 0)
        return Value::error(ErrorKind::kZeroDivisionError, "0.0 can't be raised to a negative power");
      const double r = std::pow(a, b);
      if (std::isnan(r) && !std::isnan(a) && !std::isnan(b)) return value_error("the power is a complex number");
      if (std::isinf(r) && !std::isinf(a) && !std::isinf(b)) {
        return Value::error(ErrorKind::kOverflowError, "the power is too large for a float");
      }
      return Value::real(r);
    }
  }
}

Value concatenated(const Value& a, const Value& b, Arena& arena) {
  const std::size_t count = std::size_t{a.size()} + b.size();
  if (count > kMaxItems) return Value::error(ErrorKind::kOverflowError, "the sequence is too long");
  if (a.is_str()) {
    char* text = arena.array<char>(count);
    std::memcpy(text, a.as_str().data(), a.size());
    std::memcpy(text + a.size(), b.as_str().data(), b.size());
    return Value::str({text, count});
  }
  auto* items = arena.array<Value>(count);
  std::copy_n(a.items(), a.size(), items);
  std::copy_n(b.items(), b.size(), items + a.size());
  const auto n = static_cast<std::uint32_t>(count);
  return a.is(Kind::kList) ? Value::list(items, n) : Value::tuple(items, n);
}

Value repeated(const Value& sequence, std::int64_t times, Arena& arena) {
  times = std::max<std::int64_t>(times, 0);
  if (sequence.size() != 0 && static_cast<std::size_t>(times) > kMaxItems / sequence.size()) {
    return Value::error(ErrorKind::kOverflowError, "the sequence is too long");
  }
  const auto count = static_cast<std::uint32_t>(sequence.size() * static_cast<std::size_t>(times));
  if (sequence.is_str()) {
    char* text = arena.array<char>(count);
    for (std::int64_t i = 0; i < times; ++i) {
      std::memcpy(text + static_cast<std::size_t>(i) * sequence.size(), sequence.as_str().data(), sequence.size());
    }
    return Value::str({text, count});
  }
  auto* items = arena.array<Value>(count);
  for (std::int64_t i = 0; i < times; ++i) {
    std::copy_n(sequence.items(), sequence.size(), items + static_cast<std::size_t>(i) * sequence.size());
  }
  return sequence.is(Kind::kList) ? Value::list(items, count) : Value::tuple(items, count);
}

bool is_repeatable(const Value& v) { return v.is_str() || v.is_sequence(); }

template <typename T>
int sign(T a, T b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

Value contains(const Value& item, const Value& container) {
  switch (container.kind()) {
    case Kind::kStr:
      if (!item.is_str()) return type_error("'in <string>' needs a string on its left");
      return Value::boolean(container.as_str().find(item.as_str()) != std::string_view::npos);
    case Kind::kList:
    case Kind::kTuple: {
      const Value* unknown = nullptr;
      for (std::uint32_t i = 0; i < container.size(); ++i) {
        if (container[i].is_bad()) {
          unknown = &container[i];
        } else if (equal(item, container[i])) {
          return Value::boolean(true);
        }
      }
      return unknown != nullptr ? *unknown : Value::boolean(false);
    }
    case Kind::kDict:
      if (item.is(Kind::kList) || item.is_dict()) return type_error("a list or dict can't be a key");
      for (std::uint32_t i = 0; i < container.size(); ++i) {
        if (equal(container.entries()[i].key, item)) return Value::boolean(true);
      }
      return Value::boolean(false);
    default:
      return type_error("'in' needs a list, tuple, dict or str on its right");
  }
}

// The byte where code point `n` of valid UTF-8 starts.
std::size_t byte_of(std::string_view text, std::int64_t n) {
  std::size_t at = 0;
  while (n > 0 && at < text.size()) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) ++at;
    --n;
  }
  return at;
}

std::int64_t length(const Value& v) {
  return v.is_str() ? static_cast<std::int64_t>(code_points(v.as_str())) : v.size();
}

// An unknown inside a container, or null: a record of which one leaf is unknown equals nothing for sure.
const Value* unknown_within(const Value& v) {
  if (v.is_unknown()) return &v;
  if (!v.is_sequence() && !v.is_dict()) return nullptr;
  for (std::uint32_t i = 0; i < v.size(); ++i) {
    if (const Value* found = unknown_within(v.is_dict() ? v.entries()[i].value : v[i])) return found;
  }
  return nullptr;
}

// a == b; where an unknown leaf could decide it, unknown.
Value equality(const Value& a, const Value& b) {
  const bool same = equal(a, b);
  if (same || a.kind() != b.kind()) return Value::boolean(same);
  const Value* unknown = unknown_within(a);
  if (unknown == nullptr) unknown = unknown_within(b);
  return unknown != nullptr ? *unknown : Value::boolean(false);
}

}  // namespace

Value type_error(std::string_view message) { return Value::error(ErrorKind::kTypeError, message); }
Value value_error(std::string_view message) { return Value::error(ErrorKind::kValueError, message); }

Value make_list(const Value* items, std::size_t count, Arena& arena) {
  auto* copy = arena.array<Value>(count);
  std::copy_n(items, count, copy);
  return Value::list(copy, static_cast<std::uint32_t>(count));
}

Value arithmetic(Op op, const Value& a, const Value& b, Arena& arena) {
  if (a.is_integral() && b.is_integral()) return int_arithmetic(op, a.as_int(), b.as_int());
  if (a.is_number() && b.is_number()) return float_arithmetic(op, a.as_double(), b.as_double());
  if (op == Op::kAdd && a.kind() == b.kind() && is_repeatable(a)) return concatenated(a, b, arena);
  if (op == Op::kMul && is_repeatable(a) && b.is_integral()) return repeated(a, b.as_int(), arena);
  if (op == Op::kMul && is_repeatable(b) && a.is_integral()) return repeated(b, a.as_int(), arena);
  return type_error("the operator does not take these types");
}

Value negated(const Value& v) {
  if (v.is(Kind::kFloat)) return Value::real(-v.as_double());
  if (!v.is_integral()) return type_error("a sign needs a number");
  return v.as_int() == std::numeric_limits<std::int64_t>::min() ? overflow() : Value::integer(-v.as_int());
}

bool ordering(const Value& a, const Value& b, int* order) {
  if (a.is_number() && b.is_number()) {
    // A long double holds every 64-bit integer and every double exactly.
    if (a.is_integral() && b.is_integral()) {
      *order = sign(a.as_int(), b.as_int());
    } else {
      const auto wide = [](const Value& v) {
        return v.is_integral() ? static_cast<long double>(v.as_int()) : static_cast<long double>(v.as_double());
      };
      *order = sign(wide(a), wide(b));
    }
    return true;
  }
  if (a.is_str() && b.is_str()) {
    *order = a.as_str().compare(b.as_str());
    return true;
  }
  if (a.kind() != b.kind() || !a.is_sequence()) return false;
  for (std::uint32_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (equal(a[i], b[i])) continue;
    return ordering(a[i], b[i], order);
  }
  *order = sign(a.size(), b.size());
  return true;
}

Value compared(Op op, const Value& a, const Value& b) {
  switch (op) {
    case Op::kEq:
      return equality(a, b);
    case Op::kNe: {
      const Value same = equality(a, b);
      return same.is_bad() ? same : Value::boolean(!same.as_bool());
    }
    case Op::kIs:
      return Value::boolean(a.kind() == b.kind() && (a.is_none() || a.as_bool() == b.as_bool()));
    case Op::kIsNot:
      return Value::boolean(!(a.kind() == b.kind() && (a.is_none() || a.as_bool() == b.as_bool())));
    case Op::kIn:
      return contains(a, b);
    case Op::kNotIn: {
      const Value found = contains(a, b);
      return found.is_bad() ? found : Value::boolean(!found.as_bool());
    }
    default:
      break;
  }
  int order = 0;
  if (!ordering(a, b, &order)) return type_error("these types have no order");
  const bool nan =
      (a.is(Kind::kFloat) && std::isnan(a.as_double())) || (b.is(Kind::kFloat) && std::isnan(b.as_double()));
  if (nan) return Value::boolean(false);
  switch (op) {
    case Op::kLt:
      return Value::boolean(order < 0);
    case Op::kLe:
      return Value::boolean(order <= 0);
    case Op::kGt:
      return Value::boolean(order > 0);
    default:
      return Value::boolean(order >= 0);
  }
}

Value indexed(const Value& object, const Value& index, Arena& arena) {
  if (object.is_none()) return {};
  if (object.is_dict()) {
    // Loops read a mapping's keys in its own order: the entry behind the last hit is the likeliest.
    thread_local const Entry* last = nullptr;
    const Entry* const begin = object.entries();
    const Entry* const end = begin + object.size();
    if (last != nullptr && std::less_equal<>()(begin, last) && std::less<>()(last, end) && equal(last->key, index)) {
      return (last++)->value;
    }
    for (const Entry* e = begin; e != end; ++e) {
      if (!equal(e->key, index)) continue;
      last = e + 1;
      return e->value;
    }
    return {};
  }
  if (!object.is_sequence() && !object.is_str()) return type_error("this value can't be indexed");
  if (!index.is_integral()) return type_error("an index is an integer");
  const std::int64_t count = length(object);
  const std::int64_t at = index.as_int() < 0 ? index.as_int() + count : index.as_int();
  if (at < 0 || at >= count) return Value::error(ErrorKind::kIndexError, "the index is out of range");
  if (object.is_sequence()) return object[static_cast<std::uint32_t>(at)];
  const Value start = Value::integer(at);
  const Value end = Value::integer(at + 1);
  return sliced(object, &start, &end, arena);
}

Value sliced(const Value& object, const Value* start, const Value* end, Arena& arena) {
  if (!object.is_sequence() && !object.is_str()) return type_error("this value can't be sliced");
  const std::int64_t count = length(object);
  const auto bound = [count](const Value* v, std::int64_t otherwise) {
    if (v == nullptr || v->is_none()) return otherwise;
    return std::clamp<std::int64_t>(v->as_int() < 0 ? v->as_int() + count : v->as_int(), 0, count);
  };
  for (const Value* v : {start, end}) {
    if (v != nullptr && !v->is_none() && !v->is_integral()) return type_error("a slice is made of integers");
  }
  const std::int64_t from = bound(start, 0);
  const std::int64_t to = std::max(from, bound(end, count));
  if (object.is_str()) {
    const std::string_view text = object.as_str();
    const std::size_t first = byte_of(text, from);
    return Value::str(text.substr(first, byte_of(text.substr(first), to - from)));
  }
  const auto n = static_cast<std::uint32_t>(to - from);
  if (object.is(Kind::kTuple)) return Value::tuple(object.items() + from, n);
  return make_list(object.items() + from, n, arena);
}

}  // namespace gonogo
