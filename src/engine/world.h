// What surrounds a launch, as expressions see it: models, GPUs, the host, the environment. The engine asks through
// these interfaces; who answers (files, a driver, a recording) is the caller's business.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/value.h"

namespace gonogo {

// The files of one model's folder.
struct ModelFiles {
  Value config;  // config.json: a dict; None where the folder is known to hold none; unknown where it was not found
  Value files;   // dict from file name to contents; unknown like `config`
};

class Models {
 public:
  virtual ~Models() = default;
  // The model at `path` as the launch names it. Values live as long as this object.
  virtual ModelFiles at(std::string_view path) = 0;
};

class HostFacts {
 public:
  virtual ~HostFacts() = default;
  virtual Value file(std::string_view path) = 0;  // "file", "directory", None or unknown
  // The file's text; None where there is no such file; unknown where it can't be read from here.
  virtual Value text(std::string_view path, Arena& arena) = 0;
  virtual Value importable(std::string_view module) = 0;  // bool or unknown
  virtual Value infiniband(Arena& arena) = 0;             // list of device names, or unknown
};

// The GPUs of the node that the launch is for, taken as equal.
struct GpuFacts {
  std::string name;
  std::string vendor;
  std::int64_t major = 0;
  std::int64_t minor = 0;
  std::int64_t memory_mib = 0;
  std::int64_t sm_count = 0;
  std::int64_t count = 0;
};

struct World {
  std::optional<GpuFacts> gpu;  // absent: unknown
  std::map<std::string, std::string, std::less<>> env;
  std::map<std::string, std::string, std::less<>> env_unknown;  // set to what is not known → what to supply
  Models* models = nullptr;   // never null when a launch is resolved
  HostFacts* host = nullptr;  // never null when a launch is resolved
};

}  // namespace gonogo
