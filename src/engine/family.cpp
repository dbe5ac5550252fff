#include "engine/family.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "engine/resolution.h"
#include "engine/watch.h"
#include "rules/code.h"
#include "rules/walk.h"

namespace gonogo {

// A step that remains, or the result of one that is done. Steps inside of a part, stage or group follow it.
struct Family::Node {
  enum class Kind : std::uint8_t {
    kPart,
    kStage,
    kRule,
    kWrite,     // `value` is what the field or state `index` is from here on
    kKeepFact,  // the fact or let name `index` has `value`, and is not evaluated again
    kKeepDraftFact,
    kKeepSlot,
  };
  Kind kind = Kind::kRule;
  bool decided = true;  // of a rule: its condition holds
  bool state = false;   // of a write: the target is state.*
  std::uint32_t index = 0;
  std::uint32_t end = 0;  // behind its last inner step
  Value value{};

  bool keeps() const { return kind >= Kind::kKeepFact; }
};

// The run with open fields. Under a condition that is open, what a rule writes is open too.
class Family::Recorder : public Resolution {
 public:
  // A fact that was evaluated, and the last step before something that it read changed.
  struct Until {
    Value value;
    std::uint32_t last = 0;
  };

  Recorder(Family* family)
      : Resolution(family->runtime_, family->world_, family->given_, family->values_,
                   {.evidence = false, .until_refused = true}),
        nodes_(family->nodes_),
        watch_(pack_) {
    for (const std::uint32_t field : family->open_) state_.fields[field] = state_.given[field] = Watch::open();
    evaluator_.watch(&watch_);
  }

  // False where nothing can be done in advance: the models themselves are open.
  bool record() {
    for (part_ = 0; part_ < pack_.parts.size() && !stopped_; ++part_) run_part(pack_.parts[part_]);
    evaluator_.watch(nullptr);
    return usable_ && !watch_.model_open();
  }

  const Evaluator& evaluator() const { return evaluator_; }
  const std::map<std::pair<Role, std::uint32_t>, Until>& changed() const { return changed_; }

 protected:
  void run_part(const PartRec& part) override {
    const std::size_t node = push({Node::Kind::kPart});
    part_taint_ = Value();
    for (const std::uint32_t stage : pack_.slice(part.stages)) {
      if (run_stage(stage) == Flow::kLeavePart) break;
    }
    // What a part answers may be the first to evaluate a fact.
    if (!stopped_ && part_ + 1 < pack_.parts.size()) {
      for (const NamedCode& answer : pack_.named.subspan(part.answers.first, part.answers.count)) look(answer.code);
    }
    close(node);
  }

  Flow run_stage(std::uint32_t stage) override {
    const std::size_t node = push({Node::Kind::kStage});
    const Flow flow = Resolution::run_stage(stage);
    close(node);
    if (nodes_.size() == node + 1) nodes_.pop_back();
    return flow;
  }

  Flow rule(std::uint32_t index, Held* held) override {
    const RuleRec& r = pack_.rules[index];
    *held = Held::kNo;
    if (r.disabled != 0 || !runtime_.holds(r.versions)) return Flow::kNext;
    for (const LetRec& let : pack_.lets.subspan(r.lets.first, r.lets.count)) {
      evaluator_.bind(let.slot, let.code);
      watch_.forget(watch_.slot(let.slot));
    }
    const Value outer = taint_;
    const std::size_t node = push({.kind = Node::Kind::kRule, .index = index});
    *held = Held::kYes;
    if (r.when != 0) {
      const Value condition = look(r.when);
      if (condition.is_bad()) {
        *held = Held::kMaybe;
        branch_ = taint_ = Watch::open();
        nodes_[node].decided = false;
      } else if (!truthy(condition)) {
        *held = Held::kNo;
        drop(node, r);
        return Flow::kNext;
      }
    }
    at_ = node;
    written_ = false;
    Flow flow = act(index, r);
    const bool written = std::exchange(written_, false);
    bool leaves = false;
    if (r.leave != Return::kNo && flow == Flow::kNext) {
      leaves = taint().is_bad();
      flow = leave(r.leave);
    }
    taint_ = outer;
    if (!written) {
      close(node);
      if (!leaves && does_nothing(node, r)) drop(node, r);
    }
    return flow;
  }

