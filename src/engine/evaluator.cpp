#include "engine/evaluator.h"

#include "engine/functions.h"
#include "engine/operators.h"
#include "rules/code.h"
#include "rules/constant.h"

namespace gonogo {

namespace {

constexpr int kMaxDepth = 400;  // of nested facts and functions
constexpr std::uint32_t kMaxArguments = 16;

}  // namespace

Evaluator::Evaluator(Runtime& runtime, const World& world, State& state, Arena& arena)
    : runtime_(runtime),
      pack_(runtime.pack()),
      world_(world),
      state_(state),
      arena_(arena),
      slots_(pack_.slots.size()) {
  state_.read.resize(state_.fields.size());
}

Value Evaluator::eval(CodeRef code) {
  if (code == 0) return {};
  const std::uint32_t* pc = &pack_.code[code];
  return node(pc);
}

Value Evaluator::node(const std::uint32_t*& pc) {
  const std::uint32_t w = *pc++;
  const std::uint32_t n = operand_of(w);
  const Op op = op_of(w);
  switch (op) {
    case Op::kNone:
    case Op::kTrue:
    case Op::kFalse:
    case Op::kSmallInt:
    case Op::kInt:
    case Op::kFloat:
    case Op::kStr: {
      Value v;
      scalar_constant(pack_, w, &v);
      return v;
    }
    case Op::kField:
      if (counting_) state_.read[n] = true;
      if (watch_ != nullptr) watch_->saw(watch_->field(n), state_.fields[n]);
      return noted(w, state_.fields[n]);
    case Op::kGiven:
      if (counting_) state_.read[n] = true;
      if (watch_ != nullptr) watch_->saw(state_.given[n]);
      return noted(w, state_.given[n]);
    case Op::kTyped:
      if (watch_ != nullptr) watch_->saw(state_.given[n]);
      return noted(w, Value::boolean(state_.typed[n]));
    case Op::kState:
      if (watch_ != nullptr) watch_->saw(watch_->state(n), state_.scratch[n]);
      return noted(w, state_.scratch[n]);
    case Op::kEnv:
      return noted(w, env_value(n));
    case Op::kEnvIsSet:
      return noted(w, Value::boolean(env_is_set(n)));
    case Op::kFact:
      return noted(w, fact(role_, n));
    case Op::kDraftFact:
      return noted(w, fact(Role::kDraft, n));
    case Op::kTable:
      return runtime_.table(n);
    case Op::kSlot:
      return slot(n);
    case Op::kGpu:
      return gpu(n);
    case Op::kConfig:
      return noted(w, files(role_).config);
    case Op::kHf:
      return noted(w, hf());
    case Op::kFiles:
      return noted(w, files(role_).files);
    case Op::kSelf:
      return self_;
    case Op::kHostInfiniband:
      return world_.host->infiniband(arena_);
    case Op::kAnd:
    case Op::kOr:
      return logical(--pc, op == Op::kAnd);
    case Op::kIf:
      return conditional(--pc);
    case Op::kChain:
      return chain(--pc);
    case Op::kEq:
    case Op::kNe:
    case Op::kLt:
    case Op::kLe:
    case Op::kGt:
    case Op::kGe:
    case Op::kIn:
    case Op::kNotIn:
    case Op::kIs:
    case Op::kIsNot:
      return comparison(op, pc);
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
    case Op::kDiv:
    case Op::kFloorDiv:
    case Op::kMod:
    case Op::kPow: {
      const Value a = node(pc);
      const Value b = node(pc);
      return a.is_bad() ? a : b.is_bad() ? b : arithmetic(op, a, b, arena_);
    }
    case Op::kAttr:
      return member(n, pc);
    case Op::kIndex: {
      const Value object = node(pc);
      const Value index = node(pc);
      return object.is_bad() ? object : index.is_bad() ? index : indexed(object, index, arena_);
    }
    case Op::kSlice:
      return slice(n, pc);
    case Op::kList:
    case Op::kTuple:
    case Op::kDict:
      return container(op, n, pc);
    case Op::kComp:
      return comprehension(--pc, nullptr);
    case Op::kBuiltin:
      return builtin(n, pc);
    case Op::kMethod:
      return method(n, pc);
    case Op::kCall:
      return call(n, pc);
    case Op::kText:
      return text(n, pc);
    case Op::kHostFile:
    case Op::kHostImportable:
    case Op::kHostText:
    case Op::kNot:
    case Op::kNeg:
    case Op::kPos:
    case Op::kIsInstance:
      break;
  }
  const Value v = node(pc);
  if (v.is_bad()) return v;
  switch (op) {
    case Op::kHostFile:
      if (v.is_none()) return v;
      return v.is_str() ? world_.host->file(v.as_str()) : type_error("host.file() takes a path");
    case Op::kHostText:
      if (v.is_none()) return v;
      return v.is_str() ? world_.host->text(v.as_str(), arena_) : type_error("host.text() takes a path");
    case Op::kHostImportable:
      return v.is_str() ? world_.host->importable(v.as_str()) : type_error("host.importable() takes a name");
    case Op::kNot:
      return Value::boolean(!truthy(v));
    case Op::kNeg:
      return negated(v);
    case Op::kPos:
      return v.is(Kind::kBool) ? Value::integer(v.as_int()) : v.is_number() ? v : type_error("a sign needs a number");
    default:
      return Value::boolean((n >> static_cast<unsigned>(v.kind()) & 1) != 0);
  }
}

Value Evaluator::logical(const std::uint32_t*& pc, bool is_and) {
  const std::uint32_t* const start = pc++;
  const std::uint32_t* const end = start + operand_of(*start);
  const Value left = node(pc);
  if (left.is_error()) {
    pc = end;
    return left;
  }
  if (left.is_unknown()) {
    // The right side decides where it decides alone; Python might not have reached an error in it.
    const Value right = node(pc);
    return !right.is_bad() && truthy(right) != is_and ? right : left;
  }
  if (truthy(left) != is_and) {
    pc = end;
    return left;
  }
  return node(pc);
}

Value Evaluator::conditional(const std::uint32_t*& pc) {
  const std::uint32_t* const start = pc;
  const std::uint32_t* const end = start + operand_of(*start);
  const std::uint32_t then_length = start[1];
  pc += 2;
  const Value condition = node(pc);
  if (!condition.is_bad()) {
    if (!truthy(condition)) pc += then_length;
    const Value value = node(pc);
    pc = end;
    return value;
  }
  pc = end;
  return condition;
}

Value Evaluator::comparison(Op op, const std::uint32_t*& pc) {
  const Value a = node(pc);
  // The commonest test, membership in a literal list, builds no list.
  const bool membership = (op == Op::kIn || op == Op::kNotIn) && (op_of(*pc) == Op::kList || op_of(*pc) == Op::kTuple);
  if (!membership) {
    const Value b = node(pc);
    return a.is_bad() ? a : b.is_bad() ? b : compared(op, a, b);
  }
  const std::uint32_t count = operand_of(*pc++);
  bool found = false;
  Value bad;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Value item = node(pc);
    if (item.is_bad()) {
      bad = item;
    } else {
      found = found || equal(a, item);
    }
  }
  if (a.is_bad()) return a;
  if (bad.is_error() || (bad.is_unknown() && !found)) return bad;
  return Value::boolean(found == (op == Op::kIn));
}

