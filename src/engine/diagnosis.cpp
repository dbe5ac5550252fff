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
constexpr double kMargin = 1.15;
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

// How much all words that a rule notes are in the text: 0 none, 1 all.
double noted(const Pack& pack, std::uint32_t rule, const std::set<std::string, std::less<>>& text) {
  const std::vector<std::string> words = compared_words(pack.text(pack.note(rule).upstream));
  if (words.empty()) return 0;
  const auto found = std::count_if(words.begin(), words.end(), [&](const std::string& w) { return text.contains(w); });
  return static_cast<double>(found) / static_cast<double>(words.size());
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
  const double count = static_cast<double>(entries.size());
  std::vector<Diagnosis> out;
  for (const Entry& e : entries) {
    double shared = 0;
    double all = 0;
    for (const auto& [word, weight] : e.words) {
      const double rarity = std::log(1 + count / spread[word]);
      all += rarity * weight;
      if (text.contains(word)) shared += rarity * weight;
    }
    const double all_noted = noted(pack, e.rule, text);
    Diagnosis d;
    d.rule = e.rule;
    d.place_matches = e.innermost;
    d.score = e.place + (e.innermost ? kPlace : 0) + kNoted * all_noted * all_noted + 4 * shared / std::sqrt(1 + all);
    d.confidence = all_noted == 1 && e.innermost ? Diagnosis::Confidence::kCertain : Diagnosis::Confidence::kPossible;
    out.push_back(d);
  }
  std::stable_sort(out.begin(), out.end(), [](const Diagnosis& a, const Diagnosis& b) { return a.score > b.score; });
  if (!out.empty() && out[0].place_matches && out[0].confidence != Diagnosis::Confidence::kCertain) {
    const double here = out[0].score - 2 * kPlace;
    const double next = out.size() > 1 && out[1].place_matches ? out[1].score - 2 * kPlace : -1;
    const bool alone = out.size() == 1 || !out[1].place_matches;
    if (alone) {
      out[0].confidence = Diagnosis::Confidence::kCertain;
    } else if (here > kMargin * next) {
      out[0].confidence = Diagnosis::Confidence::kLikely;
    }
  }
  // By words alone next to nothing is known.
  if (best_place == 0) std::erase_if(out, [](const Diagnosis& d) { return d.score < 4; });
  if (out.size() > most) out.resize(most);
  return out;
}

}  // namespace gonogo
