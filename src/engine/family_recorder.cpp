#include "engine/family_recorder.h"

#include <algorithm>

#include "rules/code.h"
#include "rules/walk.h"

namespace gonogo {

FamilyRecorder::FamilyRecorder(Runtime& runtime, const World& world, const Given& given,
                               const std::vector<std::uint32_t>& open, Arena& arena, std::vector<FamilyStep>* steps)
    : Resolution(runtime, world, given, arena, {.evidence = false, .until_refused = true}),
      steps_(*steps),
      watch_(pack_) {
  for (const std::uint32_t field : open) state_.fields[field] = state_.given[field] = Watch::open();
  evaluator_.watch(&watch_);
}

bool FamilyRecorder::record() {
  for (part_ = 0; part_ < pack_.parts.size() && !stopped_; ++part_) run_part(pack_.parts[part_]);
  evaluator_.watch(nullptr);
  return usable_ && !watch_.model_open();
}

void FamilyRecorder::run_part(const PartRec& part) {
  const std::size_t step = push({FamilyStep::Kind::kPart});
  part_taint_ = Value();
  for (const std::uint32_t stage : pack_.slice(part.stages)) {
    if (run_stage(stage) == Flow::kLeavePart) break;
  }
  // What a part answers may be the first to evaluate a fact.
  if (!stopped_ && part_ + 1 < pack_.parts.size()) {
    for (const NamedCode& answer : pack_.named.subspan(part.answers.first, part.answers.count)) look(answer.code);
  }
  close(step);
}

Resolution::Flow FamilyRecorder::run_stage(std::uint32_t stage) {
  const std::size_t step = push({FamilyStep::Kind::kStage});
  const Flow flow = Resolution::run_stage(stage);
  close(step);
  if (steps_.size() == step + 1) steps_.pop_back();
  return flow;
}

Resolution::Flow FamilyRecorder::rule(std::uint32_t index, Held* held) {
  const RuleRec& r = pack_.rules[index];
  *held = Held::kNo;
  if (r.disabled != 0 || !runtime_.holds(r.versions)) return Flow::kNext;
  for (const LetRec& let : pack_.lets.subspan(r.lets.first, r.lets.count)) {
    evaluator_.bind(let.slot, let.code);
    watch_.forget(watch_.slot(let.slot));
  }
  const Value outer = taint_;
  const std::size_t step = push({.kind = FamilyStep::Kind::kRule, .index = index});
  *held = Held::kYes;
  if (r.when != 0) {
    const Value condition = look(r.when);
    if (condition.is_bad()) {
      *held = Held::kMaybe;
      branch_ = taint_ = Watch::open();
      steps_[step].decided = false;
    } else if (!truthy(condition)) {
      *held = Held::kNo;
      drop(step, r);
      return Flow::kNext;
    }
  }
  at_ = step;
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
    close(step);
    if (!leaves && does_nothing(step, r)) drop(step, r);
  }
  return flow;
}

void FamilyRecorder::assign(std::uint32_t index, const RuleRec& r) {
  const std::size_t step = at_;
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
    drop(step, r);
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
    push({.kind = FamilyStep::Kind::kWrite, .state = state, .index = targets[i].target, .value = now});
  }
}

void FamilyRecorder::write(std::uint32_t, const AssignRec& a, const Value& v) {
  const bool state = a.kind == Target::kState;
  Value& current = state ? state_.scratch[a.target] : state_.fields[a.target];
  const Value before = current;
  current = Watch::is_open(v) || Watch::is_open(before) ? (a.path.count == 0 ? v : Watch::open())
                                                        : with_leaf(before, pack_.slice(a.path), v);
  if (!identical(before, current)) change(state ? watch_.state(a.target) : watch_.field(a.target));
}

void FamilyRecorder::set_env(std::uint32_t, const RuleRec& r) {
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
    change(watch_.env());
  }
}

void FamilyRecorder::report(std::uint32_t, const RuleRec& r) {
  stopped_ = r.action == Action::kFail && !taint().is_bad() && !doubted_;
}

