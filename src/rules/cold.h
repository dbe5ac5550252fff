// The part of a pack that only people read: messages, reasons, places, names, fixes. It is half of a pack's bytes and
// packs to a quarter of its size, and a check that has nothing to say reads none of it; so it is one zlib stream in
// the blob, unpacked as a whole at the first use, once, by whichever thread comes first.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "rules/rule_records.h"
#include "rules/sections.h"

namespace gonogo {

// The cold part unpacked, as spans over bytes that the ColdStore keeps.
struct Cold {
  std::span<const RuleNote> notes;     // by index of rule
  std::span<const AssignRec> changes;  // of fixes
  std::span<const FixRec> fixes;
  std::span<const std::uint32_t> texts;  // where each begins in the pool, and where the last ends
  std::string_view pool;

  // The text with index `index`; empty where there is none such.
  std::string_view text(std::uint32_t index) const {
    return index + 1 < texts.size() ? pool.substr(texts[index], texts[index + 1] - texts[index]) : std::string_view();
  }
};

class ColdStore {
 public:
  // `blob` must outlive the store; `layout` must lie inside of it.
  ColdStore(std::string_view blob, const ColdLayout& layout) : blob_(blob), layout_(layout) {}

  // Unpacks at the first call. Everything is empty where the bytes are damaged.
  const Cold& get() const;
  // Whether `get` was called: tests that nothing is unpacked in vain.
  bool unpacked() const { return bytes_ != nullptr; }

 private:
  void unpack() const;

  std::string_view blob_;
  ColdLayout layout_;
  mutable std::once_flag once_;
  mutable std::unique_ptr<std::uint32_t[]> bytes_;
  mutable Cold cold_;
};

// A build takes the smallest result; an overlay at run time is only wrapped, since it is unpacked in the same process.
enum class Effort { kSmallest, kFastest };

// `bytes` packed; empty only where memory is short.
std::string packed(std::string_view bytes, Effort effort);

}  // namespace gonogo
