// Constants of a pack (defaults, choices, tables) as values.
#pragma once

#include "base/arena.h"
#include "base/value.h"
#include "rules/pack.h"

namespace gonogo {

// The value of a node that is a constant without children; false for any other node.
bool scalar_constant(const Pack& pack, std::uint32_t w, Value* out);

// The value of constant code: literals, lists, tuples and mappings of them. None for CodeRef 0.
// Text points into the pack; lists and mappings are built in `arena`.
Value constant(const Pack& pack, CodeRef code, Arena& arena);

}  // namespace gonogo
