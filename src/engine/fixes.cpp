#include "engine/fixes.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "engine/candidates.h"
#include "engine/fact_memo.h"
#include "engine/fix_set.h"
#include "engine/resolver.h"
#include "engine/suspects.h"
#include "engine/usage_fixes.h"
#include "flags/argparse.h"
#include "rules/version_range.h"

namespace gonogo {

namespace {

constexpr std::size_t kMostSuspects = 24;
constexpr std::size_t kMostSingles = 64;  // tried alone
constexpr std::size_t kMostPaired = 12;   // of them, tried in pairs though neither moves the launch on
constexpr std::size_t kMostOfAPair = 3;   // of the same flag among these
constexpr std::size_t kMostStates = 8;    // sets that moved the launch on, extended
constexpr std::size_t kMostNext = 12;     // candidates to extend each by
constexpr std::size_t kMostMends = 40;    // ways to mend a command line
constexpr std::size_t kMostNotEnough = 4;
constexpr std::size_t kMostOfATarget = 2;  // values of the same flag that are shown
constexpr std::size_t kMostHeld = 16 << 20;  // bytes of values, among them facts of the model
constexpr int kMostDisturbed = 15;
constexpr int kMissed = 10;

// A launch that the parser takes, and changes to it.
class Search {
 public:
  Search(const FixSearch& input, std::span<const Word> words, const Given& given, std::size_t mended)
      : in_(input), words_(words), given_(given), most_changes_(kMostChanges - mended), world_(input.world) {
    versions_.resize(input.pack.version_count());
    parsed_.resize(input.pack.version_count());
  }

  struct Attempt {
    Verdict verdict = Verdict::kUnknown;
    std::uint32_t version = 0;
    std::uint32_t refused_by = kNoIndex;
    int missed = 0;     // what was asked for and is left out, with nothing in its place
    int disturbed = 0;  // resolved values that differ from the launch's own, beside those that were changed
  };

  Fixes run(const Outcome& outcome) {
    before_ = &outcome;
    if (most_changes_ == 0) return {};
    const State root;
    refused_by_ = try_fix({}).refused_by;
    const std::vector<Candidate> singles = candidates_after(root, kMostSingles, true);
    std::vector<State> moved;
    for (const Candidate& c : singles) extend(root, c, refused_by_, &moved);
    if (!gentle_found() && most_changes_ > 1) pairs(singles);
    for (std::size_t changes = 2; changes <= most_changes_ && !gentle_found(); ++changes) {
      if (changes > 2 && found()) break;
      moved = next_level(moved);
    }
    Fixes out;
    out.trials = chosen();
    if (out.trials.empty()) left_open(&out.trials);
    not_enough(singles, &out.trials);
    out.values = std::make_shared<Arena>();
    for (FixTrial& trial : out.trials) {
      for (FixChange& c : trial.fix) c.value = deep_copy(c.value, *out.values);
    }
    out.tried = tried_;
    out.cut = cut_ && !found();
    return out;
  }

  // The launch with a fix, until it is refused.
  Attempt try_fix(const Fix& fix) {
    const auto [at, added] = known_.try_emplace(key_of(fix));
    if (added) at->second = attempt(fix);
    return at->second;
  }

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
    Attempt attempt;

    auto rank() const {
      return std::make_tuple(last, fix.size(), guess,
                             2 * cost + kMissed * attempt.missed + std::min(attempt.disturbed, kMostDisturbed));
    }
  };

  // What launches of one version share.
  struct Version {
    Version(const Pack& pack, std::uint32_t version) : runtime(pack, version), memo(pack) {}
    Runtime runtime;
    FactMemo memo;
  };
  Version& at(std::uint32_t version) {
    auto& known = versions_[version];
    if (known == nullptr) known = std::make_unique<Version>(in_.pack, version);
    return *known;
  }
  // Resolves `given` in `world_`, with what earlier launches found out of the model.
  Outcome resolved(std::uint32_t version, const Given& given, Arena& arena, ResolveOptions options) {
    options.memo = &at(version).memo;
    return resolve(at(version).runtime, world_, given, arena, options);
  }
  // Makes room for another launch.
  void tidy() {
    if (scratch_.held() < kMostHeld) return;
    for (const auto& version : versions_) {
      if (version != nullptr) version->memo.clear();
    }
    scratch_.reset();
  }

