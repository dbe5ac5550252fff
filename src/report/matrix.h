// A matrix of launches: what was varied, the verdict of every combination, and what decides where it is not GO. All
// formats carry the same facts; cells hold a verdict and the number of a reason, since a million of them may be held.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "engine/outcome.h"

namespace gonogo {

struct MatrixAxis {
  std::string name;                  // "--flag", "gpu", the runtime's name, "NAME"
  std::vector<std::string> values;   // for people: secrets are masked
  std::optional<std::size_t> typed;  // the value that the launch has as it was typed, where it is one of these
};

struct MatrixCell {
  Verdict verdict = Verdict::kUnknown;
  std::uint32_t reason = kNoIndex;  // in Matrix::reasons; none of a GO
};

struct MatrixReason {
  Verdict verdict = Verdict::kNoGo;
  std::string rule;       // the id of the rule that refuses first, or "argparse"; empty of an UNKNOWN
  std::string text;       // what its message says of the first cell with it; of an UNKNOWN what to supply
  std::size_t cells = 0;  // how many it decides
};

struct Matrix {
  std::string runtime;
  std::string rules_hash;
  std::string command;  // the launch as it was typed, secrets masked
  std::vector<MatrixAxis> axes;
  std::vector<MatrixCell> cells;      // the last axis varies fastest
  std::vector<MatrixReason> reasons;  // in the order in which cells meet them
  std::size_t go = 0;
  std::size_t no_go = 0;
  std::size_t unknown = 0;
  std::optional<std::size_t> closest;  // the GO cell that is nearest to what was typed
  std::size_t changes = 0;             // by how many axes it differs from it

  // Which value of each axis a cell has.
  std::vector<std::size_t> at(std::size_t cell) const;
};

// Counts the cells and those of each reason, and finds the closest GO: the fewest axes that differ from what was typed,
// then the nearest values, then the first.
void sum_up(Matrix* matrix);

// "--flag value, gpu b200x8": where a cell stands; of `changed` only what differs from what was typed.
std::string place_text(const Matrix& matrix, std::size_t cell, bool changed = false);

// "GO 3, NO-GO 5, UNKNOWN 1"
std::string matrix_counts(const Matrix& matrix);

// A grid of two axes, else a row a cell; then what decides, and the closest GO. Lines stay within `width` columns where
// the values allow it.
std::string matrix_to_text(const Matrix& matrix, bool color, std::size_t width);

// The other formats, written as they go.
void matrix_to_json(const Matrix& matrix, int exit_code, std::ostream& out);
void matrix_to_csv(const Matrix& matrix, std::ostream& out);
void matrix_to_markdown(const Matrix& matrix, std::ostream& out);
// One page that needs nothing else: rows sort by a click on a column and filter by what is typed or chosen.
void matrix_to_html(const Matrix& matrix, std::ostream& out);

}  // namespace gonogo
