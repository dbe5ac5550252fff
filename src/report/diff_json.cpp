// A comparison for machines: one JSON object, described by docs/diff.schema.json. Members may be added within a
// format_version; a change of meaning raises it.
#include "report/diff.h"
#include "report/json_writer.h"

namespace gonogo {

namespace {

constexpr int kFormatVersion = 1;

class DiffJson : private JsonWriter {
 public:
  DiffJson(const ReportInput& from, const ReportInput& to, const Diff& diff)
      : from_(from), to_(to), pack_(to.pack), diff_(diff) {}

  std::string run(int exit_code) {
    open('{');
    number("format_version", kFormatVersion);
    boolean("different", !diff_.same());
    number("differences", static_cast<std::int64_t>(diff_.count()));
    number("exit_code", exit_code);
    const Varied v = varied(from_, to_);
    open("varied", '[');
    if (v.version) item("version");
    if (v.gpu) item("gpu");
    if (v.model) item("model");
    if (v.launch) item("launch");
    close(']');
    side("from", from_);
    side("to", to_);
    text("rules_hash", pack_.hash());
    findings();
    notes("new_notes", diff_.new_notes);
    notes("lifted_notes", diff_.lifted_notes);
    list("new_missing", diff_.new_missing);
    list("lifted_missing", diff_.lifted_missing);
    open("kept_refusals", '[');
    for (const Finding* f : diff_.kept_refusals) {
      open('{');
      told(*f);
      close('}');
    }
    close(']');
    boolean("fields_compared", diff_.fields_compared);
    fields();
    env();
    summary();
    close('}');
    return take() + "\n";
  }

 private:
  void side(std::string_view name, const ReportInput& in) {
    open(name, '{');
    text("verdict", verdict_word(in.outcome.verdict));
    text("version", pack_.version(in.version.index));
    open("nodes", '[');
    for (const GpuSet& node : in.nodes) item(node.text());
    close(']');
    text("model", in.model_where);
    for (const Source& source : in.launch.sources) {
      if (source.name == kCommandLine) text("command", source.text);
    }
    close('}');
  }

  void by_rule(std::uint32_t rule, const std::string& gone = {}) {
    if (!gone.empty()) text("rule", gone);
    if (rule == kNoIndex) return;
    text("rule", pack_.text(pack_.rules[rule].id));
    text("because", pack_.text(pack_.note(rule).because));
  }

  void told(const Finding& f) {
    text("kind", kind_name(f.kind));
    text("phase", phase_name(f.phase));
    text("rule", rule_of(pack_, f));
    text("message", f.message);
    text("because", f.rule == kNoIndex ? std::string_view() : pack_.text(pack_.note(f.rule).because));
    boolean("certain", f.certain);
    boolean("behind_refusal", f.behind_failure);
  }

  void findings() {
    open("findings", '[');
    for (const FindingDiff& d : diff_.findings) {
      const Finding& f = d.to != nullptr ? *d.to : *d.from;
      open('{');
      text("change", d.from == nullptr ? "new" : d.to == nullptr ? "lifted" : "changed");
      told(f);
      if (d.from != nullptr && d.to != nullptr) {
        open("before", '{');
        text("message", d.from->message);
        boolean("certain", d.from->certain);
        close('}');
      }
      open("chosen", '[');
      for (const Change* c : chosen_for(d.to != nullptr ? to_ : from_, f)) {
        open('{');
        text("field", pack_.field_name(c->field));
        value("value", c->value);
        by_rule(c->rule);
        close('}');
      }
      close(']');
      close('}');
    }
    close(']');
  }

  void notes(std::string_view name, const std::vector<const UsageFinding*>& notes) {
    open(name, '[');
    for (const UsageFinding* n : notes) item(n->message);
    close(']');
  }

  void decided(std::string_view name, const Decided& d) {
    open(name, '{');
    value("value", d.value);
    text("by", d.rule != kNoIndex || !d.gone.empty() ? "rule" : d.typed ? "user" : "default");
    by_rule(d.rule, d.gone);
    close('}');
  }

  void fields() {
    open("fields", '[');
    for (const FieldDiff& d : diff_.fields) {
      open('{');
      text("field", pack_.field_name(d.field));
      text("name", d.name);
      decided("from", d.from);
      decided("to", d.to);
      close('}');
    }
    close(']');
  }

  void env_side(std::string_view name, const EnvDiff::Side& s) {
    open(name, '{');
    text("does", s.rule == kNoIndex && s.gone.empty() ? "nothing" : s.value ? "sets" : "removes");
    if (s.value) text("value", *s.value);
    by_rule(s.rule, s.gone);
    close('}');
  }

  void env() {
    open("env", '[');
    for (const EnvDiff& d : diff_.env) {
      open('{');
      text("name", d.name);
      env_side("from", d.from);
      env_side("to", d.to);
      close('}');
    }
    close(']');
  }

  void summary() {
    open("summary", '[');
    for (const SummaryDiff& d : diff_.summary) {
      open('{');
      text("name", d.name);
      value("from", d.from);
      value("to", d.to);
      close('}');
    }
    close(']');
  }

  const ReportInput& from_;
  const ReportInput& to_;
  const Pack& pack_;
  const Diff& diff_;
};

}  // namespace

std::string diff_to_json(const ReportInput& from, const ReportInput& to, const Diff& diff, int exit_code) {
  return DiffJson(from, to, diff).run(exit_code);
}

}  // namespace gonogo
