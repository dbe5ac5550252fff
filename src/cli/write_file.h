// Writes what a command makes: as a whole or not at all.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"

namespace gonogo {

// Puts `text` in the place of the file, with the permissions that it had. An error: it can't be written, and is as it
// was.
std::optional<Error> write_file(const std::string& name, const std::string& text);

}  // namespace gonogo
