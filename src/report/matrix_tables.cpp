// A matrix for machines and for documents: JSON (docs/matrix.schema.json), CSV (RFC 4180) and Markdown.
#include <algorithm>
#include <ostream>

#include "report/json_writer.h"
#include "report/matrix.h"
#include "report/report.h"

namespace gonogo {

namespace {

constexpr int kFormatVersion = 1;

std::string_view rule_of_cell(const Matrix& matrix, const MatrixCell& cell) {
  return cell.reason == kNoIndex ? std::string_view() : matrix.reasons[cell.reason].rule;
}
std::string_view text_of_cell(const Matrix& matrix, const MatrixCell& cell) {
  return cell.reason == kNoIndex ? std::string_view() : matrix.reasons[cell.reason].text;
}

// A field of CSV: quoted where it has to be. What a spreadsheet would run as a formula is no text of ours to begin
// with.
std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string markdown_cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string markdown_code(std::string_view text) {
  // A backtick can't be escaped inside of code; a text with one stands as it is.
  return text.find('`') == std::string_view::npos ? "`" + markdown_cell(text) + "`" : markdown_cell(text);
}

std::string markdown_verdict(const MatrixCell& cell) {
  std::string out(verdict_word(cell.verdict));
  if (cell.verdict == Verdict::kGo) return "**" + out + "**";
  return cell.reason == kNoIndex ? out : out + " " + std::to_string(cell.reason + 1);
}

class MatrixJson : private JsonWriter {
 public:
  std::string head(const Matrix& m, int exit_code) {
    open('{');
    number("format_version", kFormatVersion);
    number("exit_code", exit_code);
    open("runtime", '{');
    text("name", m.runtime);
    text("rules_hash", m.rules_hash);
    close('}');
    text("command", m.command);
    open("axes", '[');
    for (const MatrixAxis& axis : m.axes) {
      open('{');
      text("name", axis.name);
      list("values", axis.values);
      if (axis.typed) {
        number("typed", static_cast<std::int64_t>(*axis.typed));
      } else {
        null("typed");
      }
      close('}');
    }
    close(']');
    open("counts", '{');
    number("go", static_cast<std::int64_t>(m.go));
    number("no_go", static_cast<std::int64_t>(m.no_go));
    number("unknown", static_cast<std::int64_t>(m.unknown));
    close('}');
    open("reasons", '[');
    for (const MatrixReason& reason : m.reasons) {
      open('{');
      text("verdict", verdict_word(reason.verdict));
      if (reason.rule.empty()) {
        null("rule");
      } else {
        text("rule", reason.rule);
      }
      text("text", reason.text);
      number("cells", static_cast<std::int64_t>(reason.cells));
      close('}');
    }
    close(']');
    if (m.closest) {
      number("closest", static_cast<std::int64_t>(*m.closest));
      number("changes", static_cast<std::int64_t>(m.changes));
    } else {
      null("closest");
      null("changes");
    }
    return take();
  }
};

}  // namespace

void matrix_to_json(const Matrix& matrix, int exit_code, std::ostream& out) {
  out << MatrixJson().head(matrix, exit_code) << ",\"cells\":[";
  for (std::size_t i = 0; i < matrix.cells.size(); ++i) {
    const MatrixCell& cell = matrix.cells[i];
    out << (i == 0 ? "\n" : ",\n") << "{\"at\":[";
    const auto at = matrix.at(i);
    for (std::size_t a = 0; a < at.size(); ++a) out << (a == 0 ? "" : ",") << at[a];
    out << "],\"verdict\":\"" << verdict_word(cell.verdict) << "\",\"reason\":";
    if (cell.reason == kNoIndex) {
      out << "null}";
    } else {
      out << cell.reason << '}';
    }
  }
  out << "]}\n";
}

void matrix_to_csv(const Matrix& matrix, std::ostream& out) {
  for (const MatrixAxis& axis : matrix.axes) out << csv_field(axis.name) << ',';
  out << "verdict,rule,reason\r\n";
  for (std::size_t i = 0; i < matrix.cells.size(); ++i) {
    const MatrixCell& cell = matrix.cells[i];
    const auto at = matrix.at(i);
    for (std::size_t a = 0; a < at.size(); ++a) out << csv_field(matrix.axes[a].values[at[a]]) << ',';
    out << verdict_word(cell.verdict) << ',' << csv_field(rule_of_cell(matrix, cell)) << ','
        << csv_field(text_of_cell(matrix, cell)) << "\r\n";
  }
}

void matrix_to_markdown(const Matrix& matrix, std::ostream& out) {
  out << "**" << matrix.cells.size() << " launches of " << markdown_cell(matrix.runtime)
      << "**: " << matrix_counts(matrix) << "\n\n```\n"
      << matrix.command << "\n```\n\n";
  const auto& axes = matrix.axes;
  if (axes.size() == 2) {
    out << "| " << markdown_code(axes[0].name) << " \\ " << markdown_code(axes[1].name) << " |";
    for (const std::string& value : axes[1].values) out << ' ' << markdown_code(value) << " |";
    out << "\n|---|";
    for (std::size_t c = 0; c < axes[1].values.size(); ++c) out << "---|";
    out << '\n';
    for (std::size_t i = 0; i < matrix.cells.size(); ++i) {
      const std::size_t columns = axes[1].values.size();
      if (i % columns == 0) out << "| " << markdown_code(axes[0].values[i / columns]) << " |";
      out << ' ' << markdown_verdict(matrix.cells[i]) << " |" << (i % columns == columns - 1 ? "\n" : "");
    }
  } else {
    out << '|';
    for (const MatrixAxis& axis : axes) out << ' ' << markdown_code(axis.name) << " |";
    out << " verdict |\n|";
    for (std::size_t a = 0; a <= axes.size(); ++a) out << "---|";
    out << '\n';
    for (std::size_t i = 0; i < matrix.cells.size(); ++i) {
      out << '|';
      const auto at = matrix.at(i);
      for (std::size_t a = 0; a < at.size(); ++a) out << ' ' << markdown_code(axes[a].values[at[a]]) << " |";
      out << ' ' << markdown_verdict(matrix.cells[i]) << " |\n";
    }
  }
  if (!matrix.reasons.empty()) out << "\n| | what decides | rule | launches |\n|---|---|---|---|\n";
  for (std::size_t i = 0; i < matrix.reasons.size(); ++i) {
    const MatrixReason& reason = matrix.reasons[i];
    out << "| " << i + 1 << " | " << markdown_cell(reason.text) << " | "
        << (reason.rule.empty() ? "" : markdown_code(reason.rule)) << " | " << reason.cells << " |\n";
  }
  out << '\n';
  if (!matrix.closest) {
    out << "None of them is GO.\n";
  } else if (matrix.changes == 0) {
    out << "What was typed is GO.\n";
  } else {
    out << "Closest to what was typed: " << markdown_code(place_text(matrix, *matrix.closest, true)) << "\n";
  }
}

}  // namespace gonogo
