// Which launch of a file is which launch of the same file at another time. Lines move and words are edited, so a launch
// is told by what it starts, in which role, and by how many of its words are still the same.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "launch/found.h"
#include "launch/launch.h"
#include "rules/pack.h"

namespace gonogo {

// A launch as a person would know it again. Secrets read ***.
struct LaunchName {
  std::string file;  // that holds it; empty: the command line
  std::string entry;
  std::vector<std::string> roles;
  std::string conditional;        // empty where it always occurs
  std::vector<std::string> sets;  // NAME=VALUE, of the environment
  std::vector<std::string> args;

  bool operator==(const LaunchName&) const = default;
};

LaunchName name_of(const Pack& pack, const std::string& file, const FoundLaunch& launch);
// Of a command behind --.
LaunchName name_of(const Pack& pack, const Launch& launch);

// The launch as one line, quoted where a shell needs it.
std::string command_line(const LaunchName& name);

// For each of `now`, the index of the one in `before` that it was, or none where it is new. None is taken twice. The
// files' names are not compared.
std::vector<std::optional<std::size_t>> match_launches(const std::vector<LaunchName>& before,
                                                       const std::vector<LaunchName>& now);

}  // namespace gonogo
