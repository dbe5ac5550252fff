#include "engine/resolution.h"

#include <algorithm>

#include "rules/walk.h"

namespace gonogo {

namespace {

constexpr int kMaxEvidenceDepth = 3;
constexpr std::size_t kMaxEvidence = 12;

}  // namespace

Resolution::Resolution(Runtime& runtime, const World& world, const Given& given, Arena& arena, ResolveOptions options)
    : runtime_(runtime),
      pack_(runtime.pack()),
      options_(options),
      state_{.fields = {given.values, given.values + given.field_count}},
      evaluator_(runtime, world, state_, arena),
      arena_(arena) {
  state_.given = state_.fields;
  state_.typed.resize(given.field_count);
  for (std::uint32_t i = 0; i < given.field_count; ++i) state_.typed[i] = given.typed(i);
  state_.scratch = runtime.state_defaults();
  state_.env = world.env;
  evaluator_.memo(options_.memo);
  if (options_.acted != nullptr) options_.acted->assign(pack_.rules.size(), false);
}

Outcome Resolution::run() {
  for (part_ = 0; part_ < pack_.parts.size() && !stopped_; ++part_) run_part(pack_.parts[part_]);
  if (!stopped_) unread_flags();
  if (pack_.about->layers != 0 && !options_.until_refused) out_.layers = evaluator_.eval(pack_.about->layers);
  for (const NamedCode& row : pack_.summary) {
    if (options_.evidence) out_.summary.emplace_back(row.name, evaluator_.eval(row.code));
  }
  if (options_.plan && !pack_.plan.empty()) make_plan();
  for (const PeerRec& peers : pack_.peers) {
    if (options_.peers) out_.peers.push_back(peer_values(peers));
  }
  out_.fields = std::move(state_.fields);
  const bool refused = std::any_of(out_.findings.begin(), out_.findings.end(),
                                   [](const Finding& f) { return f.kind == Action::kFail && f.certain; });
  out_.verdict = refused                                       ? Verdict::kNoGo
                 : out_.missing.empty() && out_.faults.empty() ? Verdict::kGo
                                                               : Verdict::kUnknown;
  return std::move(out_);
}

// None where the value can't be computed.
Value Resolution::figure(CodeRef code) {
  const Value value = evaluator_.eval(code);
  return value.is_error() ? Value() : value;
}

void Resolution::make_plan() {
  PlanOutcome& plan = out_.plan.emplace();
  for (const NamedCode& row : pack_.plan) {
    const std::string_view name = pack_.text(row.name);
    (name == "memory"     ? plan.memory
     : name == "capacity" ? plan.capacity
     : name == "length"   ? plan.length
                          : plan.requests) = figure(row.code);
  }
  const auto fill = [this](std::span<const NamedCode> rows, PlanOutcome::Rows* to) {
    for (const NamedCode& row : rows) to->emplace_back(row.name, figure(row.code));
  };
  fill(pack_.plan_parts, &plan.parts);
  fill(pack_.plan_sizes, &plan.sizes);
  fill(pack_.plan_figures, &plan.figures);
}

PeerValues Resolution::peer_values(const PeerRec& peers) {
  PeerValues out;
  const auto fill = [this](Range rows, std::vector<Value>* to) {
    for (const NamedCode& row : pack_.named.subspan(rows.first, rows.count)) {
      // A companion's role is no launch's.
      const Value value = row.code == 0 ? Value::boolean(false) : evaluator_.eval(row.code);
      to->push_back(value.is_error() ? Value::unknown("a value that the launch has not") : value);
    }
  };
  fill(peers.roles, &out.roles);
  fill(peers.key, &out.key);
  fill(peers.members, &out.members);
  if (out_.parts.front().refused_by) {
    for (Value& member : out.members) member = Value::unknown("the launch, which is refused");
  }
  return out;
}

void Resolution::run_part(const PartRec& part) {
  PartOutcome& outcome = out_.parts.emplace_back();
  outcome.reached = !failed_;
  part_taint_ = Value();
  for (const std::uint32_t stage : pack_.slice(part.stages)) {
    if (run_stage(stage) == Flow::kLeavePart) break;
  }
  outcome.fields = state_.fields;
  outcome.changes = out_.history.size();
  for (const NamedCode& answer : pack_.named.subspan(part.answers.first, part.answers.count)) {
    // What can't be computed, of a config that is no config of its kind, is not answered.
    outcome.answers.emplace_back(answer.name, figure(answer.code));
  }
}

Resolution::Flow Resolution::run_stage(std::uint32_t stage) {
  const Value outer = stage_taint_;
  stage_taint_ = Value();
  Held held = Held::kNo;
  const Flow flow = rule(pack_.stages[stage].rule, &held);
  stage_taint_ = outer;
  return flow == Flow::kLeavePart ? flow : Flow::kNext;
}

Resolution::Flow Resolution::rule(std::uint32_t index, Held* held) {
  const RuleRec& r = pack_.rules[index];
  *held = Held::kNo;
  if (r.disabled != 0 || !runtime_.holds(r.versions)) return Flow::kNext;
  for (const LetRec& let : pack_.lets.subspan(r.lets.first, r.lets.count)) evaluator_.bind(let.slot, let.code);
  const Value outer = taint_;
  *held = Held::kYes;
  if (r.when != 0) {
    const bool counting = evaluator_.count_reads(!only_tells(r.action));
    Value condition = evaluator_.eval(r.when);
    evaluator_.count_reads(counting);
    if (condition.is_error()) condition = fault(index, condition);
    if (condition.is_unknown()) {
      *held = Held::kMaybe;
      branch_ = taint_ = condition;
    } else if (!truthy(condition)) {
      *held = Held::kNo;
      return Flow::kNext;
    }
  }
  note_acted(index);
  conditions_.push_back(r.when);
  Flow flow = act(index, r);
  conditions_.pop_back();
  if (r.leave != Return::kNo && flow == Flow::kNext) flow = leave(r.leave);
  taint_ = outer;
  return flow;
}

// Flags that the user typed otherwise than their default and that nothing read, where the pack knows all readers.
// Behind a refusal, or with a fact missing, not everything was read that would be.
void Resolution::unread_flags() {
  if (failed_ || !out_.missing.empty() || !out_.faults.empty() || doubt_.is_bad()) return;
  const std::vector<Value>& defaults = runtime_.field_defaults();
  for (std::uint32_t i = 0; i < pack_.fields.size(); ++i) {
    if (pack_.fields[i].readers_known == 0 || !state_.typed[i] || state_.read[i]) continue;
    if (identical(state_.given[i], defaults[i])) continue;
    Finding f;
    f.kind = Action::kInert;
    f.field = i;
    f.message = std::string(pack_.flag_of(i, runtime_.version())) + " has no effect: nothing in this launch reads it";
    out_.findings.push_back(std::move(f));
  }
}

void Resolution::note_acted(std::uint32_t index) {
  if (options_.acted == nullptr || taint().is_bad()) return;
  if (out_.parts.front().refused_by || out_.parts.back().refused_by) return;
  (*options_.acted)[index] = true;
}

Resolution::Flow Resolution::leave(Return where) {
  if (!taint().is_bad()) return where == Return::kStage ? Flow::kLeaveStage : Flow::kLeavePart;
  (where == Return::kStage ? stage_taint_ : part_taint_) = taint();
  return Flow::kNext;
}

Resolution::Flow Resolution::act(std::uint32_t index, const RuleRec& r) {
  switch (r.action) {
    case Action::kRules:
    case Action::kFirst:
      return r.reads_entry != 0 && !waiting_ ? waiting_group(index, r) : group(index, r);
    case Action::kSet:
      assign(index, r);
      return Flow::kNext;
    case Action::kEnv:
      set_env(index, r);
      return Flow::kNext;
    case Action::kFail:
    case Action::kWarn:
    case Action::kInert:
    case Action::kAdvise:
      report(index, r);
      return stopped_ ? Flow::kLeavePart : Flow::kNext;
    case Action::kRun:
      return run_stage(r.payload.first);
    case Action::kUnknown:
      doubt(r);
      return Flow::kNext;
    case Action::kNothing:
      break;
  }
  return Flow::kNext;
}

Resolution::Flow Resolution::group(std::uint32_t index, const RuleRec& r) {
  const Value outer = taint_;
  Flow flow = Flow::kNext;
  for (std::uint32_t child = index + 1; child < r.end && flow == Flow::kNext; child = pack_.rules[child].end) {
    Held held = Held::kNo;
    flow = rule(child, &held);
    if (r.action != Action::kFirst) continue;
    if (held == Held::kYes) break;
    // Whether the ladder goes on past this branch is unknown, and so is everything below it.
    if (held == Held::kMaybe && !taint_.is_bad()) taint_ = branch_;
  }
  taint_ = outer;
  return flow;
}

Resolution::Flow Resolution::waiting_group(std::uint32_t index, const RuleRec& r) {
  waiting_ = true;
  const Flow flow = group(index, r);
  waiting_ = false;
  for (const Pending& p : pending_) write(p.rule, *p.target, p.value);
  pending_.clear();
  return flow;
}

Value Resolution::with_leaf(const Value& record, std::span<const std::uint32_t> path, const Value& leaf) {
  if (path.empty()) return leaf;
  if (record.is_bad()) return record;
  const std::string_view key = pack_.text(path[0]);
  const std::uint32_t size = record.is_dict() ? record.size() : 0;
  auto* entries = arena_.array<Entry>(size + 1);
  std::uint32_t at = size;
  for (std::uint32_t i = 0; i < size; ++i) {
    entries[i] = record.entries()[i];
    if (entries[i].key.is_str() && entries[i].key.as_str() == key) at = i;
  }
  if (at == size) entries[at] = {Value::str(key), Value()};
  entries[at].value = with_leaf(entries[at].value, path.subspan(1), leaf);
  return Value::dict(entries, std::max(size, at + 1));
}

void Resolution::assign(std::uint32_t index, const RuleRec& r) {
  const auto targets = pack_.assigns.subspan(r.payload.first, r.payload.count);
  assigned_.clear();
  for (const AssignRec& a : targets) {
    Value v = evaluator_.eval(a.code);
    if (v.is_error()) v = fault(index, v);
    assigned_.push_back(taint().is_bad() ? Value::unknown(taint().as_str()) : v);
  }
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (waiting_) {
      pending_.push_back({index, &targets[i], assigned_[i]});
    } else {
      write(index, targets[i], assigned_[i]);
    }
  }
}

