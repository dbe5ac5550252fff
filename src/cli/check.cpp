#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <ostream>

#include "cli/check_output.h"
#include "cli/commands.h"
#include "cli/lock_file.h"
#include "report/launch_report.h"

namespace gonogo {

namespace {

bool set_in_env(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

// A command that is held to a lock.
Result<LockAnswer> compare_command(const CheckOptions& options, const Session& session, bool color) {
  const auto lock = LockFile::read(session.pack, options.locked);
  if (!lock) return lock.error();
  const auto launch = read_command(session.pack, options.session.command);
  if (!launch) return launch.error();
  const LaunchName name = name_of(session.pack, *launch);
  return lock->compare(session, name, lock->match("", {name}).launches[0], "", color);
}

}  // namespace

bool use_color(const std::string& option, int descriptor) {
  if (option != "auto") return option == "always";
  if (set_in_env("NO_COLOR")) return false;
  if (set_in_env("CLICOLOR_FORCE") || set_in_env("FORCE_COLOR")) return true;
  const char* term = std::getenv("TERM");
  return (term == nullptr || std::string_view(term) != "dumb") && isatty(descriptor) == 1;
}

ExitStatus report_error(const Error& error, Streams io) {
  io.err << "gonogo: " << to_text(error) << '\n';
  switch (error.kind) {
    case Error::Kind::kUsage:
      return ExitStatus::kUsage;
    case Error::Kind::kInternal:
      return ExitStatus::kInternal;
    default:
      return ExitStatus::kCouldNotCheck;
  }
}

ExitStatus report_errors(const std::vector<Error>& errors, Streams io) {
  ExitStatus status = ExitStatus::kCouldNotCheck;
  for (const Error& e : errors) status = report_error(e, io);
  return status;
}

ExitStatus report_failure(const Error& error, const std::vector<Error>& errors, Streams io) {
  return errors.empty() ? report_error(error, io) : report_errors(errors, io);
}

ReportInput input_of(const Session& s) {
  return {s.pack, s.launch, s.version, s.nodes, s.model_where, s.given ? &*s.given : nullptr, s.outcome, s.fixes};
}

ExitStatus check_command(const CheckOptions& options, Streams io) {
  std::vector<Error> errors;
  SessionOptions with_fixes = options.session;
  with_fixes.fixes = true;
  auto session = check_launch(with_fixes, &errors);
  if (!session) return report_failure(session.error(), errors, io);
  const Session& s = **session;
  std::optional<LockAnswer> lock;
  if (!options.locked.empty()) {
    auto compared = compare_command(options, s, use_color(options.color));
    if (!compared) return report_error(compared.error(), io);
    lock = std::move(*compared);
  }
  auto judged = report_of_command(s, options, lock ? &*lock : nullptr);
  if (!judged) return report_error(judged.error(), io);
  CheckReport& report = *judged;
  const ReportInput input = input_of(s);
  const ExitStatus status = settle_status(&report);
  print_report(report, input, options, lock ? "\n" + lock->text : "", io);
  return status;
}

}  // namespace gonogo
