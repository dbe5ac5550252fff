// The report for people: the verdict first and last, the user's own words with a caret, who chose what nobody typed.
#include <algorithm>
#include <set>
#include <vector>

#include "report/launch_report.h"
#include "report/overridden.h"
#include "report/report.h"
#include "report/text_writer.h"

namespace gonogo {

namespace {

constexpr std::size_t kMaxBehind = 6;
constexpr std::size_t kMaxNotEnough = 4;

class TextReport : private TextWriter {
 public:
  TextReport(const ReportInput& input, const LaunchReport& report, bool color)
      : TextWriter(color), in_(input), report_(report), out_of_(input.outcome) {}

  std::string run(std::string_view across) {
    head();
    findings();
    if (report_.verdict != Verdict::kNoGo) resolved();
    overrides();
    if (!across.empty()) line("");
    text_ += across;
    foot();
    return std::move(text_);
  }

  std::string details() {
    findings();
    return std::move(text_);
  }

 private:
  void findings() {
    missing();
    refusals();
    fixes();
    others();
    ignored();
  }

  std::string verdict() const { return verdict_text(report_.verdict, color_); }

  void head() {
    line(verdict() + "  " + report_.setting + ": " + counts_text(report_));
    std::string from = in_.version.from;
    if (!in_.version.exact) from += ", taken as " + std::string(in_.pack.version(in_.version.index));
    line("  " + wrapped("version " + from + (in_.model_where.empty() ? "" : "; model: " + in_.model_where), 4));
    line("  " + ladder_text(report_.ladder, color_));
    if (report_.verdict != report_.own_verdict) {
      line("  without the policy the answer is " + std::string(verdict_word(report_.own_verdict)));
    }
  }

  // What an UNKNOWN depends on. Where a few refusals hang on something they are named; a model that was not found
  // leaves hundreds open, and naming them would help nobody.
  void missing() {
    if (report_.missing.empty() && report_.faults.empty()) return;
    line("");
    line("The answer depends on what was not given:");
    for (const ReportMissing& m : report_.missing) {
      line("  - " + wrapped(missing_text(m), 4));
      for (const ReportFinding& f : report_.findings) {
        if (f.certain || f.folded || !f.decides() || f.depends_on != m.what) continue;
        line("      " + wrapped(f.message, 8) + "  [" + f.rule + "]");
      }
    }
    for (const std::string& fault : report_.faults) line("  - a rule could not be evaluated: " + wrapped(fault, 4));
  }

  void caret(const ReportFinding& f) {
    if (f.excerpt.empty() || !f.span) return;
    std::string indented = "    ";
    for (const char c : f.excerpt) {
      indented += c;
      if (c == '\n') indented += "    ";
    }
    while (!indented.empty() && (indented.back() == ' ' || indented.back() == '\n')) indented.pop_back();
    if (f.span->in_file()) line("  --> " + f.span->file + ":" + std::to_string(f.span->line));
    line(indented);
  }

  void explain(const ReportFinding& f) {
    if (const std::string note = level_note(f); !note.empty()) line("  " + wrapped(note, 2));
    caret(f);
    if (!f.hint.empty()) line("  " + wrapped(f.hint, 2));
    if (!f.because.empty()) line("  because " + wrapped(f.because, 10));
    for (const ReportChoice& c : f.chosen) {
      line("  you did not choose " + c.value + ": " + c.rule + " set " + c.field);
      if (!c.because.empty()) line("    " + wrapped("because " + c.because, 6));
    }
    if (!f.evidence.empty()) line("  it read");
    for (const std::string& e : f.evidence) line("    " + wrapped(e, 6));
  }

  void refusals() {
    std::size_t behind = 0;
    std::set<std::string> told;
    for (const ReportFinding& f : report_.findings) {
      if (!f.certain || !f.decides()) continue;
      if (!f.behind) {
        line("");
        line(paint("refused", "1;31") + " " + std::string(phase_meaning(f.phase)) + "  [" + f.rule + "]");
        line("  " + wrapped(f.message, 2));
        explain(f);
        continue;
      }
      if (!told.insert(f.message).second) continue;
      if (behind == 0) {
        line("");
        line("Behind it, these would refuse the same launch:");
      }
      if (++behind <= kMaxBehind) {
        line("  " + std::string(phase_name(f.phase)) + "  " + wrapped(f.message, 9) + "  [" + f.rule + "]");
      }
    }
    if (behind > kMaxBehind) line("  … and " + std::to_string(behind - kMaxBehind) + " more (--format json has all)");
  }

  void fixes() {
    if (report_.verdict != Verdict::kNoGo) return;
    bool any = false;
    int number = 0;
    for (const ReportFix& fix : report_.fixes) {
      if (!fix.reaches_go && !fix.leaves_open) continue;
      if (!any) {
        line("");
        line(fix.reaches_go
                 ? "Changes that reach GO (each was re-run):"
                 : "Changes that lift the refusal (each was re-run); whether the launch then goes depends on "
                   "what was not given:");
      }
      any = true;
      line("  " + std::to_string(++number) + "  " + fix.change);
    }
    if (!any) {
      line("");
      line(in_.fixes.tried == 0 ? "What would reach GO only you can know."
                                : "No change that was tried reaches GO (" + std::to_string(in_.fixes.tried) +
                                      " launches were resolved" + (in_.fixes.cut ? ", and more could be" : "") + ").");
    }
    std::size_t told = 0;
    for (const ReportFix& fix : report_.fixes) {
      if (fix.reaches_go || fix.leaves_open || ++told > kMaxNotEnough) continue;
      const std::string then = fix.then_refused_by.empty() ? "" : ": then " + fix.then_refused_by + " refuses";
      line("  not enough: " + fix.change + then);
    }
  }

