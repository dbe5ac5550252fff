// What the NVIDIA driver of this machine says about its GPUs. The two libraries are opened at run time, so
// the program needs neither to start, and only functions that ask are called: no context is created, no
// memory of a GPU is allocated, nothing is changed. Everything here may hang or crash with the driver; see
// gpu_probe.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "facts/gpu.h"

namespace gonogo {

// One device and, where it is divided, its instances.
struct Device {
  Gpu gpu;
  bool divided = false;        // in MIG mode: only its instances can be used
  std::vector<Gpu> instances;  // with their own name, memory, multiprocessors and UUID
};

struct DriverFacts {
  std::vector<Device> devices;  // as CUDA counts them
  std::string version;          // of the driver: "580.95.05"; may be empty
};

struct DriverLibraries {
  std::string nvml = "libnvidia-ml.so.1";
  std::string cuda = "libcuda.so.1";
};

// Asks the driver. nullopt where there is none (no library, or no driver behind it); an error where there is
// one and it answers with an error.
//
// Names, UUIDs, memory, compute capability and MIG come from NVML, multiprocessors and the order from CUDA.
// NVML counts in the order of the bus; CUDA counts the fastest first unless CUDA_DEVICE_ORDER=PCI_BUS_ID, so
// the environment of the process must be the launch's, without CUDA_VISIBLE_DEVICES (which would hide devices
// from CUDA, and is applied afterwards by `visible`). With a divided device CUDA shows a single instance, and
// the order is NVML's.
Result<std::optional<DriverFacts>> ask_driver(const DriverLibraries& libraries = {});

// The GPUs that a process sees under CUDA_VISIBLE_DEVICES (nullopt: not set), by the driver's rules:
//   a list of ordinals, or of prefixes of UUIDs (GPU-…, MIG-…); the first entry that names no device ends it;
//   an entry that stands twice, or the empty text, leaves none; of a divided device the first instance
//   counts; as soon as an instance is among them, a process sees one instance and nothing else.
std::vector<Gpu> visible(const std::vector<Device>& devices, const std::optional<std::string>& list);

}  // namespace gonogo
