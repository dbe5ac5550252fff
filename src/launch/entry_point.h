// How a runtime is started, as the pack writes it: the command's words, where `python` stands for any interpreter
// (a path, a version suffix, options of its own before -m). Behind them the pack may say what the command does with
// its arguments before the runtime's parser sees them: `[--flag]`, a first word without a dash is that flag's
// value; `!--flag`, the command takes that flag and one value for itself.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gonogo {

struct EntryPoint {
  std::vector<std::string_view> command;
  std::string_view leading;             // the flag that a first bare word belongs to, or empty
  std::vector<std::string_view> taken;  // flags that never reach the parser
};

// Reads the pack's text, which must outlive the result.
EntryPoint parse_entry_point(std::string_view text);

// How many of `words`, from `first`, start the runtime in this way; 0 where they don't.
std::size_t match(const EntryPoint& entry, const std::vector<std::string>& words, std::size_t first);

// The command as a user would write it: "python -m runtime".
std::string to_text(const EntryPoint& entry);

// The last part of a path.
std::string_view base_name(std::string_view path);

}  // namespace gonogo