  void assign(std::uint32_t index, const RuleRec& r) override {
    const std::size_t node = at_;
    const auto targets = pack_.assigns.subspan(r.payload.first, r.payload.count);
    std::vector<Value> values;
    bool open = waiting_ || taint().is_bad();
    for (const AssignRec& a : targets) {
      const Value v = look(a.code);
      const Value& current = a.kind == Target::kState ? state_.scratch[a.target] : state_.fields[a.target];
      open = open || v.is_bad() || current.is_bad();
      values.push_back(v.is_bad() || taint().is_bad() ? Watch::open() : v);
    }
    if (!open) {
      // Done here for all launches: what remains is the result.
      drop(node, r);
      written_ = true;
    }
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (waiting_) {
        pending_.push_back({index, &targets[i], values[i]});
      } else {
        write(index, targets[i], values[i]);
      }
      if (open) continue;
      const bool state = targets[i].kind == Target::kState;
      const Value& now = state ? state_.scratch[targets[i].target] : state_.fields[targets[i].target];
      push({.kind = Node::Kind::kWrite, .state = state, .index = targets[i].target, .value = now});
    }
  }

  void write(std::uint32_t, const AssignRec& a, const Value& v) override {
    const bool state = a.kind == Target::kState;
    Value& current = state ? state_.scratch[a.target] : state_.fields[a.target];
    const Value before = current;
    current = Watch::is_open(v) || Watch::is_open(before) ? (a.path.count == 0 ? v : Watch::open())
                                                          : with_leaf(before, pack_.slice(a.path), v);
    if (!identical(before, current)) changed(state ? watch_.state(a.target) : watch_.field(a.target));
  }

  void set_env(std::uint32_t, const RuleRec& r) override {
    for (const AssignRec& a : pack_.assigns.subspan(r.payload.first, r.payload.count)) {
      const EnvRec& variable = pack_.envs[a.target];
      const Value v = look(a.code);
      if (v.is_bad() || taint().is_bad()) {
        watch_.leave_open(variable);
      } else if (v.is_none()) {
        state_.env.erase(std::string(pack_.text(variable.name)));
      } else {
        state_.env[std::string(pack_.text(variable.name))] = to_str(v);
      }
      changed(watch_.env());
    }
  }

  void report(std::uint32_t, const RuleRec& r) override {
    stopped_ = r.action == Action::kFail && !taint().is_bad() && !doubted_;
  }

  void doubt(const RuleRec& r) override {
    doubted_ = true;
    suppose(r.payload.first, Role::kModel);
  }

 private:
  std::size_t push(const Node& node) {
    nodes_.push_back(node);
    nodes_.back().end = static_cast<std::uint32_t>(nodes_.size());
    return nodes_.size() - 1;
  }
  void close(std::size_t node) { nodes_[node].end = static_cast<std::uint32_t>(nodes_.size()); }

  // Whether a rule whose condition holds has nothing left to do.
  bool does_nothing(std::size_t node, const RuleRec& r) const {
    if (!nodes_[node].decided) return false;
    const bool holds_others = r.action == Action::kRules || r.action == Action::kFirst || r.action == Action::kRun;
    if (!holds_others && r.action != Action::kNothing && !only_tells(r.action)) return false;
    return std::all_of(nodes_.begin() + static_cast<std::ptrdiff_t>(node) + 1, nodes_.end(),
                       [](const Node& n) { return n.keeps(); });
  }

  // Takes a rule away, and leaves what was found out of names other than its own.
  void drop(std::size_t node, const RuleRec& r) {
    const auto own = [&](const Node& n) {
      const auto lets = pack_.lets.subspan(r.lets.first, r.lets.count);
      return n.kind == Node::Kind::kKeepSlot &&
             std::any_of(lets.begin(), lets.end(), [&](const LetRec& let) { return let.slot == n.index; });
    };
    std::vector<Node> kept;
    for (std::size_t i = node + 1; i < nodes_.size(); ++i) {
      if (nodes_[i].keeps() && !own(nodes_[i])) kept.push_back(nodes_[i]);
    }
    nodes_.resize(node);
    for (const Node& n : kept) push(n);
  }

  // Evaluates a condition or value; open where it met an open value.
  Value look(CodeRef code) {
    watch_.restart();
    const Value v = evaluator_.eval(code);
    if (!watch_.met_open()) {
      commit();
      return v;
    }
    suppose(code, Role::kModel);
    return Watch::open();
  }

