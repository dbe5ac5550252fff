// Files that list processes for a supervisor to start: Procfile, and supervisord's configuration.
#pragma once

#include <string_view>

#include "carriers/carrier.h"

namespace gonogo {

// `name: command`, a shell's text a line.
void read_procfile(std::string_view text, Carried& out);

// [program:x] with `command`, which no shell reads, and `environment`. `%(ENV_X)s` is a placeholder.
void read_supervisor(std::string_view text, Carried& out);

}  // namespace gonogo
