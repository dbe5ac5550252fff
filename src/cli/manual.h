// gonogo(1), made from CLI11's tables, as man(7) source that mandoc finds nothing to complain about.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace gonogo {

// `version` is gonogo's own; `runtime` names what its rules are about.
std::string manual_of(const CLI::App& app, const std::string& version, const std::string& runtime);

}  // namespace gonogo
