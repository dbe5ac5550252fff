// SARIF 2.1.0. Beyond what the standard wants stands what GitHub reads: all four members of a region, a fingerprint of
// the result, help for each rule, and the trace as a code flow, which it unfolds.
#include <map>

#include "report/formats.h"
#include "report/json_writer.h"

namespace gonogo {

namespace {

constexpr std::string_view kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
constexpr std::size_t kMostText = 1000;  // GitHub takes 1,024 characters of a description

// A path as a URI reference: relative, or file: where it is absolute.
std::string uri_of(std::string_view path) {
  static constexpr std::string_view kKept = "/-._~!$&'()*+,;=@";
  while (path.starts_with("./")) path.remove_prefix(2);
  std::string out = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || kKept.find(c) != std::string_view::npos) {
      out += c;
      continue;
    }
    static constexpr std::string_view kDigits = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

std::string cut(std::string text) {
  if (text.size() <= kMostText) return text;
  text.resize(kMostText);
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80) text.pop_back();
  if (!text.empty() && static_cast<unsigned char>(text.back()) >= 0xc0) text.pop_back();
  return text + "…";
}

class Sarif : private JsonWriter {
 public:
  explicit Sarif(const CheckReport& report) : report_(report) {
    each_told(report_, [this](const LaunchReport*, const ReportFinding& f) {
      if (rules_.try_emplace(f.rule, rules_.size()).second) first_.push_back(&f);
    });
  }

  std::string run() {
    open('{');
    text("$schema", kSchema);
    text("version", "2.1.0");
    open("runs", '[');
    open('{');
    tool();
    open("automationDetails", '{');
    text("id", "gonogo/");
    close('}');
    text("columnKind", "unicodeCodePoints");
    invocation();
    artifacts();
    open("results", '[');
    each_told(report_, [this](const LaunchReport* launch, const ReportFinding& f) { result(launch, f); });
    close(']');
    launches();
    close('}');
    close(']');
    close('}');
    return take() + "\n";
  }

 private:
  void message(std::string_view name, std::string_view what) {
    open(name, '{');
    text("text", what);
    close('}');
  }

  void tool() {
    open("tool", '{');
    open("driver", '{');
    text("name", "gonogo");
    text("version", report_.tool_version);
    text("semanticVersion", report_.tool_version);
    open("rules", '[');
    for (const ReportFinding* f : first_) rule(*f);
    close(']');
    open("properties", '{');
    text("rules", report_.rules);
    close('}');
    close('}');
    close('}');
  }

  void rule(const ReportFinding& f) {
    const std::string kind(kind_name(f.action));
    const std::string what = f.because.empty() ? "a " + kind + " " + std::string(phase_meaning(f.phase)) : f.because;
    std::string help = what + ".";
    if (!f.check.empty()) help += "\nWhere it comes from: " + f.check + ".";
    for (const std::string& see : f.see) help += "\nSee " + see + ".";
    open('{');
    text("id", f.rule);
    message("shortDescription", cut(what));
    message("fullDescription", cut(help));
    open("help", '{');
    text("text", help + "\ngonogo explain " + f.rule);
    text("markdown", help + "\n\n    gonogo explain " + f.rule + "\n");
    close('}');
    open("defaultConfiguration", '{');
    text("level", level_name(f.own_level));
    close('}');
    open("properties", '{');
    open("tags", '[');
    item(kind);
    item(phase_name(f.phase));
    close(']');
    text("precision", "high");
    text("problem.severity", f.own_level == Level::kNote ? "recommendation" : level_name(f.own_level));
    close('}');
    close('}');
  }

  // What could not be read, and what an answer hangs on, are no results: nobody could mend them at a line.
  void invocation() {
    open("invocations", '[');
    open('{');
    boolean("executionSuccessful", report_.errors.empty());
    number("exitCode", report_.exit_code);
    open("toolExecutionNotifications", '[');
    for (const Error& e : report_.errors) {
      notification("error", e.what, {e.place.file, e.place.line, e.place.column, e.place.line, e.place.column + 1});
    }
    for (const LaunchReport& launch : report_.launches) {
      if (!launch.why.empty()) notification("warning", launch.why, launch.span);
      for (const std::string& detail : details_of(launch)) {
        notification(launch.verdict == Verdict::kUnknown ? "warning" : "note", detail, launch.span);
      }
    }
    close(']');
    close('}');
    close(']');
  }

  void locations(const ReportSpan& at) {
    open("locations", '[');
    open('{');
    physical(at);
    close('}');
    close(']');
  }

  void notification(std::string_view level, const std::string& what, const ReportSpan& at) {
    open('{');
    text("level", level);
    message("message", what);
    locations(at);
    close('}');
  }