  // What was given, as a version reads it; null where its parser refuses the words.
  const Given* given(std::uint32_t version) {
    if (version == in_.version) return &given_;
    auto& known = parsed_[version];
    if (!known) known = parse(in_.pack, version, words_, keep_, in_.own_flags);
    return known->ok() ? &known->given : nullptr;
  }

  // The versions to try a fix with: the launch's own, or those of the range that it asks for, oldest first.
  std::vector<std::uint32_t> versions_for(const Fix& fix) const {
    for (const FixChange& c : fix) {
      if (c.kind != Target::kVersion) continue;
      const auto range = VersionRange::parse(c.value.as_str());
      std::vector<std::uint32_t> out;
      for (std::uint32_t i = in_.pack.first_ruled(); range && i < in_.pack.version_count(); ++i) {
        if (i != in_.version && range->contains(in_.pack.version(i))) out.push_back(i);
      }
      return out;
    }
    return {in_.version};
  }

  void apply(const FixChange& c, Given* to, World* world, Arena& arena) const {
    if (c.kind == Target::kEnv) {
      const std::string name(in_.pack.text(in_.pack.envs[c.target].name));
      if (c.value.is_none()) {
        world->env.erase(name);
      } else {
        world->env[name] = to_str(c.value);
      }
    } else if (c.kind == Target::kField) {
      if (c.value.is_none()) {
        reset(in_.pack, to, c.target, arena);
      } else {
        to->set(c.target, c.value);
      }
    }
  }

  Attempt attempt(const Fix& fix) {
    Attempt out;
    out.version = in_.version;
    for (const std::uint32_t version : versions_for(fix)) {
      const Given* from = given(version);
      if (from == nullptr) continue;
      ++tried_;
      tidy();
      Given changed = copy_of(*from, scratch_);
      world_.env = in_.world.env;
      for (const FixChange& c : fix) apply(c, &changed, &world_, scratch_);
      const Outcome outcome =
          resolved(version, changed, scratch_, {.evidence = false, .until_refused = true});
      out.version = version;
      out.verdict = outcome.verdict;
      if (out.verdict == Verdict::kGo) {
        out.missed = missed_by(fix, outcome);
        out.disturbed = disturbed_by(fix, outcome);
        return out;
      }
      if (out.verdict == Verdict::kNoGo) out.refused_by = outcome.findings.back().rule;
    }
    return out;
  }

  // A flag that was left out is not missed where the runtime chooses in its place.
  static int missed_by(const Fix& fix, const Outcome& outcome) {
    return static_cast<int>(std::count_if(fix.begin(), fix.end(), [&](const FixChange& c) {
      if (c.kind != Target::kField || !(c.value.is_none() || is_off(c.value))) return false;
      const Value& now = outcome.fields[c.target];
      return now.is_none() || is_off(now) || (now.is(Kind::kBool) && !now.as_bool());
    }));
  }

  int disturbed_by(const Fix& fix, const Outcome& outcome) const {
    int count = 0;
    if (before_ == nullptr) return 0;
    for (std::uint32_t i = 0; i < in_.pack.fields.size() && i < before_->fields.size(); ++i) {
      const auto changed = std::find_if(fix.begin(), fix.end(),
                                        [&](const FixChange& c) { return c.kind == Target::kField && c.target == i; });
      if (changed != fix.end() || in_.pack.fields[i].volatile_value != 0 || before_->fields[i].is_bad()) continue;
      if (!identical(before_->fields[i], outcome.fields[i])) ++count;
    }
    return count;
  }

