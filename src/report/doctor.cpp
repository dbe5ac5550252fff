#include "report/doctor.h"

#include <algorithm>
#include <array>
#include <bit>

#include "report/json_writer.h"
#include "report/rule_text.h"
#include "report/text_writer.h"
#include "rules/walk.h"

namespace gonogo {

namespace {

constexpr int kFormatVersion = 1;
constexpr std::size_t kMostOthers = 3;
constexpr std::size_t kMostCauses = 3;

// "0.5.22, 0.5.23", or "all versions".
std::string versions_of(const Pack& pack, Mask mask) {
  return std::popcount(mask) == static_cast<int>(pack.version_count()) ? "all versions" : versions_listed(pack, mask);
}

class TextDoctor : private TextWriter {
 public:
  TextDoctor(const DoctorReport& report, bool color) : TextWriter(color), r_(report), pack_(report.pack) {}

  std::string run() {
    head();
    if (r_.causes.empty()) line("\nThe log holds no exception and no usage error.");
    for (std::size_t i = 0; i < r_.causes.size() && i < kMostCauses; ++i) cause(r_.causes[i], i == 0);
    if (r_.causes.size() > kMostCauses) {
      line("\n… and " + std::to_string(r_.causes.size() - kMostCauses) + " more exceptions (--format json has all)");
    }
    launch();
    return std::move(text_);
  }

 private:
  void head() {
    std::string what = std::to_string(r_.log.lines) + " lines";
    if (r_.log.cut) what += " (the rest of the log was not read)";
    if (!r_.log.version.empty()) what += ", " + std::string(pack_.text(pack_.about->name)) + " " + r_.log.version;
    for (const std::string& gpu : r_.log.gpus) what += ", " + gpu;
    line("log: " + what);
  }

  void cause(const DoctorReport::Cause& c, bool first) {
    const LogException& e = r_.log.exceptions[c.exception];
    line("");
    std::string where = e.frames.empty() ? "" : " in " + e.frames.back().check();
    if (e.type == "usage") where = " by the argument parser";
    line(painted(e.type, "1;31", color_) + where + "  (line " + std::to_string(e.line) +
         (e.times > 1 ? ", " + std::to_string(e.times) + " times" : "") + ")");
    if (!e.message.empty()) line("  " + wrapped(e.message.substr(0, 600), 2));
    if (e.type == "usage") {
      line("  The arguments were refused; gonogo check says at which word, and what is near.");
      return;
    }
    if (c.rules.empty()) {
      line("  No rule stands for this.");
      return;
    }
    if (!first && !c.rules[0].place_matches) return;
    rule(c.rules[0]);
    if (c.rules[0].confidence == Diagnosis::Confidence::kCertain) return;
    for (std::size_t i = 1; i < c.rules.size() && i <= kMostOthers; ++i) {
      if (i == 1) line("  or");
      line("    " + std::string(pack_.text(pack_.rules[c.rules[i].rule].id)) + ": " +
           wrapped(unparse(pack_, pack_.rules[c.rules[i].rule].payload.first), 6));
    }
  }

  void rule(const Diagnosis& d) {
    const RuleRec& r = pack_.rules[d.rule];
    const RuleNote& note = pack_.note(d.rule);
    line("  " + std::string(confidence_word(d.confidence)) + ": " + std::string(pack_.text(r.id)));
    line("    " + wrapped(unparse(pack_, r.payload.first), 4));
    if (note.because != 0) line("    because " + wrapped(pack_.text(note.because), 12));
    if (r.when != 0) line("    when " + wrapped(unparse(pack_, r.when), 9));
    line("    refused " + std::string(phase_meaning(r.phase)) + "; in " + versions_of(pack_, r.versions));
    std::string see;
    for (const StrId id : pack_.slice(note.see)) see += (see.empty() ? "" : ", ") + std::string(pack_.text(id));
    if (!see.empty()) line("    see " + see);
  }

  void launch() {
    line("");
    if (r_.launch == nullptr) {
      line(wrapped(r_.launch_from, 0));
      return;
    }
    const ReportInput& in = *r_.launch;
    if (r_.predicted == kNoIndex) {
      line(wrapped("By " + r_.launch_from + " the verdict is " + std::string(verdict_word(in.outcome.verdict)) +
                       ", and no refusal is this one: gonogo check says more.",
                   0));
      return;
    }
    const Finding& f = in.outcome.findings[r_.predicted];
    line("gonogo check refuses " + r_.launch_from + " in the same place  [" + std::string(rule_of(pack_, f)) + "]");
    line("  " + wrapped(f.message, 2));
    for (const Change* c : chosen_for(in, f)) {
      const RuleNote& by = pack_.note(c->rule);
      line("  you did not choose " + to_str(c->value) + ": " + std::string(pack_.text(pack_.rules[c->rule].id)) +
           " set " + std::string(pack_.field_name(c->field)));
      if (by.because != 0) line("    " + wrapped("because " + std::string(pack_.text(by.because)), 6));
    }
    for (const Evidence& e : f.evidence) line("    " + wrapped(evidence_text(in, e), 6));
    int number = 0;
    for (const FixTrial& trial : in.fixes.trials) {
      if (!trial.enough) continue;
      if (number == 0) line("\nChanges that reach GO (each was re-run):");
      line("  " + std::to_string(++number) + "  " + fix_text(in, trial));
    }
    if (number == 0) line("\nNo change that was tried reaches GO.");
  }

