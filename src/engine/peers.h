// Launches that work together, compared by the rules of the pack's peers: what each of them resolved to may be well and
// yet not fit the others. A condition that is not known says nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/outcome.h"
#include "engine/peer_groups.h"

namespace gonogo {

// A launch that a finding is about, and which of its members the rule's conditions read.
struct PeerSide {
  std::size_t launch = 0;  // index among those compared
  StrId role = 0;          // the text of its role's name; 0: one of all launches
  std::vector<std::uint32_t> members;
};

struct PeerFinding {
  Action kind = Action::kFail;  // kFail, kWarn or kAdvise
  Phase phase = Phase::kLate;
  std::uint32_t rule = 0;
  std::string message;
  std::vector<PeerSide> sides;  // at least two
};

// What the rules of all peers of the pack say, group by group. Each rule speaks once of a group: of the first pair;
// with a companion, once in the same words. Refusals of a group stand before its warnings, and these before advice. Of
// launches of several versions, the rules of the newest count.
std::vector<PeerFinding> compare_peers(const Pack& pack, std::span<const PeerLaunch> launches);

}  // namespace gonogo
