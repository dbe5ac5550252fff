// Evaluates expressions of a pack for one launch. It walks the prefix code recursively; a value that is unknown or an
// error makes what needs it the same, but for `and`, `or`, `any` and `all`, which need only one side (three-valued
// logic). Facts about models are evaluated at their first use and frozen; let names likewise within their group.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/value.h"
#include "engine/fact_memo.h"
#include "engine/runtime.h"
#include "engine/watch.h"
#include "engine/world.h"
#include "rules/code.h"

namespace gonogo {

enum class Role : std::uint8_t { kModel, kDraft };

// The changing part of a launch: what rules read and write.
struct State {
  std::vector<Value> fields{};  // current values
  std::vector<Value> given{};   // before resolution
  std::vector<bool> typed{};
  std::vector<bool> read{};      // by a condition or value that decides something
  std::vector<Value> scratch{};  // state.*
  std::map<std::string, std::string, std::less<>> env{};
};

class Evaluator {
 public:
  Evaluator(Runtime& runtime, const World& world, State& state, Arena& arena);

  Value eval(CodeRef code);

  // Binds a let name to code, to be evaluated at its first use.
  void bind(std::uint32_t slot, CodeRef code) { slots_[slot] = {Value(), code, SlotStatus::kLazy}; }

  // Binds it to a value.
  void bind(std::uint32_t slot, const Value& value) { slots_[slot] = {value, 0, SlotStatus::kReady}; }

  // Whether reads of fields count from now on; returns what held before. What is evaluated once for all (facts, let
  // names) counts in any case.
  bool count_reads(bool on) { return std::exchange(counting_, on); }

  // A fact that has been evaluated, or null; asking does not evaluate it.
  const Value* known_fact(Role role, std::uint32_t fact) const;
  // A slot that has a value, or null; and the code it was bound to, 0 where it is no let name.
  const Value* known_slot(std::uint32_t slot) const;
  CodeRef slot_code(std::uint32_t slot) const { return slots_[slot].code; }

  // The files of the model or the draft model, found at first use.
  const ModelFiles& files(Role role);

  Value env_value(std::uint32_t index) const;

  Arena& arena() { return arena_; }

  // For launches that share most of what is evaluated (family.h). What `watch` sees are reads from now on; null: none.
  void watch(Watch* watch) { watch_ = watch; }
  // Evaluates a fact or let name where that was not done before.
  void force_fact(Role role, std::uint32_t index) { fact(role, index); }
  void force_slot(std::uint32_t index) { slot(index); }
  bool is_lazy(std::uint32_t slot) const { return slots_[slot].status == SlotStatus::kLazy; }
  // Gives a fact or let name a value as if it had been evaluated; takes a fact's away.
  void keep_fact(Role role, std::uint32_t index, const Value& v) { facts_of(role)[index] = {v, 0, SlotStatus::kReady}; }
  void keep_slot(std::uint32_t index, const Value& v) {
    slots_[index].value = v;
    slots_[index].status = SlotStatus::kReady;
  }
  void drop_fact(Role role, std::uint32_t index) { facts_of(role)[index] = {}; }
  // Finds a model and presents it where that was not done before.
  void present(Role role) {
    const Role outer = std::exchange(role_, role);
    hf();
    role_ = outer;
  }
  // Takes over the models as `other` has found them; what it has not is forgotten.
  void share_models(const Evaluator& other);
  // Is told of each fact that is about to be evaluated, and may have its value. Null: nobody is asked.
  struct FactSource {
    virtual ~FactSource() = default;
    virtual const Value* find(Role role, std::uint32_t index) = 0;
    virtual void evaluated(Role role, std::uint32_t index) = 0;
  };
  void source(FactSource* source) { source_ = source; }
  // Looks facts up there and keeps them there. Null: neither.
  void memo(FactMemo* memo) { memo_ = memo; }

 private:
  enum class SlotStatus : std::uint8_t { kEmpty, kLazy, kBusy, kReady };
  struct Slot {
    Value value;
    CodeRef code = 0;
    SlotStatus status = SlotStatus::kEmpty;
  };
  struct Model {
    ModelFiles files;
    Value hf;
    bool found = false;
    bool presented = false;
    std::vector<Slot> facts;
  };

  Value node(const std::uint32_t*& pc);
  Value slot(std::uint32_t index);
  std::vector<Slot>& facts_of(Role role) {
    std::vector<Slot>& facts = models_[static_cast<std::size_t>(role)].facts;
    if (facts.empty()) facts.resize(pack_.facts.size());
    return facts;
  }
  Value fact(Role role, std::uint32_t index);
  Value hf();
  // What is kept under this name and holds in this launch; evaluated, and kept, where there is none.
  template <typename Evaluate>
  Value remembered(FactMemo::Name name, const Evaluate& evaluate);
  const FactMemo::Known* still_holding(FactMemo::Name name);
  Value noted(std::uint32_t name, const Value& v) {
    if (reads_ != nullptr) reads_->add({name, v});
    return v;
  }
  Value present_as_class(const Value& config, Model& model);
  Value present(const Value& config, std::string_view model_type, int depth);
  Value with_class(const ClassRec& record, const Value& config, int depth);
  Value with_common(const Value& config);
  Value with_overlay(const Value& config, const Value& over, const ClassRec* record, bool top);
  std::optional<std::string_view> nested_class(const ClassRec* parent, const Entry& member) const;
  const ClassRec* class_of(std::string_view model_type) const;
  void take_aliases(const ClassRec& record, std::vector<Entry>* config) const;
  void give_aliases(const ClassRec& record, std::vector<Entry>* config) const;
  Value dict_of(const std::vector<Entry>& entries);
  Value logical(const std::uint32_t*& pc, bool is_and);
  Value conditional(const std::uint32_t*& pc);
  Value chain(const std::uint32_t*& pc);
  Value comparison(Op op, const std::uint32_t*& pc);
  Value container(Op op, std::uint32_t count, const std::uint32_t*& pc);
  Value comprehension(const std::uint32_t*& pc, const Builtin* fold);
  Value builtin(std::uint32_t operand, const std::uint32_t*& pc);
  Value method(std::uint32_t operand, const std::uint32_t*& pc);
  Value call(std::uint32_t function, const std::uint32_t*& pc);
  Value text(std::uint32_t parts, const std::uint32_t*& pc);
  Value member(std::uint32_t name, const std::uint32_t*& pc);
  Value slice(std::uint32_t operand, const std::uint32_t*& pc);
  Value gpu(std::uint32_t attribute) const;
  bool env_is_set(std::uint32_t index) const;

  Runtime& runtime_;
  const Pack& pack_;
  const World& world_;
  State& state_;
  Arena& arena_;
  std::vector<Slot> slots_;
  std::array<Model, 2> models_;
  Role role_ = Role::kModel;
  Value self_;
  int depth_ = 0;
  bool counting_ = true;
  Watch* watch_ = nullptr;
  FactSource* source_ = nullptr;
  FactMemo* memo_ = nullptr;
  FactMemo::Reads* reads_ = nullptr;  // of the fact that is being evaluated
};

}  // namespace gonogo
