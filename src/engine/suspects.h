// What a refusal rests on: the fields and variables that its conditions read, and, where a rule chose a value or wrote
// scratch, those that this rule's conditions read, and so on, nearest first. A search for fixes changes these.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/outcome.h"
#include "engine/runtime.h"

namespace gonogo {

struct Suspect {
  Target kind = Target::kField;  // kField or kEnv
  std::uint32_t target = 0;
  int distance = 0;             // 0: a refusing condition reads it; n: through n rules that acted
  std::vector<Value> compared;  // constants that a condition compares it with, in order; texts view the pack
  bool ordered = false;         // by < and the like
};

// A resolution that ended at a refusal (ResolveOptions::until_refused), with the rules that acted.
struct RefusedRun {
  const Outcome& outcome;
  const std::vector<bool>& acted;
};

// Suspects of the last finding, by distance, then in the order in which conditions name them; at most `most`.
std::vector<Suspect> suspects_of(Runtime& runtime, const RefusedRun& run, std::size_t most);

}  // namespace gonogo
