// `gonogo explain`: the history of a field in a launch, or a rule.
#include <algorithm>
#include <ostream>

#include "base/json.h"
#include "base/text.h"
#include "cli/commands.h"
#include "report/report.h"
#include "report/rule_text.h"
#include "rules/code.h"
#include "rules/walk.h"

namespace gonogo {

namespace {

// A field by its name or by any spelling of its flag; kNoIndex where there is none.
std::uint32_t field_named(const Pack& pack, std::string name) {
  std::uint32_t field = pack.find_field(name);
  if (field != kNoIndex) return field;
  std::string bare = name;
  while (bare.starts_with('-')) bare.erase(0, 1);
  for (const FlagRec& flag : pack.flags) {
    for (const StrId id : pack.slice(flag.spellings)) {
      if (flag.field != FlagRec::kNoField && pack.text(id) == "--" + bare) return flag.field;
    }
  }
  std::replace(bare.begin(), bare.end(), '-', '_');
  return pack.find_field(bare);
}

Error no_such_thing(const Pack& pack, const std::string& what) {
  std::vector<std::string_view> names;
  for (const FieldRec& f : pack.fields) names.push_back(pack.text(f.name));
  for (const RuleRec& r : pack.rules) names.push_back(pack.text(r.id));
  return {Error::Kind::kUsage, "'" + what + "' is neither a flag nor a rule", {}, did_you_mean(what, names), ""};
}

std::string short_text(const Value& v) {
  std::string text = to_repr(v);
  return text.size() > 160 ? text.substr(0, 157) + "…" : text;
}

void print_history(const Session& s, std::uint32_t field, std::ostream& out) {
  const std::string name(s.pack.field_name(field));
  const std::string flag(s.pack.flag_of(field, s.version.index));
  const auto value = [&](const Value& v) { return short_text(shown(s.pack, field, v)); };
  out << name << (flag.empty() ? "" : "  (" + flag + ")") << "\n\n";
  out << "  " << (s.given->typed(field) ? "you typed  " : "default    ") << value(s.given->value(field)) << '\n';
  bool changed = false;
  for (const Change& c : s.outcome.history) {
    if (c.field != field) continue;
    const RuleRec& rule = s.pack.rules[c.rule];
    const RuleNote& note = s.pack.note(c.rule);
    changed = true;
    out << "  then       " << value(c.value) << "\n             by " << s.pack.text(rule.id);
    if (note.pass != 0) out << ", upstream " << s.pack.text(note.pass);
    out << '\n';
    if (note.because != 0) out << "             because " << s.pack.text(note.because) << '\n';
    if (rule.when != 0) out << "             when " << unparse(s.pack, rule.when) << '\n';
  }
  if (!changed) out << "  no rule changes it in this launch\n";
  out << "\n  in the end " << value(s.outcome.fields[field]) << '\n';
  for (const Finding& f : s.outcome.findings) {
    const bool about = f.field == field || std::any_of(f.evidence.begin(), f.evidence.end(), [&](const Evidence& e) {
                         const std::uint32_t w = s.pack.code[e.name];
                         return op_of(w) == Op::kField && operand_of(w) == field;
                       });
    if (about) out << "\n  " << kind_name(f.kind) << " [" << rule_of(s.pack, f) << "]: " << f.message << '\n';
  }
}

void print_history_json(const Session& s, std::uint32_t field, std::ostream& out) {
  std::string text = "{\"format_version\":1,\"field\":";
  append_json_string(text, s.pack.field_name(field));
  text += ",\"typed\":" + std::string(s.given->typed(field) ? "true" : "false");
  text += ",\"given\":" + to_json(shown(s.pack, field, s.given->value(field)));
  text += ",\"value\":" + to_json(shown(s.pack, field, s.outcome.fields[field]));
  text += ",\"history\":[";
  for (const Change& c : s.outcome.history) {
    if (c.field != field) continue;
    const RuleRec& rule = s.pack.rules[c.rule];
    const RuleNote& note = s.pack.note(c.rule);
    if (text.back() != '[') text += ',';
    text += "{\"value\":" + to_json(shown(s.pack, field, c.value)) + ",\"rule\":";
    append_json_string(text, s.pack.text(rule.id));
    text += ",\"pass\":";
    append_json_string(text, s.pack.text(note.pass));
    text += ",\"because\":";
    append_json_string(text, s.pack.text(note.because));
    text += '}';
  }
  out << text << "]}\n";
}

// Whether a rule acted in a launch, for people.
void print_effect(const Session& s, std::uint32_t rule, std::ostream& out) {
  const std::string_view id = s.pack.text(s.pack.rules[rule].id);
  bool acted = false;
  for (const Change& c : s.outcome.history) {
    if (s.pack.text(s.pack.rules[c.rule].id) != id) continue;
    acted = true;
    out << "In this launch it sets " << s.pack.field_name(c.field) << " to "
        << short_text(shown(s.pack, c.field, c.value)) << ".\n";
  }
  for (const Finding& f : s.outcome.findings) {
    if (rule_of(s.pack, f) != id) continue;
    acted = true;
    out << "In this launch: " << kind_name(f.kind) << ": " << f.message << '\n';
  }
  if (!acted) out << "In this launch it does not act.\n";
}

}  // namespace

ExitStatus explain_command(const std::string& what, const CheckOptions& options, Streams io) {
  std::vector<Error> errors;
  std::string blob;
  auto pack = load_pack(options.session.rules, &blob, &errors);
  if (!pack) return report_failure(pack.error(), errors, io);
  const std::uint32_t rule = pack->find_rule(what);
  const std::uint32_t field = rule == kNoIndex ? field_named(*pack, what) : kNoIndex;
  if (rule == kNoIndex && field == kNoIndex) return report_error(no_such_thing(*pack, what), io);
  if (options.session.command.empty()) {
    if (rule != kNoIndex) {
      io.out << rule_text(*pack, rule);
      return ExitStatus::kGo;
    }
    return report_error(
        {Error::Kind::kUsage, "a flag is explained in a launch", {}, "gonogo explain " + what + " -- COMMAND …", ""},
        io);
  }
  auto session = check_launch(*pack, options.session);
  if (!session) return report_error(session.error(), io);
  if (!(*session)->given) {
    return report_error({Error::Kind::kInput,
                         "the runtime's parser refuses the launch: " + (*session)->outcome.findings[0].message,
                         {},
                         "gonogo check says more",
                         ""},
                        io);
  }
  if (rule != kNoIndex) {
    io.out << rule_text(*pack, rule) << '\n';
    print_effect(**session, rule, io.out);
  } else if (options.format == "json") {
    print_history_json(**session, field, io.out);
  } else {
    print_history(**session, field, io.out);
  }
  return ExitStatus::kGo;
}

}  // namespace gonogo
