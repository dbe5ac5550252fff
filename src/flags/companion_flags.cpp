#include "flags/companion_flags.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <optional>
#include <string>

#include "flags/spelling.h"
#include "rules/constant.h"

namespace gonogo {

namespace {

constexpr std::string_view kNotKnown = "a word of the command";

// --flag-name → flag_name.
std::string name_of(std::string_view spelling) {
  std::string out(spelling.substr(std::min<std::size_t>(2, spelling.size())));
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

std::string spelling_of(std::string_view name) {
  std::string out = "--" + std::string(name);
  std::replace(out.begin(), out.end(), '_', '-');
  return out;
}

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t out = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (failed != std::errc() || text.empty() || end != text.data() + text.size()) return std::nullopt;
  return out;
}

// Where the first of `stops` stands that is in no brackets, as a placeholder's own characters are; the size where it
// is nowhere.
std::size_t find_outside(std::string_view text, std::string_view stops) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (depth == 0 && stops.find(text[i]) != std::string_view::npos) return i;
    if (std::string_view("[{(<").find(text[i]) != std::string_view::npos) ++depth;
    if (std::string_view("]})>").find(text[i]) != std::string_view::npos) --depth;
  }
  return text.size();
}

class Reader {
 public:
  Reader(const Pack& pack, const PeerRec& peers, std::span<const Word> words, Arena& arena)
      : pack_(pack),
        peers_(peers),
        flags_(pack.named.subspan(peers.flags.first, peers.flags.count)),
        words_(words),
        arena_(arena) {
    for (const NamedCode& flag : flags_) defaults_.push_back(constant(pack, flag.code, arena));
    out_.values = defaults_;
    out_.words.assign(flags_.size(), kNoIndex);
    given_.resize(flags_.size());
  }

  CompanionGiven run() {
    for (std::uint32_t at = 0; at < words_.size();) {
      if (is_flag(at)) {
        at = take(at);
      } else {
        out_.open = out_.open || !words_[at].unknown.empty();
        ++at;
      }
    }
    for (const StrId flag : pack_.slice(peers_.calls)) call(find(pack_.text(flag)));
    if (peers_.finds.count > 2) look();
    std::stable_sort(out_.calls.begin(), out_.calls.end(),
                     [](const auto& a, const auto& b) { return a.word < b.word; });
    for (std::uint32_t i = 0; i < flags_.size(); ++i) {
      if (defaults_[i].is_sequence() && !given_[i].empty()) out_.values[i] = list(all(i));
      const bool switched = out_.values[i].is(Kind::kBool) && out_.values[i].as_bool();
      if (out_.open && !switched) out_.values[i] = Value::unknown(kNotKnown);
    }
    return std::move(out_);
  }

 private:
  // The words of a flag that takes several: those of one time that it is given.
  struct Words {
    std::uint32_t first = 0;
    std::vector<Value> values;
  };

  std::uint32_t find(std::string_view name) const {
    std::uint32_t i = 0;
    while (i < flags_.size() && pack_.text(flags_[i].name) != name) ++i;
    return i;
  }

  std::string spelling(std::uint32_t flag) const { return spelling_of(pack_.text(flags_[flag].name)); }

  Value text(std::string_view t) const { return Value::str(arena_.copy(t)); }

  Value list(const std::vector<Value>& values) const {
    auto* items = arena_.array<Value>(values.size());
    std::copy(values.begin(), values.end(), items);
    return Value::list(items, static_cast<std::uint32_t>(values.size()));
  }

  Value mapping(std::initializer_list<Entry> made) const {
    auto* entries = arena_.array<Entry>(made.size());
    std::copy(made.begin(), made.end(), entries);
    return Value::dict(entries, static_cast<std::uint32_t>(made.size()));
  }

  std::vector<Value> all(std::uint32_t flag) const {
    std::vector<Value> out;
    for (const Words& some : given_[flag]) out.insert(out.end(), some.values.begin(), some.values.end());
    return out;
  }

  bool is_flag(std::size_t at) const {
    const std::string_view word = words_[at].text;
    return word.size() > 1 && word[0] == '-' && !looks_like_negative_number(word) &&
           word.find(' ') == std::string_view::npos;
  }

  Value value_of(std::uint32_t word, std::string_view t) const {
    return words_[word].unknown.empty() ? text(t) : Value::unknown(kNotKnown);
  }

  // Acts on the flag at `at`; returns the index behind its values.
  std::uint32_t take(std::uint32_t at) {
    const std::string_view word = words_[at].text;
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::uint32_t flag =
        word.substr(0, 2) == "--" ? find(name_of(word.substr(0, equals))) : static_cast<std::uint32_t>(flags_.size());
    if (flag == flags_.size()) return pass_over(at, equals);
    out_.words[flag] = at;
    const Value& by_default = defaults_[flag];
    const bool joined = equals < word.size();
    if (by_default.is(Kind::kBool)) {
      out_.values[flag] = Value::boolean(true);
      return at + 1;
    }
    const std::uint32_t first = joined ? at : at + 1;
    if (!joined && (first == words_.size() || is_flag(first))) return first;  // refused, or an empty list
    const std::string_view value = joined ? word.substr(equals + 1) : std::string_view(words_[first].text);
    out_.words[flag] = first;
    if (by_default.is_sequence()) {
      Words some{first, {value_of(first, value)}};
      std::uint32_t next = first + 1;
      for (; !joined && next < words_.size() && !is_flag(next); ++next) {
        some.values.push_back(value_of(next, words_[next].text));
        out_.open = out_.open || !words_[next].unknown.empty();  // it may be several words
      }
      if (by_default.size() == 0) given_[flag].clear();
      given_[flag].push_back(std::move(some));
      return next;
    }
    out_.values[flag] = value_of(first, value);
    if (by_default.is(Kind::kInt) && words_[first].unknown.empty()) {
      const auto n = number(value);
      out_.values[flag] = n ? Value::integer(*n) : Value::unknown(kNotKnown);
    }
    return first + 1;
  }

