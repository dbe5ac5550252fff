#include "rules/emitter.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/text.h"
#include "rules/builtins.h"

namespace gonogo {

namespace {

using Type = Expression::Type;

std::string describe(Types types) {
  static constexpr std::array<std::string_view, 8> kNames = {"None", "bool", "int",   "float",
                                                             "str",  "list", "tuple", "dict"};
  std::string out;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if ((types >> i & 1) == 0) continue;
    if (!out.empty()) out += " or ";
    out += kNames[i];
  }
  return out;
}

std::vector<std::string_view> keys_of(const NameIndex& names) {
  std::vector<std::string_view> out;
  out.reserve(names.size());
  for (const auto& [name, index] : names) out.push_back(name);
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

bool Emitter::fail(std::size_t offset, std::string what, std::string hint) {
  error_ = {offset, std::move(what), std::move(hint)};
  return false;
}

bool Emitter::unknown_name(const Expression& e, std::string_view kind, std::string_view name, const NameIndex& names) {
  return fail(e.offset, "unknown " + std::string(kind) + " '" + std::string(name) + "'",
              did_you_mean(name, keys_of(names)));
}

void Emitter::emit_int(std::int64_t value) {
  if (value >= -(1 << 23) && value < (1 << 23)) return put(word(Op::kSmallInt, static_cast<std::uint32_t>(value)));
  put(word(Op::kInt, static_cast<std::uint32_t>(data_.numbers.size())));
  data_.numbers.push_back(static_cast<std::uint64_t>(value));
}

void Emitter::emit_float(double value) {
  put(word(Op::kFloat, static_cast<std::uint32_t>(data_.numbers.size())));
  data_.numbers.push_back(std::bit_cast<std::uint64_t>(value));
}

std::size_t Emitter::open(Op op) {
  put(word(op));
  return words_.size() - 1;
}

void Emitter::close(std::size_t at) {
  words_[at] = word(op_of(words_[at]), static_cast<std::uint32_t>(words_.size() - at));
}

std::size_t Emitter::reserve() {
  put(0);
  return words_.size() - 1;
}

void Emitter::fill(std::size_t at) { words_[at] = static_cast<std::uint32_t>(words_.size() - at - 1); }

bool Emitter::is_local(std::string_view name) const {
  return std::any_of(scope_.slots.begin(), scope_.slots.end(), [&](const auto& s) { return s.first == name; });
}

bool Emitter::emit(const Expression& e, Types* types) {
  switch (e.type) {
    case Type::kNone:
      put(word(Op::kNone));
      *types = kNoneType;
      return true;
    case Type::kTrue:
    case Type::kFalse:
      put(word(e.type == Type::kTrue ? Op::kTrue : Op::kFalse));
      *types = kBoolType;
      return true;
    case Type::kInt:
      emit_int(e.integer);
      *types = kIntType;
      return true;
    case Type::kFloat:
      emit_float(e.real);
      *types = kFloatType;
      return true;
    case Type::kStr:
      emit_str(e.text);
      *types = kStrType;
      return true;
    case Type::kName:
      return name(e, types);
    case Type::kAttribute:
      return attribute(e, types);
    case Type::kIndex:
      return index(e, types);
    case Type::kSlice:
      return slice(e, types);
    case Type::kCall:
      return call(e, types);
    case Type::kMethod:
      return method(e, types);
    case Type::kUnary:
      return unary(e, types);
    case Type::kBinary:
      return e.text == "and" || e.text == "or" ? logical(e, types) : binary(e, types);
    case Type::kCompare:
      return compare(e, types);
    case Type::kIf:
      return conditional(e, types);
    case Type::kList:
      *types = kListType;
      return items(e, Op::kList, static_cast<std::uint32_t>(e.kids.size()));
    case Type::kTuple:
      *types = kTupleType;
      return items(e, Op::kTuple, static_cast<std::uint32_t>(e.kids.size()));
    case Type::kDict:
      *types = kDictType;
      return items(e, Op::kDict, static_cast<std::uint32_t>(e.kids.size() / 2));
    case Type::kComprehension:
      return comprehension(e, types);
  }
  return false;
}

bool Emitter::items(const Expression& e, Op op, std::uint32_t count) {
  put(word(op, count));
  Types ignored = 0;
  return std::all_of(e.kids.begin(), e.kids.end(), [&](const auto& kid) { return emit(*kid, &ignored); });
}

bool Emitter::name(const Expression& e, Types* types) {
  *types = kAnyType;
  for (auto it = scope_.slots.rbegin(); it != scope_.slots.rend(); ++it) {
    if (it->first != e.text) continue;
    put(word(Op::kSlot, it->second));
    return true;
  }
  if (scope_.members) {
    NameIndex visible;
    for (const auto& [local, slot] : scope_.slots) visible.emplace(local, slot);
    return unknown_name(e, "name in a rule that compares launches:", e.text, visible);
  }
  static constexpr std::array<std::pair<std::string_view, Op>, 3> kRoots = {
      {{"config", Op::kConfig}, {"hf", Op::kHf}, {"files", Op::kFiles}}};
  for (const auto& [root, op] : kRoots) {
    if (e.text != root) continue;
    put(word(op));
    *types = op == Op::kFiles ? kDictType : kAnyType;
    return true;
  }
  if (scope_.self && e.text == "self") {
    put(word(Op::kSelf));
    return true;
  }
  if (symbols_.fields.count(e.text) != 0) return field(e, Op::kField, e.text, types);
  NameIndex visible = symbols_.fields;
  for (const auto& [local, slot] : scope_.slots) visible.emplace(local, slot);
  return unknown_name(e, "name", e.text, visible);
}

bool Emitter::field(const Expression& e, Op op, std::string_view text, Types* types) {
  const auto found = symbols_.fields.find(std::string(text));
  if (found == symbols_.fields.end()) return unknown_name(e, "field", text, symbols_.fields);
  put(word(op, found->second));
  *types = op == Op::kTyped ? kBoolType : symbols_.field_types[found->second];
  return true;
}

bool Emitter::in_namespace(const Expression& e, std::string_view space, Types* types, bool* found) {
  *found = true;
  *types = kAnyType;
  struct Space {
    std::string_view name;
    Op op;
    const NameIndex& names;
  };
  const std::array<Space, 5> spaces = {{{"model", Op::kFact, symbols_.facts},
                                        {"draft", Op::kDraftFact, symbols_.facts},
                                        {"table", Op::kTable, symbols_.tables},
                                        {"state", Op::kState, symbols_.state},
                                        {"env", Op::kEnv, symbols_.envs}}};
  for (const Space& s : spaces) {
    if (s.name != space) continue;
    const auto at = s.names.find(e.text);
    if (at == s.names.end()) return unknown_name(e, std::string(space) + " name", e.text, s.names);
    put(word(s.op, at->second));
    if (s.op == Op::kEnv) {
      *types = symbols_.env_types[at->second];
      data_.use_env(at->second);
    }
    if (uses_ != nullptr && (s.op == Op::kFact || s.op == Op::kDraftFact)) uses_->facts.push_back(at->second);
    return true;
  }
  if (space == "given") return field(e, Op::kGiven, e.text, types);
  if (space == "gpu") {
    const auto at = std::find(kGpuNames.begin(), kGpuNames.end(), e.text);
    if (at == kGpuNames.end()) {
      return fail(e.offset, "unknown gpu attribute '" + e.text + "'",
                  did_you_mean(e.text, {kGpuNames.begin(), kGpuNames.end()}));
    }
    const auto which = static_cast<std::uint32_t>(at - kGpuNames.begin());
    put(word(Op::kGpu, which));
    *types = *at == "name" || *at == "vendor" ? kStrType : kIntType;
    return true;
  }
  if (space == "host" && e.text == "infiniband") {
    put(word(Op::kHostInfiniband));
    *types = kListType;
    return true;
  }
  *found = false;
  return true;
}

bool Emitter::attribute(const Expression& e, Types* types) {
  const Expression& object = *e.kids[0];
  const bool one_launch =
      object.type == Type::kName && std::count(scope_.launches.begin(), scope_.launches.end(), object.text) > 0;
  if (one_launch && scope_.members->count(e.text) == 0) {
    return unknown_name(e, "member", e.text, *scope_.members);
  }
  if (object.type == Type::kName && !is_local(object.text) && (!scope_.members || object.text == "table")) {
    bool found = false;
    if (!in_namespace(e, object.text, types, &found)) return false;
    if (found) return true;
  }
  put(word(Op::kAttr, data_.intern(e.text)));
  Types of = 0;
  if (!emit(object, &of)) return false;
  if ((of & (kDictType | kNoneType)) == 0 || of == kNoneType) {
    return fail(e.offset, describe(of) + " has no member '" + e.text + "'");
  }
  *types = kAnyType;
  return true;
}

bool Emitter::index(const Expression& e, Types* types) {
  put(word(Op::kIndex));
  Types of = 0;
  Types by = 0;
  if (!emit(*e.kids[0], &of) || !emit(*e.kids[1], &by)) return false;
  if ((of & (kDictType | kListType | kTupleType | kStrType)) == 0) {
    return fail(e.offset, describe(of) + " can't be indexed");
  }
  *types = of == kStrType ? kStrType : kAnyType;
  return true;
}

bool Emitter::slice(const Expression& e, Types* types) {
  put(word(Op::kSlice, (e.kids[1] ? 1u : 0u) | (e.kids[2] ? 2u : 0u)));
  if (!emit(*e.kids[0], types)) return false;
  if ((*types & (kListType | kTupleType | kStrType)) == 0) return fail(e.offset, describe(*types) + " can't be sliced");
  Types by = 0;
  for (const std::size_t i : {1, 2}) {
    if (e.kids[i] && !emit(*e.kids[i], &by)) return false;
  }
  return true;
}

bool Emitter::unary(const Expression& e, Types* types) {
  put(word(e.text == "not" ? Op::kNot : e.text == "-" ? Op::kNeg : Op::kPos));
  if (!emit(*e.kids[0], types)) return false;
  if (e.text == "not") {
    *types = kBoolType;
  } else if ((*types & kNumberTypes) == 0) {
    return fail(e.offset, "unary '" + e.text + "' of " + describe(*types));
  }
  return true;
}

bool Emitter::binary(const Expression& e, Types* types) {
  static constexpr std::array<std::pair<std::string_view, Op>, 7> kOps = {{{"+", Op::kAdd},
                                                                           {"-", Op::kSub},
                                                                           {"*", Op::kMul},
                                                                           {"/", Op::kDiv},
                                                                           {"//", Op::kFloorDiv},
                                                                           {"%", Op::kMod},
                                                                           {"**", Op::kPow}}};
  const Op op = std::find_if(kOps.begin(), kOps.end(), [&](const auto& o) { return o.first == e.text; })->second;
  put(word(op));
  Types left = 0;
  Types right = 0;
  if (!emit(*e.kids[0], &left) || !emit(*e.kids[1], &right)) return false;
  *types = 0;
  if ((left & kNumberTypes) != 0 && (right & kNumberTypes) != 0) {
    *types = op == Op::kDiv ? kFloatType
                            : (kIntType | (((left | right) & kFloatType) != 0 || op == Op::kPow ? kFloatType : 0));
  }
  constexpr Types kConcat = kStrType | kListType | kTupleType;
  if (op == Op::kAdd) *types |= left & right & kConcat;
  if (op == Op::kMul && (right & (kIntType | kBoolType)) != 0) *types |= left & kConcat;
  if (op == Op::kMul && (left & (kIntType | kBoolType)) != 0) *types |= right & kConcat;
  if (*types == 0) {
    return fail(e.offset, "'" + e.text + "' of " + describe(left) + " and " + describe(right) + " is a TypeError");
  }
  return true;
}

bool Emitter::logical(const Expression& e, Types* types) {
  const std::size_t at = open(e.text == "and" ? Op::kAnd : Op::kOr);
  Types left = 0;
  Types right = 0;
  if (!emit(*e.kids[0], &left) || !emit(*e.kids[1], &right)) return false;
  close(at);
  *types = left | right;
  return true;
}

bool Emitter::comparable(const Expression& e, std::string_view op, Types left, Types right) {
  const auto says = [&](std::string_view what) {
    return fail(e.offset, describe(left) + " " + std::string(op) + " " + describe(right) + " " + std::string(what));
  };
  if (op == "in" || op == "not in") {
    if ((right & (kListType | kTupleType | kDictType | kStrType)) == 0) return says("is a TypeError");
    return (right & kAnyType) == kStrType && (left & kStrType) == 0 ? says("is a TypeError") : true;
  }
  if (op == "is" || op == "is not") return true;
  const auto widen = [](Types t) { return static_cast<Types>((t & kNumberTypes) != 0 ? t | kNumberTypes : t); };
  const Types common = widen(left) & widen(right);
  if (op == "==" || op == "!=") return common == 0 ? says("never holds") : true;
  return (common & ~(kNoneType | kDictType)) == 0 ? says("is a TypeError") : true;
}

bool Emitter::compare(const Expression& e, Types* types) {
  const bool chain = e.words.size() > 1;
  const std::size_t at = chain ? open(Op::kChain) : 0;
  if (chain) {
    put(static_cast<std::uint32_t>(e.words.size()));
  } else {
    put(word(comparison_op(e.words[0])));
  }
  Types left = 0;
  if (!emit(*e.kids[0], &left)) return false;
  for (std::size_t i = 0; i < e.words.size(); ++i) {
    if (chain) put(word(comparison_op(e.words[i])));
    Types right = 0;
    if (e.words[i] == "in" || e.words[i] == "not in") unordered_ = e.kids[i + 1].get();
    if (!emit(*e.kids[i + 1], &right) || !comparable(e, e.words[i], left, right)) return false;
    left = right;
  }
  if (chain) close(at);
  *types = kBoolType;
  return true;
}

bool Emitter::conditional(const Expression& e, Types* types) {
  const std::size_t at = open(Op::kIf);
  const std::size_t then_length = reserve();
  Types condition = 0;
  Types then_types = 0;
  Types else_types = 0;
  if (!emit(*e.kids[1], &condition)) return false;
  const std::size_t then_start = words_.size();
  if (!emit(*e.kids[0], &then_types)) return false;
  words_[then_length] = static_cast<std::uint32_t>(words_.size() - then_start);
  if (!emit(*e.kids[2], &else_types)) return false;
  close(at);
  *types = then_types | else_types;
  return true;
}

bool Emitter::comprehension(const Expression& e, Types* types) {
  const std::size_t at = open(Op::kComp);
  const auto slot = static_cast<std::uint32_t>(data_.slots.size());
  data_.slots.push_back(data_.intern_cold(e.text));
  put(slot);
  Types source = 0;
  if (!emit(*e.kids[1], &source)) return false;
  if ((source & (kListType | kTupleType | kDictType | kStrType)) == 0) {
    return fail(e.kids[1]->offset, describe(source) + " can't be iterated");
  }
  scope_.slots.emplace_back(e.text, slot);
  const Expression& all = *e.kids[1];
  const bool of_launches =
      scope_.members && all.type == Type::kName && (all.text == Scope::kLaunches || all.text == Scope::kReached);
  if (of_launches) scope_.launches.push_back(e.text);
  const std::size_t condition = reserve();
  Types ignored = 0;
  if (e.kids[2] && !emit(*e.kids[2], &ignored)) return false;
  fill(condition);
  if (!emit(*e.kids[0], &ignored)) return false;
  if (of_launches) scope_.launches.pop_back();
  scope_.slots.pop_back();
  close(at);
  *types = kListType;
  return true;
}

}  // namespace gonogo