  const DoctorReport& r_;
  const Pack& pack_;
};

class JsonDoctor : private JsonWriter {
 public:
  explicit JsonDoctor(const DoctorReport& report) : r_(report), pack_(report.pack) {}

  std::string run(int exit_code) {
    open('{');
    number("format_version", kFormatVersion);
    number("exit_code", exit_code);
    boolean("explained", r_.explained());
    log();
    open("causes", '[');
    for (const DoctorReport::Cause& c : r_.causes) cause(c);
    close(']');
    launch();
    close('}');
    return take() + "\n";
  }

 private:
  void log() {
    open("log", '{');
    number("lines", static_cast<std::int64_t>(r_.log.lines));
    number("bytes", static_cast<std::int64_t>(r_.log.bytes));
    boolean("cut", r_.log.cut);
    text("version", r_.log.version);
    list("gpus", r_.log.gpus);
    close('}');
  }

  void cause(const DoctorReport::Cause& c) {
    const LogException& e = r_.log.exceptions[c.exception];
    open('{');
    text("type", e.type);
    text("message", e.message);
    number("line", static_cast<std::int64_t>(e.line));
    number("times", static_cast<std::int64_t>(e.times));
    open("frames", '[');
    for (const LogFrame& frame : e.frames) item(frame.check() + ":" + std::to_string(frame.line));
    close(']');
    open("rules", '[');
    for (const Diagnosis& d : c.rules) {
      const RuleRec& r = pack_.rules[d.rule];
      const RuleNote& note = pack_.note(d.rule);
      open('{');
      text("rule", pack_.text(r.id));
      text("confidence", confidence_word(d.confidence));
      boolean("place_matches", d.place_matches);
      text("check", pack_.text(note.check));
      text("phase", phase_name(r.phase));
      text("says", unparse(pack_, r.payload.first));
      text("when", unparse(pack_, r.when));
      text("because", pack_.text(note.because));
      open("versions", '[');
      for (std::uint32_t i = 0; i < pack_.version_count(); ++i) {
        if ((r.versions >> i & 1) != 0) item(pack_.version(i));
      }
      close(']');
      open("see", '[');
      for (const StrId id : pack_.slice(note.see)) item(pack_.text(id));
      close(']');
      close('}');
    }
    close(']');
    close('}');
  }

  void launch() {
    open("launch", '{');
    boolean("checked", r_.launch != nullptr);
    text("from", r_.launch_from);
    if (r_.launch != nullptr) {
      const ReportInput& in = *r_.launch;
      text("verdict", verdict_word(in.outcome.verdict));
      boolean("predicted", r_.predicted != kNoIndex);
      if (r_.predicted != kNoIndex) {
        const Finding& f = in.outcome.findings[r_.predicted];
        text("rule", rule_of(pack_, f));
        text("message", f.message);
        open("chosen", '[');
        for (const Change* c : chosen_for(in, f)) {
          open('{');
          text("field", pack_.field_name(c->field));
          value("value", c->value);
          text("rule", pack_.text(pack_.rules[c->rule].id));
          close('}');
        }
        close(']');
      }
      open("fixes", '[');
      for (const FixTrial& trial : in.fixes.trials) {
        if (trial.enough) item(fix_text(in, trial));
      }
      close(']');
    }
    close('}');
  }

  const DoctorReport& r_;
  const Pack& pack_;
};

}  // namespace

bool DoctorReport::explained() const {
  return !causes.empty() &&
         (predicted != kNoIndex || !causes[0].rules.empty() || log.exceptions[causes[0].exception].type == "usage");
}

std::string_view confidence_word(Diagnosis::Confidence confidence) {
  static constexpr std::array<std::string_view, 3> kWords = {"possible", "likely", "certain"};
  return kWords[static_cast<std::size_t>(confidence)];
}

std::string to_text(const DoctorReport& report, bool color) { return TextDoctor(report, color).run(); }

std::string to_json(const DoctorReport& report, int exit_code) { return JsonDoctor(report).run(exit_code); }

}  // namespace gonogo
