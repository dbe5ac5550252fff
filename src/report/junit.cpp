#include <pugixml.hpp>
#include <sstream>

#include "base/text.h"
#include "report/formats.h"

namespace gonogo {

namespace {

// XML 1.0 has no way to write most control characters, nor bytes that are no UTF-8.
std::string writable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t valid = std::min(invalid_utf8(text), text.size());
    for (const char c : text.substr(0, valid)) {
      const bool control = (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' && c != '\r') || c == 0x7f;
      out += control ? std::string("\uFFFD") : std::string(1, c);
    }
    if (valid < text.size()) out += "\uFFFD";
    text.remove_prefix(std::min(valid + 1, text.size()));
  }
  return out;
}

void set(pugi::xml_node node, const char* name, std::string_view value) {
  node.append_attribute(name).set_value(writable(value).c_str());
}

// A suite with its counts.
class Suite {
 public:
  Suite(pugi::xml_node suites, const std::string& name) : node_(suites.append_child("testsuite")) {
    set(node_, "name", name);
  }

  void property(const char* name, const std::string& value) {
    if (!properties_) properties_ = node_.append_child("properties");
    pugi::xml_node child = properties_.append_child("property");
    set(child, "name", name);
    set(child, "value", value);
  }

  // A case with `kind` ("failure", "error", "skipped"), or with `text` as what it printed.
  void add(const std::string& classname, const std::string& name, const char* kind, const std::string& message,
           const std::string& text) {
    pugi::xml_node node = node_.append_child("testcase");
    set(node, "name", name);
    set(node, "classname", classname);
    ++tests;
    if (kind == nullptr) {
      if (!text.empty()) node.append_child("system-out").text().set(writable(text).c_str());
      return;
    }
    const std::string_view what = kind;
    ++(what == "failure" ? failures : what == "error" ? errors : skipped);
    pugi::xml_node child = node.append_child(kind);
    set(child, "message", message);
    set(child, "type", classname);
    child.text().set(writable(text).c_str());
  }

  void close() {
    set(node_, "tests", std::to_string(tests));
    set(node_, "failures", std::to_string(failures));
    set(node_, "errors", std::to_string(errors));
    set(node_, "skipped", std::to_string(skipped));
  }

  int tests = 0;
  int failures = 0;
  int errors = 0;
  int skipped = 0;

 private:
  pugi::xml_node node_;
  pugi::xml_node properties_;
};

std::string lines(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += text + "\n";
  return out;
}

class Junit {
 public:
  explicit Junit(const CheckReport& report) : report_(report), suites_(document_.append_child("testsuites")) {}

  std::string run() {
    pugi::xml_node declaration = document_.prepend_child(pugi::node_declaration);
    declaration.append_attribute("version") = "1.0";
    declaration.append_attribute("encoding") = "UTF-8";
    set(suites_, "name", "gonogo");
    for (const LaunchReport& launch : report_.launches) add(launch);
    others();
    set(suites_, "tests", std::to_string(tests_));
    set(suites_, "failures", std::to_string(failures_));
    set(suites_, "errors", std::to_string(errors_));
    std::ostringstream out;
    document_.save(out, "  ", pugi::format_default, pugi::encoding_utf8);
    return out.str();
  }

 private:
  void finding(const ReportFinding& f, const ReportSpan& at, Suite* suite) {
    const char* kind = report_.fails(f) ? "failure" : f.suppressed || !f.certain ? "skipped" : nullptr;
    std::string text = at.file.empty() ? "" : at.text() + "\n";
    text += (f.suppressed ? "ignored" : shown_kind(f)) + ", " + std::string(phase_meaning(f.phase)) + "\n" + f.message +
            "\n" + lines(details_of(f));
    for (const TraceStep& step : f.trace) text += "  " + step.text + "\n";
    suite->add(f.rule, f.message, kind, f.message, text);
  }

  void add(const LaunchReport& launch) {
    const std::string where =
        launch.span.in_file() ? launch.span.file + ":" + std::to_string(launch.span.line) : std::string("command line");
    Suite suite(suites_, where);
    suite.property("verdict", std::string(verdict_word(launch.verdict)));
    suite.property("setting", launch.setting);
    suite.property("entry", launch.entry);
    if (launch.why.empty()) suite.property("phases", ladder_text(launch.ladder, false));
    suite.property("rules", report_.rules);
    // The launch as a whole is a case of its own, so that no suite is empty; a NO-GO is its findings' failure.
    const char* kind = launch.verdict != Verdict::kUnknown ? nullptr : report_.strict ? "failure" : "skipped";
    suite.add("gonogo", "verdict", kind, headline(launch), headline(launch) + "\n" + lines(details_of(launch)));
    for (const ReportFinding& f : launch.findings) {
      if (f.told()) finding(f, place_of(launch, f), &suite);
    }
    close(&suite);
  }

  // What concerns no single launch. Without any launch it says so.
  void others() {
    if (report_.across.empty() && report_.errors.empty() && !report_.launches.empty()) return;
    Suite suite(suites_, "gonogo");
    if (report_.launches.empty()) suite.add("gonogo", "launches", "skipped", totals_text(report_), "");
    for (const ReportFinding& f : report_.across) finding(f, f.span.value_or(ReportSpan()), &suite);
    for (const Error& e : report_.errors) suite.add("gonogo.input", e.place.file, "error", e.what, to_text(e));
    close(&suite);
  }

  void close(Suite* suite) {
    suite->close();
    tests_ += suite->tests;
    failures_ += suite->failures;
    errors_ += suite->errors;
  }

  const CheckReport& report_;
  pugi::xml_document document_;
  pugi::xml_node suites_;
  int tests_ = 0;
  int failures_ = 0;
  int errors_ = 0;
};

}  // namespace

std::string to_junit(const CheckReport& report) { return Junit(report).run(); }

}  // namespace gonogo
