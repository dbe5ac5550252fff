#include "cli/complete.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <set>

#include "base/arena.h"
#include "cli/command_table.h"
#include "flags/spelling.h"
#include "rules/constant.h"
#include "rules/pack.h"

namespace gonogo {

namespace {

constexpr std::string_view kLaunch = "--";
constexpr int kCounts[] = {1, 2, 4, 8};  // of GPUs, as profiles are used

class Completer {
 public:
  Completer(const CLI::App& app, const Pack& pack, const std::vector<std::string>& words)
      : app_(app), pack_(pack), version_(pack.version_count() - 1) {
    if (!words.empty()) typed_ = words.back();
    before_.assign(words.begin(), words.end() - (words.empty() ? 0 : 1));
  }

  Completion run() {
    const CLI::App* command = &app_;
    const CLI::Option* waiting = nullptr;  // its value comes next
    std::size_t arguments = 0;
    for (std::size_t i = 0; i < before_.size(); ++i) {
      const std::string& word = before_[i];
      if (waiting != nullptr) {
        note(*waiting, word);
        waiting = nullptr;
      } else if (word == kLaunch) {
        launch({before_.begin() + static_cast<std::ptrdiff_t>(i) + 1, before_.end()});
        return std::move(out_);
      } else if (word.starts_with('-')) {
        const std::size_t equals = word.find('=');
        const CLI::Option* option = find(*command, word.substr(0, equals));
        if (option == nullptr || kind_of(*option).empty()) continue;
        if (equals == std::string::npos) {
          waiting = option;
        } else {
          note(*option, word.substr(equals + 1));
        }
      } else if (const CLI::App* sub = subcommand(*command, word)) {
        command = sub;
      } else {
        ++arguments;
      }
    }
    if (waiting != nullptr) {
      value(*waiting, "", typed_);
    } else if (typed_.starts_with('-')) {
      option(*command);
    } else {
      for (const CLI::App* sub : subcommands_of(*command)) add(sub->get_name(), text_of(*sub, "").description);
      const auto list = arguments_of(*command);
      if (!list.empty()) {
        const CLI::Option& last = *list[std::min(arguments, list.size() - 1)];
        if (arguments < list.size() || last.get_items_expected_max() > 1) value(last, "", typed_);
      }
    }
    return std::move(out_);
  }

 private:
  static const CLI::App* subcommand(const CLI::App& command, const std::string& name) {
    for (const CLI::App* sub : subcommands_of(command)) {
      if (sub->get_name() == name) return sub;
    }
    return nullptr;
  }

  static const CLI::Option* find(const CLI::App& command, const std::string& name) {
    for (const CLI::Option* option : options_of(command)) {
      if (option->check_name(name)) return option;
    }
    return nullptr;
  }

  void add(const std::string& word, const std::string& what = {}) {
    if (word.starts_with(typed_)) out_.words.emplace_back(word, what);
  }

  // The version that was chosen decides which flags there are.
  void note(const CLI::Option& option, const std::string& text) {
    if (kind_of(option) != "VERSION") return;
    const std::uint32_t index = pack_.version_index(text.substr(text.starts_with('v') ? 1 : 0));
    if (index != kNoIndex) version_ = index;
  }

  void option(const CLI::App& command) {
    const std::size_t equals = typed_.find('=');
    if (equals != std::string::npos) {
      const CLI::Option* known = find(command, typed_.substr(0, equals));
      if (known != nullptr) value(*known, typed_.substr(0, equals + 1), typed_.substr(equals + 1));
      return;
    }
    for (const CLI::Option* known : options_of(command)) {
      for (const std::string& name : known->get_lnames()) add("--" + name, meaning_of(*known));
      for (const std::string& name : known->get_snames()) add("-" + name, meaning_of(*known));
    }
    add("--help", "what it does");
  }

  // Values of an option or argument; each stands behind `before` in the word, of which `text` is the rest.
  void value(const CLI::Option& option, const std::string& before, const std::string& text) {
    const std::string kind = kind_of(option);
    for (const std::string& choice : choices_of(option)) add(before + choice);
    if (kind == "GPU" || kind == "VERSION") {
      // Of A..B the second end is typed.
      const std::size_t dots = text.rfind("..");
      const std::string first = before + (dots == std::string::npos ? "" : text.substr(0, dots + 2));
      kind == "GPU" ? gpus(first, text) : versions(first);
      if (kind == "GPU" && text.find('/') != std::string::npos) out_.files = Completion::Files::kFiles;
    } else if (kind == "RULE" || kind == "FLAG_OR_RULE") {
      if (kind == "FLAG_OR_RULE") flags(false);
      rules(before);
    } else if (kind == "NAME=VALUE,VALUE") {
      axis(text);
    } else if (kind == "FILE" || kind == "DIR") {
      out_.files = kind == "DIR" ? Completion::Files::kFolders : Completion::Files::kFiles;
    }
  }

  void gpus(const std::string& before, const std::string& text) {
    add(before + "local", "this machine's");
    for (const GpuRec& gpu : pack_.gpus) {
      const std::string key(pack_.text(gpu.key));
      add(before + key, std::string(pack_.text(gpu.name)));
      if (!text.ends_with(key) && text.find(key + "x") == std::string::npos) continue;
      for (const int count : kCounts)
        add(before + key + "x" + std::to_string(count), std::string(pack_.text(gpu.name)));
    }
  }

