#include "report/launch_report.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/json.h"
#include "base/text.h"
#include "rules/code.h"
#include "rules/fingerprint.h"
#include "rules/walk.h"

namespace gonogo {

Level level_of(Action action) {
  return action == Action::kFail ? Level::kError : action == Action::kAdvise ? Level::kNote : Level::kWarning;
}

namespace {

constexpr std::size_t kMaxOpen = 5;  // possible refusals on one unknown that are still told one by one

// The text of a source's line from a column on; empty where there is no such source.
std::string_view rest_of_line(const Launch& launch, const Place& place) {
  for (const Source& source : launch.sources) {
    if (source.name != place.file) continue;
    std::string_view text = source.text;
    for (int line = 1; line < place.line; ++line) {
      const std::size_t end = text.find('\n');
      if (end == std::string_view::npos) return {};
      text.remove_prefix(end + 1);
    }
    text = text.substr(0, text.find('\n'));
    for (int column = 1; column < place.column && !text.empty(); ++column) {
      do text.remove_prefix(1);
      while (!text.empty() && (static_cast<unsigned char>(text[0]) & 0xc0) == 0x80);
    }
    return text;
  }
  return {};
}

// Where a word of a shell, or of a list of words, ends.
std::size_t end_of_word(std::string_view text) {
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '\\') {
      ++i;
    } else if (c == ' ' || c == '\t' || c == ',' || c == ']') {
      return i;
    }
  }
  return text.size();
}

// A word as it stands in the user's text: the word itself, or what is quoted or masked in its place.
ReportSpan span_of(const Launch& launch, const Place& place, std::string_view word) {
  const std::string_view rest = rest_of_line(launch, place);
  std::string_view shown = word.substr(0, word.find('\n'));
  if (!rest.empty() && (shown.empty() || !rest.starts_with(shown))) shown = rest.substr(0, end_of_word(rest));
  const int width = std::max(1, static_cast<int>(code_points(shown)));
  return {place.file, place.line, place.column, place.line, place.column + width};
}

// Takes an outcome apart, finding by finding.
class Reporter {
 public:
  explicit Reporter(const ReportInput& input) : in_(input), pack_(input.pack) {}

  LaunchReport run(ReportSpan at) {
    LaunchReport out;
    const Outcome& outcome = in_.outcome;
    out.span = std::move(at);
    out.verdict = out.own_verdict = outcome.verdict;
    out.setting = std::string(pack_.text(pack_.about->name)) + " " + std::string(pack_.version(in_.version.index)) +
                  " on " + nodes_text(in_.nodes);
    out.ladder = ladder_of(outcome);
    out.own_missing = outcome.missing;
    out.faults = outcome.faults;
    std::map<std::string_view, std::size_t> open;
    for (const Finding& f : outcome.findings) {
      if (f.kind == Action::kFail && !f.certain) ++open[f.depends_on];
    }
    for (const std::string& what : outcome.missing) out.missing.push_back({what, open[what]});
    for (const Finding& f : outcome.findings) {
      const bool folded = f.kind == Action::kFail && !f.certain && open[f.depends_on] > kMaxOpen;
      out.findings.push_back(finding(f, folded, out.span.file));
    }
    if (in_.given != nullptr) {
      for (const UsageFinding& note : in_.given->notes) {
        out.notes.push_back(note.message + (note.hint.empty() ? "" : "; " + note.hint));
      }
    }
    for (const FixTrial& trial : in_.fixes.trials) {
      const bool refused = !trial.enough && trial.refused_by != kNoIndex;
      out.fixes.push_back({fix_text(in_, trial), trial.enough, trial.open, refused ? rule_id(trial.refused_by) : ""});
    }
    return out;
  }

 private:
  std::string rule_id(std::uint32_t rule) const { return std::string(pack_.text(pack_.rules[rule].id)); }

  ReportFinding finding(const Finding& f, bool folded, const std::string& file) const {
    ReportFinding out;
    out.action = f.kind;
    out.phase = f.phase;
    out.rule = rule_of(pack_, f);
    out.message = f.message;
    out.certain = f.certain;
    out.depends_on = f.certain ? "" : f.depends_on;
    out.behind = f.behind_failure;
    out.folded = folded;
    out.own_level = out.level = level_of(f.kind);
    if (f.usage) {
      out.usage = usage_kind_name(f.usage->kind);
      out.hint = f.usage->hint;
    }
    if (f.rule != kNoIndex) {
      const RuleNote& note = pack_.note(f.rule);
      out.check = pack_.text(note.check);
      out.because = pack_.text(note.because);
      out.where = std::string(pack_.text(note.file)) + ":" + std::to_string(note.line);
      for (const StrId see : pack_.slice(note.see)) out.see.emplace_back(pack_.text(see));
    }
    if (f.field != kNoIndex) out.field = pack_.field_name(f.field);
    for (const Evidence& e : f.evidence) out.evidence.push_back(evidence_text(in_, e));
    for (const Change* c : chosen_for(in_, f)) {
      const Value value = shown(pack_, c->field, c->value);
      out.chosen.push_back({std::string(pack_.field_name(c->field)), to_str(value), to_json(value), rule_id(c->rule),
                            std::string(pack_.text(pack_.note(c->rule).because))});
    }
    place(f, &out);
    out.fingerprint = fingerprint_of(out.rule, out.span ? out.span->file : file, out.message);
    if (!folded) trace(f, &out);
    return out;
  }

