// The report for people: the verdict first and last, the user's own words with a caret, who chose what nobody typed.
#include <algorithm>
#include <set>
#include <vector>

#include "report/ladder.h"
#include "report/overridden.h"
#include "report/report.h"

namespace gonogo {

namespace {

constexpr std::size_t kMaxBehind = 6;
constexpr std::size_t kMaxNotEnough = 4;
constexpr std::size_t kMaxOpen = 5;

class TextReport {
 public:
  TextReport(const ReportInput& input, bool color) : in_(input), out_of_(input.outcome), color_(color) {}

  std::string run() {
    head();
    missing();
    refusals();
    fixes();
    others();
    if (out_of_.verdict != Verdict::kNoGo) resolved();
    overrides();
    foot();
    return std::move(text_);
  }

  std::string details() {
    missing();
    refusals();
    fixes();
    others();
    return std::move(text_);
  }

 private:
  void line(std::string_view text) {
    text_ += text;
    text_ += '\n';
  }
  std::string paint(std::string_view text, const char* code) const { return painted(text, code, color_); }
  std::string verdict() const { return verdict_text(out_of_.verdict, color_); }

  void head() {
    const std::string name(in_.pack.text(in_.pack.about->name));
    const std::string where = nodes_text(in_.nodes);
    line(verdict() + "  " + name + " " + std::string(in_.pack.version(in_.version.index)) + " on " + where + ": " +
         counts_text(out_of_));
    std::string from = in_.version.from;
    if (!in_.version.exact) from += ", taken as " + std::string(in_.pack.version(in_.version.index));
    line("  version " + from + (in_.model_where.empty() ? "" : "; model: " + in_.model_where));
    line("  " + ladder_text(ladder_of(out_of_), color_));
  }

  // What an UNKNOWN depends on. Where a few refusals hang on something they are named; a model that was not found
  // leaves hundreds open, and naming them would help nobody.
  void missing() {
    if (out_of_.missing.empty() && out_of_.faults.empty()) return;
    line("");
    line("The answer depends on what was not given:");
    for (const std::string& what : out_of_.missing) {
      std::vector<const Finding*> open;
      for (const Finding& f : out_of_.findings) {
        if (f.kind == Action::kFail && !f.certain && f.depends_on == what) open.push_back(&f);
      }
      line("  - " + wrapped(what, 4) + "  (" + std::to_string(open.size()) +
           (open.size() == 1 ? " refusal depends on it)" : " refusals depend on it)"));
      for (std::size_t i = 0; open.size() <= kMaxOpen && i < open.size(); ++i) {
        line("      " + wrapped(open[i]->message, 8) + "  [" + std::string(rule_of(in_.pack, *open[i])) + "]");
      }
    }
    for (const std::string& fault : out_of_.faults) line("  - a rule could not be evaluated: " + wrapped(fault, 4));
  }

  void caret(const Finding& f) {
    const std::uint32_t word = word_of(in_, f);
    const Place place = word < in_.launch.args.size() ? in_.launch.args[word].place
                        : f.usage                     ? f.usage->place
                                                      : Place();
    const std::string lines = excerpt(in_.launch, place);
    if (lines.empty()) return;
    std::string indented = "    ";
    for (const char c : lines) {
      indented += c;
      if (c == '\n') indented += "    ";
    }
    while (!indented.empty() && (indented.back() == ' ' || indented.back() == '\n')) indented.pop_back();
    if (place.file != kCommandLine) line("  --> " + place.file + ":" + std::to_string(place.line));
    line(indented);
  }

