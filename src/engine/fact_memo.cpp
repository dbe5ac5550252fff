#include "engine/fact_memo.h"

#include <algorithm>
#include <utility>

namespace gonogo {

namespace {

constexpr std::size_t kMostOfAName = 16;
constexpr std::uint32_t kFewItems = 16;

}  // namespace

void FactMemo::Reads::add(const Read& read) {
  const auto again = [&](const Read& r) { return r.word == read.word; };
  if (std::none_of(reads_.begin(), reads_.end(), again)) reads_.push_back(read);
}

void FactMemo::keep(Name name, Known known) {
  if (known_[name].size() < kMostOfAName) known_[name].push_back(std::move(known));
}

void FactMemo::clear() {
  for (std::vector<Known>& known : known_) known.clear();
}

bool FactMemo::same(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return false;
  if (a.is_dict()) return a.size() == b.size() && a.entries() == b.entries();
  if (a.is_sequence() && a.size() > kFewItems) return a.size() == b.size() && a.items() == b.items();
  if (a.is_error()) return a.error_kind() == b.error_kind() && a.as_str() == b.as_str();
  return identical(a, b);
}

}  // namespace gonogo
