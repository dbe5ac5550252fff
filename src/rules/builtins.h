// The language's functions, methods and operators by name: one table for the compiler, the printer and errors.
#pragma once

#include <array>
#include <string_view>

#include "rules/code.h"
#include "rules/symbols.h"

namespace gonogo {

struct BuiltinInfo {
  std::string_view name;
  Builtin id;
  std::uint8_t least;  // arguments
  std::uint8_t most;
  Types result;
};
inline constexpr std::uint8_t kManyArguments = 16;

inline constexpr std::array<BuiltinInfo, 22> kBuiltins = {{
    {"any", Builtin::kAny, 1, 1, kBoolType},
    {"all", Builtin::kAll, 1, 1, kBoolType},
    {"len", Builtin::kLen, 1, 1, kIntType},
    {"min", Builtin::kMin, 1, kManyArguments, kAnyType},
    {"max", Builtin::kMax, 1, kManyArguments, kAnyType},
    {"sum", Builtin::kSum, 1, 1, kNumberTypes},
    {"round", Builtin::kRound, 1, 2, kIntType | kFloatType},
    {"abs", Builtin::kAbs, 1, 1, kIntType | kFloatType},
    {"sorted", Builtin::kSorted, 1, 1, kListType},
    {"sorted", Builtin::kSortedReverse, 1, 1, kListType},
    {"range", Builtin::kRange, 1, 3, kListType},
    {"int", Builtin::kInt, 1, 1, kIntType},
    {"float", Builtin::kFloat, 1, 1, kFloatType},
    {"str", Builtin::kStr, 1, 1, kStrType},
    {"bool", Builtin::kBool, 1, 1, kBoolType},
    {"list", Builtin::kList, 1, 1, kListType},
    {"set", Builtin::kSet, 1, 1, kListType},
    {"is_int", Builtin::kIsInt, 1, 1, kBoolType},
    {"is_float", Builtin::kIsFloat, 1, 1, kBoolType},
    {"json", Builtin::kJson, 1, 1, kAnyType},
    {"attempt", Builtin::kAttempt, 1, 1, kAnyType},
    {"uuid5", Builtin::kUuid5, 1, 1, kStrType},
}};

struct MethodInfo {
  std::string_view name;
  Method id;
  std::uint8_t least;
  std::uint8_t most;
  Types on;
  Types result;
};

inline constexpr std::array<MethodInfo, 20> kMethods = {{
    {"lower", Method::kLower, 0, 0, kStrType, kStrType},
    {"upper", Method::kUpper, 0, 0, kStrType, kStrType},
    {"strip", Method::kStrip, 0, 1, kStrType, kStrType},
    {"lstrip", Method::kLstrip, 0, 1, kStrType, kStrType},
    {"rstrip", Method::kRstrip, 0, 1, kStrType, kStrType},
    {"startswith", Method::kStartswith, 1, 1, kStrType, kBoolType},
    {"endswith", Method::kEndswith, 1, 1, kStrType, kBoolType},
    {"split", Method::kSplit, 0, 2, kStrType, kListType},
    {"rsplit", Method::kRsplit, 0, 2, kStrType, kListType},
    {"replace", Method::kReplace, 2, 2, kStrType, kStrType},
    {"join", Method::kJoin, 1, 1, kStrType, kStrType},
    {"find", Method::kFind, 1, 1, kStrType, kIntType},
    {"count", Method::kCount, 1, 1, kStrType, kIntType},
    {"removeprefix", Method::kRemoveprefix, 1, 1, kStrType, kStrType},
    {"removesuffix", Method::kRemovesuffix, 1, 1, kStrType, kStrType},
    {"isdigit", Method::kIsdigit, 0, 0, kStrType, kBoolType},
    {"get", Method::kGet, 1, 2, kDictType, kAnyType},
    {"keys", Method::kKeys, 0, 0, kDictType, kListType},
    {"values", Method::kValues, 0, 0, kDictType, kListType},
    {"items", Method::kItems, 0, 0, kDictType, kListType},
}};

inline constexpr std::array<std::string_view, 8> kGpuNames = {"name",       "major",    "minor", "cc",
                                                              "memory_mib", "sm_count", "count", "vendor"};

inline constexpr std::array<std::pair<std::string_view, Kind>, 7> kTypeNames = {{{"dict", Kind::kDict},
                                                                                 {"list", Kind::kList},
                                                                                 {"tuple", Kind::kTuple},
                                                                                 {"str", Kind::kStr},
                                                                                 {"int", Kind::kInt},
                                                                                 {"float", Kind::kFloat},
                                                                                 {"bool", Kind::kBool}}};

constexpr Op comparison_op(std::string_view text) {
  return text == "=="       ? Op::kEq
         : text == "!="     ? Op::kNe
         : text == "<"      ? Op::kLt
         : text == "<="     ? Op::kLe
         : text == ">"      ? Op::kGt
         : text == ">="     ? Op::kGe
         : text == "in"     ? Op::kIn
         : text == "not in" ? Op::kNotIn
         : text == "is"     ? Op::kIs
                            : Op::kIsNot;
}

}  // namespace gonogo
