#include "engine/peers.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>

#include "engine/evaluator.h"
#include "rules/code.h"
#include "rules/walk.h"

namespace gonogo {

namespace {

constexpr std::size_t kMaxSides = 8;

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
    std::vector<Value> all;
    for (const std::size_t launch : group.launches) all.push_back(record(launch));
    all.resize(all.size() + group.unread, Value::unknown("a launch that is refused"));
    evaluator_.bind(peers_.first_slot + PeerRec::kRoles,
                    Value::list(all.data(), static_cast<std::uint32_t>(all.size())));
    evaluator_.bind(peers_.first_slot + PeerRec::kRoles + 1, Value::boolean(group.together));
    for (const PeerGroup::Pair& pair : group.pairs) {
      pair_ = {pair.first, pair.second};
      for (std::uint32_t i = 0; i < PeerRec::kRoles; ++i) {
        const auto at = std::find(group.launches.begin(), group.launches.end(), pair_[i]);
        evaluator_.bind(peers_.first_slot + i, all[static_cast<std::size_t>(at - group.launches.begin())]);
      }
      rule(pack_.stages[peers_.stage].rule);
    }
  }

 private:
  enum class Held { kNo, kYes, kMaybe };

  // A launch's members as a mapping.
  Value record(std::size_t launch) {
    const std::vector<Value>& values = launches_[launch].values[index_].members;
    auto* entries = arena_.array<Entry>(values.size());
    for (std::uint32_t i = 0; i < values.size(); ++i) {
      entries[i] = {Value::str(pack_.text(pack_.named[peers_.members.first + i].name)), values[i]};
    }
    return Value::dict(entries, static_cast<std::uint32_t>(values.size()));
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
    if (!said_.insert(index).second) return;
    PeerFinding f;
    f.kind = r.action == Action::kFail && peers_.in_turn_warn != 0 && !group_->together ? Action::kWarn : r.action;
    f.phase = r.phase;
    f.rule = index;
    f.message = to_str(evaluator_.eval(r.payload.first));
    const std::vector<std::uint32_t> of_all = members_read(PeerRec::kRoles);
    for (std::uint32_t i = 0; i < PeerRec::kRoles; ++i) {
      PeerSide side{pair_[i], pack_.named[peers_.roles.first + i].name, members_read(i)};
      if (side.members.empty()) side.members = of_all;
      f.sides.push_back(std::move(side));
    }
    for (const std::size_t launch : group_->launches) {
      const bool there = std::count(pair_.begin(), pair_.end(), launch) > 0;
      if (!of_all.empty() && !there && f.sides.size() < kMaxSides) f.sides.push_back({launch, 0, of_all});
    }
    out_->push_back(std::move(f));
  }

  // The members of the launch in a slot that the conditions read; of a list of launches, those of any name over it.
  std::vector<std::uint32_t> members_read(std::uint32_t role) const {
    std::vector<std::uint32_t> out;
    for (const CodeRef code : conditions_) {
      if (code != 0) gather(code, role, &out);
    }
    return out;
  }

  void gather(CodeRef code, std::uint32_t role, std::vector<std::uint32_t>* out) const {
    walk_nodes(pack_, code, [&](CodeRef node) {
      const std::uint32_t w = pack_.code[node];
      if (op_of(w) != Op::kAttr || op_of(pack_.code[node + 1]) != Op::kSlot) return;
      const std::uint32_t slot = operand_of(pack_.code[node + 1]);
      const bool of_pair = slot >= peers_.first_slot && slot < peers_.first_slot + PeerRec::kRoles;
      if (of_pair ? slot != peers_.first_slot + role : role != PeerRec::kRoles) return;
      for (std::uint32_t i = 0; i < peers_.members.count; ++i) {
        if (pack_.text(pack_.named[peers_.members.first + i].name) != pack_.text(operand_of(w))) continue;
        if (std::find(out->begin(), out->end(), i) == out->end()) out->push_back(i);
      }
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
  std::set<std::uint32_t> said_;
  std::vector<CodeRef> conditions_;
};

}  // namespace

std::vector<PeerFinding> compare_peers(const Pack& pack, std::span<const PeerLaunch> launches) {
  std::vector<PeerFinding> out;
  std::map<std::uint32_t, std::unique_ptr<Runtime>> runtimes;  // by version
  for (std::size_t i = 0; i < pack.peers.size(); ++i) {
    for (const PeerGroup& group : group_peers(i, launches)) {
      std::uint32_t version = 0;
      for (const std::size_t launch : group.launches) version = std::max(version, launches[launch].version);
      std::unique_ptr<Runtime>& runtime = runtimes[version];
      if (!runtime) runtime = std::make_unique<Runtime>(pack, version);
      PeerCheck(*runtime, pack.peers[i], i, launches).run(group, &out);
    }
  }
  return out;
}

}  // namespace gonogo
