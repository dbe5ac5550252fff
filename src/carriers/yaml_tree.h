// YAML as people write it for other tools: scalars keep their spelling and style, aliases and merge keys are followed,
// and every byte of a scalar leads back to the file, also through quotes, escapes and block scalars. Unlike
// parse_yaml(), which reads our own files, duplicate keys are noted and not refused here: what they mean is for the
// tool that the file is for.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "carriers/mapped_text.h"

namespace gonogo {

struct YamlItem {
  enum class Type : std::uint8_t { kNull, kScalar, kSequence, kMapping };
  enum class Style : std::uint8_t { kPlain, kSingle, kDouble, kLiteral, kFolded };

  Type type = Type::kNull;
  Style style = Style::kPlain;
  std::string text;        // of a scalar: quotes, escapes and folding resolved; "~" or "null" stay as written
  std::size_t offset = 0;  // in the file, behind an anchor and a tag
  std::vector<const YamlItem*> items;
  std::vector<std::pair<const YamlItem*, const YamlItem*>> entries;  // merged ones last; duplicates: the last stays

  bool is_mapping() const { return type == Type::kMapping; }
  bool is_sequence() const { return type == Type::kSequence; }
  bool is_scalar() const { return type == Type::kScalar; }
  bool is_block() const { return style == Style::kLiteral || style == Style::kFolded; }
  // Nothing, or a plain scalar that YAML reads as null.
  bool is_null() const;

  // The value under a key of a mapping; nullptr where there is none or this is no mapping.
  const YamlItem* find(std::string_view key) const;
  // The value at the end of a path of keys.
  const YamlItem* find(std::string_view key, std::string_view then) const;
  // The scalar under a key, or empty.
  std::string_view scalar(std::string_view key) const;
};

class YamlTree {
 public:
  // Limits on a file: more is an error.
  static constexpr std::size_t kMaxBytes = 4u << 20;
  static constexpr std::size_t kMaxNodes = 400'000;
  static constexpr int kMaxDepth = 60;

  // All documents of `text`, whose name in messages is `file`. `text` must outlive the tree. With `original` (of equal
  // size), scalars are given in its bytes: `text` is then a copy of it in which something YAML can't hold is masked.
  static Result<YamlTree> parse(std::string_view text, std::string_view file, std::string_view original = {});

  const std::vector<const YamlItem*>& documents() const { return documents_; }
  // The first key that stands twice in one mapping, or nullptr.
  const YamlItem* duplicate() const { return duplicate_; }

  // A scalar with the places of its bytes.
  MappedText mapped(const YamlItem& scalar) const;

 private:
  friend class YamlTreeBuilder;
  std::string_view text_;
  std::string_view original_;
  std::deque<YamlItem> store_;
  std::vector<const YamlItem*> documents_;
  const YamlItem* duplicate_ = nullptr;
};

}  // namespace gonogo
