// What a change touches: the files of a working tree that are not as a commit has them, and the commit's own text of
// each. Repositories are read through libgit2, which is loaded when a GitBase is opened and not before, so that no
// other command pays for it; git itself is not run, nor any hook or filter that a repository names.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gonogo {

// A file that differs. Paths are relative to the working tree's root.
struct TouchedFile {
  std::string path;    // where it lies now; of a removed one where it lay
  std::string before;  // where the commit has it; empty where it has none
  bool removed = false;
};

class GitBase {
 public:
  // The repository that holds `folder`, and the commit where the present one left `ref`: their merge base, or `ref`
  // itself where there is none. An error: there is no repository or no such commit, or no libgit2 on this machine.
  static Result<std::unique_ptr<GitBase>> open(const std::string& folder, const std::string& ref);
  virtual ~GitBase() = default;

  // The working tree's root, without a slash at the end.
  virtual const std::string& root() const = 0;
  // The commit's id, abbreviated for people.
  virtual std::string commit() const = 0;
  // Files that differ, sorted by path; of those that git does not track, those that it does not ignore either.
  virtual Result<std::vector<TouchedFile>> touched() const = 0;
  // All files that the commit has, sorted by path.
  virtual std::vector<std::string> files() const = 0;
  // A file's text in the commit; none where it has none of that path, or one that is larger than `limit`.
  virtual std::optional<std::string> text(const std::string& path, std::size_t limit) const = 0;
};

}  // namespace gonogo
