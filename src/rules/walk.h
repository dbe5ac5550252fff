// Walking over code without evaluating it: which names it reads, and its text again.
#pragma once

#include <functional>
#include <string>

#include "rules/pack.h"

namespace gonogo {

// Calls `visit` with the place of every name (field, fact, variable, gpu attribute …) that the code may read, in order.
void walk_names(const Pack& pack, CodeRef code, const std::function<void(CodeRef)>& visit);

// Whether two places name the same thing.
bool same_name(const Pack& pack, CodeRef a, CodeRef b);

// The expression as it would be written in a rule file; a message as its text with {holes}.
std::string unparse(const Pack& pack, CodeRef code);

}  // namespace gonogo
