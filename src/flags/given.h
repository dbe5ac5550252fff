// What the user gave, field by field: the value that the runtime's record has before resolution, whether it was
// typed, and which word typed it. Everything else of the command line ends here: spellings, abbreviations and
// conversions are known to src/flags alone.
#pragma once

#include <cstdint>
#include <vector>

#include "base/arena.h"
#include "base/value.h"
#include "flags/usage.h"
#include "rules/pack.h"

namespace gonogo {

// Where a field's value comes from. Indices are into the arguments as parsed.
struct Origin {
  bool typed = false;
  std::uint32_t flag = kNoIndex;        // the row of pack.flags that set it
  std::uint32_t word = kNoIndex;        // the flag's word; kNoIndex where nothing was typed, or set() was called
  std::uint32_t value_word = kNoIndex;  // its first value; `word` itself for --flag=value; kNoIndex without one
};

struct Given {
  std::uint32_t version = 0;        // index among the pack's versions
  std::uint32_t field_count = 0;    // that of the pack
  Value* values = nullptr;          // by field; in the arena
  Origin* origins = nullptr;        // by field; in the arena
  std::vector<UsageFinding> notes;  // deprecated flags, and flags without effect, in the order given

  const Value& value(std::uint32_t field) const { return values[field]; }
  bool typed(std::uint32_t field) const { return origins[field].typed; }

  // Sets a field as if its flag had been typed. `v` must live as long as the arena.
  void set(std::uint32_t field, const Value& v);
};

// All fields at their defaults in a version, nothing typed.
Given default_given(const Pack& pack, std::uint32_t version, Arena& arena);

// A copy that can be changed without changing `given`; values are shared.
Given copy_of(const Given& given, Arena& arena);

// The default of a field in a version.
Value field_default(const Pack& pack, std::uint32_t field, std::uint32_t version, Arena& arena);

// Undoes what was typed for a field.
void reset(const Pack& pack, Given* given, std::uint32_t field, Arena& arena);

}  // namespace gonogo
