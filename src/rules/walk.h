// Walking over code without evaluating it: which names it reads, and its text again.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rules/pack.h"

namespace gonogo {

// Calls `visit` with the place of every name (field, fact, variable, gpu attribute …) that the code may read, in order.
void walk_names(const Pack& pack, CodeRef code, const std::function<void(CodeRef)>& visit);

// Calls `visit` with the place of every node, a parent before its children.
void walk_nodes(const Pack& pack, CodeRef code, const std::function<void(CodeRef)>& visit);

// The places of the children of a comparison (also of a chain of them), a call or any node of a fixed layout.
std::vector<CodeRef> children_of(const Pack& pack, CodeRef code);

// The groups around a rule, innermost first; the last is its stage.
std::vector<std::uint32_t> groups_around(const Pack& pack, std::uint32_t rule);

// Whether two places name the same thing.
bool same_name(const Pack& pack, CodeRef a, CodeRef b);

// The expression as it would be written in a rule file; a message as its text with {holes}.
std::string unparse(const Pack& pack, CodeRef code);

}  // namespace gonogo
