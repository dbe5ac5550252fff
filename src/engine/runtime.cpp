#include "engine/runtime.h"

#include <algorithm>

#include "rules/constant.h"

namespace gonogo {

CodeRef Runtime::pick(Range values) const {
  for (const ValueRec& v : pack_.values.subspan(values.first, values.count)) {
    if (holds(v.versions)) return v.code;
  }
  return 0;
}

Value Runtime::build_table(const TableRec& table) {
  std::vector<Value> runs;
  std::uint32_t count = 0;
  for (const RowsRec& rows : pack_.rows.subspan(table.rows.first, table.rows.count)) {
    if (!holds(rows.versions)) continue;
    runs.push_back(constant(pack_, rows.code, arena_));
    count += runs.back().size();
  }
  if (runs.size() == 1) return runs[0];
  if (table.is_mapping != 0) {
    auto* entries = arena_.array<Entry>(count);
    Entry* end = entries;
    for (const Value& run : runs) end = std::copy_n(run.entries(), run.size(), end);
    return Value::dict(entries, count);
  }
  auto* items = arena_.array<Value>(count);
  Value* end = items;
  for (const Value& run : runs) end = std::copy_n(&run[0], run.size(), end);
  return Value::list(items, count);
}

const Value& Runtime::table(std::uint32_t index) {
  if (tables_.empty()) tables_.resize(pack_.tables.size());
  Lazy& lazy = tables_[index];
  if (!lazy.made) lazy = {build_table(pack_.tables[index]), true};
  return lazy.value;
}

const std::vector<Value>& Runtime::field_defaults() {
  if (fields_.empty()) {
    fields_.reserve(pack_.fields.size());
    for (const FieldRec& field : pack_.fields) fields_.push_back(constant(pack_, pick(field.values), arena_));
  }
  return fields_;
}

const std::vector<Value>& Runtime::state_defaults() {
  if (state_.empty()) {
    for (const NamedCode& state : pack_.state) state_.push_back(constant(pack_, state.code, arena_));
  }
  return state_;
}

const Value& Runtime::env_default(std::uint32_t index) {
  if (env_.empty()) env_.resize(pack_.envs.size());
  Lazy& lazy = env_[index];
  if (!lazy.made) lazy = {constant(pack_, pick(pack_.envs[index].values), arena_), true};
  return lazy.value;
}

}  // namespace gonogo
