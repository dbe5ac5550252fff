#include "rules/walk.h"

#include <algorithm>
#include <bit>

#include "base/value.h"
#include "rules/builtins.h"
#include "rules/code.h"
#include "rules/constant.h"

namespace gonogo {

namespace {

bool is_name(Op op) {
  switch (op) {
    case Op::kField:
    case Op::kGiven:
    case Op::kTyped:
    case Op::kState:
    case Op::kEnv:
    case Op::kEnvIsSet:
    case Op::kFact:
    case Op::kDraftFact:
    case Op::kSlot:
    case Op::kGpu:
      return true;
    default:
      return false;
  }
}

// How many children follow a node of a fixed layout.
std::uint32_t children(const Pack& pack, std::uint32_t w) {
  const std::uint32_t n = operand_of(w);
  switch (op_of(w)) {
    case Op::kHostFile:
    case Op::kHostImportable:
    case Op::kHostText:
    case Op::kNot:
    case Op::kNeg:
    case Op::kPos:
    case Op::kAttr:
    case Op::kIsInstance:
      return 1;
    case Op::kAnd:
    case Op::kOr:
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
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
    case Op::kDiv:
    case Op::kFloorDiv:
    case Op::kMod:
    case Op::kPow:
    case Op::kIndex:
      return 2;
    case Op::kSlice:
      return 1 + static_cast<std::uint32_t>(std::popcount(n));
    case Op::kList:
    case Op::kTuple:
    case Op::kText:
      return n;
    case Op::kDict:
      return 2 * n;
    case Op::kBuiltin:
      return n >> 8;
    case Op::kMethod:
      return (n >> 8) + 1;
    case Op::kCall:
      return pack.functions[n].arity;
    default:
      return 0;
  }
}

CodeRef walk(const Pack& pack, CodeRef at, const std::function<void(CodeRef)>& visit) {
  const std::uint32_t w = pack.code[at];
  visit(at);
  ++at;
  switch (op_of(w)) {
    case Op::kIf:
      ++at;
      for (int i = 0; i < 3; ++i) at = walk(pack, at, visit);
      return at;
    case Op::kChain: {
      const std::uint32_t count = pack.code[at++];
      at = walk(pack, at, visit);
      for (std::uint32_t i = 0; i < count; ++i) at = walk(pack, at + 1, visit);
      return at;
    }
    case Op::kComp: {
      at = walk(pack, at + 1, visit);
      const bool condition = pack.code[at++] > 0;
      if (condition) at = walk(pack, at, visit);
      return walk(pack, at, visit);
    }
    default:
      for (std::uint32_t i = children(pack, w); i > 0; --i) at = walk(pack, at, visit);
      return at;
  }
}

// Prints code with as few parentheses as Python's precedence needs.
class Printer {
 public:
  explicit Printer(const Pack& pack) : pack_(pack) {}

  std::string print(CodeRef code) {
    at_ = code;
    return node(0);
  }

 private:
  enum Level { kTernary, kOr, kAnd, kNot, kCompare, kSum, kTerm, kFactor, kPower, kAtom };

  static std::string wrap(std::string text, int level, int needed) { return level < needed ? "(" + text + ")" : text; }

  std::string infix(std::string_view op, int level, int needed) {
    std::string out = node(level);
    out += ' ';
    out += op;
    out += ' ';
    out += node(level + 1);
    return wrap(std::move(out), level, needed);
  }

  std::string list(std::uint32_t count) {
    std::string out;
    for (std::uint32_t i = 0; i < count; ++i) out += (i > 0 ? ", " : "") + node(kTernary);
    return out;
  }

  static std::string_view comparison_text(Op op) {
    switch (op) {
      case Op::kEq:
        return "==";
      case Op::kNe:
        return "!=";
      case Op::kLt:
        return "<";
      case Op::kLe:
        return "<=";
      case Op::kGt:
        return ">";
      case Op::kGe:
        return ">=";
      case Op::kIn:
        return "in";
      case Op::kNotIn:
        return "not in";
      case Op::kIs:
        return "is";
      default:
        return "is not";
    }
  }

  std::string dotted(std::string_view space, std::string_view name) const {
    return std::string(space) + "." + std::string(name);
  }

