#include "report/matrix.h"

#include <algorithm>
#include <utility>

namespace gonogo {

namespace {

// How far a cell is from what was typed: axes that differ, then the steps between the values of these.
std::pair<std::size_t, std::size_t> distance(const Matrix& matrix, std::size_t cell) {
  std::pair<std::size_t, std::size_t> out{0, 0};
  const auto at = matrix.at(cell);
  for (std::size_t i = 0; i < at.size(); ++i) {
    const auto typed = matrix.axes[i].typed;
    if (typed && *typed == at[i]) continue;
    ++out.first;
    if (typed) out.second += std::max(*typed, at[i]) - std::min(*typed, at[i]);
  }
  return out;
}

}  // namespace

std::vector<std::size_t> Matrix::at(std::size_t cell) const {
  std::vector<std::size_t> out(axes.size());
  for (std::size_t i = axes.size(); i-- > 0;) {
    out[i] = cell % axes[i].values.size();
    cell /= axes[i].values.size();
  }
  return out;
}

void sum_up(Matrix* matrix) {
  matrix->go = matrix->no_go = matrix->unknown = 0;
  matrix->closest.reset();
  std::pair<std::size_t, std::size_t> nearest;
  for (std::size_t i = 0; i < matrix->cells.size(); ++i) {
    const MatrixCell& cell = matrix->cells[i];
    if (cell.reason != kNoIndex) ++matrix->reasons[cell.reason].cells;
    if (cell.verdict != Verdict::kGo) {
      ++(cell.verdict == Verdict::kNoGo ? matrix->no_go : matrix->unknown);
      continue;
    }
    ++matrix->go;
    const auto far = distance(*matrix, i);
    if (matrix->closest && !(far < nearest)) continue;
    matrix->closest = i;
    nearest = far;
  }
  matrix->changes = matrix->closest ? nearest.first : 0;
}

std::string place_text(const Matrix& matrix, std::size_t cell, bool changed) {
  std::string out;
  const auto at = matrix.at(cell);
  for (std::size_t i = 0; i < at.size(); ++i) {
    const MatrixAxis& axis = matrix.axes[i];
    if (changed && axis.typed && *axis.typed == at[i]) continue;
    out += (out.empty() ? "" : ", ") + axis.name + " " + axis.values[at[i]];
  }
  return out;
}

std::string matrix_counts(const Matrix& matrix) {
  std::string out;
  const auto add = [&out](std::size_t count, Verdict verdict) {
    static constexpr const char* kWords[] = {"GO ", "NO-GO ", "UNKNOWN "};
    if (count > 0)
      out += (out.empty() ? "" : ", ") + std::string(kWords[static_cast<int>(verdict)]) + std::to_string(count);
  };
  add(matrix.go, Verdict::kGo);
  add(matrix.no_go, Verdict::kNoGo);
  add(matrix.unknown, Verdict::kUnknown);
  return out;
}

}  // namespace gonogo
