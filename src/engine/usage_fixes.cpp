#include "engine/usage_fixes.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "flags/spelling.h"
#include "rules/constant.h"

namespace gonogo {

namespace {

constexpr std::size_t kMostSpellings = 6;
constexpr std::size_t kMostChoices = 3;  // that nothing speaks for

// What a hint says to write: "did you mean X?", "…; now X".
std::string meant(std::string_view hint) {
  for (const std::string_view before : {"did you mean ", "now "}) {
    const std::size_t at = hint.rfind(before);
    if (at == std::string_view::npos) continue;
    std::string_view rest = hint.substr(at + before.size());
    while (rest.ends_with('?')) rest.remove_suffix(1);
    return std::string(rest);
  }
  return {};
}

class Edits {
 public:
  Edits(const Pack& pack, std::uint32_t version, std::span<const Word> words, const UsageFinding& refusal)
      : pack_(pack), words_(words), refusal_(refusal), spellings_(pack, version) {}

  std::vector<WordEdit> run() {
    using Kind = UsageFinding::Kind;
    if (refusal_.word >= words_.size()) return {};
    const std::string_view word = words_[refusal_.word].text;
    switch (refusal_.kind) {
      case Kind::kAmbiguous:
        for (const StrId id : spellings_.read(word).candidates) {
          if (out_.size() < kMostSpellings) rename(pack_.text(id));
        }
        break;
      case Kind::kUnknown:
        unknown(word);
        break;
      case Kind::kRequired:
        rename(meant(refusal_.hint));
        break;
      case Kind::kBadValue:
      case Kind::kBadChoice:
      case Kind::kRetired:
        value();
        break;
      case Kind::kUnwantedValue:
        replace(refusal_.word, 1, {std::string(word.substr(0, word.find('=')))});
        leave_out();
        break;
      case Kind::kMissingValue:
        missing();
        leave_out();
        break;
      default:
        break;
    }
    return std::move(out_);
  }

 private:
  void replace(std::uint32_t first, std::uint32_t count, std::vector<std::string> by) {
    out_.push_back({first, count, std::move(by)});
  }

  // Another name for the flag, its value kept.
  void rename(std::string_view name) {
    if (name.empty()) return;
    const std::string_view word = words_[refusal_.word].text;
    const std::size_t equals = word.find('=');
    std::vector<std::string> by;
    for (std::string_view rest = name; !rest.empty();) {  // a replacement may bring a value: "--x y"
      const std::size_t space = rest.find(' ');
      by.emplace_back(rest.substr(0, space));
      rest = space == std::string_view::npos ? std::string_view() : rest.substr(space + 1);
    }
    if (equals != std::string_view::npos) by.back() += word.substr(equals);
    replace(refusal_.word, 1, std::move(by));
  }

  // The words from `at` that are no flags: what an unknown flag was given.
  std::uint32_t arguments_from(std::uint32_t at) const {
    std::uint32_t end = at;
    while (end < words_.size() && spellings_.read(words_[end].text).kind == Reading::Kind::kArgument) ++end;
    return end - at;
  }

  void unknown(std::string_view word) {
    const std::uint32_t at = refusal_.word;
    if (!word.starts_with('-')) {
      if (spellings_.find("--" + std::string(word)) != kNoIndex) replace(at, 1, {"--" + std::string(word)});
      replace(at, 1, {});
      return;
    }
    if (word == "--") {
      replace(at, 1, {});
      return;
    }
    rename(meant(refusal_.hint));
    replace(at, 1 + arguments_from(at + 1), {});
  }

  // The flag's word before the offending value, or the word itself for --flag=value.
  std::uint32_t flag_word() const {
    for (std::uint32_t at = refusal_.word + 1; at-- > 0;) {
      if (spellings_.read(words_[at].text).kind == Reading::Kind::kFlag) return at;
    }
    return kNoIndex;
  }

  void with_value(std::string_view text) {
    const std::string& word = words_[refusal_.word].text;
    const bool joined = flag_word() == refusal_.word;
    replace(refusal_.word, 1, {joined ? word.substr(0, word.find('=') + 1) + std::string(text) : std::string(text)});
  }

  void value() {
    const std::uint32_t at = flag_word();
    if (at == kNoIndex) return;
    const std::string guess = meant(refusal_.hint);
    if (!guess.empty()) with_value(guess);
    const FlagRec& flag = pack_.flags[spellings_.read(words_[at].text).flag];
    leave_out();
    if (flag.choices == 0 || !guess.empty()) return;
    Arena arena;
    const Value choices = constant(pack_, flag.choices, arena);
    for (std::uint32_t i = 0; i < choices.size() && i < kMostChoices; ++i) {
      if (to_str(choices[i]) != guess) with_value(to_str(choices[i]));
    }
  }

  void missing() {
    const std::uint32_t at = refusal_.word;
    const FlagRec& flag = pack_.flags[spellings_.read(words_[at].text).flag];
    if (at + 1 < words_.size() && spellings_.read(words_[at + 1].text).kind == Reading::Kind::kUnknown) {
      replace(at, 2, {words_[at].text + "=" + words_[at + 1].text});
    }
    if (flag.choices == 0) return;
    Arena arena;
    const Value choices = constant(pack_, flag.choices, arena);
    for (std::uint32_t i = 0; i < choices.size() && i < kMostChoices; ++i) {
      replace(at, 1, {words_[at].text, to_str(choices[i])});
    }
  }

  void leave_out() {
    const std::uint32_t at = flag_word();
    if (at == kNoIndex) return;
    const bool joined = words_[at].text.find('=') != std::string::npos;
    const FlagRec& flag = pack_.flags[spellings_.read(words_[at].text).flag];
    if (flag.required == 0) replace(at, 1 + (joined ? 0 : arguments_from(at + 1)), {});
  }

  const Pack& pack_;
  std::span<const Word> words_;
  const UsageFinding& refusal_;
  Spellings spellings_;
  std::vector<WordEdit> out_;
};

}  // namespace

std::vector<WordEdit> usage_edits(const Pack& pack, std::uint32_t version, std::span<const Word> words,
                                  const UsageFinding& refusal) {
  return Edits(pack, version, words, refusal).run();
}

std::vector<std::vector<WordEdit>> ways_to_mend(const std::vector<std::vector<WordEdit>>& alternatives, bool* cut) {
  std::vector<std::vector<std::size_t>> picks{{}};
  for (const auto& edits : alternatives) {
    std::vector<std::vector<std::size_t>> longer;
    for (const auto& pick : picks) {
      for (std::size_t i = 0; i < edits.size(); ++i) {
        longer.push_back(pick);
        longer.back().push_back(i);
      }
    }
    picks = std::move(longer);
  }
  const auto unlikely = [](const std::vector<std::size_t>& pick) {
    std::size_t sum = 0;
    for (const std::size_t i : pick) sum += i;
    return sum;
  };
  std::stable_sort(picks.begin(), picks.end(), [&](const auto& a, const auto& b) { return unlikely(a) < unlikely(b); });
  *cut = picks.size() > kMostMends;
  if (*cut) picks.resize(kMostMends);
  std::vector<std::vector<WordEdit>> out;
  for (const auto& pick : picks) {
    std::vector<WordEdit>& edits = out.emplace_back();
    for (std::size_t i = 0; i < pick.size(); ++i) edits.push_back(alternatives[i][pick[i]]);
  }
  return out;
}

}  // namespace gonogo
