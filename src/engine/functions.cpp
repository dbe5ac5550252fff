#include "engine/functions.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

#include "base/json.h"
#include "base/text.h"
#include "base/uuid.h"
#include "engine/operators.h"

namespace gonogo {

namespace {

constexpr std::size_t kMaxItems = 1'000'000;

// The items that iterating over a value gives; false where it can't be iterated.
bool iterate(const Value& v, Arena& arena, std::span<const Value>* out) {
  if (v.is_sequence()) {
    *out = {v.items(), v.size()};
    return true;
  }
  if (v.is_dict()) {
    auto* keys = arena.array<Value>(v.size());
    for (std::uint32_t i = 0; i < v.size(); ++i) keys[i] = v.entries()[i].key;
    *out = {keys, v.size()};
    return true;
  }
  if (!v.is_str()) return false;
  const auto count = static_cast<std::int64_t>(code_points(v.as_str()));
  auto* letters = arena.array<Value>(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) letters[i] = indexed(v, Value::integer(i), arena);
  *out = {letters, static_cast<std::size_t>(count)};
  return true;
}

Value not_iterable() { return type_error("the value can't be iterated"); }

std::string_view trimmed(std::string_view s) {
  constexpr std::string_view kSpace = " \t\n\r\f\v";
  const std::size_t first = s.find_first_not_of(kSpace);
  return first == std::string_view::npos ? std::string_view() : s.substr(first, s.find_last_not_of(kSpace) - first + 1);
}

// The digits of a Python number without its underscores; empty where one stands wrongly.
std::string plain_digits(std::string_view s) {
  std::string out;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (s[i] != '_') {
      out += s[i];
      continue;
    }
    const auto digit = [&](std::size_t at) { return at < s.size() && s[at] >= '0' && s[at] <= '9'; };
    if (i == 0 || !digit(i - 1) || !digit(i + 1)) return {};
  }
  return out;
}

Value to_int(const Value& v) {
  if (v.is_integral()) return Value::integer(v.as_int());
  if (v.is(Kind::kFloat)) {
    const double d = std::trunc(v.as_double());
    if (std::isnan(d)) return value_error("NaN is no integer");
    if (!(d >= -9223372036854775808.0 && d < 9223372036854775808.0)) {
      return Value::error(ErrorKind::kOverflowError, "the number does not fit 64 bits");
    }
    return Value::integer(static_cast<std::int64_t>(d));
  }
  if (!v.is_str()) return type_error("int() takes a number or a string");
  std::string_view text = trimmed(v.as_str());
  if (text.starts_with('+') && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
  const std::string digits = plain_digits(text);
  std::int64_t i = 0;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), i);
  if (failed == std::errc::result_out_of_range)
    return Value::error(ErrorKind::kOverflowError, "the integer does not fit 64 bits");
  if (failed != std::errc() || end != digits.data() + digits.size())
    return value_error("int() of a text that is no integer");
  return Value::integer(i);
}

Value to_float(const Value& v) {
  if (v.is_number()) return Value::real(v.as_double());
  if (!v.is_str()) return type_error("float() takes a number or a string");
  const std::string text = plain_digits(trimmed(v.as_str()));
  // strtod also reads hexadecimal, which Python does not.
  const bool odd = text.find_first_of("xXpP") != std::string::npos || text.find('(') != std::string::npos;
  char* end = nullptr;
  const double d = std::strtod(text.c_str(), &end);
  if (text.empty() || odd || end != text.c_str() + text.size())
    return value_error("float() of a text that is no number");
  return Value::real(d);
}

Value rounded(std::span<const Value> args) {
  const Value& v = args[0];
  if (!v.is_number()) return type_error("round() takes a number");
  const bool to_integer = args.size() == 1 || args[1].is_none();
  if (!to_integer && !args[1].is_integral()) return type_error("round() takes an integer number of digits");
  if (v.is_integral()) {
    if (to_integer || args[1].as_int() >= 0) return Value::integer(v.as_int());
    if (args[1].as_int() < -18) return Value::integer(0);
    std::int64_t unit = 1;
    for (std::int64_t i = args[1].as_int(); i < 0; ++i) unit *= 10;
    const std::int64_t down = (v.as_int() - ((v.as_int() % unit) + unit) % unit);
    const std::int64_t rest = v.as_int() - down;
    const bool up = rest > unit - rest || (rest == unit - rest && (down / unit) % 2 != 0);
    return Value::integer(up ? down + unit : down);
  }
  const double d = v.as_double();
  if (to_integer) {
    const double r = std::nearbyint(d);  // half to even
    if (std::isnan(r)) return value_error("NaN is no integer");
    if (!(std::fabs(r) < 9223372036854775808.0))
      return Value::error(ErrorKind::kOverflowError, "the number does not fit 64 bits");
    return Value::integer(static_cast<std::int64_t>(r));
  }
  const std::int64_t digits = args[1].as_int();
  if (!std::isfinite(d) || digits > 300) return v;
  if (digits < -300) return Value::real(std::copysign(0.0, d));
  if (digits < 0) {
    const double unit = std::pow(10.0, static_cast<double>(-digits));
    return Value::real(std::nearbyint(d / unit) * unit);
  }
  // printf rounds the exact binary value, half to even, as Python does.
  std::array<char, 700> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.*f", static_cast<int>(digits), d);
  return Value::real(std::strtod(buffer.data(), nullptr));
}

