#include "engine/trial_runs.h"

#include <algorithm>

#include "engine/fix_set.h"
#include "engine/suspects.h"
#include "rules/version_range.h"

namespace gonogo {

namespace {

constexpr std::size_t kMostSuspects = 24;
constexpr std::size_t kMostHeld = 16 << 20;  // bytes of values, among them facts of the model

// A flag that was left out is not missed where the runtime chooses in its place.
int missed_by(const Fix& fix, const Outcome& outcome) {
  return static_cast<int>(std::count_if(fix.begin(), fix.end(), [&](const FixChange& c) {
    if (c.kind != Target::kField || !(c.value.is_none() || is_off(c.value))) return false;
    const Value& now = outcome.fields[c.target];
    return now.is_none() || is_off(now) || (now.is(Kind::kBool) && !now.as_bool());
  }));
}

}  // namespace

TrialRuns::TrialRuns(const FixSearch& search, std::span<const Word> words, const Given& given)
    : in_(search), words_(words), given_(given), world_(search.world), versions_(search.pack.version_count()) {}

TrialRuns::Version& TrialRuns::at(std::uint32_t version) {
  auto& known = versions_[version];
  if (known == nullptr) known = std::make_unique<Version>(in_.pack, version);
  return *known;
}

// What was given, as a version reads it; null where its parser refuses the words.
const Given* TrialRuns::given(std::uint32_t version) {
  if (version == in_.version) return &given_;
  auto& parsed = at(version).parsed;
  if (!parsed) parsed = parse(in_.pack, version, words_, keep_, in_.own_flags);
  return parsed->ok() ? &parsed->given : nullptr;
}

// The versions to try a fix with: the launch's own, or those of the range that it asks for, oldest first.
std::vector<std::uint32_t> TrialRuns::versions_for(const Fix& fix) const {
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

void TrialRuns::apply(const FixChange& c, Given* to, World* world, Arena& arena) const {
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

// Makes room for another launch. What is kept of the model goes with the values that it is made of.
void TrialRuns::tidy() {
  if (scratch_.held() < kMostHeld) return;
  for (const auto& version : versions_) {
    if (version != nullptr) version->memo.clear();
  }
  scratch_.reset();
}

TrialRuns::Result TrialRuns::run(const Fix& fix, const Outcome* before) {
  const auto [at, added] = known_.try_emplace(key_of(fix));
  if (added) at->second = resolve_with(fix, before);
  return at->second;
}

TrialRuns::Result TrialRuns::resolve_with(const Fix& fix, const Outcome* before) {
  Result out;
  out.version = in_.version;
  for (const std::uint32_t version : versions_for(fix)) {
    const Given* from = given(version);
    if (from == nullptr) continue;
    ++count_;
    tidy();
    Given changed = copy_of(*from, scratch_);
    world_.env = in_.world.env;
    for (const FixChange& c : fix) apply(c, &changed, &world_, scratch_);
    const Outcome outcome = resolve(at(version).runtime, world_, changed, scratch_,
                                    {.evidence = false, .until_refused = true, .memo = &at(version).memo});
    out.version = version;
    out.verdict = outcome.verdict;
    if (out.verdict == Verdict::kGo) {
      out.missed = missed_by(fix, outcome);
      if (before != nullptr) out.disturbed = disturbed(fix, outcome, *before);
      return out;
    }
    if (out.verdict == Verdict::kNoGo) out.refused_by = outcome.findings.back().rule;
  }
  return out;
}

int TrialRuns::disturbed(const Fix& fix, const Outcome& outcome, const Outcome& before) const {
  int count = 0;
  for (std::uint32_t i = 0; i < in_.pack.fields.size() && i < before.fields.size(); ++i) {
    const bool changed = std::any_of(fix.begin(), fix.end(),
                                     [&](const FixChange& c) { return c.kind == Target::kField && c.target == i; });
    if (changed || in_.pack.fields[i].volatile_value != 0 || before.fields[i].is_bad()) continue;
    if (!identical(before.fields[i], outcome.fields[i])) ++count;
  }
  return count;
}

std::vector<Candidate> TrialRuns::candidates(const Fix& fix, std::size_t most, const Outcome* all) {
  Given& changed = *kept_.emplace_back(std::make_unique<Given>(copy_of(given_, keep_)));
  world_.env = in_.world.env;
  for (const FixChange& c : fix) {
    if (c.kind == Target::kVersion) return {};
    apply(c, &changed, &world_, keep_);
  }
  ++count_;
  std::vector<bool> acted;
  Version& version = at(in_.version);
  const Outcome outcome = resolve(version.runtime, world_, changed, keep_,
                                  {.evidence = true, .until_refused = true, .acted = &acted, .memo = &version.memo});
  if (outcome.verdict != Verdict::kNoGo) return {};
  const std::vector<Suspect> suspects = suspects_of(version.runtime, {outcome, acted}, kMostSuspects);
  std::vector<Candidate> out =
      candidates_for({version.runtime, world_, changed, outcome, suspects, fix, all}, most, keep_);
  for (Candidate& c : out) {
    for (FixChange& change : c.fix) change.value = deep_copy(change.value, keep_);
  }
  return out;
}

std::optional<std::vector<std::string>> TrialRuns::typed(const Fix& fix, std::uint32_t version) {
  std::vector<Word> words(words_.begin(), words_.end());
  World world = in_.world;
  Arena arena;
  for (const FixChange& c : fix) {
    if (c.kind == Target::kEnv) {
      apply(c, nullptr, &world, arena);
    } else if (c.kind == Target::kField) {
      std::vector<std::string> by;
      if (!c.value.is_none()) {
        auto flag = flag_words(in_.pack, version, c.target, c.value, arena);
        if (!flag) return std::nullopt;
        by = std::move(flag->words);
      }
      words = edited(words, edits_for(in_.pack, version, words, c.target, std::move(by)));
    }
  }
  Parsed again = parse(in_.pack, version, words, arena, in_.own_flags);
  if (!again.ok()) return std::nullopt;
  ++count_;
  const Outcome outcome = resolve(at(version).runtime, world, again.given, arena, {.evidence = false});
  if (outcome.verdict != Verdict::kGo) return std::nullopt;
  std::vector<std::string> out;
  for (const Word& word : words) out.push_back(word.text);
  return out;
}

}  // namespace gonogo
