// Which files a command is about: names, folders and patterns from the command line, without what .gonogoignore files
// leave out.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "carriers/launch_finder.h"
#include "rules/pack.h"

namespace gonogo {

struct ListedFile {
  std::string name;
  std::optional<std::string> text;  // of standard input
  bool named = false;               // by the user, so that it must be readable
};

// `given`: files, folders (walked, without hidden and version control folders), patterns with * ? [ ] and ** that no
// shell has expanded, and "-" for standard input. Sorted within a folder; each file once. A name that is not there is
// an error; so are more than 200,000 files.
Result<std::vector<ListedFile>> list_files(const Pack& pack, const std::vector<std::string>& given, std::istream& in);

// Whether a walk of `folder` would list the file `below` (a relative path), if it were there.
bool walk_lists(const std::string& folder, const std::string& below);

// The launches of a listed file. A file that the user did not name and that does not mention the runtime, or can't be
// read, holds none; such a file is not taken apart at all.
Result<FileLaunches> launches_of(const Pack& pack, const ListedFile& file, const FinderOptions& options);

// NAME=VALUE words.
Result<std::vector<std::pair<std::string, std::string>>> read_known(const std::vector<std::string>& words);

// The rules of one .gonogoignore file, in the manner of .gitignore: one pattern a line, # comments, ! takes back, a
// slash at the end means folders, one elsewhere binds the pattern to the file's folder, ** spans folders.
class IgnoreRules {
 public:
  void add(const std::string& folder, std::string_view text);
  // `path` below the folders whose rules were added.
  bool ignores(std::string_view path, bool is_folder) const;

 private:
  struct Rule {
    std::string folder;
    std::string pattern;
    bool negated = false;
    bool folders_only = false;
    bool anchored = false;
  };
  std::vector<Rule> rules_;
};

// Whether a path matches a pattern; * and ? stop at slashes, ** does not.
bool glob_matches(std::string_view pattern, std::string_view path);

}  // namespace gonogo
