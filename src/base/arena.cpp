#include "base/arena.h"

#include <algorithm>
#include <cstring>

namespace gonogo {

namespace {
constexpr std::size_t kBlock = 64 * 1024;
}

void* Arena::bytes(std::size_t size, std::size_t align) {
  auto at = (reinterpret_cast<std::uintptr_t>(next_) + align - 1) & ~(align - 1);
  if (next_ == nullptr || at + size > reinterpret_cast<std::uintptr_t>(end_)) {
    const std::size_t block = std::max(kBlock, size + align);
    blocks_.emplace_back(std::unique_ptr<char[]>(new char[block]), block);
    next_ = blocks_.back().first.get();
    end_ = next_ + block;
    at = (reinterpret_cast<std::uintptr_t>(next_) + align - 1) & ~(align - 1);
  }
  next_ = reinterpret_cast<char*>(at + size);
  return reinterpret_cast<void*>(at);
}

std::string_view Arena::copy(std::string_view text) {
  if (text.empty()) return {};
  char* to = array<char>(text.size());
  std::memcpy(to, text.data(), text.size());
  return {to, text.size()};
}

void Arena::reset() {
  if (blocks_.empty()) return;
  blocks_.resize(1);
  next_ = blocks_.front().first.get();
  end_ = next_ + blocks_.front().second;
}

std::size_t Arena::held() const {
  std::size_t bytes = 0;
  for (const auto& block : blocks_) bytes += block.second;
  return bytes;
}

}  // namespace gonogo
