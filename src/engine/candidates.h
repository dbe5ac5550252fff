// Single changes worth trying against a refusal: what its rule proposes, and what follows from the values that its
// conditions read: the flag dropped, its other choices, the opposite of a switch, what a condition compares it with,
// and numbers that would divide. Each has a cost: how much it takes away from what the user asked for.
#pragma once

#include <vector>

#include "engine/outcome.h"
#include "engine/suspects.h"
#include "engine/world.h"
#include "flags/given.h"

namespace gonogo {

struct Candidate {
  Fix fix;                // one change; several where a rule proposes them together
  int cost = 0;           // the lower the gentler
  bool proposed = false;  // by the rule that refuses
  bool guess = false;     // a choice that no condition names
  bool last = false;      // only where nothing gentler helps: the pack says so, or it is another version
};

// The launch as it stands: with the changes made so far.
struct CandidateInput {
  Runtime& runtime;
  const World& world;
  const Given& given;
  const Outcome& refused;                // ended at the refusal, with evidence
  const std::vector<Suspect>& suspects;  // of that refusal
  const Fix& taken;                      // the changes made so far: their targets are left alone
  const Outcome* all = nullptr;          // the whole launch: what refuses behind this refusal proposes changes as well
};

// Candidates by cost, at most `most`; equal costs in order of discovery. Values live in `arena`, in the pack or in
// `refused`.
std::vector<Candidate> candidates_for(const CandidateInput& input, std::size_t most, Arena& arena);

// Whether a choice means that something is off: "none", "off" and the like.
bool is_off(const Value& v);

// Another release: always the last resort.
Candidate version_candidate(const Pack& pack, std::uint32_t version, Arena& arena);

}  // namespace gonogo
