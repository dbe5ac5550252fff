#include "flags/given.h"

#include <algorithm>
#include <memory>
#include <new>

#include "rules/constant.h"

namespace gonogo {

void Given::set(std::uint32_t field, const Value& v) {
  values[field] = v;
  origins[field] = Origin{};
  origins[field].typed = true;
}

Value field_default(const Pack& pack, std::uint32_t field, std::uint32_t version, Arena& arena) {
  const Range range = pack.fields[field].values;
  for (const ValueRec& value : pack.values.subspan(range.first, range.count)) {
    if ((value.versions >> version & 1) != 0) return constant(pack, value.code, arena);
  }
  return {};
}

Given default_given(const Pack& pack, std::uint32_t version, Arena& arena) {
  Given given;
  given.version = version;
  given.field_count = static_cast<std::uint32_t>(pack.fields.size());
  given.values = arena.array<Value>(given.field_count);
  given.origins = arena.array<Origin>(given.field_count);
  for (std::uint32_t field = 0; field < given.field_count; ++field) {
    new (given.values + field) Value(field_default(pack, field, version, arena));
    new (given.origins + field) Origin();
  }
  return given;
}

Given copy_of(const Given& given, Arena& arena) {
  Given out = given;
  out.values = arena.array<Value>(given.field_count);
  out.origins = arena.array<Origin>(given.field_count);
  std::uninitialized_copy_n(given.values, given.field_count, out.values);
  std::uninitialized_copy_n(given.origins, given.field_count, out.origins);
  return out;
}

void reset(const Pack& pack, Given* given, std::uint32_t field, Arena& arena) {
  given->values[field] = field_default(pack, field, given->version, arena);
  given->origins[field] = Origin{};
}

}  // namespace gonogo
