// All launches of a file, whatever its form: the form's reader says what runs, the shell's tracer follows what a shell
// reads, and both end in the same FoundLaunch. Nothing is run, and no file is read but those that this one names beside
// itself.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "carriers/carrier.h"
#include "launch/found.h"
#include "rules/pack.h"

namespace gonogo {

struct FinderOptions {
  std::vector<std::pair<std::string, std::string>> known;  // values of unknowns, by name
  // Where files beside the read one come from, by their path; absent: from disk.
  std::function<std::optional<std::string>(const std::string& path)> beside = nullptr;
};

// Files larger than this are refused.
inline constexpr std::size_t kMaxLaunchFile = 4u << 20;

// The launches of `text`, which stands in the file `name`. An error: the text is no valid file of its form.
Result<FileLaunches> find_launches(const Pack& pack, const std::string& name, const std::string& text,
                                   const FinderOptions& options);

// Whether `text` can hold a launch at all: it names the runtime. Cheap, to pass over a folder's other files.
bool mentions_runtime(const Pack& pack, std::string_view text);

}  // namespace gonogo
