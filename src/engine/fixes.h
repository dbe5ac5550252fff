// Fixes that were tried. What rules propose is only a candidate: each is applied to the launch and the whole launch is
// resolved again, and only what reaches GO is a fix. One that does not is said to be not enough, and what refuses then.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/outcome.h"
#include "engine/runtime.h"
#include "engine/world.h"
#include "flags/given.h"

namespace gonogo {

struct FixTrial {
  Fix fix;
  std::uint32_t version = 0;            // of the runtime with which it was tried
  bool enough = false;                  // it reached GO
  std::uint32_t refused_by = kNoIndex;  // the rule that refuses then, where it is not enough
};

struct FixSearch {
  const Pack& pack;
  const World& world;
  const Given& given;
  std::uint32_t version;
  // The launch's words read by another version's parser; nullopt where that refuses them.
  std::function<std::optional<Given>(std::uint32_t version, Arena& arena)> parse;
};

// Tries what the refusals of `outcome` propose: each change alone and, where none of them is enough, pairs.
// Fixes that are enough come first, those that change least before others.
std::vector<FixTrial> try_fixes(const FixSearch& search, const Outcome& outcome);

}  // namespace gonogo
