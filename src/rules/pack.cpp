#include "rules/pack.h"

#include <array>
#include <cstdio>
#include <type_traits>

#include "rules/sections.h"

namespace gonogo {

namespace {

const BlobHeader& header_of(std::string_view blob) { return *reinterpret_cast<const BlobHeader*>(blob.data()); }

constexpr std::size_t kMostPacked = 1100;  // zlib packs no more than 1032 bytes into one

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
  const Range texts = header.text_section;
  if (texts.count == kNoIndex || !inside(blob, {texts.first, texts.count + 1}, sizeof(std::uint32_t)) ||
      !inside(blob, header.pool_section, 1)) {
    return bad("the rule pack's texts lie outside of it");
  }
  pack.texts = {reinterpret_cast<const std::uint32_t*>(blob.data() + texts.first), std::size_t{texts.count} + 1};
  pack.pool = blob.substr(header.pool_section.first, header.pool_section.count);
  std::size_t section = 0;
  bool good = true;
  each_section(
      [&](auto& records) {
        using Record = typename std::remove_reference_t<decltype(records)>::element_type;
        const Range range = header.sections[section++];
        good = good && inside(blob, range, sizeof(Record));
        if (good) records = {reinterpret_cast<Record*>(blob.data() + range.first), range.count};
      },
      pack);
  const ColdLayout& cold = header.cold;
  good = good && inside(blob, {cold.first, cold.packed}, 1) && cold.size / kMostPacked <= cold.packed;
  if (!good) return bad("a section of the rule pack lies outside of it");
  pack.cold_store = std::make_shared<ColdStore>(blob, cold);
  return pack;
}

const Cold& Pack::cold() const {
  static const Cold kNone;
  return cold_store == nullptr ? kNone : cold_store->get();
}

const RuleNote& Pack::note(std::uint32_t rule) const {
  static const RuleNote kNone;
  const auto notes = cold().notes;
  return rule < notes.size() ? notes[rule] : kNone;
}

std::string Pack::versions_text() const {
  std::string out;
  for (std::uint32_t i = first_ruled(); i < version_count(); ++i) {
    out += (i > first_ruled() ? ", " : "") + std::string(version(i));
  }
  if (first_ruled() == 0) return out;
  out += "; the arguments alone of " + std::string(version(0));
  return first_ruled() == 1 ? out : out + " to " + std::string(version(first_ruled() - 1));
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
  // Hot names first: a variable that matters is found without unpacking the others.
  for (const bool cold : {false, true}) {
    for (std::uint32_t i = 0; i < envs.size(); ++i) {
      if ((envs[i].name >= kColdText) == cold && text(envs[i].name) == name) return i;
    }
  }
  return kNoIndex;
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
  std::snprintf(
      hex.data(), hex.size(), "%016llx",
      static_cast<unsigned long long>(std::uint64_t{header_of(blob).hash[0]} << 32 | header_of(blob).hash[1]));
  return hex.data();
}

}  // namespace gonogo
