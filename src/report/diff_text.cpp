// A comparison for people: what was compared and how much differs first, then what changes whether it runs, then
// values.
#include <algorithm>
#include <vector>

#include "report/diff.h"
#include "report/text_writer.h"

namespace gonogo {

namespace {

constexpr std::size_t kLongValue = 60;
constexpr std::size_t kLongText = 160;
constexpr std::size_t kMostItems = 6;

std::string brief(const Value& v) {
  std::string text = v.is_unknown() ? "unknown" : v.is_str() && v.size() > 0 ? to_str(v) : to_repr(v);
  const std::size_t most = v.is_str() ? kLongText : kLongValue;
  if (text.size() <= most) return text;
  if (v.is_sequence()) return std::to_string(v.size()) + " items";
  std::size_t cut = most - 1;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xc0) == 0x80) --cut;
  return text.substr(0, cut) + "…";
}

// The items of `a` that `b` lacks, e.g. ", without 1, 2 …"; empty where there are none.
std::string items_text(std::string_view word, const Value& a, const Value& b) {
  std::string out;
  std::size_t told = 0;
  for (std::uint32_t i = 0; i < a.size(); ++i) {
    const bool held = std::any_of(b.items(), b.items() + b.size(), [&](const Value& v) { return identical(v, a[i]); });
    if (held) continue;
    if (told++ == kMostItems) return out + " …";
    out += (told == 1 ? ", " + std::string(word) + " " : ", ") + to_repr(a[i]);
  }
  return out;
}

std::string change_of(const Value& from, const Value& to) {
  std::string out = brief(from) + " -> " + brief(to);
  // Long lists are mostly alike: what only one of them holds tells more than their beginnings.
  const bool lists = from.is_sequence() && to.is_sequence();
  if (lists && std::max(to_repr(from).size(), to_repr(to).size()) > kLongValue) {
    out += items_text("without", from, to) + items_text("with", to, from);
  }
  return out;
}

class DiffText : private TextWriter {
 public:
  DiffText(const ReportInput& from, const ReportInput& to, const Diff& diff, bool color)
      : TextWriter(color), from_(from), to_(to), pack_(to.pack), diff_(diff) {}

  std::string run() {
    head();
    for (const FindingDiff& f : diff_.findings) finding(f);
    for (const UsageFinding* n : diff_.new_notes) note("new note", *n, "1;33");
    for (const UsageFinding* n : diff_.lifted_notes) note("no longer noted", *n, "1;32");
    depends("The answer depends on, from now on", diff_.new_missing);
    depends("The answer no longer depends on", diff_.lifted_missing);
    kept();
    resolved();
    return std::move(text_);
  }

 private:
  std::string verdict(Verdict v) const { return verdict_text(v, color_); }
  std::string version(const ReportInput& in) const { return std::string(pack_.version(in.version.index)); }

  static std::string command(const ReportInput& in) {
    for (const Source& source : in.launch.sources) {
      if (source.name == kCommandLine) return source.text;
    }
    return {};
  }

  void head() {
    const Varied v = varied(from_, to_);
    std::string what;
    const auto add = [&what](const std::string& text) { what += (what.empty() ? "" : ", ") + text; };
    if (v.version) add("version " + version(from_) + " -> " + version(to_));
    if (v.gpu) add("GPUs " + nodes_text(from_.nodes) + " -> " + nodes_text(to_.nodes));
    if (v.model) add("model 1 -> 2");
    if (v.launch) add("launch 1 -> 2");
    const std::size_t count = diff_.count();
    std::string differs = count == 0   ? "no difference"
                          : count == 1 ? "1 difference"
                                       : std::to_string(count) + " differences";
    differs += ", " + verdict(from_.outcome.verdict) +
               (diff_.verdict_differs ? " -> " + verdict(to_.outcome.verdict) : " in both");
    line(std::string(pack_.text(pack_.about->name)) + ", " + (what.empty() ? "nothing varied" : what) + ": " + differs);
    if (v.launch) {
      line("  launch 1  " + command(from_));
      line("  launch 2  " + command(to_));
    }
    if (v.model) {
      line("  model 1  " + wrapped(from_.model_where, 11));
      line("  model 2  " + wrapped(to_.model_where, 11));
    }
    std::string rest;
    if (!v.version) rest = "version " + version(to_) + ", " + to_.version.from;
    if (!v.gpu) rest += (rest.empty() ? "on " : "; on ") + nodes_text(to_.nodes);
    if (!v.model && !to_.model_where.empty()) rest += (rest.empty() ? "model: " : "; model: ") + to_.model_where;
    if (!rest.empty()) line("  " + wrapped(rest, 4));
  }

  void because(std::uint32_t rule, std::size_t indent) {
    if (rule == kNoIndex || pack_.note(rule).because == 0) return;
    line(std::string(indent, ' ') + "because " + wrapped(pack_.text(pack_.note(rule).because), indent + 8));
  }

  static std::string kind_text(const Finding& f) {
    const std::string kind = f.kind == Action::kInert ? "flag without effect" : std::string(kind_name(f.kind));
    return (f.certain ? "" : "possible ") + kind;
  }

