#include "facts/model_source.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/json.h"
#include "base/text.h"

namespace gonogo {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kConfigLimit = 16u << 20;
constexpr std::size_t kFileLimit = 4u << 20;
constexpr std::string_view kConfig = "config.json";

Error failed(const std::string& path, std::string what, std::string hint = {}) {
  return {Error::Kind::kInput, std::move(what), {path}, std::move(hint), {}};
}

enum class Found { kAbsent, kFile, kDirectory, kOther, kDenied };

// What a path is; `why` gets the system's message for kDenied.
Found look(const std::string& path, std::string* why = nullptr) {
  struct stat info {};
  if (path.find('\0') != std::string::npos) return Found::kAbsent;
  if (::stat(path.c_str(), &info) == 0) {
    return S_ISDIR(info.st_mode) ? Found::kDirectory : S_ISREG(info.st_mode) ? Found::kFile : Found::kOther;
  }
  const int code = errno;
  if (code == ENOENT || code == ENOTDIR || code == ENAMETOOLONG) {
    // A link whose target is gone is no absent file: something meant it to be there.
    if (code != ENOENT || ::lstat(path.c_str(), &info) != 0) return Found::kAbsent;
    if (why != nullptr) *why = "is a link to a file that does not exist";
    return Found::kDenied;
  }
  if (why != nullptr) *why = std::string("can't be read: ") + std::strerror(code);
  return Found::kDenied;
}

// Whether `text` can be a repository's name: "org/name" or "name".
bool is_repository(std::string_view text) {
  if (text.size() > 200 || text.find("..") != std::string_view::npos || text.find("--") != std::string_view::npos) {
    return false;
  }
  const auto good = [](std::string_view part) {
    const auto at_edge = [](char c) { return c == '.' || c == '-'; };
    return !part.empty() && !at_edge(part.front()) && !at_edge(part.back()) &&
           std::all_of(part.begin(), part.end(), [](char c) {
             return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.';
           });
  };
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return good(text);
  return good(text.substr(0, slash)) && good(text.substr(slash + 1));  // a second slash is no good
}

bool is_commit(std::string_view text) {
  return text.size() == 40 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_plain_json_name(std::string_view name) {
  return name.size() > 5 && name.size() < 200 && name.substr(name.size() - 5) == ".json" && name[0] != '.' &&
         name.find('/') == std::string_view::npos && name.find('\0') == std::string_view::npos;
}

std::string home(const Environment& env) {
  if (const auto set = env.get("HOME"); set && !set->empty()) return *set;
  const struct passwd* user = ::getpwuid(::getuid());
  return user != nullptr ? user->pw_dir : "";
}

// The cache's directory, as the Hugging Face libraries choose it.
std::string hub_directory(const Environment& env) {
  const auto expand = [&](const std::string& path) {
    return path == "~" || path.substr(0, 2) == "~/" ? home(env) + path.substr(1) : path;
  };
  for (const char* name : {"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"}) {
    if (const auto set = env.get(name)) return expand(*set);
  }
  if (const auto set = env.get("HF_HOME")) return expand(*set) + "/hub";
  if (const auto set = env.get("XDG_CACHE_HOME")) return expand(*set) + "/huggingface/hub";
  return home(env) + "/.cache/huggingface/hub";
}

// Whether a snapshot holds a file of weights, so that it was fetched to be run.
bool holds_weights(const std::string& directory) {
  std::error_code fault;
  for (fs::directory_iterator it(directory, fault), end; !fault && it != end; it.increment(fault)) {
    const std::string ending = it->path().extension().string();
    if (ending == ".safetensors" || ending == ".bin" || ending == ".gguf" || ending == ".pt" || ending == ".pth") {
      return true;
    }
  }
  return false;
}

}  // namespace

ModelSource::ModelSource(Options options, Environment env) : options_(std::move(options)), env_(std::move(env)) {}

const Result<ModelFile>& ModelSource::file(std::string_view name) {
  if (const auto it = files_.find(name); it != files_.end()) return it->second;
  std::string key(name);
  Result<ModelFile> result = look_up(key);
  return files_.emplace(std::move(key), std::move(result)).first->second;
}

std::string ModelSource::where() {
  decide();
  if (place_ == Place::kOverrideFile) return "file " + options_.override_path;
  if (place_ == Place::kDirectory) return "directory " + directory_;
  if (place_ == Place::kSnapshot) return "Hugging Face cache " + directory_;
  return reason_;
}

void ModelSource::decide() {
  if (place_ != Place::kUndecided) return;
  place_ = Place::kNowhere;
  std::string why;
  if (!options_.override_path.empty()) {
    const std::string& path = options_.override_path;
    switch (look(path, &why)) {
      case Found::kFile:
      case Found::kOther:
        place_ = Place::kOverrideFile;
        directory_ = fs::path(path).parent_path().string();
        if (directory_.empty()) directory_ = ".";
        return;
      case Found::kDirectory:
        place_ = Place::kDirectory;
        directory_ = path;
        return;
      case Found::kAbsent:
        why = "there is no such file or directory";
        break;
      case Found::kDenied:
        break;
    }
    fault_ = std::make_unique<Error>(failed(path, why));
    reason_ = path + ": " + why;
    return;
  }
  if (options_.model.empty()) {
    reason_ = "the launch names no model";
    return;
  }
  const bool absolute = options_.model[0] == '/';
  const std::string path = absolute ? options_.model : options_.cwd + "/" + options_.model;
  reason_ = "not on this machine: " + options_.model;
  switch (look(path, &why)) {
    case Found::kDirectory:
      place_ = Place::kDirectory;
      directory_ = absolute || options_.cwd == "." ? options_.model : path;
      return;
    case Found::kFile:
    case Found::kOther:
      reason_ = "a single file, which has no config.json: " + options_.model;
      return;
    case Found::kDenied:  // what can't be seen here may well be seen where the launch runs
      reason_ = "not to be seen from here: " + options_.model + " " + why;
      return;
    case Found::kAbsent:
      if (is_repository(options_.model)) decide_by_cache();
      return;
  }
}

void ModelSource::decide_by_cache() {
  std::string folder = "models--" + options_.model;
  if (const std::size_t slash = folder.find('/'); slash != std::string::npos) folder.replace(slash, 1, "--");
  const std::string hub = hub_directory(env_);
  const std::string base = hub + "/" + folder;
  reason_ = "not in the Hugging Face cache " + hub + ": " + options_.model;
  const std::string revision = options_.revision.empty() ? "main" : options_.revision;
  std::string commit = revision;
  if (!is_commit(revision)) {
    if (revision.find("..") != std::string::npos || revision[0] == '/') return;
    const Result<std::string> text = read_file(base + "/refs/" + revision, 1000);
    if (!text) {
      if (look(base) == Found::kDirectory) reason_ += " at revision " + revision;
      return;
    }
    commit = *text;
    while (!commit.empty() && std::isspace(static_cast<unsigned char>(commit.back()))) commit.pop_back();
    if (!is_commit(commit)) {
      fault_ = std::make_unique<Error>(failed(base + "/refs/" + revision, "holds no commit", "the cache is damaged"));
      return;
    }
  }
  const std::string snapshot = base + "/snapshots/" + commit;
  std::string why;
  const Found found = look(snapshot, &why);
  if (found == Found::kDenied) fault_ = std::make_unique<Error>(failed(snapshot, why));
  if (found != Found::kDirectory) {
    reason_ += " at revision " + revision;
    return;
  }
  place_ = Place::kSnapshot;
  directory_ = snapshot;
  no_exist_ = base + "/.no_exist/" + commit;
  complete_ = holds_weights(snapshot);
}

Result<ModelFile> ModelSource::look_up(const std::string& name) {
  if (!is_plain_json_name(name)) {
    return Error{Error::Kind::kInternal, "\"" + name + "\" is not the name of a JSON file", {}, {}, {}};
  }
  decide();
  if (fault_ != nullptr) return *fault_;
  if (place_ == Place::kNowhere) return ModelFile{ModelFile::State::kUnknown, {}, options_.model};
  if (place_ == Place::kOverrideFile && name == kConfig) return load(options_.override_path, name);
  const std::string path = directory_ + "/" + name;
  std::string why;
  switch (look(path, &why)) {
    case Found::kFile:
    case Found::kDirectory:
    case Found::kOther:
      return load(path, name);
    case Found::kDenied:
      return failed(path, why);
    case Found::kAbsent:
      break;
  }
  const bool known = place_ != Place::kSnapshot || complete_ || look(no_exist_ + "/" + name) == Found::kFile;
  return ModelFile{known ? ModelFile::State::kAbsent : ModelFile::State::kUnknown, {}, path};
}

Result<ModelFile> ModelSource::load(const std::string& path, const std::string& name) {
  JsonLimits limits;
  limits.bytes = name == kConfig ? kConfigLimit : kFileLimit;
  const Result<Value> value = load_json(path, arena_, limits);
  if (!value) return value.error();
  if (name == kConfig && !value->is_dict()) {
    return failed(path, "must be a JSON object, not " + std::string(type_name(*value)));
  }
  return ModelFile{ModelFile::State::kFound, *value, path};
}

}  // namespace gonogo
