// Reads a shell script as bash does, and keeps what came before a fault: bash runs a script line by line, so those
// commands would still have run.
//
// Why a parser of our own. Debian 12 packages no shell grammar to link with: tree-sitter's runtime is there, its bash
// grammar isn't (9.9 MB of generated C to carry along), and it marks an error in `$(cat <<-EOF … \ … EOF)`, which real
// launch scripts use. shfmt's syntax tree comes from a Go program of 2.8 MB that would have to be run as a process
// for every script and every string given to `bash -c`. Neither keeps a value that isn't known as one atom inside
// text that is read again, and neither removes quotes or expands, which is most of the work.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "shell/syntax.h"
#include "shell/word_parser.h"

namespace gonogo {

struct ParsedScript {
  CommandPtr root;  // never null; may be empty
  std::optional<Fault> fault;
};

// `depth` is how deep the script already stands in others.
ParsedScript parse_script(std::shared_ptr<const Text> script, std::size_t depth = 0);

// `script` without the CR before each line's end.
Text without_carriage_returns(const Text& script);

}  // namespace gonogo
