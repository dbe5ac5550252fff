// The report for machines: one JSON object, described by docs/report.schema.json. Members may be added within a
// format_version; a change of meaning raises it.
#include "base/json.h"

#include <set>

#include "report/json_writer.h"
#include "report/ladder.h"
#include "report/overridden.h"
#include "report/report.h"
#include "rules/walk.h"

namespace gonogo {

namespace {

constexpr int kFormatVersion = 1;

class JsonReport : private JsonWriter {
 public:
  explicit JsonReport(const ReportInput& input) : in_(input), pack_(input.pack) {}

  std::string only_fixes() {
    fixes();
    return take();
  }

  std::string run(int exit_code) {
    open('{');
    number("format_version", kFormatVersion);
    text("verdict", verdict_word(in_.outcome.verdict));
    number("exit_code", exit_code);
    runtime();
    gpus();
    text("model", in_.model_where);
    phases();
    parts();
    findings();
    fixes();
    resolved();
    overrides();
    value("layers", in_.outcome.layers.is_sequence() ? in_.outcome.layers : Value::list(nullptr, 0));
    env();
    list("missing", in_.outcome.missing);
    list("faults", in_.outcome.faults);
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

  void phases() {
    const Ladder ladder = ladder_of(in_.outcome);
    open("phases", '{');
    for (std::size_t i = 0; i < kPhases; ++i) text(phase_name(static_cast<Phase>(i)), rung_name(ladder[i]));
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

  void word(const Finding& f) {
    const std::uint32_t index = word_of(in_, f);
    if (index >= in_.launch.args.size()) return;
    const Word& w = in_.launch.args[index];
    open("word", '{');
    number("index", index);
    text("file", w.place.file);
    number("line", w.place.line);
    number("column", w.place.column);
    close('}');
  }

  void evidence(const Finding& f) {
    open("evidence", '[');
    for (const Evidence& e : f.evidence) {
      item(evidence_text(in_, e));
    }
    close(']');
  }

  void findings() {
    open("findings", '[');
    for (const Finding& f : in_.outcome.findings) {
      open('{');
      text("kind", kind_name(f.kind));
      text("phase", phase_name(f.phase));
      text("rule", rule_of(pack_, f));
      text("message", f.message);
      boolean("certain", f.certain);
      boolean("behind_refusal", f.behind_failure);
      if (!f.certain) text("depends_on", f.depends_on);
      if (f.usage) {
        text("usage", usage_kind_name(f.usage->kind));
        if (!f.usage->hint.empty()) text("hint", f.usage->hint);
      }
      if (f.rule != kNoIndex) {
        const RuleNote& rule = pack_.note(f.rule);
        text("check", pack_.text(rule.check));
        text("because", pack_.text(rule.because));
        text("file", std::string(pack_.text(rule.file)) + ":" + std::to_string(rule.line));
        open("see", '[');
        for (const StrId see : pack_.slice(rule.see)) {
          item(pack_.text(see));
        }
        close(']');
      }
      if (f.field != kNoIndex) text("field", pack_.field_name(f.field));
      open("chosen", '[');
      for (const Change* c : chosen_for(in_, f)) {
        open('{');
        text("field", pack_.field_name(c->field));
        value("value", c->value);
        text("rule", pack_.text(pack_.rules[c->rule].id));
        text("because", pack_.text(pack_.note(c->rule).because));
        close('}');
      }
      close(']');
      word(f);
      evidence(f);
      close('}');
    }
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
  const Pack& pack_;
};

}  // namespace

std::string fixes_member(const ReportInput& input) { return JsonReport(input).only_fixes(); }

std::string to_json(const ReportInput& input, int exit_code) { return JsonReport(input).run(exit_code); }

}  // namespace gonogo
