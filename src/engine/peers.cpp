#include "engine/peers.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>

#include "engine/evaluator.h"
#include "engine/peer_reach.h"
#include "rules/code.h"
#include "rules/walk.h"

namespace gonogo {

namespace {

constexpr std::size_t kMaxSides = 8;
constexpr std::size_t kMaxSaid = 8;  // by one rule of one group

// One group under the rules of its peers.
class PeerCheck {
 public:
  PeerCheck(Runtime& runtime, const PeerRec& peers, std::size_t index, std::span<const PeerLaunch> launches)
      : runtime_(runtime),
        pack_(runtime.pack()),
        peers_(peers),
        index_(index),
        launches_(launches),
        evaluator_(runtime, world_, state_, arena_) {}

  void run(const PeerGroup& group, std::vector<PeerFinding>* out) {
    group_ = &group;
    out_ = out;
    said_.clear();
    records_.clear();
    std::vector<Value> all;
    for (const std::size_t launch : group.launches) {
      records_.emplace(launch, record(launch));
      if (launches_[launch].companion == kNoIndex) all.push_back(records_[launch]);
    }
    all.resize(all.size() + group.unread, Value::unknown("a launch that is refused"));
    bind(PeerRec::kLaunches, list(all));
    bind(PeerRec::kTogether, Value::boolean(group.together));
    if (peers_.has_companion()) call(group);
    for (const PeerGroup::Pair& pair : group.pairs) {
      pair_ = {pair.first, pair.second};
      for (std::uint32_t i = 0; i < PeerRec::kRoles; ++i) bind(i, records_[pair_[i]]);
      if (peers_.has_companion()) bind_call();
      rule(pack_.stages[peers_.stage].rule);
    }
  }

 private:
  enum class Held { kNo, kYes, kMaybe };

  void bind(std::uint32_t slot, const Value& value) { evaluator_.bind(peers_.first_slot + slot, value); }

  Value list(const std::vector<Value>& values) {
    auto* items = arena_.array<Value>(values.size());
    std::copy(values.begin(), values.end(), items);
    return Value::list(items, static_cast<std::uint32_t>(values.size()));
  }

  // The names of what rules may read of who plays a role, in the order of their values.
  std::vector<std::string_view> names_of(std::uint32_t role) const {
    const bool companion = peers_.has_companion() && role == 0;
    const Run rows = companion ? peers_.flags : peers_.members;
    std::vector<std::string_view> out;
    for (std::uint32_t i = 0; i < rows.count; ++i) out.push_back(pack_.text(pack_.named[rows.first + i].name));
    if (companion) out.emplace_back(PeerRec::kTo);
    return out;
  }

  // A launch's members as a mapping.
  Value record(std::size_t launch) {
    const PeerLaunch& of = launches_[launch];
    const bool companion = of.companion != kNoIndex;
    const std::vector<Value>& values = companion ? of.given : of.values[index_].members;
    const std::vector<std::string_view> names = names_of(companion ? 0 : 1);
    auto* entries = arena_.array<Entry>(values.size());
    for (std::uint32_t i = 0; i < values.size(); ++i) entries[i] = {Value::str(names[i]), values[i]};
    return Value::dict(entries, static_cast<std::uint32_t>(values.size()));
  }

  // What each of the companion's addresses is to each launch.
  void call(const PeerGroup& group) {
    reach_.clear();
    for (const auto& [caller, launch] : group.pairs) {
      const PeerLaunch& from = launches_[caller];
      const PeerLaunch& at = launches_[launch];
      const std::vector<Value>& members = at.values[index_].members;
      const Value& to = from.given.back();
      const bool another = std::any_of(group.launches.begin(), group.launches.end(),
                                       [&](std::size_t other) { return is_named(to, launches_[other].names); });
      reach_[{caller, launch}] = to.is_none()
                                     ? Reach::kElsewhere
                                     : reach_of(to, {members[peers_.host], members[peers_.port], &at.names, &at.labels,
                                                     another, from.machine == at.machine, is_beside(from, at)});
    }
  }

