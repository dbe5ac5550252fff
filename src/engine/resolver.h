// Runs a pack's parts over a launch: stages in order, rules from top to bottom, the last writer wins. It does not stop
// at the first refusal, so that a user sees all gates at once; what comes behind one is marked so.
//
// A condition that is unknown never decides: the fields that it guards become unknown, and a refusal behind it is
// uncertain, which makes the verdict UNKNOWN.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/arena.h"
#include "engine/evaluator.h"
#include "engine/outcome.h"
#include "engine/runtime.h"
#include "engine/world.h"
#include "flags/given.h"

namespace gonogo {

struct ResolveOptions {
  bool evidence = true;  // collect what the conditions of findings read
  bool plan = false;     // evaluate the pack's plan of a GPU's memory
  bool peers = false;    // evaluate what rules read that compare launches
  // Leave off at the first certain refusal, whose finding is then the last one, without a message (and without
  // proposals, where there is no evidence either): for trying whether a launch goes. The fields are as they were at
  // that moment.
  bool until_refused = false;
  // Where not null: one flag a rule, set for each that acts for certain. Behind a refusal nothing acts that the runtime
  // would get to: neither the rest of the refusing part nor, behind a refusal of the first part, the parts after it.
  std::vector<bool>* acted = nullptr;
  FactMemo* memo = nullptr;  // of launches of the same runtime, GPUs and models; it views their arenas
};

// Resolves `given`. Values of the outcome live in `arena`, in the pack, in `runtime` and in the world's models.
Outcome resolve(Runtime& runtime, const World& world, const Given& given, Arena& arena, ResolveOptions options = {});

// The outcome of a launch that the runtime's own parser refuses.
Outcome refused_by_parser(const Pack& pack, std::vector<UsageFinding> refusals);

}  // namespace gonogo
