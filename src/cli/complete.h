// What may come next on a command line. Shells ask gonogo itself (completions/), which reads CLI11's tables and the
// pack: commands and options, GPU profiles, versions and ids of rules, and behind -- the runtime's own flags and their
// choices in the version that was chosen.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace gonogo {

class Pack;

struct Completion {
  enum class Files { kNone, kFiles, kFolders };

  std::vector<std::pair<std::string, std::string>> words;  // what may stand there, and what it is
  Files files = Files::kNone;                              // so may these
  bool open_end = false;                                   // a word goes on: no space behind it
};

// `words` are those behind "gonogo", the last of which is being typed and may be empty.
Completion complete(const CLI::App& app, const Pack& pack, const std::vector<std::string>& words);

// A line for the shell's script, then a word with its description each: "words", "files" or "folders", with "+" where
// the end is open.
std::string to_lines(const Completion& completion);

// The script of a shell ("bash", "zsh", "fish"), or an empty text.
std::string completion_script(const std::string& shell);

}  // namespace gonogo