  // Whether both run on one machine at the same time: conditions of its own on each side may exclude each other.
  static bool is_beside(const PeerLaunch& a, const PeerLaunch& b) {
    const auto needs_no_more = [](const PeerLaunch& one, const PeerLaunch& other) {
      return std::all_of(one.conditions.begin(), one.conditions.end(), [&](const std::string& condition) {
        return std::count(other.conditions.begin(), other.conditions.end(), condition) > 0;
      });
    };
    return a.machine == b.machine && !a.loose && (needs_no_more(a, b) || needs_no_more(b, a));
  }

  void bind_call() {
    static constexpr std::array<std::string_view, 5> kNames = {"", "no", "port", "closed", "yes"};
    const auto& [caller, launch] = pair_;
    const Reach reach = reach_[{caller, launch}];
    const Value unknown = Value::unknown("what is at an address");
    std::vector<Value> reached;
    bool sure = group_->unread == 0;
    bool named = false;
    bool all_named = true;
    for (const auto& [pair, what] : reach_) {
      if (pair.first == caller && what == Reach::kAnswers) reached.push_back(records_[pair.second]);
      if (pair.first == caller && what == Reach::kUnknown) sure = false;
      if (pair.second != launch) continue;
      named = named || what == Reach::kAnswers || what == Reach::kClosed;
      all_named = all_named && what != Reach::kUnknown && !launches_[pair.first].open;
    }
    // Who answers is sought, where the launch doesn't, among all.
    const bool known = reach == Reach::kAnswers || (reach != Reach::kUnknown && sure && reached.empty());
    bind(PeerRec::kReach, known ? Value::str(kNames[static_cast<std::size_t>(reach)]) : unknown);
    bind(PeerRec::kReached, sure ? list(reached) : unknown);
    bind(PeerRec::kNamed, named || all_named ? Value::boolean(named) : unknown);
    bind(PeerRec::kBeside, Value::boolean(is_beside(launches_[caller], launches_[launch])));
  }

  Held rule(std::uint32_t index) {
    const RuleRec& r = pack_.rules[index];
    if (r.disabled != 0 || !runtime_.holds(r.versions)) return Held::kNo;
    for (const LetRec& let : pack_.lets.subspan(r.lets.first, r.lets.count)) evaluator_.bind(let.slot, let.code);
    if (r.when != 0) {
      const Value condition = evaluator_.eval(r.when);
      if (condition.is_bad()) return Held::kMaybe;
      if (!truthy(condition)) return Held::kNo;
    }
    conditions_.push_back(r.when);
    if (r.action == Action::kRules || r.action == Action::kFirst) {
      for (std::uint32_t child = index + 1; child < r.end; child = pack_.rules[child].end) {
        if (rule(child) != Held::kNo && r.action == Action::kFirst) break;
      }
    } else if (r.action != Action::kNothing) {
      report(index, r);
    }
    conditions_.pop_back();
    return Held::kYes;
  }

  void report(std::uint32_t index, const RuleRec& r) {
    PeerFinding f;
    f.message = to_str(evaluator_.eval(r.payload.first));
    if (said_[index].size() >= (peers_.has_companion() ? kMaxSaid : 1)) return;
    if (!said_[index].insert(f.message).second) return;
    f.kind = r.action == Action::kFail && peers_.in_turn_warn != 0 && !group_->together ? Action::kWarn : r.action;
    f.phase = r.phase;
    f.rule = index;
    const std::vector<std::uint32_t> of_all = members_read(PeerRec::kRoles, r.payload.first);
    for (std::uint32_t i = 0; i < PeerRec::kRoles; ++i) {
      PeerSide side{pair_[i], pack_.named[peers_.roles.first + i].name, members_read(i, r.payload.first)};
      if (side.members.empty() && launches_[pair_[i]].companion == kNoIndex) side.members = of_all;
      f.sides.push_back(std::move(side));
    }
    for (const std::size_t launch : group_->launches) {
      const bool there = std::count(pair_.begin(), pair_.end(), launch) > 0 || launches_[launch].companion != kNoIndex;
      if (!of_all.empty() && !there && f.sides.size() < kMaxSides) f.sides.push_back({launch, 0, of_all});
    }
    out_->push_back(std::move(f));
  }

