// Fixes as sets of changes: what two of them share, and a key that is the same whatever their order.
#pragma once

#include <string>

#include "engine/outcome.h"

namespace gonogo {

// Whether two changes are of the same flag, variable or version.
bool same_target(const FixChange& a, const FixChange& b);
bool same_change(const FixChange& a, const FixChange& b);

// Whether `fix` holds all changes of `part`.
bool includes(const Fix& fix, const Fix& part);

// Whether two fixes change the same target.
bool clash(const Fix& a, const Fix& b);

Fix joined(Fix a, const Fix& b);

std::string key_of(const Fix& fix);

}  // namespace gonogo