  void finding(const FindingDiff& d) {
    const Finding& f = d.to != nullptr ? *d.to : *d.from;
    const ReportInput& in = d.to != nullptr ? to_ : from_;
    const bool grave = f.kind == Action::kFail;
    const char* const word = d.from == nullptr ? "new " : d.to == nullptr ? "lifted " : "changed ";
    const char* const code = d.to == nullptr ? "1;32" : grave ? "1;31" : "1;33";
    line("");
    line(paint(word + kind_text(f), code) + (grave ? " " + std::string(phase_meaning(f.phase)) : "") +
         (f.behind_failure && d.from == nullptr ? ", behind another" : "") + "  [" + std::string(rule_of(pack_, f)) +
         "]");
    if (d.from != nullptr && d.to != nullptr) {
      line("  was " + (d.from->certain ? std::string() : "possible: ") + wrapped(d.from->message, 6));
      line("  now " + (d.to->certain ? std::string() : "possible: ") + wrapped(d.to->message, 6));
    } else {
      line("  " + wrapped(f.message, 2));
    }
    if (f.usage && !f.usage->hint.empty()) line("  " + wrapped(f.usage->hint, 2));
    if (!f.certain) line("  it depends on " + wrapped(f.depends_on, 2));
    because(f.rule, 2);
    for (const Change* c : chosen_for(in, f)) {
      line("  you did not choose " + to_str(c->value) + ": " + std::string(pack_.text(pack_.rules[c->rule].id)) +
           " set " + std::string(pack_.field_name(c->field)));
      because(c->rule, 4);
    }
  }

  void note(std::string_view label, const UsageFinding& n, const char* code) {
    line("");
    line(paint(label, code) + "  " + wrapped(n.message, 2));
    if (!n.hint.empty()) line("  " + wrapped(n.hint, 2));
  }

  void depends(std::string_view label, const std::vector<std::string>& what) {
    if (what.empty()) return;
    line("");
    line(std::string(label) + ":");
    for (const std::string& w : what) line("  - " + wrapped(w, 4));
  }

  void kept() {
    if (diff_.kept_refusals.empty()) return;
    line("");
    line("Refused in both:");
    for (const Finding* f : diff_.kept_refusals)
      line("  " + wrapped(f->message, 2) + "  [" + std::string(rule_of(pack_, *f)) + "]");
  }

  std::string who(std::uint32_t rule, std::string_view otherwise) const {
    return rule == kNoIndex ? std::string(otherwise) : std::string(pack_.text(pack_.rules[rule].id));
  }

  void decided(std::uint32_t from, std::string_view from_otherwise, std::uint32_t to, std::string_view to_otherwise) {
    const std::string a = who(from, from_otherwise);
    const std::string b = who(to, to_otherwise);
    if (a == b) {
      line("    both  " + a);
      return because(to, 10);
    }
    line("    was   " + a);
    because(from, 10);
    line("    now   " + b);
    because(to, 10);
  }

  // Who decided where no rule of the pack did.
  static std::string_view no_rule(const Decided& d) {
    return !d.gone.empty() ? std::string_view(d.gone) : d.typed ? "you typed it" : "default";
  }

  static bool of_nobody(const FieldDiff& d) {
    return d.from.gone.empty() && d.from.rule == kNoIndex && d.to.rule == kNoIndex && !d.from.typed && !d.to.typed;
  }

  void resolved() {
    if (!diff_.fields_compared) {
      line("");
      line("Resolved values are not compared, since the runtime's parser refuses " +
           std::string(from_.given != nullptr ? "the second."
                       : to_.given != nullptr ? "the first."
                                              : "both."));
      return;
    }
    const auto defaults = static_cast<std::size_t>(std::count_if(diff_.fields.begin(), diff_.fields.end(), of_nobody));
    if (diff_.fields.size() > defaults || !diff_.env.empty() || !diff_.summary.empty()) {
      line("");
      line("Resolves differently:");
    }
    for (const SummaryDiff& d : diff_.summary) line("  " + wrapped(d.name + "  " + change_of(d.from, d.to), 4));
    for (const FieldDiff& d : diff_.fields) {
      if (of_nobody(d)) continue;
      line("  " + wrapped(d.name + "  " + change_of(d.from.value, d.to.value), 4));
      decided(d.from.rule, no_rule(d.from), d.to.rule, no_rule(d.to));
    }
    for (const EnvDiff& d : diff_.env) {
      const auto text = [](const EnvDiff::Side& s) {
        return s.value ? *s.value : std::string(s.rule == kNoIndex && s.gone.empty() ? "left alone" : "removed");
      };
      line("  env " + wrapped(d.name + "  " + text(d.from) + " -> " + text(d.to), 4));
      decided(d.from.rule, d.from.gone.empty() ? "nobody" : d.from.gone, d.to.rule, "nobody");
    }
    if (defaults == 0) return;
    line("");
    line("Defaults that nobody changed are others:");
    for (const FieldDiff& d : diff_.fields) {
      if (of_nobody(d)) line("  " + wrapped(d.name + "  " + change_of(d.from.value, d.to.value), 4));
    }
  }

  const ReportInput& from_;
  const ReportInput& to_;
  const Pack& pack_;
  const Diff& diff_;
};

}  // namespace

std::string diff_to_text(const ReportInput& from, const ReportInput& to, const Diff& diff, bool color) {
  return DiffText(from, to, diff, color).run();
}

}  // namespace gonogo
