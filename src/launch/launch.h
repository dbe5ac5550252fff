// What is to be launched: the words of a command with the place of each, and the environment it sets. Words come
// from gonogo's own command line here, and from files elsewhere; a place always leads back to the user's text, so
// that a message can draw a caret under the very word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "rules/pack.h"

namespace gonogo {

struct EntryPoint;

// One argument as the runtime gets it, and where the user wrote it.
struct Word {
  std::string text;
  Place place;
  std::string unknown = {};  // what the text leaves open, as the user would supply it; empty where all of it is known
};

// A text that places refer to by its name: the command line ("argv") or a file.
struct Source {
  std::string name;
  std::string text;
};

// What the command of a launch starts.
enum class Started : std::uint8_t {
  kRuntime,
  kByModel,  // the runtime, where the model is one of its own
  kOther,    // something else, of which the pack knows nothing
};

struct Launch {
  Started started = Started::kRuntime;
  std::string chosen_by;                                 // where it is not surely the runtime: the flag that chooses it
                                                         // and, as it would choose the runtime, its value
  bool own_flags = false;                                // its command has flags beside those that the parser knows
  bool clear_env = false;                                // `env -i`: nothing of the caller's environment is kept
  std::vector<std::string> unset;                        // variables that `env -u` removes
  std::vector<std::pair<std::string, std::string>> env;  // assignments before the command, in order
  std::vector<std::pair<std::string, std::string>> env_unknown;  // variables set to what is not known → what to supply
  std::vector<Word> program;  // the words that start the runtime; empty for bare arguments
  std::vector<Word> args;     // the words that the runtime's parser reads
  std::vector<Source> sources;
};

// The name of the source that holds gonogo's own command line.
inline constexpr std::string_view kCommandLine = "argv";

// Bounds on a command: more is refused, with the place of the first word too many.
inline constexpr std::size_t kMaxWords = 16'384;
inline constexpr std::size_t kMaxCommandBytes = 4u << 20;

// Reads the words after `--`: assignments and `env`, then an entry point of the pack, then the arguments. Where the
// first word starts with a dash, the words are the arguments alone. Anything else is a usage error that names the
// entry points. The source "argv" is the command as one line, quoted where a shell needs it, with the values of
// secret flags and variables (`secrets` of the pack) masked.
Result<Launch> read_command(const Pack& pack, const std::vector<std::string>& words);

// Sets the arguments of `launch`, and what it starts: what the command `entry` makes of the words behind it.
void hand_on(const EntryPoint& entry, std::vector<Word> words, Launch* launch);

// The line of a source that holds `place`, with a caret under it; empty where there is no such source.
std::string excerpt(const std::vector<Source>& sources, const Place& place);
inline std::string excerpt(const Launch& launch, const Place& place) { return excerpt(launch.sources, place); }

// `text` as a POSIX shell reads it back: bare where that is safe, else in single quotes.
std::string shell_quoted(std::string_view text);

// Whether a flag or variable of this name holds a secret: one of the pack's `secrets` is a whole part of it, so that
// "token" would mean HF_TOKEN and never --max-total-tokens.
bool is_secret(const Pack& pack, std::string_view name);

}  // namespace gonogo
