// Keyword arguments as words, as launchers make them: a_b=v becomes --a-b v, True a flag alone, False and None nothing,
// a list several words. And a Ray Serve configuration, which builds engines from such arguments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "carriers/carrier.h"
#include "carriers/yaml_tree.h"

namespace gonogo {

bool is_ray_serve(const YamlTree& tree);
void read_ray_serve(const YamlTree& tree, const std::string& entry, Carried& out);

// --key, with dashes for underscores.
std::string flag_name(std::string_view key);

// The words that a mapping stands for, as a launcher makes them of keys and values. `key`: --key as it is written, but
// for underscores, which become dashes.
std::vector<MappedText> flag_words(const YamlTree& tree, const std::string& key, std::size_t key_offset,
                                   const YamlItem& value);

}  // namespace gonogo
