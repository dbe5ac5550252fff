// One recorded case, resolved: from its JSON line to the outcome. What folders and versions need once is kept for all.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "cli/case_world.h"
#include "engine/fixes.h"
#include "engine/outcome.h"
#include "engine/runtime.h"
#include "engine/world.h"
#include "flags/given.h"
#include "launch/launch.h"
#include "rules/pack.h"

namespace gonogo {

// A longer line is no case.
inline constexpr std::size_t kMaxCaseBytes = 16u << 20;

struct CaseRun {
  Value input;                 // the line
  std::uint32_t version = 0;   // index among the pack's versions
  std::optional<Given> given;  // absent where the parser refuses
  Outcome outcome;
  std::map<std::string, std::string, std::less<>> env;  // the case's own
  Launch launch;
};

class CaseRunner {
 public:
  // `version` (empty: the one that each case names, else the newest) is for all cases; `models_dir` holds the folders
  // that they name.
  CaseRunner(const Pack& pack, std::string version, std::string models_dir, CaseFolders::Missing missing);

  // Resolves the case in `line`, whose values live until the next one is run. `acted` as in ResolveOptions; it is empty
  // where the parser refuses.
  // With `fixes`, fixes are searched for where the verdict is NO-GO.
  Result<CaseRun> run(std::string_view line, std::vector<bool>* acted = nullptr, Fixes* fixes = nullptr);

  // The id of the case that was run last; None where it had none.
  const Value& id() const { return id_; }

 private:
  Result<std::uint32_t> version_of(const Value& input) const;
  Result<Value> files_of(const Value& input);
  std::optional<Error> fill_world(const Value& input, World* world) const;

  const Pack& pack_;
  std::string version_;
  CaseFolders folders_;
  ClosedHost host_;
  std::vector<std::unique_ptr<Runtime>> runtimes_;
  Arena arena_;
  Value id_;
};

}  // namespace gonogo
