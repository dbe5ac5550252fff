// A Jupyter notebook: lines of its cells that a shell runs (`!command`, `%%bash`), what its Python starts, and fences in
// its text.
#pragma once

#include <string>
#include <vector>

#include "carriers/carrier.h"
#include "carriers/yaml_tree.h"

namespace gonogo {

// `tree`: the notebook's JSON, which is YAML as well.
void read_notebook(const YamlTree& tree, const std::vector<std::string>& engines, Carried& out);

}  // namespace gonogo
