// Kubernetes manifests: every container of every pod template, wherever a kind keeps it, with its environment, its
// GPUs and the scripts that ConfigMaps of the same file mount into it. Probes and hooks start no server.
#pragma once

#include "carriers/carrier.h"
#include "carriers/yaml_tree.h"

namespace gonogo {

bool is_kubernetes(const YamlTree& tree);
void read_kubernetes(const YamlTree& tree, Carried& out);

}  // namespace gonogo
