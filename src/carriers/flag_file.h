// A file of the runtime's own flags, as its config flag reads one: a mapping whose keys are all flags.
#pragma once

#include "carriers/carrier.h"
#include "carriers/yaml_tree.h"
#include "rules/pack.h"

namespace gonogo {

// False where the file is none: a key that no version knows as a flag, or none of the flags that must be given.
bool read_flag_file(const Pack& pack, const YamlTree& tree, Carried& out);

}  // namespace gonogo
