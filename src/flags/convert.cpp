#include "flags/convert.h"

#include <algorithm>
#include <vector>

#include "base/json.h"
#include "base/text.h"
#include "flags/number.h"
#include "rules/constant.h"

namespace gonogo {

namespace {

using Kind_ = UsageFinding::Kind;

Converted refused(std::string problem, std::string hint = {}, Kind_ kind = Kind_::kBadValue) {
  return {Value(), std::move(problem), std::move(hint), kind};
}

Converted good(const Value& value) { return {value, {}, {}, Kind_::kBadValue}; }

// The texts of a list or of a mapping's keys.
std::vector<std::string> names_of(const Value& v) {
  std::vector<std::string> out;
  for (std::uint32_t i = 0; i < v.size(); ++i) out.push_back(to_str(v.is_dict() ? v.entries()[i].key : v[i]));
  return out;
}

// A suffix in the wrong case, set right: "128K" gives "did you mean 128k?".
std::string other_suffix(std::string_view text) {
  std::string meant(stripped(text));
  std::int64_t ignored = 0;
  for (std::size_t i = 0; i < meant.size(); ++i) {
    const std::size_t at = std::string_view("KmgtI").find(meant[i]);
    const bool binary = i + 1 < meant.size();
    if (at != std::string_view::npos) meant[i] = "kMGTi"[at];
    if (binary && meant[i] == 'k') meant[i] = 'K';
  }
  return read_human_int(meant, &ignored) == NumberText::kGood ? "did you mean " + meant + "?" : "";
}

// "choose from a, b, c", or the nearest of them.
std::string advice(const std::string& word, const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 12;
  // A near number is no more likely to be meant than a far one.
  const bool numbers = !names.empty() && names[0].find_first_not_of("0123456789") == std::string::npos;
  const std::string meant = numbers ? "" : did_you_mean(word, {names.begin(), names.end()});
  if (!meant.empty()) return meant;
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) out += (i == 0 ? "choose from " : ", ") + names[i];
  if (names.size() > kMost) out += " and " + std::to_string(names.size() - kMost) + " more";
  return out;
}

bool contains(const Value& list, const Value& wanted) {
  const auto* end = list.items() + list.size();
  return std::any_of(list.items(), end, [&](const Value& item) { return equal(item, wanted); });
}

Converted number(NumberText result, const Value& value, std::string_view text, std::string_view what) {
  switch (result) {
    case NumberText::kGood:
      return good(value);
    case NumberText::kTooLarge:
      return refused("is given a number of more than 64 bits: " + quoted(text));
    case NumberText::kBadSuffix:
      return refused("takes no fraction before a binary suffix: " + quoted(text),
                     "use k, M, G or T, or a whole number");
    case NumberText::kBad:
      break;
  }
  return refused("needs " + std::string(what) + ", not " + quoted(text));
}

Converted read_json(std::string_view text, Arena& arena) {
  if (stripped(text).empty()) return refused("needs JSON, not an empty text");
  // A file may begin with a byte order mark; json.loads() does not take one in a text.
  if (text.substr(0, 3) == "\xef\xbb\xbf") return refused("needs JSON: it begins with a byte order mark");
  const Result<Value> value = parse_json(text, "", arena);
  if (value) return good(*value);
  std::string what = value.error().what;
  if (value.error().place.column > 0) what += ", at column " + std::to_string(value.error().place.column) + " of it";
  return refused("needs JSON: " + what, value.error().hint);
}

// The object's keys, the keys inside each, and values that are refused there.
Converted check_shape(const Value& value, const Value& shape) {
  if (!value.is_dict()) return refused("needs a JSON object, not " + std::string(type_name(value)));
  for (std::uint32_t i = 0; i < value.size(); ++i) {
    const std::string key(value.entries()[i].key.as_str());
    const Value& inner = value.entries()[i].value;
    const Value* allowed = shape.find(key);
    if (allowed == nullptr) return refused("has no key " + quoted(key), advice(key, names_of(shape)));
    if (!inner.is_dict())
      return refused("needs a JSON object at " + quoted(key) + ", not " + std::string(type_name(inner)));
    for (std::uint32_t k = 0; k < inner.size(); ++k) {
      const std::string name(inner.entries()[k].key.as_str());
      const Value* gone = allowed->find(name);
      if (gone == nullptr)
        return refused("has no key " + quoted(name) + " in " + quoted(key), advice(name, names_of(*allowed)));
      const Value& leaf = inner.entries()[k].value;
      if (gone->is_sequence() && contains(*gone, leaf)) {
        return refused("no longer takes " + quoted(to_str(leaf)) + " at " + quoted(key + "." + name), {},
                       Kind_::kRetired);
      }
    }
  }
  return good(value);
}

Converted by_type(const Pack& pack, const FlagRec& flag, std::string_view text, Arena& arena) {
  std::int64_t whole = 0;
  double real = 0;
  switch (flag.type) {
    case FlagType::kStr:
      return good(Value::str(arena.copy(text)));
    case FlagType::kNullableStr:
      return good(text.empty() || text == "None" ? Value() : Value::str(arena.copy(text)));
    case FlagType::kInt: {
      const NumberText result = read_int(text, &whole);
      return number(result, Value::integer(whole), text, "a whole number");
    }
    case FlagType::kHumanInt: {
      const NumberText result = read_human_int(text, &whole);
      Converted converted = number(result, Value::integer(whole), text, "a whole number, such as 4096, 128k or 2Mi");
      if (result == NumberText::kBad) converted.hint = other_suffix(text);
      return converted;
    }
    case FlagType::kFloat: {
      const NumberText result = read_float(text, &real);
      return number(result, Value::real(real), text, "a number");
    }
    case FlagType::kJson: {
      Converted json = read_json(text, arena);
      if (!json.ok() || pack.special(flag).shape == 0) return json;
      return check_shape(json.value, constant(pack, pack.special(flag).shape, arena));
    }
  }
  return refused("has a type that is not known");
}

}  // namespace

Converted convert(const Pack& pack, const FlagRec& flag, std::string_view text, Arena& arena) {
  if (pack.special(flag).retired != 0) {
    if (const Value* why = constant(pack, pack.special(flag).retired, arena).find(text)) {
      return refused("no longer takes " + quoted(text) + ": " + to_str(*why), {}, Kind_::kRetired);
    }
  }
  Converted converted = by_type(pack, flag, text, arena);
  if (!converted.ok() || flag.choices == 0) return converted;
  const Value choices = constant(pack, flag.choices, arena);
  if (contains(choices, converted.value)) return converted;
  return refused("has no choice " + quoted(text), advice(std::string(text), names_of(choices)), Kind_::kBadChoice);
}

Converted convert_named_path(const Pack& pack, const FlagRec& flag, std::string_view text, Arena& arena) {
  text = stripped(text);
  if (text.size() < 2 || text.front() != '{' || text.back() != '}') return good(Value::str(arena.copy(text)));
  Converted json = read_json(text, arena);
  json.kind = Kind_::kBadItem;
  if (!json.ok() || pack.special(flag).shape == 0) return json;
  const Value shape = constant(pack, pack.special(flag).shape, arena);
  for (std::uint32_t i = 0; i < shape.size(); ++i) {
    const std::string_view key = shape.entries()[i].key.as_str();
    if (json.value.find(key) == nullptr) {
      return refused("is given an object without the key " + quoted(key), {}, Kind_::kBadItem);
    }
  }
  return json;
}

}  // namespace gonogo
