#include "cli/local_world.h"

#include <filesystem>
#include <vector>

#include "cli/host_values.h"
#include "rules/catalogue.h"

namespace gonogo {

ModelSource& LocalModels::source(std::string_view path) {
  auto at = sources_.find(path);
  if (at == sources_.end()) {
    ModelSource::Options options;
    options.model = std::string(path);
    if (path == model_) options.override_path = model_config_;
    if (options.override_path.empty()) options.override_path = in_folders(options.model);
    at = sources_.emplace(std::string(path), std::make_unique<ModelSource>(std::move(options), env_)).first;
  }
  return *at->second;
}

std::string LocalModels::in_folders(const std::string& path) const {
  namespace fs = std::filesystem;
  std::error_code error;
  if (folders_.empty() || path.empty() || fs::is_directory(path, error)) return {};  // what is there goes first
  std::string flat = path;
  for (std::size_t at = flat.find('/'); at != std::string::npos; at = flat.find('/', at)) flat.replace(at, 1, "__");
  const fs::path name = fs::path(path).lexically_normal();
  for (const std::string& folder : folders_) {
    for (const fs::path& tried : {name.relative_path(), fs::path(flat), name.filename()}) {
      if (tried.empty() || *tried.begin() == "..") continue;
      if (fs::exists(folder / tried / "config.json", error)) return (folder / tried).string();
    }
  }
  return {};
}

ModelFiles LocalModels::at(std::string_view path) {
  ModelSource& from = source(path);
  std::vector<std::string> names{"config.json"};
  for (const StrId id : pack_.slice(pack_.about->model_files)) names.emplace_back(pack_.text(id));
  const Value missing = Value::unknown(path == model_ ? "the model's config.json (--model-config)"
                                                      : arena_.copy("the config.json of " + std::string(path)));
  ModelFiles out;
  auto* entries = arena_.array<Entry>(names.size());
  std::uint32_t count = 0;
  for (const std::string& name : names) {
    const auto& file = from.file(name);
    if (!file) {
      failure_ = file.error();
      return {missing, missing};
    }
    const bool config = name == "config.json";
    if (file->state == ModelFile::State::kUnknown && config) return in_catalogue(path, missing);
    if (config && file->state == ModelFile::State::kAbsent && path == model_ && !model_config_.empty()) {
      failure_ = Error{Error::Kind::kInput,
                       "this folder holds no config.json",
                       {model_config_, 0, 0},
                       "give the model's config.json, or the folder that holds it",
                       ""};
      return {missing, missing};
    }
    // A file beside a config.json that is known: what a snapshot does not hold is taken as not being there.
    if (file->state != ModelFile::State::kFound) continue;
    if (config) out.config = file->value;
    entries[count++] = {Value::str(arena_.copy(name)), file->value};
  }
  out.files = Value::dict(entries, count);
  return out;
}

ModelFiles LocalModels::in_catalogue(std::string_view path, const Value& missing) {
  if (!catalogue_) return {missing, missing};
  const auto found = Catalogue::embedded().find(path, arena_);
  if (!found) failure_ = found.error();
  if (!found || !*found) return {missing, missing};
  const CatalogueModel& model = **found;
  from_catalogue_.emplace(path, model.source + ", " + model.date);
  ModelFiles out;
  out.config = *model.files.find("config.json");
  out.files = model.files;
  return out;
}

std::string LocalModels::where() {
  std::string out;
  for (const auto& [model, source] : from_catalogue_) {
    out += (out.empty() ? "built-in catalogue, " : ", ") + model + " (" + source + ")";
  }
  if (!out.empty()) out += ", which may have changed since: give the real file with --model-config";
  if (from_catalogue_.contains(model_)) return out;
  return source(model_).where() + (out.empty() ? "" : "; " + out);
}

Value LocalHostFacts::file(std::string_view path) { return path_value(host_.file(path)); }
Value LocalHostFacts::text(std::string_view path, Arena& arena) { return text_value(host_.text(path), arena); }
Value LocalHostFacts::importable(std::string_view module) { return importable_value(host_, module); }
Value LocalHostFacts::infiniband(Arena& arena) { return infiniband_value(host_, arena); }

}  // namespace gonogo
