// Markdown as GitHub reads it; nothing that a file says can become markup.
#include <algorithm>

#include "report/formats.h"

namespace gonogo {

namespace {

std::string plain(std::string_view text) {
  static constexpr std::string_view kMarks = "\\`*_[]<>|~&@$";
  static constexpr std::string_view kFirst = "#-+!>";  // markup at the beginning of a line alone
  std::string out;
  for (const char c : text) {
    if (c == '\n' || c == '\r') {
      out += ' ';
      continue;
    }
    if (kMarks.find(c) != std::string_view::npos || (out.empty() && kFirst.find(c) != std::string_view::npos)) {
      out += '\\';
    }
    out += c;
  }
  return out;
}

// Text in a code span: its fence is longer than any run of backticks in it. A cell's bars would end it all the same.
std::string code(std::string_view text) {
  std::size_t longest = 0;
  std::size_t run = 0;
  std::string body;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
    if (c == '|') body += '\\';
    body += c == '\n' || c == '\r' ? ' ' : c;
  }
  const std::string fence(longest + 1, '`');
  const std::string pad = longest > 0 ? " " : "";
  return fence + pad + body + pad + fence;
}

std::string row(const ReportFinding& f, const ReportSpan& at) {
  std::string text = plain(f.message);
  for (const std::string& detail : details_of(f)) text += "<br>" + plain(detail);
  return "| " + (f.suppressed ? "ignored" : shown_kind(f)) + " | " + std::string(phase_name(f.phase)) + " | " +
         code(f.rule) + " | " + (at.file.empty() ? "" : code(at.text())) + " | " + text + " |\n";
}

std::string table(const std::string& rows) {
  return rows.empty() ? "" : "\n| what | when | rule | where | says |\n| --- | --- | --- | --- | --- |\n" + rows;
}

// Who decided what, for each refusal that stands first.
std::string traces(const LaunchReport& launch) {
  std::string out;
  for (const ReportFinding& f : launch.findings) {
    if (!f.told() || !f.decides() || !f.certain || f.behind || f.trace.empty()) continue;
    out += "\nHow " + code(f.rule) + " came about:\n\n";
    for (const TraceStep& step : f.trace) out += "1. " + plain(step.text) + "\n";
  }
  return out;
}

}  // namespace

std::string to_markdown(const CheckReport& report) {
  const std::optional<Verdict> verdict = report.verdict();
  std::string out = "# gonogo: " + std::string(verdict ? verdict_word(*verdict) : "no launch") + "\n\n" +
                    plain(totals_text(report)) + "\n";
  for (const LaunchReport& launch : report.launches) {
    out += "\n## " + plain(headline(launch)) + "\n";
    if (launch.why.empty()) out += "\n" + ladder_text(launch.ladder, false) + "\n";
    std::string rows;
    for (const ReportFinding& f : launch.findings) {
      if (f.told()) rows += row(f, place_of(launch, f));
    }
    out += table(rows);
    std::string more;
    for (const std::string& detail : details_of(launch)) more += "- " + plain(detail) + "\n";
    if (!more.empty()) out += "\n" + more;
    out += traces(launch);
  }
  std::string rows;
  for (const ReportFinding& f : report.across) rows += row(f, f.span.value_or(ReportSpan()));
  if (!rows.empty()) out += "\n## Across launches, and the policy\n" + table(rows);
  if (!report.errors.empty()) out += "\n## Could not be read\n\n";
  for (const Error& e : report.errors) {
    const ReportSpan at{e.place.file, e.place.line, e.place.column, 0, 0};
    out += "- " + code(at.text()) + " " + plain(e.what) + "\n";
  }
  return out + "\n" + plain("rules " + report.rules + (report.policy.empty() ? "" : ", policy " + report.policy)) +
         "\n";
}

}  // namespace gonogo
