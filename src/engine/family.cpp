#include "engine/family.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/family_recorder.h"
#include "engine/resolution.h"

namespace gonogo {

// The run of what remains, launch after launch: each begins where the recording began.
class Family::Replay : public Resolution, private Evaluator::FactSource {
 public:
  Replay(Family* family, const FamilyRecorder& recorder)
      : Resolution(family->runtime_, family->world_, family->given_, family->arena_,
                   {.evidence = false, .until_refused = true}),
        steps_(family->steps_),
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
    for (std::uint32_t part = 0; part < steps_.size() && !stopped_; part = steps_[part].end) {
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
  Flow inner(std::uint32_t step, bool ladder, Held* held) {
    const std::uint32_t end = steps_[step].end;
    Flow flow = Flow::kNext;
    for (std::uint32_t i = step + 1; i < end && flow == Flow::kNext; i = steps_[i].end) {
      *held = Held::kNo;
      flow = visit(i, held);
      if (!ladder) continue;
      if (*held == Held::kYes) break;
      if (*held == Held::kMaybe && !taint_.is_bad()) taint_ = branch_;
    }
    return flow;
  }

  Flow visit(std::uint32_t i, Held* held) {
    const FamilyStep& step = steps_[i];
    switch (step.kind) {
      case FamilyStep::Kind::kPart:
        break;
      case FamilyStep::Kind::kStage: {
        const Value outer = std::exchange(stage_taint_, Value());
        Held inside = Held::kNo;
        const Flow flow = inner(i, false, &inside);
        stage_taint_ = outer;
        return flow == Flow::kLeavePart ? flow : Flow::kNext;
      }
      case FamilyStep::Kind::kRule:
        return remaining_rule(i, held);
      case FamilyStep::Kind::kWrite:
        (step.state ? scratch_written_ : fields_written_).push_back(step.index);
        (step.state ? state_.scratch : state_.fields)[step.index] = step.value;
        break;
      default:
        keep(step);
    }
    return Flow::kNext;
  }

  void keep(const FamilyStep& step) {
    if (step.kind == FamilyStep::Kind::kKeepSlot) return evaluator_.keep_slot(step.index, step.value);
    const Role role = step.kind == FamilyStep::Kind::kKeepDraftFact ? Role::kDraft : Role::kModel;
    if (evaluator_.known_fact(role, step.index) != nullptr) return;
    evaluated_.emplace_back(role, step.index);
    evaluator_.keep_fact(role, step.index, step.value);
  }

  Flow remaining_rule(std::uint32_t i, Held* held) {
    const FamilyStep& step = steps_[i];
    const RuleRec& r = pack_.rules[step.index];
    for (const LetRec& let : pack_.lets.subspan(r.lets.first, r.lets.count)) evaluator_.bind(let.slot, let.code);
    const Value outer = taint_;
    *held = Held::kYes;
    cursor_ = i;
    if (!step.decided) {
      Value condition = evaluator_.eval(r.when);
      if (condition.is_error()) condition = fault(step.index, condition);
      if (condition.is_unknown()) {
        *held = Held::kMaybe;
        branch_ = taint_ = condition;
      } else if (!truthy(condition)) {
        *held = Held::kNo;
        return Flow::kNext;
      }
    }
    const bool holds_others = r.action == Action::kRules || r.action == Action::kFirst || r.action == Action::kRun;
    for (std::uint32_t k = i + 1; !holds_others && k < step.end; ++k) keep(steps_[k]);
    at_ = i;
    Flow flow = act(step.index, r);
    if (r.leave != Return::kNo && flow == Flow::kNext) flow = leave(r.leave);
    taint_ = outer;
    return flow;
  }

  const Value* find(Role role, std::uint32_t index) override {
    const auto at = changed_.find({role, index});
    return at != changed_.end() && cursor_ < at->second.step ? &at->second.value : nullptr;
  }
  void evaluated(Role role, std::uint32_t index) override { evaluated_.emplace_back(role, index); }

  const std::vector<FamilyStep>& steps_;
  const std::vector<std::uint32_t>& open_;
  const FamilyRecorder::Changed changed_;
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
  FamilyRecorder recorder(runtime, world, given, open_, values_, &steps_);
  if (recorder.record()) replay_ = std::make_unique<Replay>(this, recorder);
}

Family::~Family() = default;

std::size_t Family::remaining() const {
  return replay_ == nullptr
             ? runtime_.pack().rules.size()
             : static_cast<std::size_t>(std::count_if(steps_.begin(), steps_.end(), [](const FamilyStep& n) {
                 return n.kind == FamilyStep::Kind::kRule;
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
