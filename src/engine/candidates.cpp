#include "engine/candidates.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "flags/edit.h"
#include "launch/launch.h"
#include "rules/constant.h"

namespace gonogo {

namespace {

// Costs. A rule's own proposal was written by somebody who knows why; a switch that was typed, or a value where the
// default is none, is a feature that somebody wants; a flag whose default is a choice of the runtime's is not missed.
constexpr int kDistance = 3;
constexpr int kDrop = 10;
constexpr int kAlter = 11;
constexpr int kAdd = 15;
constexpr int kFeature = 5;
constexpr int kFarthest = 12;  // of numbers
constexpr int kFarther = 2;    // a value that no condition names
constexpr int kVariable = 3;
constexpr int kProposed = -6;
constexpr int kBehind = 4;  // proposed by a refusal behind this one
constexpr int kLast = 200;
constexpr int kVersion = 1000;

constexpr std::size_t kMostChoices = 14;
constexpr std::size_t kMostNumbers = 10;
constexpr std::int64_t kMostNumber = std::int64_t{1} << 31;  // greater ones are bytes, which no count is mended to

bool same_target(const FixChange& a, const FixChange& b) { return a.kind == b.kind && a.target == b.target; }

class Candidates {
 public:
  Candidates(const CandidateInput& input, Arena& arena)
      : in_(input), pack_(input.runtime.pack()), version_(input.runtime.version()), arena_(arena) {}

