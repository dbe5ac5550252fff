#include "cli/help.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text.h"
#include "cli/command_table.h"
#include "report/report.h"

namespace gonogo {

namespace {

constexpr std::size_t kWidestName = 26;  // a longer one has its description on the next line

// One example a command, by its path below gonogo. RUNTIME stands for whatever starts the runtime.
constexpr std::pair<const char*, const char*> kExamples[] = {
    {"check", "gonogo check --gpu b200x8 -- python -m RUNTIME …"},
    {"run", "gonogo run --gpu local -- python -m RUNTIME …"},
    {"lock", "gonogo lock --gpu b200x8 -- python -m RUNTIME …"},
    {"launches", "gonogo launches deploy/ --format json"},
    {"explain", "gonogo explain FLAG --gpu h100x8 -- python -m RUNTIME …"},
    {"diff", "gonogo diff --gpu h200x8..b200x8 -- python -m RUNTIME …"},
    {"migrate", "gonogo migrate deploy/ --write"},
    {"plan", "gonogo plan --gpu h200x8 --request-length 8192 -- python -m RUNTIME …"},
    {"matrix", "gonogo matrix --vary FLAG=A,B --vary gpu=b200x8,h200x8 -- python -m RUNTIME …"},
    {"doctor", "gonogo doctor --log server.log --gpu b200x8 -- python -m RUNTIME …"},
    {"batch", "gonogo batch --models models/ < cases.jsonl > answers.jsonl"},
    {"gpu", "gonogo gpu --format json > node.json; gonogo check --gpu node.json -- …"},
    {"rules", "gonogo rules list cuda-graph"},
    {"rules list", "gonogo rules list cuda-graph --format json"},
    {"rules show", "gonogo rules show RULE"},
    {"rules docs", "gonogo rules docs docs/rules/"},
    {"rules coverage", "gonogo rules coverage cases.jsonl --models models/"},
    {"rules check", "gonogo rules check my-rules/"},
    {"completions", "source <(gonogo completions bash)"},
    {"man", "gonogo man | man -l -"},
};

class Help {
 public:
  Help(const CLI::App& command, std::string path) : command_(command), path_(std::move(path)) {}

  std::string run() {
    const CommandText text = text_of(command_, path_);
    if (command_.get_parent() == nullptr) {
      out_ = wrapped(path_ + ": " + text.description, 0) + "\n\n";
    } else {
      out_ = wrapped(path_ + ": " + text.description, 0) + "\n";
      for (const std::string& line : text.usage) out_ += "  " + wrapped(line, 6) + "\n";
      out_ += '\n';
    }
    std::vector<std::pair<std::string, std::string>> rows;
    for (const CLI::App* sub : subcommands_of(command_)) {
      rows.emplace_back(sub->get_name(), text_of(*sub, "").description);
    }
    for (const CLI::Option* argument : arguments_of(command_)) {
      rows.emplace_back(spelled(*argument), meaning_of(*argument));
    }
    for (const CLI::Option* option : options_of(command_)) rows.emplace_back(spelled(*option), meaning_of(*option));
    table(rows);
    const std::string footer = footer_of(command_);
    if (!footer.empty()) out_ += '\n';
    for (std::size_t at = 0; at < footer.size();) {
      const std::size_t end = std::min(footer.find('\n', at), footer.size());
      const std::string line = footer.substr(at, end - at);
      out_ += (code_points(line) > kReportWidth ? wrapped(line, 2) : line) + "\n";
      at = end + 1;
    }
    return std::move(out_);
  }

 private:
  void table(const std::vector<std::pair<std::string, std::string>>& rows) {
    std::size_t width = 0;
    for (const auto& [name, what] : rows) {
      if (code_points(name) <= kWidestName) width = std::max(width, code_points(name));
    }
    const std::size_t indent = width + 4;
    for (const auto& [name, what] : rows) {
      const std::size_t size = code_points(name);
      out_ += "  " + name + (size > width ? "\n" + std::string(indent, ' ') : std::string(indent - 2 - size, ' ')) +
              wrapped(what, indent) + "\n";
    }
  }

  const CLI::App& command_;
  std::string path_;
  std::string out_;
};

}  // namespace

std::string HelpFormatter::make_help(const CLI::App* command, std::string path, CLI::AppFormatMode) const {
  return Help(*command, path.empty() ? command->get_name() : std::move(path)).run();
}

void add_examples(CLI::App* app) {
  for (const auto& [path, example] : kExamples) {
    CLI::App* command = app;
    const std::string words = path;
    for (std::size_t at = 0; at < words.size() && command != nullptr;) {
      const std::size_t end = std::min(words.find(' ', at), words.size());
      const std::string name = words.substr(at, end - at);
      const auto found = command->get_subcommands([&](CLI::App* sub) { return sub->get_name() == name; });
      command = found.empty() ? nullptr : found.front();
      at = end + 1;
    }
    if (command == nullptr) continue;
    const std::string footer = footer_of(*command);
    command->footer(std::string("Example: ") + example + (footer.empty() ? "" : "\n" + footer));
  }
}

}  // namespace gonogo
