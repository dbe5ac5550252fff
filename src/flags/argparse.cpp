#include "flags/argparse.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/text.h"
#include "flags/convert.h"
#include "flags/spelling.h"
#include "flags/unknown_flag.h"
#include "rules/constant.h"

namespace gonogo {

namespace {

using Kind_ = UsageFinding::Kind;

class Walk {
 public:
  Walk(const Pack& pack, std::uint32_t version, std::span<const Word> words, Arena& arena, bool own_flags)
      : pack_(pack), version_(version), words_(words), arena_(arena), own_flags_(own_flags), spellings_(pack, version) {
    parsed_.given = default_given(pack, version, arena);
    seen_.resize(pack.flags.size());
  }

  Parsed run() {
    read_all();
    std::uint32_t at = 0;
    while (at < words_.size() && !stopped_) {
      if (readings_[at].kind == Reading::Kind::kFlag) {
        at = take_flag(at);
      } else {
        strays_.push_back({at, last_flag_});
        ++at;
      }
    }
    if (!stopped_) {
      check_required();
      report_strays();
    }
    if (parsed_.refusals.size() > kMaxRefusals) parsed_.refusals.resize(kMaxRefusals);
    return std::move(parsed_);
  }

 private:
  struct Stray {
    std::uint32_t word;
    std::string_view after;  // the flag before it, in full, or empty
  };

  UsageFinding& refuse(Kind_ kind, std::uint32_t word, std::string message, std::string hint) {
    const Place place = word < words_.size() ? words_[word].place : Place();
    parsed_.refusals.push_back({kind, std::move(message), std::move(hint), word, place});
    return parsed_.refusals.back();
  }

  // argparse looks at all words before it acts on any.
  void read_all() {
    readings_.reserve(words_.size());
    bool separated = false;
    for (std::uint32_t i = 0; i < words_.size(); ++i) {
      readings_.push_back(separated ? Reading() : spellings_.read(words_[i].text));
      const Reading& reading = readings_.back();
      separated = separated || reading.kind == Reading::Kind::kSeparator;
      if (reading.kind == Reading::Kind::kAmbiguous && !half_known(i)) ambiguous(i);
    }
  }

  // A word of which a part is not known, so that it may become another flag than it looks.
  bool half_known(std::size_t word) const { return !words_[word].unknown.empty() && !readings_[word].has_value; }

  void ambiguous(std::uint32_t word) {
    constexpr std::size_t kMost = 5;
    const auto& candidates = readings_[word].candidates;
    std::string list;
    for (std::size_t i = 0; i < std::min(candidates.size(), kMost); ++i) {
      const bool last = i + 1 == candidates.size();
      list += (i == 0 ? "" : last ? " or " : ", ") + std::string(pack_.text(candidates[i]));
    }
    if (candidates.size() > kMost) list += " or " + std::to_string(candidates.size() - kMost) + " more";
    const std::string_view name = std::string_view(words_[word].text).substr(0, words_[word].text.find('='));
    // Only a former flag of that very name is news; the candidates say the rest.
    std::string hint = hint_for_unknown(pack_, version_, spellings_, name);
    if (hint.rfind("it ", 0) != 0) hint = "write it in full";
    refuse(Kind_::kAmbiguous, word, quoted(name) + " could be " + list, std::move(hint));
  }

  bool is_argument(std::size_t at) const {
    return at < readings_.size() && readings_[at].kind == Reading::Kind::kArgument;
  }

  // Acts on the flag at `at`; returns the index behind its values.
  std::uint32_t take_flag(std::uint32_t at) {
    Reading reading = readings_[at];
    std::vector<Reading> before;  // of -abc: the flags before the one that takes a value
    while (is_cluster(reading)) {
      before.push_back(reading);
      if (!next_in_cluster(&reading)) {
        unwanted_value(at, before.back());
        return at + 1;
      }
    }
    for (const Reading& single : before) act(at, kNoIndex, single, pack_.flags[single.flag], {});
    const FlagRec& flag = pack_.flags[reading.flag];
    last_flag_ = reading.spelling;
    seen_[reading.flag] = true;
    std::uint32_t next = at + 1;
    std::vector<std::string_view> values;
    std::uint32_t first = kNoIndex;
    if (reading.has_value) {
      if (flag.nargs == 'n') {
        unwanted_value(at, reading);
        return next;
      }
      // argparse takes out one "--" wherever it stands, even here.
      if (reading.value != "--") values.push_back(reading.value);
      first = at;
    } else {
      const bool many = flag.nargs == '*' || flag.nargs == '+';
      const std::size_t most = many ? words_.size() : flag.nargs == 'n' ? 0 : 1;
      if (most > 0 && is_argument(next)) first = next;
      while (values.size() < most && is_argument(next)) values.push_back(words_[next++].text);
      if (values.empty() && (flag.nargs == 0 || flag.nargs == '+')) {
        missing_value(at, flag);
        return next;
      }
    }
    if (!stopped_) act(at, first, reading, flag, values);
    return next;
  }