  // A flag that the pack doesn't know goes with its values. It may be an abbreviation of one that it knows.
  std::uint32_t pass_over(std::uint32_t at, std::size_t equals) {
    const std::string_view word = words_[at].text;
    if (!words_[at].unknown.empty() && word.find_first_of("$<{(") < equals) out_.open = true;
    const std::string called = name_of(word.substr(0, equals));
    for (std::uint32_t i = 0; i < flags_.size() && word.substr(0, 2) == "--"; ++i) {
      if (pack_.text(flags_[i].name).substr(0, called.size()) == called) out_.open = true;
    }
    const bool joined = equals < word.size();
    for (++at; at < words_.size() && !is_flag(at); ++at) {
      if (joined && !words_[at].unknown.empty()) out_.open = true;
    }
    return at;
  }

  // What the values of a flag of addresses say.
  void call(std::uint32_t flag) {
    const bool each = defaults_[flag].size() > 0;
    for (const Words& some : given_[flag]) {
      const auto count = static_cast<std::uint32_t>(each ? 1 : some.values.size());
      for (std::uint32_t i = 0; i < count; ++i) {
        const std::vector<Value> further(some.values.begin() + 1, each ? some.values.end() : some.values.begin() + 1);
        out_.calls.push_back({some.first + i, address(flag, words_[some.first + i], further)});
      }
    }
  }

  // http://[::1]:80/path, or host:80.
  Value address(std::uint32_t flag, const Word& word, const std::vector<Value>& further) const {
    constexpr std::string_view kScheme = "://";
    std::string_view rest = word.text;
    const std::string joined = spelling(flag) + "=";
    if (rest.substr(0, joined.size()) == joined) rest.remove_prefix(joined.size());
    std::string_view scheme;
    if (const std::size_t at = rest.find(kScheme); at != std::string_view::npos) {
      scheme = rest.substr(0, at);
      rest.remove_prefix(at + kScheme.size());
    }
    rest = rest.substr(0, find_outside(rest, "/?#"));
    // A password may hold what else divides an address, the sign itself and open brackets among it.
    if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos) rest.remove_prefix(at + 1);
    const std::size_t colon = find_outside(rest, ":");
    std::string_view host = rest.substr(0, colon);
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
    Value port = Value::unknown(kNotKnown);
    if (colon < rest.size()) {
      if (const auto n = number(rest.substr(colon + 1))) port = Value::integer(*n);
    } else if (word.unknown.empty() && (scheme == "http" || scheme == "https")) {
      port = Value::integer(scheme == "http" ? 80 : 443);
    }
    const std::string shown = std::string(scheme) + std::string(scheme.empty() ? "" : kScheme) + std::string(rest);
    return mapping({{Value::str("flag"), text(spelling(flag))},
                    {Value::str("text"), text(shown)},
                    {Value::str("scheme"), text(scheme)},
                    {Value::str("host"), text(host)},
                    {Value::str("port"), port},
                    {Value::str("further"), list(further)}});
  }

  // What it looks for by labels: each flag's are one thing. A single word may hold several, separated by blanks.
  void look() {
    const auto finds = pack_.slice(peers_.finds);
    const Value& on = out_.values[find(pack_.text(finds[0]))];
    if (!on.is(Kind::kBool) || !on.as_bool()) return;
    const Value& port = out_.values[find(pack_.text(finds[1]))];
    for (const StrId id : finds.subspan(2)) {
      const std::uint32_t flag = find(pack_.text(id));
      if (given_[flag].empty()) continue;
      std::vector<Value> labels;
      std::string shown;
      bool known = !out_.open && port.is(Kind::kInt);
      for (const Value& value : all(flag)) {
        known = known && value.is_str();
        std::string_view rest = value.as_str();
        while (known && !rest.empty()) {
          const std::size_t end = std::min(rest.find(' '), rest.size());
          if (end > 0) labels.push_back(Value::str(rest.substr(0, end)));
          if (end > 0) shown += (shown.empty() ? "" : " ") + std::string(rest.substr(0, end));
          rest.remove_prefix(std::min(end + 1, rest.size()));
        }
      }
      if (known) shown += ", port " + std::to_string(port.as_int());
      out_.calls.push_back(
          {given_[flag].back().first, mapping({{Value::str("flag"), text(spelling(flag))},
                                               {Value::str("text"), text(shown)},
                                               {Value::str("labels"), known ? list(labels) : Value::unknown(kNotKnown)},
                                               {Value::str("port"), port},
                                               {Value::str("further"), list({})}})});
    }
  }

  const Pack& pack_;
  const PeerRec& peers_;
  std::span<const NamedCode> flags_;
  std::span<const Word> words_;
  Arena& arena_;
  std::vector<Value> defaults_;
  std::vector<std::vector<Words>> given_;  // by flag, of those that take lists
  CompanionGiven out_;
};

}  // namespace

CompanionGiven read_companion(const Pack& pack, const PeerRec& peers, std::span<const Word> words, Arena& arena) {
  return Reader(pack, peers, words, arena).run();
}

}  // namespace gonogo
