#include "report/lock.h"

#include "base/json.h"
#include "carriers/secret_mask.h"
#include "report/diff.h"
#include "report/json_writer.h"
#include "rules/fingerprint.h"

namespace gonogo {

namespace {

constexpr int kFormatVersion = 1;

// `v` with every text in it as it may be shown.
Value masked(const Pack& pack, const Value& v, Arena& arena) {
  if (v.is_str()) {
    const std::string text = mask_value(pack, v.as_str());
    return text == v.as_str() ? v : Value::str(arena.copy(text));
  }
  if (v.is_sequence()) {
    auto* items = arena.array<Value>(v.size());
    for (std::uint32_t i = 0; i < v.size(); ++i) items[i] = masked(pack, v[i], arena);
    return v.is(Kind::kTuple) ? Value::tuple(items, v.size()) : Value::list(items, v.size());
  }
  if (v.is_dict()) {
    auto* entries = arena.array<Entry>(v.size());
    for (std::uint32_t i = 0; i < v.size(); ++i) {
      entries[i] = {v.entries()[i].key, masked(pack, v.entries()[i].value, arena)};
    }
    return Value::dict(entries, v.size());
  }
  return v;
}

// Whether a mapping's entries can be told line by line: no key is ambiguous in "a.b".
bool has_plain_keys(const Value& v) {
  if (!v.is_dict()) return true;
  for (std::uint32_t i = 0; i < v.size(); ++i) {
    const Entry& e = v.entries()[i];
    if (!e.key.is_str() || e.key.as_str().empty() || e.key.as_str().find('.') != std::string_view::npos) return false;
    if (!has_plain_keys(e.value)) return false;
  }
  return true;
}

class Locker {
 public:
  Locker(const ReportInput& input, Arena& arena) : in_(input), pack_(input.pack), arena_(arena) {}

  LockedLaunch run() {
    out_.version = pack_.version(in_.version.index);
    out_.nodes = in_.nodes;
    out_.verdict = in_.outcome.verdict;
    out_.parsed = in_.given != nullptr;
    for (const std::string& what : in_.outcome.missing) out_.missing.push_back(mask_value(pack_, what));
    for (const Finding& f : in_.outcome.findings) {
      if (f.kind != Action::kFail || !f.certain) continue;
      out_.refusals.push_back({f.phase, std::string(rule_of(pack_, f)), mask_value(pack_, f.message)});
    }
    if (in_.given == nullptr) return std::move(out_);
    for (std::uint32_t i = 0; i < pack_.fields.size(); ++i) field(i);
    env();
    for (const auto& [label, value] : in_.outcome.summary) {
      if (pack_.find_field(pack_.text(label)) != kNoIndex || value.is_error()) continue;
      out_.built.push_back({std::string(pack_.text(label)), masked(pack_, value, arena_), false, "", ""});
    }
    return std::move(out_);
  }

 private:
  void decide(std::uint32_t rule, LockedRow* row) const {
    if (rule == kNoIndex) return;
    row->rule = pack_.text(pack_.rules[rule].id);
    row->pass = pack_.text(pack_.note(rule).pass);
  }

  void row(std::uint32_t i, const std::string& name, const Value& value, const std::vector<std::string_view>& path) {
    const Decided decided = decided_at(in_, i, path);
    if (!decided.typed && decided.rule == kNoIndex) return;
    LockedRow& out = out_.resolved.emplace_back();
    out.name = name;
    out.value = value;
    out.typed = decided.typed;
    decide(decided.rule, &out);
  }

  void leaf(std::uint32_t i, const std::string& name, const Value& value, std::vector<std::string_view>* path) {
    if (!value.is_dict() || value.size() == 0) return row(i, name, value, *path);
    for (std::uint32_t k = 0; k < value.size(); ++k) {
      const Entry& e = value.entries()[k];
      path->push_back(e.key.as_str());
      leaf(i, name + "." + std::string(e.key.as_str()), e.value, path);
      path->pop_back();
    }
  }

  void field(std::uint32_t i) {
    const Change* change = last_change(in_.outcome, i);
    if ((change == nullptr && !in_.given->typed(i)) || pack_.fields[i].volatile_value != 0) return;
    const std::string name(pack_.field_name(i));
    const Value value = masked(pack_, shown(pack_, i, in_.outcome.fields[i]), arena_);
    if (change == nullptr || !has_plain_keys(value)) return row(i, name, value, {});
    std::vector<std::string_view> path;
    leaf(i, name, value, &path);
  }

  void env() {
    for (const auto& [name, value] : in_.outcome.env) {
      LockedRow& row = out_.env.emplace_back();
      row.name = name;
      if (value) row.value = Value::str(arena_.copy(is_secret(pack_, name) ? kSecretMask : mask_value(pack_, *value)));
      if (const auto by = in_.outcome.env_by.find(name); by != in_.outcome.env_by.end()) decide(by->second, &row);
    }
  }

