// The run of a pack for a whole family of launches (family.h), with the fields in which they differ open, and the steps
// that it leaves for each of them. Under a condition that is open, what a rule writes is open too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "engine/resolution.h"
#include "engine/watch.h"

namespace gonogo {

// A step that remains, or the result of one that is done. Steps inside of a part, stage or group follow it.
struct FamilyStep {
  enum class Kind : std::uint8_t {
    kPart,
    kStage,
    kRule,
    kWrite,     // `value` is what the field or state `index` is from here on
    kKeepFact,  // the fact or let name `index` has `value`, and is not evaluated again
    kKeepDraftFact,
    kKeepSlot,
  };
  Kind kind = Kind::kRule;
  bool decided = true;  // of a rule: its condition holds
  bool state = false;   // of a write: the target is state.*
  std::uint32_t index = 0;
  std::uint32_t end = 0;  // behind its last inner step
  Value value{};

  bool keeps() const { return kind >= Kind::kKeepFact; }
};

class FamilyRecorder : public Resolution {
 public:
  // A fact that was evaluated, and the first step behind a change of something that it read.
  struct Until {
    Value value;
    std::uint32_t step = 0;
  };
  using Changed = std::map<std::pair<Role, std::uint32_t>, Until>;

  // Steps go to `steps`; their values live in `arena` and in what the launches share.
  FamilyRecorder(Runtime& runtime, const World& world, const Given& given, const std::vector<std::uint32_t>& open,
                 Arena& arena, std::vector<FamilyStep>* steps);

  // False where nothing can be done in advance: the models themselves are open.
  bool record();

  // With what all launches evaluate alike.
  const Evaluator& evaluator() const { return evaluator_; }
  // Facts whose value depends on when a launch evaluates them.
  const Changed& changed() const { return changed_; }

 protected:
  void run_part(const PartRec& part) override;
  Flow run_stage(std::uint32_t stage) override;
  Flow rule(std::uint32_t index, Held* held) override;
  void assign(std::uint32_t index, const RuleRec& r) override;
  void write(std::uint32_t rule_index, const AssignRec& a, const Value& v) override;
  void set_env(std::uint32_t index, const RuleRec& r) override;
  void report(std::uint32_t index, const RuleRec& r) override;
  void doubt(const RuleRec& r) override;

 private:
  std::size_t push(const FamilyStep& step);
  void close(std::size_t step) { steps_[step].end = static_cast<std::uint32_t>(steps_.size()); }
  bool does_nothing(std::size_t step, const RuleRec& r) const;
  void drop(std::size_t step, const RuleRec& r);
  Value look(CodeRef code);
  const Value* known(Watch::Name name) const;
  void commit();
  void suppose(CodeRef code, Role role);
  void suppose_fact(Role role, std::uint32_t index);
  void change(Watch::Input input);

  std::vector<FamilyStep>& steps_;
  Watch watch_;
  std::size_t at_ = 0;    // the rule at hand
  bool written_ = false;  // its result has taken its place
  bool doubted_ = false;
  bool usable_ = true;
  std::set<std::pair<Role, std::uint32_t>> facts_;      // that were supposed
  std::set<std::pair<Role, std::uint32_t>> functions_;  // the same
  Changed changed_;
};

}  // namespace gonogo
