// YAML text as a tree with places. It keeps what yaml-cpp would lose or let pass: where each scalar stands,
// whether it was quoted, and duplicate keys (an error). Size, depth and the number of nodes after aliases are
// expanded are limited, so an alias bomb is an error too.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace gonogo {

struct YamlNode {
  enum class Type { kNull, kScalar, kSequence, kMapping };

  Type type = Type::kNull;
  std::string scalar;  // as written, quotes and folding resolved
  bool plain = true;   // of a scalar: without quotes, and no block scalar
  int line = 0;        // from 1
  int column = 0;      // from 1
  std::vector<YamlNode> items;
  std::vector<std::pair<YamlNode, YamlNode>> entries;

  bool is_mapping() const { return type == Type::kMapping; }
  bool is_sequence() const { return type == Type::kSequence; }
  bool is_scalar() const { return type == Type::kScalar; }

  // The value under a key of a mapping; nullptr where there is none.
  const YamlNode* find(std::string_view key) const;
};

struct YamlLimits {
  std::size_t bytes = 4u << 20;
  int depth = 60;
  std::size_t nodes = 400'000;
};

// All documents of `text`, whose name in messages is `file`.
Result<std::vector<YamlNode>> parse_yaml(const std::string& text, const std::string& file, YamlLimits limits = {});

}  // namespace gonogo
