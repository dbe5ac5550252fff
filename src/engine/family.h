// Launches that differ in some fields only, for many of which the verdict is wanted. The pack is run once with these
// fields open. What met none of them on its way is the same in every launch and is done; what remains (a small part of
// the rules, in their order) is run for each. See watch.h for why that is exact.
//
// A launch's answer is its verdict and what decides it: the first certain refusal, as resolve() has it with
// `until_refused`, or the first thing that is missing.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/arena.h"
#include "engine/outcome.h"
#include "engine/runtime.h"
#include "engine/world.h"
#include "flags/given.h"

namespace gonogo {

struct FamilyStep;

class Family {
 public:
  struct Answer {
    Verdict verdict = Verdict::kUnknown;
    std::uint32_t rule = kNoIndex;  // that refuses, of a NO-GO
    std::string needs;              // what to supply, or the fault of the pack, of an UNKNOWN
  };
  struct Member {
    Value value;
    bool typed = false;
  };

  // `given` is one of the launches; the others differ from it in the fields `open`. All else must outlive the family.
  Family(Runtime& runtime, const World& world, const Given& given, std::vector<std::uint32_t> open);
  ~Family();
  Family(const Family&) = delete;
  Family& operator=(const Family&) = delete;

  // The launch whose open fields are `members`, in the order of `open`; they must live until the next call.
  Answer decide(std::span<const Member> members);

  // How many rules of a launch remain to be run, at most; all of them where nothing could be done in advance.
  std::size_t remaining() const;

 private:
  class Replay;

  Runtime& runtime_;
  const World& world_;
  const Given& given_;
  std::vector<std::uint32_t> open_;
  Arena values_;  // of what was done in advance
  Arena arena_;   // of the launch at hand
  std::vector<FamilyStep> steps_;
  std::unique_ptr<Replay> replay_;  // null: every launch is resolved as a whole
};

}  // namespace gonogo
