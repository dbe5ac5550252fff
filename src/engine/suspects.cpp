#include "engine/suspects.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "rules/code.h"
#include "rules/constant.h"
#include "rules/walk.h"

namespace gonogo {

namespace {

constexpr int kMostDistance = 4;
constexpr std::size_t kMostCompared = 24;
constexpr std::size_t kMostCodes = 600;

bool is_comparison(Op op) { return (op >= Op::kEq && op <= Op::kIsNot) || op == Op::kChain; }
bool is_order(Op op) { return op == Op::kLt || op == Op::kLe || op == Op::kGt || op == Op::kGe; }

class Slice {
 public:
  Slice(Runtime& runtime, const RefusedRun& run) : runtime_(runtime), pack_(runtime.pack()), run_(run) {
    for (const LetRec& let : pack_.lets) slots_[let.slot] = let.code;
  }

  std::vector<Suspect> run(std::size_t most) {
    const Finding& refusal = run_.outcome.findings.back();
    for (auto code = refusal.conditions.rbegin(); code != refusal.conditions.rend(); ++code) later(*code, 0);
    if (refusal.rule != kNoIndex) neighbours(refusal.rule);
    while (!queue_.empty() && seen_.size() < kMostCodes) {
      const auto [code, distance] = queue_.front();
      queue_.pop_front();
      read(code, distance);
    }
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Suspect& a, const Suspect& b) { return a.distance < b.distance; });
    if (found_.size() > most) found_.resize(most);
    return std::move(found_);
  }

 private:
  struct Pending {
    CodeRef code;
    int distance;
  };

  void later(CodeRef code, int distance) {
    if (code == 0 || distance > kMostDistance || !seen_.insert(code).second) return;
    // Breadth first by distance: what lies behind a let name or function is as near as the name.
    const auto at = std::find_if(queue_.begin(), queue_.end(), [&](const Pending& p) { return p.distance > distance; });
    queue_.insert(at, {code, distance});
  }

  // The rule's conditions with those of the groups around it.
  void conditions_of(std::uint32_t rule, int distance) {
    later(pack_.rules[rule].when, distance);
    for (const std::uint32_t group : groups_around(pack_, rule)) later(pack_.rules[group].when, distance);
  }

  // Rules beside and above a refusal that would have led around it: earlier branches of its ladders, and what leaves
  // the stage.
  void neighbours(std::uint32_t rule) {
    for (const std::uint32_t group : groups_around(pack_, rule)) {
      const bool ladder = pack_.rules[group].action == Action::kFirst;
      for (std::uint32_t child = group + 1; child < rule && pack_.rules[child].end <= rule;
           child = pack_.rules[child].end) {
        const RuleRec& r = pack_.rules[child];
        if (runtime_.holds(r.versions) && (ladder || r.leave != Return::kNo)) later(r.when, 1);
      }
    }
  }

  void read(CodeRef code, int distance) {
    walk_nodes(pack_, code, [&](CodeRef at) {
      const std::uint32_t w = pack_.code[at];
      const std::uint32_t n = operand_of(w);
      switch (op_of(w)) {
        case Op::kField:
          note(Target::kField, n, distance);
          chosen(n, distance);
          break;
        case Op::kGiven:
        case Op::kTyped:
          note(Target::kField, n, distance);
          break;
        case Op::kEnv:
        case Op::kEnvIsSet:
          note(Target::kEnv, n, distance);
          set_by_rule(n, distance);
          break;
        case Op::kState:
          written(n, distance);
          break;
        case Op::kSlot:
          if (const auto let = slots_.find(n); let != slots_.end()) later(let->second, distance);
          break;
        case Op::kCall:
          bind(at, n);
          later(runtime_.pick(pack_.functions[n].values), distance);
          break;
        case Op::kFact:
          later(runtime_.pick(pack_.facts[n].values), distance + 1);
          break;
        default:
          if (is_comparison(op_of(w))) compare(at);
          break;
      }
    });
  }

  // What a function's parameters stand for, by its last call that was read.
  void bind(CodeRef at, std::uint32_t function) {
    const std::vector<CodeRef> arguments = children_of(pack_, at);
    for (std::uint32_t i = 0; i < arguments.size(); ++i) {
      slots_.emplace(pack_.functions[function].first_slot + i, arguments[i]);
    }
  }

  // The rule that gave a field its value, and why.
  void chosen(std::uint32_t field, int distance) {
    const Change* change = last_change(run_.outcome, field);
    if (change == nullptr) return;
    conditions_of(change->rule, distance + 1);
    written_by(change->rule, Target::kField, field, distance);
  }

  void set_by_rule(std::uint32_t variable, int distance) {
    const auto by = run_.outcome.env_by.find(std::string(pack_.text(pack_.envs[variable].name)));
    if (by == run_.outcome.env_by.end()) return;
    conditions_of(by->second, distance + 1);
    written_by(by->second, Target::kEnv, variable, distance);
  }

