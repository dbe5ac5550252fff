// Which parts of a script can't change what it launches: they print, make folders, wait, or set what nobody reads.
// Leaving them out keeps a dozen of `[ -d X ] || mkdir X` from becoming thousands of ways through the script.
#pragma once

#include <set>
#include <string>

#include "shell/syntax.h"

namespace gonogo {

class Relevance {
 public:
  Relevance() = default;
  // Of a whole script; all variables that it reads anywhere but in printing count as read.
  explicit Relevance(const Command& script);

  // Whether leaving `command` out could show: in a launch, in a variable that is read, or in what runs afterwards.
  bool matters(const Command& command) const;

  // Whether the script reads a variable anywhere but in printing, or may do so where that can't be seen.
  bool reads(const std::string& name) const { return all_ || read_.count(name) > 0; }

 private:
  void collect(const Command& command);
  void collect(const SyntaxWord& word);

  std::set<std::string> read_;
  std::set<std::string> functions_;
  bool all_ = true;  // something is read that can't be seen here: `eval`, `source`
};

}  // namespace gonogo