  void explain(const Finding& f) {
    caret(f);
    if (f.usage && !f.usage->hint.empty()) line("  " + wrapped(f.usage->hint, 2));
    if (f.rule == kNoIndex) return;
    const RuleNote& rule = in_.pack.note(f.rule);
    if (rule.because != 0) line("  because " + wrapped(in_.pack.text(rule.because), 10));
    for (const Change* c : chosen_for(in_, f)) {
      const RuleNote& by = in_.pack.note(c->rule);
      line("  you did not choose " + to_str(c->value) + ": " + std::string(in_.pack.text(in_.pack.rules[c->rule].id)) +
           " set " + std::string(in_.pack.field_name(c->field)));
      if (by.because != 0) line("    " + wrapped("because " + std::string(in_.pack.text(by.because)), 6));
    }
    if (!f.evidence.empty()) line("  it read");
    for (const Evidence& e : f.evidence) line("    " + wrapped(evidence_text(in_, e), 6));
  }

  void refusals() {
    std::size_t behind = 0;
    std::set<std::string> told;
    for (const Finding& f : out_of_.findings) {
      if (f.kind != Action::kFail || !f.certain) continue;
      if (!f.behind_failure) {
        line("");
        line(paint("refused", "1;31") + " " + std::string(phase_meaning(f.phase)) + "  [" +
             std::string(rule_of(in_.pack, f)) + "]");
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
        line("  " + std::string(phase_name(f.phase)) + "  " + wrapped(f.message, 9) + "  [" +
             std::string(rule_of(in_.pack, f)) + "]");
      }
    }
    if (behind > kMaxBehind) line("  … and " + std::to_string(behind - kMaxBehind) + " more (--format json has all)");
  }

  void fixes() {
    if (out_of_.verdict != Verdict::kNoGo) return;
    bool any = false;
    int number = 0;
    for (const FixTrial& trial : in_.fixes.trials) {
      if (!trial.enough && !trial.open) continue;
      if (!any) {
        line("");
        line(trial.enough ? "Changes that reach GO (each was re-run):"
                          : "Changes that lift the refusal (each was re-run); whether the launch then goes depends on "
                            "what was not given:");
      }
      any = true;
      line("  " + std::to_string(++number) + "  " + fix_text(in_, trial));
    }
    if (!any) {
      line("");
      line(in_.fixes.tried == 0 ? "What would reach GO only you can know."
                                : "No change that was tried reaches GO (" + std::to_string(in_.fixes.tried) +
                                      " launches were resolved" + (in_.fixes.cut ? ", and more could be" : "") + ").");
    }
    std::size_t told = 0;
    for (const FixTrial& trial : in_.fixes.trials) {
      if (trial.enough || trial.open || ++told > kMaxNotEnough) continue;
      const std::string then =
          trial.refused_by == kNoIndex
              ? ""
              : ": then " + std::string(in_.pack.text(in_.pack.rules[trial.refused_by].id)) + " refuses";
      line("  not enough: " + fix_text(in_, trial) + then);
    }
  }

  void others() {
    for (const Finding& f : out_of_.findings) {
      if (f.kind == Action::kFail || (f.behind_failure && f.kind != Action::kInert)) continue;
      line("");
      const std::string label = f.kind == Action::kWarn ? "warning" : f.kind == Action::kInert ? "no effect" : "advice";
      line(paint(label, f.kind == Action::kAdvise ? "1;36" : "1;33") + "  " + wrapped(f.message, 2) + "  [" +
           std::string(rule_of(in_.pack, f)) + "]");
      if (f.kind != Action::kAdvise) explain(f);
    }
    if (in_.given == nullptr) return;
    for (const UsageFinding& note : in_.given->notes) {
      line("");
      line(paint("note", "1;36") + "  " + wrapped(note.message, 2));
      if (!note.hint.empty()) line("  " + wrapped(note.hint, 2));
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
    line(verdict() + ": " + counts_text(out_of_) + "   rules " + std::string(in_.pack.text(in_.pack.about->name)) +
         " " + in_.pack.hash().substr(0, 12));
  }

  const ReportInput& in_;
  const Outcome& out_of_;
  bool color_;
  std::string text_;
};

}  // namespace

std::string to_text(const ReportInput& input, bool color) { return TextReport(input, color).run(); }
std::string to_details(const ReportInput& input, bool color) { return TextReport(input, color).details(); }

}  // namespace gonogo
