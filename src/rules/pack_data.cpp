#include "rules/pack_data.h"

#include <cstring>
#include <type_traits>

#include "rules/code.h"
#include "rules/fingerprint.h"
#include "rules/sections.h"

namespace gonogo {

namespace {

template <typename Record>
void append(std::string& out, const Record* records, std::size_t count) {
  static_assert(std::has_unique_object_representations_v<Record>, "padding would make equal packs differ");
  if (count > 0) out.append(reinterpret_cast<const char*>(records), count * sizeof(Record));
}

void align(std::string& out) { out.resize((out.size() + 7) & ~std::size_t{7}); }

std::uint32_t narrow(std::size_t n) { return static_cast<std::uint32_t>(n); }

}  // namespace

PackData::PackData(const Pack& pack) : about(*pack.about) {
  texts_.clear();
  for (StrId id = 0; id + 1 < pack.texts.size(); ++id) {
    texts_.emplace_back(pack.text(id));
    if (id > 0) known_.emplace(texts_.back(), id);
  }
  const Cold& cold = pack.cold();
  for (std::uint32_t i = 0; i + 1 < cold.texts.size(); ++i) {
    cold_texts_.emplace_back(cold.text(i));
    known_cold_.emplace(cold_texts_.back(), i + kColdText);
  }
  const auto load = [](auto& to, const auto& from) { to.assign(from.begin(), from.end()); };
  each_section(load, *this, pack);
  each_cold_section(load, *this, cold);
}

StrId PackData::intern(std::string_view text) {
  if (text.empty()) return 0;
  const auto [at, added] = known_.emplace(std::string(text), narrow(texts_.size()));
  if (added) texts_.emplace_back(text);
  return at->second;
}

StrId PackData::intern_cold(std::string_view text) {
  if (text.empty()) return 0;
  std::string key(text);
  const auto known = known_cold_.find(key);
  if (known != known_cold_.end()) return known->second;
  const auto hot = known_.find(key);
  if (hot != known_.end()) return hot->second;
  cold_texts_.push_back(key);
  return known_cold_.emplace(std::move(key), narrow(cold_texts_.size() - 1) + kColdText).first->second;
}

void PackData::use_env(std::uint32_t index) {
  EnvRec& env = envs[index];
  env.name = intern(text(env.name));
  env.former_name = intern(text(env.former_name));
}

Run PackData::run(std::size_t first, std::size_t count) {
  overflow_ = overflow_ || first > Run::kMaxFirst || count > Run::kMaxCount;
  return {narrow(first), narrow(count)};
}

bool PackData::too_large() const {
  return overflow_ || code.size() > Run::kMaxFirst || texts_.size() >= kColdText || cold_texts_.size() >= kColdText ||
         rules.size() > RuleRec::kMaxRules || fields.size() >= RuleRec::kNoFlag || envs.size() > kMaxOperand ||
         state.size() > kMaxOperand;
}

std::string PackData::serialize(Effort effort) const {
  static_assert(std::has_unique_object_representations_v<BlobHeader>);
  BlobHeader header;
  header.about = about;
  std::string out(sizeof(BlobHeader), '\0');

  align(out);
  header.text_section = {narrow(out.size()), narrow(texts_.size())};
  std::uint32_t offset = 0;
  for (const std::string& text : texts_) {
    append(out, &offset, 1);
    offset += narrow(text.size());
  }
  append(out, &offset, 1);
  align(out);
  header.pool_section = {narrow(out.size()), offset};
  for (const std::string& text : texts_) out += text;

  std::size_t section = 0;
  each_section(
      [&](const auto& records) {
        align(out);
        header.sections[section++] = {narrow(out.size()), narrow(records.size())};
        append(out, records.data(), records.size());
      },
      *this);
  align(out);

  // Sizes pack better than offsets; the reader adds them up.
  std::string cold;
  for (const std::string& text : cold_texts_) {
    const std::uint32_t size = narrow(text.size());
    append(cold, &size, 1);
  }
  const std::uint32_t end = 0;
  append(cold, &end, 1);
  section = 0;
  each_cold_section(
      [&](const auto& records) {
        header.cold.records[section++] = narrow(records.size());
        append(cold, records.data(), records.size());
      },
      *this);
  for (const std::string& text : cold_texts_) cold += text;

  std::string about_bytes;
  append(about_bytes, &about, 1);
  const std::uint64_t hash =
      fingerprint(cold, fingerprint(std::string_view(out).substr(sizeof(BlobHeader)), fingerprint(about_bytes)));
  header.hash = {static_cast<std::uint32_t>(hash >> 32), static_cast<std::uint32_t>(hash)};
  const std::string stream = packed(cold, effort);
  header.cold.first = narrow(out.size());
  header.cold.packed = narrow(stream.size());
  header.cold.size = narrow(cold.size());
  header.cold.texts = narrow(cold_texts_.size());
  out += stream;
  align(out);
  header.size = narrow(out.size());
  std::memcpy(out.data(), &header, sizeof header);
  return out;
}

}  // namespace gonogo
