// A stand-in for libnvidia-ml.so.1. See standin.h.
#include <unistd.h>

#include <csignal>
#include <cstdint>

#include "standin.h"

namespace {

using standin::behaviour;
using standin::devices;

// A handle is the device's index + 1, and for an instance also the instance's index + 1.
using Handle = std::uintptr_t;
const standin::Device& device_of(Handle h) { return devices()[(h & 0xff) - 1]; }
const standin::Instance* instance_of(Handle h) {
  const Handle i = h >> 8;
  return i == 0 ? nullptr : &device_of(h).instances[i - 1];
}

int put(char* to, unsigned size, const std::string& text) {
  if (text.size() + 1 > size) return 7;  // NVML_ERROR_INSUFFICIENT_SIZE
  std::memcpy(to, text.c_str(), text.size() + 1);
  return 0;
}

}  // namespace

#define CALL() standin::log("", __func__)

extern "C" {

int nvmlInit_v2() {
  CALL();
  const std::string b = behaviour();
  if (b == "no_driver") return 9;
  if (b == "nvml_error") return 999;
  if (b == "nvml_hang") ::pause();
  if (b == "nvml_crash") std::raise(SIGSEGV);
  return 0;
}

const char* nvmlErrorString(int code) {
  return code == 15 ? "GPU is lost" : code == 999 ? "Unknown Error" : "another error";
}

int nvmlSystemGetDriverVersion(char* to, unsigned size) {
  CALL();
  return put(to, size, "999.1");
}

int nvmlDeviceGetCount_v2(unsigned* count) {
  CALL();
  *count = static_cast<unsigned>(devices().size());
  return 0;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, Handle* handle) {
  CALL();
  if (behaviour() == "lost" && index == 3) return 15;
  *handle = index + 1;
  return 0;
}

int nvmlDeviceGetName(Handle h, char* to, unsigned size) {
  CALL();
  return put(to, size, std::string(device_of(h).name) + (instance_of(h) != nullptr ? " MIG" : ""));
}

int nvmlDeviceGetUUID(Handle h, char* to, unsigned size) {
  CALL();
  const standin::Instance* instance = instance_of(h);
  return put(to, size, instance != nullptr ? instance->uuid : standin::uuid_text(device_of(h).id));
}

int nvmlDeviceGetMemoryInfo(Handle h, unsigned long long* total_free_used) {
  CALL();
  if (behaviour() == "shared_memory") return 3;  // NVML_ERROR_NOT_SUPPORTED
  const standin::Instance* instance = instance_of(h);
  const unsigned long long mib = instance != nullptr ? instance->mib : device_of(h).mib;
  total_free_used[0] = (mib << 20) + 4096;  // not a whole number of MiB
  total_free_used[1] = total_free_used[2] = 0;
  return 0;
}

int nvmlDeviceGetCudaComputeCapability(Handle h, int* major, int* minor) {
  CALL();
  *major = device_of(h).major;
  *minor = device_of(h).minor;
  return 0;
}

int nvmlDeviceGetMigMode(Handle h, unsigned* current, unsigned* pending) {
  CALL();
  if (behaviour() != "mig") return 3;
  *current = device_of(h).divided ? 1 : 0;
  *pending = 1;  // what is pending does not hold yet
  return 0;
}

int nvmlDeviceGetMaxMigDeviceCount(Handle, unsigned* count) {
  CALL();
  *count = 7;
  return 0;
}

int nvmlDeviceGetMigDeviceHandleByIndex(Handle h, unsigned index, Handle* instance) {
  CALL();
  // The first place is empty.
  if (index == 0 || index > device_of(h).instances.size()) return 6;  // NVML_ERROR_NOT_FOUND
  *instance = h | (static_cast<Handle>(index) << 8);
  return 0;
}

int nvmlDeviceGetAttributes_v2(Handle h, unsigned* attributes) {
  CALL();
  const standin::Instance* instance = instance_of(h);
  if (instance == nullptr) return 3;
  attributes[0] = static_cast<unsigned>(instance->multiprocessors);
  return 0;
}

#define FORBIDDEN(name) \
  int name(...) { return standin::forbidden(#name); }
FORBIDDEN(nvmlDeviceSetMigMode)
FORBIDDEN(nvmlDeviceCreateGpuInstance)
FORBIDDEN(nvmlGpuInstanceCreateComputeInstance)
FORBIDDEN(nvmlGpuInstanceDestroy)
FORBIDDEN(nvmlDeviceSetPersistenceMode)
FORBIDDEN(nvmlDeviceSetComputeMode)
FORBIDDEN(nvmlDeviceSetPowerManagementLimit)
FORBIDDEN(nvmlDeviceClearCpuAffinity)
FORBIDDEN(nvmlDeviceSetCpuAffinity)

}  // extern "C"
