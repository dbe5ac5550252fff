// The calls an expression may make.
#include <algorithm>

#include "base/text.h"
#include "rules/builtins.h"
#include "rules/emitter.h"

namespace gonogo {

namespace {

using Type = Expression::Type;

std::string arguments_text(std::uint8_t least, std::uint8_t most) {
  if (most == kManyArguments) return "at least " + std::to_string(least);
  return least == most ? std::to_string(least) : std::to_string(least) + " to " + std::to_string(most);
}

}  // namespace

bool Emitter::special_call(const Expression& e, Types* types, bool* found) {
  *found = true;
  *types = kBoolType;
  if (e.text == "typed") {
    if (e.kids.size() != 1 || e.kids[0]->type != Type::kName) {
      return fail(e.offset, "typed() takes the bare name of a field");
    }
    return field(*e.kids[0], Op::kTyped, e.kids[0]->text, types);
  }
  if (e.text == "env_is_set") {
    if (e.kids.size() != 1 || e.kids[0]->type != Type::kStr) {
      return fail(e.offset, "env_is_set() takes the name of a variable in quotes");
    }
    const auto at = symbols_.envs.find(e.kids[0]->text);
    if (at == symbols_.envs.end()) {
      return unknown_name(*e.kids[0], "environment variable", e.kids[0]->text, symbols_.envs);
    }
    put(word(Op::kEnvIsSet, at->second));
    data_.use_env(at->second);
    return true;
  }
  if (e.text == "isinstance") {
    if (e.kids.size() != 2) return fail(e.offset, "isinstance() takes a value and a type");
    std::vector<const Expression*> wanted{e.kids[1].get()};
    if (e.kids[1]->type == Type::kTuple) {
      wanted.clear();
      for (const auto& kid : e.kids[1]->kids) wanted.push_back(kid.get());
    }
    Types mask = 0;
    for (const Expression* w : wanted) {
      const auto at =
          std::find_if(kTypeNames.begin(), kTypeNames.end(), [&](const auto& t) { return t.first == w->text; });
      if (w->type != Type::kName || at == kTypeNames.end()) {
        return fail(w->offset, "isinstance() knows dict, list, tuple, str, int, float and bool");
      }
      mask |= type_bit(at->second);
      if (at->second == Kind::kInt) mask |= kBoolType;
    }
    put(word(Op::kIsInstance, mask));
    Types ignored = 0;
    return emit(*e.kids[0], &ignored);
  }
  *found = false;
  return true;
}

bool Emitter::call(const Expression& e, Types* types) {
  if (scope_.members && (e.text == "typed" || e.text == "env_is_set" || symbols_.functions.count(e.text) != 0)) {
    return fail(e.offset, e.text + "() is about one launch, and this rule compares several", "make it a member");
  }
  bool found = false;
  if (!special_call(e, types, &found)) return false;
  if (found) return true;
  const auto at = symbols_.functions.find(e.text);
  if (at == symbols_.functions.end()) return builtin(e, types);
  if (e.kids.size() != symbols_.arities[at->second] || !e.words.empty()) {
    return fail(e.offset, e.text + "() takes " + std::to_string(symbols_.arities[at->second]) + " arguments");
  }
  if (uses_ != nullptr) uses_->functions.push_back(at->second);
  put(word(Op::kCall, at->second));
  Types ignored = 0;
  *types = kAnyType;
  return std::all_of(e.kids.begin(), e.kids.end(), [&](const auto& kid) { return emit(*kid, &ignored); });
}

bool Emitter::builtin(const Expression& e, Types* types) {
  const auto* at = std::find_if(kBuiltins.begin(), kBuiltins.end(), [&](const auto& b) { return b.name == e.text; });
  if (at == kBuiltins.end()) {
    NameIndex names = symbols_.functions;
    for (const auto& b : kBuiltins) names.emplace(std::string(b.name), 0);
    return unknown_name(e, "function", e.text, names);
  }
  Builtin id = at->id;
  std::size_t count = e.kids.size() - e.words.size();
  if (!e.words.empty()) {
    if (id != Builtin::kSorted || e.words[0] != "reverse") {
      return fail(e.offset, e.text + "() has no argument '" + e.words[0] + "' here");
    }
    const Type value = e.kids.back()->type;
    if (value != Type::kTrue && value != Type::kFalse) return fail(e.kids.back()->offset, "reverse is True or False");
    if (value == Type::kTrue) id = Builtin::kSortedReverse;
  }
  if (count < at->least || count > at->most) {
    return fail(e.offset, e.text + "() takes " + arguments_text(at->least, at->most) + " arguments, not " +
                              std::to_string(count));
  }
  if (id == Builtin::kSet && unordered_ != &e) {
    return fail(e.offset, "set() has no order, and this use could show one",
                "sorted(set(…)), len(set(…)) or x in set(…)");
  }
  put(word(Op::kBuiltin, static_cast<std::uint32_t>(id) | static_cast<std::uint32_t>(count) << 8));
  const bool orderless = id == Builtin::kSorted || id == Builtin::kSortedReverse || id == Builtin::kLen;
  *types = at->result;
  for (std::size_t i = 0; i < count; ++i) {
    Types argument = 0;
    const bool generator = e.kids[i]->type == Type::kComprehension && e.kids[i]->integer == 1;
    if (generator && id == Builtin::kLen)
      return fail(e.kids[i]->offset, "a generator has no length", "write len([… for …])");
    if (orderless) unordered_ = e.kids[i].get();
    if (!emit(*e.kids[i], &argument)) return false;
    if (id == Builtin::kLen && (argument & (kStrType | kListType | kTupleType | kDictType)) == 0) {
      return fail(e.kids[i]->offset, "len() of a value without a length");
    }
  }
  return true;
}

bool Emitter::method(const Expression& e, Types* types) {
  const Expression& object = *e.kids[0];
  if (object.type == Type::kName && object.text == "host" && !is_local("host") && !scope_.members &&
      (e.text == "file" || e.text == "text" || e.text == "importable")) {
    if (e.kids.size() != 2) return fail(e.offset, "host." + e.text + "() takes one argument");
    put(word(e.text == "file" ? Op::kHostFile : e.text == "text" ? Op::kHostText : Op::kHostImportable));
    *types = e.text == "importable" ? kBoolType : kStrType | kNoneType;
    Types ignored = 0;
    return emit(*e.kids[1], &ignored);
  }
  const auto* at = std::find_if(kMethods.begin(), kMethods.end(), [&](const auto& m) { return m.name == e.text; });
  if (at == kMethods.end()) {
    NameIndex names;
    for (const auto& m : kMethods) names.emplace(std::string(m.name), 0);
    return unknown_name(e, "method", e.text, names);
  }
  const std::size_t count = e.kids.size() - 1;
  if (!e.words.empty()) return fail(e.offset, "." + e.text + "() takes no keyword arguments");
  if (count < at->least || count > at->most) {
    return fail(e.offset, "." + e.text + "() takes " + arguments_text(at->least, at->most) + " arguments, not " +
                              std::to_string(count));
  }
  put(word(Op::kMethod, static_cast<std::uint32_t>(at->id) | static_cast<std::uint32_t>(count) << 8));
  Types of = 0;
  if (!emit(object, &of)) return false;
  if ((of & at->on) == 0) return fail(e.offset, "." + e.text + "() is no method of this value");
  Types ignored = 0;
  *types = at->result;
  return std::all_of(e.kids.begin() + 1, e.kids.end(), [&](const auto& kid) { return emit(*kid, &ignored); });
}

}  // namespace gonogo
