// A pack at one version of its runtime: what is the same for every launch of that version, made once. Tables and
// defaults are built at their first use and kept, so a batch pays for them once and a single launch only for what
// it reads.
#pragma once

#include <cstdint>
#include <vector>

#include "base/arena.h"
#include "base/value.h"
#include "rules/pack.h"

namespace gonogo {

class Runtime {
 public:
  Runtime(const Pack& pack, std::uint32_t version) : pack_(pack), version_(version) {}
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  const Pack& pack() const { return pack_; }
  std::uint32_t version() const { return version_; }
  bool holds(Mask versions) const { return (versions >> version_ & 1) != 0; }

  // The code of the first value that holds here; 0 where none does.
  CodeRef pick(Range values) const;

  const Value& table(std::uint32_t index);
  const std::vector<Value>& field_defaults();
  const std::vector<Value>& state_defaults();
  const Value& env_default(std::uint32_t index);

 private:
  struct Lazy {
    Value value;
    bool made = false;
  };
  Value build_table(const TableRec& table);

  const Pack& pack_;
  std::uint32_t version_;
  Arena arena_;
  std::vector<Lazy> tables_;
  std::vector<Lazy> env_;
  std::vector<Value> fields_;
  std::vector<Value> state_;
};

}  // namespace gonogo
