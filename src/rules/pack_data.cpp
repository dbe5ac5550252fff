#include "rules/pack_data.h"

#include <cstring>

#include "rules/fingerprint.h"
#include "rules/sections.h"

namespace gonogo {

PackData::PackData(const Pack& pack) : about(*pack.about) {
  texts.clear();
  for (const TextRec& t : pack.texts) {
    known_.emplace(std::string(pack.pool.substr(t.offset, t.size)), static_cast<StrId>(texts.size()));
    texts.emplace_back(pack.pool.substr(t.offset, t.size));
  }
  ids.assign(pack.ids.begin(), pack.ids.end());
  code.assign(pack.code.begin(), pack.code.end());
  numbers.assign(pack.numbers.begin(), pack.numbers.end());
  parts.assign(pack.parts.begin(), pack.parts.end());
  flags.assign(pack.flags.begin(), pack.flags.end());
  fields.assign(pack.fields.begin(), pack.fields.end());
  envs.assign(pack.envs.begin(), pack.envs.end());
  gpus.assign(pack.gpus.begin(), pack.gpus.end());
  values.assign(pack.values.begin(), pack.values.end());
  facts.assign(pack.facts.begin(), pack.facts.end());
  functions.assign(pack.functions.begin(), pack.functions.end());
  named.assign(pack.named.begin(), pack.named.end());
  rows.assign(pack.rows.begin(), pack.rows.end());
  tables.assign(pack.tables.begin(), pack.tables.end());
  classes.assign(pack.classes.begin(), pack.classes.end());
  rules.assign(pack.rules.begin(), pack.rules.end());
  lets.assign(pack.lets.begin(), pack.lets.end());
  assigns.assign(pack.assigns.begin(), pack.assigns.end());
  fixes.assign(pack.fixes.begin(), pack.fixes.end());
  stages.assign(pack.stages.begin(), pack.stages.end());
  slots.assign(pack.slots.begin(), pack.slots.end());
  state.assign(pack.state.begin(), pack.state.end());
  summary.assign(pack.summary.begin(), pack.summary.end());
}

StrId PackData::intern(std::string_view text) {
  if (text.empty()) return 0;
  const auto [at, added] = known_.emplace(std::string(text), static_cast<StrId>(texts.size()));
  if (added) texts.emplace_back(text);
  return at->second;
}

Range PackData::add_ids(const std::vector<std::uint32_t>& more) {
  const Range r{static_cast<std::uint32_t>(ids.size()), static_cast<std::uint32_t>(more.size())};
  ids.insert(ids.end(), more.begin(), more.end());
  return r;
}

std::string PackData::serialize() const {
  BlobHeader header;
  header.about = about;
  std::string out(sizeof(BlobHeader), '\0');
  const auto align = [&out] { out.resize((out.size() + 7) & ~std::size_t{7}); };

  align();
  header.text_section = {static_cast<std::uint32_t>(out.size()), static_cast<std::uint32_t>(texts.size())};
  std::uint32_t offset = 0;
  for (const std::string& text : texts) {
    const TextRec rec{offset, static_cast<std::uint32_t>(text.size())};
    out.append(reinterpret_cast<const char*>(&rec), sizeof rec);
    offset += rec.size;
  }
  align();
  header.pool_section = {static_cast<std::uint32_t>(out.size()), offset};
  for (const std::string& text : texts) out += text;

  std::size_t section = 0;
  each_section(*this, [&](const auto& records) {
    align();
    header.sections[section++] = {static_cast<std::uint32_t>(out.size()),
                                  static_cast<std::uint32_t>(records.size())};
    if (!records.empty()) {
      out.append(reinterpret_cast<const char*>(records.data()), records.size() * sizeof(records[0]));
    }
  });
  align();
  header.size = static_cast<std::uint32_t>(out.size());
  header.hash = fingerprint(std::string_view(out).substr(sizeof(BlobHeader)));
  std::memcpy(out.data(), &header, sizeof header);
  return out;
}

}  // namespace gonogo
