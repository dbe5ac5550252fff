// A matrix for a terminal.
#include <algorithm>

#include "base/text.h"
#include "report/matrix.h"
#include "report/report.h"

namespace gonogo {

namespace {

constexpr std::size_t kMostRows = 500;    // of a table that is no grid
constexpr std::size_t kMostReasons = 40;  // each takes a line or two
constexpr std::size_t kGap = 2;           // between columns

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t size = code_points(text);
  return text + std::string(size < width ? width - size : 0, ' ');
}

class MatrixText {
 public:
  MatrixText(const Matrix& matrix, bool color, std::size_t width) : m_(matrix), color_(color), width_(width) {}

  std::string run() {
    out_ = m_.runtime + ", " + std::to_string(m_.cells.size()) + " launches: " + matrix_counts(m_) + "\n\n";
    if (m_.axes.size() == 2) {
      grid();
    } else {
      rows();
    }
    legend();
    closest();
    return std::move(out_);
  }

 private:
  // What a cell says: the verdict and, where it is not GO, the number of its reason.
  std::string word(const MatrixCell& cell) const {
    std::string out(verdict_word(cell.verdict));
    if (cell.reason != kNoIndex) out += " " + std::to_string(cell.reason + 1);
    return out;
  }
  std::string painted_cell(const MatrixCell& cell, std::size_t width) const {
    const char* code = cell.verdict == Verdict::kGo ? "32" : cell.verdict == Verdict::kNoGo ? "31" : "33";
    const std::string text = word(cell);
    return painted(text, code, color_) + std::string(width > text.size() ? width - text.size() : 0, ' ');
  }

  const MatrixCell& cell(std::size_t down, std::size_t across, bool swapped) const {
    if (swapped) std::swap(down, across);
    return m_.cells[down * m_.axes[1].values.size() + across];
  }

  // The width of each column of a grid whose columns are the values of `across`.
  std::vector<std::size_t> column_widths(const MatrixAxis& down, const MatrixAxis& across, bool swapped) const {
    std::vector<std::size_t> out;
    for (std::size_t c = 0; c < across.values.size(); ++c) {
      std::size_t width = code_points(across.values[c]);
      for (std::size_t r = 0; r < down.values.size(); ++r) width = std::max(width, word(cell(r, c, swapped)).size());
      out.push_back(width);
    }
    return out;
  }

  static std::size_t widest(const MatrixAxis& axis) {
    std::size_t out = code_points(axis.name);
    for (const std::string& value : axis.values) out = std::max(out, code_points(value));
    return out;
  }

  static std::size_t total(const MatrixAxis& down, const std::vector<std::size_t>& columns) {
    std::size_t out = widest(down);
    for (const std::size_t width : columns) out += kGap + width;
    return out;
  }

  // The first axis goes down, unless only the other way round fits; what does not fit either way is cut into blocks.
  void grid() {
    const auto across_second = column_widths(m_.axes[0], m_.axes[1], false);
    const auto across_first = column_widths(m_.axes[1], m_.axes[0], true);
    const bool swapped = total(m_.axes[0], across_second) > width_ && total(m_.axes[1], across_first) <= width_;
    const MatrixAxis& down = m_.axes[swapped ? 1 : 0];
    const MatrixAxis& across = m_.axes[swapped ? 0 : 1];
    const auto& columns = swapped ? across_first : across_second;
    const std::size_t head = widest(down);
    for (std::size_t first = 0; first < columns.size();) {
      std::size_t last = first, used = head;
      do {
        used += kGap + columns[last++];
      } while (last < columns.size() && used + kGap + columns[last] <= width_);
      out_ += std::string(head + kGap, ' ') + across.name + "\n" + padded(down.name, head);
      for (std::size_t c = first; c < last; ++c) append(padded(across.values[c], columns[c]));
      end_line();
      for (std::size_t r = 0; r < down.values.size(); ++r) {
        out_ += padded(down.values[r], head);
        for (std::size_t c = first; c < last; ++c) append(painted_cell(cell(r, c, swapped), columns[c]));
        end_line();
      }
      out_ += '\n';
      first = last;
    }
  }

  void rows() {
    std::vector<std::size_t> widths;
    for (const MatrixAxis& axis : m_.axes) {
      widths.push_back(widest(axis));
      out_ += padded(axis.name, widths.back()) + std::string(kGap, ' ');
    }
    end_line();
    const std::size_t shown = std::min(m_.cells.size(), kMostRows);
    for (std::size_t i = 0; i < shown; ++i) {
      const auto at = m_.at(i);
      for (std::size_t a = 0; a < at.size(); ++a) {
        out_ += padded(m_.axes[a].values[at[a]], widths[a]) + std::string(kGap, ' ');
      }
      out_ += painted_cell(m_.cells[i], 0) + "\n";
    }
    if (shown < m_.cells.size()) {
      out_ += "… and " + std::to_string(m_.cells.size() - shown) + " more (--format csv has all)\n";
    }
    out_ += '\n';
  }

  void append(const std::string& text) { out_ += std::string(kGap, ' ') + text; }
  void end_line() {
    out_.erase(out_.find_last_not_of(' ') + 1);
    out_ += '\n';
  }

  void legend() {
    if (m_.reasons.empty()) return;
    out_ += "What decides:\n";
    for (std::size_t i = 0; i < m_.reasons.size() && i < kMostReasons; ++i) {
      const MatrixReason& reason = m_.reasons[i];
      const std::string number = std::to_string(i + 1);
      const std::string mark = "  " + std::string(number.size() < 3 ? 3 - number.size() : 0, ' ') + number + "  ";
      out_ += mark +
              wrapped(reason.text + (reason.rule.empty() ? "" : " [" + reason.rule + "]") + " (" +
                          std::to_string(reason.cells) + ")",
                      mark.size()) +
              "\n";
    }
    if (m_.reasons.size() > kMostReasons) {
      out_ += "  … and " + std::to_string(m_.reasons.size() - kMostReasons) + " more (--format json has all)\n";
    }
    out_ += '\n';
  }

  void closest() {
    if (!m_.closest) {
      out_ += "None of them is GO.\n";
    } else if (m_.changes == 0) {
      out_ += "What was typed is GO.\n";
    } else {
      out_ += "Closest to what was typed: " + wrapped(place_text(m_, *m_.closest, true), 2) + "\n";
    }
  }

  const Matrix& m_;
  const bool color_;
  const std::size_t width_;
  std::string out_;
};

}  // namespace

std::string matrix_to_text(const Matrix& matrix, bool color, std::size_t width) {
  return MatrixText(matrix, color, width).run();
}

}  // namespace gonogo
