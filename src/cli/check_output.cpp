#include "cli/check_output.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <ostream>
#include <utility>

#include "report/formats.h"

namespace gonogo {

namespace {

constexpr std::size_t kMostSummary = 1'000'000;  // GitHub refuses a step summary of more than 1 MiB

void add_summary(const CheckReport& report, std::ostream& err) {
  const char* path = std::getenv("GITHUB_STEP_SUMMARY");
  if (path == nullptr || *path == '\0') return;
  std::string text = to_markdown(report);
  if (text.size() > kMostSummary) {
    text.resize(text.rfind('\n', kMostSummary) + 1);
    text += "\nThe rest is left out here.\n";
  }
  std::ofstream file(path, std::ios::app | std::ios::binary);
  file << text;
  file.flush();
  if (!file) err << "gonogo: the step summary can't be written: " << path << '\n';
}

// Lines, each with four blanks before it.
std::string indented(const std::string& lines) {
  std::string out;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    out += "    " + lines.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return out;
}

}  // namespace

CheckReport new_check_report(const Pack& pack, const CheckOptions& options) {
  CheckReport out;
  out.tool_version = GONOGO_VERSION;
  out.rules = std::string(pack.text(pack.about->name)) + " " + pack.hash();
  out.fail_on = options.fail_on == "warning" ? Level::kWarning : Level::kError;
  out.strict = options.strict;
  out.policy = options.policy.file;
  return out;
}

Result<CheckReport> report_of_command(const Session& session, const CheckOptions& options, const LockAnswer* lock) {
  CheckReport out = new_check_report(session.pack, options);
  LaunchReport& launch = out.launches.emplace_back(report_of(input_of(session)));
  if (lock != nullptr) {
    launch.locked = lock->json;
    if (!lock->same) out.across.push_back(finding_of(*lock, launch.span));
  }
  if (auto error = apply_policy(options.policy, session.pack, &out)) return *error;
  return out;
}

ExitStatus settle_status(CheckReport* report) {
  const std::optional<Verdict> verdict = report->verdict();
  ExitStatus out = ExitStatus::kGo;
  if (verdict == Verdict::kNoGo || report->fails_by_level()) {
    out = ExitStatus::kNoGo;
  } else if (!report->errors.empty()) {
    out = ExitStatus::kCouldNotCheck;
  } else if (verdict == Verdict::kUnknown && report->strict) {
    out = ExitStatus::kUnknown;
  }
  report->exit_code = static_cast<int>(out);
  return out;
}

bool is_whole_format(const std::string& format) {
  return format == "sarif" || format == "junit" || format == "github" || format == "markdown";
}

void print_whole(const CheckReport& report, const std::string& format, Streams io) {
  if (format == "sarif") io.out << to_sarif(report);
  if (format == "junit") io.out << to_junit(report);
  if (format == "markdown") io.out << to_markdown(report);
  if (format != "github") return;
  io.out << to_github(report);
  add_summary(report, io.err);
}

void settle_policy(PolicyEffect* effect, CheckReport* report, std::span<PolicyEffect::File> files) {
  effect->apply(&report->across, files);
  std::vector<ReportFinding> left;
  for (const PolicyEffect::File& file : files) {
    for (ReportFinding& f : effect->leftovers(file)) left.push_back(std::move(f));
  }
  for (ReportFinding& f : effect->leftovers()) left.push_back(std::move(f));
  effect->apply(&left);
  report->across.insert(report->across.end(), left.begin(), left.end());
}

std::optional<Error> apply_policy(const Policy& policy, const Pack& pack, CheckReport* report) {
  if (auto error = unknown_rule(policy, pack)) return error;
  PolicyEffect effect(policy, pack);
  for (LaunchReport& launch : report->launches) effect.apply(&launch, nullptr, 0);
  settle_policy(&effect, report);
  return std::nullopt;
}

void print_report(const CheckReport& report, const ReportInput& input, const CheckOptions& options,
                  const std::string& more, Streams io) {
  const LaunchReport& launch = report.launches[0];
  if (is_whole_format(options.format)) return print_whole(report, options.format, io);
  if (options.format == "text") {
    const bool color = use_color(options.color);
    io.out << to_text(input, launch, color, more + across_text(report, color));
    return;
  }
  const std::string json = to_json(input, launch, report.exit_code, &report.across);
  io.out << (options.format == "json" ? json : to_json(launch, json) + "\n");
}

std::string across_text(const CheckReport& report, bool color) {
  std::string out;
  for (const ReportFinding& f : report.across) {
    const char* code = f.suppressed || f.level == Level::kNote ? "1;36" : f.level == Level::kError ? "1;31" : "1;33";
    out += painted(f.suppressed ? "ignored" : shown_kind(f), code, color) + "  " + wrapped(f.message, 2) + "  [" +
           f.rule + "]\n";
    ReportFinding rest = f;
    for (const RelatedLaunch& r : std::exchange(rest.related, {})) {
      out += "  --> " + r.word.text() + (r.role.empty() ? "" : "  " + r.role) + "\n" + indented(r.excerpt);
    }
    if (f.span && f.related.empty()) out += "  --> " + f.span->text() + "\n";
    for (const std::string& detail : details_of(rest)) out += "  " + wrapped(detail, 2) + "\n";
  }
  return out;
}

}  // namespace gonogo
