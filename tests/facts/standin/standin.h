// What both stand-in libraries pretend: GPUs by the name in $STANDIN, and a log of every call in
// $STANDIN_LOG, in which calls that a preflight check must never make are marked with `!`.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace standin {

struct Instance {
  const char* uuid;
  unsigned long long mib;
  int multiprocessors;
};

struct Device {
  const char* name;
  unsigned char id;  // every byte of its UUID
  int major, minor;
  unsigned long long mib;
  int multiprocessors;
  std::vector<Instance> instances = {};
  bool divided = false;
};

inline std::string behaviour() {
  const char* text = std::getenv("STANDIN");
  return text != nullptr ? text : "";
}

inline void log(const char* mark, const char* call) {
  const char* path = std::getenv("STANDIN_LOG");
  std::FILE* file = path != nullptr ? std::fopen(path, "a") : nullptr;
  if (file == nullptr) return;
  std::fprintf(file, "%s%s\n", mark, call);
  std::fclose(file);
}

inline int forbidden(const char* call) {
  log("!", call);
  return 1;
}

// In the order of the bus.
inline const std::vector<Device>& devices() {
  static const std::vector<Device> all = [] {
    const std::string name = behaviour();
    std::vector<Device> out;
    if (name == "none") return out;
    if (name == "mixed") {
      out.push_back({"Small GPU", 0x10, 8, 9, 46068, 142});
      out.push_back({"Large GPU", 0x20, 9, 0, 81559, 132});
      out.push_back({"Small GPU", 0x30, 8, 9, 46068, 142});
      return out;
    }
    if (name == "mig") {
      out.push_back({"Whole GPU", 0x10, 9, 0, 81559, 132});
      out.push_back({"Divided GPU",
                     0x20,
                     9,
                     0,
                     81559,
                     132,
                     {{"MIG-aaaa1111-0000", 40320, 60}, {"MIG-aaaa2222-0000", 20096, 32}},
                     true});
      out.push_back({"Divided GPU", 0x30, 9, 0, 81559, 132, {}, true});
      return out;
    }
    for (unsigned char i = 0; i < 8; ++i) {
      out.push_back({"Equal GPU", static_cast<unsigned char>(0x10 + i), 10, 0, 183359, 148});
    }
    return out;
  }();
  return all;
}

inline std::string uuid_text(unsigned char id) {
  char byte[3];
  std::snprintf(byte, sizeof byte, "%02x", id);
  std::string out = "GPU-";
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    out += byte;
  }
  return out;
}

}  // namespace standin
