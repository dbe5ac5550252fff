// A plan as text: a bar of the GPU's memory, a table of its parts, and what fits.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "report/plan.h"

namespace gonogo {

namespace {

constexpr std::size_t kBarWidth = 60;
constexpr std::array<const char*, 6> kColors = {"34", "36", "32", "33", "35", "31"};
// One letter a part where there is no colour to tell them apart.
constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

double number_of(const Value& v) { return v.is_number() ? std::max(0.0, v.as_double()) : 0; }

std::string grouped(std::int64_t n) {
  std::string digits = std::to_string(n);
  for (std::size_t at = digits.size(); at > (n < 0 ? 4u : 3u);) digits.insert(at -= 3, ",");
  return digits;
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

std::string value_text(const Value& v) {
  if (v.is_none() || v.is_unknown()) return "not known";
  return v.is_integral() && !v.is(Kind::kBool) ? grouped(v.as_int()) : to_str(v);
}

std::string size_of(const Value& v) { return v.is_number() ? size_text(v.as_double()) : "not known"; }

class PlanText {
 public:
  PlanText(const ReportInput& input, const Plan& plan, bool color) : in_(input), plan_(plan), color_(color) {}

  std::string run() {
    out_ += "estimate for each GPU of " + nodes_text(in_.nodes) + ", " +
            std::string(in_.pack.text(in_.pack.about->name)) + " " + std::string(in_.pack.version(in_.version.index)) +
            "\n";
    if (!plan_.known()) {
      out_ += "\n  the memory of this model is not known: its class, its files or the GPUs are missing\n";
      return std::move(out_);
    }
    measure();
    bar();
    parts();
    figures();
    concurrency();
    refusals();
    return std::move(out_);
  }

 private:
  void measure() {
    for (const PlanRow& row : plan_.parts) name_width_ = std::max(name_width_, row.name.size());
    for (const PlanRow& row : plan_.sizes) name_width_ = std::max(name_width_, row.name.size());
    for (const PlanRow& row : plan_.figures) name_width_ = std::max(name_width_, row.name.size());
  }

  // Each part's share of the bar, by its cumulated bytes, so that rounding never adds up to more than the whole.
  void bar() {
    const double total = std::max(static_cast<double>(*plan_.memory), sum());
    std::string cells;
    double seen = 0;
    std::size_t filled = 0;
    for (std::size_t i = 0; i < plan_.parts.size(); ++i) {
      seen += number_of(plan_.parts[i].value);
      const auto end = static_cast<std::size_t>(std::lround(seen / total * kBarWidth));
      const std::string block(end - filled, color_ ? '#' : kLetters[i % kLetters.size()]);
      if (!block.empty()) cells += painted(block, kColors[i % kColors.size()], color_);
      filled = end;
    }
    cells += std::string(kBarWidth - filled, '.');
    const auto limit = static_cast<std::size_t>(std::lround(static_cast<double>(*plan_.memory) / total * kBarWidth));
    out_ += "\n  [" + cells + "]  " + size_text(static_cast<double>(*plan_.memory)) + "\n";
    if (limit < kBarWidth) out_ += "   " + std::string(limit, ' ') + "^ the memory of the GPU ends here\n";
    out_ += '\n';
  }

  double sum() const {
    double total = 0;
    for (const PlanRow& row : plan_.parts) total += number_of(row.value);
    return total;
  }

  void parts() {
    for (std::size_t i = 0; i < plan_.parts.size(); ++i) {
      const PlanRow& row = plan_.parts[i];
      if (row.value.is_number() && row.value.as_double() == 0) continue;
      const std::string mark(1, color_ ? '#' : kLetters[i % kLetters.size()]);
      line(painted(mark, kColors[i % kColors.size()], color_) + " ", row.name, size_of(row.value),
           share(number_of(row.value)));
    }
    const auto left = static_cast<double>(*plan_.left);
    line(". ", left < 0 ? "missing" : "left", size_text(std::abs(left)), share(std::abs(left)));
  }

  std::string share(double bytes) const {
    char text[16];
    std::snprintf(text, sizeof text, "%5.1f %%", 100 * bytes / static_cast<double>(*plan_.memory));
    return text;
  }

  void line(const std::string& mark, const std::string& name, const std::string& value, const std::string& more = "") {
    out_ += "  " + mark + padded(name, name_width_) + "  " +
            std::string(value.size() < 12 ? 12 - value.size() : 0, ' ') + value + (more.empty() ? "" : "  " + more) +
            "\n";
  }

  void figures() {
    if (!plan_.sizes.empty() || !plan_.figures.empty()) out_ += '\n';
    for (const PlanRow& row : plan_.sizes) {
      if (!row.value.is_none()) line("  ", row.name, size_of(row.value));
    }
    for (const PlanRow& row : plan_.figures) {
      if (!row.value.is_none()) line("  ", row.name, value_text(row.value));
    }
  }

  void concurrency() {
    if (!plan_.concurrency.empty()) out_ += '\n';
    for (const Concurrency& row : plan_.concurrency) {
      out_ += "  requests of " + grouped(row.length) +
              " tokens at once: " + (row.requests ? grouped(*row.requests) : std::string("not known")) + "\n";
    }
  }

  void refusals() {
    for (const Finding& f : in_.outcome.findings) {
      if (f.kind != Action::kFail || !f.certain || f.behind_failure) continue;
      out_ += "\n" + verdict_text(Verdict::kNoGo, color_) + "  " +
              wrapped(f.message + " [" + std::string(rule_of(in_.pack, f)) + "]", 7) + "\n";
    }
  }

  const ReportInput& in_;
  const Plan& plan_;
  const bool color_;
  std::string out_;
  std::size_t name_width_ = 0;
};

}  // namespace

std::string size_text(double bytes) {
  constexpr std::array<std::pair<double, const char*>, 3> kUnits = {
      {{1024.0 * 1024 * 1024, "GiB"}, {1024.0 * 1024, "MiB"}, {1024.0, "KiB"}}};
  char text[32];
  for (const auto& [unit, name] : kUnits) {
    if (std::abs(bytes) < unit) continue;
    std::snprintf(text, sizeof text, "%.1f %s", bytes / unit, name);
    return text;
  }
  std::snprintf(text, sizeof text, "%.0f bytes", bytes);
  return text;
}

std::string plan_to_text(const ReportInput& input, const Plan& plan, bool color) {
  return PlanText(input, plan, color).run();
}

}  // namespace gonogo
