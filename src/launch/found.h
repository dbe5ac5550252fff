// A launch that a file holds: what it would start, with which arguments and environment, when, and where each of these
// was written. Found by reading alone; nothing that the file says is run. Everything that was not known while reading
// stands as a placeholder (`${X}`, `$(hostname -i)`) in the words, and its names are in `unknowns`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "launch/launch.h"

namespace gonogo {

class Pack;

// A word, or the value of a variable.
struct FoundWord : Word {
  std::vector<std::string> unknowns{};  // names of the placeholders in it; empty where all of it is known
  bool defaulted = false;               // made from a default that the caller's environment may replace
  bool literal = false;                 // `text` stands at `place` byte for byte, so that it can be edited there
};

struct FoundVariable {
  std::string name;
  FoundWord value;
};

// A name under which others reach what listens where a launch runs.
struct ReachedName {
  std::string host;
  std::optional<int> port;    // that callers use; absent: any, and it is the launch's own
  std::optional<int> target;  // the launch's own port that `port` leads to; absent: not known
};

// What the carrier says about the machine and the runtime, never what a flag says. What is not known is absent.
struct CarrierFacts {
  std::string image;               // of the container, with its tag; empty where there is none
  std::optional<int> gpus;         // on one node
  std::string gpu;                 // kind, as spelt ("h100", "NVIDIA-H200"); empty where not known
  std::optional<int> nnodes;       // of the step, job or group; the launch's own flag goes before it (see settle)
  std::vector<std::string> roles;  // "leader", "worker"; settle adds the role that a flag gives
  std::string machine;             // the host or container that it runs on, by any name; empty: that of the file's own
                                   // commands. Launches of equal machines share a loopback address
  std::vector<ReachedName> names;
  std::vector<std::string> labels;  // of the pod, "key=value"
};

struct FoundLaunch {
  std::string entry;                       // as the pack's entry point is called: a module, or the words of a command
  std::vector<FoundWord> program;          // the words that start it, "python3 -m …"; empty where code starts it
  std::vector<FoundWord> args;             // after the entry, in order
  std::vector<FoundVariable> env;          // what the file itself sets, sorted by name, last value
  Place place;                             // where its command begins
  std::optional<std::string> conditional;  // what has to hold for it, joined by " && "; none where it always occurs
  bool by_default = false;                 // occurs with nothing set and no arguments
  std::vector<std::string> unknowns;       // names in args and env, each once, in order
  std::vector<std::string> notes;          // what could not be followed, one sentence each
  CarrierFacts facts;
  std::vector<std::string> units;  // what of the file runs together and holds it: a variant, a document; "": all of it
  std::string runtime_version;     // from the image's tag; empty where it says none
  std::vector<std::string> roles;  // after settle: all of them, each once
  std::uint32_t companion = kNoIndex;  // no launch but a program that works beside them: the pack's peers whose it is
};

// A command that names the runtime and yet starts no server.
struct NotLaunch {
  Place place;
  std::string kind;  // "help", "module"
  std::string what;  // the module or command
};

// Everything that one file holds.
struct FileLaunches {
  std::string form;  // bash, slurm, markdown, dockerfile, systemd, compose, kubernetes, helm, ray-serve, …
  std::vector<FoundLaunch> launches;
  std::vector<FoundLaunch> companions;  // programs that work beside launches
  std::vector<NotLaunch> not_launches;
  std::vector<std::string> notes;
  std::vector<Source> sources;  // that places refer to
  bool templated = false;       // template actions stand in it, so that it can't be read as it is
  bool crlf = false;            // lines end in CR LF
};

// The last line of the launch's words in the file that it begins in.
int last_line(const FoundLaunch& launch);

// Fills `unknowns`, `runtime_version`, `facts.nnodes` and `roles` from words, environment and facts: what the pack's
// flags for roles and nodes say goes before what the carrier said. Call it once, when a launch is complete.
void settle(const Pack& pack, FoundLaunch* launch);

// The runtime's version in an image's tag: the last part of the image's path is the pack's name, and the tag begins
// with a whole version. Empty for any other image.
std::string version_in_image(const Pack& pack, std::string_view image);

}  // namespace gonogo
