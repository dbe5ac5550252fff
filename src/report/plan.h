// A plan of one GPU's memory, for people and machines: what the parts take, what is left, and how many requests fit.
// Every figure is an estimate of the first rank; all ranks of a launch hold about the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/report.h"

namespace gonogo {

struct PlanRow {
  std::string name;
  Value value;  // None where it can't be computed, unknown where a fact is missing
};

// How many requests of a length fit at once, at most as many as the runtime serves.
struct Concurrency {
  std::int64_t length = 0;               // tokens of one request
  std::optional<std::int64_t> requests;  // absent where it can't be said
};

struct Plan {
  std::optional<std::int64_t> memory;  // bytes of one GPU
  std::vector<PlanRow> parts;          // bytes
  std::optional<std::int64_t> left;    // bytes that no part takes; negative where the parts take more than there is
  std::vector<PlanRow> sizes;          // bytes
  std::vector<PlanRow> figures;
  std::optional<std::int64_t> capacity;
  std::vector<Concurrency> concurrency;

  // Whether there is anything to show: the memory and at least one part that takes some.
  bool known() const;
};

// The plan of an outcome; `lengths` empty: the length that the pack names.
Plan plan_of(const Pack& pack, const PlanOutcome& outcome, const std::vector<std::int64_t>& lengths);

// "12.3 GiB", "4.5 MiB", "768 bytes".
std::string size_text(double bytes);

std::string plan_to_text(const ReportInput& input, const Plan& plan, bool color);
// One JSON object, described by docs/plan.schema.json.
std::string plan_to_json(const ReportInput& input, const Plan& plan, int exit_code);

}  // namespace gonogo
