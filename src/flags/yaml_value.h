// YAML as PyYAML's safe_load types it (YAML 1.1): yes, no, on and off are booleans, 010 is eight, 1:30 is ninety,
// 1e3 is text because it has no point.
#pragma once

#include "base/arena.h"
#include "base/value.h"
#include "base/yaml.h"

namespace gonogo {

// The value of a tree. Dates stay text as written, and so do whole numbers of more than 64 bits.
Value yaml_value(const YamlNode& node, Arena& arena);

}  // namespace gonogo
