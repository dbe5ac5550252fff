// Bump memory for the values of one launch: everything an evaluation makes is freed at once, so values can
// be plain 16-byte records without ownership, and the hot path does no general allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace gonogo {

class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  Arena(Arena&&) noexcept = default;
  Arena& operator=(Arena&&) noexcept = default;
  ~Arena() = default;

  // Uninitialised storage for `count` objects that need no destructor; valid until reset().
  template <typename T>
  T* array(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    return static_cast<T*>(bytes(count * sizeof(T), alignof(T)));
  }

  // A copy of `text` that lives as long as the arena.
  std::string_view copy(std::string_view text);

  // Forgets all contents and keeps the first block for the next launch.
  void reset();

  // Bytes that were taken from the system.
  std::size_t held() const;

 private:
  void* bytes(std::size_t size, std::size_t align);

  std::vector<std::pair<std::unique_ptr<char[]>, std::size_t>> blocks_;
  char* next_ = nullptr;
  char* end_ = nullptr;
};

}  // namespace gonogo
