// What a Python file launches: engines that it builds from keyword arguments, and commands that it hands to subprocess
// or to a helper that is called for running them, as far as the file says what is in them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "carriers/carrier.h"

namespace gonogo {

// `engines`: full names of the classes, "package.Class"; the first is the entry of what Ray builds. `source`: where
// `text` stands in the file, where it is not the file itself.
void read_python(std::string_view text, const std::vector<std::string>& engines, Carried& out,
                 const MappedText* source = nullptr);

}  // namespace gonogo
