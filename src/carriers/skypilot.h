// SkyPilot tasks: the `run` script, with `envs` and what `resources` says of accelerators, image and nodes.
#pragma once

#include "carriers/carrier.h"
#include "carriers/yaml_tree.h"

namespace gonogo {

bool is_skypilot(const YamlTree& tree);
void read_skypilot(const YamlTree& tree, Carried& out);

}  // namespace gonogo
