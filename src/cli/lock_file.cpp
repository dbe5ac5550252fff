#include "cli/lock_file.h"

#include <filesystem>

#include "base/text.h"
#include "cli/commands.h"

namespace gonogo {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxLockFile = 64u << 20;

}  // namespace

LockedLaunch locked(const Session& session, LaunchName name, Arena& arena) {
  LockedLaunch out = locked(input_of(session), arena);
  out.name = std::move(name);
  out.model = session.model;
  if (session.given && session.models != nullptr) {
    out.model_files = model_files_name(session.models->at(session.model).files);
  }
  return out;
}

LockedLaunch locked_unchecked(LaunchName name, const std::string& why) {
  LockedLaunch out;
  out.name = std::move(name);
  out.missing.push_back(why);
  return out;
}

std::string name_beside(const std::string& lock_path, const std::string& file) {
  if (file.empty() || file[0] == '<') return file;  // "<stdin>"
  std::error_code failed;
  const fs::path folder = fs::absolute(lock_path, failed).lexically_normal().parent_path();
  return fs::absolute(file, failed).lexically_normal().lexically_proximate(folder).generic_string();
}

Result<LockFile> LockFile::read(const Pack& pack, const std::string& path) {
  const auto text = read_file(path, kMaxLockFile);
  if (!text) return text.error();
  auto lock = lock_of_text(pack, *text, path);
  if (!lock) return lock.error();
  LockFile out;
  out.path_ = path;
  out.lock_ = std::move(*lock);
  return out;
}

LockFile::Matched LockFile::match(const std::string& file, const std::vector<LaunchName>& now) const {
  const std::string name = name_beside(path_, file);
  std::vector<const LockedLaunch*> held;
  std::vector<LaunchName> names;
  for (const LockedLaunch& launch : lock_.launches) {
    if (launch.name.file != name) continue;
    held.push_back(&launch);
    names.push_back(launch.name);
  }
  Matched out;
  for (const auto& index : match_launches(names, now)) {
    out.launches.push_back(index ? held[*index] : nullptr);
    if (index) held[*index] = nullptr;
  }
  for (const LockedLaunch* launch : held) {
    if (launch != nullptr) out.gone.push_back(launch);
  }
  return out;
}

LockAnswer LockFile::compare(const Session& session, const LaunchName& name, const LockedLaunch* was,
                             std::string_view place, bool color) const {
  if (was == nullptr) return not_locked(path_, place, color);
  Arena arena;
  return compare_locked(lock_, path_, *was, locked(session, name, arena), input_of(session), place, color);
}

LockAnswer LockFile::compare_unchecked(const std::string& why, const LockedLaunch* was, std::string_view place,
                                       bool color) const {
  return was == nullptr ? not_locked(path_, place, color) : compare_locked_unchecked(path_, *was, why, place, color);
}

}  // namespace gonogo
