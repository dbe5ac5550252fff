// Every combination of some axes, checked. Axes that change what surrounds a launch (GPUs, version, environment, which
// model) part the combinations into groups, each with a world of its own; within a group only fields differ, whose
// values are parsed once. Workers take groups, or ranges of a large one, and share nothing.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "base/result.h"
#include "cli/axis.h"
#include "cli/session.h"
#include "report/matrix.h"

namespace gonogo {

struct SweepOptions {
  SessionOptions session;  // with its launch
  std::vector<Axis> axes;
  std::size_t workers = 1;
  bool each_alone = false;  // check every launch as `gonogo check` does: slow, to compare with
};

struct Swept {
  std::vector<MatrixCell> cells;  // the last axis varies fastest
  std::vector<MatrixReason> reasons;
};

// What to check for a cell: the session's options with the values of its axes.
SessionOptions options_of(const SweepOptions& sweep, const Pack& pack, std::size_t cell);

// Checks them all. `progress`, where given, is told how many are done, a few times a second.
Result<Swept> sweep(const SweepOptions& options, const Pack& pack, const std::function<void(std::size_t)>& progress);

}  // namespace gonogo
