#include "cli/case_world.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/json.h"
#include "cli/host_values.h"

namespace gonogo {

namespace fs = std::filesystem;

namespace {

// The path below the model's folder; false where it lies elsewhere.
bool below_model(std::string_view path, std::string_view* rest) {
  if (!path.starts_with(kCaseModel)) return false;
  path.remove_prefix(kCaseModel.size());
  if (!path.empty() && path[0] != '/') return false;
  while (path.starts_with('/')) path.remove_prefix(1);
  while (path.ends_with('/')) path.remove_suffix(1);
  *rest = path;
  return true;
}

bool holds(const Value* list, std::string_view name) {
  for (std::uint32_t i = 0; list != nullptr && list->is_sequence() && i < list->size(); ++i) {
    if ((*list)[i].is_str() && (*list)[i].as_str() == name) return true;
  }
  return false;
}

}  // namespace

Result<Value> CaseFolders::files(const std::string& folder) {
  const auto known = known_.find(folder);
  if (known != known_.end()) return known->second;
  const fs::path dir = fs::path(root_) / folder;
  std::error_code failed;
  if (folder.find("..") != std::string::npos || !fs::is_directory(dir, failed)) {
    if (missing_ == Missing::kUnknown) return Value::unknown(arena_.copy("the model folder " + folder + " (--models)"));
    return Error{
        Error::Kind::kInput, "there is no model folder '" + folder + "'", {root_, 0, 0}, "give --models DIR", ""};
  }
  std::vector<Entry> entries;
  std::vector<std::string> names{"config.json"};
  for (const StrId id : pack_.slice(pack_.about->model_files)) names.emplace_back(pack_.text(id));
  for (const std::string& name : names) {
    if (!fs::exists(dir / name, failed)) continue;
    auto value = load_json((dir / name).string(), arena_);
    if (!value) return value.error();
    entries.push_back({Value::str(arena_.copy(name)), *value});
  }
  auto* copy = arena_.array<Entry>(entries.size());
  std::copy(entries.begin(), entries.end(), copy);
  return known_[folder] = Value::dict(copy, static_cast<std::uint32_t>(entries.size()));
}

CaseModels::CaseModels(Value files, Arena& arena) : arena_(arena), files_(files) {
  if (files.is_unknown()) config_ = files;
  const Value* config = files.find("config.json");
  if (config == nullptr) return;
  config_ = *config;
  // The recordings can't fetch a model's own code, so that reference to it was taken out of them.
  if (!config->is_dict() || config->find("auto_map") == nullptr) return;
  auto* entries = arena.array<Entry>(config->size());
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < config->size(); ++i) {
    if (config->entries()[i].key.as_str() != "auto_map") entries[count++] = config->entries()[i];
  }
  config_ = Value::dict(entries, count);
}

ModelFiles CaseModels::at(std::string_view path) {
  std::string_view rest;
  const bool below = below_model(path, &rest);
  if (below && rest.empty()) return {config_, files_};
  // Of what another host holds, or one file packs, a case says nothing.
  if (path.find("://") != path.npos || (below && files_.find(rest) != nullptr)) {
    const Value unknown = Value::unknown(arena_.copy("the config of " + std::string(path)));
    return {unknown, unknown};
  }
  std::vector<Entry> entries;
  const std::string folder = std::string(rest) + "/";
  for (std::uint32_t i = 0; below && files_.is_dict() && i < files_.size(); ++i) {
    const std::string_view name = files_.entries()[i].key.as_str();
    if (name.starts_with(folder)) {
      entries.push_back({Value::str(name.substr(folder.size())), files_.entries()[i].value});
    }
  }
  auto* copy = arena_.array<Entry>(entries.size());
  std::copy(entries.begin(), entries.end(), copy);
  const Value files = Value::dict(copy, static_cast<std::uint32_t>(entries.size()));
  const Value* config = files.find("config.json");
  return {config == nullptr ? Value() : *config, files};
}

Value CaseHost::file(std::string_view path) {
  if (const Value* paths = said("files"); paths != nullptr && paths->find(path) != nullptr) return *paths->find(path);
  std::string_view rest;
  if (!below_model(path, &rest)) return path_value(host_.file(path));
  if (rest.empty()) return Value::str("directory");
  if (files_.find(rest) != nullptr) return Value::str("file");
  const std::string folder = std::string(rest) + "/";
  for (std::uint32_t i = 0; files_.is_dict() && i < files_.size(); ++i) {
    if (files_.entries()[i].key.as_str().starts_with(folder)) return Value::str("directory");
  }
  return {};
}

Value CaseHost::importable(std::string_view module) {
  return holds(said("modules"), module) ? Value::boolean(true) : importable_value(host_, module);
}

Value CaseHost::text(std::string_view path, Arena& arena) {
  std::string_view rest;
  if (!below_model(path, &rest)) return text_value(host_.text(path), arena);
  const Value* content = files_.find(rest);
  return content != nullptr ? Value::str(arena.copy(to_json(*content))) : Value();
}

Value CaseHost::infiniband(Arena& arena) {
  const Value* devices = said("infiniband");
  return devices != nullptr && devices->is_sequence() ? *devices : infiniband_value(host_, arena);
}

}  // namespace gonogo
