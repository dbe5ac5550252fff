#include "report/rule_page.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <utility>

#include "base/json.h"
#include "base/text.h"
#include "launch/launch.h"
#include "report/report.h"
#include "report/rule_text.h"

namespace gonogo {

namespace {

constexpr std::string_view kModelHole = "$MODEL";
constexpr std::size_t kLongestConfig = 4000;  // bytes of a config.json that a page still shows

// `text` as a paragraph, so that nothing in it is markup. An underscore inside of a word is none.
std::string prose(std::string_view text) {
  const auto in_word = [&](std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_');
  };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool inside = text[i] == '_' && i > 0 && in_word(i - 1) && in_word(i + 1);
    if (std::string_view("\\`*_<>[]|").find(text[i]) != std::string_view::npos && !inside) out += '\\';
    out += text[i];
  }
  return out;
}

std::string fenced(std::string_view language, const std::string& text) {
  return "```" + std::string(language) + "\n" + text + (text.ends_with('\n') ? "" : "\n") + "```\n\n";
}

// What the action means for somebody whose launch meets it.
std::string_view meaning(Action action) {
  switch (action) {
    case Action::kFail:
      return "The launch is refused.";
    case Action::kWarn:
      return "The launch goes on; the report warns.";
    case Action::kInert:
      return "The launch goes on, and the flag does nothing.";
    case Action::kAdvise:
      return "The launch goes on; the report names something better.";
    case Action::kSet:
      return "A value is chosen.";
    case Action::kEnv:
      return "A variable is set for the runtime's workers.";
    case Action::kRun:
      return "Another stage is run here.";
    case Action::kUnknown:
      return "What comes after can't be told for certain.";
    default:
      return "What follows in its stage is left out.";
  }
}

std::string model_of(const Value& example) {
  const Value* model = example.find("model");
  if (model == nullptr || !model->is(Kind::kStr)) return "";
  std::string name(model->as_str());
  // Folders of models are named after their repositories.
  const std::size_t slash = name.find("__");
  return slash == std::string::npos ? name : name.replace(slash, 2, "/");
}

std::string command_of(const Pack& pack, const Value& example) {
  std::string out;
  if (const Value* env = example.find("env"); env != nullptr && env->is(Kind::kDict)) {
    for (const Entry& e : std::span(env->entries(), env->size())) {
      out += std::string(e.key.as_str()) + "=" + shell_quoted(e.value.is(Kind::kStr) ? e.value.as_str() : "") + " ";
    }
  }
  out += pack.text(pack.slice(pack.about->entry_points).front());
  const std::string model = model_of(example);
  if (const Value* argv = example.find("argv"); argv != nullptr && argv->is(Kind::kList)) {
    for (const Value& word : std::span(argv->items(), argv->size())) {
      const std::string text(word.is(Kind::kStr) ? word.as_str() : "");
      out += ' ';
      out += model.empty() && text == kModelHole ? text : shell_quoted(text == kModelHole ? model : text);
    }
  }
  return out;
}

std::string example_section(const Pack& pack, std::string_view title, const Value& example) {
  const auto text_of = [&](std::string_view key) {
    const Value* v = example.find(key);
    return v != nullptr && v->is(Kind::kStr) ? std::string(v->as_str()) : std::string();
  };
  std::string out = "## " + std::string(title) + "\n\n";
  const std::string version = text_of(pack.text(pack.about->name));
  out += "Version " + (version.empty() ? std::string(pack.version(pack.version_count() - 1)) : version);
  if (const std::string gpu = text_of("gpu"); !gpu.empty()) out += " on " + gpu;
  out += ":\n\n" + fenced("sh", command_of(pack, example));
  const Value* config = example.find("config");
  if (config == nullptr || config->is_none()) return out;
  const std::string json = to_json(*config, true);
  if (json.size() > kLongestConfig) return out + "The config.json of the model is long; its recorded case has it.\n\n";
  return out + "where the model's config.json is\n\n" + fenced("json", json);
}

std::string list(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += "- `" + item + "`\n";
  return out + "\n";
}

}  // namespace

std::optional<Error> RuleExamples::add(std::string_view text, const std::string& file) {
  int number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.empty()) continue;
    auto parsed = parse_json(line, file, arena_);
    if (!parsed) {
      Error e = parsed.error();
      e.place.line = number;
      return e;
    }
    const Value* const rule = parsed->find("rule");
    const Value* const fires = parsed->find("fires");
    const Value* const rests = parsed->find("rests");
    if (rule == nullptr || !rule->is(Kind::kStr) || fires == nullptr || rests == nullptr) {
      return Error{Error::Kind::kInput, "an example has `rule`, `fires` and `rests`", {file, number, 0}, "", ""};
    }
    pairs_.emplace(std::string(rule->as_str()), Pair{*fires, *rests});
  }
  return std::nullopt;
}

