// What there is to say of launches that work together, for people and machines: each finding names the places of all
// launches that it is about.
#pragma once

#include <string>
#include <vector>

#include "engine/peers.h"
#include "launch/launch.h"
#include "report/json_writer.h"

namespace gonogo {

// Where a launch that was compared stands.
struct PeerShown {
  Place place;                            // where its command begins
  std::vector<std::vector<Place>> words;  // by index of the pack's peers and of their members: what the user typed
                                          // for it; line 0 where that is nothing
  const std::vector<Source>* sources = nullptr;  // that places refer to, secrets masked; never null
};

struct PeerReport {
  const Pack& pack;
  const std::vector<PeerFinding>& findings;
  const std::vector<PeerShown>& launches;  // as they were compared
};

// Whether any of them refuses, or warns.
bool has_kind(const std::vector<PeerFinding>& findings, Action kind);

// A headline and its details for each finding; empty where there is none.
std::string to_text(const PeerReport& report, bool color);

// The member "between" of a report for machines: a list, a finding an element.
void to_json(const PeerReport& report, JsonWriter* json);

}  // namespace gonogo
