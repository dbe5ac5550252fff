#include "engine/fixes.h"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "engine/candidates.h"
#include "engine/fix_set.h"
#include "engine/resolver.h"
#include "engine/trial_runs.h"
#include "engine/usage_fixes.h"
#include "flags/argparse.h"
#include "rules/version_range.h"

namespace gonogo {

namespace {

constexpr std::size_t kMostSingles = 64;    // tried alone, and in pairs
constexpr std::size_t kMostInThrees = 24;   // of them, tried in threes
constexpr std::size_t kMostStates = 64;     // sets that moved the launch on, extended
constexpr std::size_t kMostNext = 64;       // candidates to extend each by
constexpr std::size_t kMostOfPairs = 500;   // launches that are resolved for fixes of two changes
constexpr std::size_t kMostBeside = 150;    // where one change does it, but takes away what was asked for
constexpr std::size_t kMostOfThrees = 600;  // and of three
constexpr std::size_t kMostMends = 40;      // ways to mend a command line
constexpr std::size_t kMostNotEnough = 4;
constexpr std::size_t kMostOfATarget = 2;  // values of the same flag that are shown
constexpr int kMostDisturbed = 15;
constexpr int kMissed = 10;

// A launch that the parser takes, and changes to it.
class Search {
 public:
  Search(const FixSearch& input, std::span<const Word> words, const Given& given, std::size_t mended)
      : in_(input), runs_(input, words, given), most_changes_(kMostChanges - mended) {}

  Fixes run(const Outcome& outcome) {
    before_ = &outcome;
    if (most_changes_ == 0) return {};
    const State root;
    refused_by_ = try_fix({}).refused_by;
    const std::vector<Candidate> singles = candidates_after(root, kMostSingles, true);
    std::vector<State> moved;
    for (const Candidate& c : singles) try_state(with(root, c), refused_by_, &moved);
    for (std::size_t changes = 2; changes <= most_changes_ && !gentle_found(); ++changes) {
      if (changes > 2 && !found_.empty()) break;
      most_tried_ = runs_.count() + (changes > 2 ? kMostOfThrees : found_.empty() ? kMostOfPairs : kMostBeside);
      moved = next_level(moved);
      together(singles, changes, &moved);
    }
    Fixes out;
    out.trials = chosen();
    if (out.trials.empty()) left_open(&out.trials);
    not_enough(singles, &out.trials);
    out.values = std::make_shared<Arena>();
    for (FixTrial& trial : out.trials) {
      for (FixChange& c : trial.fix) c.value = deep_copy(c.value, *out.values);
    }
    out.tried = runs_.count();
    out.cut = cut_ && !found();
    return out;
  }

  // The launch with a fix, until it is refused.
  TrialRuns::Result try_fix(const Fix& fix) { return runs_.run(fix, before_); }

 private:
  struct State {
    Fix fix;
    int cost = 0;
    bool last = false;
    bool guess = false;
    std::uint32_t refused_by = kNoIndex;
  };
  struct Found {
    Fix fix;
    int cost = 0;
    bool last = false;
    bool guess = false;
    TrialRuns::Result result;

    auto rank() const {
      return std::make_tuple(last, fix.size(), guess,
                             2 * cost + kMissed * result.missed + std::min(result.disturbed, kMostDisturbed));
    }
  };

  // What may help a launch that has some changes already and is still refused.
  std::vector<Candidate> candidates_after(const State& state, std::size_t most, bool first) {
    std::vector<Candidate> out = runs_.candidates(state.fix, most + 1, first ? before_ : nullptr);
    if (out.size() > most) {
      cut_ = true;
      out.resize(most);
    }
    if (first) versions(&out);
    return out;
  }

  // The other releases, newer ones first, unless the rule itself names one.
  void versions(std::vector<Candidate>* out) {
    for (const Candidate& c : *out) {
      for (const FixChange& change : c.fix) {
        if (change.kind == Target::kVersion) return;
      }
    }
    for (std::uint32_t v = in_.version + 1; v < in_.pack.version_count(); ++v) {
      out->push_back(version_candidate(in_.pack, v, runs_.arena()));
    }
    for (std::uint32_t v = in_.version; v-- > 0;) out->push_back(version_candidate(in_.pack, v, runs_.arena()));
  }

  bool found() const {
    return std::any_of(found_.begin(), found_.end(), [](const Found& f) { return !f.last; });
  }
  // One that leaves everything in place that was asked for.
  bool gentle_found() const {
    return std::any_of(found_.begin(), found_.end(),
                       [](const Found& f) { return !f.last && !f.guess && f.result.missed == 0; });
  }

  static State with(const State& state, const Candidate& c) {
    return {joined(state.fix, c.fix), state.cost + c.cost, state.last || c.last, state.guess || c.guess};
  }

  // Whether as many launches were resolved as there may be.
  bool spent() {
    const bool out = runs_.count() >= most_tried_;
    cut_ = cut_ || out;
    return out;
  }

