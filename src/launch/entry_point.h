// How a runtime is started, as the pack writes it: the command's words, where `python` stands for any interpreter
// (a path, a version suffix, options of its own before -m). Behind them the pack may say what the command does with
// its arguments before the runtime's parser sees them: `[--flag]`, a first word without a dash is that flag's
// value; `!--flag`, the command takes that flag and one value for itself; `!--flag=OWN/AUTO`, by that value it starts
// this runtime (OWN), what the model is for (AUTO, also where the flag is left out), or something else; `...`, it has
// flags of its own that the pack doesn't know. `NAME()` is no command: code builds the runtime from keyword arguments.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gonogo {

struct TakenFlag {
  std::string_view flag;
  std::string_view own;  // empty: it doesn't choose what is started
  std::string_view by_model;
};

struct EntryPoint {
  std::vector<std::string_view> command;
  std::string_view leading;      // the flag that a first bare word belongs to, or empty
  std::vector<TakenFlag> taken;  // flags that never reach the parser
  bool own_flags = false;        // has flags that the pack doesn't know
  bool call = false;             // `command` is the name of what code calls
};

// Reads the pack's text, which must outlive the result.
EntryPoint parse_entry_point(std::string_view text);

// How many of `words`, from `first`, start the runtime in this way; 0 where they don't. For a module, python may be
// given its file instead: `python -m a.b` is also `python PATH/a/b.py`.
std::size_t match(const EntryPoint& entry, const std::vector<std::string>& words, std::size_t first);

// What a listing calls it: the module of `python -m MODULE`, else the command's words.
std::string entry_name(const EntryPoint& entry);

// The command as a user would write it: "python -m runtime".
std::string to_text(const EntryPoint& entry);

// The last part of a path.
std::string_view base_name(std::string_view path);

}  // namespace gonogo
