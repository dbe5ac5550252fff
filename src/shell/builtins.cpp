// Tracer: commands of the shell itself, and the few programs whose output is known.
#include <algorithm>
#include <charconv>
#include <utility>

#include "shell/tracer.h"
#include "shell/word_parser.h"

namespace gonogo {

namespace {

using Shape = Variable::Shape;

bool is_name(const std::string& text) {
  return !text.empty() && is_name_start(text[0]) && std::all_of(text.begin(), text.end(), is_name_char);
}

std::optional<long> integer(const Text& text) {
  long value = 0;
  const std::string& chars = text.chars();
  const auto [end, error] = std::from_chars(chars.data(), chars.data() + chars.size(), value);
  return error == std::errc() && end == chars.data() + chars.size() ? std::optional(value) : std::nullopt;
}

}  // namespace

Status Tracer::declare(const Command& command, const std::vector<Text>& words) {
  const std::string name = words[0].chars();
  bool local = name == "local" || ((name == "declare" || name == "typeset") && !state_.scopes.empty());
  bool exported = name == "export";
  bool no_export = false;
  bool names_only = false;
  bool functions = false;
  bool reference = false;
  std::optional<Shape> shape;
  // Words are walked as they were written: an assignment among them keeps its array and its blanks.
  const auto touch = [&](const std::string& variable_name, const Assignment* assigned) {
    if (!is_name(variable_name)) return;
    if (local && !state_.scopes.empty()) {
      const auto before = state_.variables.find(variable_name);
      const bool fresh =
          state_.scopes.back()
              .try_emplace(variable_name,
                           before == state_.variables.end() ? std::nullopt : std::optional(before->second))
              .second;
      Text value;
      if (assigned != nullptr && !assigned->array && !assigned->indexed && !assigned->append)
        value = expand_text(assigned->value, true);
      if (fresh) {
        Variable& hidden = variable(variable_name);
        const unsigned version = hidden.version;
        const bool was_exported = hidden.exported;
        hidden = Variable{};
        hidden.version = version + 1;
        hidden.exported = was_exported;
      }
      if (shape.has_value()) variable(variable_name).shape = *shape;
      if (reference && assigned != nullptr) {
        Variable& referring = variable(variable_name);
        if (value.known() && value.chars() != variable_name) referring.refers_to = value.chars();
      } else if (assigned != nullptr && !assigned->array && !assigned->indexed && !assigned->append) {
        assign(variable_name, std::move(value));
      } else if (assigned != nullptr) {
        assign(*assigned);
      }
    } else {
      if (shape.has_value() && variable(variable_name).shape == Shape::kScalar) {
        Variable& var = variable(variable_name);
        if (var.set) var.elements = {{"0", var.value}};
        var.shape = *shape;
      }
      if (assigned != nullptr) {
        assign(*assigned);
      } else if (!exported && !no_export && name != "readonly" &&
                 state_.variables.find(variable_name) == state_.variables.end()) {
        variable(variable_name);  // declared, not set
      }
    }
    if (exported || no_export) {
      const auto found = state_.variables.find(variable_name);
      if (found != state_.variables.end()) {
        found->second.exported = exported && !no_export;
      } else if (no_export) {
        state_.exported.erase(variable_name);
      } else {
        state_.exported.insert(variable_name);  // once it has a value
      }
    }
  };
  std::size_t declared = 0;
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    if (declared < command.declared.size() && command.declared[declared].first == i) {
      if (!names_only) touch(command.declared[declared].second.name, &command.declared[declared].second);
      ++declared;
      continue;
    }
    for (const Text& word : expand_words({command.words[i]})) {
      const std::string text = word.shown();
      if (text.size() > 1 && (text[0] == '-' || text[0] == '+')) {
        const bool on = text[0] == '-';
        if (text.find('A') != std::string::npos) shape = Shape::kAssociative;
        if (text.find('a') != std::string::npos) shape = Shape::kIndexed;
        if (text.find('x') != std::string::npos) (on ? exported : no_export) = true;
        if (text.find('g') != std::string::npos) local = false;
        if (text.find('n') != std::string::npos && name == "export") no_export = true;
        if (text.find_first_of("fFp") != std::string::npos && name != "export") names_only = true;
        if (text.find('f') != std::string::npos) names_only = functions = true;
        if (text.find('n') != std::string::npos && name != "export") reference = true;
        continue;
      }
      if (names_only) {
        if (name == "export" && functions) state_.exported_functions.insert(text);
        continue;
      }
      // `export "$N=value"`: the name came out of an expansion.
      const std::size_t equals = word.chars().find('=');
      if (equals == std::string::npos) {
        touch(text, nullptr);
      } else if (is_name(word.chars().substr(0, equals))) {
        touch(word.chars().substr(0, equals), nullptr);
        assign(word.chars().substr(0, equals), word.slice(equals + 1, word.size()));
        if (exported) variable(word.chars().substr(0, equals)).exported = true;
      }
    }
  }
  return Status::kSuccess;
}

