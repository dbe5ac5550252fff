#include "engine/diagnosis.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "rules/code.h"
#include "rules/walk.h"

namespace gonogo {

namespace {

constexpr double kPlace = 12;      // the innermost frame is the rule's place
constexpr double kOuterFrame = 3;  // less for each frame farther out
constexpr double kNoted = 8;       // all words that the rule notes of the runtime's text are there
constexpr double kFile = 2;        // a file that was passed through is named in the rule
constexpr double kMargin = 1.15;
constexpr std::size_t kShortestFile = 4;
constexpr int kLeastCommon = 3;
constexpr std::size_t kMostWords = 400;

using Bag = std::map<std::string, double, std::less<>>;

void add(Bag* bag, std::string_view text, double weight) {
  for (std::string& word : compared_words(text)) {
    double& known = (*bag)[std::move(word)];
    known = std::max(known, weight);
  }
}

// What a rule says and reads, as words with weights.
Bag words_of(const Pack& pack, std::uint32_t rule) {
  Bag out;
  const RuleRec& r = pack.rules[rule];
  const RuleNote& note = pack.note(rule);
  add(&out, unparse(pack, r.payload.first), 1);
  add(&out, unparse(pack, r.when), 0.8);
  add(&out, pack.text(note.because), 0.6);
  std::string id(pack.text(r.id));
  std::replace(id.begin(), id.end(), '/', ' ');
  std::replace(id.begin(), id.end(), '-', ' ');
  add(&out, id, 0.5);
  for (const std::uint32_t group : groups_around(pack, rule)) add(&out, unparse(pack, pack.rules[group].when), 0.3);
  add(&out, pack.text(note.upstream), 2);
  return out;
}

struct Entry {
  std::uint32_t rule;
  double place;  // 0 where no frame is the rule's
  bool innermost;
  Bag words;
};

// The share of the words that a rule notes which are in the text; below 0 where it notes none.
double noted(const Pack& pack, std::uint32_t rule, const std::set<std::string, std::less<>>& text) {
  const std::vector<std::string> words = compared_words(pack.text(pack.note(rule).upstream));
  if (words.empty()) return -1;
  const auto found = std::count_if(words.begin(), words.end(), [&](const std::string& w) { return text.contains(w); });
  return static_cast<double>(found) / static_cast<double>(words.size());
}

std::string squeezed(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c >= 'A' && c <= 'Z') {
      out += static_cast<char>(c - 'A' + 'a');
    } else if (c != '_') {
      out += c;
    }
  }
  return out;
}

// Whether a file that was passed through is named in the rule: "some_model" by "SomeModelForX".
bool names_a_file(const Bag& words, const std::vector<std::string>& files) {
  return std::any_of(words.begin(), words.end(), [&](const auto& word) {
    const std::string name = squeezed(word.first);
    return std::any_of(files.begin(), files.end(), [&](const std::string& file) { return name.starts_with(file); });
  });
}

}  // namespace

std::vector<std::string> compared_words(std::string_view text) {
  std::vector<std::string> out;
  std::string word;
  const auto flush = [&] {
    while (!word.empty() && (word.back() == '.' || word.back() == '_')) word.pop_back();
    const std::size_t start = word.find_first_not_of("_.");
    if (start != std::string::npos && word.size() - start > 1 && out.size() < kMostWords) {
      out.push_back(word.substr(start));
    } else if (word.size() == 1 && word[0] >= '0' && word[0] <= '9' && out.size() < kMostWords) {
      out.push_back(word);
    }
    word.clear();
  };
  for (const char c : text) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_') {
      word += c;
    } else if (c >= 'A' && c <= 'Z') {
      word += static_cast<char>(c - 'A' + 'a');
    } else if (c == '-') {
      word += '_';
    } else {
      flush();
    }
  }
  flush();
  return out;
}

