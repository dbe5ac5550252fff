// The compiled form of a pack: one flat, position-independent byte string that is embedded in the binary and
// read in place. It is a header, a table of sections and the sections, each an array of one plain record.
// Text is held once in a pool and named by a 32-bit id; constants and expressions are `code` (see code.h).
// A run-time overlay is layered by loading these same arrays into a PackData, changing them, and writing
// them out again, so there is one format and one reader.
#pragma once

#include <cstdint>

namespace gonogo {

using StrId = std::uint32_t;    // index into the text table; 0 is the empty text
using CodeRef = std::uint32_t;  // index into the code words; 0 means none
using Mask = std::uint32_t;     // bit i: holds for the pack's i-th version

inline constexpr std::uint32_t kBlobMagic = 0x4b504e47;  // "GNPK"
inline constexpr std::uint32_t kBlobFormat = 1;          // raised with any change of a record
inline constexpr std::uint32_t kNoIndex = 0xffffffff;

struct Range {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

struct TextRec {
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
};

// Single facts about the pack as a whole.
struct PackRec {
  StrId name = 0;
  Range versions;           // in `ids`: texts, oldest first
  Range entry_points;       // in `ids`: texts, one command prefix each, words separated by a space
  Range secrets;            // in `ids`: texts, lower-case fragments of flag and variable names whose values are secret
  Range parts;              // in PartRec
  CodeRef model_path = 0;   // expression: where the model lives; None where there is none
  CodeRef draft_path = 0;   // the same for the draft model
  StrId config_flag = 0;    // the flag that names a file of further arguments, or 0
  Range packages;           // in `ids`: texts, modules that an installation of the runtime brings
  Range model_files;        // in `ids`: texts, JSON files beside config.json that expressions read as files[…]
  StrId default_gpu = 0;    // profile where no GPU is named or present, or 0
};

struct PartRec {
  StrId name = 0;
  Range stages;   // in `ids`: indices of StageRec
  Range answers;  // in NamedCode: what the part reports beside ok and error
};

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

// A row with `versions` 0 is a flag that no supported version accepts any more; `constant` is then the text of the
// last release that did. Such rows serve messages only.
struct FlagRec {
  std::uint32_t field = kNoIndex;  // its destination, in FieldRec; kNoIndex for the flag that names a config file
  Range spellings;                 // in `ids`: texts, as declared; the first is the preferred one
  FlagAction action = FlagAction::kStore;
  FlagType type = FlagType::kStr;
  char nargs = 0;  // 0: one value; '?', '*', '+'; 'n': none
  std::uint8_t required : 1 = 0;
  std::uint8_t hidden : 1 = 0;
  std::uint8_t deprecated : 1 = 0;
  CodeRef choices = 0;  // a list, or 0
  CodeRef constant = 0;
  CodeRef retired = 0;  // a mapping from a value that is refused before the choices are looked at to why, or 0
  CodeRef shape = 0;    // of a JSON object: a mapping key -> {allowed key -> list of refused values}, or 0
  Mask versions = 0;
  StrId replacement = 0;  // spelling that a deprecated flag points to, or 0
};

struct FieldRec {
  StrId name = 0;
  Range values;                     // its default by version: in ValueRec, first match; none means None
  std::uint8_t volatile_value = 0;  // chosen at random by the runtime: never compared, never reported
};

enum class EnvType : std::uint8_t { kStr, kBool, kInt, kFloat, kTuple };

struct EnvRec {
  StrId name = 0;
  StrId former_name = 0;  // read where `name` is not set, or 0
  Range values;           // its default by version: in ValueRec, first match; none means None
  EnvType type = EnvType::kStr;
};

struct GpuRec {
  StrId key = 0;     // as in --gpu KEYxN
  StrId name = 0;    // as the driver reports it
  StrId vendor = 0;  // "nvidia", "amd"
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  std::uint32_t memory_mib = 0;
  std::uint32_t sm_count = 0;
};

// One of several values of a fact or function, chosen by version.
struct ValueRec {
  CodeRef code = 0;
  Mask versions = 0;
};

struct FactRec {
  StrId name = 0;
  Range values;  // in ValueRec, first match
};

struct FunctionRec {
  StrId name = 0;
  std::uint32_t first_slot = 0;  // its parameters' slots are consecutive
  std::uint32_t arity = 0;
  Range values;  // in ValueRec
};

struct NamedCode {
  StrId name = 0;
  CodeRef code = 0;
};

// A row of a table: list item (key 0) or mapping value; chosen by version.
struct RowRec {
  CodeRef key = 0;
  CodeRef value = 0;
  Mask versions = 0;
};

struct TableRec {
  StrId name = 0;
  std::uint32_t is_mapping = 0;
  Range rows;  // in RowRec
};

// A config class: what it adds to a config.json of its model_type.
struct ClassRec {
  StrId model_type = 0;
  Range renames;   // in `ids`: pairs of texts, old then new
  Range subs;      // in `ids`: pairs of texts, key then class
  Range defaults;  // in NamedCode
};

enum class Action : std::uint8_t { kNothing, kRules, kFirst, kSet, kEnv, kFail, kWarn, kInert, kAdvise, kRun };
enum class Phase : std::uint8_t { kParse, kResolve, kInit, kWeights, kForward, kLate };
enum class Return : std::uint8_t { kNo, kStage, kPart };

// A rule or group. Rules stand in order of their text; those inside a group follow it, up to `end`.
struct RuleRec {
  StrId id = 0;
  CodeRef when = 0;
  Range lets;     // in LetRec
  Range payload;  // kSet, kEnv: AssignRec; kFail, kWarn, kInert, kAdvise: `first` is code of the text, `count` the
                  // field of `flag:` (kNoIndex without); kRun: `first` is the stage
  std::uint32_t end = 0;
  StrId check = 0;
  StrId pass = 0;
  StrId because = 0;
  Range see;    // in `ids`: texts
  Range fixes;  // in FixRec
  Mask versions = 0;
  StrId file = 0;
  std::uint16_t line = 0;
  Action action = Action::kNothing;
  Phase phase = Phase::kResolve;
  Return leave = Return::kNo;
  std::uint8_t reads_entry : 1 = 0;
  std::uint8_t disabled : 1 = 0;  // switched off by an overlay
};

struct LetRec {
  std::uint32_t slot = 0;
  CodeRef code = 0;
};

enum class Target : std::uint8_t { kField, kState, kEnv, kVersion };

// One write: the target, the path below it (texts), and the value.
struct AssignRec {
  std::uint32_t target = 0;
  Range path;  // in `ids`
  CodeRef code = 0;
  Target kind = Target::kField;
};

// Changes to try together; a value of None drops the flag. Target::kVersion: code is the text of a version range.
struct FixRec {
  Range changes;  // in AssignRec
};

struct StageRec {
  StrId name = 0;
  std::uint32_t rule = 0;  // its group
};

}  // namespace gonogo
