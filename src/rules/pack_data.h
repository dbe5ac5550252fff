// A pack while it is being made or changed: the sections of a blob as vectors, with text interned.
// `serialize` writes them out; loading a Pack gives them back, which is how overlays are layered.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rules/blob.h"
#include "rules/pack.h"

namespace gonogo {

struct PackData {
  PackRec about;
  std::vector<std::string> texts{std::string()};
  std::vector<std::uint32_t> ids;
  std::vector<std::uint32_t> code{0};  // CodeRef 0 means none
  std::vector<std::uint64_t> numbers;
  std::vector<PartRec> parts;
  std::vector<FlagRec> flags;
  std::vector<FieldRec> fields;
  std::vector<EnvRec> envs;
  std::vector<GpuRec> gpus;
  std::vector<ValueRec> values;
  std::vector<FactRec> facts;
  std::vector<FunctionRec> functions;
  std::vector<NamedCode> named;
  std::vector<RowRec> rows;
  std::vector<TableRec> tables;
  std::vector<ClassRec> classes;
  std::vector<RuleRec> rules;
  std::vector<LetRec> lets;
  std::vector<AssignRec> assigns;
  std::vector<FixRec> fixes;
  std::vector<StageRec> stages;
  std::vector<StrId> slots;
  std::vector<NamedCode> state;
  std::vector<NamedCode> summary;

  PackData() = default;
  explicit PackData(const Pack& pack);

  StrId intern(std::string_view text);
  // Appends to `ids` and says where.
  Range add_ids(const std::vector<std::uint32_t>& values);

  std::string serialize() const;

 private:
  std::unordered_map<std::string, StrId> known_;
};

}  // namespace gonogo