Status Tracer::set_options(const std::vector<Text>& words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string word = words[i].shown();
    if (word == "--" || word == "-" || word.empty() || (word[0] != '-' && word[0] != '+')) {
      const std::size_t first = i + (word == "--" || word == "-" ? 1 : 0);
      state_.arguments.assign(words.begin() + static_cast<std::ptrdiff_t>(first), words.end());
      for (const char* name : {"1", "2", "3", "4", "5", "6", "7", "8", "9"}) state_.variables.erase(name);
      break;
    }
    if (word.size() > 1 && word.back() == 'o' && i + 1 < words.size()) {
      const std::string option = words[++i].shown();
      if (option == "allexport") state_.export_all = word[0] == '-';
    }
    if (word.find('a', 1) != std::string::npos) state_.export_all = word[0] == '-';
  }
  return Status::kSuccess;
}

Status Tracer::source(const std::vector<Text>& words, TextOrigin place, const std::optional<Text>& input) {
  if (words.size() < 2) return Status::kOpen;
  const std::optional<Text> text =
      words[1].chars() == "/dev/stdin" ? input : read_file(FileRequest::Kind::kSource, words[1]);
  if (!text.has_value()) return Status::kOpen;
  std::vector<Text> arguments = state_.arguments;
  if (words.size() > 2) state_.arguments.assign(words.begin() + 2, words.end());
  const Status status = run_text(*text, place, facts_);
  if (words.size() > 2) state_.arguments = std::move(arguments);
  return_ = false;
  return status;
}

