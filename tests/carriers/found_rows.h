// What tables of whole files share: a row, and what a carrier knows of a launch as one text.
#pragma once

#include <string>

#include "launch/found.h"

namespace gonogo::testing {

struct FoundRow {
  const char* what;
  const char* name;  // of the file
  const char* text;
  const char* form;
  const char* launches;  // as the test sums them up
};

// " v0.5.23 gpus=8 gpu=H200 nnodes=2", what is known of it.
inline std::string facts_text(const FoundLaunch& launch) {
  std::string out;
  if (!launch.runtime_version.empty()) out += " v" + launch.runtime_version;
  if (launch.facts.gpus) out += " gpus=" + std::to_string(*launch.facts.gpus);
  if (!launch.facts.gpu.empty()) out += " gpu=" + launch.facts.gpu;
  if (launch.facts.nnodes) out += " nnodes=" + std::to_string(*launch.facts.nnodes);
  return out;
}

}  // namespace gonogo::testing
