// `gonogo batch`: recorded cases in, answers out, one JSON line each, in order.
#pragma once

#include <iosfwd>
#include <string>

#include "base/result.h"
#include "rules/pack.h"

namespace gonogo {

struct BatchOptions {
  std::string version;     // empty: the value under the pack's name in each case, else the newest
  std::string models_dir;  // where folders named by cases lie
  bool fixes = false;      // search fixes, and answer with them
};

// Reads cases from `in` until its end. An answer that can't be given is a line with "error"; the result says whether
// there was one.
Result<bool> run_batch(const Pack& pack, const BatchOptions& options, std::istream& in, std::ostream& out);

}  // namespace gonogo
