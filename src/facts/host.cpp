#include "facts/host.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "base/text.h"

namespace gonogo {

namespace {

// Where a path of the launch is on this machine.
std::string here(std::string_view path, const std::string& root, const std::string& cwd) {
  return (path[0] == '/' ? root : cwd + "/") + std::string(path);
}

FileText text_of(PathKind kind, std::string_view path, const std::string& root, const std::string& cwd) {
  if (kind != PathKind::kFile) return {kind, {}};
  Result<std::string> text = read_file(here(path, root, cwd), Host::kTextLimit);
  return text ? FileText{kind, std::move(*text)} : FileText{PathKind::kUnknown, {}};
}

// What a path is here; kUnknown where that can't be seen, for want of permission for example.
PathKind kind_of(std::string_view path, const std::string& root, const std::string& cwd) {
  if (path.empty() || path.find('\0') != std::string_view::npos) return PathKind::kAbsent;
  const std::string full = here(path, root, cwd);
  struct stat info {};
  if (::stat(full.c_str(), &info) != 0) {
    const bool gone = errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG || errno == ELOOP;
    return gone ? PathKind::kAbsent : PathKind::kUnknown;
  }
  if (S_ISDIR(info.st_mode)) return PathKind::kDirectory;
  return S_ISREG(info.st_mode) ? PathKind::kFile : PathKind::kOther;
}

}  // namespace

PathKind LocalHost::file(std::string_view path) const {
  const PathKind kind = kind_of(path, options_.root, options_.cwd);
  return kind == PathKind::kAbsent && !options_.launch_is_here && !path.empty() ? PathKind::kUnknown : kind;
}

FileText LocalHost::text(std::string_view path) const { return text_of(file(path), path, options_.root, options_.cwd); }

std::optional<bool> LocalHost::importable(std::string_view module) const {
  return options_.python ? options_.python->importable(module) : std::nullopt;
}

std::optional<std::vector<std::string>> LocalHost::infiniband() const {
  if (!options_.launch_is_here) return std::nullopt;
  std::vector<std::string> names;
  std::error_code failed;
  for (std::filesystem::directory_iterator it(options_.root + "/sys/class/infiniband", failed), end;
       !failed && it != end; it.increment(failed)) {
    names.push_back(it->path().filename().string());
  }
  if (failed && failed != std::errc::no_such_file_or_directory) return std::nullopt;
  std::sort(names.begin(), names.end());
  return names;
}

PathKind ClosedHost::file(std::string_view path) const {
  const PathKind kind = kind_of(path, root_, ".");
  return kind == PathKind::kUnknown ? PathKind::kAbsent : kind;
}

FileText ClosedHost::text(std::string_view path) const { return text_of(file(path), path, root_, "."); }

std::optional<bool> ClosedHost::importable(std::string_view module) const {
  const std::string_view first = module.substr(0, module.find('.'));
  return std::find(modules_.begin(), modules_.end(), first) != modules_.end();
}

std::optional<std::vector<std::string>> ClosedHost::infiniband() const { return std::vector<std::string>{}; }

}  // namespace gonogo