  static std::string_view label(const ReportFinding& f) {
    if (f.level != f.own_level) return level_name(f.level);
    return f.action == Action::kWarn ? "warning" : f.action == Action::kInert ? "no effect" : "advice";
  }

  void others() {
    for (const ReportFinding& f : report_.findings) {
      if (f.suppressed || f.level == Level::kError || !f.told()) continue;
      line("");
      line(paint(label(f), f.level == Level::kNote ? "1;36" : "1;33") + "  " + wrapped(f.message, 2) + "  [" + f.rule +
           "]");
      if (f.level != Level::kNote) explain(f);
    }
    for (const std::string& note : report_.notes) {
      line("");
      line(paint("note", "1;36") + "  " + wrapped(note, 2));
    }
  }

  void ignored() {
    bool any = false;
    for (const ReportFinding& f : report_.findings) {
      if (!f.suppressed || !f.told()) continue;
      if (!any) {
        line("");
        line("Ignored:");
      }
      any = true;
      line("  " + wrapped(f.message, 4) + "  [" + f.rule + "]");
      line("    " + wrapped(suppression_text(*f.suppressed), 6));
    }
  }

  // Who decided a field: the user, a rule, or nobody.
  std::string decided_by(std::uint32_t field) const {
    const Change* change = last_change(out_of_, field);
    if (change != nullptr && !identical(change->value, in_.given->value(field))) {
      return std::string(in_.pack.text(in_.pack.rules[change->rule].id));
    }
    return in_.given->typed(field) ? "you" : "default";
  }

  void resolved() {
    line("");
    std::size_t width = 0;
    for (const auto& [id, value] : out_of_.summary) {
      if (!value.is_none() && !told_with_layers(in_.pack.text(id))) width = std::max(width, in_.pack.text(id).size());
    }
    for (const auto& [id, value] : out_of_.summary) {
      if (value.is_bad() || value.is_none() || told_with_layers(in_.pack.text(id))) continue;
      const std::string label(in_.pack.text(id));
      const std::uint32_t field = in_.pack.find_field(label);
      std::string row = "  " + label + std::string(width - label.size() + 2, ' ') + to_str(value);
      if (field != kNoIndex) {
        const std::string who = decided_by(field);
        if (row.size() < 48) row += std::string(48 - row.size(), ' ');
        row += "  " + who;
        const Value& typed = in_.given->value(field);
        if (in_.given->typed(field) && !identical(typed, value))
          row += "  (you typed " + to_str(shown(in_.pack, field, typed)) + ")";
      }
      line(row);
    }
    for (const auto& [name, value] : out_of_.env) line("  env " + name + (value ? "=" + *value : " is removed"));
    layers();
  }

  static std::string member(const Value& row, std::string_view key) {
    const Value* v = row.is_dict() ? row.find(key) : nullptr;
    return v != nullptr && v->is_str() ? std::string(v->as_str()) : std::string();
  }

  // A label of the summary that is also a class of layers stands there.
  bool told_with_layers(std::string_view label) const {
    if (!out_of_.layers.is_sequence()) return false;
    for (std::uint32_t i = 0; i < out_of_.layers.size(); ++i) {
      if (member(out_of_.layers[i], "layer") == label) return true;
    }
    return false;
  }

  // What runs each class of layers, as far as the pack says.
  void layers() {
    if (!out_of_.layers.is_sequence() || out_of_.layers.size() == 0) return;
    std::size_t width = 0;
    for (std::uint32_t i = 0; i < out_of_.layers.size(); ++i) {
      width = std::max(width, member(out_of_.layers[i], "layer").size());
    }
    line("");
    line("Layers:");
    for (std::uint32_t i = 0; i < out_of_.layers.size(); ++i) {
      const std::string name = member(out_of_.layers[i], "layer");
      line("  " + name + std::string(width - name.size() + 2, ' ') + member(out_of_.layers[i], "text"));
    }
  }

  // Flags that the user typed and that came out otherwise.
  void overrides() {
    const std::vector<Overridden> changes = overridden(in_);
    if (changes.empty()) return;
    line("");
    line("Typed, and changed:");
    for (const Overridden& change : changes) line("  " + wrapped(overridden_text(in_, change), 4));
  }

  void foot() {
    line("");
    line(verdict() + ": " + counts_text(report_) + "   rules " + std::string(in_.pack.text(in_.pack.about->name)) +
         " " + in_.pack.hash().substr(0, 12) + (report_.policy.empty() ? "" : "   policy " + report_.policy));
  }

  const ReportInput& in_;
  const LaunchReport& report_;
  const Outcome& out_of_;
};

}  // namespace

std::string to_text(const ReportInput& input, const LaunchReport& report, bool color, std::string_view across) {
  return TextReport(input, report, color).run(across);
}
std::string to_details(const ReportInput& input, const LaunchReport& report, bool color) {
  return TextReport(input, report, color).details();
}

}  // namespace gonogo
