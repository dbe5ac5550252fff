#include "flags/edit.h"

#include <algorithm>
#include <utility>

#include "base/json.h"
#include "flags/convert.h"
#include "flags/spelling.h"
#include "rules/constant.h"

namespace gonogo {

namespace {

// One value as a user types it.
std::string typed_text(const Value& v) { return v.is_dict() || v.is_sequence() ? to_json(v) : to_str(v); }

bool store(const Pack& pack, const FlagRec& flag, const Value& value, std::string_view spelling, Arena& arena,
           FlagWords* out) {
  if (flag.action == FlagAction::kNamedPaths) return false;
  const bool many = flag.nargs == '*' || flag.nargs == '+';
  if (many && !value.is_sequence()) return false;
  const std::uint32_t count = many ? value.size() : 1;
  if (count == 0 && flag.nargs == '+') return false;
  auto* items = arena.array<Value>(count);
  out->words = {std::string(spelling)};
  for (std::uint32_t i = 0; i < count; ++i) {
    const Value& item = many ? value[i] : value;
    const std::string_view text = arena.copy(typed_text(item));
    const Converted converted = convert(pack, flag, text, arena);
    if (!converted.ok() || !equal(converted.value, item)) return false;
    items[i] = converted.value;
    if (text.starts_with('-') && !looks_like_negative_number(text)) {
      if (many) return false;
      out->words.back() += "=" + std::string(text);
    } else {
      out->words.emplace_back(text);
    }
  }
  out->value = many ? Value::list(items, count) : items[0];
  return true;
}

}  // namespace

std::optional<FlagWords> flag_words(const Pack& pack, std::uint32_t version, std::uint32_t field, const Value& value,
                                    Arena& arena) {
  if (value.is_none() || value.is_bad()) return std::nullopt;
  std::optional<FlagWords> best;
  for (const FlagRec& flag : pack.flags) {
    if (flag.field != field || (flag.versions >> version & 1) == 0) continue;
    if (best && flag.deprecated != 0) continue;
    FlagWords out;
    bool good = false;
    const auto spellings = pack.slice(flag.spellings);
    switch (flag.action) {
      case FlagAction::kStoreTrue:
        out = {{std::string(pack.text(spellings[0]))}, Value::boolean(true)};
        good = value.is(Kind::kBool) && value.as_bool();
        break;
      case FlagAction::kStoreConst:
        out = {{std::string(pack.text(spellings[0]))}, constant(pack, pack.special(flag).constant, arena)};
        good = flag.nargs == 'n' && equal(out.value, value);
        break;
      case FlagAction::kBooleanOptional:
        for (const StrId id : spellings) {
          if (good || !value.is(Kind::kBool) || pack.text(id).starts_with("--no-") == value.as_bool()) continue;
          out = {{std::string(pack.text(id))}, value};
          good = true;
        }
        break;
      case FlagAction::kStore:
      case FlagAction::kNamedPaths:
        good = store(pack, flag, value, pack.text(spellings[0]), arena, &out);
        break;
      case FlagAction::kHelp:
      case FlagAction::kVersion:
        break;
    }
    if (!good) continue;
    best = std::move(out);
    if (flag.deprecated == 0) break;
  }
  return best;
}

std::vector<WordEdit> edits_for(const Pack& pack, std::uint32_t version, std::span<const Word> words,
                                std::uint32_t field, std::vector<std::string> by) {
  const Spellings spellings(pack, version);
  std::vector<WordEdit> out;
  const auto size = static_cast<std::uint32_t>(words.size());
  const auto kind = [&](std::uint32_t at) { return spellings.read(words[at].text).kind; };
  for (std::uint32_t at = 0; at < size;) {
    const Reading reading = spellings.read(words[at].text);
    if (reading.kind == Reading::Kind::kSeparator) break;
    const std::uint32_t start = at++;
    if (reading.kind != Reading::Kind::kFlag) continue;
    const FlagRec& flag = pack.flags[reading.flag];
    const bool many = flag.nargs == '*' || flag.nargs == '+';
    const std::uint32_t most = reading.has_value || flag.nargs == 'n' ? 0 : many ? size : 1;
    for (std::uint32_t taken = 0; taken < most && at < size && kind(at) == Reading::Kind::kArgument; ++taken) ++at;
    if (flag.field == field) out.push_back({start, at - start, {}});
  }
  if (by.empty()) return out;
  if (out.empty()) out.push_back({size, 0, {}});
  out.back().by = std::move(by);
  return out;
}

std::vector<Word> edited(std::span<const Word> words, std::vector<WordEdit> edits) {
  std::stable_sort(edits.begin(), edits.end(), [](const WordEdit& a, const WordEdit& b) { return a.first < b.first; });
  std::vector<Word> out;
  std::size_t at = 0;
  for (WordEdit& edit : edits) {
    for (; at < edit.first && at < words.size(); ++at) out.push_back(words[at]);
    for (std::string& word : edit.by) out.push_back({std::move(word), {}});
    at = std::max(at, std::size_t{edit.first} + edit.count);
  }
  for (; at < words.size(); ++at) out.push_back(words[at]);
  return out;
}

}  // namespace gonogo
