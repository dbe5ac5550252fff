// The report for machines: one JSON object, described by docs/report.schema.json. Members may be added within a
// format_version; a change of meaning raises it.
#include "base/json.h"

#include "report/json_writer.h"
#include "report/launch_report.h"
#include "report/overridden.h"
#include "report/report.h"
#include "rules/walk.h"

namespace gonogo {

namespace {

constexpr int kFormatVersion = 1;

class JsonFinding : private JsonWriter {
 public:
  std::string run(const ReportFinding& f) {
    open('{');
    text("kind", kind_name(f.action));
    text("level", level_name(f.level));
    if (f.level != f.own_level) text("level_by", f.level_by);
    suppressed(f);
    text("phase", phase_name(f.phase));
    text("rule", f.rule);
    text("message", f.message);
    boolean("certain", f.certain);
    boolean("behind_refusal", f.behind);
    if (!f.certain) text("depends_on", f.depends_on);
    if (!f.usage.empty()) text("usage", f.usage);
    if (!f.hint.empty()) text("hint", f.hint);
    if (!f.where.empty()) {
      text("check", f.check);
      text("because", f.because);
      text("file", f.where);
      list("see", f.see);
    }
    if (!f.field.empty()) text("field", f.field);
    open("chosen", '[');
    for (const ReportChoice& c : f.chosen) {
      open('{');
      text("field", c.field);
      raw("value", c.json);
      text("rule", c.rule);
      text("because", c.because);
      close('}');
    }
    close(']');
    word(f);
    list("evidence", f.evidence);
    related(f);
    close('}');
    return take();
  }

 private:
  void place(const ReportSpan& at) {
    text("file", at.file);
    number("line", at.line);
    number("column", at.column);
  }

  void related(const ReportFinding& f) {
    if (f.related.empty()) return;
    open("launches", '[');
    for (const RelatedLaunch& r : f.related) {
      open('{');
      if (r.role.empty()) {
        null("role");
      } else {
        text("role", r.role);
      }
      place(r.launch);
      open("word", '{');
      place(r.word);
      close('}');
      close('}');
    }
    close(']');
  }

  void word(const ReportFinding& f) {
    if (!f.span) return;
    open(f.word == kNoIndex ? "place" : "word", '{');
    if (f.word != kNoIndex) number("index", f.word);
    text("file", f.span->file);
    number("line", f.span->line);
    number("column", f.span->column);
    number("end_column", f.span->end_column);
    close('}');
  }

  void suppressed(const ReportFinding& f) {
    if (!f.suppressed) return;
    open("suppressed", '{');
    text("by", f.suppressed->by);
    text("reason", f.suppressed->reason);
    if (!f.suppressed->until.empty()) text("until", f.suppressed->until);
    close('}');
  }
};

class JsonReport : private JsonWriter {
 public:
  JsonReport(const ReportInput& input, const LaunchReport& report) : in_(input), report_(report), pack_(input.pack) {}

  std::string only_fixes() {
    fixes();
    return take();
  }

  std::string run(int exit_code, const std::vector<ReportFinding>* across) {
    open('{');
    number("format_version", kFormatVersion);
    text("verdict", verdict_word(report_.verdict));
    text("verdict_without_policy", verdict_word(report_.own_verdict));
    if (!report_.policy.empty()) text("policy", report_.policy);
    number("exit_code", exit_code);
    runtime();
    gpus();
    text("model", in_.model_where);
    phases();
    parts();
    findings("findings", report_.findings);
    if (across != nullptr) findings("across", *across);
    fixes();
    resolved();
    overrides();
    value("layers", in_.outcome.layers.is_sequence() ? in_.outcome.layers : Value::list(nullptr, 0));
    env();
    missing();
    list("faults", report_.faults);
    if (!report_.locked.empty()) raw("locked", report_.locked);
    close('}');
    return take() + "\n";
  }

 private:
  void runtime() {
    open("runtime", '{');
    text("name", pack_.text(pack_.about->name));
    text("version", pack_.version(in_.version.index));
    text("installed", in_.version.installed);
    boolean("exact", in_.version.exact);
    text("from", in_.version.from);
    text("rules_hash", pack_.hash());
    close('}');
  }

  void gpus() {
    open("nodes", '[');
    for (const GpuSet& node : in_.nodes) {
      open('{');
      text("source", node.source);
      number("count", static_cast<std::int64_t>(node.gpus.size()));
      if (!node.gpus.empty()) {
        text("gpu", node.gpus[0].name);
        number("memory_mib", node.gpus[0].memory_mib);
      }
      close('}');
    }
    close(']');
  }

  void missing() {
    open("missing", '[');
    for (const ReportMissing& m : report_.missing) item(m.what);
    close(']');
  }

