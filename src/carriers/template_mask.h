// Files that are templates of YAML: actions in double braces stand where a value or lines will be. To be read all the
// same, the actions are masked by as many harmless bytes, so that every place stays where it is.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "carriers/yaml_tree.h"

namespace gonogo {

struct TemplateMask {
  std::string text;                                          // as long as the original
  std::vector<std::pair<std::size_t, std::size_t>> actions;  // begin and end of each
};

// Finds the actions; lines that hold nothing else become blank.
TemplateMask mask_template(std::string_view text);

// Whether one of the actions stands outside a shell's text, so that the file is a template: braces inside a script
// (docker's --format '{{…}}') belong to the script.
bool is_template(const YamlTree& tree, const TemplateMask& mask);

}  // namespace gonogo
