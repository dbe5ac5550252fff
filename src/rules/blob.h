// The compiled form of a pack: one flat, position-independent byte string that is embedded in the binary. What a check
// reads is read in place; what only people read is packed and unpacked as a whole at its first use (see cold.h).
//
//   header     magic, format, hash, the size and place of everything below, and PackRec
//   texts      32-bit offsets into the pool, one a hot text and one for the end
//   pool       the hot texts, one after the other
//   sections   one array of plain records a section, in the order of sections.h
//   cold part  one zlib stream: the same for the cold texts, RuleNote, the changes of fixes, and FixRec
//
// Text is held once and named by a 32-bit id. A text is hot where a check that finds nothing to say may read it: flags,
// fields, values, words in expressions. Messages, reasons, ids of rules that set nothing and the names of things that
// expressions know by index are cold, and their ids carry kColdText. A text that is used both ways may be held twice.
// Constants and expressions are `code` (see code.h). A run of records or words that is there already is used again.
// A run-time overlay is layered by loading these same arrays into a PackData, changing them, and writing them out
// again, so there is one format and one reader.
//
// No record has padding, so that equal packs are equal bytes; the writer checks it.
//
// A pack of 832 flags (of 18 releases), 800 variables and 2,660 rules takes 505 KB: hot texts 93, code 154, rules 64,
// flags 30, all other sections 67, and the cold part 97 (382 unpacked, in one millisecond).
#pragma once

#include <cstdint>

namespace gonogo {

using StrId = std::uint32_t;    // a text, below 2^24; 0 is the empty text
using CodeRef = std::uint32_t;  // index into the code words, below 2^22; 0 means none
using Mask = std::uint32_t;     // bit i: holds for the pack's i-th version

inline constexpr std::uint32_t kBlobMagic = 0x4b504e47;  // "GNPK"
inline constexpr std::uint32_t kBlobFormat = 7;          // raised with any change of a record
inline constexpr std::uint32_t kNoIndex = 0xffffffff;
inline constexpr StrId kColdText = 1u << 23;  // set in the ids of cold texts

struct Range {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

// A range in half the space, for what stands in many records. PackData::add makes them and minds the limits.
struct Run {
  static constexpr std::uint32_t kMaxFirst = (1u << 22) - 1;
  static constexpr std::uint32_t kMaxCount = (1u << 10) - 1;

  constexpr Run() : first(0), count(0) {}
  constexpr Run(std::uint32_t first_index, std::uint32_t length) : first(first_index), count(length) {}
  constexpr operator Range() const { return {first, count}; }
  bool operator==(const Run&) const = default;

  std::uint32_t first : 22;
  std::uint32_t count : 10;
};

// Single facts about the pack as a whole.
struct PackRec {
  StrId name = 0;
  Run versions;                   // in `ids`: texts, oldest first
  std::uint32_t first_ruled = 0;  // index among them; of those before it the arguments alone are known
  Run entry_points;               // in `ids`: texts, one command prefix each, words separated by a space
  Run roles;                      // in `ids`: texts, the flag that says a launch's role, then the values that are roles
  StrId nodes_flag = 0;           // the flag that says how many nodes a launch spans, or 0
  Run secrets;             // in `ids`: texts, lower-case fragments of flag and variable names whose values are secret
  Run parts;               // in PartRec
  CodeRef model_path = 0;  // expression: where the model lives; None where there is none
  CodeRef draft_path = 0;  // the same for the draft model
  CodeRef class_of = 0;    // the class that presents a config.json; 0: its own model_type
  CodeRef overlay = 0;     // a mapping laid over what the class presents, or 0
  CodeRef merged = 0;      // a list of its keys whose mappings are laid over theirs, or 0
  StrId config_flag = 0;   // the flag that names a file of further arguments, or 0
  Run packages;            // in `ids`: texts, modules that an installation of the runtime brings
  Run model_files;         // in `ids`: texts, JSON files beside config.json that expressions read as files[…]
  std::uint32_t told_part = 0;  // the first part's fields are told as they are after this one …
  Mask told_versions = 0;       // … in these versions
  StrId default_gpu = 0;        // profile where no GPU is named or present, or 0
  CodeRef layers = 0;       // expression: what runs each class of layers, a list of mappings; 0: the pack does not say
  Run fix_avoid;            // in `ids`: texts, values that no fix proposes: other hardware has them
  StrId log_arguments = 0;  // what stands before the record of arguments in a log: "Args(", or 0
  Run log_versions;         // in `ids`: texts that stand before a version in a log
};

struct PartRec {
  StrId name = 0;
  Run stages;   // in `ids`: indices of StageRec
  Run answers;  // in NamedCode: what the part reports beside ok and error
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
  bool operator==(const ValueRec&) const = default;
};

struct FactRec {
  StrId name = 0;
  Run values;  // in ValueRec, first match
};

struct FunctionRec {
  StrId name = 0;
  std::uint32_t first_slot = 0;  // its parameters' slots are consecutive
  std::uint32_t arity = 0;
  Run values;  // in ValueRec
};

struct NamedCode {
  StrId name = 0;
  CodeRef code = 0;
  bool operator==(const NamedCode&) const = default;
};

// Rows of a table that stand together and hold in the same versions: code of a constant list or mapping.
struct RowsRec {
  CodeRef code = 0;
  Mask versions = 0;
  bool operator==(const RowsRec&) const = default;
};

struct TableRec {
  StrId name = 0;
  std::uint32_t is_mapping = 0;
  Run rows;  // in RowsRec
};

// A config class: what it adds to a config.json of its model_type.
struct ClassRec {
  StrId model_type = 0;
  Run aliases;   // in `ids`: pairs of texts, a second name then the name
  Run subs;      // in `ids`: key, class (texts), and 1 where a nested model_type goes before the class
  Run defaults;  // in NamedCode
};

enum class Action : std::uint8_t {
  kNothing,
  kRules,
  kFirst,
  kSet,
  kEnv,
  kFail,
  kWarn,
  kInert,
  kAdvise,
  kRun,
  kUnknown
};
enum class Phase : std::uint8_t { kParse, kResolve, kInit, kWeights, kForward, kLate };
enum class Return : std::uint8_t { kNo, kStage, kPart };

// A rule or group, as far as a check reads it. Rules stand in order of their text; those inside a group follow it, up
// to `end`.
struct RuleRec {
  static constexpr std::uint16_t kNoFlag = 0xffff;
  static constexpr std::uint32_t kMaxRules = 0xffff;

