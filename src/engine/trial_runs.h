// A launch with changes to it, resolved until it is refused: the trials of a search for fixes. A set of changes is
// resolved once, whatever its order, and what was found out of the model is kept from one launch to the next.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/arena.h"
#include "engine/candidates.h"
#include "engine/fact_memo.h"
#include "engine/fixes.h"
#include "engine/outcome.h"
#include "engine/resolver.h"
#include "engine/runtime.h"
#include "engine/world.h"
#include "flags/argparse.h"
#include "flags/given.h"

namespace gonogo {

class TrialRuns {
 public:
  // `words` are what was parsed to `given`, which may be mended ones of the search's; all must outlive it.
  TrialRuns(const FixSearch& search, std::span<const Word> words, const Given& given);

  struct Result {
    Verdict verdict = Verdict::kUnknown;
    std::uint32_t version = 0;
    std::uint32_t refused_by = kNoIndex;
    int missed = 0;     // what was asked for and is left out, with nothing in its place
    int disturbed = 0;  // resolved values that differ from `before`'s, beside those that were changed
  };
  Result run(const Fix& fix, const Outcome* before);

  // What may help a launch that has these changes and is still refused, the gentlest first: at most `most`. Values live
  // as long as this object. `all`, where it is not null, is the outcome of the whole launch without changes.
  std::vector<Candidate> candidates(const Fix& fix, std::size_t most, const Outcome* all);

  // The words after a fix that was tried in this version, typed, parsed anew and resolved; nothing where that does not
  // reach GO.
  std::optional<std::vector<std::string>> typed(const Fix& fix, std::uint32_t version);

  std::size_t count() const { return count_; }  // of launches that were resolved
  Arena& arena() { return keep_; }              // whose values live as long as this object

 private:
  // What launches of one version share.
  struct Version {
    Version(const Pack& pack, std::uint32_t version) : runtime(pack, version), memo(pack) {}
    Runtime runtime;
    FactMemo memo;
    std::optional<Parsed> parsed;
  };

  Version& at(std::uint32_t version);
  const Given* given(std::uint32_t version);
  std::vector<std::uint32_t> versions_for(const Fix& fix) const;
  void apply(const FixChange& c, Given* to, World* world, Arena& arena) const;
  Result resolve_with(const Fix& fix, const Outcome* before);
  int disturbed(const Fix& fix, const Outcome& outcome, const Outcome& before) const;
  void tidy();

  const FixSearch& in_;
  std::span<const Word> words_;
  const Given& given_;
  World world_;  // of the launch at hand; facts that are kept may view it
  std::vector<std::unique_ptr<Version>> versions_;
  std::vector<std::unique_ptr<Given>> kept_;
  Arena keep_;
  Arena scratch_;
  std::map<std::string, Result> known_;
  std::size_t count_ = 0;
};

}  // namespace gonogo
