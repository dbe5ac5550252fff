#include "engine/fixes.h"

#include <algorithm>
#include <memory>

#include "engine/resolver.h"
#include "rules/version_range.h"

namespace gonogo {

namespace {

constexpr std::size_t kMaxCandidates = 24;
constexpr std::size_t kMaxPairs = 40;

// A candidate, and the refusals that propose it: bit i for the i-th.
struct Candidate {
  Fix fix;
  std::uint64_t proposed_by = 0;
};

bool same_change(const FixChange& a, const FixChange& b) {
  if (a.kind != b.kind || a.target != b.target) return false;
  return a.kind == Target::kEnv ? to_str(a.value) == to_str(b.value) : identical(a.value, b.value);
}

bool same_fix(const Fix& a, const Fix& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), same_change);
}

class Search {
 public:
  explicit Search(const FixSearch& input) : input_(input), runtimes_(input.pack.version_count()) {}

  std::vector<FixTrial> run(const Outcome& outcome) {
    const std::vector<Candidate> candidates = collect(outcome);
    std::vector<FixTrial> out;
    for (const Candidate& c : candidates) out.push_back(tried(c.fix));
    add_pairs(candidates, &out);
    std::stable_sort(out.begin(), out.end(), [](const FixTrial& a, const FixTrial& b) {
      return std::make_pair(!a.enough, a.fix.size()) < std::make_pair(!b.enough, b.fix.size());
    });
    return out;
  }

 private:
  // What changes nothing about the launch is no candidate.
  bool changes_something(const Fix& fix) const {
    return std::any_of(fix.begin(), fix.end(), [&](const FixChange& c) {
      if (c.value.is_bad()) return false;
      if (c.kind == Target::kVersion) return true;
      if (c.kind == Target::kEnv) {
        const auto at = input_.world.env.find(input_.pack.text(input_.pack.envs[c.target].name));
        return c.value.is_none() ? at != input_.world.env.end()
                                 : at == input_.world.env.end() || at->second != to_str(c.value);
      }
      return c.value.is_none() ? input_.given.typed(c.target) : !identical(c.value, input_.given.value(c.target));
    });
  }

  std::vector<Candidate> collect(const Outcome& outcome) const {
    std::vector<Candidate> out;
    std::uint64_t refusal = 1;
    for (const Finding& f : outcome.findings) {
      if (f.kind != Action::kFail || !f.certain) continue;
      for (const Fix& fix : f.fixes) {
        const auto known =
            std::find_if(out.begin(), out.end(), [&](const Candidate& c) { return same_fix(c.fix, fix); });
        if (known != out.end()) {
          known->proposed_by |= refusal;
        } else if (changes_something(fix) && out.size() < kMaxCandidates) {
          out.push_back({fix, refusal});
        }
      }
      refusal <<= refusal < (std::uint64_t{1} << 63) ? 1 : 0;
    }
    return out;
  }

  // Two changes that answer different refusals, neither of which is enough alone.
  void add_pairs(const std::vector<Candidate>& candidates, std::vector<FixTrial>* out) {
    const std::size_t singles = out->size();
    std::size_t tries = 0;
    for (std::size_t i = 0; i < singles; ++i) {
      for (std::size_t j = i + 1; j < singles && tries < kMaxPairs; ++j) {
        const Candidate& a = candidates[i];
        const Candidate& b = candidates[j];
        if ((*out)[i].enough || (*out)[j].enough ||
            (a.proposed_by | b.proposed_by) == std::max(a.proposed_by, b.proposed_by)) {
          continue;
        }
        const bool clash = std::any_of(b.fix.begin(), b.fix.end(), [&](const FixChange& c) {
          return std::any_of(a.fix.begin(), a.fix.end(),
                             [&](const FixChange& o) { return o.kind == c.kind && o.target == c.target; });
        });
        if (clash) continue;
        ++tries;
        Fix both = a.fix;
        both.insert(both.end(), b.fix.begin(), b.fix.end());
        FixTrial trial = tried(both);
        if (trial.enough) out->push_back(std::move(trial));
      }
    }
  }

  // The versions to try a fix with: the launch's own, or those of the range that the fix asks for, oldest first.
  std::vector<std::uint32_t> versions_for(const Fix& fix) const {
    for (const FixChange& c : fix) {
      if (c.kind != Target::kVersion) continue;
      const auto range = VersionRange::parse(c.value.as_str());
      std::vector<std::uint32_t> out;
      for (std::uint32_t i = input_.pack.first_ruled(); range && i < input_.pack.version_count(); ++i) {
        if (i != input_.version && range->contains(input_.pack.version(i))) out.push_back(i);
      }
      return out;
    }
    return {input_.version};
  }

  FixTrial tried(const Fix& fix) {
    FixTrial trial;
    trial.fix = fix;
    trial.version = input_.version;
    for (const std::uint32_t version : versions_for(fix)) {
      Arena arena;
      std::optional<Given> given =
          version == input_.version ? copy_of(input_.given, arena) : input_.parse(version, arena);
      if (!given) continue;
      World world = input_.world;
      for (const FixChange& c : fix) apply(c, &*given, &world, arena);
      auto& runtime = runtimes_[version];
      if (runtime == nullptr) runtime = std::make_unique<Runtime>(input_.pack, version);
      const Outcome outcome = resolve(*runtime, world, *given, arena, {.evidence = false});
      trial.version = version;
      trial.enough = outcome.verdict == Verdict::kGo;
      if (trial.enough) return trial;
      for (const Finding& f : outcome.findings) {
        if (f.kind != Action::kFail) continue;
        trial.refused_by = f.rule;
        break;
      }
    }
    return trial;
  }

  void apply(const FixChange& c, Given* given, World* world, Arena& arena) const {
    if (c.kind == Target::kEnv) {
      const std::string name(input_.pack.text(input_.pack.envs[c.target].name));
      if (c.value.is_none()) {
        world->env.erase(name);
      } else {
        world->env[name] = to_str(c.value);
      }
    } else if (c.kind == Target::kField) {
      if (c.value.is_none()) {
        reset(input_.pack, given, c.target, arena);
      } else {
        given->set(c.target, c.value);
      }
    }
  }

  const FixSearch& input_;
  std::vector<std::unique_ptr<Runtime>> runtimes_;
};

}  // namespace

std::vector<FixTrial> try_fixes(const FixSearch& search, const Outcome& outcome) { return Search(search).run(outcome); }

}  // namespace gonogo
