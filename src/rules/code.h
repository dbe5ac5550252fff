// Expressions as code: a prefix notation in 32-bit words, the operator in the low 8 bits and an operand in the
// upper 24. A node is followed by its children, so there are no pointers and a constant is a list of one word.
// `and`, `or`, `if` and comprehensions carry the length of what may be skipped.
//
//   x in ["a", "b"]   ->  kIn  kField(x)  kList(2)  kStr(a)  kStr(b)
//   a and b           ->  kAnd(len)  a  b            len: words from the operator to the end of b
//   a if c else b     ->  kIf(len)  [words of a]  c  a  b
//   a < b < c         ->  kChain(len)  [2]  a  [<] b  [<] c
//   [e for v in xs if c]  ->  kComp(len)  [slot]  xs  [words of c]  c  e
#pragma once

#include <cstdint>

namespace gonogo {

enum class Op : std::uint8_t {
  kNone,
  kTrue,
  kFalse,
  kSmallInt /* operand: signed 24 bits */,
  kInt /* numbers[] */,
  kFloat /* numbers[] */,
  kStr,
  kField,
  kGiven,
  kTyped,
  kState,
  kEnv,
  kEnvIsSet,
  kFact,
  kDraftFact,
  kTable,
  kSlot,
  kGpu,
  kConfig,
  kHf,
  kFiles,
  kSelf,
  kHostFile,
  kHostImportable,
  kHostText,
  kHostInfiniband,
  kAnd,
  kOr,
  kNot,
  kIf,
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,
  kIn,
  kNotIn,
  kIs,
  kIsNot,
  kChain,
  kAdd,
  kSub,
  kMul,
  kDiv,
  kFloorDiv,
  kMod,
  kPow,
  kNeg,
  kPos,
  kAttr /* text */,
  kIndex,
  kSlice /* bit 0: has start, bit 1: has end */,
  kList,
  kTuple,
  kDict,
  kComp,
  kBuiltin /* Builtin | argc << 8 */,
  kMethod /* Method | argc << 8 */,
  kCall /* function */,
  kIsInstance /* bits of Kind */,
  kText /* a message: operand parts, joined as str() */,
};

enum class Builtin : std::uint8_t {
  kAny,
  kAll,
  kLen,
  kMin,
  kMax,
  kSum,
  kRound,
  kAbs,
  kSorted,
  kSortedReverse,
  kRange,
  kInt,
  kFloat,
  kStr,
  kBool,
  kList,
  kSet,
  kIsInt,
  kIsFloat,
  kJson,
  kAttempt,
  kUuid5,
};

enum class Method : std::uint8_t {
  kLower,
  kUpper,
  kStrip,
  kLstrip,
  kRstrip,
  kStartswith,
  kEndswith,
  kSplit,
  kRsplit,
  kReplace,
  kJoin,
  kFind,
  kCount,
  kRemoveprefix,
  kRemovesuffix,
  kIsdigit,
  kGet,
  kKeys,
  kValues,
  kItems,
};

// Attributes of `gpu`, in the order of the operand of kGpu.
enum class GpuAttr : std::uint8_t { kName, kMajor, kMinor, kCc, kMemoryMib, kSmCount, kCount, kVendor };

constexpr std::uint32_t word(Op op, std::uint32_t operand = 0) {
  return static_cast<std::uint32_t>(op) | (operand << 8);
}
constexpr Op op_of(std::uint32_t w) { return static_cast<Op>(w & 0xff); }
constexpr std::uint32_t operand_of(std::uint32_t w) { return w >> 8; }
inline constexpr std::uint32_t kMaxOperand = (1u << 24) - 1;

}  // namespace gonogo