const RuleExamples::Pair* RuleExamples::find(std::string_view rule) const {
  const auto at = pairs_.find(rule);
  return at == pairs_.end() ? nullptr : &at->second;
}

std::string rule_page_name(std::string_view id) {
  std::string out(id);
  std::replace(out.begin(), out.end(), '#', '-');
  return out + ".md";
}

std::string rule_page(const Pack& pack, std::uint32_t rule, const RuleExamples& examples) {
  const RuleRec& r = pack.rules[rule];
  const RuleNote& note = pack.note(rule);
  const std::string id(pack.text(r.id));
  std::string out = "# " + id + "\n\n";
  if (const std::string_view because = pack.text(note.because); !because.empty()) out += prose(because) + ".\n\n";

  out += "## What happens\n\n" + std::string(meaning(r.action)) + "\n\n";
  std::string actions;
  for (const RuleLine& line : actions_of(pack, rule)) actions += std::string(line.label) + ": " + line.text + "\n";
  out += fenced("text", actions);

  out += "## When\n\n";
  std::string when;
  for (const std::string& c : conditions_of(pack, rule)) when += (when.empty() ? "" : "and ") + c + "\n";
  out += when.empty() ? std::string("Always, where its stage is reached.\n\n") : fenced("python", when);
  out += "It takes effect " + std::string(phase_meaning(r.phase)) + ".\n\n";

  if (const RuleExamples::Pair* const pair = examples.find(id); pair != nullptr) {
    out += example_section(pack, "A launch that meets it", pair->fires);
    out += example_section(pack, "One beside it that does not", pair->rests);
  }

  const std::vector<std::string> fixes = proposed_fixes(pack, rule);
  const bool searched = r.action == Action::kFail && r.between == 0;  // changes of one launch
  if (searched || !fixes.empty()) out += "## What to change\n\n";
  if (!fixes.empty()) out += list(fixes);
  if (searched) {
    out +=
        "`gonogo check` tries these and other changes of what the condition reads, and shows those that reach GO.\n\n";
  }

  out += "## Where it comes from\n\n";
  const auto fact = [&](std::string_view label, std::string_view text) {
    if (!text.empty()) out += "- " + std::string(label) + ": `" + std::string(text) + "`\n";
  };
  fact("refused upstream in", pack.text(note.check));
  fact("declared upstream by", pack.text(note.pass));
  for (const StrId see : pack.slice(note.see)) fact("see", pack.text(see));
  fact("rule file", pack.text(note.file));
  return out + "- versions: " + versions_text(pack, r.versions) + "\n";
}

std::string rule_index(const Pack& pack, const std::vector<std::uint32_t>& rules) {
  constexpr std::array kPhases = {Phase::kParse,   Phase::kResolve, Phase::kInit,
                                  Phase::kWeights, Phase::kForward, Phase::kLate};
  std::string out = "# The rules for " + std::string(pack.text(pack.about->name)) + " " + pack.versions_text() +
                    "\n\n" + std::to_string(rules.size()) +
                    " rules, by when the runtime itself would notice and by the first part of their names.\n\n";
  for (const Phase phase : kPhases) {
    std::map<std::string, std::vector<std::uint32_t>, std::less<>> groups;
    for (const std::uint32_t rule : rules) {
      const std::string_view id = pack.text(pack.rules[rule].id);
      if (pack.rules[rule].phase == phase) groups[std::string(id.substr(0, id.find_first_of("/#")))].push_back(rule);
    }
    if (groups.empty()) continue;
    out += "## " + std::string(phase_name(phase)) + ": " + std::string(phase_meaning(phase)) + "\n\n";
    for (const auto& [name, members] : groups) {
      out += "### " + name + "\n\n";
      for (const std::uint32_t rule : members) {
        const std::string id(pack.text(pack.rules[rule].id));
        out += "- [" + id + "](" + rule_page_name(id) + ") (" + std::string(action_name(pack.rules[rule].action)) + ")";
        if (const std::string_view because = pack.text(pack.note(rule).because); !because.empty()) {
          out += ": " + prose(because);
        }
        out += '\n';
      }
      out += '\n';
    }
  }
  return out;
}

}  // namespace gonogo
