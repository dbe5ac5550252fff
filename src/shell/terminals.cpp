// Tracer: programs that hand a text or their words to a shell or a program somewhere else: on another machine, as
// another user, in a terminal that goes on, or once for every line that they are fed.
#include <algorithm>
#include <utility>

#include "shell/builder.h"
#include "shell/tracer.h"
#include "shell/wrappers.h"

namespace gonogo {

namespace {

void drop(std::vector<Text>* words, std::size_t count) {
  words->erase(words->begin(), words->begin() + static_cast<std::ptrdiff_t>(std::min(count, words->size())));
}

// Programs one of whose options is a shell's text.
struct Texts {
  std::string_view program;
  std::string_view brief;  // "-c", or ""
  std::string_view full;   // "--command"
  bool far;                // on another machine: the environment is not this one's
};
constexpr Texts kTexts[] = {
    {"su", "-c", "--command", false},  {"runuser", "-c", "--command", false}, {"script", "-c", "--command", false},
    {"nix-shell", "", "--run", false}, {"sbatch", "", "--wrap", false},       {"gcloud", "", "--command", true},
};

// The text that option of a program gives; nothing where it isn't there. `-qc TEXT` and `--command=TEXT` are read.
std::optional<Text> option_text(const Texts& of, const std::vector<Text>& words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string word = words[i].shown();
    if (word == "--") break;
    const bool cluster =
        !of.brief.empty() && word.size() > 1 && word[0] == '-' && word[1] != '-' && word.back() == of.brief[1];
    if (word == of.full || cluster) return i + 1 < words.size() ? std::optional(words[i + 1]) : std::nullopt;
    if (word.rfind(std::string(of.full) + "=", 0) == 0) return words[i].slice(of.full.size() + 1, words[i].size());
  }
  return std::nullopt;
}

Text joined(const std::vector<Text>& words, std::size_t first, std::string_view between) {
  Text out;
  for (std::size_t i = first; i < words.size(); ++i) {
    if (i > first) out.append_fixed(between, {});
    out.append(words[i]);
  }
  if (words.size() > first + 1) out.carry();  // the words stand in the command that hands them on
  return out;
}

}  // namespace

bool Tracer::run_elsewhere(Launcher* launcher, Text text, Status* status) {
  *status = run_shell(*launcher, std::move(text), {});
  launcher->words.clear();
  return true;
}