  void versions(const std::string& before) {
    for (std::uint32_t i = pack_.version_count(); i-- > 0;) {
      add(before + std::string(pack_.version(i)), i < pack_.first_ruled() ? "its arguments alone" : "");
    }
  }

  void rules(const std::string& before) {
    std::string last;
    for (std::uint32_t i = 0; i < pack_.rules.size(); ++i) {
      const RuleRec& rule = pack_.rules[i];
      if (rule.action == Action::kRules || rule.action == Action::kFirst || rule.action == Action::kNothing) continue;
      std::string id = before + std::string(pack_.text(rule.id));
      if (id == last || !id.starts_with(typed_)) continue;
      add(id, std::string(pack_.text(pack_.note(i).because)));
      last = std::move(id);
    }
  }

  // The runtime's flags in the version that was chosen, as they are typed or as names alone.
  void flags(bool dashes) {
    std::set<std::string_view> seen;
    for (const std::string_view spelling : Spellings(pack_, version_).shown()) {
      if (!spelling.starts_with("--") || !seen.insert(spelling).second) continue;
      add(std::string(dashes ? spelling : spelling.substr(2)));
    }
  }

  // The choices of a flag, as texts.
  std::vector<std::string> choices(const std::string& flag) const {
    std::vector<std::string> out;
    const Reading reading = Spellings(pack_, version_).read(flag);
    if (reading.kind != Reading::Kind::kFlag || pack_.flags[reading.flag].choices == 0) return out;
    Arena arena;
    const Value list = constant(pack_, pack_.flags[reading.flag].choices, arena);
    for (std::uint32_t i = 0; list.is_sequence() && i < list.size(); ++i) out.push_back(to_str(list[i]));
    return out;
  }

  bool takes_value(const std::string& flag) const {
    const Reading reading = Spellings(pack_, version_).read(flag);
    return reading.kind == Reading::Kind::kFlag && !reading.has_value && pack_.flags[reading.flag].nargs != 'n';
  }

  // NAME=VALUE,VALUE of a matrix.
  void axis(const std::string& text) {
    const std::string runtime(pack_.text(pack_.about->name));
    const std::size_t equals = text.find('=');
    out_.open_end = true;
    if (equals == std::string::npos) {
      add("gpu=", "GPUs of each node");
      add(runtime + "=", "its version");
      add("env.", "a variable");
      for (const std::string_view spelling : Spellings(pack_, version_).shown()) {
        if (spelling.starts_with("--")) add(std::string(spelling.substr(2)) + "=");
      }
      return;
    }
    const std::size_t last = std::max(equals, text.rfind(',') == std::string::npos ? 0 : text.rfind(','));
    const std::string before = text.substr(0, last + 1), name = text.substr(0, equals);
    if (name == "gpu") return gpus(before, text.substr(last + 1));
    if (name == runtime) return versions(before);
    for (const std::string& choice : choices("--" + name)) add(before + choice);
  }

  // Words of the launch: of an entry point, then flags and their choices.
  void launch(const std::vector<std::string>& words) {
    const std::string previous = words.empty() ? "" : words.back();
    const std::size_t equals = typed_.find('=');
    if (typed_.starts_with("--") && equals != std::string::npos) {
      for (const std::string& choice : choices(typed_.substr(0, equals))) add(typed_.substr(0, equals + 1) + choice);
      return;
    }
    if (typed_.starts_with('-')) return flags(true);
    if (previous.starts_with("--") && takes_value(previous)) {
      const std::vector<std::string> known = choices(previous);
      for (const std::string& choice : known) add(choice);
      if (known.empty()) out_.files = Completion::Files::kFiles;
      return;
    }
    entry_points(words);
    out_.files = Completion::Files::kFiles;
  }

  // The next word of each way to start the runtime that `words` begin.
  void entry_points(const std::vector<std::string>& words) {
    for (const StrId id : pack_.slice(pack_.about->entry_points)) {
      std::vector<std::string> entry;
      const std::string_view text = pack_.text(id);
      for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        entry.emplace_back(text.substr(at, end - at));
        at = end + 1;
      }
      if (words.size() >= entry.size() || !std::equal(words.begin(), words.end(), entry.begin())) continue;
      const std::string& next = entry[words.size()];
      // What is no word of a command line: see read_command().
      const bool mark = next == "..." || next.starts_with('[') || next.starts_with('!') || next.ends_with(')');
      if (!mark && seen_.insert(next).second) add(next);
    }
  }

  const CLI::App& app_;
  const Pack& pack_;
  std::uint32_t version_;
  std::string typed_;
  std::vector<std::string> before_;
  std::set<std::string> seen_;
  Completion out_;
};

}  // namespace

Completion complete(const CLI::App& app, const Pack& pack, const std::vector<std::string>& words) {
  return Completer(app, pack, words).run();
}

std::string to_lines(const Completion& completion) {
  static constexpr const char* kNames[] = {"words", "files", "folders"};
  std::string out = kNames[static_cast<std::size_t>(completion.files)];
  out += completion.open_end ? "+\n" : "\n";
  for (const auto& [word, what] : completion.words) {
    out += word;
    if (!what.empty()) out += "\t" + what;
    out += '\n';
  }
  return out;
}

}  // namespace gonogo