  // Tries a set of changes; one that is refused by another rule than `before` is one to go on from.
  void try_state(State state, std::uint32_t before, std::vector<State>* moved) {
    if (state.fix.size() > most_changes_ || is_more_than_needed(state.fix)) return;
    const TrialRuns::Result result = try_fix(state.fix);
    state.refused_by = result.refused_by;
    if (result.verdict == Verdict::kGo) {
      record(state, result);
    } else if (result.verdict == Verdict::kNoGo && result.refused_by != before && result.version == in_.version) {
      moved->push_back(std::move(state));
    } else if (result.verdict == Verdict::kUnknown && !changes_version(state.fix)) {
      open_.push_back(std::move(state));
    }
  }

  static bool changes_version(const Fix& fix) {
    return std::any_of(fix.begin(), fix.end(), [](const FixChange& c) { return c.kind == Target::kVersion; });
  }

  bool is_more_than_needed(const Fix& fix) const {
    return std::any_of(found_.begin(), found_.end(), [&](const Found& f) { return includes(fix, f.fix); });
  }

  // Keeps a fix, without the changes that it does not need.
  void record(const State& state, const TrialRuns::Result& result) {
    Fix fix = state.fix;
    TrialRuns::Result last = result;
    for (std::size_t i = 0; fix.size() > 1 && i < fix.size();) {
      Fix fewer = fix;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      const TrialRuns::Result without = try_fix(fewer);
      if (without.verdict == Verdict::kGo) {
        fix = std::move(fewer);
        last = without;
        i = 0;
      } else {
        ++i;
      }
    }
    if (is_more_than_needed(fix)) return;
    found_.push_back({fix, state.cost, state.last, state.guess, last});
  }

  // Sets of so many changes against the launch's own refusal, whose condition may hold for several reasons. The
  // gentlest first.
  void together(std::span<const Candidate> singles, std::size_t changes, std::vector<State>* moved) {
    if (changes > 2 && singles.size() > kMostInThrees) {
      cut_ = true;
      singles = singles.first(kMostInThrees);
    }
    std::vector<State> sets(1);
    for (const Candidate& c : singles) {
      for (std::size_t i = sets.size(); i-- > 0;) {
        if (sets[i].fix.size() < changes && !clash(sets[i].fix, c.fix)) sets.push_back(with(sets[i], c));
      }
    }
    std::stable_sort(sets.begin(), sets.end(), [](const State& a, const State& b) { return a.cost < b.cost; });
    for (const State& set : sets) {
      if (set.fix.size() != changes) continue;
      if (spent()) return;
      try_state(set, refused_by_, moved);
    }
  }

  // Sets that moved the launch on, each extended by what may help against the refusal that it came to. First those that
  // are refused no earlier than the launch itself.
  std::vector<State> next_level(std::vector<State> states) {
    std::stable_sort(states.begin(), states.end(), [&](const State& a, const State& b) {
      return std::make_pair(a.refused_by < refused_by_, a.cost) < std::make_pair(b.refused_by < refused_by_, b.cost);
    });
    if (states.size() > kMostStates) {
      cut_ = true;
      states.resize(kMostStates);
    }
    std::vector<State> moved;
    for (const State& state : states) {
      for (const Candidate& c : candidates_after(state, kMostNext, false)) {
        if (clash(state.fix, c.fix)) continue;
        if (spent()) return moved;
        try_state(with(state, c), state.refused_by, &moved);
      }
    }
    return moved;
  }

  // Whether a fix goes back to an older release.
  bool older(const Fix& fix) const {
    return std::any_of(fix.begin(), fix.end(), [&](const FixChange& c) {
      if (c.kind != Target::kVersion) return false;
      const auto range = VersionRange::parse(c.value.as_str());
      for (std::uint32_t i = in_.version + 1; range && i < in_.pack.version_count(); ++i) {
        if (range->contains(in_.pack.version(i))) return false;
      }
      return true;
    });
  }

  // The fixes to show, the gentlest first.
  std::vector<FixTrial> chosen() {
    std::stable_sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) { return a.rank() < b.rank(); });
    std::vector<FixTrial> out;
    bool harsh = false;
    bool firm = false;       // something is shown that is no guess
    bool missing = true;     // all of the fewest changes leave out something that was asked for
    std::size_t fewest = 0;  // changes of the first one
    for (const Found& f : found_) {
      if (out.size() >= kMostFixes) break;
      const bool other_version = changes_version(f.fix);
      // A last resort is no news beside something gentler, nor are more changes beside fewer; another release is, once.
      if (f.last && !other_version && !out.empty() && !harsh) continue;
      if ((f.guess && firm && !missing) || (older(f.fix) && !out.empty())) continue;
      if (fewest > 0 && fewest < f.fix.size() && (!missing || f.result.missed > 0)) continue;
      const auto alike = std::count_if(out.begin(), out.end(), [&](const FixTrial& t) {
        return t.fix.size() == f.fix.size() && std::equal(t.fix.begin(), t.fix.end(), f.fix.begin(), same_target);
      });
      if (static_cast<std::size_t>(alike) >= (other_version || f.fix.size() > 1 ? 1 : kMostOfATarget)) continue;
      auto args = runs_.typed(f.fix, f.result.version);
      if (!args) continue;
      FixTrial trial;
      trial.fix = f.fix;
      trial.version = f.result.version;
      trial.enough = true;
      trial.args = std::move(*args);
      firm = firm || !f.guess;
      if (fewest == 0) fewest = f.fix.size();
      if (f.fix.size() == fewest) missing = missing && f.result.missed > 0;
      harsh = harsh || (f.last && out.empty());
      out.push_back(std::move(trial));
    }
    return out;
  }

