// Which GPU profile a product's label, an accelerator's or a partition's name stands for.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/value.h"
#include "rules/pack.h"

namespace gonogo {

class GpuNames {
 public:
  // `more`: label and profile, before everything that the pack says.
  GpuNames(const Pack& pack, std::vector<std::pair<std::string, std::string>> more);

  // The profile's key, or empty where the label is not known to be one of the pack's profiles: by the user's own names,
  // by the pack's table `gpu_products` (where None says that no profile fits), by the profile's key or name.
  std::string profile(std::string_view label) const;

 private:
  const Pack& pack_;
  std::vector<std::pair<std::string, std::string>> more_;
  Arena arena_;
  Value table_;
};

}  // namespace gonogo