  // The members of the launch in a slot that the conditions read, or, where they read none, the message; of a list of
  // launches, those of any name over it.
  std::vector<std::uint32_t> members_read(std::uint32_t role, CodeRef message) const {
    std::vector<std::uint32_t> out;
    for (const CodeRef code : conditions_) {
      if (code != 0) gather(code, role, &out);
    }
    if (out.empty() && peers_.has_companion()) gather(message, role, &out);
    return out;
  }

  void gather(CodeRef code, std::uint32_t role, std::vector<std::uint32_t>* out) const {
    std::set<std::uint32_t> passed_over;  // names over what is reached: it is the pair's own launch or one like it
    walk_nodes(pack_, code, [&](CodeRef node) {
      const std::uint32_t w = pack_.code[node];
      if (op_of(w) == Op::kComp && pack_.code[node + 2] == word(Op::kSlot, peers_.first_slot + PeerRec::kReached)) {
        passed_over.insert(pack_.code[node + 1]);
      }
      if (op_of(w) == Op::kSlot && evaluator_.slot_code(operand_of(w)) != 0) {
        gather(evaluator_.slot_code(operand_of(w)), role, out);
      }
      if (op_of(w) != Op::kAttr || op_of(pack_.code[node + 1]) != Op::kSlot) return;
      const std::uint32_t slot = operand_of(pack_.code[node + 1]);
      const bool of_pair = slot >= peers_.first_slot && slot < peers_.first_slot + PeerRec::kRoles;
      if (of_pair ? slot != peers_.first_slot + role : role != PeerRec::kRoles || passed_over.count(slot) > 0) return;
      const std::vector<std::string_view> names = names_of(role == 0 ? 0 : 1);
      const auto at = std::find(names.begin(), names.end(), pack_.text(operand_of(w)));
      if (at == names.end()) return;
      const auto index = static_cast<std::uint32_t>(at - names.begin());
      if (std::find(out->begin(), out->end(), index) == out->end()) out->push_back(index);
    });
  }

  Runtime& runtime_;
  const Pack& pack_;
  const PeerRec& peers_;
  const std::size_t index_;
  const std::span<const PeerLaunch> launches_;
  const World world_;
  State state_;
  Arena arena_;
  Evaluator evaluator_;
  const PeerGroup* group_ = nullptr;
  std::vector<PeerFinding>* out_ = nullptr;
  std::array<std::size_t, PeerRec::kRoles> pair_{};
  std::map<std::size_t, Value> records_;                 // by launch
  std::map<PeerGroup::Pair, Reach> reach_;               // of a companion, by pair
  std::map<std::uint32_t, std::set<std::string>> said_;  // by rule
  std::vector<CodeRef> conditions_;
};

}  // namespace

std::vector<PeerFinding> compare_peers(const Pack& pack, std::span<const PeerLaunch> launches) {
  std::vector<PeerFinding> out;
  std::map<std::uint32_t, std::unique_ptr<Runtime>> runtimes;  // by version
  for (std::size_t i = 0; i < pack.peers.size(); ++i) {
    for (const PeerGroup& group : group_peers(pack, i, launches)) {
      std::uint32_t version = 0;
      for (const std::size_t launch : group.launches) version = std::max(version, launches[launch].version);
      std::unique_ptr<Runtime>& runtime = runtimes[version];
      if (!runtime) runtime = std::make_unique<Runtime>(pack, version);
      const auto first = static_cast<std::ptrdiff_t>(out.size());
      PeerCheck(*runtime, pack.peers[i], i, launches).run(group, &out);
      std::stable_sort(out.begin() + first, out.end(),
                       [](const PeerFinding& a, const PeerFinding& b) { return a.kind < b.kind; });
    }
  }
  return out;
}

}  // namespace gonogo
