#include "engine/fix_set.h"

#include <algorithm>
#include <vector>

namespace gonogo {

bool same_target(const FixChange& a, const FixChange& b) { return a.kind == b.kind && a.target == b.target; }

bool same_change(const FixChange& a, const FixChange& b) { return same_target(a, b) && identical(a.value, b.value); }

namespace {

bool holds(const Fix& fix, const FixChange& change) {
  return std::any_of(fix.begin(), fix.end(), [&](const FixChange& c) { return same_change(c, change); });
}

}  // namespace

bool includes(const Fix& fix, const Fix& part) {
  return std::all_of(part.begin(), part.end(), [&](const FixChange& c) { return holds(fix, c); });
}

bool clash(const Fix& a, const Fix& b) {
  return std::any_of(a.begin(), a.end(), [&](const FixChange& x) {
    return std::any_of(b.begin(), b.end(), [&](const FixChange& y) { return same_target(x, y); });
  });
}

Fix joined(Fix a, const Fix& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::string key_of(const Fix& fix) {
  std::vector<std::string> parts;
  for (const FixChange& c : fix) {
    parts.push_back(std::to_string(static_cast<int>(c.kind)) + ":" + std::to_string(c.target) + "=" + to_repr(c.value));
  }
  std::sort(parts.begin(), parts.end());
  std::string out;
  for (const std::string& part : parts) out += part + "\n";
  return out;
}

}  // namespace gonogo