std::optional<Status> Tracer::builtin(const Command& command, std::vector<Text>& words, Launcher& launcher) {
  if (!words[0].known()) return std::nullopt;
  const std::string name = words[0].chars();
  const auto drop = [&](std::size_t count) {
    words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(std::min(count, words.size())));
  };
  if (name == "echo") return echo(words), Status::kSuccess;
  if (name == "printf") {
    if (words.size() > 3 && words[1].shown() == "-v") {
      const std::string variable_name = words[2].shown();
      std::vector<Text> rest(words.begin() + 2, words.end());
      const std::optional<Text> printed = capture([&] { format(rest); });
      if (is_name(variable_name)) printed.has_value() ? assign(variable_name, *printed) : set_unknown(variable_name);
    } else {
      format(words);
    }
    return Status::kSuccess;
  }
  if (name == "declare" || name == "typeset" || name == "local" || name == "export" || name == "readonly") {
    return declare(command, words);
  }
  if (name == "unset") {
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::string word = words[i].shown();
      if (word == "-f") {
        while (++i < words.size()) state_.functions.erase(words[i].shown());
      } else if (is_name(word)) {
        const unsigned version = variable(word).version;
        state_.variables[word] = Variable{};
        state_.variables[word].version = version + 1;
      } else if (const std::size_t bracket = word.find('['); bracket != std::string::npos && word.back() == ']') {
        const std::string key = word.substr(bracket + 1, word.size() - bracket - 2);
        auto& elements = variable(word.substr(0, bracket)).elements;
        elements.erase(std::remove_if(elements.begin(), elements.end(), [&](const auto& e) { return e.first == key; }),
                       elements.end());
      }
    }
    return Status::kSuccess;
  }
  if (name == "set") return set_options(words);
  if (name == "shift") {
    std::size_t count = 1;
    if (words.size() > 1) count = static_cast<std::size_t>(std::max(0L, integer(words[1]).value_or(1)));
    auto& arguments = state_.arguments;
    while (count-- > 0 && !arguments.empty() && !is_all_arguments(arguments[0])) arguments.erase(arguments.begin());
    return Status::kSuccess;
  }
  if (name == "eval") {
    Text text;
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (i > 1) text.append_fixed(" ", {});
      text.append(words[i]);
    }
    if (words.size() > 2) text.carry();
    return run_text(std::move(text), launcher.place, facts_);
  }
  if (name == "source" || name == ".") return source(words, launcher.place, launcher.input);
  if (name == "exit") {
    exit_ = true;
    return Status::kOpen;
  }
  if (name == "return") {
    return_ = true;
    if (words.size() < 2) return Status::kOpen;
    const std::optional<long> status = integer(words[1]);
    return !status.has_value() ? Status::kOpen : *status == 0 ? Status::kSuccess : Status::kFailure;
  }
  if (name == "break" || name == "continue") {
    const long levels = words.size() > 1 ? std::clamp(integer(words[1]).value_or(1), 1L, 1000L) : 1;
    if (loops_ > 0) break_ = static_cast<int>(std::min<long>(levels, loops_)) * (name == "break" ? 1 : -1);
    return Status::kSuccess;
  }
  if (name == "read" || name == "mapfile" || name == "readarray") return read_input(command, words, launcher);
  if (name == "getopts") {
    if (words.size() > 2 && is_name(words[2].shown())) set_unknown(words[2].shown());
    set_unknown("OPTARG");
    return Status::kOpen;
  }
  if (name == "let") {
    bool defaulted = false;
    for (std::size_t i = 1; i < words.size(); ++i) evaluate_arithmetic(words[i].chars(), arithmetic_names(&defaulted));
    return Status::kOpen;
  }
  if (name == "shopt") {
    bool on = true;
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (words[i].shown() == "-u") on = false;
      if (words[i].shown() == "expand_aliases") state_.expand_aliases = on;
    }
    return Status::kSuccess;
  }
  if (name == "alias") {
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::size_t equals = words[i].chars().find('=');
      if (equals != std::string::npos)
        state_.aliases[words[i].chars().substr(0, equals)] = words[i].slice(equals + 1, words[i].size());
    }
    return Status::kSuccess;
  }
  if (name == "cd" || name == "pushd") {
    const auto path =
        std::find_if(words.begin() + 1, words.end(), [](const Text& w) { return w.shown().substr(0, 1) != "-"; });
    state_.folder = path == words.end() ? std::nullopt : std::optional(*path);
    return Status::kOpen;
  }
  if (name == "pwd") {
    if (output_ == nullptr) return Status::kSuccess;
    const bool own = state_.folder.has_value() && state_.folder->size() == 1 && !state_.folder->known();
    output_->known = output_->known && own;
    if (own) print(*state_.folder);
    return Status::kSuccess;
  }
  if ((name == "dirname" || name == "readlink" || name == "realpath") && words.size() > 1) {
    const Text& path = words.back();
    const bool script = path.size() == 1 && !path.known() && path.unknown(0).kind == Unknown::Kind::kScriptPath;
    const bool folder =
        path.size() == 1 && !path.known() && path.unknown(0).kind == Unknown::Kind::kScriptFolder && name != "dirname";
    if (output_ != nullptr) output_->known = output_->known && (script || folder);
    if (script || folder) {
      Unknown unknown = path.unknown(0);
      if (name == "dirname") unknown.kind = Unknown::Kind::kScriptFolder;
      Text out;
      out.append(std::move(unknown), path.origin(0));
      print(out);
    }
    return Status::kOpen;
  }
  if (name == "cat") {
    bool known = launcher.input.has_value() || words.size() > 1;
    Text out;
    if (words.size() == 1 && known) out = *launcher.input;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const auto file = state_.files.find(file_key(words[i]));
      if (words[i].shown() == "-" && launcher.input.has_value()) {
        out.append(*launcher.input);
      } else if (file != state_.files.end()) {
        out.append(file->second);
      } else {
        known = false;
      }
    }
    if (output_ != nullptr) output_->known = output_->known && known;
    if (known) print(out);
    return Status::kOpen;
  }
  if (name == "tee") {
    if (launcher.input.has_value()) {
      print(*launcher.input);
      for (std::size_t i = 1; i < words.size(); ++i) {
        if (words[i].shown().substr(0, 1) != "-") write_file(words[i], *launcher.input, words[1].shown() == "-a");
      }
    } else if (output_ != nullptr) {
      output_->known = false;
    }
    return Status::kOpen;
  }
  if (name == "seq" && words.size() >= 2 && words.size() <= 4) {
    std::vector<long> numbers;
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (const std::optional<long> number = integer(words[i]); number.has_value() && words[i].known())
        numbers.push_back(*number);
    }
    const long from = numbers.size() > 1 ? numbers[0] : 1;
    const long step = numbers.size() > 2 ? numbers[1] : 1;
    const bool known =
        numbers.size() == words.size() - 1 && step != 0 && std::abs(numbers.back() - from) / std::abs(step) < 100'000;
    if (output_ != nullptr) output_->known = output_->known && known;
    for (long value = from; known && (step > 0 ? value <= numbers.back() : value >= numbers.back()); value += step) {
      print(Text(std::to_string(value) + "\n"));
    }
    return Status::kSuccess;
  }
  if (name == "command" || name == "builtin") {
    drop(1);
    while (!words.empty() && words[0].shown().substr(0, 1) == "-") {
      const std::string option = words[0].shown();
      drop(1);
      if (option == "-v" || option == "-V") {
        if (output_ != nullptr) output_->known = false;
        return Status::kOpen;
      }
    }
    if (words.empty()) return Status::kSuccess;
    return builtin(command, words, launcher);
  }
  if (name == "exec") {
    drop(1);
    while (!words.empty() && words[0].shown().substr(0, 1) == "-") {
      const std::string option = words[0].shown();
      if (option == "-c" || option == "-cl") launcher.cleared = true;
      drop(option == "-a" ? 2 : 1);
    }
    if (words.empty()) return Status::kSuccess;
    launcher.words = std::move(words);
    const Status status = start(std::move(launcher));
    exit_ = true;
    return status;
  }
  for (const std::string_view quiet : {":", "true", "trap", "wait", "sleep", "ulimit", "umask", "hash", "popd", "mkdir",
                                       "rm", "export", "kill", "disown", "touch", "chmod"}) {
    if (name == quiet) return name == ":" || name == "true" ? Status::kSuccess : Status::kOpen;
  }
  if (name == "false") return Status::kFailure;
  return std::nullopt;
}

}  // namespace gonogo
