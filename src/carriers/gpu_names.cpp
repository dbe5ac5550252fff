#include "carriers/gpu_names.h"

#include <algorithm>
#include <cctype>

#include "carriers/recipe.h"

namespace gonogo {

namespace {

// Letters and digits, in lower case, in runs.
std::vector<std::string> parts_of(std::string_view label) {
  std::vector<std::string> out;
  bool open = false;
  for (const char c : label) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) {
      open = false;
      continue;
    }
    if (!open) out.emplace_back();
    open = true;
    out.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) out += part;
  return out;
}

// Whether neighbouring parts make up `key`.
bool holds(const std::vector<std::string>& parts, std::string_view key) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::string run;
    for (std::size_t j = i; j < parts.size() && run.size() < key.size(); ++j) {
      run += parts[j];
      if (run == key) return true;
    }
  }
  return false;
}

}  // namespace

GpuNames::GpuNames(const Pack& pack, std::vector<std::pair<std::string, std::string>> more)
    : pack_(pack), more_(std::move(more)), table_(pack_table(pack, "gpu_products", arena_)) {}

std::string GpuNames::profile(std::string_view label) const {
  const std::vector<std::string> parts = parts_of(label);
  const std::string whole = joined(parts);
  for (const auto& [name, key] : more_) {
    if (joined(parts_of(name)) == whole) return key;
  }
  for (std::uint32_t i = 0; table_.is_dict() && i < table_.size(); ++i) {
    const Entry& entry = table_.entries()[i];
    if (!entry.key.is_str() || joined(parts_of(entry.key.as_str())) != whole) continue;
    return entry.value.is_str() ? std::string(entry.value.as_str()) : std::string();
  }
  // A part of a GPU is no GPU of that kind.
  if (std::find(parts.begin(), parts.end(), "mig") != parts.end()) return {};
  std::string found;
  for (const GpuRec& gpu : pack_.gpus) {
    const std::string key(pack_.text(gpu.key));
    if (joined(parts_of(pack_.text(gpu.name))) == whole || key == whole) return key;
    if (holds(parts, key) && key.size() > found.size()) found = key;
  }
  return found;
}

}  // namespace gonogo
