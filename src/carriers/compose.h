// docker compose files: every service's entry point and command after interpolation, its environment, and its GPUs.
#pragma once

#include "carriers/carrier.h"
#include "carriers/makefile.h"
#include "carriers/yaml_tree.h"

namespace gonogo {

bool is_compose(const YamlTree& tree);
void read_compose(const YamlTree& tree, const ReadBeside& beside, Carried& out);

// Lines of an environment file as docker reads it: NAME=value, a value in quotes without them. A name alone takes the
// caller's value and is left out.
EnvList read_env_file(std::string_view text);

}  // namespace gonogo
