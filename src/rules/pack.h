// A compiled pack, read in place: spans over the sections of a blob that somebody else keeps alive (the
// embedded one lives in the binary). Everything the other rooms know about a runtime comes through here.
// What only people read is unpacked at its first use; copies of a pack share it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "rules/blob.h"
#include "rules/cold.h"
#include "rules/flag_records.h"
#include "rules/peer_record.h"
#include "rules/rule_records.h"

namespace gonogo {

class Pack {
 public:
  // A view of `blob`, checked for magic, format and bounds. `blob` must be 8-byte aligned and outlive the pack.
  static Result<Pack> open(std::string_view blob);

  // The pack that was compiled into the binary.
  static const Pack& embedded();

  std::string_view text(StrId id) const {
    if (id >= kColdText) return cold().text(id - kColdText);
    return pool.substr(texts[id], texts[id + 1] - texts[id]);
  }
  // What only people read. The first call unpacks it, which takes a millisecond.
  const Cold& cold() const;
  // Reason, place and fixes of a rule; all 0 where the cold part is damaged.
  const RuleNote& note(std::uint32_t rule) const;
  std::span<const std::uint32_t> slice(Range r) const { return ids.subspan(r.first, r.count); }

  // Index of a supported version ("0.5.23"), or kNoIndex.
  std::uint32_t version_index(std::string_view version) const;
  std::string_view version(std::uint32_t index) const { return text(ids[about->versions.first + index]); }
  std::uint32_t version_count() const { return about->versions.count; }
  // Versions from this index on have rules; of earlier ones the arguments alone are known.
  std::uint32_t first_ruled() const { return about->first_ruled; }
  // "1.2, 1.3; the arguments alone of 1.0 to 1.1"
  std::string versions_text() const;

  // Indices by name, or kNoIndex.
  std::uint32_t find_field(std::string_view name) const;
  std::uint32_t find_env(std::string_view name) const;
  std::uint32_t find_rule(std::string_view id) const;
  std::uint32_t find_gpu(std::string_view key) const;

  FlagSpecialRec special(const FlagRec& flag) const {
    return flag.special != 0 ? flag_specials[flag.special - 1] : FlagSpecialRec{};
  }

  std::string_view field_name(std::uint32_t field) const { return text(fields[field].name); }

  // The preferred spelling of the flag that sets `field` in a version; empty where none does.
  std::string_view flag_of(std::uint32_t field, std::uint32_t version) const;

  // Hex digits that name the pack's contents; the same pack gives the same hash on every machine.
  std::string hash() const;

  // Whether the cold part was asked for.
  bool unpacked() const { return cold_store != nullptr && cold_store->unpacked(); }

  const PackRec* about = nullptr;
  std::string_view pool;
  std::string_view blob;
  std::span<const std::uint32_t> texts;  // where each hot text begins in the pool, and where the last ends
  std::span<const std::uint32_t> ids;
  std::span<const std::uint32_t> code;
  std::span<const std::uint64_t> numbers;
  std::span<const PartRec> parts;
  std::span<const FlagRec> flags;
  std::span<const FlagSpecialRec> flag_specials;
  std::span<const RetiredRec> retired;
  std::span<const FieldRec> fields;
  std::span<const EnvRec> envs;
  std::span<const GpuRec> gpus;
  std::span<const ValueRec> values;
  std::span<const FactRec> facts;
  std::span<const FunctionRec> functions;
  std::span<const NamedCode> named;
  std::span<const RowsRec> rows;
  std::span<const TableRec> tables;
  std::span<const ClassRec> classes;
  std::span<const RuleRec> rules;
  std::span<const LetRec> lets;
  std::span<const AssignRec> assigns;
  std::span<const StageRec> stages;
  std::span<const StrId> slots;        // names of let, parameter and comprehension slots
  std::span<const NamedCode> state;    // name and default
  std::span<const NamedCode> summary;  // label and expression, for the report's head
  // What a plan of a GPU's memory is made of: `memory`, `capacity`, `length`, `requests`; parts in bytes; labelled
  // sizes in bytes; other labelled values.
  std::span<const NamedCode> plan;
  std::span<const NamedCode> plan_parts;
  std::span<const NamedCode> plan_sizes;
  std::span<const NamedCode> plan_figures;
  std::span<const PeerRec> peers;  // launches that are compared with each other
  std::shared_ptr<const ColdStore> cold_store;
};

}  // namespace gonogo