  void written(std::uint32_t scratch, int distance) {
    for (std::uint32_t i = 0; i < pack_.rules.size(); ++i) {
      if (!run_.acted[i] || pack_.rules[i].action != Action::kSet) continue;
      if (written_by(i, Target::kState, scratch, distance)) conditions_of(i, distance + 1);
    }
  }

  // Follows what a rule wrote to a target; false where it writes none such.
  bool written_by(std::uint32_t rule, Target kind, std::uint32_t target, int distance) {
    const RuleRec& r = pack_.rules[rule];
    bool found = false;
    for (const AssignRec& a : pack_.assigns.subspan(r.payload.first, r.payload.count)) {
      if (a.kind != kind || a.target != target) continue;
      later(a.code, distance + 1);
      found = true;
    }
    return found;
  }

  Suspect& suspect(Target kind, std::uint32_t target, int distance) {
    const auto at = std::find_if(found_.begin(), found_.end(),
                                 [&](const Suspect& s) { return s.kind == kind && s.target == target; });
    if (at != found_.end()) return *at;
    found_.push_back({kind, target, distance, {}, false});
    return found_.back();
  }
  void note(Target kind, std::uint32_t target, int distance) { suspect(kind, target, distance); }

  // Fields and variables in a side of a comparison, through let names and parameters.
  void names_in(CodeRef code, int depth, std::set<std::pair<Target, std::uint32_t>>* out) {
    if (depth > 3) return;
    walk_nodes(pack_, code, [&](CodeRef at) {
      const std::uint32_t w = pack_.code[at];
      if (op_of(w) == Op::kField || op_of(w) == Op::kGiven) out->insert({Target::kField, operand_of(w)});
      if (op_of(w) == Op::kEnv) out->insert({Target::kEnv, operand_of(w)});
      if (op_of(w) != Op::kSlot) return;
      if (const auto let = slots_.find(operand_of(w)); let != slots_.end()) names_in(let->second, depth + 1, out);
    });
  }

  void constants_in(CodeRef code, std::vector<Value>* out) {
    walk_nodes(pack_, code, [&](CodeRef at) {
      Value v;
      if (scalar_constant(pack_, pack_.code[at], &v)) {
        out->push_back(v);
      } else if (op_of(pack_.code[at]) == Op::kTable) {
        const Value& table = runtime_.table(operand_of(pack_.code[at]));
        for (std::uint32_t i = 0; i < table.size() && i < kMostCompared; ++i) {
          if (table.is_dict()) out->push_back(table.entries()[i].key);
          if (table.is_sequence()) out->push_back(table[i]);
        }
      }
    });
  }

  void compare(CodeRef at) {
    const std::vector<CodeRef> sides = children_of(pack_, at);
    std::vector<std::set<std::pair<Target, std::uint32_t>>> names(sides.size());
    std::vector<std::vector<Value>> constants(sides.size());
    for (std::size_t i = 0; i < sides.size(); ++i) {
      names_in(sides[i], 0, &names[i]);
      constants_in(sides[i], &constants[i]);
    }
    const bool order = is_order(op_of(pack_.code[at])) || op_of(pack_.code[at]) == Op::kChain;
    for (std::size_t i = 0; i < sides.size(); ++i) {
      for (const auto& [kind, target] : names[i]) {
        for (std::size_t j = 0; j < sides.size(); ++j) {
          if (i != j) compared_with(kind, target, constants[j], order);
        }
      }
    }
  }

  void compared_with(Target kind, std::uint32_t target, const std::vector<Value>& values, bool order) {
    Compared& known = compared_[{kind, target}];
    known.ordered = known.ordered || order;
    for (const Value& v : values) {
      const bool told =
          std::any_of(known.values.begin(), known.values.end(), [&](const Value& o) { return identical(o, v); });
      if (!told && known.values.size() < kMostCompared) known.values.push_back(v);
    }
  }

 public:
  void attach(std::vector<Suspect>* suspects) {
    for (Suspect& s : *suspects) {
      const auto at = compared_.find({s.kind, s.target});
      if (at == compared_.end()) continue;
      s.compared = at->second.values;
      s.ordered = at->second.ordered;
    }
  }

 private:
  struct Compared {
    std::vector<Value> values;
    bool ordered = false;
  };

  Runtime& runtime_;
  const Pack& pack_;
  const RefusedRun& run_;
  std::map<std::uint32_t, CodeRef> slots_;
  std::deque<Pending> queue_;
  std::set<CodeRef> seen_;
  std::vector<Suspect> found_;
  std::map<std::pair<Target, std::uint32_t>, Compared> compared_;
};

}  // namespace

std::vector<Suspect> suspects_of(Runtime& runtime, const RefusedRun& run, std::size_t most) {
  if (run.outcome.findings.empty()) return {};
  Slice slice(runtime, run);
  std::vector<Suspect> out = slice.run(most);
  slice.attach(&out);
  return out;
}

}  // namespace gonogo
