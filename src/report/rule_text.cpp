#include "report/rule_text.h"

#include <bit>

#include "report/report.h"
#include "rules/walk.h"

namespace gonogo {

namespace {

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

}  // namespace

bool acts_itself(const RuleRec& rule) {
  if (rule.disabled != 0 || rule.action == Action::kRules || rule.action == Action::kFirst) return false;
  return rule.action != Action::kNothing || rule.leave != Return::kNo;
}

std::string versions_listed(const Pack& pack, Mask mask) {
  std::string out;
  for (std::uint32_t i = 0; i < pack.version_count(); ++i) {
    if ((mask >> i & 1) != 0) out += (out.empty() ? "" : ", ") + std::string(pack.version(i));
  }
  return out;
}

std::string versions_text(const Pack& pack, Mask mask) {
  const std::string listed = versions_listed(pack, mask);
  if (std::popcount(mask) == static_cast<int>(pack.version_count() - pack.first_ruled())) return "all (" + listed + ")";
  return listed.empty() ? "none" : listed;
}

std::vector<std::string> conditions_of(const Pack& pack, std::uint32_t rule) {
  std::vector<std::string> out;
  const auto add = [&](CodeRef when) {
    if (when != 0) out.push_back(unparse(pack, when));
  };
  for (std::uint32_t i = 0; i < rule; ++i) {
    if (pack.rules[i].end > rule) add(pack.rules[i].when);
  }
  add(pack.rules[rule].when);
  return out;
}

std::vector<RuleLine> actions_of(const Pack& pack, std::uint32_t rule) {
  const RuleRec& r = pack.rules[rule];
  std::vector<RuleLine> out;
  for (const LetRec& let : pack.lets.subspan(r.lets.first, r.lets.count)) {
    out.push_back({"let", std::string(pack.text(pack.slots[let.slot])) + " = " + unparse(pack, let.code)});
  }
  switch (r.action) {
    case Action::kSet:
    case Action::kEnv:
      for (const AssignRec& a : pack.assigns.subspan(r.payload.first, r.payload.count)) {
        out.push_back({action_name(r.action), assignment_text(pack, a)});
      }
      break;
    case Action::kRun:
      out.push_back({"run", std::string(pack.text(pack.stages[r.payload.first].name))});
      break;
    case Action::kRules:
    case Action::kFirst:
    case Action::kNothing:
      out.push_back({"does", std::string(action_name(r.action))});
      break;
    default:
      out.push_back({action_name(r.action), unparse(pack, r.payload.first)});
      break;
  }
  if (r.leave != Return::kNo) out.push_back({"return", r.leave == Return::kStage ? "stage" : "pipeline"});
  return out;
}

std::vector<std::string> proposed_fixes(const Pack& pack, std::uint32_t rule) {
  const RuleNote& note = pack.note(rule);
  std::vector<std::string> out;
  for (const FixRec& fix : pack.cold().fixes.subspan(note.fixes.first, note.fixes.count)) {
    std::string& text = out.emplace_back();
    for (const AssignRec& a : pack.cold().changes.subspan(fix.changes.first, fix.changes.count)) {
      text += (text.empty() ? "" : " and ") + assignment_text(pack, a);
    }
  }
  return out;
}

std::string rule_text(const Pack& pack, std::uint32_t rule) {
  const RuleRec& r = pack.rules[rule];
  const RuleNote& note = pack.note(rule);
  std::string out(pack.text(r.id));
  out += '\n';
  const auto add = [&out](std::string_view label, std::string_view text) {
    if (text.empty()) return;
    out += "  " + std::string(label) + std::string(10 - label.size(), ' ') + std::string(text) + "\n";
  };
  std::string_view label = "when";
  for (const std::string& condition : conditions_of(pack, rule)) {
    add(label, condition);
    label = "and";
  }
  for (const RuleLine& line : actions_of(pack, rule)) add(line.label, line.text);
  for (const std::string& fix : proposed_fixes(pack, rule)) add("fix", fix);
  add("because", pack.text(note.because));
  add("phase", phase_name(r.phase));
  add("check", pack.text(note.check));
  add("pass", pack.text(note.pass));
  for (const StrId see : pack.slice(note.see)) add("see", pack.text(see));
  add("versions", versions_text(pack, r.versions));
  add("file", std::string(pack.text(note.file)) + ":" + std::to_string(note.line));
  if (r.disabled != 0) add("off", "switched off by an overlay");
  return out;
}

}  // namespace gonogo
