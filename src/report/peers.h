// What there is to say of launches that work together, as findings across a check's launches: each names the places of
// all launches that it is about.
#pragma once

#include <vector>

#include "engine/peers.h"
#include "launch/launch.h"
#include "report/launch_report.h"

namespace gonogo {

// Where a launch that was compared stands.
struct PeerShown {
  Place place;                            // where its command begins
  int last_line = 0;                      // of its command in that file
  std::vector<std::vector<Place>> words;  // by index of the pack's peers and of their members: what the user typed
                                          // for it; line 0 where that is nothing
  const std::vector<Source>* sources = nullptr;  // that places refer to, secrets masked; never null
};

// `launches` as they were compared.
ReportFinding finding_of(const Pack& pack, const PeerFinding& finding, const std::vector<PeerShown>& launches);

}  // namespace gonogo
