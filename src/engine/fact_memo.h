// Facts that were worked out for one launch and hold for others of the same runtime, GPUs and models. A search for
// fixes resolves hundreds of launches that differ in a flag or two, and megabytes of quantisation lists are read for
// some facts.
//
// A fact is kept with what its evaluation read, in order, each with its value: fields, variables, scratch, files, other
// facts. Where these have the same values again it would go the same way and come to the same. Facts that it reads are
// themselves looked up or worked out while that is checked, as its evaluation would do.
#pragma once

#include <cstdint>
#include <vector>

#include "base/value.h"
#include "rules/pack.h"

namespace gonogo {

class FactMemo {
 public:
  explicit FactMemo(const Pack& pack) : facts_(static_cast<std::uint32_t>(pack.facts.size())), known_(2 * facts_ + 2) {}

  // A name that was read, as a word of code, and what it gave.
  struct Read {
    std::uint32_t word;
    Value value;
  };
  // In order, each name once: none changes while a fact is evaluated.
  class Reads {
   public:
    void add(const Read& read);
    const std::vector<Read>& all() const { return reads_; }

   private:
    std::vector<Read> reads_;
  };
  struct Known {
    Value value;
    Reads reads;
  };

  // What is known of a fact, or of a model's config as its class presents it (a fact like others); the latest last.
  using Name = std::uint32_t;
  Name fact(bool draft, std::uint32_t index) const { return (draft ? facts_ : 0) + index; }
  Name hf(bool draft) const { return 2 * facts_ + (draft ? 1 : 0); }
  const std::vector<Known>& known(Name name) const { return known_[name]; }
  void keep(Name name, Known known);

  // Forgets all: the values of the launches so far are about to be freed.
  void clear();

  // Whether two values are surely the same: scalars by value, all else by where it lies.
  static bool same(const Value& a, const Value& b);

 private:
  std::uint32_t facts_;
  std::vector<std::vector<Known>> known_;
};

}  // namespace gonogo
