// Recipes of a launcher that builds commands from blocks of flags, one a role: which keys hold them is said by the
// pack (its table `recipes`), since every launcher has its own.
#pragma once

#include <string>

#include "base/arena.h"
#include "base/value.h"
#include "carriers/carrier.h"
#include "carriers/yaml_tree.h"
#include "rules/pack.h"

namespace gonogo {

// Reads `tree` where it is a recipe of one of the pack's launchers; `out.form` becomes the launcher's name. False where
// it is none.
bool read_recipe(const Pack& pack, const YamlTree& tree, Carried& out);

// The value of one of the pack's tables that is a mapping, built in `arena`; None where the pack has no such table.
Value pack_table(const Pack& pack, std::string_view name, Arena& arena);

}  // namespace gonogo
