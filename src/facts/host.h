// What rules may ask about the machine that a launch will run on. Its answers are three-valued: a path that
// is not on this machine may well be on that one, so it is unknown rather than absent, unless the launch is
// known to be for this machine.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "facts/python_env.h"

namespace gonogo {

enum class PathKind {
  kUnknown,
  kAbsent,
  kFile,
  kDirectory,
  kOther,  // a device, a socket …
};

// What a path is, and the text where it is a file. A file that can't be read, or is too large, is kUnknown.
struct FileText {
  PathKind kind = PathKind::kUnknown;
  std::string text;
};

class Host {
 public:
  static constexpr std::size_t kTextLimit = 1u << 20;

  virtual ~Host() = default;

  // What a path is, links followed. A relative one is taken from the launch's working directory.
  virtual PathKind file(std::string_view path) const = 0;

  // The same path's text, at most kTextLimit bytes of it.
  virtual FileText text(std::string_view path) const = 0;

  // Whether a Python module can be imported; nullopt where that is not known.
  virtual std::optional<bool> importable(std::string_view module) const = 0;

  // The names of the InfiniBand devices, sorted; nullopt where they are not known.
  virtual std::optional<std::vector<std::string>> infiniband() const = 0;
};

// This machine.
class LocalHost : public Host {
 public:
  struct Options {
    bool launch_is_here = false;      // what is absent here is absent
    std::string cwd = ".";            // the launch's working directory
    std::optional<PythonEnv> python;  // the launch's Python
    std::string root;                 // put before every absolute path, for tests; usually empty
  };

  explicit LocalHost(Options options) : options_(std::move(options)) {}

  PathKind file(std::string_view path) const override;
  FileText text(std::string_view path) const override;
  std::optional<bool> importable(std::string_view module) const override;
  std::optional<std::vector<std::string>> infiniband() const override;

 private:
  Options options_;
};

// A machine about which all is said: it has `modules` and no InfiniBand, and a path that is not here does not
// exist. For recorded cases, which must have one answer everywhere.
class ClosedHost : public Host {
 public:
  explicit ClosedHost(std::vector<std::string> modules, std::string root = {})
      : modules_(std::move(modules)), root_(std::move(root)) {}

  PathKind file(std::string_view path) const override;
  FileText text(std::string_view path) const override;
  std::optional<bool> importable(std::string_view module) const override;
  std::optional<std::vector<std::string>> infiniband() const override;

 private:
  std::vector<std::string> modules_;
  std::string root_;
};

}  // namespace gonogo