Value Evaluator::chain(const std::uint32_t*& pc) {
  const std::uint32_t* const start = pc;
  const std::uint32_t* const end = start + operand_of(*start);
  const std::uint32_t count = start[1];
  pc += 2;
  Value left = node(pc);
  Value unknown = Value::boolean(true);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Op op = op_of(*pc++);
    const Value right = node(pc);
    const Value result = left.is_bad() ? left : right.is_bad() ? right : compared(op, left, right);
    if (result.is_error() || (!result.is_bad() && !truthy(result))) {
      pc = end;
      return unknown.is_unknown() && result.is_error() ? unknown : result;
    }
    if (result.is_unknown()) unknown = result;
    left = right;
  }
  return unknown;
}

Value Evaluator::container(Op op, std::uint32_t count, const std::uint32_t*& pc) {
  Value bad;
  if (op == Op::kDict) {
    auto* entries = arena_.array<Entry>(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      entries[i].key = node(pc);
      entries[i].value = node(pc);
      if (entries[i].key.is_bad()) bad = entries[i].key;
      if (entries[i].value.is_bad()) bad = entries[i].value;
    }
    return bad.is_bad() ? bad : Value::dict(entries, count);
  }
  auto* items = arena_.array<Value>(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    items[i] = node(pc);
    if (items[i].is_bad() && !bad.is_error()) bad = items[i];
  }
  if (bad.is_bad()) return bad;
  return op == Op::kList ? Value::list(items, count) : Value::tuple(items, count);
}

Value Evaluator::comprehension(const std::uint32_t*& pc, const Builtin* fold) {
  const std::uint32_t* const start = pc;
  const std::uint32_t* const end = start + operand_of(*start);
  const std::uint32_t target = start[1];
  pc += 2;
  const Value source = node(pc);
  const std::uint32_t condition_length = *pc++;
  const std::uint32_t* const body = pc;
  pc = end;
  if (source.is_bad()) return source;
  const Value items = call_builtin(Builtin::kList, {&source, 1}, arena_);
  if (items.is_error()) return items;

  std::vector<Value> out;
  Value unknown;
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    slots_[target] = {items[i], 0, SlotStatus::kReady};
    const std::uint32_t* at = body;
    Value keep = Value::boolean(true);
    if (condition_length > 0) keep = node(at);
    if (keep.is_error()) return keep;
    if (!keep.is_bad() && !truthy(keep)) continue;
    at = body + condition_length;
    Value element = node(at);
    // Whether an element counts at all is unknown: only an `any` that would be False, or an `all` that would be True
    // without it, is decided.
    const bool decides = fold != nullptr && !element.is_bad() && truthy(element) == (*fold == Builtin::kAny);
    if (keep.is_unknown()) {
      if (fold != nullptr && !element.is_bad() && !decides) continue;
      element = keep;
    }
    if (fold != nullptr && decides && !keep.is_unknown()) return Value::boolean(*fold == Builtin::kAny);
    if (element.is_error()) return element;
    if (element.is_unknown()) {
      unknown = element;
      if (fold == nullptr) return element;
    }
    out.push_back(element);
  }
  if (fold == nullptr) return make_list(out.data(), out.size(), arena_);
  return unknown.is_unknown() ? unknown : Value::boolean(*fold == Builtin::kAll);
}

