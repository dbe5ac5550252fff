// A pack in memory with a name, versions and GPU profiles, and nothing else.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "rules/pack.h"

namespace gonogo {

class SmallPack {
 public:
  SmallPack(std::string_view name, std::initializer_list<std::string_view> versions) {
    intern("");
    about_.name = intern(name);
    about_.versions = {0, static_cast<std::uint32_t>(versions.size())};
    for (const std::string_view version : versions) ids_.push_back(intern(version));
    add_gpu("a10", "Ten", "nvidia", 8, 6, 23028, 72);
    add_gpu("b200", "NVIDIA B200", "nvidia", 10, 0, 183359, 148);
    add_gpu("rtx4090", "NVIDIA GeForce RTX 4090", "nvidia", 8, 9, 24564, 128);
    add_gpu("mi300x", "AMD Instinct MI300X", "amd", 9, 4, 196592, 304);
    pack_.about = &about_;
    pack_.pool = pool_;
    pack_.texts = texts_;
    pack_.ids = ids_;
    pack_.gpus = gpus_;
  }
  SmallPack(const SmallPack&) = delete;
  SmallPack& operator=(const SmallPack&) = delete;

  const Pack& operator*() const { return pack_; }

 private:
  StrId intern(std::string_view text) {
    pool_ += text;
    texts_.push_back(static_cast<std::uint32_t>(pool_.size()));
    return static_cast<StrId>(texts_.size() - 2);
  }
  void add_gpu(std::string_view key, std::string_view name, std::string_view vendor, std::uint32_t major,
               std::uint32_t minor, std::uint32_t memory_mib, std::uint32_t sm_count) {
    gpus_.push_back({intern(key), intern(name), intern(vendor), major, minor, memory_mib, sm_count});
  }

  PackRec about_;
  std::string pool_;
  std::vector<std::uint32_t> texts_{0};  // where each begins in the pool, and the end
  std::vector<std::uint32_t> ids_;
  std::vector<GpuRec> gpus_;
  Pack pack_;
};

}  // namespace gonogo
