#include "cli/case_world.h"

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
  *rest = path;
  return true;
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

CaseModels::CaseModels(Value files, Arena& arena) : files_(files) {
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
  if (below_model(path, &rest) && rest.empty()) return {config_, files_};
  return {Value(), Value::dict(nullptr, 0)};
}

Value CaseHost::file(std::string_view path) {
  std::string_view rest;
  if (!below_model(path, &rest)) return path_value(host_.file(path));
  if (rest.empty()) return Value::str("directory");
  return files_.find(rest) != nullptr ? Value::str("file") : Value();
}

Value CaseHost::text(std::string_view path, Arena& arena) {
  std::string_view rest;
  if (!below_model(path, &rest)) return text_value(host_.text(path), arena);
  const Value* content = files_.find(rest);
  return content != nullptr ? Value::str(arena.copy(to_json(*content))) : Value();
}

Value CaseHost::importable(std::string_view module) { return importable_value(host_, module); }

Value CaseHost::infiniband(Arena& arena) { return infiniband_value(host_, arena); }

}  // namespace gonogo
