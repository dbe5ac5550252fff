#include "rules/cold.h"

#include <zlib.h>

#include <type_traits>

namespace gonogo {

const Cold& ColdStore::get() const {
  std::call_once(once_, [this] { unpack(); });
  return cold_;
}

void ColdStore::unpack() const {
  const std::size_t words = (std::size_t{layout_.size} + 3) / 4;
  bytes_ = std::make_unique<std::uint32_t[]>(words + 1);
  uLongf size = layout_.size;
  const int status = uncompress(reinterpret_cast<Bytef*>(bytes_.get()), &size,
                                reinterpret_cast<const Bytef*>(blob_.data() + layout_.first), layout_.packed);
  if (status != Z_OK || size != layout_.size) return;

  // Sizes of texts become offsets: `texts` words and one that holds 0.
  std::size_t at = 0;
  const auto left = [&] { return (layout_.size - at * 4) / 4; };
  const std::size_t offsets = std::size_t{layout_.texts} + 1;
  if (offsets > left()) return;
  Cold cold;
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < offsets; ++i) {
    const std::uint64_t start = end;
    end += bytes_[i];
    bytes_[i] = static_cast<std::uint32_t>(start);
  }
  cold.texts = {bytes_.get(), offsets};
  at += offsets;

  std::size_t section = 0;
  bool good = true;
  each_cold_section(
      [&](auto& records) {
        using Record = typename std::remove_reference_t<decltype(records)>::element_type;
        const std::uint32_t count = layout_.records[section++];
        good = good && count <= left() / (sizeof(Record) / 4);
        if (!good) return;
        records = {reinterpret_cast<Record*>(bytes_.get() + at), count};
        at += count * (sizeof(Record) / 4);
      },
      cold);
  if (!good || end != layout_.size - at * 4) return;
  cold.pool = {reinterpret_cast<const char*>(bytes_.get() + at), static_cast<std::size_t>(end)};
  cold_ = cold;
}

std::string packed(std::string_view bytes, Effort effort) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  const int level = effort == Effort::kSmallest ? Z_BEST_COMPRESSION : Z_NO_COMPRESSION;
  if (compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(),
                level) != Z_OK) {
    return {};
  }
  out.resize(size);
  return out;
}

}  // namespace gonogo
