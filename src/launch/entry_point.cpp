#include "launch/entry_point.h"

#include <algorithm>

namespace gonogo {

namespace {

constexpr std::string_view kPython = "python";

// python, python3, python3.11, and a path to one of them.
bool is_python(std::string_view word) {
  word = base_name(word);
  if (word.substr(0, kPython.size()) != kPython) return false;
  word.remove_prefix(kPython.size());
  const bool versioned = word.find_first_not_of("0123456789.") == std::string_view::npos;
  return word.empty() || (versioned && word.front() != '.' && word.back() != '.');
}

// Python's options before -m: `next` moves past them and past -m and its module. False where python runs something
// else, or nothing; then `next` is the first word that is no option.
bool skip_to_module(const std::vector<std::string>& words, std::size_t* next, std::string_view* module) {
  for (std::size_t at = *next; at < words.size(); ++at) {
    const std::string_view word = words[at];
    *next = at;
    if (word.size() < 2 || word[0] != '-' || word[1] == '-') return false;
    for (std::size_t i = 1; i < word.size(); ++i) {
      const bool attached = i + 1 < word.size();
      if (word[i] == 'm') {
        if (!attached && at + 1 == words.size()) return false;
        *module = attached ? word.substr(i + 1) : std::string_view(words[at + 1]);
        *next = at + (attached ? 1 : 2);
        return true;
      }
      if (word[i] == 'W' || word[i] == 'X') {
        if (!attached) ++at;  // its value is the next word
        break;
      }
      if (std::string_view("bBdEiIOPqsSuvx").find(word[i]) == std::string_view::npos) return false;
    }
  }
  return false;
}

// Whether a path ends in the file of a module: .../a/b.py for a.b.
bool is_file_of(std::string_view path, std::string_view module) {
  constexpr std::string_view kSuffix = ".py";
  if (path.size() < module.size() + kSuffix.size() || path.substr(path.size() - kSuffix.size()) != kSuffix)
    return false;
  path.remove_suffix(kSuffix.size());
  const std::string_view tail = path.substr(path.size() - module.size());
  const auto same = [](char file, char name) { return file == (name == '.' ? '/' : name); };
  return std::equal(tail.begin(), tail.end(), module.begin(), same) &&
         (tail.size() == path.size() || path[path.size() - tail.size() - 1] == '/');
}

}  // namespace

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

EntryPoint parse_entry_point(std::string_view text) {
  EntryPoint entry;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (word == "...") {
      entry.own_flags = true;
    } else if (word.size() > 2 && word.substr(word.size() - 2) == "()") {
      entry.command.push_back(word.substr(0, word.size() - 2));
      entry.call = true;
    } else if (word.front() == '[' && word.back() == ']') {
      entry.leading = word.substr(1, word.size() - 2);
    } else if (word.front() == '!') {
      const std::size_t equals = std::min(word.find('='), word.size());
      const std::size_t slash = std::min(word.find('/', equals), word.size());
      TakenFlag taken{word.substr(1, equals - 1), {}, {}};
      if (equals < word.size()) taken.own = word.substr(equals + 1, slash - equals - 1);
      if (slash < word.size()) taken.by_model = word.substr(slash + 1);
      entry.taken.push_back(taken);
    } else {
      entry.command.push_back(word);
    }
  }
  return entry;
}

std::size_t match(const EntryPoint& entry, const std::vector<std::string>& words, std::size_t first) {
  const auto& command = entry.command;
  if (command.empty() || entry.call || first >= words.size()) return 0;
  std::size_t next = first + 1;
  std::size_t matched = 1;  // words of the command
  if (command.size() >= 3 && command[0] == kPython && command[1] == "-m") {
    matched = 3;
    if (!is_file_of(words[first], command[2])) {
      if (!is_python(words[first])) return 0;
      std::string_view module;
      if (!skip_to_module(words, &next, &module)) {
        if (next >= words.size()) return 0;
        if (!is_file_of(words[next++], command[2])) return 0;
      } else if (module != command[2]) {
        return 0;
      }
    }
  } else if (base_name(words[first]) != command[0]) {
    return 0;
  }
  for (std::size_t i = matched; i < command.size(); ++i, ++next) {
    if (next >= words.size() || words[next] != command[i]) return 0;
  }
  return next - first;
}

std::string entry_name(const EntryPoint& entry) {
  const auto& command = entry.command;
  const bool module = command.size() == 3 && command[0] == kPython && command[1] == "-m";
  return module ? std::string(command[2]) : to_text(entry);
}

std::string to_text(const EntryPoint& entry) {
  std::string out;
  for (const std::string_view word : entry.command) {
    if (!out.empty()) out += ' ';
    out += word;
  }
  return out;
}

}  // namespace gonogo