Value extreme(bool want_max, std::span<const Value> args, Arena& arena) {
  std::span<const Value> items = args;
  if (args.size() == 1 && !iterate(args[0], arena, &items)) return not_iterable();
  if (items.empty()) return value_error("min() or max() of nothing");
  const Value* best = &items[0];
  for (const Value& item : items) {
    int order = 0;
    if (&item == best) continue;
    if (!ordering(item, *best, &order)) return type_error("these types have no order");
    if (want_max ? order > 0 : order < 0) best = &item;
  }
  return *best;
}

Value sum_of(std::span<const Value> items, Arena& arena) {
  Value total = Value::integer(0);
  for (const Value& item : items) {
    if (!item.is_number()) return type_error("sum() takes numbers");
    total = arithmetic(Op::kAdd, total, item, arena);
    if (total.is_error()) return total;
  }
  return total;
}

Value sorted_list(std::span<const Value> items, bool reverse, Arena& arena) {
  std::vector<Value> out(items.begin(), items.end());
  bool orderable = true;
  const auto less = [&](const Value& a, const Value& b) {
    int order = 0;
    orderable = ordering(a, b, &order) && orderable;
    return reverse ? order > 0 : order < 0;
  };
  std::stable_sort(out.begin(), out.end(), less);
  return orderable ? make_list(out.data(), out.size(), arena) : type_error("these types have no order");
}

Value range_list(std::span<const Value> args, Arena& arena) {
  for (const Value& a : args) {
    if (!a.is_integral()) return type_error("range() takes integers");
  }
  const std::int64_t start = args.size() > 1 ? args[0].as_int() : 0;
  const std::int64_t stop = args.size() > 1 ? args[1].as_int() : args[0].as_int();
  const std::int64_t step = args.size() > 2 ? args[2].as_int() : 1;
  if (step == 0) return value_error("range() with a step of 0");
  std::vector<Value> out;
  for (std::int64_t i = start; step > 0 ? i < stop : i > stop;) {
    if (out.size() >= kMaxItems) return Value::error(ErrorKind::kOverflowError, "the range is too long");
    out.push_back(Value::integer(i));
    if (__builtin_add_overflow(i, step, &i)) break;
  }
  return make_list(out.data(), out.size(), arena);
}

Value distinct(std::span<const Value> items, Arena& arena) {
  std::vector<Value> out;
  for (const Value& item : items) {
    if (item.is(Kind::kList) || item.is_dict()) return type_error("set() of values that can't be hashed");
    const bool seen = std::any_of(out.begin(), out.end(), [&](const Value& v) { return equal(v, item); });
    if (!seen) out.push_back(item);
  }
  return make_list(out.data(), out.size(), arena);
}

Value length_of(const Value& v) {
  if (v.is_str()) return Value::integer(static_cast<std::int64_t>(code_points(v.as_str())));
  if (v.is_sequence() || v.is_dict()) return Value::integer(v.size());
  return type_error("the value has no length");
}

Value any_or_all(bool any, std::span<const Value> items) {
  // The items were all evaluated before this call, so an error among them has happened, wherever it stands.
  const auto error = std::find_if(items.begin(), items.end(), [](const Value& v) { return v.is_error(); });
  if (error != items.end()) return *error;
  const Value* unknown = nullptr;
  for (const Value& item : items) {
    if (item.is_unknown()) {
      unknown = &item;
    } else if (truthy(item) == any) {
      return Value::boolean(any);
    }
  }
  return unknown != nullptr ? *unknown : Value::boolean(!any);
}

}  // namespace

Value call_builtin(Builtin which, std::span<const Value> args, Arena& arena) {
  std::span<const Value> items;
  switch (which) {
    case Builtin::kLen:
      return length_of(args[0]);
    case Builtin::kMin:
    case Builtin::kMax:
      return extreme(which == Builtin::kMax, args, arena);
    case Builtin::kRound:
      return rounded(args);
    case Builtin::kAbs:
      if (args[0].is(Kind::kFloat)) return Value::real(std::fabs(args[0].as_double()));
      return args[0].is_integral() && args[0].as_int() < 0 ? negated(args[0])
             : args[0].is_integral()                       ? Value::integer(args[0].as_int())
                                                           : type_error("abs() takes a number");
    case Builtin::kRange:
      return range_list(args, arena);
    case Builtin::kInt:
      return to_int(args[0]);
    case Builtin::kFloat:
      return to_float(args[0]);
    case Builtin::kStr:
      return Value::str(arena.copy(to_str(args[0])));
    case Builtin::kBool:
      return Value::boolean(truthy(args[0]));
    case Builtin::kIsInt:
      return Value::boolean(!to_int(args[0]).is_error());
    case Builtin::kIsFloat:
      return Value::boolean(!to_float(args[0]).is_error());
    case Builtin::kJson: {
      if (args[0].is_none()) return {};  // of a file that is not there
      if (!args[0].is_str()) return type_error("json() takes a string");
      auto parsed = parse_json(args[0].as_str(), "json()", arena);
      return parsed ? *parsed : Value();
    }
    case Builtin::kUuid5:
      return args[0].is_str() ? Value::str(arena.copy(uuid5_url(args[0].as_str())))
                              : type_error("uuid5() takes a string");
    default:
      break;
  }
  if (!iterate(args[0], arena, &items)) return not_iterable();
  switch (which) {
    case Builtin::kAny:
    case Builtin::kAll:
      return any_or_all(which == Builtin::kAny, items);
    case Builtin::kSum:
      return sum_of(items, arena);
    case Builtin::kSorted:
    case Builtin::kSortedReverse:
      return sorted_list(items, which == Builtin::kSortedReverse, arena);
    case Builtin::kSet:
      return distinct(items, arena);
    default:
      return make_list(items.data(), items.size(), arena);
  }
}

}  // namespace gonogo
