// A pack while it is being made or changed: the sections of a blob as vectors, with text interned.
// `serialize` writes them out; loading a Pack gives them back, which is how overlays are layered.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rules/blob.h"
#include "rules/pack.h"

namespace gonogo {

struct PackData {
  PackRec about;
  std::vector<std::uint32_t> ids;
  std::vector<std::uint32_t> code{0};  // CodeRef 0 means none
  std::vector<std::uint64_t> numbers;
  std::vector<PartRec> parts;
  std::vector<FlagRec> flags;
  std::vector<FlagSpecialRec> flag_specials;
  std::vector<RetiredRec> retired;
  std::vector<FieldRec> fields;
  std::vector<EnvRec> envs;
  std::vector<GpuRec> gpus;
  std::vector<ValueRec> values;
  std::vector<FactRec> facts;
  std::vector<FunctionRec> functions;
  std::vector<NamedCode> named;
  std::vector<RowsRec> rows;
  std::vector<TableRec> tables;
  std::vector<ClassRec> classes;
  std::vector<RuleRec> rules;
  std::vector<LetRec> lets;
  std::vector<AssignRec> assigns;
  std::vector<StageRec> stages;
  std::vector<StrId> slots;
  std::vector<NamedCode> state;
  std::vector<NamedCode> summary;
  std::vector<NamedCode> plan;  // memory, capacity, length, requests
  std::vector<NamedCode> plan_parts;
  std::vector<NamedCode> plan_sizes;
  std::vector<NamedCode> plan_figures;
  std::vector<PeerRec> peers;
  std::vector<RuleNote> notes;  // one a rule
  std::vector<AssignRec> changes;
  std::vector<FixRec> fixes;

  PackData() = default;
  explicit PackData(const Pack& pack);

  // The id of a text that a check may read.
  StrId intern(std::string_view text);
  // The id of a text that only people read. The same text gives the same id whenever it is asked for.
  StrId intern_cold(std::string_view text);
  std::string_view text(StrId id) const { return id < kColdText ? texts_[id] : cold_texts_[id - kColdText]; }

  // Where `words` stand in `code`; appends them where they don't. Code is position-independent and knows its own end,
  // so it may lie inside of other code.
  CodeRef add_code(const std::vector<std::uint32_t>& words) { return static_cast<CodeRef>(place(code, words, 1)); }

  // Makes the names of a variable hot, since an expression reads it or a rule sets it.
  void use_env(std::uint32_t index);

  // Where `records` stand in `section`, one behind the other; appends them where they don't.
  template <typename Record>
  Run add(std::vector<Record>& section, const std::vector<Record>& records) {
    return run(place(section, records), records.size());
  }

  // Whether something did not fit its record; what `serialize` would write is then wrong.
  bool too_large() const;

  // The blob. Equal packs that were made in the same order give equal blobs.
  std::string serialize(Effort effort = Effort::kSmallest) const;

 private:
  // How far the same records are looked for: a pack is smaller, and a huge one must not take for ever.
  static constexpr std::size_t kSearched = 1u << 16;

  template <typename Record>
  static std::size_t place(std::vector<Record>& section, const std::vector<Record>& records, std::ptrdiff_t from = 0) {
    if (records.empty()) return 0;
    const auto end = section.begin() + static_cast<std::ptrdiff_t>(std::min(section.size(), kSearched));
    const auto at = std::search(section.begin() + from, end, records.begin(), records.end());
    if (at != end) return static_cast<std::size_t>(at - section.begin());
    section.insert(section.end(), records.begin(), records.end());
    return section.size() - records.size();
  }

  using Known = std::unordered_map<std::string, StrId>;

  Run run(std::size_t first, std::size_t count);

  std::vector<std::string> texts_{std::string()};
  std::vector<std::string> cold_texts_;
  Known known_;
  Known known_cold_;
  bool overflow_ = false;
};

}  // namespace gonogo
