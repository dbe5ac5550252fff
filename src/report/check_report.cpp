#include "report/check_report.h"

#include <algorithm>

#include "report/json_writer.h"

namespace gonogo {

namespace {

std::string plural(std::size_t n, std::string_view one, std::string_view many) {
  return std::to_string(n) + " " + std::string(n == 1 ? one : many);
}

std::string why_of(const LaunchReport& launch) {
  return launch.why.empty() ? launch.setting + ": " + counts_text(launch) : launch.why;
}

}  // namespace

std::optional<Verdict> CheckReport::verdict() const {
  const bool refused =
      std::any_of(across.begin(), across.end(), [](const ReportFinding& f) { return f.certain && f.decides(); });
  const bool open = std::any_of(across.begin(), across.end(), [](const ReportFinding& f) { return f.decides(); });
  if (refused || count(Verdict::kNoGo) > 0) return Verdict::kNoGo;
  if (launches.empty()) return std::nullopt;
  return open || count(Verdict::kUnknown) > 0 ? Verdict::kUnknown : Verdict::kGo;
}

std::size_t CheckReport::count(Verdict wanted) const {
  return static_cast<std::size_t>(
      std::count_if(launches.begin(), launches.end(), [&](const LaunchReport& l) { return l.verdict == wanted; }));
}

bool CheckReport::fails(const ReportFinding& f) const { return f.certain && !f.suppressed && f.level >= fail_on; }

bool CheckReport::fails_by_level() const {
  bool out = false;
  each_told(*this, [&](const LaunchReport*, const ReportFinding& f) { out |= fails(f); });
  return out;
}

void each_told(const CheckReport& report,
               const std::function<void(const LaunchReport* launch, const ReportFinding& finding)>& with) {
  for (const LaunchReport& launch : report.launches) {
    for (const ReportFinding& f : launch.findings) {
      if (f.told()) with(&launch, f);
    }
  }
  for (const ReportFinding& f : report.across) with(nullptr, f);
}

std::vector<std::string> details_of(const ReportFinding& f) {
  std::vector<std::string> out;
  if (!f.hint.empty()) out.push_back(f.hint);
  if (!f.because.empty()) out.push_back("because " + f.because);
  for (const ReportChoice& c : f.chosen) {
    out.push_back("you did not choose " + c.value + ": " + c.rule + " set " + c.field +
                  (c.because.empty() ? "" : ", because " + c.because));
  }
  if (!f.certain) out.push_back("whether it holds depends on " + f.depends_on);
  if (f.behind) out.push_back("an earlier refusal ends the launch before this one");
  if (const std::string note = level_note(f); !note.empty()) out.push_back(note);
  if (f.suppressed) out.push_back(suppression_text(*f.suppressed));
  for (const RelatedLaunch& r : f.related) {
    out.push_back("it is about " + r.word.text() + (r.role.empty() ? "" : " (" + r.role + ")"));
  }
  return out;
}

std::vector<std::string> details_of(const LaunchReport& launch) {
  std::vector<std::string> out;
  if (launch.verdict != launch.own_verdict) {
    out.push_back("without the policy the answer is " + std::string(verdict_word(launch.own_verdict)));
  }
  for (const ReportMissing& m : launch.missing) {
    out.push_back("the answer depends on " + missing_text(m));
  }
  for (const std::string& fault : launch.faults) out.push_back("a rule could not be evaluated: " + fault);
  for (const std::string& note : launch.notes) out.push_back("note: " + note);
  if (launch.verdict != Verdict::kNoGo) return out;
  for (const ReportFix& fix : launch.fixes) {
    if (fix.reaches_go) out.push_back("this change reaches GO (re-run): " + fix.change);
    if (fix.leaves_open)
      out.push_back("this change lifts the refusal and leaves the answer open (re-run): " + fix.change);
  }
  return out;
}

std::string headline(const LaunchReport& launch, bool color) {
  std::string out = launch.span.in_file() ? launch.span.file + ":" + std::to_string(launch.span.line) : "command line";
  out += "  " + verdict_text(launch.verdict, color) + "  " + launch.entry;
  for (const std::string& role : launch.roles) out += ", " + role;
  if (launch.condition) out += ", if " + *launch.condition;
  return out + "  " + why_of(launch);
}

std::string totals_text(const CheckReport& report) {
  std::string out = "no launch found";
  if (!report.launches.empty()) {
    out = plural(report.launches.size(), "launch", "launches") +
          (report.files > 0 ? " in " + plural(report.files_with, "file", "files") : "") + ": " +
          std::to_string(report.count(Verdict::kNoGo)) + " NO-GO, " + std::to_string(report.count(Verdict::kUnknown)) +
          " UNKNOWN, " + std::to_string(report.count(Verdict::kGo)) + " GO";
  }
  const bool apart = std::any_of(report.across.begin(), report.across.end(),
                                 [](const ReportFinding& f) { return f.decides() && !f.related.empty(); });
  if (apart) out += "; together NO-GO";
  if (report.files_without > 0) out += "; " + plural(report.files_without, "file holds", "files hold") + " none";
  if (!report.errors.empty()) out += "; " + plural(report.errors.size(), "file", "files") + " could not be read";
  return out + (report.policy.empty() ? "" : "; policy " + report.policy);
}

std::string to_json(const LaunchReport& launch, const std::string& report) {
  JsonWriter json;
  json.open('{');
  json.text("file", launch.span.file);
  json.number("line", launch.span.line);
  json.number("column", launch.span.column);
  json.text("entry", launch.entry);
  json.list("argv", launch.argv);
  json.list("unknowns", launch.unknowns);
  if (launch.condition) {
    json.text("conditional", *launch.condition);
  } else {
    json.null("conditional");
  }
  json.list("roles", launch.roles);
  if (launch.templated) json.boolean("templated", true);
  if (!report.empty()) {
    json.raw("report", report);
  } else if (!launch.locked.empty()) {
    json.raw("locked", launch.locked);
  }
  json.text("verdict", verdict_word(launch.verdict));
  json.text("why", why_of(launch));
  json.close('}');
  return json.take();
}

std::string to_json(const Error& error) {
  JsonWriter json;
  json.open('{');
  json.text("file", error.place.file);
  json.number("line", error.place.line);
  json.text("what", error.what);
  json.close('}');
  return json.take();
}

}  // namespace gonogo
