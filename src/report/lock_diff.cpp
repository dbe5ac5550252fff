// A launch compared with what a lock says of it. The lock's side is made an outcome again, as far as the lock goes, so
// that the comparison of outcomes and its reports serve here as well. A value that would be written as it stands in the
// lock is taken over from the launch of today: what is masked or has no exact text never differs by that alone.
#include <algorithm>
#include <map>

#include "base/json.h"
#include "report/diff.h"
#include "report/json_writer.h"
#include "report/lock.h"

namespace gonogo {

namespace {

using Rows = std::vector<const LockedRow*>;

// Rows by the field that they belong to, or by their own name.
std::map<std::string, Rows, std::less<>> by_name(const std::vector<LockedRow>& rows, bool of_fields) {
  std::map<std::string, Rows, std::less<>> out;
  for (const LockedRow& row : rows) {
    out[of_fields ? row.name.substr(0, row.name.find('.')) : row.name].push_back(&row);
  }
  return out;
}

bool same_value(const LockedRow& a, const LockedRow& b) {
  return a.name == b.name && to_json(a.value) == to_json(b.value);
}

bool same_rows(const Rows* a, const Rows* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return std::equal(a->begin(), a->end(), b->begin(), b->end(),
                    [](const LockedRow* x, const LockedRow* y) { return same_value(*x, *y); });
}

template <typename Map>
const Rows* rows_of(const Map& map, std::string_view name) {
  const auto it = map.find(name);
  return it == map.end() ? nullptr : &it->second;
}

// `whole` with `leaf` under the keys of a dotted path.
Value with_leaf(const Value& whole, std::string_view path, const Value& leaf, Arena& arena) {
  if (path.empty()) return leaf;
  const std::size_t dot = std::min(path.find('.'), path.size());
  const std::string_view key = path.substr(0, dot);
  const std::string_view rest = path.substr(std::min(dot + 1, path.size()));
  const std::uint32_t size = whole.is_dict() ? whole.size() : 0;
  auto* entries = arena.array<Entry>(size + 1);
  std::uint32_t count = 0;
  bool placed = false;
  for (std::uint32_t i = 0; i < size; ++i) {
    entries[count] = whole.entries()[i];
    if (entries[count].key.is_str() && entries[count].key.as_str() == key) {
      entries[count].value = with_leaf(entries[count].value, rest, leaf, arena);
      placed = true;
    }
    ++count;
  }
  if (!placed) entries[count++] = {Value::str(arena.copy(key)), with_leaf(Value(), rest, leaf, arena)};
  return Value::dict(entries, count);
}

std::string named_model(const LockedLaunch& launch) {
  return launch.model + (launch.model_files.empty() ? "" : ", files " + launch.model_files);
}

// One side of the comparison: what a ReportInput refers to.
struct Side {
  Arena arena;
  Launch launch;
  RuntimeVersion version;
  std::string model_where;
  std::optional<Given> given;
  Outcome outcome;
  Fixes fixes;
};

class Thawer {
 public:
  Thawer(const LockedLaunch& was, const LockedLaunch& now, const ReportInput& to, std::uint32_t version, Side* side)
      : was_(was), now_(now), to_(to), pack_(to.pack), side_(*side) {
    side_.version = to.version;
    side_.version.index = version;
  }

  void run() {
    side_.outcome.verdict = was_.verdict;
    side_.outcome.missing = was_.missing;
    for (const LockedRefusal& refusal : was_.refusals) finding(refusal);
    if (!was_.parsed || to_.given == nullptr) return;
    side_.given = default_given(pack_, side_.version.index, side_.arena);
    const auto before = by_name(was_.resolved, true);
    const auto after = by_name(now_.resolved, true);
    const bool same_version = side_.version.index == to_.version.index;
    for (std::uint32_t i = 0; i < pack_.fields.size(); ++i) {
      const std::string_view name = pack_.field_name(i);
      const Rows* rows = rows_of(before, name);
      const Value untouched = side_.given->value(i);
      side_.outcome.fields.push_back(untouched);
      if (same_rows(rows, rows_of(after, name)) && (same_version || rows != nullptr)) {
        side_.outcome.fields.back() = to_.outcome.fields[i];
      } else if (rows != nullptr) {
        field(i, *rows, untouched);
      }
      if (rows != nullptr && rows->front()->typed) side_.given->set(i, typed_value(*rows, untouched));
    }
    env();
    built();
  }

 private:
  // A rule of the lock; kNoIndex where this pack has it no longer.
  std::uint32_t rule(const std::string& id) const { return id.empty() ? kNoIndex : pack_.find_rule(id); }