  // The command line, so that regions in it can be shown.
  void artifacts() {
    const auto command = [](const LaunchReport& launch) { return !launch.span.in_file(); };
    open("artifacts", '[');
    for (const LaunchReport& launch : report_.launches) {
      if (!command(launch)) continue;
      open('{');
      open("location", '{');
      text("uri", kCommandLine);
      close('}');
      open("contents", '{');
      text("text", launch.command);
      close('}');
      message("description", "the launch on gonogo's command line");
      close('}');
    }
    close(']');
  }

  // All four members of a region, always; a place without a line is the file's first.
  void physical(const ReportSpan& at) {
    open("physicalLocation", '{');
    open("artifactLocation", '{');
    text("uri", uri_of(at.file.empty() ? kCommandLine : std::string_view(at.file)));
    close('}');
    const int line = std::max(at.line, 1);
    const int column = std::max(at.column, 1);
    open("region", '{');
    number("startLine", line);
    number("startColumn", column);
    number("endLine", std::max(at.end_line, line));
    number("endColumn", std::max(at.end_column, column + 1));
    close('}');
    close('}');
  }

  void result(const LaunchReport* launch, const ReportFinding& f) {
    const ReportSpan at = launch != nullptr ? place_of(*launch, f) : f.span.value_or(ReportSpan());
    std::string what = f.message;
    for (const std::string& detail : details_of(f)) what += "\n" + detail;
    if (launch != nullptr && f.decides() && !f.behind) {
      for (const ReportFix& fix : launch->fixes) {
        if (fix.reaches_go) what += "\nThis change reaches GO (re-run): " + fix.change;
      }
    }
    open('{');
    text("ruleId", f.rule);
    number("ruleIndex", static_cast<std::int64_t>(rules_.at(f.rule)));
    // The standard wants no level for what is open.
    text("kind", f.certain ? "fail" : "open");
    text("level", f.certain ? level_name(f.level) : "none");
    message("message", what);
    locations(at);
    related(f);
    open("partialFingerprints", '{');
    text("primaryLocationLineHash", f.fingerprint + ":" + std::to_string(++seen_[f.fingerprint]));
    close('}');
    suppressions(f);
    flow(f, at);
    open("properties", '{');
    text("kind", shown_kind(f));
    text("phase", phase_name(f.phase));
    boolean("behindRefusal", f.behind);
    if (launch != nullptr) text("launch", headline(*launch));
    close('}');
    close('}');
  }

  void related(const ReportFinding& f) {
    if (f.related.empty()) return;
    open("relatedLocations", '[');
    for (const RelatedLaunch& r : f.related) {
      open('{');
      physical(r.word);
      message("message", r.role.empty() ? "one more of these launches" : r.role);
      close('}');
    }
    close(']');
  }

  // An empty list says that nothing suppresses the result; without it that would not be known.
  void suppressions(const ReportFinding& f) {
    open("suppressions", '[');
    if (f.suppressed) {
      open('{');
      text("kind", f.suppressed->in_source ? "inSource" : "external");
      text("status", "accepted");
      text("justification", f.suppressed->reason);
      open("properties", '{');
      text("by", f.suppressed->by);
      if (!f.suppressed->until.empty()) text("until", f.suppressed->until);
      close('}');
      close('}');
    }
    close(']');
  }

  void flow(const ReportFinding& f, const ReportSpan& at) {
    if (f.trace.empty()) return;
    open("codeFlows", '[');
    open('{');
    open("threadFlows", '[');
    open('{');
    open("locations", '[');
    for (const TraceStep& step : f.trace) {
      open('{');
      open("location", '{');
      physical(step.span ? *step.span : at);
      message("message", step.text);
      close('}');
      close('}');
    }
    close(']');
    close('}');
    close(']');
    close('}');
    close(']');
  }

  void launches() {
    open("properties", '{');
    if (!report_.policy.empty()) text("policy", report_.policy);
    open("launches", '[');
    for (const LaunchReport& launch : report_.launches) {
      open('{');
      text("file", launch.span.file);
      number("line", launch.span.line);
      text("verdict", verdict_word(launch.verdict));
      text("entry", launch.entry);
      text("setting", launch.setting);
      if (launch.why.empty()) phases(launch.ladder);
      close('}');
    }
    close(']');
    close('}');
  }

  void phases(const Ladder& ladder) {
    open("phases", '{');
    for (std::size_t i = 0; i < kPhases; ++i) text(phase_name(static_cast<Phase>(i)), rung_name(ladder[i]));
    close('}');
  }

  const CheckReport& report_;
  std::map<std::string, std::size_t> rules_;  // id → index
  std::vector<const ReportFinding*> first_;   // of each rule
  std::map<std::string, std::size_t> seen_;   // how often a fingerprint was used
};

}  // namespace

std::string to_sarif(const CheckReport& report) { return Sarif(report).run(); }

}  // namespace gonogo
