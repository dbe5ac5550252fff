// `gonogo rules`: what the pack says.
#include <ostream>

#include "base/json.h"
#include "base/text.h"
#include "cli/commands.h"
#include "report/coverage.h"
#include "report/report.h"
#include "report/rule_text.h"
#include "rules/compiler.h"

namespace gonogo {

ExitStatus rules_list_command(const std::string& pattern, const CheckOptions& options, Streams io) {
  std::vector<Error> errors;
  std::string blob;
  auto pack = load_pack(options.session.rules, &blob, &errors);
  if (!pack) return report_failure(pack.error(), errors, io);
  std::string out = options.format == "json" ? "[" : "";
  for (std::uint32_t i = 0; i < pack->rules.size(); ++i) {
    const RuleRec& r = pack->rules[i];
    const RuleNote& note = pack->note(i);
    if (!is_covered_rule(r)) continue;
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
