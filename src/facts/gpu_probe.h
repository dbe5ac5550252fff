// The GPUs of this machine, asked of the driver in a child process with a time limit: a driver that hangs or
// crashes (after a failed update, with a GPU fallen off the bus) then costs an error message and nothing
// more.
#pragma once

#include <chrono>
#include <optional>

#include "base/result.h"
#include "facts/environment.h"
#include "facts/gpu.h"
#include "facts/gpu_driver.h"

namespace gonogo {

struct ProbeOptions {
  // Starting the driver of eight GPUs that nothing else uses takes seconds.
  std::chrono::milliseconds time_limit{20'000};
  DriverLibraries libraries;
};

// The GPUs that the launch would see here, by CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER of `env`, perhaps
// none. nullopt where the machine has no NVIDIA driver; an error where the driver answers with one, crashes
// or does not answer. The child is a fork of this process; where other threads run it rests on glibc, in whose
// children memory can be allocated and libraries loaded all the same.
Result<std::optional<GpuSet>> probe_gpus(const Environment& env, const ProbeOptions& options = {});

// The same for many launches, from any thread: the driver is asked once for each value of these two variables, and not
// again where there is none.
Result<std::optional<GpuSet>> local_gpus(const Environment& env);

}  // namespace gonogo