void Resolution::write(std::uint32_t rule_index, const AssignRec& a, const Value& v) {
  std::vector<Value>& values = a.kind == Target::kState ? state_.scratch : state_.fields;
  values[a.target] = with_leaf(values[a.target], pack_.slice(a.path), v);
  if (a.kind == Target::kField) out_.history.push_back({a.target, rule_index, values[a.target]});
}

void Resolution::set_env(std::uint32_t index, const RuleRec& r) {
  for (const AssignRec& a : pack_.assigns.subspan(r.payload.first, r.payload.count)) {
    const std::string name(pack_.text(pack_.envs[a.target].name));
    Value v = evaluator_.eval(a.code);
    if (v.is_error()) v = fault(index, v);
    if (v.is_bad() || taint().is_bad()) continue;  // whether it is set is unknown: it stays as it is
    if (v.is_none()) {
      state_.env.erase(name);
      out_.env[name] = std::nullopt;
    } else {
      out_.env[name] = state_.env[name] = to_str(v);
    }
    out_.env_by[name] = index;
  }
}

void Resolution::report(std::uint32_t index, const RuleRec& r) {
  const bool fails = r.action == Action::kFail;
  Finding f;
  f.kind = r.action;
  f.phase = r.phase;
  f.rule = index;
  f.part = static_cast<std::uint32_t>(part_);
  f.field = r.flag == RuleRec::kNoFlag ? kNoIndex : r.flag;
  f.behind_failure = failed_;
  const Value& reason = taint().is_bad() ? taint() : doubt_;
  f.certain = !reason.is_bad();
  if (!f.certain) {
    if (!fails) return;  // a warning that may not apply would only be noise
    f.depends_on = reason.as_str();
  }
  const bool counting = evaluator_.count_reads(false);
  if (!options_.until_refused) f.message = to_str(evaluator_.eval(r.payload.first));
  if (options_.evidence) f.evidence = evidence();
  f.conditions = conditions_;
  const bool only_tried = options_.until_refused && !options_.evidence;
  const Run fixes = only_tried ? Run{} : pack_.note(index).fixes;
  for (const FixRec& fix : pack_.cold().fixes.subspan(fixes.first, fixes.count)) f.fixes.push_back(proposed(fix));
  evaluator_.count_reads(counting);
  if (fails && f.certain) {
    PartOutcome& part = out_.parts.back();
    if (!part.refused_by) {
      part.refused_by = out_.findings.size();
      part.changes_at_refusal = out_.history.size();
    }
    failed_ = true;
    stopped_ = options_.until_refused;
  } else if (fails && !failed_) {
    need(f.depends_on);
  }
  out_.findings.push_back(std::move(f));
}

