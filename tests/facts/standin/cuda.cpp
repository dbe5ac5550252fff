// A stand-in for libcuda.so.1. See standin.h.
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "standin.h"

namespace {

using standin::behaviour;

// As CUDA counts: the device with the highest compute capability first, unless the order of the bus is
// wanted.
std::vector<standin::Device> counted() {
  std::vector<standin::Device> out = standin::devices();
  const char* order = std::getenv("CUDA_DEVICE_ORDER");
  if (order == nullptr || std::strcmp(order, "PCI_BUS_ID") != 0) {
    std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.major > b.major; });
  }
  if (behaviour() == "mig") out.resize(1);
  return out;
}

}  // namespace

#define CALL() standin::log("", __func__)

extern "C" {

int cuInit(unsigned) {
  CALL();
  std::puts("noise of the driver");
  std::fputs("more noise\n", stderr);
  std::fflush(stdout);
  if (std::getenv("CUDA_VISIBLE_DEVICES") != nullptr) standin::forbidden("cuInit with CUDA_VISIBLE_DEVICES");
  const std::string b = behaviour();
  if (b == "none" || b == "cuda_none") return 100;
  if (b == "cuda_error") return 802;
  if (b == "cuda_hang") ::pause();
  if (b == "cuda_exit") std::_Exit(3);
  return 0;
}

int cuGetErrorName(int code, const char** name) {
  if (code != 802) return 1;
  *name = "CUDA_ERROR_SYSTEM_NOT_READY";
  return 0;
}

int cuDeviceGetCount(int* count) {
  CALL();
  *count = static_cast<int>(counted().size());
  return 0;
}

int cuDeviceGet(int* device, int ordinal) {
  CALL();
  *device = ordinal;
  return 0;
}

int cuDeviceGetName(char* to, int size, int device) {
  CALL();
  std::snprintf(to, static_cast<std::size_t>(size), "%s", counted()[static_cast<std::size_t>(device)].name);
  return 0;
}

int cuDeviceGetUuid_v2(void* uuid, int device) {
  CALL();
  std::memset(uuid, counted()[static_cast<std::size_t>(device)].id, 16);
  return 0;
}

int cuDeviceTotalMem_v2(std::size_t* bytes, int device) {
  CALL();
  // A little less than NVML says, as it is with a real driver.
  *bytes = static_cast<std::size_t>(counted()[static_cast<std::size_t>(device)].mib - 500) << 20;
  return 0;
}

int cuDeviceGetAttribute(int* value, int attribute, int device) {
  CALL();
  const standin::Device d = counted()[static_cast<std::size_t>(device)];
  if (attribute != 16 && attribute != 75 && attribute != 76) return 1;
  *value = attribute == 16 ? d.multiprocessors : attribute == 75 ? d.major : d.minor;
  return 0;
}

// Everything that makes a context, takes memory, or makes something that needs a context.
#define FORBIDDEN(name) \
  int name(...) { return standin::forbidden(#name); }
FORBIDDEN(cuCtxCreate)
FORBIDDEN(cuCtxCreate_v2)
FORBIDDEN(cuCtxCreate_v3)
FORBIDDEN(cuCtxCreate_v4)
FORBIDDEN(cuCtxAttach)
FORBIDDEN(cuCtxSetCurrent)
FORBIDDEN(cuCtxPushCurrent)
FORBIDDEN(cuCtxPushCurrent_v2)
FORBIDDEN(cuCtxFromGreenCtx)
FORBIDDEN(cuGreenCtxCreate)
FORBIDDEN(cuDevicePrimaryCtxRetain)
FORBIDDEN(cuDevicePrimaryCtxReset)
FORBIDDEN(cuDevicePrimaryCtxReset_v2)
FORBIDDEN(cuDevicePrimaryCtxSetFlags)
FORBIDDEN(cuDevicePrimaryCtxSetFlags_v2)
FORBIDDEN(cuMemAlloc)
FORBIDDEN(cuMemAlloc_v2)
FORBIDDEN(cuMemAllocPitch)
FORBIDDEN(cuMemAllocPitch_v2)
FORBIDDEN(cuMemAllocHost)
FORBIDDEN(cuMemAllocHost_v2)
FORBIDDEN(cuMemAllocManaged)
FORBIDDEN(cuMemAllocAsync)
FORBIDDEN(cuMemAllocFromPoolAsync)
FORBIDDEN(cuMemHostAlloc)
FORBIDDEN(cuMemHostRegister)
FORBIDDEN(cuMemHostRegister_v2)
FORBIDDEN(cuMemCreate)
FORBIDDEN(cuMemMap)
FORBIDDEN(cuMemPoolCreate)
FORBIDDEN(cuMemAddressReserve)
FORBIDDEN(cuMulticastCreate)
FORBIDDEN(cuArrayCreate)
FORBIDDEN(cuArrayCreate_v2)
FORBIDDEN(cuArray3DCreate)
FORBIDDEN(cuArray3DCreate_v2)
FORBIDDEN(cuMipmappedArrayCreate)
FORBIDDEN(cuImportExternalMemory)
FORBIDDEN(cuIpcOpenMemHandle)
FORBIDDEN(cuIpcOpenMemHandle_v2)
FORBIDDEN(cuStreamCreate)
FORBIDDEN(cuStreamCreateWithPriority)
FORBIDDEN(cuEventCreate)
FORBIDDEN(cuModuleLoad)
FORBIDDEN(cuModuleLoadData)
FORBIDDEN(cuModuleLoadDataEx)
FORBIDDEN(cuModuleLoadFatBinary)
FORBIDDEN(cuLibraryLoadData)
FORBIDDEN(cuLibraryLoadFromFile)
FORBIDDEN(cuGraphCreate)
FORBIDDEN(cuLaunchKernel)
FORBIDDEN(cuLaunchKernelEx)
FORBIDDEN(cuMemGetInfo)
FORBIDDEN(cuMemGetInfo_v2)

}  // extern "C"