Value Evaluator::builtin(std::uint32_t operand, const std::uint32_t*& pc) {
  const auto which = static_cast<Builtin>(operand & 0xff);
  const std::uint32_t count = operand >> 8;
  if (which == Builtin::kAny || which == Builtin::kAll) {
    if (op_of(*pc) == Op::kComp) return comprehension(pc, &which);
    if (op_of(*pc) == Op::kList || op_of(*pc) == Op::kTuple) {
      const std::uint32_t length = operand_of(*pc++);
      std::vector<Value> items;
      for (std::uint32_t i = 0; i < length; ++i) items.push_back(node(pc));
      const Value list = Value::list(items.data(), length);
      return call_builtin(which, {&list, 1}, arena_);
    }
  }
  std::array<Value, kMaxArguments> args;
  Value bad;
  for (std::uint32_t i = 0; i < count; ++i) {
    args[i] = node(pc);
    if (args[i].is_bad() && !bad.is_bad()) bad = args[i];
  }
  if (which == Builtin::kAttempt) return args[0].is_error() ? Value() : args[0];
  return bad.is_bad() ? bad : call_builtin(which, {args.data(), count}, arena_);
}

Value Evaluator::method(std::uint32_t operand, const std::uint32_t*& pc) {
  const std::uint32_t count = operand >> 8;
  const Value object = node(pc);
  std::array<Value, kMaxArguments> args;
  Value bad = object;
  for (std::uint32_t i = 0; i < count; ++i) {
    args[i] = node(pc);
    if (args[i].is_bad() && !bad.is_bad()) bad = args[i];
  }
  return bad.is_bad() ? bad : call_method(static_cast<Method>(operand & 0xff), object, {args.data(), count}, arena_);
}

Value Evaluator::call(std::uint32_t function, const std::uint32_t*& pc) {
  const FunctionRec& record = pack_.functions[function];
  std::array<Value, kMaxArguments> args;
  for (std::uint32_t i = 0; i < record.arity; ++i) args[i] = node(pc);
  if (++depth_ > kMaxDepth) {
    --depth_;
    return value_error("functions are nested too deeply");
  }
  for (std::uint32_t i = 0; i < record.arity; ++i) {
    slots_[record.first_slot + i] = {args[i], 0, SlotStatus::kReady};
  }
  const Value result = eval(runtime_.pick(record.values));
  --depth_;
  return result;
}

Value Evaluator::text(std::uint32_t parts, const std::uint32_t*& pc) {
  std::string out;
  for (std::uint32_t i = 0; i < parts; ++i) out += to_str(node(pc));
  return Value::str(arena_.copy(out));
}

Value Evaluator::member(std::uint32_t name, const std::uint32_t*& pc) {
  const Value object = node(pc);
  if (object.is_bad() || object.is_none()) return object;
  if (!object.is_dict()) return type_error("only mappings have members");
  const Value* found = object.find(pack_.text(name));
  return found == nullptr ? Value() : *found;
}

Value Evaluator::slice(std::uint32_t operand, const std::uint32_t*& pc) {
  const Value object = node(pc);
  const Value start = (operand & 1) != 0 ? node(pc) : Value();
  const Value end = (operand & 2) != 0 ? node(pc) : Value();
  for (const Value& v : {object, start, end}) {
    if (v.is_bad()) return v;
  }
  return sliced(object, &start, &end, arena_);
}

Value Evaluator::slot(std::uint32_t index) {
  Slot& s = slots_[index];
  if (s.status == SlotStatus::kReady) {
    if (watch_ != nullptr && s.code != 0) watch_->reread(watch_->slot(index), s.value);
    if (watch_ != nullptr && s.code == 0) watch_->saw(s.value);
    return s.value;
  }
  if (s.status != SlotStatus::kLazy) return value_error("a name is used outside of its group");
  s.status = SlotStatus::kBusy;
  const bool outer = count_reads(true);
  const Watch::Mark mark = watch_ != nullptr ? watch_->begin() : Watch::Mark{};
  Value v = eval(s.code);
  if (watch_ != nullptr) v = watch_->end(watch_->slot(index), mark, v);
  count_reads(outer);
  slots_[index] = {v, slots_[index].code, SlotStatus::kReady};
  return v;
}

const Value* Evaluator::known_slot(std::uint32_t index) const {
  return slots_[index].status == SlotStatus::kReady ? &slots_[index].value : nullptr;
}

}  // namespace gonogo