  // What may help a launch that has some changes already and is still refused.
  std::vector<Candidate> candidates_after(const State& state, std::size_t most, bool first) {
    Given& changed = *kept_.emplace_back(std::make_unique<Given>(copy_of(given_, keep_)));
    world_.env = in_.world.env;
    for (const FixChange& c : state.fix) {
      if (c.kind == Target::kVersion) return {};
      apply(c, &changed, &world_, keep_);
    }
    ++tried_;
    std::vector<bool> acted;
    const Outcome outcome =
        resolved(in_.version, changed, keep_, {.evidence = true, .until_refused = true, .acted = &acted});
    if (outcome.verdict != Verdict::kNoGo) return {};
    const std::vector<Suspect> suspects = suspects_of(at(in_.version).runtime, {outcome, acted}, kMostSuspects);
    std::vector<Candidate> out = candidates_for(
        {at(in_.version).runtime, world_, changed, outcome, suspects, state.fix, first ? before_ : nullptr}, most + 1, keep_);
    if (out.size() > most) {
      cut_ = true;
      out.resize(most);
    }
    for (Candidate& c : out) {
      for (FixChange& change : c.fix) change.value = deep_copy(change.value, keep_);
    }
    if (first) versions(&out);
    return out;
  }

  // The other releases, newer ones first, unless the rule itself names one.
  void versions(std::vector<Candidate>* out) const {
    for (const Candidate& c : *out) {
      for (const FixChange& change : c.fix) {
        if (change.kind == Target::kVersion) return;
      }
    }
    for (std::uint32_t v = in_.version + 1; v < in_.pack.version_count(); ++v) {
      out->push_back(version_candidate(in_.pack, v, keep()));
    }
    for (std::uint32_t v = in_.version; v-- > 0;) out->push_back(version_candidate(in_.pack, v, keep()));
  }
  Arena& keep() const { return keep_; }

  bool found() const {
    return std::any_of(found_.begin(), found_.end(), [](const Found& f) { return !f.last; });
  }
  // One that leaves everything in place that was asked for.
  bool gentle_found() const {
    return std::any_of(found_.begin(), found_.end(),
                       [](const Found& f) { return !f.last && !f.guess && f.attempt.missed == 0; });
  }

  // Tries `state` with one more candidate; a set that is refused by another rule than `before` is one to go on from.
  void extend(const State& state, const Candidate& c, std::uint32_t before, std::vector<State>* moved) {
    if (clash(state.fix, c.fix)) return;
    const Fix fix = joined(state.fix, c.fix);
    if (fix.size() > most_changes_ || is_more_than_needed(fix)) return;
    const Attempt result = try_fix(fix);
    const State next{fix, state.cost + c.cost, state.last || c.last, state.guess || c.guess, result.refused_by};
    if (result.verdict == Verdict::kGo) {
      record(next, result);
    } else if (result.verdict == Verdict::kNoGo && result.refused_by != before && result.version == in_.version) {
      moved->push_back(next);
    } else if (result.verdict == Verdict::kUnknown && !changes_version(fix)) {
      open_.push_back(next);
    }
  }

  static bool changes_version(const Fix& fix) {
    return std::any_of(fix.begin(), fix.end(), [](const FixChange& c) { return c.kind == Target::kVersion; });
  }

  bool is_more_than_needed(const Fix& fix) const {
    return std::any_of(found_.begin(), found_.end(), [&](const Found& f) { return includes(fix, f.fix); });
  }

