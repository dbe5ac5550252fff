// A Makefile, read as make reads it: variables of every flavour, target-specific ones, exports, conditionals on what
// the file says, and the common text functions. Nothing is run: $(shell …) stays as written, and a variable that the
// file never sets is a placeholder, since the caller may set it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "carriers/mapped_text.h"
#include "carriers/placeholder.h"

namespace gonogo {

// What one shell gets: a line of a recipe, or all of it under .ONESHELL.
struct RecipeScript {
  std::string target;
  MappedText text;
  std::vector<std::pair<std::string, std::string>> env;  // exported variables, with marks
};

// A file beside the one that is read, or nothing.
using ReadBeside = std::function<std::optional<std::string>(std::string_view name)>;

std::vector<RecipeScript> read_makefile(std::string_view text, const ReadBeside& beside, Placeholders& marks);

}  // namespace gonogo
