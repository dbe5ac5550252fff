#include "report/diff.h"

#include <algorithm>
#include <set>

namespace gonogo {

namespace {

// Floats that are no numbers are the same here, though they are not equal.
bool same(const Value& a, const Value& b) { return identical(a, b) || to_repr(a) == to_repr(b); }

using Path = std::vector<std::string_view>;

// The value under the keys of `path`; None where it leads nowhere.
Value below(const Value& value, const Path& path) {
  const Value* here = &value;
  for (const std::string_view key : path) {
    const Value* next = here->find(key);
    if (next == nullptr) return here->is_unknown() ? *here : Value();
    here = next;
  }
  return *here;
}

// Whether a version has a field: one that no flag of any version sets belongs to all.
bool has_field(const Pack& pack, std::uint32_t field, std::uint32_t version) {
  bool any = false;
  for (const FlagRec& flag : pack.flags) {
    if (flag.field != field) continue;
    if ((flag.versions >> version & 1) != 0) return true;
    any = true;
  }
  return !any;
}

class Comparer {
 public:
  Comparer(const ReportInput& from, const ReportInput& to) : from_(from), to_(to), pack_(to.pack) {}

  Diff run() {
    out_.verdict_differs = from_.outcome.verdict != to_.outcome.verdict;
    out_.fields_compared = from_.given != nullptr && to_.given != nullptr;
    if (out_.fields_compared) {
      fields();
      env();
      summary();
      notes();
    }
    findings();
    missing();
    return std::move(out_);
  }

 private:
  // Those of the summary first, in its order.
  void fields() {
    std::set<std::uint32_t> done;
    for (const auto& [label, value] : to_.outcome.summary) {
      const std::uint32_t i = pack_.find_field(pack_.text(label));
      if (i != kNoIndex && done.insert(i).second) field(i);
    }
    for (std::uint32_t i = 0; i < pack_.fields.size(); ++i) {
      if (!done.contains(i)) field(i);
    }
  }

  void field(std::uint32_t i) {
    const Value& a = from_.outcome.fields[i];
    const Value& b = to_.outcome.fields[i];
    if (pack_.fields[i].volatile_value != 0 || same(a, b) || only_new(i)) return;
    Path path;
    leaf(i, a, b, &path);
  }

  // A field that one of the versions lacks and that nobody touches in the other.
  bool only_new(std::uint32_t i) const {
    const bool in_from = has_field(pack_, i, from_.version.index);
    const bool in_to = has_field(pack_, i, to_.version.index);
    if (in_from == in_to) return false;
    const ReportInput& where = in_to ? to_ : from_;
    return !where.given->typed(i) && last_change(where.outcome, i) == nullptr;
  }

  void leaf(std::uint32_t i, const Value& a, const Value& b, Path* path) {
    if (same(a, b)) return;
    const std::string name(pack_.field_name(i));
    if (!a.is_dict() || !b.is_dict() || is_secret(pack_, name)) {
      FieldDiff& d = out_.fields.emplace_back();
      d.field = i;
      d.name = name;
      for (const std::string_view key : *path) d.name += "." + std::string(key);
      d.from = decided_at(from_, i, *path);
      d.to = decided_at(to_, i, *path);
      d.from.value = shown(pack_, i, a);
      d.to.value = shown(pack_, i, b);
      return;
    }
    const auto step = [&](std::string_view key) {
      const Value* x = a.find(key);
      const Value* y = b.find(key);
      path->push_back(key);
      leaf(i, x == nullptr ? Value() : *x, y == nullptr ? Value() : *y, path);
      path->pop_back();
    };
    for (std::uint32_t k = 0; k < a.size(); ++k) step(a.entries()[k].key.as_str());
    for (std::uint32_t k = 0; k < b.size(); ++k) {
      if (a.find(b.entries()[k].key.as_str()) == nullptr) step(b.entries()[k].key.as_str());
    }
  }

  void env() {
    std::set<std::string> names;
    for (const auto& [name, value] : from_.outcome.env) names.insert(name);
    for (const auto& [name, value] : to_.outcome.env) names.insert(name);
    const auto side = [&](const Outcome& outcome, const std::string& name) {
      EnvDiff::Side s;
      const auto value = outcome.env.find(name);
      if (value != outcome.env.end()) s.value = value->second;
      const auto rule = outcome.env_by.find(name);
      if (rule != outcome.env_by.end()) s.rule = rule->second;
      return s;
    };
    for (const std::string& name : names) {
      const EnvDiff::Side a = side(from_.outcome, name);
      const EnvDiff::Side b = side(to_.outcome, name);
      const bool both = from_.outcome.env.contains(name) && to_.outcome.env.contains(name);
      if (both && a.value == b.value) continue;
      EnvDiff d{name, a, b};
      for (EnvDiff::Side* s : {&d.from, &d.to}) {
        if (s->value && is_secret(pack_, name)) s->value = "***";
      }
      out_.env.push_back(std::move(d));
    }
  }

  void summary() {
    const auto find = [&](StrId label) {
      for (const auto& [id, value] : from_.outcome.summary) {
        if (id == label) return value;
      }
      return Value();
    };
    for (const auto& [label, value] : to_.outcome.summary) {
      if (pack_.find_field(pack_.text(label)) != kNoIndex || follows_field(label)) continue;
      const Value before = find(label);
      if (!same(before, value)) out_.summary.push_back({std::string(pack_.text(label)), before, value});
    }
  }

