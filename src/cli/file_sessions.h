// What to check for a launch that a file holds: its words as the runtime's parser gets them, past what the entry point
// does with them, on the machine that the file says it is for. What the user says goes before what the file says.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carriers/gpu_names.h"
#include "cli/session.h"
#include "launch/entry_point.h"
#include "launch/found.h"
#include "rules/pack.h"

namespace gonogo {

// What a file with template actions launches is not known until they are rendered.
inline void settle_templated(Verdict& verdict, const FileLaunches& file) {
  if (file.templated) verdict = Verdict::kUnknown;
}

class FileSessions {
 public:
  // `gpu_names`: what the user calls GPUs → profiles. `pack` and `options` must outlive this.
  FileSessions(const Pack& pack, const SessionOptions& options,
               std::vector<std::pair<std::string, std::string>> gpu_names)
      : pack_(pack), options_(options), gpu_names_(pack, std::move(gpu_names)) {}

  // What is wrong with the user's own release or GPUs, which would leave every launch unchecked; nothing where they
  // hold.
  std::optional<Error> wrong_use() const;

  // The texts of a file as reports may show them; of a file without launches none.
  std::vector<Source> shown_sources(const FileLaunches& file) const;

  // `found` is one of the launches of `file`; `sources` are what shown_sources gave for it.
  SessionOptions options_of(const FoundLaunch& found, const FileLaunches& file,
                            const std::vector<Source>& sources) const;

  // Why the version of the launch's image can't be checked; empty where it can.
  std::string uncovered_version(const SessionOptions& session) const;

 private:
  const EntryPoint* entry_of(const FoundLaunch& launch, EntryPoint* storage) const;
  Launch launch_of(const FoundLaunch& found, bool clear_env, const EntryPoint* entry) const;
  std::vector<std::string> gpus_of(const FoundLaunch& launch) const;

  const Pack& pack_;
  const SessionOptions& options_;
  const GpuNames gpu_names_;
};

}  // namespace gonogo
