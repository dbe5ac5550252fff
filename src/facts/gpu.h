// The GPUs of a node, as rules see them, and the ways to name them without a driver: a profile of the pack
// ("b200x8") or a file that was taken on another machine. The file's format has its writer and its reader
// here:
//   {"format_version": 1, "source": "NVIDIA driver 580.95", "gpus": [{"name": "NVIDIA B200", "vendor":
//   "nvidia",
//    "compute_capability": [10, 0], "memory_mib": 183359, "sm_count": 148, "uuid": "GPU-…"}, …]}
// One file is one node. What the machine did not tell is left out, and is unknown to rules.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "rules/pack.h"

namespace gonogo {

struct Gpu {
  std::string name;    // as the driver reports it
  std::string vendor;  // "nvidia", "amd"
  int major = 0;       // compute capability
  int minor = 0;
  std::int64_t memory_mib = 0;  // all of its memory; of the instance, where it is one
  int sm_count = 0;             // streaming multiprocessors; 0: not known
  std::string uuid;             // empty for a profile
};

// Whether two GPUs are of the same kind: all but the UUID is equal.
bool same_kind(const Gpu& a, const Gpu& b);

// The GPUs of one node that a launch sees, in the order in which it counts them.
struct GpuSet {
  std::vector<Gpu> gpus;
  std::string source;  // where this is known from, for the report

  bool uniform() const;      // all of the same kind; true of none
  std::string text() const;  // "8 x NVIDIA B200 (183359 MiB)", "NVIDIA L40S (46068 MiB), …", "no GPU"
};

// How many GPUs a profile stands for where no count is written.
inline constexpr int kDefaultGpuCount = 8;

// "b200x8" or "b200": a profile of the pack and a count from 1 to 1024. Letter case does not matter.
Result<GpuSet> gpus_of_profile(std::string_view spec, const Pack& pack);

// One node's GPUs from a file in the format above.
Result<GpuSet> gpus_of_file(const std::string& path);

// The value of an option: a file where it ends in ".json" or holds a slash, else a profile.
Result<GpuSet> gpus_of_option(std::string_view value, const Pack& pack);

// The format above, and back. `file` is its name in messages.
std::string gpus_to_json(const GpuSet& set, bool pretty);
Result<GpuSet> gpus_of_json(std::string_view text, std::string_view file);

}  // namespace gonogo