  // Whether a row of the summary merely repeats an entry that is told already.
  bool follows_field(StrId label) const {
    const auto value_in = [&](const ReportInput& input) -> Value {
      for (const auto& [id, value] : input.outcome.summary) {
        if (id == label) return value;
      }
      return {};
    };
    const Value a = value_in(from_);
    const Value b = value_in(to_);
    return std::any_of(out_.fields.begin(), out_.fields.end(), [&](const FieldDiff& d) {
      return d.name.find('.') != std::string::npos && same(d.from.value, a) && same(d.to.value, b);
    });
  }

  void notes() {
    const auto only = [](const Given& here, const Given& there, std::vector<const UsageFinding*>* out) {
      for (const UsageFinding& note : here.notes) {
        const bool known = std::any_of(there.notes.begin(), there.notes.end(),
                                       [&](const UsageFinding& n) { return n.message == note.message; });
        if (!known) out->push_back(&note);
      }
    };
    only(*to_.given, *from_.given, &out_.new_notes);
    only(*from_.given, *to_.given, &out_.lifted_notes);
  }

  // Pairs findings of the same rule, those with the same words first. What a launch that never gets there would also
  // have warned of is not told, so it is paired but never a difference of its own.
  void findings() {
    const std::vector<Finding>& a = from_.outcome.findings;
    const std::vector<Finding>& b = to_.outcome.findings;
    std::vector<const Finding*> partner(b.size(), nullptr);
    std::vector<bool> paired(a.size(), false);
    for (const bool words : {true, false}) {
      for (std::size_t j = 0; j < b.size(); ++j) {
        for (std::size_t i = 0; i < a.size() && partner[j] == nullptr; ++i) {
          if (paired[i] || a[i].kind != b[j].kind || rule_of(pack_, a[i]) != rule_of(pack_, b[j])) continue;
          if (a[i].message != b[j].message && (words || a[i].rule == kNoIndex)) continue;
          paired[i] = true;
          partner[j] = &a[i];
        }
      }
    }
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (partner[j] == nullptr) {
        if (told(b[j])) out_.findings.push_back({nullptr, &b[j]});
        continue;
      }
      if (partner[j]->message != b[j].message || partner[j]->certain != b[j].certain) {
        if (told(b[j]) || told(*partner[j])) out_.findings.push_back({partner[j], &b[j]});
      } else if (b[j].kind == Action::kFail && b[j].certain) {
        out_.kept_refusals.push_back(&b[j]);
      }
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!paired[i] && told(a[i])) out_.findings.push_back({&a[i], nullptr});
    }
  }

  static bool told(const Finding& f) {
    return f.kind == Action::kFail || f.kind == Action::kInert || !f.behind_failure;
  }

  void missing() {
    const auto only = [](const Outcome& here, const Outcome& there, std::vector<std::string>* out) {
      for (const auto list : {&Outcome::missing, &Outcome::faults}) {
        for (const std::string& what : here.*list) {
          if (std::find((there.*list).begin(), (there.*list).end(), what) == (there.*list).end()) out->push_back(what);
        }
      }
    };
    only(to_.outcome, from_.outcome, &out_.new_missing);
    only(from_.outcome, to_.outcome, &out_.lifted_missing);
  }

  const ReportInput& from_;
  const ReportInput& to_;
  const Pack& pack_;
  Diff out_;
};

}  // namespace

// The last rule that made the value another one, not the last that wrote it once more.
Decided decided_at(const ReportInput& input, std::uint32_t field, const std::vector<std::string_view>& path) {
  Decided out;
  out.value = below(input.given->value(field), path);
  out.typed = input.given->typed(field);
  for (const Change& c : input.outcome.history) {
    if (c.field != field) continue;
    const Value next = below(c.value, path);
    if (same(next, out.value)) continue;
    out.value = next;
    out.rule = c.rule;
  }
  return out;
}

std::size_t Diff::count() const {
  return fields.size() + env.size() + summary.size() + findings.size() + new_notes.size() + lifted_notes.size() +
         new_missing.size() + lifted_missing.size();
}

Diff diff_of(const ReportInput& from, const ReportInput& to) { return Comparer(from, to).run(); }

Varied varied(const ReportInput& from, const ReportInput& to) {
  Varied out;
  out.version = from.version.index != to.version.index;
  out.gpu = !std::equal(from.nodes.begin(), from.nodes.end(), to.nodes.begin(), to.nodes.end(),
                        [](const GpuSet& a, const GpuSet& b) { return a.text() == b.text(); });
  // It was not looked for where the parser refuses.
  out.model = from.given != nullptr && to.given != nullptr && from.model_where != to.model_where;
  const auto words = [](const ReportInput& in) {
    std::vector<std::string> texts;
    for (const auto& [name, value] : in.launch.env) texts.push_back(name + "=" + value);
    texts.insert(texts.end(), in.launch.unset.begin(), in.launch.unset.end());
    for (const auto* list : {&in.launch.program, &in.launch.args}) {
      texts.emplace_back();
      for (const Word& w : *list) texts.push_back(w.text);
    }
    return texts;
  };
  out.launch = words(from) != words(to);
  return out;
}

}  // namespace gonogo
