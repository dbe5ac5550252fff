// `gonogo rules`: what the pack says.
#include <ostream>

#include "base/json.h"
#include "base/text.h"
#include "cli/commands.h"
#include "report/report.h"
#include "rules/compiler.h"
#include "rules/walk.h"

namespace gonogo {

namespace {

std::string versions_text(const Pack& pack, Mask mask) {
  std::string out;
  std::uint32_t held = 0;
  for (std::uint32_t i = 0; i < pack.version_count(); ++i) {
    if ((mask >> i & 1) == 0) continue;
    ++held;
    out += (out.empty() ? "" : ", ") + std::string(pack.version(i));
  }
  return held == pack.version_count() - pack.first_ruled() ? "all (" + out + ")" : out.empty() ? "none" : out;
}

bool is_leaf(const RuleRec& rule) { return rule.action != Action::kRules && rule.action != Action::kFirst; }

std::string assignment_text(const Pack& pack, const AssignRec& a) {
  std::string out;
  switch (a.kind) {
    case Target::kField:
      out = pack.field_name(a.target);
      break;
    case Target::kState:
      out = "state." + std::string(pack.text(pack.state[a.target].name));
      break;
    case Target::kEnv:
      out = pack.text(pack.envs[a.target].name);
      break;
    case Target::kVersion:
      out = "version";
      break;
  }
  for (const StrId id : pack.slice(a.path)) out += "." + std::string(pack.text(id));
  return out + " = " + unparse(pack, a.code);
}

// The conditions of the groups around a rule, outermost first, and its own.
std::vector<CodeRef> conditions(const Pack& pack, std::uint32_t rule) {
  std::vector<CodeRef> out;
  for (std::uint32_t i = 0; i < rule; ++i) {
    if (pack.rules[i].end > rule && pack.rules[i].when != 0) out.push_back(pack.rules[i].when);
  }
  if (pack.rules[rule].when != 0) out.push_back(pack.rules[rule].when);
  return out;
}

void describe(const Pack& pack, std::uint32_t index, std::string* out) {
  const RuleRec& r = pack.rules[index];
  const RuleNote& note = pack.note(index);
  const auto add = [out](std::string_view label, std::string_view text) {
    if (!text.empty())
      *out += "  " + std::string(label) + std::string(10 - label.size(), ' ') + std::string(text) + "\n";
  };
  std::string_view label = "when";
  for (const CodeRef c : conditions(pack, index)) {
    add(label, unparse(pack, c));
    label = "and";
  }
  for (const LetRec& let : pack.lets.subspan(r.lets.first, r.lets.count)) {
    add("let", std::string(pack.text(pack.slots[let.slot])) + " = " + unparse(pack, let.code));
  }
  switch (r.action) {
    case Action::kSet:
    case Action::kEnv:
      for (const AssignRec& a : pack.assigns.subspan(r.payload.first, r.payload.count)) {
        add(action_name(r.action), assignment_text(pack, a));
      }
      break;
    case Action::kRun:
      add("run", pack.text(pack.stages[r.payload.first].name));
      break;
    case Action::kRules:
    case Action::kFirst:
    case Action::kNothing:
      add("does", action_name(r.action));
      break;
    default:
      add(action_name(r.action), unparse(pack, r.payload.first));
      break;
  }
  if (r.leave != Return::kNo) add("return", r.leave == Return::kStage ? "stage" : "pipeline");
  for (const FixRec& fix : pack.cold().fixes.subspan(note.fixes.first, note.fixes.count)) {
    std::string text;
    for (const AssignRec& a : pack.cold().changes.subspan(fix.changes.first, fix.changes.count)) {
      text += (text.empty() ? "" : " and ") + assignment_text(pack, a);
    }
    add("fix", text);
  }
  add("because", pack.text(note.because));
  add("phase", phase_name(r.phase));
  add("check", pack.text(note.check));
  add("pass", pack.text(note.pass));
  for (const StrId see : pack.slice(note.see)) add("see", pack.text(see));
  add("versions", versions_text(pack, r.versions));
  add("file", std::string(pack.text(note.file)) + ":" + std::to_string(note.line));
  if (r.disabled != 0) add("off", "switched off by an overlay");
}

}  // namespace

std::string rule_text(const Pack& pack, std::uint32_t rule) {
  std::string out(pack.text(pack.rules[rule].id));
  out += '\n';
  describe(pack, rule, &out);
  return out;
}

ExitStatus rules_list_command(const std::string& pattern, const CheckOptions& options, Streams io) {
  std::vector<Error> errors;
  std::string blob;
  auto pack = load_pack(options.session.rules, &blob, &errors);
  if (!pack) return report_failure(pack.error(), errors, io);
  std::string out = options.format == "json" ? "[" : "";
  for (std::uint32_t i = 0; i < pack->rules.size(); ++i) {
    const RuleRec& r = pack->rules[i];
    const RuleNote& note = pack->note(i);
    if (!is_leaf(r) || r.action == Action::kNothing) continue;
    const std::string id(pack->text(r.id));
    if (id.find(pattern) == std::string::npos) continue;
    if (options.format == "json") {
      if (out.back() != '[') out += ",\n ";
      out += "{\"id\":";
      append_json_string(out, id);
      out += ",\"action\":\"" + std::string(action_name(r.action)) + "\",\"phase\":\"" +
             std::string(phase_name(r.phase)) + "\",\"check\":";
      append_json_string(out, pack->text(note.check));
      out += ",\"versions\":";
      append_json_string(out, versions_text(*pack, r.versions));
      out += ",\"because\":";
      append_json_string(out, pack->text(note.because));
      out += '}';
    } else {
      out += id + std::string(id.size() < 52 ? 52 - id.size() : 1, ' ') + std::string(action_name(r.action)) + "\t" +
             std::string(phase_name(r.phase)) + "\t" + std::string(pack->text(note.because)) + "\n";
    }
  }
  io.out << out << (options.format == "json" ? "]\n" : "");
  return ExitStatus::kGo;
}

ExitStatus rules_show_command(const std::string& id, const CheckOptions& options, Streams io) {
  std::vector<Error> errors;
  std::string blob;
  auto pack = load_pack(options.session.rules, &blob, &errors);
  if (!pack) return report_failure(pack.error(), errors, io);
  bool found = false;
  for (std::uint32_t i = 0; i < pack->rules.size(); ++i) {
    if (pack->text(pack->rules[i].id) != id) continue;
    if (found) io.out << '\n';
    found = true;
    io.out << rule_text(*pack, i);
  }
  if (found) return ExitStatus::kGo;
  std::vector<std::string_view> ids;
  for (const RuleRec& r : pack->rules) ids.push_back(pack->text(r.id));
  return report_error({Error::Kind::kUsage, "there is no rule '" + id + "'", {}, did_you_mean(id, ids), ""}, io);
}

ExitStatus rules_check_command(const std::string& dir, bool standalone, Streams io) {
  auto sources = read_pack_sources(dir);
  if (!sources) return report_error(sources.error(), io);
  const CompiledPack compiled = compile_pack(*sources, standalone ? nullptr : &Pack::embedded());
  if (!compiled.errors.empty()) return report_errors(compiled.errors, io);
  auto pack = Pack::open(compiled.blob);
  if (!pack) return report_error(pack.error(), io);
  io.out << dir << ": " << sources->size() << " files are good: " << pack->rules.size() << " rules and groups"
         << (standalone ? "" : " with the embedded pack") << ", " << pack->hash() << '\n';
  return ExitStatus::kGo;
}

}  // namespace gonogo
