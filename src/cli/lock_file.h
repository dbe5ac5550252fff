// The lock that a check is held to, and where its launches are found again: by their file's place beside the lock, and
// in the file by what they start.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "carriers/launch_match.h"
#include "cli/session.h"
#include "report/lock.h"

namespace gonogo {

// What a lock says of a checked launch. Values live in `arena` and in the session.
LockedLaunch locked(const Session& session, LaunchName name, Arena& arena);
// Of one that can't be checked from here, and why.
LockedLaunch locked_unchecked(LaunchName name, const std::string& why);

// How a lock at `lock_path` calls a file: relative to the lock's folder, so that both can be named from anywhere.
std::string name_beside(const std::string& lock_path, const std::string& file);

class LockFile {
 public:
  // An error: there is no such file, or it holds no lock for this pack.
  static Result<LockFile> read(const Pack& pack, const std::string& path);

  // What the lock holds of a file (empty: of the command line).
  struct Matched {
    std::vector<const LockedLaunch*> launches;  // one for each of `now`; null where it holds none
    std::vector<const LockedLaunch*> gone;      // held, and no longer among `now`
  };
  Matched match(const std::string& file, const std::vector<LaunchName>& now) const;

  // `was` may be null, where the lock does not hold the launch.
  LockAnswer compare(const Session& session, const LaunchName& name, const LockedLaunch* was, std::string_view place,
                     bool color) const;
  // For a launch that can't be checked from here.
  LockAnswer compare_unchecked(const std::string& why, const LockedLaunch* was, std::string_view place,
                               bool color) const;
  LockAnswer gone(const LockedLaunch& was, bool color) const { return no_longer_there(path_, was.name, color); }

 private:
  std::string path_;
  Lock lock_;
};

}  // namespace gonogo
