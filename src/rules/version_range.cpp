#include "rules/version_range.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace gonogo {

namespace {

// Takes the next number off `text`.
long next_part(std::string_view& text) {
  const std::size_t dot = text.find('.');
  const std::string_view part = text.substr(0, dot);
  text = dot == std::string_view::npos ? std::string_view() : text.substr(dot + 1);
  long n = 0;
  for (const char c : part) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0 || n > 1'000'000) break;
    n = n * 10 + (c - '0');
  }
  return n;
}

int compare_versions(std::string_view a, std::string_view b) {
  while (!a.empty() || !b.empty()) {
    const long x = next_part(a);
    const long y = next_part(b);
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

}  // namespace

std::optional<VersionRange> VersionRange::parse(std::string_view text) {
  static constexpr std::array<std::string_view, 6> kOps = {"<=", ">=", "==", "!=", "<", ">"};
  VersionRange range;
  while (true) {
    const std::size_t comma = text.find(',');
    std::string_view term = text.substr(0, comma);
    while (term.starts_with(' ')) term.remove_prefix(1);
    while (term.ends_with(' ')) term.remove_suffix(1);
    const auto* op = std::find_if(kOps.begin(), kOps.end(), [&](auto o) { return term.starts_with(o); });
    if (op == kOps.end()) return std::nullopt;
    term.remove_prefix(op->size());
    while (term.starts_with(' ')) term.remove_prefix(1);
    if (term.empty() || std::isdigit(static_cast<unsigned char>(term[0])) == 0) return std::nullopt;
    range.terms_.push_back({*op, std::string(term)});
    if (comma == std::string_view::npos) return range;
    text = text.substr(comma + 1);
  }
}

bool VersionRange::contains(std::string_view version) const {
  return std::all_of(terms_.begin(), terms_.end(), [&](const Term& t) {
    const int order = compare_versions(version, t.version);
    if (t.op == "<") return order < 0;
    if (t.op == "<=") return order <= 0;
    if (t.op == ">") return order > 0;
    if (t.op == ">=") return order >= 0;
    return t.op == "==" ? order == 0 : order != 0;
  });
}

}  // namespace gonogo