  void finding(const LockedRefusal& refusal) {
    const bool parser = refusal.rule == "argparse";
    const std::uint32_t by = rule(refusal.rule);
    if (!parser && by == kNoIndex) return;
    Finding& f = side_.outcome.findings.emplace_back();
    f.phase = refusal.phase;
    f.rule = parser ? kNoIndex : by;
    f.message = refusal.message;
    if (parser) f.usage.emplace();
  }

  // What was typed, where nobody changed it then.
  static Value typed_value(const Rows& rows, const Value& untouched) {
    return rows.size() == 1 && rows.front()->rule.empty() ? rows.front()->value : untouched;
  }

  void field(std::uint32_t i, const Rows& rows, const Value& untouched) {
    Value value = untouched;
    for (const LockedRow* row : rows) {
      const std::size_t dot = std::min(row->name.find('.'), row->name.size());
      const std::string_view path = std::string_view(row->name).substr(std::min(dot + 1, row->name.size()));
      value = with_leaf(value, path, row->value, side_.arena);
      if (const std::uint32_t by = rule(row->rule); by != kNoIndex) {
        side_.outcome.history.push_back({i, by, value});
      }
    }
    side_.outcome.fields[i] = value;
  }

  void env() {
    const auto after = by_name(now_.env, false);
    for (const LockedRow& row : was_.env) {
      const Rows* now = rows_of(after, row.name);
      std::optional<std::string> value;
      if (now != nullptr && same_value(row, *now->front())) {
        value = to_.outcome.env.at(row.name);
      } else if (!row.value.is_none()) {
        value = to_str(row.value);
      }
      side_.outcome.env.emplace(row.name, value);
      if (const std::uint32_t by = rule(row.rule); by != kNoIndex) side_.outcome.env_by.emplace(row.name, by);
    }
  }

  // A row that the lock lacks, since its pack told none, is none that differs.
  void built() {
    const auto before = by_name(was_.built, false);
    const auto after = by_name(now_.built, false);
    for (const auto& [label, value] : to_.outcome.summary) {
      const std::string_view name = pack_.text(label);
      const Rows* rows = rows_of(before, name);
      const bool as_now = rows == nullptr || same_rows(rows, rows_of(after, name));
      side_.outcome.summary.emplace_back(label, as_now ? value : rows->front()->value);
    }
  }