  // -abc, read as -a with the value "bc", where -a takes none.
  bool is_cluster(const Reading& reading) const {
    return reading.has_value && !reading.value.empty() && reading.spelling[1] != '-' &&
           pack_.flags[reading.flag].nargs == 'n';
  }

  // Moves from -a with "bc" to -b with "c"; false where there is no -b.
  bool next_in_cluster(Reading* reading) {
    const std::string_view spelling = arena_.copy(std::string("-") + reading->value[0]);
    reading->flag = spellings_.find(spelling);
    reading->spelling = spelling;
    reading->value.remove_prefix(1);
    reading->has_value = !reading->value.empty();
    return reading->flag != kNoIndex;
  }

  void unwanted_value(std::uint32_t at, const Reading& reading) {
    refuse(Kind_::kUnwantedValue, at,
           std::string(reading.spelling) + " takes no value, but is given " + quoted(reading.value),
           "write " + std::string(reading.spelling) + " alone, or leave it out");
  }

  void missing_value(std::uint32_t at, const FlagRec& flag) {
    std::string hint;
    if (at + 1 < words_.size() && readings_[at + 1].kind == Reading::Kind::kUnknown) {
      hint = "a value that starts with a dash is written " + std::string(last_flag_) + "=" + words_[at + 1].text;
    }
    const std::string needs = flag.nargs == '+' ? " needs at least one value" : " needs a value";
    refuse(Kind_::kMissingValue, at, std::string(last_flag_) + needs, std::move(hint));
  }

  void act(std::uint32_t at, std::uint32_t first, const Reading& reading, const FlagRec& flag,
           const std::vector<std::string_view>& values) {
    const std::string spelling(reading.spelling);
    Value value;
    switch (flag.action) {
      case FlagAction::kHelp:
      case FlagAction::kVersion: {
        const bool help = flag.action == FlagAction::kHelp;
        refuse(help ? Kind_::kHelp : Kind_::kVersion, at,
               spelling + " prints the runtime's " + (help ? "help" : "version") + " and launches nothing", {});
        stopped_ = true;
        return;
      }
      case FlagAction::kStoreTrue:
        value = Value::boolean(true);
        break;
      case FlagAction::kBooleanOptional:
        value = Value::boolean(spelling.rfind("--no-", 0) != 0);
        break;
      case FlagAction::kStoreConst:
        if (!convert_all(first, spelling, flag, values, &value)) return;
        value = constant(pack_, pack_.special(flag).constant, arena_);
        break;
      case FlagAction::kStore:
      case FlagAction::kNamedPaths:
        if (!convert_all(first, spelling, flag, values, &value)) return;
        break;
    }
    note(at, reading, flag);
    if (flag.field == FlagRec::kNoField) return;
    parsed_.given.values[flag.field] = value;
    parsed_.given.origins[flag.field] = {true, reading.flag, at, first};
  }

  // One value for a flag that takes one, else a list.
  bool convert_all(std::uint32_t first, const std::string& spelling, const FlagRec& flag,
                   const std::vector<std::string_view>& values, Value* out) {
    if (values.empty() && flag.nargs == '?') {
      *out = constant(pack_, pack_.special(flag).constant, arena_);
      if (!out->is_str()) return true;
      return convert_one(first, spelling, flag, out->as_str(), out);
    }
    if (values.size() == 1 && (flag.nargs == 0 || flag.nargs == '?')) {
      return convert_one(first, spelling, flag, values[0], out);
    }
    Value* items = arena_.array<Value>(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      new (items + i) Value();
      if (!convert_one(first + static_cast<std::uint32_t>(i), spelling, flag, values[i], items + i)) return false;
      if (items[i].is_unknown()) {  // and so is the whole list
        *out = items[i];
        return true;
      }
    }
    *out = Value::list(items, static_cast<std::uint32_t>(values.size()));
    return true;
  }

  bool convert_one(std::uint32_t word, const std::string& spelling, const FlagRec& flag, std::string_view text,
                   Value* out) {
    if (word < words_.size() && !words_[word].unknown.empty()) {
      *out = Value::unknown(arena_.copy(words_[word].unknown));
      return true;
    }
    Converted converted = flag.action == FlagAction::kNamedPaths ? convert_named_path(pack_, flag, text, arena_)
                                                                 : convert(pack_, flag, text, arena_);
    *out = converted.value;
    if (converted.ok()) return true;
    refuse(converted.kind, word, spelling + " " + converted.problem, std::move(converted.hint));
    return false;
  }

