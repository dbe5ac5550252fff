// A name for the contents of a pack: FNV-1a, 64 bits. It tells packs apart; it is no defence against forgery.
#pragma once

#include <cstdint>
#include <string_view>

namespace gonogo {

// Of `bytes` alone, or as the continuation of `hash`.
constexpr std::uint64_t fingerprint(std::string_view bytes, std::uint64_t hash = 0xcbf29ce484222325u) {
  for (const char c : bytes) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3u;
  }
  return hash;
}

}  // namespace gonogo
