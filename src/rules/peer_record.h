// How a pack says which launches its rules compare. A record a comparison, few in a pack, so nothing in it is packed
// but what all records are.
#pragma once

#include <cstdint>

#include "rules/blob.h"

namespace gonogo {

// Two roles of launches that work together, and what rules that compare such launches may read of each. The first role
// may be a program that works beside launches, and is none of the runtime's: a companion.
struct PeerRec {
  static constexpr std::uint32_t kRoles = 2;
  // What rules may read beside the companion's flags: what it calls.
  static constexpr const char* kTo = "to";
  // Behind the launches of both roles: all launches, whether they surely run at the same time; and with a companion
  // what its address comes to: for the pair, in all, whether any names the launch, and whether both share a machine.
  enum Slot : std::uint32_t { kLaunches = kRoles, kTogether, kReach, kReached, kNamed, kBeside, kSlots };

  std::uint32_t stage = 0;       // its rules compare them
  std::uint32_t first_slot = 0;  // of the launch in the first role; then those of Slot
  Run roles;    // in NamedCode: name, and whether a launch plays it; kRoles of them. A companion's: none
  Run key;      // in NamedCode, without names: launches of equal keys belong together
  Run members;  // in NamedCode
  std::uint32_t as_written = 0;  // bit i: where the i-th member is unknown, the word that was typed for it is compared
  std::uint32_t in_turn_warn = 0;  // what refuses launches is a warning where they may run one after the other
  Run companion;                   // in `ids`: texts, how the program of the first role is started; none: a launch
  Run flags;                       // in NamedCode: the companion's flags that rules may read, and their defaults
  Run calls;                       // in `ids`: texts, those of its flags whose values are addresses that it calls
  Run finds;                       // in `ids`: texts, flags: one that makes it look for what it calls, one for the port
                                   // that it then calls, and those whose values are labels of what it looks for
  std::uint32_t host = 0;          // the members that say where a launch listens, with a companion
  std::uint32_t port = 0;

  bool has_companion() const { return companion.count > 0; }
};

}  // namespace gonogo
