// `gonogo matrix`: one launch under every combination of some flags, GPUs, versions and variables.
#include "report/matrix.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>
#include <ostream>
#include <thread>

#include "cli/axis_values.h"
#include "cli/commands.h"
#include "cli/sweep.h"
#include "report/report.h"

namespace gonogo {

namespace {

constexpr std::size_t kLongSweep = 2000;  // launches, from which on progress is told
constexpr std::size_t kLeastWidth = 40;

std::size_t terminal_width() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return std::max<std::size_t>(size.ws_col, kLeastWidth);
  const char* columns = std::getenv("COLUMNS");
  const long width = columns != nullptr ? std::strtol(columns, nullptr, 10) : 0;
  return width > 0 ? std::max<std::size_t>(static_cast<std::size_t>(width), kLeastWidth) : kReportWidth;
}

std::optional<std::size_t> typed_flag(const Pack& pack, const Session& typed, const Axis& axis) {
  if (!typed.given) return std::nullopt;
  Arena arena;
  const auto values = parse_values(pack, typed.version.index, typed.launch, axis, arena);
  std::optional<std::size_t> same_value;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].refusal || !identical(values[i].value, typed.given->value(axis.field))) continue;
    if (values[i].typed == typed.given->typed(axis.field)) return i;
    if (!same_value) same_value = i;
  }
  return same_value;
}

std::optional<std::string> env_of(const Launch& launch, const std::string& name) {
  for (auto set = launch.env.rbegin(); set != launch.env.rend(); ++set) {
    if (set->first == name) return set->second;
  }
  const bool hidden = launch.clear_env || std::count(launch.unset.begin(), launch.unset.end(), name) > 0;
  const char* outer = hidden ? nullptr : std::getenv(name.c_str());
  return outer != nullptr ? std::optional<std::string>(outer) : std::nullopt;
}

// Which of an axis's values the launch has as it was typed.
std::optional<std::size_t> typed_value(const Pack& pack, const Session& typed, const Axis& axis) {
  if (axis.kind == Axis::Kind::kFlag) return typed_flag(pack, typed, axis);
  for (std::size_t i = 0; i < axis.values.size(); ++i) {
    const AxisValue& value = axis.values[i];
    if (axis.kind == Axis::Kind::kVersion && value.text == pack.version(typed.version.index)) return i;
    if (axis.kind == Axis::Kind::kEnv) {
      const auto now = env_of(typed.launch, axis.name);
      if (value.unset ? !now : now == value.text) return i;
    }
    if (axis.kind == Axis::Kind::kGpu && typed.nodes.size() == 1) {
      const auto set = gpus_of_option(value.text, pack);
      if (set && set->text() == typed.nodes[0].text()) return i;
    }
  }
  return std::nullopt;
}

ExitStatus status_of(const Matrix& matrix, const MatrixOptions& options) {
  if (options.any && matrix.go > 0) return ExitStatus::kGo;
  if (options.any ? matrix.unknown == 0 : matrix.no_go > 0) return ExitStatus::kNoGo;
  return matrix.unknown > 0 && options.check.strict ? ExitStatus::kUnknown : ExitStatus::kGo;
}

void print(const Matrix& matrix, const MatrixOptions& options, ExitStatus status, std::ostream& out) {
  const std::string& format = options.check.format;
  if (format == "json") {
    matrix_to_json(matrix, static_cast<int>(status), out);
  } else if (format == "csv") {
    matrix_to_csv(matrix, out);
  } else if (format == "markdown") {
    matrix_to_markdown(matrix, out);
  } else if (format == "html") {
    matrix_to_html(matrix, out);
  } else {
    out << matrix_to_text(matrix, use_color(options.check.color), terminal_width());
  }
}

}  // namespace

ExitStatus matrix_command(const MatrixOptions& options, Streams io) {
  std::vector<Error> errors;
  std::string blob;
  auto pack = load_pack(options.check.session.rules, &blob, &errors);
  if (!pack) return report_failure(pack.error(), errors, io);
  auto axes = read_axes(*pack, options.vary);
  if (!axes) return report_error(axes.error(), io);
  auto launch = read_command(*pack, options.check.session.command);
  if (!launch) return report_error(launch.error(), io);

  SweepOptions all;
  all.session = options.check.session;
  all.session.launch = *launch;
  all.axes = std::move(*axes);
  all.workers = options.workers > 0 ? options.workers : std::max(1u, std::thread::hardware_concurrency());

  Matrix matrix;
  matrix.runtime = pack->text(pack->about->name);
  matrix.rules_hash = pack->hash();
  if (!launch->sources.empty()) matrix.command = launch->sources.front().text;
  const auto typed = check_launch(*pack, all.session);
  std::size_t cells = 1;
  for (const Axis& axis : all.axes) {
    MatrixAxis& shown = matrix.axes.emplace_back();
    shown.name = axis.name;
    for (std::size_t i = 0; i < axis.values.size(); ++i) shown.values.push_back(shown_value(*pack, axis, i));
    // A launch that can't be checked as it was typed may have its cause among what is varied.
    if (typed) shown.typed = typed_value(*pack, **typed, axis);
    cells *= axis.values.size();
  }

  std::function<void(std::size_t)> progress;
  if (cells >= kLongSweep && isatty(STDERR_FILENO) == 1) {
    progress = [&io, cells](std::size_t done) {
      io.err << '\r' << done << " of " << cells << " launches" << (done == cells ? "\r\033[K" : "") << std::flush;
    };
  }
  auto swept = sweep(all, *pack, progress);
  if (!swept) return report_error(swept.error(), io);
  matrix.cells = std::move(swept->cells);
  matrix.reasons = std::move(swept->reasons);
  sum_up(&matrix);
  const ExitStatus status = status_of(matrix, options);
  print(matrix, options, status, io.out);
  return status;
}

}  // namespace gonogo
