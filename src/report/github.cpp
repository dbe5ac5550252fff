// A GitHub workflow shows "::error file=…::message" lines as annotations; everything else is its log.
#include "report/formats.h"

namespace gonogo {

namespace {

// What stands behind the last "::", on one line.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '%':
        out += "%25";
        break;
      case '\r':
        out += "%0D";
        break;
      case '\n':
        out += "%0A";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string property(std::string_view text) {
  std::string out;
  for (const char c : escaped(text)) {
    if (c == ':') {
      out += "%3A";
    } else if (c == ',') {
      out += "%2C";
    } else {
      out += c;
    }
  }
  return out;
}

std::string annotation(std::string_view command, const ReportSpan& at, const std::string& title,
                       const std::string& message) {
  std::string out = "::" + std::string(command) + " ";
  if (at.in_file()) {
    out += "file=" + property(at.file) + ",";
    if (at.line > 0) out += "line=" + std::to_string(at.line) + ",endLine=" + std::to_string(at.end_line) + ",";
    if (at.column > 0) out += "col=" + std::to_string(at.column) + ",endColumn=" + std::to_string(at.end_column) + ",";
  }
  return out + "title=" + property(title) + "::" + escaped(message) + "\n";
}

// What is unsure is no error: the launch may go.
std::string_view command_of(const ReportFinding& f) {
  if (f.suppressed || f.level == Level::kNote) return "notice";
  return f.level == Level::kError && f.certain ? "error" : "warning";
}

std::string told(const ReportFinding& f, const LaunchReport* launch) {
  const std::string label = f.suppressed ? std::string("ignored") : shown_kind(f);
  std::string message = f.message;
  for (const std::string& detail : details_of(f)) message += "\n" + detail;
  const ReportSpan at = launch != nullptr ? place_of(*launch, f) : f.span.value_or(ReportSpan());
  return annotation(command_of(f), at, "gonogo " + label + " " + f.rule, message);
}

}  // namespace

std::string to_github(const CheckReport& report) {
  std::string out;
  for (const LaunchReport& launch : report.launches) {
    out += escaped(headline(launch)) + "\n";
    if (launch.why.empty()) out += "  " + ladder_text(launch.ladder, false) + "\n";
    for (const ReportFinding& f : launch.findings) {
      if (f.told()) out += told(f, &launch);
    }
    const bool unknown = launch.verdict == Verdict::kUnknown;
    std::string more = unknown ? launch.why : std::string();
    for (const std::string& detail : details_of(launch)) more += (more.empty() ? "" : "\n") + detail;
    if (!more.empty()) {
      const std::string_view command = !unknown ? "notice" : report.strict ? "error" : "warning";
      out += annotation(command, launch.span, "gonogo " + std::string(verdict_word(launch.verdict)), more);
    }
  }
  for (const ReportFinding& f : report.across) out += told(f, nullptr);
  for (const Error& e : report.errors) {
    const ReportSpan at{e.place.file, e.place.line, e.place.column, e.place.line, e.place.column + 1};
    out += annotation("error", at, "gonogo could not read this", e.what + (e.hint.empty() ? "" : "\n" + e.hint));
  }
  return out + escaped(totals_text(report)) + "\n";
}

}  // namespace gonogo