  const Value* known(Watch::Name name) const {
    if (watch_.is_slot(name)) return evaluator_.known_slot(watch_.index_of(name));
    return evaluator_.known_fact(watch_.is_draft(name) ? Role::kDraft : Role::kModel, watch_.index_of(name));
  }

  // What was evaluated without meeting an open value is evaluated by now in every launch that comes here: in all of
  // them, but under an open condition.
  void commit() {
    const bool all = !taint().is_bad();
    for (const Watch::Name name : watch_.touched()) {
      if (watch_.settled(name)) continue;
      const bool slot = watch_.is_slot(name);
      if (!watch_.is_model(name) && (slot || (!all && watch_.may_change(name)))) {
        push({.kind = slot                    ? Node::Kind::kKeepSlot
                      : watch_.is_draft(name) ? Node::Kind::kKeepDraftFact
                                              : Node::Kind::kKeepFact,
              .index = watch_.index_of(name),
              .value = *known(name)});
      }
      if (all) watch_.settle(name);
    }
  }

  // A launch may evaluate any name in `code` here, or not. Each is evaluated now, so that it is known what it reads.
  void suppose(CodeRef code, Role role) {
    if (code == 0) return;
    walk_nodes(pack_, code, [&](CodeRef at) {
      const std::uint32_t n = operand_of(pack_.code[at]);
      switch (op_of(pack_.code[at])) {
        case Op::kFact:
          suppose_fact(role, n);
          break;
        case Op::kDraftFact:
          suppose_fact(Role::kDraft, n);
          break;
        case Op::kSlot:
          if (!evaluator_.is_lazy(n)) break;
          evaluator_.force_slot(n);
          suppose(evaluator_.slot_code(n), role);
          break;
        case Op::kConfig:
        case Op::kFiles:
        case Op::kHf:
          evaluator_.present(role);
          break;
        case Op::kCall:
          if (functions_.emplace(role, n).second) suppose(runtime_.pick(pack_.functions[n].values), role);
          break;
        default:
          break;
      }
    });
  }

  void suppose_fact(Role role, std::uint32_t index) {
    if (!facts_.emplace(role, index).second) return;
    evaluator_.force_fact(role, index);
    suppose(runtime_.pick(pack_.facts[index].values), role);
  }

  // From here on, what read this input before may differ between launches that evaluated it and those that have yet to.
  void changed(Watch::Input input) {
    for (const Watch::Name name : watch_.changed(input)) {
      if (watch_.is_model(name)) {
        usable_ = false;
        continue;
      }
      const Value* value = known(name);
      if (value == nullptr || Watch::is_open(*value)) continue;
      const std::uint32_t index = watch_.index_of(name);
      if (watch_.is_slot(name)) {
        evaluator_.keep_slot(index, Watch::open());
        continue;
      }
      const Role role = watch_.is_draft(name) ? Role::kDraft : Role::kModel;
      changed_[{role, index}] = {*value, static_cast<std::uint32_t>(nodes_.size())};
      evaluator_.keep_fact(role, index, Watch::open());
    }
  }

  std::vector<Node>& nodes_;
  Watch watch_;
  std::size_t at_ = 0;    // the rule at hand
  bool written_ = false;  // its result has taken its place
  bool doubted_ = false;
  bool usable_ = true;
  std::set<std::pair<Role, std::uint32_t>> facts_;
  std::set<std::pair<Role, std::uint32_t>> functions_;
  std::map<std::pair<Role, std::uint32_t>, Until> changed_;
};

// The run of what remains, launch after launch: each begins where the recording began.
class Family::Replay : public Resolution, private Evaluator::FactSource {
 public:
  Replay(Family* family, const Recorder& recorder)
      : Resolution(family->runtime_, family->world_, family->given_, family->arena_,
                   {.evidence = false, .until_refused = true}),
        nodes_(family->nodes_),
        open_(family->open_),
        changed_(recorder.changed()),
        fields_(state_.fields),
        scratch_(state_.scratch),
        env_(state_.env) {
    evaluator_.share_models(recorder.evaluator());
    for (const Role role : {Role::kModel, Role::kDraft}) {
      for (std::uint32_t i = 0; i < pack_.facts.size(); ++i) {
        const Value* v = recorder.evaluator().known_fact(role, i);
        if (v != nullptr && !Watch::is_open(*v)) evaluator_.keep_fact(role, i, *v);
      }
    }
    evaluator_.source(this);
    evaluator_.count_reads(false);
  }

