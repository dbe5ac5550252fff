#include "report/report.h"

#include <algorithm>
#include <array>

#include "carriers/secret_mask.h"
#include "flags/edit.h"
#include "rules/code.h"
#include "rules/walk.h"

namespace gonogo {

std::string_view verdict_word(Verdict verdict) {
  static constexpr std::array<std::string_view, 3> kWords = {"GO", "NO-GO", "UNKNOWN"};
  return kWords[static_cast<std::size_t>(verdict)];
}

std::string_view phase_name(Phase phase) {
  static constexpr std::array<std::string_view, 6> kNames = {"parse", "resolve", "init", "weights", "forward", "late"};
  return kNames[static_cast<std::size_t>(phase)];
}

std::string_view action_name(Action action) {
  static constexpr std::array<std::string_view, 11> kWords = {"stop", "group", "ladder", "set", "env",    "fail",
                                                              "warn", "inert", "advise", "run", "unknown"};
  return kWords[static_cast<std::size_t>(action)];
}

std::string painted(std::string_view text, const char* code, bool color) {
  return color ? "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m" : std::string(text);
}

std::string verdict_text(Verdict verdict, bool color) {
  const char* code = verdict == Verdict::kGo ? "1;32" : verdict == Verdict::kNoGo ? "1;31" : "1;33";
  return painted(verdict_word(verdict), code, color);
}

std::string nodes_text(const std::vector<GpuSet>& nodes) {
  if (nodes.empty()) return "unknown GPUs";
  const std::string first = nodes[0].text();
  return nodes.size() == 1 ? first : std::to_string(nodes.size()) + " nodes, the first with " + first;
}

std::string_view phase_meaning(Phase phase) {
  static constexpr std::array<std::string_view, 6> kMeanings = {
      "when the arguments are read",
      "when the arguments are resolved, before any process starts",
      "when processes and the model are built, before weights load",
      "while weights load",
      "at the first forward pass, with weights and caches in place",
      "after the server has started"};
  return kMeanings[static_cast<std::size_t>(phase)];
}

std::string_view kind_name(Action action) {
  switch (action) {
    case Action::kFail:
      return "refusal";
    case Action::kWarn:
      return "warning";
    case Action::kInert:
      return "inert";
    default:
      return "advice";
  }
}

std::string_view rule_of(const Pack& pack, const Finding& finding) {
  if (finding.rule != kNoIndex) return pack.text(pack.rules[finding.rule].id);
  return finding.usage ? std::string_view("argparse") : std::string_view("unread");
}

Value shown(const Pack& pack, std::uint32_t field, const Value& value) {
  return is_secret(pack, pack.field_name(field)) && !value.is_none() ? Value::str("***") : value;
}

std::string in_shell(std::span<const std::string> words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + shell_quoted(word);
  return out;
}

std::string change_text(const ReportInput& input, const FixChange& change) {
  const Pack& pack = input.pack;
  switch (change.kind) {
    case Target::kVersion: {
      std::string range = to_str(change.value);
      if (range.starts_with("==")) range.erase(0, 2);
      return std::string(pack.text(pack.about->name)) + " " + range;
    }
    case Target::kEnv: {
      const std::string name(pack.text(pack.envs[change.target].name));
      return change.value.is_none() ? "without " + name : name + "=" + shell_quoted(to_str(change.value));
    }
    default:
      break;
  }
  std::string flag(pack.flag_of(change.target, input.version.index));
  if (flag.empty()) flag = pack.field_name(change.target);
  if (change.value.is_none()) {
    const std::uint32_t word = input.given != nullptr ? input.given->origins[change.target].word : kNoIndex;
    if (word < input.launch.args.size())
      flag = input.launch.args[word].text.substr(0, input.launch.args[word].text.find('='));
    return "without " + flag;
  }
  Arena arena;
  if (const auto typed = flag_words(pack, input.version.index, change.target, change.value, arena)) {
    return in_shell(typed->words);
  }
  if (change.value.is(Kind::kBool)) return change.value.as_bool() ? flag : "without " + flag;
  if (!change.value.is_sequence()) return flag + " " + shell_quoted(to_str(change.value));
  for (std::uint32_t i = 0; i < change.value.size(); ++i) flag += " " + shell_quoted(to_str(change.value[i]));
  return flag;
}

std::vector<std::string> masked_words(const Pack& pack, const std::vector<std::string>& words) {
  std::vector<FoundWord> args(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) args[i].text = words[i];
  return shown_args(pack, args);
}

ShownMend shown_mend(const ReportInput& input, const WordEdit& edit) {
  const auto name = [](const std::string& word) { return word.substr(0, word.find('=')); };
  ShownMend out;
  out.by = edit.by;
  if (edit.first >= input.launch.args.size()) return out;
  out.old = input.launch.args[edit.first].text;
  const std::size_t equals = out.old.find('=');
  const std::string tail = equals == std::string::npos ? std::string() : out.old.substr(equals);
  if (edit.by.empty()) {
    out.old = name(out.old);
  } else if (!tail.empty() && out.by.back().ends_with(tail)) {
    out.old = name(out.old);
    out.by.back().resize(out.by.back().size() - tail.size());
  }
  return out;
}

std::string fix_text(const ReportInput& input, const FixTrial& trial) {
  std::string out;
  for (const WordEdit& mend : trial.mends) {
    if (!out.empty()) out += " and ";
    const ShownMend shown = shown_mend(input, mend);
    out += shown.by.empty() ? "without " + shell_quoted(shown.old)
                            : in_shell(shown.by) + " in place of " + shell_quoted(shown.old);
  }
  for (const FixChange& change : trial.fix) {
    if (!out.empty()) out += " and ";
    out += change_text(input, change);
  }
  return out;
}

std::string evidence_text(const ReportInput& input, const Evidence& evidence) {
  const std::uint32_t w = input.pack.code[evidence.name];
  const bool field = op_of(w) == Op::kField || op_of(w) == Op::kGiven;
  const Value value = field ? shown(input.pack, operand_of(w), evidence.value) : evidence.value;
  std::string text = to_repr(value);
  if (text.size() > 90) text = text.substr(0, 87) + "…";
  std::string out = unparse(input.pack, evidence.name) + " = " + text;
  if (op_of(w) != Op::kField || input.given == nullptr) return out;
  const std::uint32_t index = operand_of(w);
  if (input.given->typed(index) && identical(input.given->value(index), evidence.value))
    return out + "  (you typed it)";
  // Who chose it, where it was not the user.
  const Change* by = nullptr;
  for (const Change& c : input.outcome.history) {
    if (c.field == index && identical(c.value, evidence.value)) by = &c;
  }
  if (by == nullptr) return out;
  const RuleRec& rule = input.pack.rules[by->rule];
  const RuleNote& note = input.pack.note(by->rule);
  out += "  (chosen by " + std::string(input.pack.text(rule.id));
  if (note.because != 0) out += ": " + std::string(input.pack.text(note.because));
  return out + ")";
}

std::uint32_t word_of(const ReportInput& input, const Finding& finding) {
  if (finding.usage) return finding.usage->word;
  if (input.given == nullptr) return kNoIndex;
  const auto word = [&](std::uint32_t field) {
    const Origin& origin = input.given->origins[field];
    return origin.value_word != kNoIndex ? origin.value_word : origin.word;
  };
  if (finding.field != kNoIndex && word(finding.field) != kNoIndex) return word(finding.field);
  for (const Evidence& e : finding.evidence) {
    const std::uint32_t w = input.pack.code[e.name];
    if (op_of(w) != Op::kField && op_of(w) != Op::kGiven && op_of(w) != Op::kTyped) continue;
    if (word(operand_of(w)) != kNoIndex) return word(operand_of(w));
  }
  return kNoIndex;
}

std::vector<const Change*> chosen_for(const ReportInput& input, const Finding& finding) {
  constexpr std::size_t kMost = 3;
  std::vector<const Change*> out;
  if (input.given == nullptr) return out;
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  const auto names = [&](std::string_view value) {
    const std::size_t at = finding.message.find(value);
    if (value.size() < 3 || at == std::string::npos) return false;
    const std::size_t end = at + value.size();
    return (at == 0 || !is_part(finding.message[at - 1])) &&
           (end == finding.message.size() || !is_part(finding.message[end]));
  };
  for (const Change& c : input.outcome.history) {
    if (!c.value.is_str() || identical(c.value, input.given->value(c.field)) || out.size() >= kMost) continue;
    if (is_secret(input.pack, input.pack.field_name(c.field)) || !names(c.value.as_str())) continue;
    const bool typed =
        std::any_of(input.given->values, input.given->values + input.given->field_count, [&](const Value& v) {
          return identical(v, c.value) && input.given->typed(static_cast<std::uint32_t>(&v - input.given->values));
        });
    const bool told =
        std::any_of(out.begin(), out.end(), [&](const Change* o) { return identical(o->value, c.value); });
    if (!typed && !told) out.push_back(&c);
  }
  return out;
}

std::string wrapped(std::string_view text, std::size_t indent) {
  std::string out;
  std::size_t used = indent;
  while (!text.empty()) {
    const std::size_t cut = text.find_first_of(" \n");
    const std::string_view word = text.substr(0, cut);
    const bool newline = cut != std::string_view::npos && text[cut] == '\n';
    if (!out.empty() && out.back() != '\n' && used + 1 + word.size() > kReportWidth) {
      out += "\n" + std::string(indent, ' ');
      used = indent;
    } else if (used > indent) {
      out += ' ';
      ++used;
    }
    out += word;
    used += word.size();
    if (newline) {
      out += "\n" + std::string(indent, ' ');
      used = indent;
    }
    text = cut == std::string_view::npos ? std::string_view() : text.substr(cut + 1);
  }
  return out;
}

}  // namespace gonogo