void FamilyRecorder::doubt(const RuleRec& r) {
  doubted_ = true;
  suppose(r.payload.first, Role::kModel);
}

std::size_t FamilyRecorder::push(const FamilyStep& step) {
  steps_.push_back(step);
  steps_.back().end = static_cast<std::uint32_t>(steps_.size());
  return steps_.size() - 1;
}

// Whether a rule whose condition holds has nothing left to do.
bool FamilyRecorder::does_nothing(std::size_t step, const RuleRec& r) const {
  if (!steps_[step].decided) return false;
  const bool holds_others = r.action == Action::kRules || r.action == Action::kFirst || r.action == Action::kRun;
  if (!holds_others && r.action != Action::kNothing && !only_tells(r.action)) return false;
  return std::all_of(steps_.begin() + static_cast<std::ptrdiff_t>(step) + 1, steps_.end(),
                     [](const FamilyStep& n) { return n.keeps(); });
}

// Takes a rule away, and leaves what was found out of names other than its own.
void FamilyRecorder::drop(std::size_t step, const RuleRec& r) {
  const auto own = [&](const FamilyStep& n) {
    const auto lets = pack_.lets.subspan(r.lets.first, r.lets.count);
    return n.kind == FamilyStep::Kind::kKeepSlot &&
           std::any_of(lets.begin(), lets.end(), [&](const LetRec& let) { return let.slot == n.index; });
  };
  std::vector<FamilyStep> kept;
  for (std::size_t i = step + 1; i < steps_.size(); ++i) {
    if (steps_[i].keeps() && !own(steps_[i])) kept.push_back(steps_[i]);
  }
  steps_.resize(step);
  for (const FamilyStep& n : kept) push(n);
}

// Evaluates a condition or value; open where it met an open value.
Value FamilyRecorder::look(CodeRef code) {
  watch_.restart();
  const Value v = evaluator_.eval(code);
  if (!watch_.met_open()) {
    commit();
    return v;
  }
  suppose(code, Role::kModel);
  return Watch::open();
}

const Value* FamilyRecorder::known(Watch::Name name) const {
  if (watch_.is_slot(name)) return evaluator_.known_slot(watch_.index_of(name));
  return evaluator_.known_fact(watch_.is_draft(name) ? Role::kDraft : Role::kModel, watch_.index_of(name));
}

// What was evaluated without meeting an open value is evaluated by now in every launch that comes here: in all of
// them, but under an open condition.
void FamilyRecorder::commit() {
  const bool all = !taint().is_bad();
  for (const Watch::Name name : watch_.touched()) {
    if (watch_.settled(name)) continue;
    const bool slot = watch_.is_slot(name);
    if (!watch_.is_model(name) && (slot || (!all && watch_.may_change(name)))) {
      push({.kind = slot                    ? FamilyStep::Kind::kKeepSlot
                    : watch_.is_draft(name) ? FamilyStep::Kind::kKeepDraftFact
                                            : FamilyStep::Kind::kKeepFact,
            .index = watch_.index_of(name),
            .value = *known(name)});
    }
    if (all) watch_.settle(name);
  }
}

// A launch may evaluate any name in `code` here, or not. Each is evaluated now, so that it is known what it reads.
void FamilyRecorder::suppose(CodeRef code, Role role) {
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

void FamilyRecorder::suppose_fact(Role role, std::uint32_t index) {
  if (!facts_.emplace(role, index).second) return;
  evaluator_.force_fact(role, index);
  suppose(runtime_.pick(pack_.facts[index].values), role);
}

// From here on, what read this input before may differ between launches that evaluated it and those that have yet to.
void FamilyRecorder::change(Watch::Input input) {
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
    changed_[{role, index}] = {*value, static_cast<std::uint32_t>(steps_.size())};
    evaluator_.keep_fact(role, index, Watch::open());
  }
}

}  // namespace gonogo
