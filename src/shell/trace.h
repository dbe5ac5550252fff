// What a shell script would launch, found without running it. The text is parsed as bash would parse it and followed
// with values that are known, defaulted or unknown; where a condition depends on what isn't known, every outcome is
// followed, and a launch says which outcomes it needs. Nothing is executed and nothing is read but through `files`.
// Bounded in size, depth, steps and alternatives: a text that asks for more ends with what was found and a note.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "launch/found.h"
#include "rules/pack.h"
#include "shell/text.h"

namespace gonogo {

// A variable that is there before the first command.
struct GivenVariable {
  std::string name;
  Text value;             // may hold unknowns, and be `defaulted`
  bool exported = false;  // in the environment of what is launched
  bool set = true;        // false: the file names it, and something else gives the value; not in a launch's environment
};

// A file that a script reads while it runs.
struct FileRequest {
  enum class Kind {
    kSource,   // `source F`, `. F`
    kEnvFile,  // `--env-file F`
    kScript,   // `bash F`, `F`
  };
  Kind kind = Kind::kSource;
  std::string path;     // as written, or relative to the script's folder where `beside`
  bool beside = false;  // the path was made from the script's own folder
};

// The file's text, or nothing where it isn't to be read. New texts go into `Sources` first.
using FileReader = std::function<std::optional<Text>(const FileRequest&, Sources&)>;

struct ShellInput {
  Text script;              // what a shell would read
  std::vector<Text> words;  // or, where not empty: one command whose words no shell expands
  TextOrigin at;            // of `words`: the place of their launch; by default that of the first word
  std::vector<GivenVariable> variables;
  std::optional<std::vector<Text>> arguments;  // $1…; none: the caller's, which are not known
  bool placeholders = false;  // documentation: `<any text>` and the word `...` stand for what a reader fills in
  CarrierFacts facts;         // what the carrier knows; docker run and srun replace it for what they start
  FileReader files;
  std::vector<std::pair<std::string, std::string>> known;  // values of unknowns, by name (`--var NAME=VALUE`)
};

struct ShellLimits {
  std::size_t bytes = 4u << 20;   // of the script, and of any text made while following it
  std::size_t depth = 64;         // of nesting: commands, substitutions, scripts in scripts, calls
  std::size_t steps = 500'000;    // commands and words, over all alternatives
  std::size_t launches = 2'000;   // of one script
  std::size_t passes = 1'000;     // of one loop
  std::size_t alternatives = 64;  // of one command; where there are more, only the default one is kept
};

struct ShellTrace {
  std::vector<FoundLaunch> launches;  // and companions of such, in order of first occurrence; settled
  std::vector<NotLaunch> not_launches;
  std::vector<std::string> notes;
};

// Never fails: a text that can't be parsed gives what came before the fault, and a note with its place.
ShellTrace trace(const Pack& pack, Sources& sources, const ShellInput& input, const ShellLimits& limits = {});

}  // namespace gonogo
