// Which reader takes a file apart: the registry of forms.
#pragma once

#include <string_view>

#include "base/result.h"
#include "carriers/carrier.h"
#include "carriers/makefile.h"
#include "rules/pack.h"

namespace gonogo {

// What the file `name` with this text (lines end in LF) carries.
Result<Carried> read_carrier(const Pack& pack, std::string_view name, std::string_view text, const ReadBeside& beside);

}  // namespace gonogo
