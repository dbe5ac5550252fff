// The methods of str and dict.
#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "base/text.h"
#include "engine/functions.h"
#include "engine/operators.h"

namespace gonogo {

namespace {

constexpr std::string_view kSpace = " \t\n\r\f\v";

bool is_ascii(std::string_view s) {
  return std::all_of(s.begin(), s.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

Value changed_case(std::string_view s, bool upper, Arena& arena) {
  if (!is_ascii(s)) return value_error("lower() and upper() of text beyond ASCII are not part of the language");
  std::string out(s);
  for (char& c : out) {
    if (upper && c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
    if (!upper && c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  }
  return Value::str(arena.copy(out));
}

std::string_view stripped(std::string_view s, std::string_view of, bool left, bool right) {
  if (left) s.remove_prefix(std::min(s.find_first_not_of(of), s.size()));
  if (right) s.remove_suffix(s.size() - std::min(s.find_last_not_of(of) + 1, s.size()));
  return s;
}

// startswith and endswith: of a text or of any text of a tuple.
Value affix(std::string_view s, const Value& with, bool at_end) {
  const auto matches = [&](const Value& v) { return at_end ? s.ends_with(v.as_str()) : s.starts_with(v.as_str()); };
  if (with.is_str()) return Value::boolean(matches(with));
  if (!with.is(Kind::kTuple)) return type_error("startswith() and endswith() take a string or a tuple of strings");
  bool found = false;
  for (std::uint32_t i = 0; i < with.size(); ++i) {
    if (!with[i].is_str()) return type_error("startswith() and endswith() take strings");
    found = found || matches(with[i]);
  }
  return Value::boolean(found);
}

std::vector<std::string_view> split_space(std::string_view s, std::int64_t most, bool from_right) {
  std::vector<std::string_view> out;
  s = stripped(s, kSpace, true, true);
  while (!s.empty()) {
    const std::size_t cut = from_right ? s.find_last_of(kSpace) : s.find_first_of(kSpace);
    if (cut == std::string_view::npos || most == static_cast<std::int64_t>(out.size())) {
      out.push_back(s);
      break;
    }
    out.push_back(from_right ? s.substr(cut + 1) : s.substr(0, cut));
    s = from_right ? stripped(s.substr(0, cut), kSpace, false, true) : stripped(s.substr(cut), kSpace, true, false);
  }
  if (from_right) std::reverse(out.begin(), out.end());
  return out;
}

Value split(std::string_view s, std::span<const Value> args, bool from_right, Arena& arena) {
  if (args.size() > 1 && !args[1].is_integral()) return type_error("split() takes an integer as its second argument");
  const std::int64_t most = args.size() > 1 ? args[1].as_int() : -1;
  std::vector<std::string_view> parts;
  if (args.empty() || args[0].is_none()) {
    parts = split_space(s, most, from_right);
  } else {
    if (!args[0].is_str()) return type_error("split() takes a string");
    const std::string_view by = args[0].as_str();
    if (by.empty()) return value_error("split() by an empty string");
    while (most != static_cast<std::int64_t>(parts.size())) {
      const std::size_t cut = from_right ? s.rfind(by) : s.find(by);
      if (cut == std::string_view::npos) break;
      parts.push_back(from_right ? s.substr(cut + by.size()) : s.substr(0, cut));
      s = from_right ? s.substr(0, cut) : s.substr(cut + by.size());
    }
    parts.push_back(s);
    if (from_right) std::reverse(parts.begin(), parts.end());
  }
  auto* items = arena.array<Value>(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) items[i] = Value::str(parts[i]);
  return Value::list(items, static_cast<std::uint32_t>(parts.size()));
}

Value replaced(std::string_view s, std::string_view what, std::string_view with, Arena& arena) {
  if (what.empty()) return value_error("replace() of an empty string is not part of the language");
  std::string out;
  for (std::size_t cut = s.find(what); cut != std::string_view::npos; cut = s.find(what)) {
    out.append(s.substr(0, cut)).append(with);
    s.remove_prefix(cut + what.size());
  }
  return Value::str(arena.copy(out.append(s)));
}

Value joined(std::string_view by, Value list, Arena& arena) {
  if (list.is_str()) list = call_builtin(Builtin::kList, {&list, 1}, arena);
  if (!list.is_sequence()) return type_error("join() takes a list of strings");
  std::string out;
  for (std::uint32_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_str()) return type_error("join() takes strings");
    if (i > 0) out += by;
    out += list[i].as_str();
  }
  return Value::str(arena.copy(out));
}

std::int64_t count_of(std::string_view s, std::string_view what) {
  if (what.empty()) return static_cast<std::int64_t>(code_points(s)) + 1;
  std::int64_t n = 0;
  for (std::size_t at = s.find(what); at != std::string_view::npos; at = s.find(what, at + what.size())) ++n;
  return n;
}

Value dict_method(Method which, const Value& dict, std::span<const Value> args, Arena& arena) {
  if (which == Method::kGet) {
    for (std::uint32_t i = 0; i < dict.size(); ++i) {
      if (equal(dict.entries()[i].key, args[0])) return dict.entries()[i].value;
    }
    return args.size() > 1 ? args[1] : Value();
  }
  auto* items = arena.array<Value>(dict.size());
  for (std::uint32_t i = 0; i < dict.size(); ++i) {
    const Entry& entry = dict.entries()[i];
    if (which == Method::kItems) {
      auto* pair = arena.array<Value>(2);
      pair[0] = entry.key;
      pair[1] = entry.value;
      items[i] = Value::tuple(pair, 2);
    } else {
      items[i] = which == Method::kKeys ? entry.key : entry.value;
    }
  }
  return Value::list(items, dict.size());
}

Value str_method(Method which, std::string_view s, std::span<const Value> args, Arena& arena) {
  // A method's first argument, where it must be text.
  const bool wants_text = which != Method::kStartswith && which != Method::kEndswith && which != Method::kSplit &&
                          which != Method::kRsplit && which != Method::kJoin;
  if (wants_text) {
    for (const Value& a : args) {
      const bool strip = which == Method::kStrip || which == Method::kLstrip || which == Method::kRstrip;
      if (!a.is_str() && !(strip && a.is_none())) return type_error("the method takes strings");
    }
  }
  const std::string_view first = !args.empty() && args[0].is_str() ? args[0].as_str() : std::string_view();
  const std::string_view of = !args.empty() && args[0].is_str() ? first : kSpace;
  switch (which) {
    case Method::kLower:
    case Method::kUpper:
      return changed_case(s, which == Method::kUpper, arena);
    case Method::kStrip:
      return Value::str(stripped(s, of, true, true));
    case Method::kLstrip:
      return Value::str(stripped(s, of, true, false));
    case Method::kRstrip:
      return Value::str(stripped(s, of, false, true));
    case Method::kStartswith:
    case Method::kEndswith:
      return affix(s, args[0], which == Method::kEndswith);
    case Method::kSplit:
    case Method::kRsplit:
      return split(s, args, which == Method::kRsplit, arena);
    case Method::kReplace:
      return replaced(s, first, args[1].as_str(), arena);
    case Method::kJoin:
      return joined(s, args[0], arena);
    case Method::kFind: {
      const std::size_t at = s.find(first);
      return Value::integer(at == std::string_view::npos ? -1
                                                         : static_cast<std::int64_t>(code_points(s.substr(0, at))));
    }
    case Method::kCount:
      return Value::integer(count_of(s, first));
    case Method::kRemoveprefix:
      return Value::str(s.starts_with(first) ? s.substr(first.size()) : s);
    case Method::kRemovesuffix:
      return Value::str(!first.empty() && s.ends_with(first) ? s.substr(0, s.size() - first.size()) : s);
    default:
      if (!is_ascii(s)) return value_error("isdigit() of text beyond ASCII is not part of the language");
      return Value::boolean(!s.empty() && std::all_of(s.begin(), s.end(), [](char c) { return c >= '0' && c <= '9'; }));
  }
}

}  // namespace

Value call_method(Method which, const Value& object, std::span<const Value> args, Arena& arena) {
  if (object.is_str() && which < Method::kGet) return str_method(which, object.as_str(), args, arena);
  if (object.is_dict() && which >= Method::kGet) return dict_method(which, object, args, arena);
  return type_error("the value has no such method");
}

}  // namespace gonogo
