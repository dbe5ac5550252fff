// Engines that are built from keyword arguments, in Python or in a Ray Serve configuration: a_b=v becomes --a-b v,
// True a flag alone, False and None nothing, a list several words.
#pragma once

#include "carriers/carrier.h"
#include "carriers/yaml_tree.h"

namespace gonogo {

bool is_ray_serve(const YamlTree& tree);
void read_ray_serve(const YamlTree& tree, const std::string& entry, Carried& out);

// `engines`: full names of the classes, "package.Class"; the first is the entry of what Ray builds.
void read_python(std::string_view text, const std::vector<std::string>& engines, Carried& out);

// The words that a mapping stands for, as a launcher makes them of keys and values. `key`: --key as it is written, but
// for underscores, which become dashes.
std::vector<MappedText> flag_words(const YamlTree& tree, const std::string& key, std::size_t key_offset,
                                   const YamlItem& value);

}  // namespace gonogo
