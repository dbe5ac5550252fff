#include "facts/python_env.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/text.h"

namespace gonogo {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSmallFile = 1u << 20;
constexpr std::size_t kMaxNames = 100'000;  // in one directory

bool starts_with(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }
bool ends_with(std::string_view text, std::string_view with) {
  return text.size() >= with.size() && text.substr(text.size() - with.size()) == with;
}

// Names in a directory, sorted; empty where it can't be read.
std::vector<std::string> names_in(const std::string& directory) {
  std::vector<std::string> out;
  std::error_code failed;
  for (fs::directory_iterator it(directory, failed), end; !failed && it != end && out.size() < kMaxNames;
       it.increment(failed)) {
    out.push_back(it->path().filename().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool is_directory(const std::string& path) {
  std::error_code failed;
  return fs::is_directory(path, failed);
}

bool is_file(const std::string& path) {
  std::error_code failed;
  return fs::is_regular_file(path, failed);
}

// A distribution's name as the package index compares it.
std::string normal_name(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool separator = c == '-' || c == '_' || c == '.';
    if (separator && !out.empty() && out.back() == '-') continue;
    out += separator ? '-' : (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  }
  return out;
}

// The lines of a small text file; empty where it can't be read.
std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> out;
  const Result<std::string> text = read_file(path, kSmallFile);
  if (!text) return out;
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = std::min(text->find('\n', at), text->size());
    std::string line = text->substr(at, end - at);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    out.push_back(std::move(line));
    at = end + 1;
  }
  return out;
}

// What a virtual environment says of the installation below it.
struct VenvConfig {
  std::string home;        // its directory of programs; empty where this is no virtual environment
  bool sees_home = false;  // whether its packages are searched too
};

VenvConfig read_config(const std::string& path) {
  VenvConfig out;
  for (const std::string& line : lines_of(path)) {
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos) continue;
    const std::string key = line.substr(0, line.find_first_of(" \t="));
    const std::size_t begin = std::min(line.find_first_not_of(" \t", equals + 1), line.size());
    if (key == "home") out.home = line.substr(begin);
    if (key == "include-system-site-packages") out.sees_home = line.substr(begin) == "true";
  }
  return out;
}

// The directory two levels up of "PREFIX/bin/python".
std::string prefix_of(const fs::path& program) { return program.parent_path().parent_path().string(); }

bool holds_module(const std::string& directory, const std::string& first) {
  if (is_directory(directory + "/" + first) || is_file(directory + "/" + first + ".py")) return true;
  const std::vector<std::string> names = names_in(directory);
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return starts_with(name, first + ".") && ends_with(name, ".so"); });
}

}  // namespace

// `python` is the one version that counts ("python3.11"), or empty where any does.
std::optional<PythonEnv> PythonEnv::at(const std::string& root, const std::string& prefix, std::string_view python,
                                       Source source) {
  PythonEnv out;
  out.source_ = source;
  out.prefix_ = prefix.empty() ? "/" : prefix;
  const std::string base = root + prefix;
  const auto add = [](std::vector<std::string>& list, const std::string& directory) {
    std::error_code failed;
    const std::string real = fs::canonical(directory, failed).string();  // lib64 is often a link to lib
    if (failed || !is_directory(real) || std::find(list.begin(), list.end(), real) != list.end()) return;
    list.push_back(real);
  };
  for (const std::string& lib : {base + "/local/lib", base + "/lib", base + "/lib64"}) {
    for (const std::string& name : names_in(lib)) {
      if (!starts_with(name, "python3")) continue;
      if (!python.empty() && name != "python3" && name != python) continue;
      if (is_file(lib + "/" + name + "/os.py")) add(out.libraries_, lib + "/" + name);
      add(out.packages_, lib + "/" + name + "/site-packages");
      add(out.packages_, lib + "/" + name + "/dist-packages");
    }
  }
  if (out.packages_.empty()) return std::nullopt;
  const VenvConfig config = read_config(base + "/pyvenv.cfg");
  if (!config.home.empty()) {
    const std::string below = fs::path(config.home).parent_path().string();
    const std::optional<PythonEnv> home = below == prefix ? std::nullopt : at(root, below, python, source);
    if (home) {
      out.libraries_ = home->libraries_;
      if (config.sees_home) {
        out.packages_.insert(out.packages_.end(), home->packages_.begin(), home->packages_.end());
        out.open_ended_ = home->open_ended_;
      }
    } else {
      out.open_ended_ = config.sees_home;
    }
  }
  return out;
}

