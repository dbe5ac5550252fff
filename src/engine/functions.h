// Python's built-in functions and the methods of str and dict, as far as the rule language has them.
// Arguments are neither unknown nor errors.
#pragma once

#include <span>

#include "base/arena.h"
#include "base/value.h"
#include "rules/code.h"

namespace gonogo {

Value call_builtin(Builtin which, std::span<const Value> args, Arena& arena);
Value call_method(Method which, const Value& object, std::span<const Value> args, Arena& arena);

}  // namespace gonogo
