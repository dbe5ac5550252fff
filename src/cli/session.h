// One launch, checked: from the words of a command to an outcome with its fixes. Commands differ in what they print.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "engine/fixes.h"
#include "engine/outcome.h"
#include "engine/runtime.h"
#include "engine/world.h"
#include "facts/gpu.h"
#include "facts/runtime_version.h"
#include "flags/given.h"
#include "launch/launch.h"
#include "rules/pack.h"

namespace gonogo {

// What the user says besides the command.
struct SessionOptions {
  std::vector<std::string>
      gpus;  // --gpu, one a node: "local", a profile or a file; empty: local where there is a driver
  std::optional<std::string> version;  // of the runtime
  std::string model_config;            // a file or folder in place of the model's own
  std::vector<std::string> models;     // folders that hold models which are not where the launch looks for them
  bool catalogue = true;               // models that are not here are looked up among those that ship with gonogo
  std::string rules;                   // a folder with an overlay pack
  std::vector<std::string> command;    // the words after --
  std::optional<Launch> launch;        // found in a file, in place of `command`
  bool elsewhere = false;              // `launch` runs in a container or on another machine: nothing here is its own
  std::string image;                   // the container image of `launch`, or empty
  bool fixes = false;                  // try fixes for a NO-GO; only a check shows them
  bool plan = false;                   // plan the GPUs' memory
  bool peers = false;                  // evaluate what rules read that compare launches
};

struct Session {
  std::unique_ptr<std::string> overlay_blob;  // what `pack` views where an overlay was layered for this launch alone
  Pack pack;
  Launch launch;
  RuntimeVersion version;
  std::vector<GpuSet> nodes;  // empty: unknown
  std::string model;          // as the launch names it; empty where the parser refuses
  std::string model_where;    // where the model's files were looked for
  bool catalogue = false;     // the built-in catalogue answered for a model
  bool sure_start = true;     // the command starts the runtime, whatever the model is
  Arena arena;
  std::unique_ptr<Models> models;
  std::unique_ptr<HostFacts> host;
  std::unique_ptr<Runtime> runtime;
  World world;
  std::optional<Given> given;  // absent where the parser refuses
  Outcome outcome;
  Fixes fixes;
};

// The embedded pack, or it with the overlay in `rules` (empty: none). Errors of an overlay come one by one.
Result<Pack> load_pack(const std::string& rules, std::string* blob, std::vector<Error>* errors);

// Checks a launch by `pack`, whatever `rules` the options name; what it views must outlive the session.
Result<std::unique_ptr<Session>> check_launch(const Pack& pack, const SessionOptions& options);
// The same by the pack that load_pack gives for the options' rules. Of several launches, load it once instead.
Result<std::unique_ptr<Session>> check_launch(const SessionOptions& options, std::vector<Error>* errors);

}  // namespace gonogo
