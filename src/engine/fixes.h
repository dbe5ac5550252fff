// Fixes that were tried: the smallest changes after which the whole launch, resolved again, reaches GO, and those that
// somebody would try first and that are not enough.
//
// The search goes by the number of changes, one to three. Single changes come from the refusal (candidates.h). A set
// that moves the launch on to another refusal is extended by the candidates of that one; sets of two are also made of
// the nearest candidates of one refusal, since a condition may hold for two reasons. It ends with the first number of
// changes that gives a fix which is not a last resort; a set that holds a fix is never tried, and what needs fewer
// changes than it was found with is shown with fewer. How many are tried is bounded by number, not by time, so that the
// answer is the same on every machine; `cut` says where the bound was met.
//
// What is shown was also typed: its words are parsed anew and resolved before it counts as a fix.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/outcome.h"
#include "engine/runtime.h"
#include "engine/world.h"
#include "flags/edit.h"
#include "flags/given.h"

namespace gonogo {

struct FixTrial {
  std::vector<WordEdit> mends;          // of words that the parser refuses, in order; empty for other launches
  Fix fix;                              // changes of flags, variables and version
  std::uint32_t version = 0;            // of the runtime with which it was tried
  bool enough = false;                  // it reached GO
  bool open = false;                    // nothing that is known refuses then, and what is not known decides
  std::uint32_t refused_by = kNoIndex;  // the rule that refuses then, where it is not enough
  std::vector<std::string> args;        // where it is enough: the arguments as they would be typed
};

struct Fixes {
  std::shared_ptr<Arena> values;  // what the changes' values live in
  std::vector<FixTrial>
      trials;             // fixes, the gentlest first, or in their place what leaves it open; then what is not enough
  std::size_t tried = 0;  // how many launches were resolved for them
  bool cut = false;       // more could have been tried

  bool any() const { return !trials.empty() && trials.front().enough; }
};

struct FixSearch {
  const Pack& pack;
  const World& world;
  const Given* given;  // null where the parser refuses the words
  std::uint32_t version;
  std::span<const Word> words;  // what was parsed
  bool own_flags = false;       // the command has flags of its own beside the runtime's
};

inline constexpr std::size_t kMostChanges = 3;
inline constexpr std::size_t kMostFixes = 5;

// Searches fixes for a launch with the verdict NO-GO.
Fixes try_fixes(const FixSearch& search, const Outcome& outcome);

}  // namespace gonogo
