#include "base/uuid.h"

#include <array>
#include <bit>
#include <cstdint>

namespace gonogo {

namespace {

constexpr std::size_t kBlock = 64;
using Digest = std::array<std::uint8_t, 20>;

void mix(const std::uint8_t* block, std::array<std::uint32_t, 5>* state) {
  std::array<std::uint32_t, 80> w{};
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t b = 0; b < 4; ++b) w[i] = w[i] << 8 | block[4 * i + b];
  }
  for (std::size_t i = 16; i < 80; ++i) w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  auto [a, b, c, d, e] = *state;
  for (std::size_t i = 0; i < 80; ++i) {
    const std::uint32_t f = i < 20   ? ((b & c) | (~b & d)) + 0x5a827999
                            : i < 40 ? (b ^ c ^ d) + 0x6ed9eba1
                            : i < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
                                     : (b ^ c ^ d) + 0xca62c1d6;
    const std::uint32_t next = std::rotl(a, 5) + f + e + w[i];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  *state = {(*state)[0] + a, (*state)[1] + b, (*state)[2] + c, (*state)[3] + d, (*state)[4] + e};
}

// SHA-1, which the UUID's definition asks for; nothing here is a secret.
Digest sha1(std::string text) {
  const std::uint64_t bits = 8 * static_cast<std::uint64_t>(text.size());
  text += '\x80';
  while (text.size() % kBlock != kBlock - 8) text += '\0';
  for (int shift = 56; shift >= 0; shift -= 8) text += static_cast<char>(bits >> shift & 0xff);
  std::array<std::uint32_t, 5> state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  for (std::size_t at = 0; at < text.size(); at += kBlock) {
    mix(reinterpret_cast<const std::uint8_t*>(text.data()) + at, &state);
  }
  Digest out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
  return out;
}

}  // namespace

std::string uuid5_url(std::string_view name) {
  static constexpr std::string_view kUrls("\x6b\xa7\xb8\x11\x9d\xad\x11\xd1\x80\xb4\x00\xc0\x4f\xd4\x30\xc8", 16);
  Digest digest = sha1(std::string(kUrls) + std::string(name));
  digest[6] = static_cast<std::uint8_t>((digest[6] & 0x0f) | 0x50);  // version 5
  digest[8] = static_cast<std::uint8_t>((digest[8] & 0x3f) | 0x80);  // RFC variant
  std::string out;
  for (std::size_t i = 0; i < 16; ++i) {
    out += "0123456789abcdef"[digest[i] >> 4];
    out += "0123456789abcdef"[digest[i] & 0x0f];
  }
  return out;
}

}  // namespace gonogo