  std::vector<Candidate> run(std::size_t most) {
    gather_numbers();
    proposals();
    for (const Suspect& s : in_.suspects) {
      if (s.kind == Target::kField) {
        field(s);
      } else {
        variable(s);
      }
    }
    std::stable_sort(out_.begin(), out_.end(), [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
    if (out_.size() > most) out_.resize(most);
    return std::move(out_);
  }

 private:
  const Finding& refusal() const { return in_.refused.findings.back(); }

  // The whole numbers that conditions read.
  void gather_numbers() {
    for (const Evidence& e : refusal().evidence) {
      if (!e.value.is(Kind::kInt)) continue;
      const std::int64_t n = e.value.as_int();
      if (n < 2 || n > kMostNumber) continue;
      if (std::find(numbers_.begin(), numbers_.end(), n) == numbers_.end()) numbers_.push_back(n);
    }
  }

  bool is_taken(const FixChange& change) const {
    return std::any_of(in_.taken.begin(), in_.taken.end(), [&](const FixChange& t) { return same_target(t, change); });
  }

  // Whether a change can be made and changes anything; brings its value into the form that the parser gives.
  bool prepare(FixChange* change) {
    if (change->value.is_bad() || is_taken(*change)) return false;
    if (change->kind == Target::kVersion) return true;
    if (change->kind == Target::kEnv) {
      const std::string_view name = pack_.text(pack_.envs[change->target].name);
      if (is_secret(pack_, name)) return false;
      const auto at = in_.world.env.find(name);
      if (change->value.is_none()) return at != in_.world.env.end();
      change->value = Value::str(arena_.copy(to_str(change->value)));
      return at == in_.world.env.end() || at->second != change->value.as_str();
    }
    if (change->kind != Target::kField || policy(change->target) == FixPolicy::kNever) return false;
    if (in_.given.typed(change->target)) {
      // To choose the default is to leave the flag out; "none" is clearer said than left out.
      const Value normal = default_of(change->target);
      if (change->value.is_none() && is_off(normal)) change->value = normal;
      if (identical(change->value, normal) && !is_off(normal)) change->value = Value();
    }
    if (change->value.is_none()) return in_.given.typed(change->target);
    if (is_secret(pack_, pack_.field_name(change->target))) return false;
    if (change->value.is_str() && is_foreign(change->value.as_str())) return false;
    auto words = flag_words(pack_, version_, change->target, change->value, arena_);
    if (!words) return false;
    change->value = words->value;
    return !identical(change->value, in_.given.value(change->target));
  }

  bool is_foreign(std::string_view value) const {
    const auto avoided = pack_.slice(pack_.about->fix_avoid);
    return std::any_of(avoided.begin(), avoided.end(), [&](StrId id) { return pack_.text(id) == value; });
  }

  FixPolicy policy(std::uint32_t field) const { return static_cast<FixPolicy>(pack_.fields[field].fix_policy); }
  Value default_of(std::uint32_t field) { return field_default(pack_, field, version_, arena_); }

  void add(Fix fix, int cost, bool proposed, bool guess = false) {
    Candidate c{std::move(fix), cost, proposed, guess, false};
    for (FixChange& change : c.fix) {
      if (!prepare(&change)) return;
      if (change.kind == Target::kVersion) c.cost += kVersion;
      if (change.kind == Target::kField && policy(change.target) == FixPolicy::kLast) c.cost += kLast;
    }
    c.last = c.cost >= kLast / 2;
    const bool known = std::any_of(out_.begin(), out_.end(), [&](const Candidate& o) {
      return o.fix.size() == c.fix.size() &&
             std::equal(o.fix.begin(), o.fix.end(), c.fix.begin(), [](const FixChange& a, const FixChange& b) {
               return same_target(a, b) && identical(a.value, b.value);
             });
    });
    if (!known && !c.fix.empty()) out_.push_back(std::move(c));
  }

  void proposals() {
    int order = 0;
    for (const Fix& fix : refusal().fixes) {
      int cost = kProposed + order++;
      for (const FixChange& c : fix) cost += c.kind == Target::kField ? cost_of(c) : kDrop;
      add(fix, cost, true);
    }
    if (in_.all == nullptr) return;
    for (const Finding& f : in_.all->findings) {
      if (f.kind != Action::kFail || !f.certain || f.rule == refusal().rule) continue;
      for (const Fix& fix : f.fixes) {
        int cost = kBehind + order++;
        for (const FixChange& c : fix) cost += c.kind == Target::kField ? cost_of(c) : kDrop;
        add(fix, cost, true);
      }
    }
  }

  // The price of giving a field a value, without its distance.
  int cost_of(const FixChange& c) {
    if (!in_.given.typed(c.target)) return kAdd;
    const Value normal = default_of(c.target);
    if (!c.value.is_none() && !identical(c.value, normal)) return kAlter;
    const bool feature = is_off(normal) || (normal.is(Kind::kBool) && !normal.as_bool());
    const Value& now = in_.given.value(c.target);
    return kDrop + (feature ? kFeature : 0) + (now.is(Kind::kInt) ? 2 + farness(now, normal) : 0);
  }

  // How far a number is from another, 0 to kFarthest; for what is no number, 0.
  static int farness(const Value& from, const Value& to) {
    if (!from.is(Kind::kInt) || !to.is(Kind::kInt)) return 0;
    const std::int64_t v = from.as_int();
    const std::int64_t n = to.as_int();
    if (v < 1 || n < 1) return 0;
    return static_cast<int>(std::min<std::int64_t>(n > v ? (n - v) * 2 / v : (v - n) * 2 / n, kFarthest));
  }

  void change(const Suspect& s, const Value& value, int more, bool guess = false) {
    const FixChange c{s.kind, s.target, value};
    int cost = more + s.distance * kDistance;
    if (s.kind == Target::kField) {
      cost += cost_of(c);
    } else {
      const bool set = in_.world.env.contains(pack_.text(pack_.envs[s.target].name));
      cost += kVariable + (!set ? kAdd : value.is_none() ? kDrop : kAlter);
    }
    add({c}, cost, false, guess);
  }

  const FlagRec* flag_of(std::uint32_t field) const {
    const FlagRec* best = nullptr;
    for (const FlagRec& flag : pack_.flags) {
      if (flag.field != field || (flag.versions >> version_ & 1) == 0) continue;
      if (best == nullptr || (best->deprecated != 0 && flag.deprecated == 0)) best = &flag;
    }
    return best;
  }

  void field(const Suspect& s) {
    const FlagRec* flag = flag_of(s.target);
    if (flag == nullptr) return;
    const bool typed = in_.given.typed(s.target);
    if (typed) change(s, Value(), 0);
    if (!typed && s.distance > 1) return;
    const Value& now = in_.given.value(s.target);
    const bool one = flag->nargs == 0 || flag->nargs == '?' || flag->nargs == 'n';
    if (!one || flag->type == FlagType::kJson) return;
    if (flag->action == FlagAction::kStoreTrue || flag->action == FlagAction::kBooleanOptional) {
      change(s, Value::boolean(!(now.is(Kind::kBool) && now.as_bool())), 0);
    } else if (flag->choices != 0) {
      choices(s, constant(pack_, flag->choices, arena_));
    } else if (flag->type == FlagType::kInt || flag->type == FlagType::kHumanInt) {
      const bool less = policy(s.target) == FixPolicy::kLast;  // more would take hardware that nobody spoke of
      for (const auto& [n, more] : numbers_near(s, now)) {
        if (!less || (now.is(Kind::kInt) && n < now.as_int())) change(s, Value::integer(n), more);
      }
    } else {
      for (const Value& v : s.compared) change(s, v, 0);
    }
  }

  void choices(const Suspect& s, const Value& all) {
    std::size_t tried = 0;
    for (const Value& v : s.compared) {
      if (v.is_str()) change(s, v, 1);
    }
    for (std::uint32_t i = 0; i < all.size() && tried < kMostChoices; ++i, ++tried) change(s, all[i], kFarther, true);
  }

  // Whole numbers to try in place of `now`, with what is added to the cost: nearer ones cost less.
  std::vector<std::pair<std::int64_t, int>> numbers_near(const Suspect& s, const Value& now) const {
    const std::int64_t v = now.is(Kind::kInt) ? now.as_int() : 0;
    std::vector<std::int64_t> wanted;
    const auto want = [&](std::int64_t n) {
      if (n < 1 || n > kMostNumber || n == v) return;
      if (std::find(wanted.begin(), wanted.end(), n) == wanted.end()) wanted.push_back(n);
    };
    for (const Value& c : s.compared) {
      if (!c.is(Kind::kInt)) continue;
      want(c.as_int());
      if (s.ordered) want(c.as_int() + 1);
      if (s.ordered) want(c.as_int() - 1);
    }
    for (const std::int64_t n : numbers_) {
      want(n);
      if (v < 1) continue;
      if (v > n) want(v / n * n);
      want((v + n - 1) / n * n);
      want(std::gcd(v, n));
      for (std::int64_t d = std::min(v, n); d > 1; d = d / 2) {  // a divisor of n near v
        std::int64_t near = d;
        while (near > 1 && near > d - 64 && n % near != 0) --near;
        if (n % near == 0) {
          want(near);
          break;
        }
      }
    }
    for (std::int64_t p = 1; p <= 16; p *= 2) want(p);
    want(v * 2);
    want(v / 2);
    const auto far = [&](std::int64_t n) { return farness(Value::integer(v), Value::integer(n)); };
    std::stable_sort(wanted.begin(), wanted.end(), [&](std::int64_t a, std::int64_t b) { return far(a) < far(b); });
    if (wanted.size() > kMostNumbers) wanted.resize(kMostNumbers);
    std::vector<std::pair<std::int64_t, int>> out;
    for (const std::int64_t n : wanted) out.emplace_back(n, far(n));
    return out;
  }

  void variable(const Suspect& s) {
    const EnvRec& env = pack_.envs[s.target];
    const auto at = in_.world.env.find(pack_.text(env.name));
    const bool set = at != in_.world.env.end();
    if (set) change(s, Value(), 0);
    if (!set && s.distance > 0) return;
    const Value normal = in_.runtime.env_default(s.target);
    switch (env.type) {
      case EnvType::kBool:
        if (!set) change(s, Value::str(truthy(normal) ? "0" : "1"), 0);
        break;
      case EnvType::kInt:
        for (const auto& [n, more] : numbers_near(s, normal)) change(s, Value::integer(n), more);
        break;
      case EnvType::kStr:
        for (const Value& v : s.compared) {
          if (v.is_str() && !v.as_str().empty()) change(s, v, 0);
        }
        break;
      default:
        break;
    }
  }

  const CandidateInput& in_;
  const Pack& pack_;
  std::uint32_t version_;
  Arena& arena_;
  std::vector<std::int64_t> numbers_;
  std::vector<Candidate> out_;
};

}  // namespace

std::vector<Candidate> candidates_for(const CandidateInput& input, std::size_t most, Arena& arena) {
  return Candidates(input, arena).run(most);
}

bool is_off(const Value& v) {
  return v.is_str() &&
         (v.as_str() == "none" || v.as_str() == "off" || v.as_str() == "disabled" || v.as_str() == "null");
}

Candidate version_candidate(const Pack& pack, std::uint32_t version, Arena& arena) {
  const std::string range = "==" + std::string(pack.version(version));
  return {{{Target::kVersion, 0, Value::str(arena.copy(range))}}, kVersion, false, false, true};
}

}  // namespace gonogo
