#include "cli/batch.h"

#include <algorithm>
#include <array>
#include <istream>
#include <map>
#include <ostream>
#include <vector>

#include "base/json.h"
#include "cli/case_runner.h"
#include "facts/runtime_version.h"
#include "report/report.h"

namespace gonogo {

namespace {

// The answer to one case, as text. Members are written in the order of the contract.
class CaseAnswer {
 public:
  CaseAnswer(const Pack& pack, const Given* given, const Outcome& outcome)
      : pack_(pack), given_(given), outcome_(outcome) {}

  std::string text(const Value& id) {
    out_ = "{\"id\":" + to_json(id) + ",\"verdict\":\"";
    static constexpr std::array<std::string_view, 3> kWords = {"go", "no-go", "unknown"};
    out_ += kWords[static_cast<std::size_t>(outcome_.verdict)];
    out_ += '"';
    for (std::size_t i = 0; i < pack_.parts.size(); ++i) {
      // Later parts are compared apart from each other, but only of a launch that the first one accepts.
      if (i > 0 && outcome_.parts[0].refused_by) break;
      key(pack_.text(pack_.parts[i].name));
      part(i);
    }
    if (outcome_.layers.is_sequence()) {
      key("layers");
      out_ += to_json(outcome_.layers);
    }
    key("findings");
    findings();
    out_ += '}';
    return std::move(out_);
  }

 private:
  void key(std::string_view name) {
    if (out_.back() != '{') out_ += ',';
    append_json_string(out_, name);
    out_ += ':';
  }
  void member(std::string_view name, std::string_view value) {
    key(name);
    append_json_string(out_, value);
  }

  void part(std::size_t index) {
    const PartOutcome& part = outcome_.parts[index];
    const bool has_answers = pack_.parts[index].answers.count > 0;
    const std::string_view word = has_answers ? "built" : "ok";
    out_ += '{';
    key(word);
    out_ += part.refused_by ? "false" : "true";
    if (part.refused_by) {
      const Finding& f = outcome_.findings[*part.refused_by];
      key("error");
      out_ += '{';
      member("check", f.rule == kNoIndex ? "argparse" : pack_.text(pack_.note(f.rule).check));
      member("rule", rule_of(pack_, f));
      member("message", f.message);
      out_ += '}';
    } else if (index == 0) {
      resolved();
    } else {
      for (const auto& [name, value] : part.answers) {
        key(pack_.text(name));
        out_ += to_json(value);
      }
    }
    out_ += '}';
  }

  void resolved() {
    std::vector<const Change*> last(pack_.fields.size(), nullptr);
    const PartOutcome& first = outcome_.parts[0];
    std::vector<Value> fields = first.fields;
    std::size_t changes = first.changes;
    if ((pack_.about->told_versions >> version & 1) != 0) {
      // A runtime that refuses stops there: what it had declared by then stands.
      const PartOutcome& told = outcome_.parts[pack_.about->told_part];
      changes = std::max(changes, told.refused_by ? told.changes_at_refusal : told.changes);
    }
    for (std::size_t i = 0; i < changes; ++i) {
      const Change& c = outcome_.history[i];
      last[c.field] = &c;
      if (i >= first.changes) fields[c.field] = c.value;
    }
    key("set");
    out_ += '{';
    for (std::uint32_t i = 0; i < pack_.fields.size(); ++i) {
      if (pack_.fields[i].volatile_value != 0 || identical(fields[i], given_->value(i))) continue;
      key(pack_.field_name(i));
      out_ += to_json(fields[i]);
    }
    out_ += '}';
    key("by");
    out_ += '{';
    for (std::uint32_t i = 0; i < pack_.fields.size(); ++i) {
      if (last[i] != nullptr) member(pack_.field_name(i), pack_.text(pack_.note(last[i]->rule).pass));
    }
    out_ += '}';
    key("env");
    out_ += '{';
    for (const auto& [name, value] : outcome_.env) {
      const auto before = env.find(name);
      const bool same = value ? before != env.end() && before->second == *value : before == env.end();
      if (same) continue;
      key(name);
      if (value) {
        append_json_string(out_, *value);
      } else {
        out_ += "null";
      }
    }
    out_ += '}';
  }

  void findings() {
    out_ += '[';
    for (const Finding& f : outcome_.findings) {
      if (out_.back() != '[') out_ += ',';
      out_ += '{';
      member("kind", action_name(f.kind));
      member("rule", rule_of(pack_, f));
      member("phase", phase_name(f.phase));
      member("message", f.message);
      if (!f.certain) member("depends_on", f.depends_on);
      out_ += '}';
    }
    for (const std::string& fault : outcome_.faults) {
      if (out_.back() != '[') out_ += ',';
      out_ += '{';
      member("kind", "fault");
      member("message", fault);
      out_ += '}';
    }
    out_ += ']';
  }

 public:
  std::map<std::string, std::string, std::less<>> env;
  std::uint32_t version = 0;  // by index

 private:
  const Pack& pack_;
  const Given* given_;
  const Outcome& outcome_;
  std::string out_;
};

}  // namespace

Result<bool> run_batch(const Pack& pack, const BatchOptions& options, std::istream& in, std::ostream& out) {
  if (!options.version.empty()) {
    const auto version = runtime_version({options.version, {}, nullptr}, pack);
    if (!version) return version.error();
  }
  CaseRunner runner(pack, options.version, options.models_dir, CaseFolders::Missing::kUnknown);
  bool good = true;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (line.size() > kMaxCaseBytes) {
      return Error{Error::Kind::kInput, "a case is larger than 16 MiB", {"stdin", number, 0}, "", ""};
    }
    Fixes fixes;
    const auto run = runner.run(line, nullptr, options.fixes ? &fixes : nullptr);
    if (run) {
      CaseAnswer answer(pack, run->given ? &*run->given : nullptr, run->outcome);
      answer.env = run->env;
      answer.version = run->version;
      std::string text = answer.text(runner.id());
      if (options.fixes) {
        RuntimeVersion version;
        version.index = run->version;
        const std::vector<GpuSet> nodes;
        const std::string where;
        text.pop_back();
        text += "," +
                fixes_member({pack, run->launch, version, nodes, where, run->given ? &*run->given : nullptr,
                              run->outcome, fixes}) +
                ",\"tried\":" + std::to_string(fixes.tried) + ",\"cut\":" + (fixes.cut ? "true}" : "false}");
      }
      out << text << '\n';
      continue;
    }
    good = false;
    Error e = run.error();
    e.place = {"stdin", number, e.place.column};
    std::string text = "{\"id\":" + to_json(runner.id()) + ",\"error\":";
    append_json_string(text, to_text(e));
    out << text << "}\n";
  }
  return good;
}

}  // namespace gonogo