  // Keeps a fix, without the changes that it does not need.
  void record(const State& state, const Attempt& result) {
    Fix fix = state.fix;
    Attempt last = result;
    for (std::size_t i = 0; fix.size() > 1 && i < fix.size();) {
      Fix fewer = fix;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      const Attempt without = try_fix(fewer);
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

  void pairs(const std::vector<Candidate>& singles) {
    std::vector<State> ignored;
    std::vector<const Candidate*> paired;
    for (const Candidate& c : singles) {
      const auto alike =
          std::count_if(paired.begin(), paired.end(), [&](const Candidate* o) { return clash(o->fix, c.fix); });
      if (static_cast<std::size_t>(alike) < kMostOfAPair && paired.size() < kMostPaired) paired.push_back(&c);
    }
    cut_ = cut_ || singles.size() > paired.size();
    for (std::size_t i = 0; i < paired.size(); ++i) {
      const State one{paired[i]->fix, paired[i]->cost, paired[i]->last, paired[i]->guess};
      for (std::size_t j = i + 1; j < paired.size(); ++j) extend(one, *paired[j], kNoIndex, &ignored);
    }
  }

  std::vector<State> next_level(std::vector<State> states) {
    std::stable_sort(states.begin(), states.end(), [](const State& a, const State& b) { return a.cost < b.cost; });
    if (states.size() > kMostStates) {
      cut_ = true;
      states.resize(kMostStates);
    }
    std::vector<State> moved;
    for (const State& state : states) {
      for (const Candidate& c : candidates_after(state, kMostNext, false)) {
        extend(state, c, state.refused_by, &moved);
      }
    }
    return moved;
  }

  // Whether a fix reaches GO when it is typed. Fills in the words.
  bool confirm(const Found& f, FixTrial* trial) {
    std::vector<Word> words(words_.begin(), words_.end());
    World world = in_.world;
    Arena arena;
    for (const FixChange& c : f.fix) {
      if (c.kind == Target::kEnv) {
        apply(c, nullptr, &world, arena);
      } else if (c.kind == Target::kField) {
        std::vector<std::string> by;
        if (!c.value.is_none()) {
          auto typed = flag_words(in_.pack, f.attempt.version, c.target, c.value, arena);
          if (!typed) return false;
          by = std::move(typed->words);
        }
        words = edited(words, edits_for(in_.pack, f.attempt.version, words, c.target, std::move(by)));
      }
    }
    Parsed again = parse(in_.pack, f.attempt.version, words, arena, in_.own_flags);
    if (!again.ok()) return false;
    ++tried_;
    const Outcome outcome = resolve(at(f.attempt.version).runtime, world, again.given, arena, {.evidence = false});
    if (outcome.verdict != Verdict::kGo) return false;
    trial->fix = f.fix;
    trial->version = f.attempt.version;
    trial->enough = true;
    for (const Word& word : words) trial->args.push_back(word.text);
    return true;
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
      if (fewest > 0 && fewest < f.fix.size() && (!missing || f.attempt.missed > 0)) continue;
      const auto alike = std::count_if(out.begin(), out.end(), [&](const FixTrial& t) {
        return t.fix.size() == f.fix.size() && std::equal(t.fix.begin(), t.fix.end(), f.fix.begin(), same_target);
      });
      if (static_cast<std::size_t>(alike) >= (other_version || f.fix.size() > 1 ? 1 : kMostOfATarget)) continue;
      FixTrial trial;
      if (!confirm(f, &trial)) continue;
      firm = firm || !f.guess;
      if (fewest == 0) fewest = f.fix.size();
      if (f.fix.size() == fewest) missing = missing && f.attempt.missed > 0;
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
      const Attempt result = try_fix(c.fix);
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
  std::span<const Word> words_;
  const Given& given_;
  std::size_t most_changes_;
  World world_;  // that facts of the model may view
  const Outcome* before_ = nullptr;
  std::vector<State> open_;  // sets after which the verdict is UNKNOWN
  std::uint32_t refused_by_ = kNoIndex;
  std::vector<std::unique_ptr<Version>> versions_;
  std::vector<std::optional<Parsed>> parsed_;
  std::vector<std::unique_ptr<Given>> kept_;
  mutable Arena keep_;
  Arena scratch_;
  std::map<std::string, Attempt> known_;
  std::vector<Found> found_;
  std::size_t tried_ = 0;
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
    const Search::Attempt result = with.try_fix({});
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
