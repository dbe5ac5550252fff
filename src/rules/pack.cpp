#include "rules/pack.h"

#include <array>
#include <cstdio>
#include <type_traits>

#include "rules/sections.h"

namespace gonogo {

namespace {

const BlobHeader& header_of(std::string_view blob) { return *reinterpret_cast<const BlobHeader*>(blob.data()); }

bool inside(std::string_view blob, Range section, std::size_t record) {
  return section.first % 4 == 0 && section.first <= blob.size() &&
         section.count <= (blob.size() - section.first) / record;
}

}  // namespace

Result<Pack> Pack::open(std::string_view blob) {
  const auto bad = [](std::string what) {
    return Error{Error::Kind::kInternal, std::move(what), {}, "rebuild the pack with the same gonogo", {}};
  };
  if (blob.size() < sizeof(BlobHeader)) return bad("the rule pack is truncated");
  const BlobHeader& header = header_of(blob);
  if (header.magic != kBlobMagic || header.format != kBlobFormat || header.size != blob.size()) {
    return bad("the rule pack has another format than this gonogo reads");
  }
  Pack pack;
  pack.blob = blob;
  pack.about = &header.about;
  if (!inside(blob, header.text_section, sizeof(TextRec)) || !inside(blob, header.pool_section, 1)) {
    return bad("the rule pack's texts lie outside of it");
  }
  pack.texts = {reinterpret_cast<const TextRec*>(blob.data() + header.text_section.first), header.text_section.count};
  pack.pool = blob.substr(header.pool_section.first, header.pool_section.count);
  std::size_t section = 0;
  bool good = true;
  each_section(pack, [&](auto& records) {
    using Record = typename std::remove_reference_t<decltype(records)>::element_type;
    const Range range = header.sections[section++];
    good = good && inside(blob, range, sizeof(Record));
    if (good) records = {reinterpret_cast<Record*>(blob.data() + range.first), range.count};
  });
  if (!good) return bad("a section of the rule pack lies outside of it");
  return pack;
}

std::uint32_t Pack::version_index(std::string_view wanted) const {
  for (std::uint32_t i = 0; i < version_count(); ++i) {
    if (version(i) == wanted) return i;
  }
  return kNoIndex;
}

namespace {

template <typename Records, typename Name>
std::uint32_t find(const Pack& pack, const Records& records, std::string_view wanted, Name name) {
  for (std::uint32_t i = 0; i < records.size(); ++i) {
    if (pack.text(name(records[i])) == wanted) return i;
  }
  return kNoIndex;
}

}  // namespace

std::uint32_t Pack::find_field(std::string_view name) const {
  return find(*this, fields, name, [](const FieldRec& r) { return r.name; });
}

std::uint32_t Pack::find_env(std::string_view name) const {
  return find(*this, envs, name, [](const EnvRec& r) { return r.name; });
}

std::uint32_t Pack::find_rule(std::string_view id) const {
  return find(*this, rules, id, [](const RuleRec& r) { return r.id; });
}

std::uint32_t Pack::find_gpu(std::string_view key) const {
  return find(*this, gpus, key, [](const GpuRec& r) { return r.key; });
}

std::string_view Pack::flag_of(std::uint32_t field, std::uint32_t version) const {
  std::string_view best;
  for (const FlagRec& flag : flags) {
    if (flag.field != field || (flag.versions >> version & 1) == 0 || flag.spellings.count == 0) continue;
    if (best.empty() || !flag.deprecated) best = text(ids[flag.spellings.first]);
    if (!flag.deprecated) break;
  }
  return best;
}

std::string Pack::hash() const {
  std::array<char, 17> hex{};
  std::snprintf(hex.data(), hex.size(), "%016llx", static_cast<unsigned long long>(header_of(blob).hash));
  return hex.data();
}

}  // namespace gonogo
