// What a pack says of the words of a launch: flags as argparse meets them, the fields that they set, variables.
// A blob holds hundreds of each, so whatever few have stands in a record of its own, and what is small in bits.
#pragma once

#include <cstdint>

#include "rules/blob.h"

namespace gonogo {

// What a flag does when argparse meets it.
enum class FlagAction : std::uint8_t {
  kStore,
  kStoreTrue,
  kStoreConst,
  kBooleanOptional,  // --x and --no-x
  kNamedPaths,       // NAME=PATH words or JSON objects, kept as written
  kHelp,
  kVersion,
};

enum class FlagType : std::uint8_t { kStr, kInt, kFloat, kHumanInt, kNullableStr, kJson };

struct FlagRec {
  static constexpr std::uint32_t kNoField = 0xffff;
  static constexpr std::uint32_t kMaxSpecial = (1u << 10) - 1;

  // Its destination, in FieldRec; kNoField for the flag that names a config file.
  std::uint32_t field : 16 = kNoField;
  std::uint32_t nargs : 7 = 0;  // 0: one value; '?', '*', '+'; 'n': none
  std::uint32_t required : 1 = 0;
  std::uint32_t hidden : 1 = 0;
  std::uint32_t deprecated : 1 = 0;
  FlagAction action : 3 = FlagAction::kStore;
  FlagType type : 3 = FlagType::kStr;
  Run spellings;                   // in `ids`: texts, as declared; the first is the preferred one
  CodeRef choices : 22 = 0;        // a list, or 0
  std::uint32_t special : 10 = 0;  // in FlagSpecialRec, counted from 1; 0: nothing of it
  Mask versions = 0;
};

// What few flags have.
struct FlagSpecialRec {
  CodeRef constant = 0;
  CodeRef retired = 0;    // a mapping from a value that is refused before the choices are looked at to why, or 0
  CodeRef shape = 0;      // of a JSON object: a mapping key -> {allowed key -> list of refused values}, or 0
  StrId replacement = 0;  // spelling that a deprecated flag points to, or 0
  bool operator==(const FlagSpecialRec&) const = default;
};

// A flag that some version took and a later one does not, and what to write there instead.
struct RetiredRec {
  StrId flag = 0;   // its spelling
  StrId write = 0;  // what to write in its place, a flag or --flag=value; its values stay. 0: it goes, and they with it
  CodeRef values = 0;  // a mapping from the values that changed their names, or 0
};

// How freely a search for fixes may change a field.
enum class FixPolicy : std::uint8_t { kFree, kLast, kNever };

struct FieldRec {
  StrId name = 0;
  Run values;                            // its default by version: in ValueRec, first match; none means None
  std::uint32_t volatile_value : 1 = 0;  // chosen at random by the runtime: never compared, never reported
  std::uint32_t readers_known : 1 = 0;   // every reader upstream is a rule: what no rule reads has no effect
  std::uint32_t fix_policy : 2 = 0;      // FixPolicy
  std::uint32_t spare : 28 = 0;
};

enum class EnvType : std::uint8_t { kStr, kBool, kInt, kFloat, kTuple };

// The name of a variable that no expression reads and no rule sets is cold.
struct EnvRec {
  StrId name : 24 = 0;
  EnvType type : 8 = EnvType::kStr;
  Run values;             // its default by version: in ValueRec, first match; none means None
  StrId former_name = 0;  // read where `name` is not set, or 0
};

}  // namespace gonogo
