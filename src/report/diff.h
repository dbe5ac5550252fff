// How two outcomes of one pack differ: what resolves otherwise and who decided that on either side, which findings are
// new, lifted or say something else. It compares what the user would see, so a field that only one version has is
// no difference while nobody sets it, and chance (seeds and the like) never counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"

namespace gonogo {

// A value on one side and who decided it: a rule, else the user, else nobody.
struct Decided {
  Value value;
  bool typed = false;             // by the user, as a flag or in a file of further arguments
  std::uint32_t rule = kNoIndex;  // the rule that made it what it is; kNoIndex: none changed it
  std::string gone = {};          // of an outcome kept from earlier: the rule, where the pack has it no longer
};

// A field that resolves differently, or one entry of it where it is a mapping on both sides.
struct FieldDiff {
  std::uint32_t field = 0;
  std::string name;  // "field" or "field.key.key"
  Decided from;
  Decided to;
};

// A variable that resolution sets for the workers; without text: removes, or leaves alone where `rule` is kNoIndex.
struct EnvDiff {
  struct Side {
    std::optional<std::string> value;
    std::uint32_t rule = kNoIndex;
    std::string gone = {};  // as in Decided
  };
  std::string name;
  Side from;
  Side to;
};

// A row of the pack's summary that is no field, e.g. what is built in the end.
struct SummaryDiff {
  std::string name;
  Value from;
  Value to;
};

// What is said on one side alone, or differently on both. Pointers lead into the outcomes.
struct FindingDiff {
  const Finding* from = nullptr;  // null: new
  const Finding* to = nullptr;    // null: lifted
};

struct Diff {
  bool fields_compared = false;  // false where a parser refuses: then nothing was resolved
  std::vector<FieldDiff> fields;
  std::vector<EnvDiff> env;
  std::vector<SummaryDiff> summary;
  std::vector<FindingDiff> findings;
  std::vector<const UsageFinding*> new_notes;  // about flags that are deprecated or without effect
  std::vector<const UsageFinding*> lifted_notes;
  std::vector<std::string> new_missing;  // what only the second one's verdict depends on, and faults of rules
  std::vector<std::string> lifted_missing;
  std::vector<const Finding*> kept_refusals;  // certain, on both sides, as the second one has them
  bool verdict_differs = false;

  std::size_t count() const;  // of differences; the verdict is none of its own
  bool same() const { return count() == 0 && !verdict_differs; }
};

// Who decided what stands under the keys of `path` in a field; of the whole field where it is empty.
Decided decided_at(const ReportInput& input, std::uint32_t field, const std::vector<std::string_view>& path);

// Compares two outcomes. Both must come from the same pack, and outlive the result.
Diff diff_of(const ReportInput& from, const ReportInput& to);

// What was varied, in the order in which it is told: "version", "gpu", "model", "launch".
struct Varied {
  bool version = false;
  bool gpu = false;
  bool model = false;
  bool launch = false;
};
Varied varied(const ReportInput& from, const ReportInput& to);

std::string diff_to_text(const ReportInput& from, const ReportInput& to, const Diff& diff, bool color);
// Described by docs/diff.schema.json.
std::string diff_to_json(const ReportInput& from, const ReportInput& to, const Diff& diff, int exit_code);

}  // namespace gonogo