  Answer decide(std::span<const Member> members) {
    begin();
    for (std::size_t i = 0; i < open_.size(); ++i) {
      state_.fields[open_[i]] = state_.given[open_[i]] = members[i].value;
      state_.typed[open_[i]] = members[i].typed;
    }
    for (std::uint32_t part = 0; part < nodes_.size() && !stopped_; part = nodes_[part].end) {
      part_taint_ = Value();
      Held held = Held::kNo;
      inner(part, false, &held);
    }
    Answer out;
    if (stopped_) {
      out.verdict = Verdict::kNoGo;
      out.rule = refused_by_;
    } else if (!out_.missing.empty()) {
      out.needs = out_.missing.front();
    } else if (!out_.faults.empty()) {
      out.needs = out_.faults.front();
    } else {
      out.verdict = Verdict::kGo;
    }
    return out;
  }

 protected:
  Flow group(std::uint32_t, const RuleRec& r) override {
    const Value outer = taint_;
    Held held = Held::kNo;
    const Flow flow = inner(at_, r.action == Action::kFirst, &held);
    taint_ = outer;
    return flow;
  }

  Flow run_stage(std::uint32_t) override {
    Held held = Held::kNo;
    return inner(at_, false, &held);
  }

  void write(std::uint32_t, const AssignRec& a, const Value& v) override {
    const bool state = a.kind == Target::kState;
    Value& current = (state ? state_.scratch : state_.fields)[a.target];
    (state ? scratch_written_ : fields_written_).push_back(a.target);
    current = with_leaf(current, pack_.slice(a.path), v);
  }

  void set_env(std::uint32_t index, const RuleRec& r) override {
    env_written_ = true;
    for (const AssignRec& a : pack_.assigns.subspan(r.payload.first, r.payload.count)) {
      Value v = evaluator_.eval(a.code);
      if (v.is_error()) v = fault(index, v);
      if (v.is_bad() || taint().is_bad()) continue;
      const std::string name(pack_.text(pack_.envs[a.target].name));
      if (v.is_none()) {
        state_.env.erase(name);
      } else {
        state_.env[name] = to_str(v);
      }
    }
  }

  void report(std::uint32_t index, const RuleRec& r) override {
    if (r.action != Action::kFail) return;
    const Value& reason = taint().is_bad() ? taint() : doubt_;
    if (reason.is_bad()) return need(std::string(reason.as_str()));
    refused_by_ = index;
    failed_ = stopped_ = true;
  }

 private:
  void begin() {
    arena_.reset();
    for (const std::uint32_t field : fields_written_) state_.fields[field] = fields_[field];
    for (const std::uint32_t index : scratch_written_) state_.scratch[index] = scratch_[index];
    for (const auto& [role, index] : evaluated_) evaluator_.drop_fact(role, index);
    if (env_written_) state_.env = env_;
    fields_written_.clear();
    scratch_written_.clear();
    evaluated_.clear();
    env_written_ = failed_ = stopped_ = false;
    taint_ = stage_taint_ = part_taint_ = doubt_ = branch_ = Value();
    out_.missing.clear();
    out_.faults.clear();
    refused_by_ = kNoIndex;
  }

  // The steps inside of one; of a ladder until one holds.
  Flow inner(std::uint32_t node, bool ladder, Held* held) {
    const std::uint32_t end = nodes_[node].end;
    Flow flow = Flow::kNext;
    for (std::uint32_t i = node + 1; i < end && flow == Flow::kNext; i = nodes_[i].end) {
      *held = Held::kNo;
      flow = step(i, held);
      if (!ladder) continue;
      if (*held == Held::kYes) break;
      if (*held == Held::kMaybe && !taint_.is_bad()) taint_ = branch_;
    }
    return flow;
  }

  Flow step(std::uint32_t i, Held* held) {
    const Node& node = nodes_[i];
    switch (node.kind) {
      case Node::Kind::kPart:
        break;
      case Node::Kind::kStage: {
        const Value outer = std::exchange(stage_taint_, Value());
        Held inside = Held::kNo;
        const Flow flow = inner(i, false, &inside);
        stage_taint_ = outer;
        return flow == Flow::kLeavePart ? flow : Flow::kNext;
      }
      case Node::Kind::kRule:
        return remaining_rule(i, held);
      case Node::Kind::kWrite:
        (node.state ? scratch_written_ : fields_written_).push_back(node.index);
        (node.state ? state_.scratch : state_.fields)[node.index] = node.value;
        break;
      default:
        keep(node);
    }
    return Flow::kNext;
  }

