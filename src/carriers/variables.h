// How the tools that read these files put variables into their values. Each has its own rules; what is not known
// becomes a placeholder's mark.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "carriers/mapped_text.h"
#include "carriers/placeholder.h"

namespace gonogo {

// The value of a name, or nullptr where the file gives none.
using VariableLookup = std::function<const std::string*(std::string_view name)>;

// A Dockerfile's value: quotes and backslashes resolved, $X, ${X}, ${X:-v}, ${X-v}, ${X:+v}.
std::string expand_dockerfile(std::string_view text, const VariableLookup& lookup, Placeholders& marks);
// The same for a here-document, where quotes are ordinary characters.
MappedText expand_dockerfile(const MappedText& text, const VariableLookup& lookup, Placeholders& marks);

// A compose file's value: $X, ${X}, ${X:-v}, ${X-v}, ${X:?m}, ${X?m}, ${X:+v}, ${X+v}, nested; $$ is a dollar.
MappedText expand_compose(const MappedText& text, const VariableLookup& lookup, Placeholders& marks);

// A Kubernetes value: $(X), and $$(X) for a literal one. A name that is not known becomes a placeholder where
// `all_unknown` says so, and otherwise stays as written unless `is_unknown` holds for it.
MappedText expand_kubernetes(const MappedText& text, const VariableLookup& lookup,
                             const std::function<bool(std::string_view)>& is_unknown, Placeholders& marks);

// Words of a command line as compose and docker split them: quotes and backslashes, nothing else.
std::vector<MappedText> split_words(const MappedText& text);

}  // namespace gonogo
