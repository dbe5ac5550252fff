#include "shell/trace.h"

namespace gonogo {

ShellTrace trace(const Pack&, Sources&, const ShellInput&, const ShellLimits&) { return {}; }

}  // namespace gonogo