  // A name, a constant or a bare word; false for everything that has children.
  bool leaf(std::uint32_t w, std::string* out) const {
    Value constant;
    if (scalar_constant(pack_, w, &constant)) {
      *out = to_repr(constant);
      return true;
    }
    const Op op = op_of(w);
    const std::uint32_t n = operand_of(w);
    switch (op) {
      case Op::kField:
        *out = pack_.field_name(n);
        return true;
      case Op::kGiven:
        *out = dotted("given", pack_.field_name(n));
        return true;
      case Op::kTyped:
        *out = "typed(" + std::string(pack_.field_name(n)) + ")";
        return true;
      case Op::kState:
        *out = dotted("state", pack_.text(pack_.state[n].name));
        return true;
      case Op::kEnv:
        *out = dotted("env", pack_.text(pack_.envs[n].name));
        return true;
      case Op::kEnvIsSet:
        *out = "env_is_set('" + std::string(pack_.text(pack_.envs[n].name)) + "')";
        return true;
      case Op::kFact:
      case Op::kDraftFact:
        *out = dotted(op == Op::kFact ? "model" : "draft", pack_.text(pack_.facts[n].name));
        return true;
      case Op::kTable:
        *out = dotted("table", pack_.text(pack_.tables[n].name));
        return true;
      case Op::kSlot:
        *out = pack_.text(pack_.slots[n]);
        return true;
      case Op::kGpu:
        *out = dotted("gpu", kGpuNames[n]);
        return true;
      case Op::kConfig:
        *out = "config";
        return true;
      case Op::kHf:
        *out = "hf";
        return true;
      case Op::kFiles:
        *out = "files";
        return true;
      case Op::kSelf:
        *out = "self";
        return true;
      case Op::kHostInfiniband:
        *out = "host.infiniband";
        return true;
      default:
        return false;
    }
  }

  std::string comprehension() {
    const std::string name(pack_.text(pack_.slots[pack_.code[at_++]]));
    const std::string source = node(kOr);
    const bool filtered = pack_.code[at_++] > 0;
    const std::string condition = filtered ? " if " + node(kOr) : "";
    return "[" + node(kTernary) + " for " + name + " in " + source + condition + "]";
  }

  std::string method(std::uint32_t n) {
    std::string out = node(kAtom);
    const auto* info = std::find_if(kMethods.begin(), kMethods.end(), [&](const MethodInfo& m) {
      return static_cast<std::uint32_t>(m.id) == (n & 0xff);
    });
    return out + "." + std::string(info->name) + "(" + list(n >> 8) + ")";
  }

  std::string builtin(std::uint32_t n) {
    const auto* info = std::find_if(kBuiltins.begin(), kBuiltins.end(), [&](const BuiltinInfo& b) {
      return static_cast<std::uint32_t>(b.id) == (n & 0xff);
    });
    const std::string end = info->id == Builtin::kSortedReverse ? ", reverse=True)" : ")";
    return std::string(info->name) + "(" + list(n >> 8) + end;
  }

  std::string is_instance(std::uint32_t mask) {
    std::string types;
    std::uint32_t count = 0;
    for (const auto& [name, kind] : kTypeNames) {
      if ((mask >> static_cast<unsigned>(kind) & 1) == 0) continue;
      if (kind == Kind::kBool && (mask >> static_cast<unsigned>(Kind::kInt) & 1) != 0) continue;  // implied by int
      types += (count++ > 0 ? ", " : "") + std::string(name);
    }
    const std::string value = node(kTernary);
    return "isinstance(" + value + ", " + (count == 1 ? types : "(" + types + ")") + ")";
  }

  std::string text(std::uint32_t parts) {
    std::string out;
    for (std::uint32_t i = 0; i < parts; ++i) {
      const std::uint32_t w = pack_.code[at_];
      if (op_of(w) == Op::kStr) {
        ++at_;
        out += pack_.text(operand_of(w));
      } else {
        out += "{" + node(kTernary) + "}";
      }
    }
    return out;
  }

  std::string slice(std::uint32_t n) {
    std::string out = node(kAtom) + "[";
    if ((n & 1) != 0) out += node(kTernary);
    out += ":";
    if ((n & 2) != 0) out += node(kTernary);
    return out + "]";
  }

