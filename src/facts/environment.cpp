#include "facts/environment.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace gonogo {

namespace {

using Assignments = Environment::Assignments;

bool by_name(const Assignments::value_type& a, const Assignments::value_type& b) { return a.first < b.first; }

Assignments sorted(Assignments list) {
  std::stable_sort(list.begin(), list.end(), by_name);
  Assignments out;
  for (auto& item : list) {
    if (!out.empty() && out.back().first == item.first) out.pop_back();
    out.push_back(std::move(item));
  }
  return out;
}

const std::optional<std::string>* find(const Assignments& list, std::string_view name) {
  const auto it = std::lower_bound(list.begin(), list.end(), name,
                                   [](const auto& item, std::string_view wanted) { return item.first < wanted; });
  return it != list.end() && it->first == name ? &it->second : nullptr;
}

}  // namespace

Environment::Environment(Assignments launch, Below below)
    : launch_(sorted(std::move(launch))), process_(below == Below::kProcess) {}

Environment Environment::over(Assignments caller, Assignments launch) {
  Environment out(std::move(launch), Below::kNothing);
  out.caller_ = sorted(std::move(caller));
  return out;
}

std::optional<std::string> Environment::get(std::string_view name) const {
  if (const auto* value = find(launch_, name)) return *value;
  if (const auto* value = find(caller_, name)) return *value;
  if (process_) {
    if (const char* value = std::getenv(std::string(name).c_str())) return value;
  }
  return std::nullopt;
}

bool Environment::from_launch(std::string_view name) const { return find(launch_, name) != nullptr; }

std::vector<std::string> Environment::names() const {
  std::vector<std::string> out;
  const auto add = [&](std::string_view name) {
    if (get(name)) out.emplace_back(name);
  };
  for (const auto& item : launch_) add(item.first);
  for (const auto& item : caller_) add(item.first);
  if (process_) {
    for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
      const std::string_view line = *at;
      add(line.substr(0, line.find('=')));
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace gonogo
