// YAML of tools that run a list of shell texts: GitHub workflows and composite actions, GitLab CI, Ansible plays,
// dstack and cloud-init. What their own braces (`${{ … }}`, `{{ … }}`) stand for is a placeholder.
#pragma once

#include "carriers/carrier.h"
#include "carriers/yaml_tree.h"

namespace gonogo {

// Whether the file is one of these; if so, its form and commands are in `out`.
bool read_steps(const YamlTree& tree, Carried& out);

}  // namespace gonogo