std::vector<Diagnosis> diagnose(const Pack& pack, std::uint32_t version, const LogException& exception,
                                std::size_t most) {
  std::vector<Entry> entries;
  std::map<std::string, double, std::less<>> places;
  double value = kPlace;
  for (auto frame = exception.frames.rbegin(); frame != exception.frames.rend() && value > 0; ++frame) {
    if (places.emplace(frame->check(), value).second) value -= kOuterFrame;
  }
  // The innermost frames may be a library's: the nearest one that any rule names counts as the place.
  double best_place = 0;
  for (std::uint32_t i = 0; i < pack.rules.size(); ++i) {
    const RuleRec& r = pack.rules[i];
    if (r.action != Action::kFail || (version != kNoIndex && (r.versions >> version & 1) == 0)) continue;
    const auto at = places.find(pack.text(pack.note(i).check));
    const double place = at == places.end() ? 0 : at->second;
    best_place = std::max(best_place, place);
    entries.push_back({i, place, false, {}});
  }
  if (best_place > 0) std::erase_if(entries, [](const Entry& e) { return e.place == 0; });

  std::set<std::string, std::less<>> text;
  for (std::string& word : compared_words(exception.message)) text.insert(std::move(word));
  for (const LogFrame& frame : exception.frames) {
    const auto place = places.find(frame.check());
    if (best_place == 0 || place == places.end() || place->second != best_place) continue;
    for (std::string& word : compared_words(frame.source)) text.insert(std::move(word));
  }
  std::map<std::string, int, std::less<>> spread;  // in how many rules a word stands
  for (Entry& e : entries) {
    e.innermost = e.place == best_place && best_place > 0;
    e.words = words_of(pack, e.rule);
    for (const auto& [word, weight] : e.words) ++spread[word];
  }
  std::vector<std::string> files;
  for (const LogFrame& frame : exception.frames) {
    std::string file = squeezed(frame.file);
    if (file.size() >= kShortestFile) files.push_back(std::move(file));
  }
  const double count = static_cast<double>(entries.size());
  std::vector<Diagnosis> out;
  std::map<std::uint32_t, double> shares;
  std::map<std::uint32_t, int> common;  // words of some length that a rule shares with the text
  for (const Entry& e : entries) {
    double shared = 0;
    double all = 0;
    for (const auto& [word, weight] : e.words) {
      const double rarity = std::log(1 + count / spread[word]);
      all += rarity * weight;
      if (!text.contains(word)) continue;
      shared += rarity * weight;
      if (word.size() >= kShortestFile) ++common[e.rule];
    }
    const double share = shares[e.rule] = noted(pack, e.rule, text);
    Diagnosis d;
    d.rule = e.rule;
    d.place_matches = e.innermost;
    d.score = e.place + (e.innermost ? kPlace : 0) + 4 * shared / std::sqrt(1 + all);
    // Noted words that are not there speak against a rule.
    if (share >= 0) d.score += kNoted * (share * share - (1 - share) * (1 - share));
    if (names_a_file(e.words, files)) d.score += kFile;
    out.push_back(d);
  }
  std::stable_sort(out.begin(), out.end(), [](const Diagnosis& a, const Diagnosis& b) { return a.score > b.score; });
  if (!out.empty() && out[0].place_matches) {
    // Rules that say the same are one answer.
    const auto says = [&](const Diagnosis& d) { return unparse(pack, pack.rules[d.rule].payload.first); };
    const std::string first = says(out[0]);
    const auto rival = std::find_if(out.begin() + 1, out.end(),
                                    [&](const Diagnosis& d) { return d.place_matches && says(d) != first; });
    const double here = out[0].score - 2 * kPlace;
    const bool clear = rival == out.end() || here > kMargin * std::max(rival->score - 2 * kPlace, 0.0);
    if (rival == out.end() || (shares[out[0].rule] == 1 && clear)) {
      out[0].confidence = Diagnosis::Confidence::kCertain;
    } else if (clear) {
      out[0].confidence = Diagnosis::Confidence::kLikely;
    }
  }
  // By words alone next to nothing is known.
  if (best_place == 0) std::erase_if(out, [&](const Diagnosis& d) { return common[d.rule] < kLeastCommon; });
  if (out.size() > most) out.resize(most);
  return out;
}

}  // namespace gonogo
