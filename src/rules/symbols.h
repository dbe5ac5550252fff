// The names that expressions of a pack may use, with what is known of their types, while it is compiled.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/value.h"
#include "rules/blob.h"

namespace gonogo {

// A set of kinds that a value may have: bit k for Kind k. Checked loosely: an operation is refused only where
// no combination of its operands' kinds could work.
using Types = std::uint16_t;
constexpr Types type_bit(Kind kind) { return static_cast<Types>(1u << static_cast<unsigned>(kind)); }
inline constexpr Types kNoneType = type_bit(Kind::kNone);
inline constexpr Types kBoolType = type_bit(Kind::kBool);
inline constexpr Types kIntType = type_bit(Kind::kInt);
inline constexpr Types kFloatType = type_bit(Kind::kFloat);
inline constexpr Types kStrType = type_bit(Kind::kStr);
inline constexpr Types kListType = type_bit(Kind::kList);
inline constexpr Types kTupleType = type_bit(Kind::kTuple);
inline constexpr Types kDictType = type_bit(Kind::kDict);
inline constexpr Types kNumberTypes = kBoolType | kIntType | kFloatType;
inline constexpr Types kAnyType = 0xff;

// Indices by name, for one kind of name.
using NameIndex = std::unordered_map<std::string, std::uint32_t>;

struct Symbols {
  NameIndex fields;
  NameIndex facts;
  NameIndex functions;
  NameIndex tables;
  NameIndex state;
  NameIndex envs;
  NameIndex stages;
  std::vector<Types> field_types;  // by index of field
  std::vector<Types> env_types;
  std::vector<std::uint32_t> arities;  // by index of function
};

// What is visible besides the pack's names: let names, parameters and comprehension names, innermost last.
struct Scope {
  std::vector<std::pair<std::string, std::uint32_t>> slots;
  bool self = false;  // whether `self` is a name here
  // Not null in a rule that compares launches: what it may read of each. Nothing else of a launch is a name there.
  std::shared_ptr<const NameIndex> members{};
  std::vector<std::string> launches{};                  // the names that are one launch
  static constexpr const char* kLaunches = "launches";  // the name of all of them
  static constexpr const char* kTogether = "together";  // whether they surely run at the same time
  // With a companion: what it is at the address that it calls, which launches answer there, whether any address names
  // the launch, and whether both run on one machine.
  static constexpr const char* kReach = "reach";
  static constexpr const char* kReached = "reached";
  static constexpr const char* kNamed = "named";
  static constexpr const char* kBeside = "beside";
};

}  // namespace gonogo
