// A file of further arguments, named by the pack's config flag: `--config FILE`. Its entries become words that stand
// before the command line's own, so the command line wins. Words of the file keep their place in it.
//
// What is read is YAML with a mapping from flags, without their dashes, to values: true gives a flag without a value
// and false leaves it out, a list gives a flag with several values, a mapping gives one value of JSON text, and
// anything else its text. Other actions than storing one or more values can't be given so.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "flags/usage.h"
#include "launch/launch.h"
#include "rules/pack.h"

namespace gonogo {

inline constexpr std::size_t kMaxConfigBytes = 1u << 20;

// A file that is among the launch's sources already (a container's own, found in its manifest) is not read from disk.
//
// Replaces the config flag and its file among `launch->args` by the file's words, and adds the file to the launch's
// sources. Nothing happens where the flag does not stand there as a word of its own. A finding is what the runtime
// refuses; an error is a file that can't be read here (it may exist elsewhere) or is no YAML.
Result<std::optional<UsageFinding>> merge_config_file(const Pack& pack, std::uint32_t version, Launch* launch);

}  // namespace gonogo
