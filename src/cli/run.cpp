// `gonogo run -- COMMAND`: a launch that is checked first. What starts then is the command itself, in this process's
// place, so that its exit code, its signals and its streams are its own.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ostream>

#include "cli/check_output.h"
#include "cli/commands.h"
#include "cli/policy_options.h"
#include "report/report.h"

namespace gonogo {

namespace {

// How many of the words are assignments before the command. Only of words that read_command took as a launch.
std::size_t assignments(const std::vector<std::string>& words) {
  std::size_t count = 0;
  while (count < words.size() && words[count].find('=') != std::string::npos) ++count;
  return count;
}

// Comes back only where the command could not be started.
ExitStatus start(std::vector<std::string> words, Streams io) {
  const std::size_t first = assignments(words);
  for (std::size_t i = 0; i < first; ++i) {
    const std::size_t equals = words[i].find('=');
    ::setenv(words[i].substr(0, equals).c_str(), words[i].c_str() + equals + 1, 1);
  }
  std::vector<char*> argv;
  for (std::size_t i = first; i < words.size(); ++i) argv.push_back(words[i].data());
  argv.push_back(nullptr);
  io.out.flush();
  io.err.flush();
  ::execvp(argv[0], argv.data());
  const int code = errno;
  io.err << "gonogo run: " << argv[0] << ": " << std::strerror(code) << '\n';
  return code == ENOENT || code == ENOTDIR ? ExitStatus::kNotFound : ExitStatus::kNotExecutable;
}

// As text: all of it where the launch is refused; else the verdict, and what there is to say about it.
void tell(const ReportInput& input, const CheckReport& report, const CheckOptions& options, Streams io) {
  if (options.format != "text") return print_report(report, input, options, "", {io.in, io.err, io.err});
  const LaunchReport& launch = report.launches[0];
  const bool color = use_color(options.color, STDERR_FILENO);
  const std::string text = to_text(input, launch, color);
  io.err << (launch.verdict == Verdict::kNoGo ? text
                                              : text.substr(0, text.find('\n') + 1) + to_details(input, launch, color))
         << across_text(report, color);
}

// Checks the launch and tells the answer; an error where there is none.
Result<ExitStatus> judge(const CheckOptions& options, std::vector<Error>* errors, Streams io) {
  SessionOptions with_fixes = options.session;
  with_fixes.fixes = true;
  auto session = check_launch(with_fixes, errors);
  if (!session) return session.error();
  auto report = report_of_command(**session, options, nullptr);
  if (!report) return report.error();
  const ExitStatus status = settle_status(&*report);
  tell(input_of(**session), *report, options, io);
  return status;
}

}  // namespace

ExitStatus run_command(const RunOptions& options, Streams io) {
  const std::vector<std::string>& words = options.check.session.command;
  const std::size_t first = assignments(words);
  if (first == words.size() || words[first].empty() || words[first][0] == '-') {
    io.err << "gonogo run: there is no command to run; write it after --: gonogo run -- python -m …\n";
    return ExitStatus::kUsage;
  }
  std::vector<Error> errors;
  auto answer = judge(options.check, &errors, io);
  if (!answer && options.warn_only && may_be_of_policy_file(answer.error(), options.check)) {
    const Error wrong = answer.error();
    errors.clear();
    answer = judge(without_policy_file(options.check), &errors, io);
    if (answer) {
      report_error(wrong, io);
      io.err << "gonogo run: checked without " << options.check.policy.file << " (--warn-only)\n";
    }
  }
  const ExitStatus status = answer ? *answer : report_failure(answer.error(), errors, io);
  if (status == ExitStatus::kUsage) return status;
  if (status != ExitStatus::kGo) {
    if (!options.warn_only) {
      io.err << "gonogo run: not started\n";
      return status;
    }
    io.err << "gonogo run: started all the same (--warn-only)\n";
  }
  return start(words, io);
}

}  // namespace gonogo
