// `gonogo doctor --log FILE`: which rule explains a failure that was logged, and, where the launch is given or the log
// holds its arguments, whether a check refuses it in the same place, who chose what, and what would go.
#include "report/doctor.h"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <ostream>

#include "base/json.h"
#include "cli/commands.h"
#include "flags/edit.h"

namespace gonogo {

namespace {

constexpr std::size_t kMostRules = 6;

// A Python literal as repr() prints it: text, numbers, True, False, None, and lists of them. False where it is more.
bool read_literal(std::string_view text, Arena& arena, Value* out) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (text == "None") return *out = Value(), true;
  if (text == "True" || text == "False") return *out = Value::boolean(text == "True"), true;
  // What is left differs from JSON in its quotes.
  std::string json;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
      json += '"';
    } else if (quote != 0 && c == quote) {
      quote = 0;
      json += '"';
    } else if (quote != 0 && c == '\\' && i + 1 < text.size()) {
      const char next = text[++i];
      if (next == 'x' || next == 'N') return false;
      if (next != '\'') json += '\\';
      json += next;
    } else if (quote == '\'' && c == '"') {
      json += "\\\"";
    } else {
      json += c;
    }
  }
  const auto value = parse_json(arena.copy(json), "log", arena);
  if (!value || value->is_dict()) return false;
  *out = *value;
  return true;
}

// The words of a launch with the arguments that a log recorded, as far as they differ from the defaults. They are what
// resolution left, so a rule's choice stands among them as if it had been typed.
std::vector<std::string> recorded_words(const Pack& pack, std::uint32_t version, const ServerLog& log) {
  std::vector<std::string> out;
  Arena arena;
  for (const auto& [name, text] : log.arguments) {
    const std::uint32_t field = pack.find_field(name);
    Value value;
    if (field == kNoIndex || pack.fields[field].volatile_value != 0 || !read_literal(text, arena, &value)) continue;
    if (value.is_none() || equal(value, field_default(pack, field, version, arena))) continue;
    const auto words = flag_words(pack, version, field, value, arena);
    if (words) out.insert(out.end(), words->words.begin(), words->words.end());
  }
  return out;
}

bool in_frames(const LogException& e, std::string_view check) {
  return std::any_of(e.frames.begin(), e.frames.end(), [&](const LogFrame& f) { return f.check() == check; });
}

// The refusal of a checked launch that a logged exception is: of the same rule as the diagnosis, else of the innermost
// place that both name.
std::uint32_t predicted_by(const Pack& pack, const Outcome& outcome, const LogException& e,
                           const std::vector<Diagnosis>& rules) {
  std::uint32_t best = kNoIndex;
  std::size_t best_rank = rules.size() + 1;
  for (std::uint32_t i = 0; i < outcome.findings.size(); ++i) {
    const Finding& f = outcome.findings[i];
    if (f.kind != Action::kFail || !f.certain) continue;
    if (f.rule == kNoIndex) {
      if (e.type == "usage") return i;
      continue;
    }
    const auto at = std::find_if(rules.begin(), rules.end(), [&](const Diagnosis& d) { return d.rule == f.rule; });
    const std::size_t rank = at != rules.end() ? static_cast<std::size_t>(at - rules.begin())
                             : in_frames(e, pack.text(pack.note(f.rule).check)) ? rules.size()
                                                                                : rules.size() + 1;
    if (rank < best_rank) {
      best = i;
      best_rank = rank;
    }
  }
  return best;
}

// Puts the rule of a refusal that the launch is known to meet before the others.
void put_first(const Pack& pack, std::uint32_t rule, std::vector<Diagnosis>* rules, const LogException& e) {
  const auto at = std::find_if(rules->begin(), rules->end(), [&](const Diagnosis& d) { return d.rule == rule; });
  Diagnosis d;
  d.rule = rule;
  d.place_matches = in_frames(e, pack.text(pack.note(rule).check));
  if (at != rules->end()) {
    d = *at;
    rules->erase(at);
  }
  d.confidence = Diagnosis::Confidence::kCertain;
  rules->insert(rules->begin(), d);
}

