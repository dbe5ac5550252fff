// What became of a launch: every field with its history, every finding in the order in which it would have hit, and
// the verdict. Nothing here is text for people yet, but for the messages of findings.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/value.h"
#include "flags/usage.h"
#include "rules/rule_records.h"

namespace gonogo {

enum class Verdict : std::uint8_t { kGo, kNoGo, kUnknown };

// One declaration: the rule that made it and what it wrote. `value` is the field's whole value after it, and unknown
// where the rule may or may not have applied.
struct Change {
  std::uint32_t field = 0;
  std::uint32_t rule = 0;
  Value value;
};

// A fact that a rule's condition read, as code and value at that time.
struct Evidence {
  CodeRef name = 0;
  Value value;
};

// A change that might help: one field, variable or version.
struct FixChange {
  Target kind = Target::kField;
  std::uint32_t target = 0;  // field or variable
  Value value;               // None drops the flag or variable; for kVersion the text of a range
};
using Fix = std::vector<FixChange>;

struct Finding {
  Action kind = Action::kFail;    // kFail, kWarn, kInert or kAdvise
  Phase phase = Phase::kResolve;  // when the runtime itself would have noticed
  std::uint32_t rule = kNoIndex;  // kNoIndex: of the argument parser, then `usage` says more; or a flag that none read
  std::uint32_t part = 0;         // of the pack
  std::string message;
  bool certain = true;          // false: depends on an unknown; `depends_on` says which
  bool behind_failure = false;  // an earlier refusal would have ended the launch before this one
  std::string depends_on;
  std::uint32_t field = kNoIndex;  // the flag that it is about, where the rule says so
  std::vector<Evidence> evidence;
  std::vector<CodeRef> conditions;  // all that held around it, outermost first; 0 where a group has none
  std::vector<Fix> fixes;
  std::optional<UsageFinding> usage;
};

// What one part of the pack answered. `refused_by` is the first refusal in it, or none.
struct PartOutcome {
  std::vector<Value> fields;  // at its end
  std::size_t changes = 0;    // how much of the history was written by its end
  std::optional<std::size_t> refused_by;
  std::size_t changes_at_refusal = 0;  // how much of it was written when it refused
  bool reached = true;                 // false where an earlier part refused
  std::vector<std::pair<StrId, Value>> answers;
};

// What a rank's memory holds, as the pack describes it. A value that can't be computed is None, one that depends on a
// missing fact is unknown.
struct PlanOutcome {
  using Rows = std::vector<std::pair<StrId, Value>>;
  Value memory;    // bytes of one GPU
  Value capacity;  // units (tokens) that its cache holds
  Value length;    // units of one request, where the user does not say
  Value requests;  // at most so many at once, whatever their length
  Rows parts;      // bytes of `memory` by what they are for
  Rows sizes;      // other figures in bytes
  Rows figures;    // other figures
};

// What a launch says to rules that compare it with others, by index as in the pack's record of such peers.
struct PeerValues {
  std::vector<Value> roles;    // whether it plays them
  std::vector<Value> key;
  std::vector<Value> members;  // unknown where resolution refuses the launch
};

struct Outcome {
  Verdict verdict = Verdict::kUnknown;
  std::vector<Value> fields;  // resolved, by index
  std::vector<Change> history;
  std::vector<Finding> findings;
  std::vector<PartOutcome> parts;
  std::map<std::string, std::optional<std::string>> env;  // variables that resolution set, or removed
  std::map<std::string, std::uint32_t> env_by;            // the rule that did so last
  std::vector<std::pair<StrId, Value>> summary;           // the pack's summary: label and value
  std::optional<PlanOutcome> plan;                        // where it was asked for and the pack describes one
  std::vector<PeerValues> peers;                          // where asked for: by index of the pack's peers
  Value layers;                                           // what runs each class of layers, as the pack puts it
  std::vector<std::string> missing;                       // what to supply for a verdict
  std::vector<std::string> faults;                        // rules that could not be evaluated: faults of the pack
};

// The last change of a field, or null.
const Change* last_change(const Outcome& outcome, std::uint32_t field);

}  // namespace gonogo