  void phases() {
    open("phases", '{');
    for (std::size_t i = 0; i < kPhases; ++i) text(phase_name(static_cast<Phase>(i)), rung_name(report_.ladder[i]));
    close('}');
  }

  void overrides() {
    open("overridden", '[');
    for (const Overridden& change : overridden(in_)) {
      open('{');
      text("field", pack_.field_name(change.field));
      value("typed", change.typed);
      value("value", change.value);
      const RuleNote& note = pack_.note(change.rule);
      text("rule", pack_.text(pack_.rules[change.rule].id));
      text("because", pack_.text(note.because));
      text("logged", log_name(note.log));
      close('}');
    }
    close(']');
  }

  void parts() {
    open("parts", '{');
    for (std::size_t i = 0; i < in_.outcome.parts.size(); ++i) {
      const PartOutcome& part = in_.outcome.parts[i];
      open(pack_.text(pack_.parts[i].name), '{');
      boolean("reached", part.reached);
      boolean("ok", part.reached && !part.refused_by);
      if (part.refused_by) text("refused_by", rule_of(pack_, in_.outcome.findings[*part.refused_by]));
      if (part.reached && !part.refused_by) {
        for (const auto& [name, v] : part.answers) value(pack_.text(name), v);
      }
      close('}');
    }
    close('}');
  }

  void findings(std::string_view name, const std::vector<ReportFinding>& list) {
    open(name, '[');
    for (const ReportFinding& f : list) raw({}, to_json(f));
    close(']');
  }

  void fixes() {
    open("fixes", '[');
    for (const FixTrial& trial : in_.fixes.trials) {
      open('{');
      text("change", fix_text(in_, trial));
      boolean("reaches_go", trial.enough);
      if (trial.open) boolean("leaves_unknown", true);
      text("version", pack_.version(trial.version));
      changes(trial);
      if (trial.enough) list("args", masked_words(pack_, trial.args));
      if (!trial.enough && trial.refused_by != kNoIndex)
        text("then_refused_by", pack_.text(pack_.rules[trial.refused_by].id));
      close('}');
    }
    close(']');
  }

  // The changes one by one, for machines.
  void changes(const FixTrial& trial) {
    open("changes", '[');
    for (const WordEdit& mend : trial.mends) {
      open('{');
      const ShownMend shown = shown_mend(in_, mend);
      number("word", mend.first);
      number("words", mend.count);
      text("replace", shown.old);
      list("by", shown.by);
      close('}');
    }
    for (const FixChange& c : trial.fix) {
      open('{');
      if (c.kind == Target::kVersion) {
        text("version", pack_.version(trial.version));
      } else if (c.kind == Target::kEnv) {
        text("env", pack_.text(pack_.envs[c.target].name));
        if (c.value.is_none()) {
          null("value");
        } else {
          text("value", to_str(c.value));
        }
      } else {
        text("flag", pack_.flag_of(c.target, trial.version));
        value("value", c.value);
      }
      close('}');
    }
    close(']');
  }

  // Every field that somebody set: what it became and who decided.
  void resolved() {
    open("resolved", '{');
    for (std::uint32_t i = 0; in_.given != nullptr && i < pack_.fields.size(); ++i) {
      const Change* change = last_change(in_.outcome, i);
      if ((change == nullptr && !in_.given->typed(i)) || pack_.fields[i].volatile_value != 0) continue;
      open(pack_.field_name(i), '{');
      value("value", shown(pack_, i, in_.outcome.fields[i]));
      boolean("typed", in_.given->typed(i));
      if (!identical(in_.given->value(i), in_.outcome.fields[i])) value("given", shown(pack_, i, in_.given->value(i)));
      if (change != nullptr) {
        text("rule", pack_.text(pack_.rules[change->rule].id));
        text("pass", pack_.text(pack_.note(change->rule).pass));
      }
      close('}');
    }
    close('}');
  }

  void env() {
    open("env", '{');
    for (const auto& [name, v] : in_.outcome.env) {
      if (v) {
        text(name, is_secret(pack_, name) ? "***" : *v);
      } else {
        null(name);
      }
    }
    close('}');
  }

  const ReportInput& in_;
  const LaunchReport& report_;
  const Pack& pack_;
};

}  // namespace

std::string fixes_member(const ReportInput& input) { return JsonReport(input, LaunchReport()).only_fixes(); }

std::string to_json(const ReportFinding& finding) { return JsonFinding().run(finding); }

std::string to_json(const ReportInput& input, const LaunchReport& report, int exit_code,
                    const std::vector<ReportFinding>* across) {
  return JsonReport(input, report).run(exit_code, across);
}

}  // namespace gonogo
