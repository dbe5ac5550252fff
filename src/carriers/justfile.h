// A justfile: every recipe is a way in, with its parameters' defaults; a dependency with arguments is one more call.
#pragma once

#include <string_view>
#include <vector>

#include "carriers/makefile.h"
#include "carriers/placeholder.h"

namespace gonogo {

// What the shells of all recipes get, a logical line each, or a recipe's whole body where it names its interpreter.
// Bodies of other interpreters are left out.
std::vector<RecipeScript> read_justfile(std::string_view text, Placeholders& marks);

}  // namespace gonogo