Result<ServerLog> read_log(const std::string& path, const Pack& pack, Streams io) {
  if (path == "-") return read_server_log(io.in, pack);
  std::ifstream file(path, std::ios::binary);
  if (!file || file.peek() == std::ifstream::traits_type::eof()) {
    file.clear();
    return Error{Error::Kind::kInput,
                 "the log can't be read, or is empty",
                 {path, 0, 0},
                 "name a file, or - for standard input",
                 ""};
  }
  return read_server_log(file, pack);
}

}  // namespace

ExitStatus doctor_command(const std::string& path, const CheckOptions& options, Streams io) {
  std::vector<Error> errors;
  std::string blob;
  auto pack = load_pack(options.session.rules, &blob, &errors);
  if (!pack) return report_failure(pack.error(), errors, io);
  auto log = read_log(path, *pack, io);
  if (!log) return report_error(log.error(), io);

  SessionOptions session_options = options.session;
  session_options.fixes = true;
  if (!session_options.version && !log->version.empty()) session_options.version = log->version;
  if (session_options.gpus.empty() && log->gpus.size() == 1) session_options.gpus = {log->gpus[0] + "x8"};
  std::uint32_t version = kNoIndex;
  if (session_options.version) {
    const auto known = runtime_version({session_options.version, {}, nullptr}, *pack);
    if (known && known->exact) version = known->index;
    if (!known) session_options.version.reset();
  }
  std::string from = "the launch given";
  if (session_options.command.empty() && !log->arguments.empty()) {
    session_options.command = recorded_words(*pack, version == kNoIndex ? pack->version_count() - 1 : version, *log);
    from = "the arguments that the log records, as resolution left them,";
  }

  DoctorReport report{*pack, *log, {}, nullptr, "", kNoIndex};
  for (std::size_t i = 0; i < log->exceptions.size(); ++i) {
    const LogException& e = log->exceptions[i];
    report.causes.push_back(
        {i, e.type == "usage" ? std::vector<Diagnosis>() : diagnose(*pack, version, e, kMostRules)});
  }
  // The first exception that a rule's place explains; of others the first, since what follows is often its echo.
  const auto worth = [&](const DoctorReport::Cause& c) {
    if (log->exceptions[c.exception].type == "usage") return 2;
    return c.rules.empty() ? 0 : c.rules[0].place_matches ? 2 : 1;
  };
  std::stable_sort(report.causes.begin(), report.causes.end(),
                   [&](const auto& a, const auto& b) { return worth(a) > worth(b); });

  std::unique_ptr<Session> session;
  std::optional<ReportInput> launch;
  if (session_options.command.empty()) {
    report.launch_from =
        "Give the launch after -- and it is checked again: who chose what, and which changes reach GO.";
  } else {
    auto checked = check_launch(*pack, session_options);
    if (!checked) {
      if (!options.session.command.empty()) return report_error(checked.error(), io);
      report.launch_from = "The arguments that the log records could not be checked: " + checked.error().what;
    } else {
      session = std::move(*checked);
      launch.emplace(input_of(*session));
      report.launch = &*launch;
      report.launch_from = from;
      if (!report.causes.empty()) {
        DoctorReport::Cause& first = report.causes[0];
        const LogException& e = log->exceptions[first.exception];
        report.predicted = predicted_by(*pack, session->outcome, e, first.rules);
        if (report.predicted != kNoIndex && session->outcome.findings[report.predicted].rule != kNoIndex) {
          put_first(*pack, session->outcome.findings[report.predicted].rule, &first.rules, e);
        }
      }
    }
  }
  const ExitStatus status = report.explained() ? ExitStatus::kGo : ExitStatus::kCouldNotCheck;
  io.out << (options.format == "json" ? to_json(report, static_cast<int>(status))
                                      : to_text(report, use_color(options.color)));
  return status;
}

}  // namespace gonogo