// True where the program was one of these: what it starts has then been followed, or has taken its place.
bool Tracer::hand_over(Launcher* launcher, Status* status) {
  std::vector<Text>& words = launcher->words;
  const std::string name(base_name(words[0].chars()));
  const auto word = [&](std::size_t i) { return i < words.size() ? words[i].shown() : std::string(); };
  const bool ssh = name == "ssh" || name == "autossh";
  if (ssh || name == "pdsh" || name == "clush" || name == "parallel-ssh" || name == "pssh") {
    const Wrapper remote{name, ssh ? "BbcDEeFIiJLlmMOopQRSWw" : "wxlutfgSpMHho", "", ssh ? 1u : 0u};
    const std::size_t first = wrapper_words(remote, words);
    launcher->cleared = true;
    launcher->changes.clear();
    std::string target = ssh && first > 0 ? word(first - 1) : std::string();
    target.erase(0, target.rfind('@') + 1);
    move(launcher, std::move(target));
    if (first < words.size()) return run_elsewhere(launcher, joined(words, first, " "), status);
    *status = launcher->input.has_value() ? run_shell(*launcher, *launcher->input, {}, true) : Status::kOpen;
    words.clear();
    return true;
  }
  for (const Texts& of : kTexts) {
    if (name != of.program) continue;
    std::optional<Text> text = option_text(of, words);
    if (!text.has_value()) break;
    if (name == "sbatch") {
      for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string option = word(i);
        if (const std::size_t equals = option.find('='); equals != std::string::npos) {
          read_job_option(option.substr(0, equals), option.substr(equals + 1), &launcher->facts);
        } else if (job_option_takes_value(option)) {
          read_job_option(option, word(i + 1), &launcher->facts);
        }
      }
    }
    launcher->cleared = launcher->cleared || of.far;
    if (of.far) launcher->changes.clear();
    if (of.far || name == "sbatch") move(launcher, {});
    return run_elsewhere(launcher, std::move(*text), status);
  }
  if (name == "bsub") {
    const std::size_t first = wrapper_words({name, "aBCcDdEeFfgGiIJjkLlmMnNoOpPqQRsStTuUvWwxX", "", 0}, words);
    move(launcher, {});
    return first < words.size() && run_elsewhere(launcher, joined(words, first, " "), status);
  }
  if (name == "pm2" && word(1) == "start" && word(2).find(' ') != std::string::npos)
    return run_elsewhere(launcher, words[2], status);
  if (name == "start-stop-daemon") {
    // The program is an option's value; its arguments follow "--".
    const auto dashes = std::find_if(words.begin(), words.end(), [](const Text& w) { return w.shown() == "--"; });
    for (std::size_t i = 1; i + 1 < words.size(); ++i) {
      const std::string option = word(i);
      if (option != "--exec" && option != "--startas" && option != "-x" && option != "-a") continue;
      std::vector<Text> started{words[i + 1]};
      if (dashes != words.end()) started.insert(started.end(), dashes + 1, words.end());
      words = std::move(started);
      return true;
    }
    return false;
  }
  if (name == "xargs") return feed_arguments(launcher);
  if (name == "tmux" || name == "screen") return type_keys(launcher, status);
  return false;
}

// xargs: its command with what it reads for arguments. The command runs once, or with -I once for every line.
bool Tracer::feed_arguments(Launcher* launcher) {
  std::vector<Text>& words = launcher->words;
  const std::size_t first = wrapper_words(
      {"xargs", "aEILnPsd", " arg-file max-args max-lines max-procs max-chars delimiter eof replace ", 0}, words);
  if (first >= words.size()) return false;
  std::optional<std::string> place;
  bool simple = true;
  for (std::size_t i = 1; i < first; ++i) {
    const std::string option = words[i].shown();
    if (option == "-I" && i + 1 < first)
      place = words[++i].shown();
    else if (option.rfind("-I", 0) == 0)
      place = option.substr(2);
    else if (option[0] == '-' && option.find_first_of("anLd0") != std::string::npos)
      simple = false;
  }
  const bool known = simple && launcher->input.has_value() && launcher->input->known();
  drop(&words, first);
  Builder fed;
  if (place.has_value()) fed.separators = "\n";
  if (known) {
    fed.value(*launcher->input, false);
    fed.finish();
  }
  launcher->input.reset();
  if (!place.has_value()) {
    if (known) {
      words.insert(words.end(), fed.fields.begin(), fed.fields.end());
    } else {
      words.push_back(all_arguments(words[0].origin(0)));
    }
    return true;
  }
  const std::vector<Text> pattern = words;
  const std::size_t count = known ? fed.fields.size() : 1;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < count; ++i) {
    words.clear();
    for (const Text& one : pattern) {
      Text made;
      for (std::size_t at = 0; at < one.size() && bytes + made.size() <= limits_.bytes;) {
        const std::size_t found = place->empty() ? std::string::npos : one.chars().find(*place, at);
        const std::size_t end = std::min(found, one.size());
        made.append(one.slice(at, end));
        at = end;
        if (found == std::string::npos) break;
        if (known) {
          made.append(fed.fields[i]);
        } else {
          made.append(Unknown{Unknown::Kind::kVariable, *place, {*place}}, one.origin(found));
        }
        at += place->size();
      }
      bytes += made.size();
      words.push_back(std::move(made));
    }
    if (i == limits_.passes || bytes > limits_.bytes) {
      note("xargs is followed for " + std::to_string(i) + " lines");
      words.clear();
      return true;
    }
    if (i + 1 == count) return true;
    start(*launcher);
  }
  words.clear();
  return true;
}

