#include "facts/gpu_driver.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

#ifdef GONOGO_HAVE_CUDA_H
#include <cuda.h>
#endif

namespace gonogo {

namespace {

// NVML's interface, as far as it is used. Its header comes with no compiler or driver package of most
// distributions, and its binary interface is stable.
namespace nvml {
using Device = void*;
constexpr int kSuccess = 0;
constexpr int kNotSupported = 3;
constexpr int kNotFound = 6;
constexpr int kDriverNotLoaded = 9;
constexpr int kLibraryNotFound = 12;
struct Memory {
  unsigned long long total, free, used;
};
struct Attributes {
  unsigned multiprocessors, copy_engines, decoders, encoders, jpeg, ofa, gpu_slices, compute_slices;
  unsigned long long memory_mb;
};
}  // namespace nvml

// The CUDA driver's, likewise; checked against cuda.h where there is one.
namespace cuda {
struct Uuid {
  char bytes[16];
};
constexpr int kSuccess = 0;
constexpr int kNoDevice = 100;
constexpr int kStubLibrary = 34;
constexpr int kMultiprocessors = 16;
constexpr int kMajor = 75;
constexpr int kMinor = 76;
#ifdef GONOGO_HAVE_CUDA_H
static_assert(kSuccess == CUDA_SUCCESS && kNoDevice == CUDA_ERROR_NO_DEVICE);
static_assert(kStubLibrary == CUDA_ERROR_STUB_LIBRARY);
static_assert(kMultiprocessors == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
static_assert(kMajor == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
static_assert(kMinor == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
static_assert(sizeof(Uuid) == sizeof(CUuuid) && std::is_same_v<CUdevice, int> && sizeof(CUresult) == sizeof(int));
#endif
}  // namespace cuda

// A library, open until the process ends: drivers start threads that outlive a call. Functions are found by
// name.
class Library {
 public:
  explicit Library(const std::string& name) : handle_(::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {}
  bool open() const { return handle_ != nullptr; }

  // Fills `function`, by the first of `names` that there is; false where there is none.
  template <typename Function>
  bool get(Function*& function, std::initializer_list<const char*> names) const {
    for (const char* name : names) {
      function = reinterpret_cast<Function*>(::dlsym(handle_, name));
      if (function != nullptr) return true;
    }
    return false;
  }

 private:
  void* handle_;
};

Error driver_error(std::string what, std::string hint = {}) {
  return {Error::Kind::kInput, "the GPU driver: " + std::move(what), {}, std::move(hint), {}};
}

class Nvml {
 public:
  explicit Nvml(const Library& library) {
    complete_ = library.get(init_, {"nvmlInit_v2"}) && library.get(count_, {"nvmlDeviceGetCount_v2"}) &&
                library.get(device_, {"nvmlDeviceGetHandleByIndex_v2"}) && library.get(name_, {"nvmlDeviceGetName"}) &&
                library.get(uuid_, {"nvmlDeviceGetUUID"}) && library.get(memory_, {"nvmlDeviceGetMemoryInfo"}) &&
                library.get(capability_, {"nvmlDeviceGetCudaComputeCapability"});
    library.get(error_text_, {"nvmlErrorString"});
    library.get(version_, {"nvmlSystemGetDriverVersion"});
    // Without these the driver is older than MIG.
    library.get(mig_mode_, {"nvmlDeviceGetMigMode"});
    library.get(mig_count_, {"nvmlDeviceGetMaxMigDeviceCount"});
    library.get(mig_device_, {"nvmlDeviceGetMigDeviceHandleByIndex"});
    library.get(attributes_, {"nvmlDeviceGetAttributes_v2", "nvmlDeviceGetAttributes"});
  }

  // Fills `out`. false without an error: there is no driver.
  Result<bool> read(DriverFacts& out) const {
    if (!complete_) return driver_error("its management library is too old");
    const int started = init_();
    if (started == nvml::kDriverNotLoaded || started == nvml::kLibraryNotFound) return false;
    if (started != nvml::kSuccess) return failed("nvmlInit", started);
    std::array<char, 96> text{};
    if (version_ != nullptr && version_(text.data(), text.size() - 1) == nvml::kSuccess) out.version = text.data();
    unsigned count = 0;
    if (const int code = count_(&count); code != nvml::kSuccess) return failed("nvmlDeviceGetCount", code);
    for (unsigned i = 0; i < count; ++i) {
      nvml::Device device = nullptr;
      const std::string which = "GPU " + std::to_string(i) + ": ";
      if (const int code = device_(i, &device); code != nvml::kSuccess) return failed(which + "no handle", code);
      Device found;
      if (const auto error = describe(device, which, found.gpu)) return *error;
      if (const int code = capability_(device, &found.gpu.major, &found.gpu.minor); code != nvml::kSuccess) {
        return failed(which + "compute capability", code);
      }
      if (const auto error = divide(device, which, found)) return *error;
      out.devices.push_back(std::move(found));
    }
    return true;
  }

 private:
  Error failed(const std::string& what, int code) const {
    const char* text = error_text_ != nullptr ? error_text_(code) : nullptr;
    return driver_error(what + ": " + (text != nullptr ? text : "error " + std::to_string(code)));
  }

  std::optional<Error> describe(nvml::Device device, const std::string& which, Gpu& gpu) const {
    std::array<char, 128> text{};
    gpu.vendor = "nvidia";
    if (const int code = name_(device, text.data(), text.size() - 1)) return failed(which + "name", code);
    gpu.name = text.data();
    text.fill(0);
    if (const int code = uuid_(device, text.data(), text.size() - 1)) return failed(which + "UUID", code);
    gpu.uuid = text.data();
    nvml::Memory memory{};
    const int code = memory_(device, &memory);
    // GPUs that share the host's memory have none to report here; CUDA tells then.
    if (code != nvml::kSuccess && code != nvml::kNotSupported) return failed(which + "memory", code);
    if (code == nvml::kSuccess) gpu.memory_mib = static_cast<std::int64_t>(memory.total >> 20);
    return std::nullopt;
  }

  std::optional<Error> divide(nvml::Device device, const std::string& which, Device& found) const {
    unsigned current = 0;
    unsigned pending = 0;
    unsigned most = 0;
    if (mig_mode_ == nullptr || mig_count_ == nullptr || mig_device_ == nullptr) return std::nullopt;
    if (mig_mode_(device, &current, &pending) != nvml::kSuccess || current == 0) return std::nullopt;
    found.divided = true;
    if (const int code = mig_count_(device, &most)) return failed(which + "MIG", code);
    for (unsigned i = 0; i < most; ++i) {
      nvml::Device instance = nullptr;
      const int code = mig_device_(device, i, &instance);
      if (code == nvml::kNotFound) continue;  // the places are not all taken
      if (code != nvml::kSuccess) return failed(which + "MIG instance " + std::to_string(i), code);
      Gpu gpu = found.gpu;
      if (const auto error = describe(instance, which, gpu)) return error;
      nvml::Attributes attributes{};
      if (attributes_ != nullptr && attributes_(instance, &attributes) == nvml::kSuccess) {
        gpu.sm_count = static_cast<int>(attributes.multiprocessors);
      }
      found.instances.push_back(std::move(gpu));
    }
    return std::nullopt;
  }

  bool complete_ = false;
  int (*init_)() = nullptr;
  int (*count_)(unsigned*) = nullptr;
  int (*device_)(unsigned, nvml::Device*) = nullptr;
  int (*name_)(nvml::Device, char*, unsigned) = nullptr;
  int (*uuid_)(nvml::Device, char*, unsigned) = nullptr;
  int (*memory_)(nvml::Device, nvml::Memory*) = nullptr;
  int (*capability_)(nvml::Device, int*, int*) = nullptr;
  int (*mig_mode_)(nvml::Device, unsigned*, unsigned*) = nullptr;
  int (*mig_count_)(nvml::Device, unsigned*) = nullptr;
  int (*mig_device_)(nvml::Device, unsigned, nvml::Device*) = nullptr;
  int (*attributes_)(nvml::Device, nvml::Attributes*) = nullptr;
  int (*version_)(char*, unsigned) = nullptr;
  const char* (*error_text_)(int) = nullptr;
};

class Cuda {
 public:
  explicit Cuda(const Library& library) {
    complete_ = library.get(init_, {"cuInit"}) && library.get(count_, {"cuDeviceGetCount"}) &&
                library.get(device_, {"cuDeviceGet"}) && library.get(name_, {"cuDeviceGetName"}) &&
                library.get(uuid_, {"cuDeviceGetUuid_v2", "cuDeviceGetUuid"}) &&
                library.get(memory_, {"cuDeviceTotalMem_v2"}) && library.get(attribute_, {"cuDeviceGetAttribute"});
    library.get(error_name_, {"cuGetErrorName"});
  }

  // The devices as CUDA counts them; nullopt where there is no driver.
  Result<std::optional<std::vector<Gpu>>> read() const {
    if (!complete_) return driver_error("the CUDA library is too old");
    const int started = init_(0);
    if (started == cuda::kNoDevice || started == cuda::kStubLibrary) return std::optional<std::vector<Gpu>>();
    if (started != cuda::kSuccess) {
      return failed("cuInit", started, "nvidia-smi may tell more; on NVSwitch machines the fabric manager must run");
    }
    int count = 0;
    if (const int code = count_(&count)) return failed("cuDeviceGetCount", code);
    std::vector<Gpu> out;
    for (int i = 0; i < count; ++i) {
      Gpu gpu;
      int device = 0;
      cuda::Uuid uuid{};
      std::array<char, 256> name{};
      std::size_t bytes = 0;
      for (const int code :
           {device_(&device, i), name_(name.data(), name.size() - 1, device), uuid_(&uuid, device),
            memory_(&bytes, device), attribute_(&gpu.sm_count, cuda::kMultiprocessors, device),
            attribute_(&gpu.major, cuda::kMajor, device), attribute_(&gpu.minor, cuda::kMinor, device)}) {
        if (code != cuda::kSuccess) return failed("GPU " + std::to_string(i), code);
      }
      gpu.vendor = "nvidia";
      gpu.name = name.data();
      gpu.memory_mib = static_cast<std::int64_t>(bytes >> 20);
      gpu.uuid = "GPU-";
      for (int b = 0; b < 16; ++b) {
        std::array<char, 4> hex{};
        std::snprintf(hex.data(), hex.size(), "%02x", static_cast<unsigned>(static_cast<unsigned char>(uuid.bytes[b])));
        if (b == 4 || b == 6 || b == 8 || b == 10) gpu.uuid += '-';
        gpu.uuid += hex.data();
      }
      out.push_back(std::move(gpu));
    }
    return std::optional(std::move(out));
  }

 private:
  Error failed(const std::string& what, int code, std::string hint = {}) const {
    const char* name = nullptr;
    if (error_name_ != nullptr && error_name_(code, &name) != cuda::kSuccess) name = nullptr;
    return driver_error(what + ": " + (name != nullptr ? name : "error " + std::to_string(code)), std::move(hint));
  }

  bool complete_ = false;
  int (*init_)(unsigned) = nullptr;
  int (*count_)(int*) = nullptr;
  int (*device_)(int*, int) = nullptr;
  int (*name_)(char*, int, int) = nullptr;
  int (*uuid_)(cuda::Uuid*, int) = nullptr;
  int (*memory_)(std::size_t*, int) = nullptr;
  int (*attribute_)(int*, int, int) = nullptr;
  int (*error_name_)(int, const char**) = nullptr;
};

// Adds to NVML's devices what CUDA knows of them, in CUDA's order.
void merge(std::vector<Device>& devices, const std::vector<Gpu>& by_cuda) {
  const bool divided = std::any_of(devices.begin(), devices.end(), [](const Device& d) { return d.divided; });
  std::vector<Device> ordered;
  for (const Gpu& gpu : by_cuda) {
    const auto it =
        std::find_if(devices.begin(), devices.end(), [&](const Device& d) { return d.gpu.uuid == gpu.uuid; });
    if (it != devices.end() && !it->divided) {
      it->gpu.sm_count = gpu.sm_count;
      if (it->gpu.memory_mib == 0) it->gpu.memory_mib = gpu.memory_mib;
      ordered.push_back(*it);
    } else if (it == devices.end() && !divided) {
      ordered.push_back({gpu, false, {}});
    }
  }
  // A process sees what CUDA enumerates. Beside a divided device that is a single instance.
  if (!divided) devices = std::move(ordered);
}

// The number at the beginning of an entry, as strtoul reads it ("1gpu" is 1); -1 where there is none.
long ordinal(std::string_view entry) {
  const std::size_t begin = entry.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return -1;
  const std::string text(entry.substr(begin));
  char* end = nullptr;
  const long number = std::strtol(text.c_str(), &end, 10);
  return end == text.c_str() || number < 0 ? -1 : number;
}

std::string_view trimmed(std::string_view entry) {
  const std::size_t begin = entry.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return entry.substr(begin, entry.find_last_not_of(" \t") - begin + 1);
}

}  // namespace

Result<std::optional<DriverFacts>> ask_driver(const DriverLibraries& libraries) {
  const Library nvml_library(libraries.nvml);
  const Library cuda_library(libraries.cuda);
  DriverFacts out;
  bool found = false;
  if (nvml_library.open()) {
    const Result<bool> read = Nvml(nvml_library).read(out);
    if (!read) return read.error();
    found = *read;
    if (!found) return std::optional<DriverFacts>();
  }
  // Without CUDA's library the multiprocessors stay unknown; a machine may have the tools alone.
  if (cuda_library.open()) {
    const auto read = Cuda(cuda_library).read();
    if (!read) return read.error();
    if (!*read && out.devices.empty()) return found ? std::optional(out) : std::nullopt;
    if (!*read) {
      return driver_error("NVML sees " + std::to_string(out.devices.size()) + " GPUs, CUDA sees none",
                          "the launch would find no GPU either; /dev/nvidia-uvm may be missing");
    }
    merge(out.devices, **read);
    found = true;
  }
  return found ? std::optional(std::move(out)) : std::nullopt;
}

std::vector<Gpu> visible(const std::vector<Device>& devices, const std::optional<std::string>& list) {
  // Candidates: a device, or one of its instances (index into them; -1: the device).
  using Pick = std::pair<std::size_t, int>;
  std::vector<Pick> picks;
  const auto add = [&](Pick pick) {  // false: it stands there already
    if (std::find(picks.begin(), picks.end(), pick) != picks.end()) return false;
    picks.push_back(pick);
    return true;
  };
  const auto usable = [&](std::size_t i) { return !devices[i].divided || !devices[i].instances.empty(); };
  const auto first_of = [&](std::size_t i) { return Pick(i, devices[i].divided ? 0 : -1); };

  if (!list) {
    for (std::size_t i = 0; i < devices.size(); ++i) {
      if (usable(i)) picks.push_back(first_of(i));
    }
  } else {
    for (std::size_t begin = 0; begin <= list->size();) {
      const std::size_t end = std::min(list->find(',', begin), list->size());
      const std::string_view entry = trimmed(std::string_view(*list).substr(begin, end - begin));
      begin = end + 1;
      std::vector<Pick> matches;
      if (entry.substr(0, 4) == "GPU-" || entry.substr(0, 4) == "MIG-") {
        for (std::size_t i = 0; i < devices.size(); ++i) {
          if (devices[i].gpu.uuid.compare(0, entry.size(), entry) == 0 && usable(i)) matches.push_back(first_of(i));
          for (std::size_t k = 0; k < devices[i].instances.size(); ++k) {
            if (devices[i].instances[k].uuid.compare(0, entry.size(), entry) != 0) continue;
            matches.emplace_back(i, static_cast<int>(k));
          }
        }
      } else if (const long i = ordinal(entry); i >= 0 && static_cast<std::size_t>(i) < devices.size()) {
        if (usable(static_cast<std::size_t>(i))) matches.push_back(first_of(static_cast<std::size_t>(i)));
      }
      if (matches.size() != 1) break;  // names none, or is ambiguous
      if (!add(matches.front())) return {};
    }
  }

  std::vector<Gpu> out;
  for (const auto& [device, instance] : picks) {
    const Device& d = devices[device];
    if (instance >= 0) return {d.instances[static_cast<std::size_t>(instance)]};
    out.push_back(d.gpu);
  }
  return out;
}

}  // namespace gonogo
