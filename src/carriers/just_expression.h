// Expressions of a justfile: strings, names, + and /, conditionals and the functions that give text.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "carriers/placeholder.h"

namespace gonogo {

// The value of a name, or nullptr where the file gives none.
using JustLookup = std::function<const std::string*(std::string_view name)>;

// The value of an expression, with marks for what is not known; a part that can't be read is unknown as written.
std::string evaluate_just(std::string_view expression, const JustLookup& lookup, Placeholders& marks);

// How many bytes of `text` an expression takes that ends before a blank, a colon or a bracket outside it: a
// parameter's default, a dependency's argument.
std::size_t just_value_length(std::string_view text);

}  // namespace gonogo
