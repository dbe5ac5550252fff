// Asks the driver that LD_LIBRARY_PATH leads to, and prints what it says: a program of its own, since a
// process's library path can't be changed once it runs.
//   gonogo_probe TIME_LIMIT_MS [NVML_LIBRARY [CUDA_LIBRARY]]
#include <cstdio>
#include <cstdlib>

#include "facts/gpu_probe.h"

int main(int argc, char** argv) {
  gonogo::ProbeOptions options;
  if (argc > 1) options.time_limit = std::chrono::milliseconds(std::atoi(argv[1]));
  if (argc > 2) options.libraries.nvml = argv[2];
  if (argc > 3) options.libraries.cuda = argv[3];
  const auto set = gonogo::probe_gpus(gonogo::Environment(), options);
  if (!set) {
    std::printf("error: %s\n", gonogo::to_text(set.error()).c_str());
  } else if (!*set) {
    std::puts("no driver");
  } else {
    for (const gonogo::Gpu& gpu : (*set)->gpus) {
      std::printf("%s|%s|%d.%d|%lld|%d|%s\n", gpu.name.c_str(), gpu.vendor.c_str(), gpu.major, gpu.minor,
                  static_cast<long long>(gpu.memory_mib), gpu.sm_count, gpu.uuid.c_str());
    }
    std::printf("source: %s\n", (*set)->source.c_str());
  }
  return 0;
}
