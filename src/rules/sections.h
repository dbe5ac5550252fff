// The order of a blob's sections, in one place for its reader and its writer.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "rules/blob.h"

namespace gonogo {

// Calls `visit(member of each of any)` for every array section, in the blob's order. `Any` is Pack or PackData.
template <typename Visit, typename... Any>
void each_section(Visit visit, Any&... any) {
  visit(any.ids...);
  visit(any.code...);
  visit(any.numbers...);
  visit(any.parts...);
  visit(any.flags...);
  visit(any.flag_specials...);
  visit(any.retired...);
  visit(any.fields...);
  visit(any.envs...);
  visit(any.gpus...);
  visit(any.values...);
  visit(any.facts...);
  visit(any.functions...);
  visit(any.named...);
  visit(any.rows...);
  visit(any.tables...);
  visit(any.classes...);
  visit(any.rules...);
  visit(any.lets...);
  visit(any.assigns...);
  visit(any.stages...);
  visit(any.slots...);
  visit(any.state...);
  visit(any.summary...);
  visit(any.plan...);
  visit(any.plan_parts...);
  visit(any.plan_sizes...);
  visit(any.plan_figures...);
  visit(any.peers...);
}
inline constexpr std::size_t kSections = 29;

// The same for the arrays of the cold part; `Any` is Cold or PackData.
template <typename Visit, typename... Any>
void each_cold_section(Visit visit, Any&... any) {
  visit(any.notes...);
  visit(any.changes...);
  visit(any.fixes...);
}
inline constexpr std::size_t kColdSections = 3;

// What the cold part holds, and where it is.
struct ColdLayout {
  std::uint32_t first = 0;   // byte offset of the packed bytes
  std::uint32_t packed = 0;  // their number
  std::uint32_t size = 0;    // number of bytes unpacked
  std::uint32_t texts = 0;   // number of texts
  std::array<std::uint32_t, kColdSections> records{};
};

struct BlobHeader {
  std::uint32_t magic = kBlobMagic;
  std::uint32_t format = kBlobFormat;
  std::array<std::uint32_t, 2> hash{};  // of all contents, the cold part unpacked; high half first
  std::uint32_t size = 0;               // of the whole blob, bytes
  PackRec about;
  Range text_section;                       // byte offset, number of texts (one offset more than that)
  Range pool_section;                       // byte offset, bytes
  std::array<Range, kSections> sections{};  // byte offset, number of records
  ColdLayout cold;
};

}  // namespace gonogo