  StrId id : 24 = 0;  // hot where the rule sets something, since a report names who chose a value
  Action action : 8 = Action::kNothing;
  CodeRef when : 22 = 0;
  std::uint32_t reads_entry : 1 = 0;
  std::uint32_t disabled : 1 = 0;  // switched off by an overlay
  Phase phase : 3 = Phase::kResolve;
  Return leave : 2 = Return::kNo;
  std::uint32_t between : 1 = 0;  // compares launches, and belongs to no part
  std::uint32_t spare : 2 = 0;
  Run lets;     // in LetRec
  Run payload;  // kSet, kEnv: in AssignRec; kFail, kWarn, kInert, kAdvise: `first` is code of the text; kRun: `first`
                // is the stage
  std::uint16_t end = 0;         // the rule after this one and those inside of it
  std::uint16_t flag = kNoFlag;  // field of `flag:`
  Mask versions = 0;
};

// What the runtime itself says when a rule of it takes effect.
enum class Log : std::uint32_t { kNone, kInfo, kWarning };

// Of the rule with the same index, what only people read. Cold.
struct RuleNote {
  StrId check = 0;
  StrId pass = 0;
  StrId because = 0;
  StrId upstream = 0;  // distinctive words of the runtime's own text, separated by spaces, or 0
  Run see;             // in `ids`: texts
  Run fixes;           // in FixRec
  StrId file = 0;
  std::uint32_t line = 0;
  Log log = Log::kNone;
};

struct LetRec {
  std::uint32_t slot = 0;
  CodeRef code = 0;
  bool operator==(const LetRec&) const = default;
};

enum class Target : std::uint8_t { kField, kState, kEnv, kVersion };

// One write: the target, the path below it (texts), and the value. Those of rules are hot, those of fixes cold.
struct AssignRec {
  std::uint32_t target : 24 = 0;
  Target kind : 8 = Target::kField;
  Run path;  // in `ids`
  CodeRef code = 0;
  bool operator==(const AssignRec&) const = default;
};

// Changes to try together; a value of None drops the flag. Target::kVersion: code is the text of a version range. Cold.
struct FixRec {
  Run changes;  // in AssignRec, those of the cold part
  bool operator==(const FixRec&) const = default;
};

struct StageRec {
  StrId name = 0;
  std::uint32_t rule = 0;  // its group
};

// Two roles of launches that work together, and what rules that compare such launches may read of each. The first role
// may be a program that works beside launches, and is none of the runtime's: a companion.
struct PeerRec {
  static constexpr std::uint32_t kRoles = 2;
  // What rules may read beside the companion's flags: what it calls.
  static constexpr const char* kTo = "to";
  // Behind the launches of both roles: all launches, whether they surely run at the same time; and with a companion
  // what its address comes to: for the pair, in all, whether any names the launch, and whether both share a machine.
  enum Slot : std::uint32_t { kLaunches = kRoles, kTogether, kReach, kReached, kNamed, kBeside, kSlots };

  std::uint32_t stage = 0;       // its rules compare them
  std::uint32_t first_slot = 0;  // of the launch in the first role; then those of Slot
  Run roles;    // in NamedCode: name, and whether a launch plays it; kRoles of them. A companion's: none
  Run key;      // in NamedCode, without names: launches of equal keys belong together
  Run members;  // in NamedCode
  std::uint32_t as_written = 0;  // bit i: where the i-th member is unknown, the word that was typed for it is compared
  std::uint32_t in_turn_warn = 0;  // what refuses launches is a warning where they may run one after the other
  Run companion;                   // in `ids`: texts, how the program of the first role is started; none: a launch
  Run flags;                       // in NamedCode: the companion's flags that rules may read, and their defaults
  Run calls;                       // in `ids`: texts, those of its flags whose values are addresses that it calls
  Run finds;                       // in `ids`: texts, flags: one that makes it look for what it calls, one for the port
                                   // that it then calls, and those whose values are labels of what it looks for
  std::uint32_t host = 0;          // the members that say where a launch listens, with a companion
  std::uint32_t port = 0;

  bool has_companion() const { return companion.count > 0; }
};

}  // namespace gonogo