// tmux and screen: a command for a new terminal, or keys for the shell in one that goes on.
bool Tracer::type_keys(Launcher* launcher, Status* status) {
  std::vector<Text>& words = launcher->words;
  const auto word = [&](std::size_t i) { return i < words.size() ? words[i].shown() : std::string(); };
  const bool tmux = word(0).find("tmux") != std::string::npos;
  std::size_t at = 1;
  if (tmux) {
    while (at < words.size() && word(at).substr(0, 1) == "-")
      at += word(at) == "-L" || word(at) == "-S" || word(at) == "-f" ? 2 : 1;
  }
  std::string terminal;
  Text keys;
  bool typed = false;
  if (tmux && (word(at) == "send-keys" || word(at) == "send")) {
    for (++at; at < words.size() && word(at).size() > 1 && word(at)[0] == '-'; ++at) {
      if (word(at) == "-t" && at + 1 < words.size())
        terminal = word(++at);
      else if (word(at) == "-N" || word(at) == "-c")
        ++at;
    }
    for (; at < words.size(); ++at) {
      const std::string key = word(at);
      if (key == "Enter" || key == "C-m" || key == "C-j" || key == "KPEnter") {
        keys.append_fixed("\n", {});
      } else if (key == "Space") {
        keys.append_fixed(" ", {});
      } else if (key != "C-c" && key != "C-l" && key != "C-u" && key != "C-d" && key != "q") {
        keys.append(words[at]);
      }
    }
    typed = true;
  } else if (!tmux) {
    for (std::size_t i = 1; i + 1 < words.size(); ++i) {
      if (word(i) == "-S" || word(i) == "-r") terminal = word(i + 1);
      if (word(i) != "stuff") continue;
      const Text& text = words[i + 1];
      // \n, \015 and ^M are its return key.
      for (std::size_t j = 0; j < text.size();) {
        std::size_t taken = 0;
        for (const std::string_view enter : {"\\n", "\\r", "\\015", "\\012", "^M"}) {
          if (text.chars().compare(j, enter.size(), enter) == 0) taken = enter.size();
        }
        if (taken > 0 || text.chars()[j] == '\r') {
          keys.append_fixed("\n", text.origin(j));
          j += std::max<std::size_t>(taken, 1);
        } else {
          keys.append(text.slice(j, j + 1));
          ++j;
        }
      }
      typed = true;
    }
  }
  if (typed) {
    // The shell in a terminal keeps what was typed into it before.
    const auto before = state_.terminals.find(terminal);
    ShellState inner;
    if (before == state_.terminals.end()) {
      environment(*launcher, &inner.variables);
    } else {
      inner.variables = before->second;
    }
    inner.files = state_.files;
    ShellState outer = std::exchange(state_, std::move(inner));
    const int loops = std::exchange(loops_, 0);
    *status = run_text(std::move(keys), launcher->place, launcher->facts);
    loops_ = loops;
    if (outer.terminals.size() < 64) outer.terminals[terminal] = std::move(state_.variables);
    state_ = std::move(outer);
    exit_ = return_ = false;
    break_ = 0;
    words.clear();
    return true;
  }
  if (tmux) {
    const std::string action = word(at);
    if (action != "new-session" && action != "new" && action != "new-window" && action != "neww" &&
        action != "split-window" && action != "splitw" && action != "respawn-pane")
      return false;
    drop(&words, at);
  }
  const Wrapper terminals{tmux ? "tmux" : "screen", tmux ? "cFnstxyle" : "ScehpstTX", "", 0};
  const std::size_t first = wrapper_words(terminals, words);
  if (tmux && first + 1 == words.size()) return run_elsewhere(launcher, words[first], status);
  drop(&words, first);
  return true;
}

}  // namespace gonogo