  const LockedLaunch& was_;
  const LockedLaunch& now_;
  const ReportInput& to_;
  const Pack& pack_;
  Side& side_;
};

// Names the rules that decided then and that the pack has no longer.
void name_gone_rules(const Pack& pack, const LockedLaunch& was, Diff* diff) {
  const auto gone = [&](const std::vector<LockedRow>& rows, const std::string& name) -> std::string {
    for (const LockedRow& row : rows) {
      if (row.name == name && !row.rule.empty() && pack.find_rule(row.rule) == kNoIndex) return row.rule;
    }
    return {};
  };
  for (FieldDiff& d : diff->fields) d.from.gone = gone(was.resolved, d.name);
  for (EnvDiff& d : diff->env) d.from.gone = gone(was.env, d.name);
}

// What a lock does not hold is no difference: warnings, notes, and the words of a refusal.
void drop_unlocked(Diff* diff) {
  diff->new_notes.clear();
  diff->lifted_notes.clear();
  std::erase_if(diff->findings, [](const FindingDiff& d) {
    const Finding& f = d.to != nullptr ? *d.to : *d.from;
    return f.kind != Action::kFail || !f.certain || (d.from != nullptr && d.to != nullptr);
  });
  if (diff->verdict_differs) return;
  diff->new_missing.clear();
  diff->lifted_missing.clear();
}

bool resolves_otherwise(const Diff& diff) {
  return diff.verdict_differs || !diff.fields.empty() || !diff.env.empty() || !diff.summary.empty();
}

std::string lines_of(std::string_view place) { return place.empty() ? std::string() : std::string(place) + "  "; }

// A launch that differs as a whole.
LockAnswer unheld(const std::string& text, std::string_view lock_name, const char* what, bool color) {
  LockAnswer out;
  out.same = false;
  out.what = text;
  out.text = painted("not as locked", "1;31", color) + "  " + text + "\n";
  JsonWriter json;
  json.open('{');
  json.text("lock", lock_name);
  json.boolean("same", false);
  json.boolean(what, true);
  json.close('}');
  out.json = json.take();
  return out;
}

}  // namespace

LockAnswer compare_locked(const Lock& lock, std::string_view lock_name, const LockedLaunch& was,
                          const LockedLaunch& now, const ReportInput& to, std::string_view place, bool color) {
  if (was.version.empty()) {
    return unheld(lines_of(place) + "it could not be checked when it was locked, and is " +
                      std::string(verdict_word(to.outcome.verdict)) + " now",
                  lock_name, "was_not_checkable", color);
  }
  LockAnswer out;
  const std::string name(lock_name);
  if (lock.hash != to.pack.hash())
    out.notes.push_back("the rules are others (" + lock.hash + " -> " + to.pack.hash() + ")");
  if (was.model_files != now.model_files && !was.model_files.empty() && !now.model_files.empty()) {
    out.notes.push_back("the model's files are others (" + was.model_files + " -> " + now.model_files + ")");
  }
  JsonWriter json;
  json.open('{');
  json.text("lock", name);
  const std::uint32_t version = to.pack.version_index(was.version);
  std::string details;
  if (version == kNoIndex) {
    out.same = false;
    out.notes.push_back("it was locked for version " + was.version + ", which these rules do not cover");
  } else {
    Side before;
    Thawer(was, now, to, version, &before).run();
    Side after;  // what differs in the report's head alone
    const bool same_words = was.name.sets == now.name.sets && was.name.args == now.name.args;
    after.launch = to.launch;
    std::erase_if(after.launch.sources, [](const Source& s) { return s.name == kCommandLine; });
    after.launch.sources.push_back({std::string(kCommandLine), command_line(now.name)});
    before.launch = after.launch;
    if (!same_words) {
      before.launch.args.push_back({command_line(was.name), {}, {}});
      before.launch.sources.back().text = command_line(was.name);
    }
    const bool same_model = was.model == now.model && was.model_files == now.model_files;
    after.model_where = same_model ? to.model_where : named_model(now);
    before.model_where = same_model ? to.model_where : named_model(was);
    const Given* given = before.given ? &*before.given : nullptr;
    const ReportInput a{to.pack, before.launch,  before.version, was.nodes, before.model_where,
                        given,   before.outcome, before.fixes};
    const ReportInput b{to.pack,           after.launch, to.version, now.nodes,
                        after.model_where, to.given,     to.outcome, to.fixes};
    Diff diff = diff_of(a, b);
    name_gone_rules(to.pack, was, &diff);
    drop_unlocked(&diff);
    out.same = !resolves_otherwise(diff);
    if (!out.same) {
      details = diff_to_text(a, b, diff, color);
      std::string text = diff_to_json(a, b, diff, 1);
      while (!text.empty() && text.back() == '\n') text.pop_back();
      json.raw("diff", text);
    }
  }
  json.boolean("same", out.same);
  json.list("notes", out.notes);
  json.close('}');
  out.json = json.take();
  if (!out.same) out.what = lines_of(place) + "the launch resolves otherwise than locked in " + name;
  out.text =
      lines_of(place) + (out.same ? "as locked in " + name : painted("not as locked", "1;31", color) + " in " + name);
  for (std::size_t i = 0; i < out.notes.size(); ++i) out.text += (i == 0 ? ", though " : "; ") + out.notes[i];
  out.text += "\n" + details;
  return out;
}

LockAnswer compare_locked_unchecked(std::string_view lock_name, const LockedLaunch& was, const std::string& why,
                                    std::string_view place, bool color) {
  if (was.verdict != Verdict::kUnknown || was.parsed || was.missing.empty()) {
    return unheld(lines_of(place) + "it can't be checked now: " + why, lock_name, "not_checkable", color);
  }
  LockAnswer out;
  const std::string name(lock_name);
  out.text = lines_of(place) + "as locked in " + name + "\n";
  JsonWriter json;
  json.open('{');
  json.text("lock", name);
  json.boolean("same", true);
  json.list("notes", {});
  json.close('}');
  out.json = json.take();
  return out;
}

LockAnswer not_locked(std::string_view lock_name, std::string_view place, bool color) {
  return unheld(lines_of(place) + "this launch is not in " + std::string(lock_name), lock_name, "not_in_lock", color);
}

LockAnswer no_longer_there(std::string_view lock_name, const LaunchName& name, bool color) {
  return unheld(
      name.file + "  " + std::string(lock_name) + " holds a launch that is no longer there: " + command_line(name),
      lock_name, "not_in_file", color);
}

ReportFinding finding_of(const LockAnswer& answer, std::optional<ReportSpan> at) {
  ReportFinding out;
  out.rule = "lock/changed";
  out.message = answer.what;
  out.hint = "gonogo lock writes down what is so now";
  out.span = std::move(at);
  return out;
}

}  // namespace gonogo