  const ReportInput& in_;
  const Pack& pack_;
  Arena& arena_;
  LockedLaunch out_;
};

// JSON laid out for reviews and merges: an object or list of the outer levels opens its own lines, everything below
// stands in one.
class LockWriter {
 public:
  std::string run(const Lock& lock) {
    open("", '{');
    put("format_version", std::to_string(kFormatVersion));
    put("gonogo", quoted_text(lock.gonogo));
    JsonWriter pack;
    pack.open('{');
    pack.text("name", lock.pack);
    pack.text("hash", lock.hash);
    pack.close('}');
    put("rules", pack.take());
    open("launches", '[');
    for (const LockedLaunch& launch : lock.launches) write(launch);
    close(']');
    close('}');
    return std::move(out_) + "\n";
  }

 private:
  static std::string quoted_text(std::string_view text) {
    std::string out;
    append_json_string(out, text);
    return out;
  }

  void line(std::string_view name) {
    out_ += first_ ? (out_.empty() ? "" : "\n") : ",\n";
    out_.append(2 * depth_, ' ');
    if (!name.empty()) out_ += quoted_text(name) + ": ";
    first_ = false;
  }
  void put(std::string_view name, std::string_view json) {
    line(name);
    out_ += json;
  }
  void open(std::string_view name, char c) {
    line(name);
    out_ += c;
    ++depth_;
    first_ = true;
  }
  void close(char c) {
    --depth_;
    if (!first_) {
      out_ += '\n';
      out_.append(2 * depth_, ' ');
    }
    out_ += c;
    first_ = false;
  }

  void texts(std::string_view name, const std::vector<std::string>& list) {
    open(name, '[');
    for (const std::string& text : list) put("", quoted_text(text));
    close(']');
  }

  void write(const LockedLaunch& launch) {
    open("", '{');
    if (!launch.name.file.empty()) put("file", quoted_text(launch.name.file));
    put("entry", quoted_text(launch.name.entry));
    if (!launch.name.roles.empty()) texts("roles", launch.name.roles);
    if (!launch.name.conditional.empty()) put("conditional", quoted_text(launch.name.conditional));
    texts("sets", launch.name.sets);
    texts("args", launch.name.args);
    put("version", quoted_text(launch.version));
    open("nodes", '[');
    for (const GpuSet& node : launch.nodes) put("", gpus(node));
    close(']');
    put("model", quoted_text(launch.model));
    if (!launch.model_files.empty()) put("model_files", quoted_text(launch.model_files));
    put("verdict", quoted_text(verdict_word(launch.verdict)));
    put("parsed", launch.parsed ? "true" : "false");
    if (!launch.missing.empty()) texts("missing", launch.missing);
    open("refusals", '[');
    for (const LockedRefusal& refusal : launch.refusals) {
      JsonWriter json;
      json.open('{');
      json.text("phase", phase_name(refusal.phase));
      json.text("rule", refusal.rule);
      json.text("message", refusal.message);
      json.close('}');
      put("", json.take());
    }
    close(']');
    rows("resolved", launch.resolved);
    rows("env", launch.env);
    rows("built", launch.built);
    close('}');
  }

  // Runs of equal GPUs, as objects in a list.
  static std::string gpus(const GpuSet& node) {
    JsonWriter json;
    json.open('[');
    for (std::size_t i = 0; i < node.gpus.size();) {
      std::size_t end = i + 1;
      while (end < node.gpus.size() && same_kind(node.gpus[i], node.gpus[end])) ++end;
      const Gpu& gpu = node.gpus[i];
      json.open('{');
      json.number("count", static_cast<std::int64_t>(end - i));
      json.text("name", gpu.name);
      json.text("vendor", gpu.vendor);
      json.number("major", gpu.major);
      json.number("minor", gpu.minor);
      json.number("memory_mib", gpu.memory_mib);
      json.number("sm_count", gpu.sm_count);
      json.close('}');
      i = end;
    }
    json.close(']');
    return json.take();
  }

  void rows(std::string_view name, const std::vector<LockedRow>& list) {
    open(name, '{');
    for (const LockedRow& row : list) {
      JsonWriter json;
      json.open('{');
      json.value("value", row.value);
      if (row.typed) json.boolean("typed", true);
      if (!row.rule.empty()) json.text("rule", row.rule);
      if (!row.pass.empty()) json.text("pass", row.pass);
      json.close('}');
      put(row.name, json.take());
    }
    close('}');
  }

  std::string out_;
  std::size_t depth_ = 0;
  bool first_ = true;
};

}  // namespace

LockedLaunch locked(const ReportInput& input, Arena& arena) { return Locker(input, arena).run(); }

std::string model_files_name(const Value& files) {
  if (!files.is_dict() || files.size() == 0) return {};
  constexpr char kDigits[] = "0123456789abcdef";
  std::uint64_t hash = fingerprint(to_json(files));
  std::string out(16, '0');
  for (auto digit = out.rbegin(); digit != out.rend(); ++digit, hash >>= 4) *digit = kDigits[hash & 15];
  return out;
}

std::string lock_to_text(const Lock& lock) { return LockWriter().run(lock); }

}  // namespace gonogo