  void note(std::uint32_t at, const Reading& reading, const FlagRec& flag) {
    const std::string spelling(reading.spelling);
    const auto add = [&](Kind_ kind, std::string message, std::string hint) {
      parsed_.given.notes.push_back({kind, std::move(message), std::move(hint), at, words_[at].place});
    };
    if (flag.deprecated != 0) {
      const std::string_view use = pack_.text(pack_.special(flag).replacement);
      add(Kind_::kDeprecated, spelling + " is deprecated", use.empty() ? "" : "use " + std::string(use));
    }
    if (pack_.about->config_flag != 0 && spellings_.find(pack_.text(pack_.about->config_flag)) == reading.flag) {
      add(Kind_::kIgnored, "the file of " + spelling + " is not read: the flag was not written as a word of its own",
          "write " + std::string(pack_.text(pack_.about->config_flag)) + " and the file as two words");
    }
  }

  // Whether a word that is not known stands where a flag may.
  bool may_be_given() const {
    return std::any_of(strays_.begin(), strays_.end(), [&](const Stray& s) { return !words_[s.word].unknown.empty(); });
  }

  void check_required() {
    for (std::uint32_t i = 0; i < pack_.flags.size(); ++i) {
      const FlagRec& flag = pack_.flags[i];
      if (flag.required == 0 || (flag.versions >> version_ & 1) == 0 || seen_[i] || may_be_given()) continue;
      const std::string_view spelling = pack_.text(pack_.slice(flag.spellings)[0]);
      UsageFinding& finding = refuse(Kind_::kRequired, kNoIndex, std::string(spelling) + " must be given", {});
      for (const Stray& stray : strays_) {
        const std::string_view text = words_[stray.word].text;
        if (readings_[stray.word].kind != Reading::Kind::kUnknown) continue;
        std::string meant = did_you_mean(text.substr(0, text.find('=')), {spelling});
        if (meant.empty()) continue;
        finding.word = stray.word;
        finding.place = words_[stray.word].place;
        finding.hint = quoted(text) + " is no flag: " + meant;
        break;
      }
    }
  }

  void report_strays() {
    std::uint32_t told = kNoIndex;  // the word behind an unknown flag and its values: nothing new about it
    for (const Stray& stray : strays_) {
      if (parsed_.refusals.size() >= kMaxRefusals) return;
      const Reading::Kind kind = readings_[stray.word].kind;
      const std::string& text = words_[stray.word].text;
      if (!words_[stray.word].unknown.empty()) {
        parsed_.open.push_back(stray.word);
        told = stray.word + 1;
        continue;
      }
      // A flag of another release was never the command's own.
      if (own_flags_ && kind == Reading::Kind::kUnknown &&
          !is_flag_of_any_version(pack_, std::string_view(text).substr(0, text.find('=')))) {
        told = stray.word + 1;
        continue;
      }
      if (kind == Reading::Kind::kAmbiguous) {
        told = stray.word + 1;  // said already
      } else if (kind == Reading::Kind::kUnknown) {
        told = stray.word + 1;
        const std::string_view name = std::string_view(text).substr(0, text.find('='));
        refuse(Kind_::kUnknown, stray.word, quoted(name) + " is no flag of " + runtime_name(pack_, version_),
               hint_for_unknown(pack_, version_, spellings_, name));
      } else if (stray.word == told) {
        ++told;
      } else {
        refuse(Kind_::kUnknown, stray.word, quoted(text) + " belongs to no flag", stray_hint(stray));
      }
    }
  }

  std::string stray_hint(const Stray& stray) const {
    const std::string& text = words_[stray.word].text;
    if (text == "--") return "leave the -- out: there are no arguments without a flag";
    if (spellings_.find("--" + text) != kNoIndex) return "did you mean --" + text + "?";
    if (stray.after.empty()) return "arguments start with a flag";
    const FlagRec& flag = pack_.flags[spellings_.find(stray.after)];
    const std::string spelling(stray.after);
    if (flag.nargs == 'n') return spelling + " takes no value";
    if (flag.nargs == 0 || flag.nargs == '?') return spelling + " takes one value; quote it if it holds spaces";
    return {};
  }

  const Pack& pack_;
  const std::uint32_t version_;
  std::span<const Word> words_;
  Arena& arena_;
  const bool own_flags_;
  Spellings spellings_;
  Parsed parsed_;
  std::vector<Reading> readings_;
  std::vector<Stray> strays_;
  std::vector<bool> seen_;  // by flag
  std::string_view last_flag_;
  bool stopped_ = false;
};

}  // namespace

Parsed parse(const Pack& pack, std::uint32_t version, std::span<const Word> words, Arena& arena, bool own_flags) {
  return Walk(pack, version, words, arena, own_flags).run();
}

}  // namespace gonogo
