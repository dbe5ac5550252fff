// The order of a blob's sections, in one place for its reader and its writer.
#pragma once

#include <array>
#include <cstdint>

#include "rules/blob.h"

namespace gonogo {

// Calls `visit(member of any)` for each array section, in the blob's order. `Any` is Pack or PackData.
template <typename Any, typename Visit>
void each_section(Any& any, Visit visit) {
  visit(any.ids);
  visit(any.code);
  visit(any.numbers);
  visit(any.parts);
  visit(any.flags);
  visit(any.fields);
  visit(any.envs);
  visit(any.gpus);
  visit(any.values);
  visit(any.facts);
  visit(any.functions);
  visit(any.named);
  visit(any.rows);
  visit(any.tables);
  visit(any.classes);
  visit(any.rules);
  visit(any.lets);
  visit(any.assigns);
  visit(any.fixes);
  visit(any.stages);
  visit(any.slots);
  visit(any.state);
  visit(any.summary);
}
inline constexpr std::size_t kArraySections = 23;

struct BlobHeader {
  std::uint32_t magic = kBlobMagic;
  std::uint32_t format = kBlobFormat;
  std::uint64_t hash = 0;  // of everything behind the header
  std::uint32_t size = 0;  // of the whole blob, bytes
  std::uint32_t reserved = 0;
  PackRec about;
  Range text_section;                               // byte offset, number of TextRec
  Range pool_section;                               // byte offset, bytes
  std::array<Range, kArraySections> sections{};  // byte offset, number of records
};

}  // namespace gonogo
