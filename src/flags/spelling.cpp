#include "flags/spelling.h"

#include <algorithm>

namespace gonogo {

Spellings::Spellings(const Pack& pack, std::uint32_t version) : pack_(pack) {
  sorted_.reserve(pack.flags.size() * 2);
  for (std::uint32_t flag = 0; flag < pack.flags.size(); ++flag) {
    if ((pack.flags[flag].versions >> version & 1) == 0) continue;
    for (const StrId id : pack.slice(pack.flags[flag].spellings)) {
      sorted_.push_back({pack.text(id), flag, static_cast<std::uint32_t>(sorted_.size()), id});
    }
  }
  std::sort(sorted_.begin(), sorted_.end(), [](const Entry& a, const Entry& b) { return a.text < b.text; });
}

const Spellings::Entry* Spellings::exact(std::string_view text) const {
  const auto at = std::lower_bound(sorted_.begin(), sorted_.end(), text,
                                   [](const Entry& entry, std::string_view wanted) { return entry.text < wanted; });
  return at != sorted_.end() && at->text == text ? &*at : nullptr;
}

std::vector<const Spellings::Entry*> Spellings::beginning_with(std::string_view prefix) const {
  std::vector<const Entry*> found;
  auto at = std::lower_bound(sorted_.begin(), sorted_.end(), prefix,
                             [](const Entry& entry, std::string_view wanted) { return entry.text < wanted; });
  for (; at != sorted_.end() && at->text.substr(0, prefix.size()) == prefix; ++at) found.push_back(&*at);
  std::sort(found.begin(), found.end(), [](const Entry* a, const Entry* b) { return a->order < b->order; });
  return found;
}

std::uint32_t Spellings::find(std::string_view spelling) const {
  const Entry* entry = exact(spelling);
  return entry == nullptr ? kNoIndex : entry->flag;
}

std::vector<std::string_view> Spellings::shown() const {
  std::vector<const Entry*> entries = beginning_with("");
  std::vector<std::string_view> out;
  for (const Entry* entry : entries) {
    if (!pack_.flags[entry->flag].hidden) out.push_back(entry->text);
  }
  return out;
}

Reading Spellings::read(std::string_view word) const {
  Reading reading;
  if (word == "--") {
    reading.kind = Reading::Kind::kSeparator;
    return reading;
  }
  if (word.empty() || word[0] != '-') return reading;
  const auto meant = [&](const Entry& entry) {
    reading.kind = Reading::Kind::kFlag;
    reading.flag = entry.flag;
    reading.spelling = entry.text;
  };
  if (const Entry* entry = exact(word)) {
    meant(*entry);
    return reading;
  }
  if (word.size() == 1) return reading;
  const std::size_t equals = word.find('=');
  const std::string_view name = word.substr(0, equals);
  const auto with_value = [&](std::string_view value) {
    reading.has_value = true;
    reading.value = value;
  };
  if (equals != std::string_view::npos) {
    if (const Entry* entry = exact(name)) {
      meant(*entry);
      with_value(word.substr(equals + 1));
      return reading;
    }
  }

  std::vector<const Entry*> found;
  const Entry* attached = nullptr;  // -xvalue
  if (word[1] == '-') {
    found = beginning_with(name);
  } else {
    found = beginning_with(word);
    attached = exact(word.substr(0, 2));
    if (attached != nullptr) found.push_back(attached);
  }
  if (found.size() > 1) {
    reading.kind = Reading::Kind::kAmbiguous;
    for (const Entry* entry : found) reading.candidates.push_back(entry->id);
    return reading;
  }
  if (found.size() == 1) {
    meant(*found[0]);
    if (found[0] == attached) {
      with_value(word.substr(2));
    } else if (word[1] == '-' && equals != std::string_view::npos) {
      with_value(word.substr(equals + 1));
    }
    return reading;
  }
  if (looks_like_negative_number(word) || word.find(' ') != std::string_view::npos) return reading;
  reading.kind = Reading::Kind::kUnknown;
  return reading;
}

bool looks_like_negative_number(std::string_view word) {
  if (word.empty() || word[0] != '-') return false;
  word.remove_prefix(1);
  if (!word.empty() && word.back() == '\n') word.remove_suffix(1);  // Python's $ stands before a last line break
  const std::size_t point = word.find('.');
  const std::string_view fraction = point == std::string_view::npos ? word : word.substr(point + 1);
  const auto digits = [](std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  return !fraction.empty() && digits(fraction) && (point == std::string_view::npos || digits(word.substr(0, point)));
}

}  // namespace gonogo