  std::string node(int needed) {
    const std::uint32_t w = pack_.code[at_++];
    const std::uint32_t n = operand_of(w);
    std::string out;
    if (leaf(w, &out)) return out;
    switch (op_of(w)) {
      case Op::kAnd:
        return infix("and", kAnd, needed);
      case Op::kOr:
        return infix("or", kOr, needed);
      case Op::kNot:
        return wrap("not " + node(kNot), kNot, needed);
      case Op::kIf: {
        ++at_;
        const std::string condition = node(kOr);
        const std::string then = node(kOr);
        return wrap(then + " if " + condition + " else " + node(kTernary), kTernary, needed);
      }
      case Op::kChain: {
        const std::uint32_t count = pack_.code[at_++];
        out = node(kSum);
        for (std::uint32_t i = 0; i < count; ++i) {
          out += " " + std::string(comparison_text(op_of(pack_.code[at_++]))) + " ";
          out += node(kSum);
        }
        return wrap(std::move(out), kCompare, needed);
      }
      case Op::kAdd:
        return infix("+", kSum, needed);
      case Op::kSub:
        return infix("-", kSum, needed);
      case Op::kMul:
        return infix("*", kTerm, needed);
      case Op::kDiv:
        return infix("/", kTerm, needed);
      case Op::kFloorDiv:
        return infix("//", kTerm, needed);
      case Op::kMod:
        return infix("%", kTerm, needed);
      case Op::kPow: {
        const std::string base = node(kAtom);
        return wrap(base + " ** " + node(kFactor), kPower, needed);
      }
      case Op::kNeg:
        return wrap("-" + node(kFactor), kFactor, needed);
      case Op::kPos:
        return wrap("+" + node(kFactor), kFactor, needed);
      case Op::kAttr:
        out = node(kAtom);
        return out + "." + std::string(pack_.text(n));
      case Op::kIndex:
        out = node(kAtom);
        return out + "[" + node(kTernary) + "]";
      case Op::kSlice:
        return slice(n);
      case Op::kList:
        return "[" + list(n) + "]";
      case Op::kTuple:
        return "(" + list(n) + (n == 1 ? ",)" : ")");
      case Op::kDict:
        for (std::uint32_t i = 0; i < n; ++i) {
          out += (i > 0 ? ", " : "") + node(kTernary) + ": ";
          out += node(kTernary);
        }
        return "{" + out + "}";
      case Op::kComp:
        return comprehension();
      case Op::kBuiltin:
        return builtin(n);
      case Op::kMethod:
        return method(n);
      case Op::kCall:
        return std::string(pack_.text(pack_.functions[n].name)) + "(" + list(pack_.functions[n].arity) + ")";
      case Op::kIsInstance:
        return is_instance(n);
      case Op::kHostFile:
        return "host.file(" + node(kTernary) + ")";
      case Op::kHostImportable:
        return "host.importable(" + node(kTernary) + ")";
      case Op::kHostText:
        return "host.text(" + node(kTernary) + ")";
      case Op::kText:
        return text(n);
      default: {
        out = node(kSum);
        out += " " + std::string(comparison_text(op_of(w))) + " ";
        out += node(kSum);
        return wrap(std::move(out), kCompare, needed);
      }
    }
  }

  const Pack& pack_;
  CodeRef at_ = 0;
};

}  // namespace

void walk_nodes(const Pack& pack, CodeRef code, const std::function<void(CodeRef)>& visit) {
  if (code != 0) walk(pack, code, visit);
}

void walk_names(const Pack& pack, CodeRef code, const std::function<void(CodeRef)>& visit) {
  walk_nodes(pack, code, [&](CodeRef at) {
    if (is_name(op_of(pack.code[at]))) visit(at);
  });
}

std::vector<std::uint32_t> groups_around(const Pack& pack, std::uint32_t rule) {
  std::uint32_t stage = 0;
  for (const StageRec& s : pack.stages) {
    if (s.rule <= rule) stage = std::max(stage, s.rule);
  }
  std::vector<std::uint32_t> out;
  for (std::uint32_t group = rule; group-- > stage;) {
    if (pack.rules[group].end > rule) out.push_back(group);
  }
  return out;
}

std::vector<CodeRef> children_of(const Pack& pack, CodeRef code) {
  std::vector<CodeRef> out;
  const auto skip = [&](CodeRef at) { return walk(pack, at, [](CodeRef) {}); };
  const std::uint32_t w = pack.code[code];
  CodeRef at = code + 1;
  if (op_of(w) == Op::kChain) {
    const std::uint32_t count = pack.code[at++];
    out.push_back(at);
    for (std::uint32_t i = 0; i < count; ++i) {
      at = skip(at) + 1;
      out.push_back(at);
    }
    return out;
  }
  for (std::uint32_t i = children(pack, w); i > 0; --i) {
    out.push_back(at);
    at = skip(at);
  }
  return out;
}

bool same_name(const Pack& pack, CodeRef a, CodeRef b) { return pack.code[a] == pack.code[b]; }

std::string unparse(const Pack& pack, CodeRef code) { return code == 0 ? std::string() : Printer(pack).print(code); }

}  // namespace gonogo