  void place(const Finding& f, ReportFinding* out) const {
    out->word = word_of(in_, f);
    const bool word = out->word < in_.launch.args.size();
    const Place place = word ? in_.launch.args[out->word].place : f.usage ? f.usage->place : Place();
    if (!word) out->word = kNoIndex;
    if (place.line <= 0) return;
    out->span = span_of(in_.launch, place, word ? in_.launch.args[out->word].text : "");
    if (!out->folded) out->excerpt = excerpt(in_.launch, place);
  }

  // The fields that the condition read, as they came about: what was typed, and which rules changed it.
  void trace(const Finding& f, ReportFinding* out) const {
    std::vector<std::uint32_t> fields;
    const auto want = [&](std::uint32_t field) {
      if (std::find(fields.begin(), fields.end(), field) == fields.end()) fields.push_back(field);
    };
    if (in_.given != nullptr) {
      for (const Evidence& e : f.evidence) {
        const std::uint32_t w = pack_.code[e.name];
        if (op_of(w) == Op::kField || op_of(w) == Op::kGiven || op_of(w) == Op::kTyped) want(operand_of(w));
      }
      for (const Change* c : chosen_for(in_, f)) want(c->field);
    }
    for (const std::uint32_t field : fields) {
      if (!in_.given->typed(field)) continue;
      const Origin& origin = in_.given->origins[field];
      const std::uint32_t word = origin.value_word != kNoIndex ? origin.value_word : origin.word;
      std::optional<ReportSpan> span;
      if (word < in_.launch.args.size() && in_.launch.args[word].place.line > 0) {
        span = span_of(in_.launch, in_.launch.args[word].place, in_.launch.args[word].text);
      }
      out->trace.push_back({std::string(pack_.field_name(field)) + " = " +
                                to_str(shown(pack_, field, in_.given->value(field))) + ": you typed it",
                            span});
    }
    for (const Change& c : in_.outcome.history) {
      if (std::find(fields.begin(), fields.end(), c.field) == fields.end()) continue;
      if (&c != last_change(in_.outcome, c.field) || c.value.is_bad()) continue;
      const std::string_view because = pack_.text(pack_.note(c.rule).because);
      out->trace.push_back({std::string(pack_.field_name(c.field)) + " = " + to_str(shown(pack_, c.field, c.value)) +
                                ": " + rule_id(c.rule) + " set it" + (because.empty() ? "" : ", because ") +
                                std::string(because),
                            std::nullopt});
    }
    out->trace.push_back({out->rule + ": " + out->message, out->span});
  }

  const ReportInput& in_;
  const Pack& pack_;
};

bool changed(const ReportFinding& f) { return f.suppressed || f.level != f.own_level; }

}  // namespace

std::string_view level_name(Level level) {
  static constexpr std::array<std::string_view, 3> kNames = {"note", "warning", "error"};
  return kNames[static_cast<std::size_t>(level)];
}

std::string ReportSpan::text() const {
  if (file == kCommandLine) return "the command line";
  if (line <= 0) return file;
  return file + ":" + std::to_string(line) + (column > 0 ? ":" + std::to_string(column) : "");
}

std::string fingerprint_of(std::string_view rule, std::string_view file, std::string_view message) {
  std::uint64_t hash = fingerprint(rule);
  hash = fingerprint(file, fingerprint("\n", hash));
  hash = fingerprint(message, fingerprint("\n", hash));
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (int shift = 60; shift >= 0; shift -= 4) out += kDigits[hash >> shift & 15];
  return out;
}

LaunchReport report_of(const ReportInput& input, ReportSpan at) { return Reporter(input).run(std::move(at)); }

LaunchReport report_of(const ReportInput& input) {
  const Launch& launch = input.launch;
  const Word* const first = !launch.program.empty() ? &launch.program[0]
                            : !launch.args.empty()  ? &launch.args[0]
                                                    : nullptr;
  ReportSpan at{std::string(kCommandLine), 1, 1, 1, 2};
  if (first != nullptr && first->place.line > 0) at = span_of(launch, first->place, first->text);
  LaunchReport out = report_of(input, std::move(at));
  for (const Word& word : launch.program) out.entry += (out.entry.empty() ? "" : " ") + word.text;
  std::vector<std::string> words;
  for (const Word& word : launch.args) words.push_back(word.text);
  out.argv = masked_words(input.pack, words);
  for (const Source& source : launch.sources) {
    if (source.name == kCommandLine) out.command = source.text;
  }
  return out;
}

