// Where the bytes of a YAML scalar stand: the scalar as written is walked beside its value. The parser says what the
// value is; this only finds the places, and where the two can't be brought together all of the value stands at the
// scalar's beginning.
#pragma once

#include <string_view>

#include "carriers/mapped_text.h"
#include "carriers/yaml_tree.h"

namespace gonogo {

// Behind the anchor, tag, blanks and comments that may stand before a scalar's content.
std::size_t skip_properties(std::string_view text, std::size_t offset);

YamlItem::Style style_at(std::string_view text, std::size_t offset);

// `value` as it stands at `offset`. The bytes are taken from `original`, which is as long as `text`.
MappedText map_scalar(std::string_view text, std::string_view original, std::size_t offset, YamlItem::Style style,
                      std::string_view value);

}  // namespace gonogo
