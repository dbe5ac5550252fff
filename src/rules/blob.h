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
// Records are here, but for those of flags and variables (flag_records.h), of rules (rule_records.h) and of launches
// that rules compare (peer_record.h).
//
// No record has padding, so that equal packs are equal bytes; the writer checks it.
//
// A pack of 832 flags (of 18 releases), 800 variables and 2,817 rules takes 511 KiB: hot texts 95, code 167, rules 66,
// flags 13, all other sections 67, and the cold part 103 (401 unpacked, in one millisecond).
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

struct StageRec {
  StrId name = 0;
  std::uint32_t rule = 0;  // its group
};

}  // namespace gonogo