void decide(LaunchReport* report) {
  if (std::none_of(report->findings.begin(), report->findings.end(), changed)) return;
  std::size_t refused = kPhases;
  std::size_t unsure = kPhases;
  std::map<std::string, std::pair<std::size_t, std::size_t>> open;  // refusals on an unknown: that count, and all
  bool unparsed = false;
  report->missing.clear();
  for (ReportFinding& f : report->findings) {
    f.behind = f.behind && refused < kPhases;
    const bool refusal = f.action == Action::kFail;
    if (!f.certain && refusal) ++open[f.depends_on].second;
    if (!f.usage.empty() && !f.decides()) unparsed = true;
    if (!f.decides()) continue;
    if (f.certain) {
      refused = std::min(refused, static_cast<std::size_t>(f.phase));
    } else {
      unsure = std::min(unsure, static_cast<std::size_t>(f.phase));
      ++open[f.depends_on].first;
    }
  }
  // What hangs on findings that no longer count need not be supplied.
  for (const std::string& what : report->own_missing) {
    const auto found = open.find(what);
    if (found == open.end() || found->second.first > 0)
      report->missing.push_back({what, found == open.end() ? 0 : found->second.first});
  }
  if (refused == kPhases) {
    for (const auto& [what, counts] : open) {
      const auto same = [&what = what](const ReportMissing& m) { return m.what == what; };
      if (counts.first == 0 || std::any_of(report->missing.begin(), report->missing.end(), same)) continue;
      report->missing.push_back({what, counts.first});
    }
    if (unparsed) report->missing.push_back({"what the launch resolves to once the arguments' parser takes it", 0});
  }
  const bool unknown = !report->missing.empty() || !report->faults.empty() ||
                       (report->own_verdict == Verdict::kUnknown && report->own_missing.empty());
  report->verdict = refused < kPhases ? Verdict::kNoGo : unknown ? Verdict::kUnknown : Verdict::kGo;
  report->ladder = ladder_of(refused, unsure, report->verdict == Verdict::kUnknown);
}

const ReportSpan& place_of(const LaunchReport& launch, const ReportFinding& finding) {
  return finding.span ? *finding.span : launch.span;
}

std::string shown_kind(const ReportFinding& f) {
  if (f.level != f.own_level) return std::string(level_name(f.level));
  return (f.certain ? "" : "possible ") + std::string(kind_name(f.action));
}

std::string level_note(const ReportFinding& f) {
  if (f.level == f.own_level) return {};
  static constexpr std::array<std::string_view, 3> kOwn = {"advice", "a warning", "a refusal"};
  static constexpr std::array<std::string_view, 3> kNow = {"a note", "a warning", "an error"};
  return std::string(kOwn[static_cast<std::size_t>(f.own_level)]) + ", told as " +
         std::string(kNow[static_cast<std::size_t>(f.level)]) + " by " + f.level_by;
}

std::string missing_text(const ReportMissing& missing) {
  if (missing.refusals == 0) return missing.what;
  return missing.what + " (" + std::to_string(missing.refusals) +
         (missing.refusals == 1 ? " refusal depends on it)" : " refusals depend on it)");
}

std::string suppression_text(const Suppression& s) {
  return "ignored by " + s.by + (s.until.empty() ? "" : " until " + s.until) + ": " + s.reason;
}

std::string counts_text(const LaunchReport& report) {
  std::map<std::string, int> counts;
  for (const ReportFinding& f : report.findings) {
    if (f.suppressed) {
      ++counts["ignored"];
    } else if (f.action == Action::kFail || f.action == Action::kInert || !f.behind) {
      ++counts[shown_kind(f)];
    }
  }
  static constexpr std::array<std::array<std::string_view, 3>, 8> kWords = {{
      {"refusal", "refusal", "refusals"},
      {"error", "error by policy", "errors by policy"},
      {"possible refusal", "possible refusal", "possible refusals"},
      {"warning", "warning", "warnings"},
      {"inert", "flag without effect", "flags without effect"},
      {"advice", "piece of advice", "pieces of advice"},
      {"note", "note", "notes"},
      {"ignored", "ignored", "ignored"},
  }};
  std::string out;
  for (const auto& [kind, one, many] : kWords) {
    const int count = counts[std::string(kind)];
    if (count > 0)
      out += (out.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(count == 1 ? one : many);
  }
  return out.empty() ? "no findings" : out;
}

}  // namespace gonogo
