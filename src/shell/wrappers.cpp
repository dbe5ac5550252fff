// Tracer: programs that start others, until one is the runtime.
#include "shell/wrappers.h"

#include <algorithm>
#include <utility>

#include "shell/parser.h"
#include "shell/tracer.h"
#include "shell/word_parser.h"

namespace gonogo {

namespace {

bool is_shell(std::string_view name) {
  for (const std::string_view shell : {"sh", "bash", "zsh", "dash", "ksh", "ash"}) {
    if (name == shell) return true;
  }
  return false;
}

std::vector<std::string> shown(const std::vector<Text>& words) {
  std::vector<std::string> out;
  out.reserve(words.size());
  for (const Text& word : words) out.push_back(word.shown());
  return out;
}

// NAME=value: the name's length, or 0.
std::size_t assigned_name(const Text& word) {
  const std::string& chars = word.chars();
  if (chars.empty() || !is_name_start(chars[0])) return 0;
  std::size_t at = 1;
  while (at < chars.size() && is_name_char(chars[at])) ++at;
  return at < chars.size() && chars[at] == '=' ? at : 0;
}

void drop(std::vector<Text>* words, std::size_t count) {
  words->erase(words->begin(), words->begin() + static_cast<std::ptrdiff_t>(std::min(count, words->size())));
}

// The words as one text for a shell to read.
Text joined(const std::vector<Text>& words, std::size_t first) {
  Text out;
  for (std::size_t i = first; i < words.size(); ++i) {
    if (i > first) out.append_fixed(" ", {});
    out.append(words[i]);
  }
  if (words.size() > first + 1) out.carry();  // the words stand in the command that hands them on
  return out;
}

}  // namespace

FoundWord Tracer::found(const Text& text) const {
  FoundWord out;
  out.text = text.shown();
  out.defaulted = text.defaulted;
  out.literal = text.literal();
  for (std::size_t i = 0; i < text.size() && out.place.line == 0; ++i) out.place = sources_.place(text.origin(i));
  for (const auto& [at, unknown] : text.unknowns()) {
    for (const std::string& name : unknown.names) {
      if (std::find(out.unknowns.begin(), out.unknowns.end(), name) == out.unknowns.end()) out.unknowns.push_back(name);
    }
  }
  return out;
}

// What a process is given: for a launch as words, for another shell as variables.
std::map<std::string, FoundWord> Tracer::environment(const Launcher& launcher,
                                                     std::map<std::string, Variable>* variables) const {
  std::map<std::string, Variable> held;
  if (!launcher.cleared) {
    for (const auto& [name, var] : state_.variables) {
      if (var.exported && var.set && var.shape == Variable::Shape::kScalar) held.emplace(name, var);
    }
  }
  for (const auto& [name, value] : launcher.changes) {
    if (!value.has_value()) {
      held.erase(name);
      continue;
    }
    Variable& var = held[name];
    var.value = *value;
    var.set = var.given = var.exported = true;
  }
  std::map<std::string, FoundWord> out;
  if (variables == nullptr) {
    for (const auto& [name, var] : held) {
      if (var.given && name != "PATH" && name != "PWD" && name != "_" && name != "OLDPWD")
        out.emplace(name, found(var.value));
    }
  } else {
    *variables = std::move(held);
  }
  return out;
}

bool Tracer::record(const Launcher& launcher) {
  std::vector<std::string> words = shown(launcher.words);
  // A program that nobody knows before -m is some python.
  if (!launcher.words[0].known() && words.size() > 1 && words[1].substr(0, 1) == "-") words[0] = "python";
  for (const auto& [called, entry, companion] : entries_) {
    const std::size_t count = match(entry, words, 0);
    if (count == 0) continue;
    for (std::size_t i = count; i < words.size(); ++i) {
      if (words[i] != "--help" && words[i] != "-h") continue;
      if (companion == kNoIndex) not_launches_.push_back({sources_.place(launcher.place), "help", called});
      return true;
    }
    if (muted_) return true;
    FoundLaunch launch;
    launch.entry = called;
    launch.companion = companion;
    launch.place = sources_.place(launcher.place);
    launch.facts = launcher.facts;
    std::string key = called + '\n' + std::to_string(launch.place.line) + '\n' + launch.place.file;
    for (std::size_t i = 0; i < launcher.words.size(); ++i) {
      (i < count ? launch.program : launch.args).push_back(found(launcher.words[i]));
      if (i >= count) key += '\0' + launch.args.back().text;
    }
    for (auto& [name, value] : environment(launcher, nullptr)) {
      key += '\1' + name + '=' + value.text;
      launch.env.push_back({name, std::move(value)});
    }
    if (launches_.size() >= limits_.launches && known_launches_.count(key) == 0) {
      note("there are more than " + std::to_string(limits_.launches) + " launches; the rest is left out");
      end_ = true;
      return true;
    }
    const auto [known, fresh] = known_launches_.try_emplace(std::move(key), launches_.size());
    if (fresh) launches_.push_back(std::move(launch));
    if (paths_.first() && !given_) by_default_.insert(known->second);
    paths_.happens(known->second);
    return true;
  }
  return false;
}

// A path as files are kept by it: ./x is x.
std::string Tracer::file_key(const Text& path) {
  std::string out = path.shown();
  while (out.rfind("./", 0) == 0) out.erase(0, 2);
  return out;
}

void Tracer::write_file(const Text& path, const Text& text, bool append) {
  const std::string key = file_key(path);
  if (state_.files.size() >= 1000 && state_.files.count(key) == 0) return;
  Text& file = state_.files[key];
  if (!append) file = {};
  if (file.size() + text.size() > limits_.bytes) return note("a file that the script writes is too large to follow");
  file.append(text);
}

std::optional<Text> Tracer::read_file(FileRequest::Kind kind, const Text& path) {
  const auto written = state_.files.find(file_key(path));
  if (written != state_.files.end()) return written->second;
  if (!input_.files) return std::nullopt;
  FileRequest request;
  request.kind = kind;
  request.path = path.shown();
  if (!path.known()) {
    // The script's own folder and a known rest.
    const bool folder = path.unknowns().size() == 1 && path.unknowns()[0].first == 0 &&
                        path.unknowns()[0].second.kind == Unknown::Kind::kScriptFolder;
    if (!folder || path.size() < 3 || path.chars()[1] != '/') return std::nullopt;
    request.beside = true;
    request.path = path.chars().substr(2);
  }
  const std::string key = std::to_string(static_cast<int>(kind)) + (request.beside ? "b" : "p") + request.path;
  const auto [known, fresh] = asked_files_.try_emplace(key);
  if (fresh) known->second = input_.files(request, sources_);
  return known->second;
}

// What is started runs on another machine than the file's own commands: one of this name, or, without a name, one that
// nothing else of the file is known to run on.
void Tracer::move(Launcher* launcher, std::string name) const {
  if (name.find('$') != std::string::npos) name.clear();
  launcher->facts.machine = name;
  launcher->facts.names.clear();
  if (name.empty()) {
    launcher->facts.machine =
        "at " + std::to_string(launcher->place.source) + ":" + std::to_string(launcher->place.offset);
  } else {
    launcher->facts.names.push_back({std::move(name), {}, {}});
  }
}

// `env`, and what stands before the program it runs.
void Tracer::environment_of(Launcher* launcher) {
  std::vector<Text>& words = launcher->words;
  std::size_t at = 1;
  for (; at < words.size(); ++at) {
    const std::string word = words[at].shown();
    if (word == "-" || word == "-i" || word == "--ignore-environment") {
      launcher->cleared = true;
      launcher->changes.clear();
    } else if ((word == "-u" || word == "--unset" || word == "-C" || word == "--chdir") && at + 1 < words.size()) {
      ++at;
      if (word == "-u" || word == "--unset") launcher->changes.emplace_back(words[at].shown(), std::nullopt);
    } else if (word.rfind("--unset=", 0) == 0) {
      launcher->changes.emplace_back(word.substr(8), std::nullopt);
    } else if (word.size() > 2 && word.rfind("-u", 0) == 0) {
      launcher->changes.emplace_back(word.substr(2), std::nullopt);
    } else if (word == "--") {
      ++at;
      break;
    } else if (word.rfind("-S", 0) == 0 || word.rfind("--split-string", 0) == 0) {
      // A text that holds the rest of env's words, quoted as for a shell.
      const bool apart = word == "-S" || word == "--split-string";
      if (apart && at + 1 >= words.size()) break;
      const std::size_t skip = word[1] == 'S' ? 2 : 15;
      Text text = apart ? words[at + 1] : words[at].slice(std::min(skip, words[at].size()), words[at].size());
      words.erase(words.begin() + static_cast<std::ptrdiff_t>(at),
                  words.begin() + static_cast<std::ptrdiff_t>(at + (apart ? 2 : 1)));
      const ParsedScript parsed = parse_script(std::make_shared<const Text>(std::move(text)), depth_);
      const Command* only = parsed.root.get();
      while (only != nullptr && only->kind == Command::Kind::kList && only->parts.size() == 1)
        only = only->parts[0].get();
      if (parsed.fault.has_value() || only == nullptr || only->kind != Command::Kind::kSimple) break;
      std::vector<Text> inner;
      for (const Assignment& assignment : only->assignments) inner.push_back(only->written(assignment.extent));
      for (Text& one : expand_words(only->words)) inner.push_back(std::move(one));
      words.insert(words.begin() + static_cast<std::ptrdiff_t>(at), inner.begin(), inner.end());
      --at;
    } else if (word.size() < 2 || word[0] != '-') {
      break;
    }
  }
  for (; at < words.size(); ++at) {
    const std::size_t name = assigned_name(words[at]);
    if (name == 0) break;
    launcher->changes.emplace_back(words[at].chars().substr(0, name), words[at].slice(name + 1, words[at].size()));
  }
  drop(&words, at);
}

Status Tracer::run_shell(const Launcher& launcher, Text text, std::vector<Text> arguments, bool fed) {
  ShellState inner;
  environment(launcher, &inner.variables);
  if (!launcher.cleared) {
    for (const std::string& name : state_.exported_functions) {
      if (const auto function = state_.functions.find(name); function != state_.functions.end())
        inner.functions.insert(*function);
    }
    inner.exported_functions = state_.exported_functions;
  }
  inner.arguments = std::move(arguments);
  inner.files = state_.files;
  ShellState outer = std::exchange(state_, std::move(inner));
  const int loops = std::exchange(loops_, 0);
  std::optional<Text> input = std::exchange(input_text_, fed ? std::nullopt : launcher.input);
  const Status status = run_text(std::move(text), launcher.place, launcher.facts);
  input_text_ = std::move(input);
  loops_ = loops;
  outer.files = std::move(state_.files);
  state_ = std::move(outer);
  exit_ = false;
  return_ = false;
  break_ = 0;
  return status;
}

// `bash -c TEXT`, `bash FILE`, and a shell that reads what it is fed.
Status Tracer::shell(const Launcher& launcher) {
  const std::vector<Text>& words = launcher.words;
  bool command = false;
  bool reads_input = false;
  std::size_t at = 1;
  for (; at < words.size(); ++at) {
    const std::string word = words[at].shown();
    if (word.size() < 2 || (word[0] != '-' && word[0] != '+')) break;
    if (word == "--") {
      ++at;
      break;
    }
    if (word == "--rcfile" || word == "--init-file") ++at;
    if (word[1] == '-') continue;
    command = command || word.find('c') != std::string::npos;
    reads_input = reads_input || word.find('s') != std::string::npos;
    if (word.back() == 'o' || word.back() == 'O') ++at;
  }
  const auto rest = [&](std::size_t first) {
    return first < words.size() ? std::vector<Text>(words.begin() + static_cast<std::ptrdiff_t>(first), words.end())
                                : std::vector<Text>();
  };
  if (command) return at < words.size() ? run_shell(launcher, words[at], rest(at + 2)) : Status::kOpen;
  if (at < words.size() && !reads_input) {
    const std::optional<Text> script = read_file(FileRequest::Kind::kScript, words[at]);
    return script.has_value() ? run_shell(launcher, *script, rest(at + 1)) : Status::kOpen;
  }
  return launcher.input.has_value() ? run_shell(launcher, *launcher.input, rest(at), true) : Status::kOpen;
}

// Takes one wrapper off; false where the program is none. A wrapper that runs a text has done so, and gives a status.
bool Tracer::unwrap(Launcher* launcher, Status* status) {
  std::vector<Text>& words = launcher->words;
  if (!words[0].known()) {
    if (words[0].size() != 1) return false;
    drop(&words, 1);  // what nobody knows may be a wrapper
    return true;
  }
  const std::string name(base_name(words[0].chars()));
  const auto word = [&](std::size_t i) { return i < words.size() ? words[i].shown() : std::string(); };
  const auto run = [&](std::size_t first) {
    *status = first < words.size()          ? run_shell(*launcher, joined(words, first), {})
              : launcher->input.has_value() ? run_shell(*launcher, *launcher->input, {}, true)
                                            : Status::kOpen;
    words.clear();
    return true;
  };
  if (name == "env") return environment_of(launcher), true;
  if (is_shell(name)) {
    *status = shell(*launcher);
    words.clear();
    return true;
  }
  if (name == "srun") return slurm_step(launcher);
  if (hand_over(launcher, status)) return true;
  if (name == "eval") return run(1);
  if (name == "exec" || name == "command" || name == "builtin") {
    drop(&words, 1);
    while (!words.empty() && word(0).size() > 1 && word(0)[0] == '-') drop(&words, word(0) == "-a" ? 2 : 1);
    return true;
  }
  const bool python = name.rfind("python", 0) == 0 && word(1) == "-m";
  if (name == "coverage" || (python && (word(2) == "debugpy" || word(2) == "cProfile" || word(2) == "coverage"))) {
    // What runs a module under watch: its own options up to -m, then the module as python would run it.
    std::size_t at = python ? 3 : 1;
    while (at < words.size() && word(at) != "-m") ++at;
    if (at + 1 >= words.size()) return false;
    drop(&words, at);
    words.insert(words.begin(), Text("python"));
    return true;
  }
  if (name == "torchrun" || (name == "accelerate" && word(1) == "launch") ||
      (python && (word(2) == "torch.distributed.run" || word(2) == "torch.distributed.launch"))) {
    std::size_t at = name == "torchrun" ? 1 : python ? 3 : 2;
    bool module = false;
    bool program = false;
    for (; at < words.size(); ++at) {
      std::string option = word(at);
      if (option.empty() || option[0] != '-') break;
      std::replace(option.begin(), option.end(), '_', '-');
      module = module || option == "-m" || option == "--module";
      program = program || option == "--no-python";
      const bool bare = option == "-m" || option == "--module" || option == "--no-python" || option == "--standalone" ||
                        option == "--run-path";
      if (!bare && option.find('=') == std::string::npos) ++at;
    }
    drop(&words, at);
    std::vector<Text> runner;
    if (!program) runner.emplace_back("python");
    if (module) runner.emplace_back("-m");
    words.insert(words.begin(), runner.begin(), runner.end());
    return true;
  }
  if (name == "mpirun" || name == "mpiexec" || name == "mpiexec.hydra" || name == "orterun") {
    std::size_t at = 1;
    for (; at < words.size(); ++at) {
      std::string option = word(at);
      if (option.size() < 2 || option[0] != '-') break;
      option = option.substr(option.find_first_not_of('-') == std::string::npos ? 1 : option.find_first_not_of('-'));
      if (option.find('=') != std::string::npos) continue;
      if (option == "x") {
        if (++at < words.size()) {
          const std::size_t assigned = assigned_name(words[at]);
          if (assigned > 0)
            launcher->changes.emplace_back(words[at].chars().substr(0, assigned),
                                           words[at].slice(assigned + 1, words[at].size()));
        }
      } else if ((option == "env" || option == "genv") && at + 2 < words.size()) {
        launcher->changes.emplace_back(word(at + 1), words[at + 2]);
        at += 2;
      } else if (option == "mca" || option == "gmca" || option == "pmca") {
        at += 2;
      } else {
        for (const std::string_view takes : {"np",          "n",
                                             "c",           "H",
                                             "host",        "hostfile",
                                             "machinefile", "N",
                                             "npernode",    "npersocket",
                                             "bind-to",     "map-by",
                                             "rank-by",     "wdir",
                                             "wd",          "prefix",
                                             "hosts",       "f",
                                             "ppn",         "am",
                                             "tune",        "output-filename",
                                             "path",        "rf",
                                             "rankfile"}) {
          if (option != takes) continue;
          ++at;
          break;
        }
      }
    }
    drop(&words, at);
    move(launcher, {});
    return true;
  }
  if ((name == "kubectl" || name == "oc" || name == "ray") &&
      (word(1) == "exec" || word(1) == "job" || word(1) == "run")) {
    bool commands = false;
    const auto dashes = std::find_if(words.begin(), words.end(), [](const Text& w) { return w.shown() == "--"; });
    if (dashes == words.end()) return false;
    for (auto option = words.begin(); option != dashes; ++option) {
      if (option->shown().rfind("--image=", 0) == 0) launcher->facts.image = option->shown().substr(8);
      if (option->shown() == "--command" || option->shown() == "--command=true") commands = true;
    }
    if (word(1) == "run" && !commands) return false;  // arguments of an entry point that nobody sees
    words.erase(words.begin(), dashes + 1);
    launcher->cleared = true;
    launcher->changes.clear();
    move(launcher, {});
    return true;
  }
  if (name == "docker" || name == "podman" || name == "nerdctl" || name == "docker-compose" || name == "podman-compose")
    return container(launcher, 1);
  const Wrapper* wrapper = find_wrapper(words);
  if (wrapper == nullptr) return false;
  const std::size_t count = wrapper_words(*wrapper, words);
  if ((name == "singularity" || name == "apptainer") && count >= 1 && count <= words.size()) {
    launcher->facts.image = word(count - 1);
    if (const std::size_t scheme = launcher->facts.image.find("://"); scheme != std::string::npos)
      launcher->facts.image.erase(0, scheme + 3);
  }
  if (name == "flock" && (word(count) == "-c" || word(count) == "--command")) return run(count + 1);
  if (name == "chrt" && word(count).empty()) return false;
  drop(&words, count);
  if (name == "gdb" && !words.empty() && word(0) == "--args") drop(&words, 1);
  if (name == "uv" && !words.empty() && word(0) == "-m") words.insert(words.begin(), Text("python"));
  while (name == "sudo" && !words.empty() && assigned_name(words[0]) > 0) {
    const std::size_t assigned = assigned_name(words[0]);
    launcher->changes.emplace_back(words[0].chars().substr(0, assigned), words[0].slice(assigned + 1, words[0].size()));
    drop(&words, 1);
  }
  return true;
}

Status Tracer::start(Launcher launcher) {
  if (output_ != nullptr) output_->known = false;
  Status status = Status::kOpen;
  Output* outer = output_;
  for (std::size_t layers = 0; !launcher.words.empty() && layers < limits_.depth; ++layers) {
    if (record(launcher)) break;
    if (!unwrap(&launcher, &status)) {
      // A script by its path: one that this one wrote, or that the carrier put there.
      if (launcher.words[0].shown().find('/') != std::string::npos) {
        const std::optional<Text> script = read_file(FileRequest::Kind::kScript, launcher.words[0]);
        if (script.has_value()) {
          std::vector<Text> arguments(launcher.words.begin() + 1, launcher.words.end());
          status = run_shell(launcher, *script, std::move(arguments));
        }
      }
      break;
    }
  }
  output_ = outer;
  return status;
}

}  // namespace gonogo
