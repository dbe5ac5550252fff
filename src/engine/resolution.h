// One run of a pack's parts over a launch: its state, and what each kind of rule does to it. resolver.h runs it from
// top to bottom; family.h runs it once for many launches and then only what differs between them, so that what a
// rule does is said here alone.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/evaluator.h"
#include "engine/outcome.h"
#include "engine/resolver.h"

namespace gonogo {

class Resolution {
 public:
  Resolution(Runtime& runtime, const World& world, const Given& given, Arena& arena, ResolveOptions options);
  Resolution(const Resolution&) = delete;
  Resolution& operator=(const Resolution&) = delete;
  virtual ~Resolution() = default;

  Outcome run();

 protected:
  enum class Flow { kNext, kLeaveStage, kLeavePart };
  enum class Held { kNo, kYes, kMaybe };

  virtual void run_part(const PartRec& part);
  virtual Flow run_stage(std::uint32_t stage);
  virtual Flow rule(std::uint32_t index, Held* held);
  Flow act(std::uint32_t index, const RuleRec& r);
  virtual Flow group(std::uint32_t index, const RuleRec& r);
  Flow waiting_group(std::uint32_t index, const RuleRec& r);
  Flow leave(Return where);

  virtual void assign(std::uint32_t index, const RuleRec& r);
  virtual void write(std::uint32_t rule_index, const AssignRec& a, const Value& v);
  virtual void set_env(std::uint32_t index, const RuleRec& r);
  virtual void report(std::uint32_t index, const RuleRec& r);
  virtual void doubt(const RuleRec& r);

  // The value after an assignment below `path` of the current one: the record is copied, one leaf is replaced.
  Value with_leaf(const Value& record, std::span<const std::uint32_t> path, const Value& leaf);
  // What makes the present uncertain, or None.
  const Value& taint() const { return taint_.is_bad() ? taint_ : stage_taint_.is_bad() ? stage_taint_ : part_taint_; }
  // A condition or value that Python would refuse to evaluate. Behind a refusal the state is not what the rules
  // expect, so nothing is said there.
  Value fault(std::uint32_t rule, const Value& error);
  void need(const std::string& what);
  // None where the value can't be computed.
  Value figure(CodeRef code);
  // A finding that refuses nothing decides nothing: that it reads a flag gives the flag no effect.
  static bool only_tells(Action action) {
    return action == Action::kWarn || action == Action::kInert || action == Action::kAdvise;
  }

  struct Pending {
    std::uint32_t rule;
    const AssignRec* target;
    Value value;
  };

  Runtime& runtime_;
  const Pack& pack_;
  ResolveOptions options_;
  State state_;
  Evaluator evaluator_;
  Arena& arena_;
  Outcome out_;
  std::size_t part_ = 0;
  bool failed_ = false;
  bool stopped_ = false;
  Value taint_;
  Value stage_taint_;
  Value part_taint_;
  Value doubt_;   // from an `unknown` rule, for the rest of the launch
  Value branch_;  // the last condition that was unknown
  // In a group that reads the state as it was when it began, writes wait for its end.
  bool waiting_ = false;
  std::vector<Pending> pending_;
  std::vector<CodeRef> conditions_;

 private:
  void make_plan();
  PeerValues peer_values(const PeerRec& peers);
  void unread_flags();
  void note_acted(std::uint32_t index);
  Fix proposed(const FixRec& fix);
  std::vector<Evidence> evidence();
  void gather(CodeRef code, int depth, std::vector<Evidence>* out);
  bool is_known(std::uint32_t w) const;

  std::vector<Value> assigned_;  // of the rule at hand
};

}  // namespace gonogo
