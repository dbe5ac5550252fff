// What a host knows, as values that expressions read.
#pragma once

#include <string_view>

#include "base/arena.h"
#include "base/value.h"
#include "facts/host.h"

namespace gonogo {

Value path_value(PathKind kind);
Value text_value(const FileText& file, Arena& arena);
Value importable_value(const Host& host, std::string_view module);
Value infiniband_value(const Host& host, Arena& arena);

}  // namespace gonogo
