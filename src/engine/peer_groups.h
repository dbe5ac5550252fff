// Which launches of a run work together in the two roles of a pack's peers. Only what is said somewhere counts: that
// launches stand in one unit of a file (a variant of a recipe, a manifest's document, a script), or have equal keys.
// Launches of alternatives that exclude each other are never paired.
//
// Of peers with a companion, the first role is played by what the companion calls: once for each address, or once where
// it calls none. It belongs to the launches of its unit, and where there are none, to those of its file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/outcome.h"
#include "launch/found.h"
#include "rules/pack.h"

namespace gonogo {

// One launch of a run, as far as others may be compared with it.
struct PeerLaunch {
  std::uint32_t version = 0;            // of the runtime, as an index
  std::vector<PeerValues> values;       // by index of the pack's peers; empty where its parser refuses it
  std::string file;                     // that holds it
  std::vector<std::string> units;       // what of the file runs together and holds it; "": all of it
  bool apart = false;                   // units of this file have nothing to do with each other
  bool declared = false;                // the file says what runs at the same time, as a manifest does
  bool loose = false;                   // what this file holds may run at any time, and anywhere
  std::vector<std::string> conditions;  // all that have to hold for it; !(…) is a negation
  std::string machine;                  // where it runs, by any name
  std::vector<ReachedName> names;       // under which others reach it
  std::vector<std::string> labels;      // of its pod
  bool wrapped = false;                 // another program stands around it: what listens where is that program's
  std::uint32_t companion = kNoIndex;   // no launch but a companion: the peers whose it is
  std::vector<Value> given;             // a companion's flags, and behind them the address that it calls, or None
  bool open = false;                    // it may call more than is known
};

// Launches that work together. A launch may be in several groups.
struct PeerGroup {
  using Pair = std::pair<std::size_t, std::size_t>;  // in the first role, in the second

  std::vector<std::size_t> launches;  // all that play a role, in order
  std::vector<Pair> pairs;            // never empty, at most 1,024; where both launches play both roles it stands once
  std::size_t unread = 0;             // launches beside them of which nothing is known
  bool together = false;              // they surely run at the same time
};

// The groups for the pack's peers of this index, in the launches' order.
std::vector<PeerGroup> group_peers(const Pack& pack, std::size_t peers, std::span<const PeerLaunch> launches);

}  // namespace gonogo
