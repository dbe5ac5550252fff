// The Python installation that a launch will run in, as far as its directories tell: which distributions it
// holds and which modules can be imported. Directories are read; no Python is ever started, since the answer
// must come in milliseconds and nothing of the user's may be executed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "facts/environment.h"

namespace gonogo {

class PythonEnv {
 public:
  // Where to look: `program` is the launch's first word (python, or a script beside it).
  struct Query {
    std::string program;
    std::string root;       // put before every absolute path, for tests; usually empty
    std::string cwd = ".";  // what a relative program is relative to
  };

  enum class Source {
    kProgram,     // the program's path says it
    kVirtualEnv,  // $VIRTUAL_ENV
    kPath,        // a bare name, found along $PATH
  };

  // The installation of the program, where its path has a slash; else that of $VIRTUAL_ENV, else the first of
  // that name along $PATH. nullopt where none of them has a directory of packages here.
  static std::optional<PythonEnv> find(const Query& query, const Environment& env);

  Source source() const { return source_; }
  const std::string& prefix() const { return prefix_; }  // without the root: "/opt/venv"

  // Directories of packages, in the order in which they are searched; with the root.
  const std::vector<std::string>& packages() const { return packages_; }

  // The version of a distribution by its metadata directory (NAME-VERSION.dist-info); nullopt where it is not
  // installed. Names are compared as the package index does: case, `-`, `_` and `.` do not matter.
  std::optional<std::string> version_of(std::string_view distribution) const;

  // Whether `import module` finds a file. nullopt where it may lie in a place that can't be seen from here
  // (an editable installation, a base installation below this one).
  std::optional<bool> importable(std::string_view module) const;

 private:
  static std::optional<PythonEnv> at(const std::string& root, const std::string& prefix, std::string_view python,
                                     Source source);

  Source source_ = Source::kProgram;
  std::string prefix_;
  std::vector<std::string> packages_;
  std::vector<std::string> libraries_;  // the standard library's directories
  bool open_ended_ = false;             // more directories are searched than are known
};

}  // namespace gonogo
