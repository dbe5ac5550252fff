#include "cli/check_output.h"

#include <cstdlib>
#include <fstream>
#include <ostream>

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

}  // namespace

CheckReport new_check_report(const Pack& pack, const CheckOptions& options) {
  CheckReport out;
  out.tool_version = GONOGO_VERSION;
  out.rules = std::string(pack.text(pack.about->name)) + " " + pack.hash();
  out.fail_on = options.fail_on == "warning" ? Level::kWarning : Level::kError;
  out.strict = options.strict;
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

std::string across_text(const CheckReport& report, bool color) {
  std::string out;
  for (const ReportFinding& f : report.across) {
    const char* code = f.suppressed || f.level == Level::kNote ? "1;36" : f.level == Level::kError ? "1;31" : "1;33";
    out += painted(f.suppressed ? "ignored" : shown_kind(f), code, color) + "  " + wrapped(f.message, 2) + "  [" +
           f.rule + "]\n";
    if (f.span) out += "  --> " + f.span->text() + "\n";
    for (const std::string& detail : details_of(f)) out += "  " + wrapped(detail, 2) + "\n";
  }
  return out;
}

}  // namespace gonogo