  void keep(const Node& node) {
    if (node.kind == Node::Kind::kKeepSlot) return evaluator_.keep_slot(node.index, node.value);
    const Role role = node.kind == Node::Kind::kKeepDraftFact ? Role::kDraft : Role::kModel;
    if (evaluator_.known_fact(role, node.index) != nullptr) return;
    evaluated_.emplace_back(role, node.index);
    evaluator_.keep_fact(role, node.index, node.value);
  }

  Flow remaining_rule(std::uint32_t i, Held* held) {
    const Node& node = nodes_[i];
    const RuleRec& r = pack_.rules[node.index];
    for (const LetRec& let : pack_.lets.subspan(r.lets.first, r.lets.count)) evaluator_.bind(let.slot, let.code);
    const Value outer = taint_;
    *held = Held::kYes;
    cursor_ = i;
    if (!node.decided) {
      Value condition = evaluator_.eval(r.when);
      if (condition.is_error()) condition = fault(node.index, condition);
      if (condition.is_unknown()) {
        *held = Held::kMaybe;
        branch_ = taint_ = condition;
      } else if (!truthy(condition)) {
        *held = Held::kNo;
        return Flow::kNext;
      }
    }
    const bool holds_others = r.action == Action::kRules || r.action == Action::kFirst || r.action == Action::kRun;
    for (std::uint32_t k = i + 1; !holds_others && k < node.end; ++k) keep(nodes_[k]);
    at_ = i;
    Flow flow = act(node.index, r);
    if (r.leave != Return::kNo && flow == Flow::kNext) flow = leave(r.leave);
    taint_ = outer;
    return flow;
  }

  const Value* find(Role role, std::uint32_t index) override {
    const auto at = changed_.find({role, index});
    return at != changed_.end() && cursor_ < at->second.last ? &at->second.value : nullptr;
  }
  void evaluated(Role role, std::uint32_t index) override { evaluated_.emplace_back(role, index); }

  const std::vector<Node>& nodes_;
  const std::vector<std::uint32_t>& open_;
  const std::map<std::pair<Role, std::uint32_t>, Recorder::Until> changed_;
  const std::vector<Value> fields_;  // as each launch begins
  const std::vector<Value> scratch_;
  const std::map<std::string, std::string, std::less<>> env_;
  std::vector<std::uint32_t> fields_written_;
  std::vector<std::uint32_t> scratch_written_;
  std::vector<std::pair<Role, std::uint32_t>> evaluated_;
  bool env_written_ = false;
  std::uint32_t at_ = 0;      // the step at hand
  std::uint32_t cursor_ = 0;  // the last rule that was begun
  std::uint32_t refused_by_ = kNoIndex;
};

Family::Family(Runtime& runtime, const World& world, const Given& given, std::vector<std::uint32_t> open)
    : runtime_(runtime), world_(world), given_(given), open_(std::move(open)) {
  if (runtime.version() < runtime.pack().first_ruled()) return;
  Recorder recorder(this);
  if (recorder.record()) replay_ = std::make_unique<Replay>(this, recorder);
}

Family::~Family() = default;

std::size_t Family::remaining() const {
  return replay_ == nullptr ? runtime_.pack().rules.size()
                            : static_cast<std::size_t>(std::count_if(nodes_.begin(), nodes_.end(), [](const Node& n) {
                                return n.kind == Node::Kind::kRule;
                              }));
}

Family::Answer Family::decide(std::span<const Member> members) {
  if (replay_ != nullptr) return replay_->decide(members);
  arena_.reset();
  Given given = copy_of(given_, arena_);
  for (std::size_t i = 0; i < open_.size(); ++i) {
    given.values[open_[i]] = members[i].value;
    given.origins[open_[i]].typed = members[i].typed;
  }
  const Outcome outcome = resolve(runtime_, world_, given, arena_, {.evidence = false, .until_refused = true});
  Answer out;
  out.verdict = outcome.verdict;
  if (out.verdict == Verdict::kUnknown) {
    out.needs = !outcome.missing.empty() ? outcome.missing.front() : outcome.faults.front();
  } else if (out.verdict == Verdict::kNoGo) {
    out.rule = outcome.findings.back().rule;
  }
  return out;
}

}  // namespace gonogo
