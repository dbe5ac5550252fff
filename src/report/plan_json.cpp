// A plan for machines: one JSON object, described by docs/plan.schema.json. Members may be added within a
// format_version; a change of meaning raises it.
#include "report/json_writer.h"
#include "report/plan.h"

namespace gonogo {

namespace {

constexpr int kFormatVersion = 1;

class PlanJson : private JsonWriter {
 public:
  std::string run(const ReportInput& in, const Plan& plan, int exit_code) {
    open('{');
    number("format_version", kFormatVersion);
    boolean("estimate", true);
    text("verdict", verdict_word(in.outcome.verdict));
    number("exit_code", exit_code);
    open("runtime", '{');
    text("name", in.pack.text(in.pack.about->name));
    text("version", in.pack.version(in.version.index));
    close('}');
    text("model", in.model_where);
    maybe("memory_bytes", plan.memory);
    rows("parts", plan.parts);
    maybe("left_bytes", plan.left);
    rows("sizes", plan.sizes);
    rows("figures", plan.figures);
    maybe("capacity", plan.capacity);
    open("concurrency", '[');
    for (const Concurrency& row : plan.concurrency) {
      open('{');
      number("length", row.length);
      maybe("requests", row.requests);
      close('}');
    }
    close(']');
    close('}');
    return take() + "\n";
  }

 private:
  void maybe(std::string_view name, const std::optional<std::int64_t>& n) { n ? number(name, *n) : null(name); }

  void rows(std::string_view name, const std::vector<PlanRow>& rows) {
    open(name, '{');
    for (const PlanRow& row : rows) row.value.is_unknown() ? null(row.name) : value(row.name, row.value);
    close('}');
  }
};

}  // namespace

std::string plan_to_json(const ReportInput& input, const Plan& plan, int exit_code) {
  return PlanJson().run(input, plan, exit_code);
}

}  // namespace gonogo
