#include "flags/migration.h"

#include <algorithm>
#include <memory>

#include "base/arena.h"
#include "flags/spelling.h"
#include "flags/unknown_flag.h"
#include "rules/constant.h"

namespace gonogo {

namespace {

std::string_view name_of(std::string_view word) { return word.substr(0, word.find('=')); }

class Migrator {
 public:
  Migrator(const Pack& pack, std::span<const Word> words, std::optional<std::uint32_t> from, std::uint32_t to)
      : pack_(pack), words_(words), from_(from), to_(to), parsers_(pack.version_count()) {}

  std::vector<WordRewrite> run() {
    for (std::uint32_t i = 0; i < words_.size(); ++i) {
      const Reading now = parser(to_).read(words_[i].text);
      if (now.kind == Reading::Kind::kSeparator) break;
      if (now.kind == Reading::Kind::kArgument || parser(to_).find(name_of(words_[i].text)) != kNoIndex) continue;
      const std::optional<Meaning> meant = meaning(i);
      if (!meant || (now.kind == Reading::Kind::kFlag && now.spelling == meant->spelling)) continue;
      rewrite(i, *meant);
    }
    return std::move(edits_);
  }

 private:
  // What a word was where it was a flag.
  struct Meaning {
    std::uint32_t version;
    std::string_view spelling;  // in full
    const FlagRec* flag;
  };

  const Spellings& parser(std::uint32_t version) {
    auto& slot = parsers_[version];
    if (slot == nullptr) slot = std::make_unique<Spellings>(pack_, version);
    return *slot;
  }

  std::optional<Meaning> meaning_in(std::uint32_t version, std::string_view word) {
    const Reading reading = parser(version).read(word);
    if (reading.kind != Reading::Kind::kFlag) return std::nullopt;
    return Meaning{version, reading.spelling, &pack_.flags[reading.flag]};
  }

  // As the version that the words were written for reads it; else as the last version in which it was spelt so, else
  // as the last in which it was an abbreviation.
  std::optional<Meaning> meaning(std::uint32_t word) {
    const std::string_view text = words_[word].text;
    if (from_) {
      if (auto meant = meaning_in(*from_, text)) return meant;
    }
    std::optional<Meaning> abbreviated;
    for (std::uint32_t v = pack_.version_count(); v-- > 0;) {
      if (v == to_) continue;
      auto meant = meaning_in(v, text);
      if (meant && meant->spelling == name_of(text)) return meant;
      if (meant && !abbreviated) abbreviated = meant;
    }
    // What `to` itself understands needs no other version's opinion.
    return parser(to_).read(text).kind == Reading::Kind::kFlag ? std::nullopt : abbreviated;
  }

  void rewrite(std::uint32_t word, const Meaning& meant) {
    std::string_view write = meant.spelling;
    const RetiredRec* by = nullptr;
    for (int steps = 0; parser(to_).find(name_of(write)) == kNoIndex; ++steps) {
      by = retired_flag(pack_, write);
      if (by == nullptr || steps == kMostSteps) return;
      if (by->write == 0) return drop(word, meant);
      write = pack_.text(by->write);
    }
    edits_.push_back({word, std::string(name_of(words_[word].text)), std::string(write), why(word)});
    if (by != nullptr && by->values != 0) rename_value(word, meant, *by);
  }

  std::string why(std::uint32_t word) { return hint_for_unknown(pack_, to_, parser(to_), words_[word].text); }

  // The words behind a flag that are its values.
  std::uint32_t values_end(std::uint32_t word, const Meaning& meant) {
    std::uint32_t end = word + 1;
    if (words_[word].text.find('=') != std::string::npos || meant.flag->nargs == 'n') return end;
    const bool many = meant.flag->nargs == '*' || meant.flag->nargs == '+';
    while (end < words_.size() && (many || end == word + 1) &&
           parser(meant.version).read(words_[end].text).kind == Reading::Kind::kArgument) {
      ++end;
    }
    return end;
  }

  void drop(std::uint32_t word, const Meaning& meant) {
    const std::uint32_t end = values_end(word, meant);
    for (std::uint32_t i = word; i < end; ++i) {
      edits_.push_back({i, words_[i].text, std::nullopt, i == word ? why(word) : std::string()});
    }
  }

  void rename_value(std::uint32_t word, const Meaning& meant, const RetiredRec& by) {
    Arena arena;
    const Value values = constant(pack_, by.values, arena);
    const auto renamed = [&](std::string_view value) -> std::optional<std::string> {
      const Value* const to = values.find(value);
      return to == nullptr ? std::nullopt : std::optional<std::string>(to->as_str());
    };
    const std::string& text = words_[word].text;
    if (const std::size_t equals = text.find('='); equals != std::string::npos) {
      if (const auto value = renamed(std::string_view(text).substr(equals + 1))) {
        edits_.back().old_text = text;
        *edits_.back().text += "=" + *value;
      }
      return;
    }
    for (std::uint32_t i = word + 1; i < values_end(word, meant); ++i) {
      if (const auto value = renamed(words_[i].text)) edits_.push_back({i, words_[i].text, *value, {}});
    }
  }

  static constexpr int kMostSteps = 4;  // of one retired flag that gave way to the next

  const Pack& pack_;
  std::span<const Word> words_;
  std::optional<std::uint32_t> from_;
  std::uint32_t to_;
  std::vector<std::unique_ptr<Spellings>> parsers_;
  std::vector<WordRewrite> edits_;
};

}  // namespace

std::vector<WordRewrite> migrate(const Pack& pack, std::span<const Word> words, std::optional<std::uint32_t> from,
                                 std::uint32_t to) {
  return Migrator(pack, words, from, to).run();
}

std::vector<Word> rewritten(std::span<const Word> words, const std::vector<WordRewrite>& edits) {
  std::vector<Word> out;
  auto edit = edits.begin();
  for (std::uint32_t i = 0; i < words.size(); ++i) {
    if (edit == edits.end() || edit->word != i) {
      out.push_back(words[i]);
      continue;
    }
    if (edit->text) out.push_back({*edit->text + words[i].text.substr(edit->old_text.size()), words[i].place});
    ++edit;
  }
  return out;
}

}  // namespace gonogo
