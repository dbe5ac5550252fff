#include "report/plan.h"

#include <algorithm>
#include <cmath>

namespace gonogo {

namespace {

// A number of bytes or tokens; absent where the value is none.
std::optional<std::int64_t> whole(const Value& v) {
  if (!v.is_number() || v.is(Kind::kBool)) return std::nullopt;
  const double number = v.as_double();
  if (!std::isfinite(number) || std::abs(number) > 9e18) return std::nullopt;
  return v.is_integral() ? v.as_int() : static_cast<std::int64_t>(number);
}

std::vector<PlanRow> rows_of(const Pack& pack, const PlanOutcome::Rows& rows) {
  std::vector<PlanRow> out;
  for (const auto& [name, value] : rows) out.push_back({std::string(pack.text(name)), value});
  return out;
}

}  // namespace

bool Plan::known() const {
  return memory && *memory > 0 && std::any_of(parts.begin(), parts.end(), [](const PlanRow& p) {
           return p.value.is_number() && p.value.as_double() > 0;
         });
}

Plan plan_of(const Pack& pack, const PlanOutcome& outcome, const std::vector<std::int64_t>& lengths) {
  Plan plan;
  plan.memory = whole(outcome.memory);
  plan.parts = rows_of(pack, outcome.parts);
  plan.sizes = rows_of(pack, outcome.sizes);
  plan.figures = rows_of(pack, outcome.figures);
  plan.capacity = whole(outcome.capacity);
  if (plan.known()) {
    plan.left = plan.memory;
    for (const PlanRow& part : plan.parts) *plan.left -= whole(part.value).value_or(0);
  }
  std::vector<std::int64_t> asked = lengths;
  if (asked.empty() && whole(outcome.length).value_or(0) > 0) asked.push_back(*whole(outcome.length));
  for (const std::int64_t length : asked) {
    Concurrency& row = plan.concurrency.emplace_back(Concurrency{length, std::nullopt});
    if (!plan.capacity || length <= 0) continue;
    row.requests = *plan.capacity / length;
    if (const auto most = whole(outcome.requests))
      row.requests = std::min(*row.requests, std::max<std::int64_t>(*most, 0));
  }
  return plan;
}

}  // namespace gonogo
