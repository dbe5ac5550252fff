// The commands in a Markdown, MDX or reStructuredText document: its blocks that a shell would read. A fence may be
// indented, stand in a list or a quotation; what is commented out, printed output and inline code are no commands.
#pragma once

#include <string_view>
#include <vector>

#include "carriers/mapped_text.h"

namespace gonogo {

// One fence as a script of its own: its margin gone, and with `$ ` prompts only the prompted commands.
// `mdx`: indented text is no code block, as in MDX.
std::vector<MappedText> shell_fences(std::string_view text, bool mdx);

// The same of `.. code-block:: bash` and its like in reStructuredText. A block that names no language is none.
std::vector<MappedText> rst_blocks(std::string_view text);

}  // namespace gonogo
