// From a launch that a file holds, and what a check made of it, to what the launches that work with it may be compared
// by.
#pragma once

#include <vector>

#include "cli/session.h"
#include "engine/peer_groups.h"
#include "launch/found.h"
#include "report/peers.h"

namespace gonogo {

struct FilePeer {
  PeerLaunch launch;
  PeerShown shown;  // without its sources
};

// `session`: its check, with peers; null where there was none, so that nothing is known of it. `declares`: the form of
// the file says what runs at the same time. Values are copied into `arena`.
FilePeer peer_of(const FoundLaunch& found, const FileLaunches& file, bool declares, const Session* session,
                 Arena& arena);

// What the companions of a file's launches call: one each for every address, or one for a companion that calls none.
std::vector<FilePeer> companions_of(const Pack& pack, const FileLaunches& file, bool declares, Arena& arena);

}  // namespace gonogo
