// A pack's rules: what a check reads of them, what only people read, and what they write. The first are in order of
// their text with an index past each group, so that a stage is walked without pointers and a group is skipped at once.
#pragma once

#include <cstdint>

#include "rules/blob.h"

namespace gonogo {

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

}  // namespace gonogo
