// What an evaluation depends on, while a pack is specialised for launches that differ in some fields only (family.h).
// Those fields hold the open value. An evaluation that has met it says nothing; one that has not is the same, step by
// step, in each of these launches: that is all that specialising rests on.
//
// A fact or let name is evaluated at its first use, and different launches may come to that at different times. So what
// is evaluated is remembered with the fields that it read: as long as none of them changes, it does not matter when. It
// is settled once all launches have evaluated it by then.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/value.h"
#include "rules/pack.h"

namespace gonogo {

class Watch {
 public:
  explicit Watch(const Pack& pack);

  static Value open() { return Value::unknown({kOpen, sizeof kOpen - 1}); }
  static bool is_open(const Value& v) { return v.is_unknown() && v.as_str().data() == kOpen; }

  // What is evaluated once: facts of the model and its draft, let names, and the models themselves.
  using Name = std::uint32_t;
  Name fact(bool draft, std::uint32_t index) const { return (draft ? facts_ : 0) + index; }
  Name slot(std::uint32_t index) const { return 2 * facts_ + index; }
  Name model(bool draft, bool presented) const { return models() + (draft ? 2 : 0) + (presented ? 1 : 0); }
  bool is_slot(Name name) const { return name >= 2 * facts_ && name < models(); }
  bool is_model(Name name) const { return name >= models(); }
  std::uint32_t index_of(Name name) const {
    return name < facts_ ? name : name < 2 * facts_ ? name - facts_ : name - 2 * facts_;
  }
  bool is_draft(Name name) const { return name >= facts_ && name < 2 * facts_; }

  // What changes while a launch resolves.
  using Input = std::uint32_t;
  Input field(std::uint32_t index) const { return index; }
  Input state(std::uint32_t index) const { return fields_ + index; }
  Input env() const { return fields_ + states_; }

  // A value was read as it is, or an input was.
  void saw(const Value& v) { met_open_ = met_open_ || is_open(v); }
  void saw(Input input, const Value& v) {
    saw(v);
    reads_.push_back(input);
  }
  // A variable was read.
  void saw(const EnvRec& variable);
  // From now on it is not known whether rules have set a variable.
  void leave_open(const EnvRec& variable) { open_env_.push_back(variable.name); }
  // A name was read that had been evaluated before.
  void reread(Name name, const Value& v);

  // Around the evaluation of a name; `end` gives the value to keep, which is open where it met an open one.
  struct Mark {
    bool met_open;
    std::size_t reads;
  };
  Mark begin();
  Value end(Name name, Mark mark, const Value& v);

  // Around the evaluation of a condition or value: whether it met an open value, and the names that it read.
  void restart();
  bool met_open() const { return met_open_; }
  const std::vector<Name>& touched() const { return touched_; }

  // All launches have evaluated this name by now.
  void settle(Name name) { known_[name].settled = true; }
  bool settled(Name name) const { return known_[name].settled; }
  // Whether it read anything that may change.
  bool may_change(Name name) const { return !known_[name].reads.empty(); }
  // A let name was bound anew.
  void forget(Name name) { known_[name] = {}; }

  // Whether a model itself came out open.
  bool model_open() const { return model_open_; }

  // The names that are not settled and read an input which has changed.
  std::vector<Name> changed(Input input) const;

 private:
  static const char kOpen[15];  // known by its address, so it stands in one place

  struct Known {
    std::vector<Input> reads;
    bool settled = false;
  };

  std::uint32_t models() const { return 2 * facts_ + slots_; }

  std::uint32_t facts_;
  std::uint32_t slots_;
  std::uint32_t fields_;
  std::uint32_t states_;
  std::vector<Known> known_;
  std::vector<std::vector<Name>> readers_;  // by input; a name stays where it no longer reads it
  std::vector<Input> reads_;
  std::vector<Name> touched_;
  std::vector<StrId> open_env_;
  bool met_open_ = false;
  bool model_open_ = false;
};

}  // namespace gonogo
