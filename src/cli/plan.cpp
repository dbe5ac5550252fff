// `gonogo plan`: what a GPU's memory holds under a launch, by estimate.
#include "report/plan.h"

#include <ostream>

#include "cli/commands.h"

namespace gonogo {

ExitStatus plan_command(const PlanOptions& options, Streams io) {
  std::vector<Error> errors;
  SessionOptions with_plan = options.check.session;
  with_plan.plan = true;
  auto session = check_launch(with_plan, &errors);
  if (!session) return report_failure(session.error(), errors, io);
  const Session& s = **session;
  const ReportInput input = input_of(s);
  const Plan plan = s.outcome.plan ? plan_of(s.pack, *s.outcome.plan, options.lengths) : Plan{};
  const ExitStatus status = s.outcome.verdict == Verdict::kNoGo ? ExitStatus::kNoGo
                            : plan.known()                      ? ExitStatus::kGo
                                                                : ExitStatus::kCouldNotCheck;
  io.out << (options.check.format == "json" ? plan_to_json(input, plan, static_cast<int>(status))
                                            : plan_to_text(input, plan, use_color(options.check.color)));
  return status;
}

}  // namespace gonogo