  // What lifts the refusal where no fix can be known, since not all that decides was given. The gentlest first.
  void left_open(std::vector<FixTrial>* out) {
    std::stable_sort(open_.begin(), open_.end(), [](const State& a, const State& b) {
      return std::tie(a.last, a.guess, a.cost) < std::tie(b.last, b.guess, b.cost);
    });
    for (const State& state : open_) {
      if (out->size() >= kMostNotEnough) return;
      FixTrial trial;
      trial.fix = state.fix;
      trial.version = in_.version;
      trial.open = true;
      out->push_back(std::move(trial));
    }
  }

  // What the refusing rule proposes and what it names, where that fails.
  void not_enough(const std::vector<Candidate>& singles, std::vector<FixTrial>* out) {
    std::size_t told = 0;
    bool dropped = false;
    for (const Candidate& c : singles) {
      const bool drops = c.fix.size() == 1 && c.fix[0].kind == Target::kField && c.fix[0].value.is_none();
      if (told >= kMostNotEnough || !(c.proposed || (drops && !dropped))) continue;
      dropped = dropped || drops;
      const TrialRuns::Result result = try_fix(c.fix);
      if (result.verdict != Verdict::kNoGo) continue;
      FixTrial trial;
      trial.fix = c.fix;
      trial.version = result.version;
      trial.refused_by = result.refused_by;
      out->push_back(std::move(trial));
      ++told;
    }
  }

  const FixSearch& in_;
  TrialRuns runs_;
  std::size_t most_changes_;
  std::size_t most_tried_ = 0;
  const Outcome* before_ = nullptr;
  std::vector<State> open_;  // sets after which the verdict is UNKNOWN
  std::uint32_t refused_by_ = kNoIndex;
  std::vector<Found> found_;
  bool cut_ = false;
};

// Fixes of a command line that the parser refuses: mended, and where a rule refuses it then, fixed as well.
Fixes mended(const FixSearch& search, const Outcome& outcome) {
  Fixes out;
  std::vector<std::vector<WordEdit>> alternatives;
  for (const Finding& f : outcome.findings) {
    if (!f.usage || f.kind != Action::kFail) continue;
    alternatives.push_back(usage_edits(search.pack, search.version, search.words, *f.usage));
    if (alternatives.back().empty() || alternatives.size() > kMostChanges) return out;
  }
  bool deeper = false;
  for (const std::vector<WordEdit>& edits : ways_to_mend(alternatives, &out.cut)) {
    const std::vector<Word> words = edited(search.words, edits);
    Arena arena;
    const Parsed parsed = parse(search.pack, search.version, words, arena, search.own_flags);
    if (!parsed.ok()) continue;
    Search with(search, words, parsed.given, edits.size());
    const TrialRuns::Result result = with.try_fix({});
    ++out.tried;
    FixTrial trial;
    trial.mends = edits;
    trial.version = search.version;
    if (result.verdict == Verdict::kGo) {
      trial.enough = true;
      for (const Word& word : words) trial.args.push_back(word.text);
      out.trials.push_back(trial);
      if (out.trials.size() >= kMostFixes) break;
    } else if (result.verdict == Verdict::kNoGo && !deeper && out.trials.empty()) {
      deeper = true;  // once, for the likeliest way
      Runtime rules(search.pack, search.version);
      const Outcome then = resolve(rules, search.world, parsed.given, arena, {.evidence = false});
      Fixes fixes = with.run(then);
      out.tried += fixes.tried;
      out.values = fixes.values;
      for (FixTrial& t : fixes.trials) {
        t.mends = edits;
        if (t.enough) out.trials.push_back(std::move(t));
      }
    }
  }
  const auto changes = [](const FixTrial& t) { return t.mends.size() + t.fix.size(); };
  std::stable_sort(out.trials.begin(), out.trials.end(),
                   [&](const FixTrial& a, const FixTrial& b) { return changes(a) < changes(b); });
  if (out.trials.size() > kMostFixes) out.trials.resize(kMostFixes);
  return out;
}

}  // namespace

Fixes try_fixes(const FixSearch& search, const Outcome& outcome) {
  if (search.given == nullptr) return mended(search, outcome);
  return Search(search, search.words, *search.given, 0).run(outcome);
}

}  // namespace gonogo