std::optional<PythonEnv> PythonEnv::find(const Query& query, const Environment& env) {
  const auto of_program = [&](const fs::path& program, Source source) -> std::optional<PythonEnv> {
    std::error_code failed;
    if (!fs::exists(query.root + program.string(), failed)) return std::nullopt;
    const fs::path real = fs::canonical(query.root + program.string(), failed);
    const std::string name = failed ? "" : real.filename().string();
    const std::string python = starts_with(name, "python3.") ? name : "";
    if (auto found = at(query.root, prefix_of(program), python, source)) return found;
    // A link to a program elsewhere, such as ~/bin/python.
    if (failed || !starts_with(real.string(), query.root)) return std::nullopt;
    return at(query.root, prefix_of(real.string().substr(query.root.size())), python, source);
  };
  if (query.program.find('/') != std::string::npos) {
    fs::path program = query.program;
    if (program.is_relative()) {
      std::error_code failed;
      program = fs::absolute(fs::path(query.cwd) / program, failed);
      if (failed) return std::nullopt;
    }
    return of_program(program.lexically_normal(), Source::kProgram);
  }
  if (const auto venv = env.get("VIRTUAL_ENV"); venv && starts_with(*venv, "/")) {
    std::string prefix = *venv;
    while (prefix.size() > 1 && prefix.back() == '/') prefix.pop_back();
    if (auto found = at(query.root, prefix, {}, Source::kVirtualEnv)) return found;
  }
  const std::string path = env.get("PATH").value_or("");
  for (std::size_t begin = 0; begin < path.size() && !query.program.empty();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const std::string directory = path.substr(begin, end - begin);
    begin = end + 1;
    if (!starts_with(directory, "/")) continue;
    const fs::path program = (fs::path(directory) / query.program).lexically_normal();
    std::error_code failed;
    if (!fs::exists(query.root + program.string(), failed)) continue;
    return of_program(program, Source::kPath);  // the first of that name is the one that runs
  }
  return std::nullopt;
}

std::optional<std::string> PythonEnv::version_of(std::string_view distribution) const {
  const std::string wanted = normal_name(distribution);
  for (const std::string& directory : packages_) {
    std::optional<std::string> found;
    for (const std::string& name : names_in(directory)) {
      std::string_view stem = name;
      bool metadata = false;
      for (const std::string_view ending : {".dist-info", ".egg-info"}) {
        if (!ends_with(stem, ending)) continue;
        stem.remove_suffix(ending.size());
        metadata = true;
      }
      // Old metadata ends in the Python that it was built for: NAME-VERSION-py3.11.
      if (const std::size_t built = stem.rfind("-py3"); built != std::string_view::npos) stem = stem.substr(0, built);
      const std::size_t dash = stem.rfind('-');
      if (!metadata || dash == std::string_view::npos || normal_name(stem.substr(0, dash)) != wanted) continue;
      if (dash + 1 < stem.size()) found = stem.substr(dash + 1);
    }
    if (found) return found;
  }
  return std::nullopt;
}

std::optional<bool> PythonEnv::importable(std::string_view module) const {
  const std::string first(module.substr(0, module.find('.')));
  if (first.empty() || first.find('/') != std::string::npos) return false;
  std::string relative(module);
  std::replace(relative.begin(), relative.end(), '.', '/');
  // Of a dotted name, every package on the way must be there; looking at the last is enough.
  const std::size_t slash = relative.rfind('/');
  const std::string below = slash == std::string::npos ? "" : "/" + relative.substr(0, slash);
  const std::string last = slash == std::string::npos ? relative : relative.substr(slash + 1);

  std::vector<std::string> places = packages_;
  places.insert(places.end(), libraries_.begin(), libraries_.end());
  for (const std::string& library : libraries_) places.push_back(library + "/lib-dynload");
  bool hidden = open_ended_;
  for (const std::string& directory : packages_) {
    for (const std::string& name : names_in(directory)) {
      if (starts_with(name, "__editable__") && ends_with(name, ".py")) hidden = true;
      if (!ends_with(name, ".pth")) continue;
      for (const std::string& line : lines_of(directory + "/" + name)) {
        if (line.empty() || line[0] == '#' || starts_with(line, "import ") || starts_with(line, "import\t")) continue;
        places.push_back(line[0] == '/' ? line : directory + "/" + line);
      }
    }
  }
  for (const std::string& place : places) {
    if (is_directory(place + below) && holds_module(place + below, last)) return true;
  }
  // A package that lies here holds all of its modules here.
  for (const std::string& place : places) {
    if (is_file(place + "/" + first + "/__init__.py")) return false;
  }
  return hidden ? std::nullopt : std::optional<bool>(false);
}

}  // namespace gonogo
