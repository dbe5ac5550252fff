// Tracer: containers, whose environment starts empty, and steps of a Slurm job.
#include <algorithm>
#include <charconv>
#include <utility>

#include "shell/tracer.h"
#include "shell/word_parser.h"

namespace gonogo {

namespace {

// --name=value: the name stays in `option`, and the value is told; false for a word without one.
bool split_long(const Text& word, std::string* option, Text* value) {
  const std::size_t equals = word.chars().find('=');
  if ((*option)[1] != '-' || equals == std::string::npos) return false;
  *option = word.chars().substr(0, equals);
  *value = word.slice(equals + 1, word.size());
  return true;
}

void drop(std::vector<Text>* words, std::size_t count) {
  words->erase(words->begin(), words->begin() + static_cast<std::ptrdiff_t>(std::min(count, words->size())));
}

// docker's options without a value; every other takes one.
bool is_bare(std::string_view option) {
  if (option.size() >= 2 && option[1] != '-') {
    // A cluster such as -itd: bare where all of its letters are.
    return option.find_first_not_of("ditPq", 1) == std::string_view::npos;
  }
  for (const std::string_view bare :
       {"--rm", "--detach", "--interactive", "--tty", "--privileged", "--init", "--read-only", "--publish-all",
        "--sig-proxy", "--no-healthcheck", "--disable-content-trust", "--oom-kill-disable", "--quiet", "--replace",
        "--no-hosts", "--rmi", "--tls-verify", "--systemd", "--help"}) {
    if (option == bare) return true;
  }
  return false;
}

bool is_bare_of_compose(std::string_view option) {
  for (const std::string_view bare : {"-T", "--no-tty", "--no-TTY", "--no-deps", "--service-ports", "--use-aliases",
                                      "--build", "--quiet-pull", "--remove-orphans"}) {
    if (option == bare) return true;
  }
  return false;
}

// "4", "device=0,1", "\"device=0,1\"": how many; none for all.
std::optional<int> gpu_count(std::string text) {
  text.erase(std::remove_if(text.begin(), text.end(), [](char c) { return c == '"' || c == '\''; }), text.end());
  if (const std::size_t device = text.find("device="); device != std::string::npos) {
    const std::string list = text.substr(device + 7);
    if (list.empty() || list == "all" || list.find('$') != std::string::npos) return std::nullopt;
    return static_cast<int>(std::count(list.begin(), list.end(), ',')) + 1;
  }
  if (const std::size_t count = text.find("count="); count != std::string::npos) text = text.substr(count + 6);
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value > 0 ? std::optional(value) : std::nullopt;
}

// Whether a command's options end before this word; a "--" that ends them is passed.
bool options_end(const std::string& word, std::size_t* at) {
  if (word.size() < 2 || word[0] != '-') return true;
  if (word != "--") return false;
  ++*at;
  return true;
}

}  // namespace

void Tracer::read_env_file(const Text& path, Launcher* launcher) {
  const std::optional<Text> text = read_file(FileRequest::Kind::kEnvFile, path);
  if (!text.has_value()) return;
  const std::string& chars = text->chars();
  for (std::size_t begin = 0; begin < chars.size();) {
    std::size_t end = std::min(chars.find('\n', begin), chars.size());
    const std::size_t next = end + 1;
    if (end > begin && chars[end - 1] == '\r') --end;
    while (begin < end && (chars[begin] == ' ' || chars[begin] == '\t')) ++begin;
    const std::size_t equals = std::min(chars.find('=', begin), end);
    if (begin < end && chars[begin] != '#' && is_name_start(chars[begin]) && equals < end) {
      const std::string name = chars.substr(begin, equals - begin);
      if (std::all_of(name.begin(), name.end(), is_name_char))
        launcher->changes.emplace_back(name, text->slice(equals + 1, end));
    }
    begin = next;
  }
}

// docker, podman, nerdctl: `run`, `exec`, and `container run`.
bool Tracer::container(Launcher* launcher, std::size_t first) {
  std::vector<Text>& words = launcher->words;
  const auto word = [&](std::size_t i) { return i < words.size() ? words[i].shown() : std::string(); };
  std::size_t at = first;
  while (at < words.size() && word(at).substr(0, 1) == "-")
    at += word(at).find('=') == std::string::npos && !is_bare(word(at)) ? 2 : 1;
  if (word(at) == "container") ++at;
  const bool composer = base_name(words[0].chars()).find("-compose") != std::string_view::npos;
  const bool exec = word(at) == "exec" && !composer;
  const bool compose = word(at) == "compose" || composer;
  if (!exec && !compose && word(at) != "run" && word(at) != "create") return false;
  if (compose) {
    while (at < words.size() && word(at) != "run" && word(at) != "exec") ++at;
    if (at >= words.size()) return false;
  }
  ++at;

  const Launcher outside = *launcher;
  launcher->cleared = true;
  launcher->changes.clear();
  launcher->facts.gpus.reset();
  launcher->facts.image.clear();
  std::optional<Text> entrypoint;
  std::string called;
  bool own_network = true;
  std::vector<Text> files;
  std::vector<std::pair<std::string, std::optional<Text>>> given;
  for (; at < words.size(); ++at) {
    // `docker run $MORE --rm image`: what nobody knows are options where an option follows.
    if (words[at].size() == 1 && !words[at].known() && word(at + 1).substr(0, 1) == "-") continue;
    std::string option = word(at);
    if (options_end(option, &at)) break;
    Text value;
    if (split_long(words[at], &option, &value)) {
      // Both stand in one word.
    } else if (is_bare(option) || option[1] == '-' || (compose && option == "-T")) {
      if (is_bare(option) || (compose && is_bare_of_compose(option))) continue;
      if (++at < words.size()) value = words[at];
    } else {
      // -eNAME=V, -e NAME=V, -it -e…
      std::size_t letter = 1;
      while (letter < option.size() && std::string_view("ditPq").find(option[letter]) != std::string_view::npos)
        ++letter;
      if (letter + 1 < words[at].size()) {
        value = words[at].slice(letter + 1, words[at].size());
      } else if (at + 1 < words.size()) {
        value = words[at + 1];
        ++at;
      }
      option = std::string("-") + option[letter];
    }
    if (option == "-e" || option == "--env") {
      const std::size_t end = value.chars().find('=');
      const std::string name = value.chars().substr(0, end);
      if (end != std::string::npos) {
        given.emplace_back(name, value.slice(end + 1, value.size()));
      } else {
        // The value of the same name outside, if the file gave it one.
        std::map<std::string, Variable> held;
        environment(outside, &held);
        const auto found = held.find(name);
        if (found != held.end() && found->second.given) given.emplace_back(name, found->second.value);
      }
    } else if (option == "--env-file") {
      files.push_back(std::move(value));
    } else if (option == "--gpus") {
      launcher->facts.gpus = gpu_count(value.shown());
    } else if (option == "--entrypoint") {
      entrypoint = std::move(value);
    } else if (option == "--network" || option == "--net") {
      own_network = value.shown() != "host";
    } else if (option == "--name") {
      called = value.shown();
    }
  }
  if (exec) called = word(at);
  if (own_network) move(launcher, std::move(called));
  for (const Text& file : files) read_env_file(file, launcher);
  for (auto& change : given) launcher->changes.push_back(std::move(change));
  if (!exec && !compose) launcher->facts.image = word(at);
  drop(&words, at + 1);
  if (entrypoint.has_value() && !entrypoint->empty()) words.insert(words.begin(), std::move(*entrypoint));
  return true;
}

bool Tracer::slurm_step(Launcher* launcher) {
  std::vector<Text>& words = launcher->words;
  const auto word = [&](std::size_t i) { return i < words.size() ? words[i].shown() : std::string(); };
  std::string node;
  std::size_t at = 1;
  for (; at < words.size(); ++at) {
    std::string option = word(at);
    if (options_end(option, &at)) break;
    Text value;
    if (split_long(words[at], &option, &value)) {
      // Both stand in one word.
    } else if (option[1] != '-' && option.size() > 2 && job_option_takes_value(option.substr(0, 2))) {
      value = words[at].slice(option[2] == '=' ? 3 : 2, words[at].size());
      option = option.substr(0, 2);
    } else if (job_option_takes_value(option) && at + 1 < words.size()) {
      value = words[++at];
    }
    if (option == "--export") {
      for (std::size_t begin = 0; begin <= value.size();) {
        const std::size_t end = std::min(value.chars().find(',', begin), value.size());
        const Text one = value.slice(begin, end);
        const std::size_t name = one.chars().find('=');
        if (name != std::string::npos && name > 0)
          launcher->changes.emplace_back(one.chars().substr(0, name), one.slice(name + 1, one.size()));
        begin = end + 1;
      }
    } else if (value.known()) {
      read_job_option(option, value.chars(), &launcher->facts);
      const bool one = value.chars().find_first_of(",[/") == std::string::npos;
      if (one && (option == "-w" || option == "--nodelist")) node = value.chars();
    }
  }
  move(launcher, std::move(node));
  drop(&words, at);
  return true;
}

}  // namespace gonogo