// From here on it is not known whether refusals hold; what resolves is still told.
void Resolution::doubt(const RuleRec& r) {
  if (taint().is_bad()) return;  // whether there is a doubt at all is unknown: a missing fact already says so
  doubt_ = Value::unknown(arena_.copy(to_str(evaluator_.eval(r.payload.first))));
  if (!failed_) need(std::string(doubt_.as_str()));
}

void Resolution::need(const std::string& what) {
  if (std::find(out_.missing.begin(), out_.missing.end(), what) == out_.missing.end()) out_.missing.push_back(what);
}

Fix Resolution::proposed(const FixRec& fix) {
  Fix out;
  for (const AssignRec& a : pack_.cold().changes.subspan(fix.changes.first, fix.changes.count)) {
    out.push_back({a.kind, a.target, evaluator_.eval(a.code)});
  }
  return out;
}

// What the conditions around here read, each name once, as far as it has been evaluated. A let name is followed by
// what it was made from, so that the fields behind it are told too.
std::vector<Evidence> Resolution::evidence() {
  std::vector<Evidence> out;
  for (const CodeRef code : conditions_) gather(code, 0, &out);
  return out;
}

void Resolution::gather(CodeRef code, int depth, std::vector<Evidence>* out) {
  if (code == 0 || depth > kMaxEvidenceDepth) return;
  walk_names(pack_, code, [&](CodeRef name) {
    const bool seen =
        std::any_of(out->begin(), out->end(), [&](const Evidence& e) { return same_name(pack_, e.name, name); });
    if (seen || out->size() >= kMaxEvidence || !is_known(pack_.code[name])) return;
    out->push_back({name, evaluator_.eval(name)});
    const std::uint32_t w = pack_.code[name];
    if (op_of(w) == Op::kSlot) gather(evaluator_.slot_code(operand_of(w)), depth + 1, out);
  });
}

// Whether reading a name evaluates nothing new: a fact must not be frozen by being looked at.
bool Resolution::is_known(std::uint32_t w) const {
  switch (op_of(w)) {
    case Op::kFact:
      return evaluator_.known_fact(Role::kModel, operand_of(w)) != nullptr;
    case Op::kDraftFact:
      return evaluator_.known_fact(Role::kDraft, operand_of(w)) != nullptr;
    case Op::kSlot:
      return evaluator_.known_slot(operand_of(w)) != nullptr;
    default:
      return true;
  }
}

// A condition or value that Python would refuse to evaluate. Behind a refusal the state is not what the rules
// expect, so nothing is said there.
Value Resolution::fault(std::uint32_t rule, const Value& error) {
  const std::string what = std::string(pack_.text(pack_.rules[rule].id)) + ": " +
                           std::string(error_name(error.error_kind())) + ": " + std::string(error.as_str());
  if (!failed_ && !taint().is_bad()) out_.faults.push_back(what);
  return Value::unknown(arena_.copy("the rule " + what));
}

}  // namespace gonogo
