#include "carriers/file_list.h"

#include <algorithm>
#include <filesystem>
#include <istream>
#include <iterator>
#include <unordered_set>

#include "base/text.h"
#include "carriers/file_form.h"

namespace gonogo {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFiles = 200'000;
constexpr int kMaxDepth = 64;
constexpr std::size_t kMaxIgnoreFile = 1u << 20;
constexpr std::size_t kMaxGlobSteps = 100'000;

Error missing(const std::string& name) {
  return {Error::Kind::kInput, "there is no such file or folder", {name, 0, 0}, "", ""};
}

bool match(std::string_view pattern, std::string_view path, std::size_t& steps) {
  while (!pattern.empty()) {
    if (++steps > kMaxGlobSteps) return false;
    if (pattern.substr(0, 2) == "**") {
      std::string_view rest = pattern.substr(2);
      if (!rest.empty() && rest[0] == '/' && match(rest.substr(1), path, steps)) return true;
      for (std::size_t at = 0; at <= path.size(); ++at) {
        if (match(rest, path.substr(at), steps)) return true;
      }
      return false;
    }
    if (pattern[0] == '*') {
      for (std::size_t at = 0; at <= path.size(); ++at) {
        if (match(pattern.substr(1), path.substr(at), steps)) return true;
        if (at < path.size() && path[at] == '/') break;
      }
      return false;
    }
    if (path.empty()) return false;
    if (pattern[0] == '[') {
      const std::size_t end = pattern.find(']', pattern.size() > 1 && pattern[1] == ']' ? 2 : 1);
      if (end != std::string_view::npos) {
        std::string_view set = pattern.substr(1, end - 1);
        const bool negated = !set.empty() && (set[0] == '!' || set[0] == '^');
        if (negated) set.remove_prefix(1);
        bool in = false;
        for (std::size_t i = 0; i < set.size(); ++i) {
          if (i + 2 < set.size() && set[i + 1] == '-') {
            in = in || (set[i] <= path[0] && path[0] <= set[i + 2]);
            i += 2;
          } else {
            in = in || set[i] == path[0];
          }
        }
        if (in == negated || path[0] == '/') return false;
        pattern.remove_prefix(end + 1);
        path.remove_prefix(1);
        continue;
      }
    }
    if (pattern[0] == '\\' && pattern.size() > 1) pattern.remove_prefix(1);
    if (pattern[0] != path[0] && !(pattern[0] == '?' && path[0] != '/')) return false;
    pattern.remove_prefix(1);
    path.remove_prefix(1);
  }
  return path.empty();
}

// Whether a folder of this name is walked.
bool is_walked(const std::string& name) {
  const bool hidden = name[0] == '.' && name != ".github" && name != ".ci";
  return !hidden && name != "node_modules";
}

class Lister {
 public:
  std::optional<Error> add(const std::string& name, std::istream& in) {
    if (name == "-") {
      ListedFile file;
      file.name = "<stdin>";
      std::string text(std::istreambuf_iterator<char>(in), {});
      file.text = std::move(text);
      file.named = true;
      out_.push_back(std::move(file));
      return std::nullopt;
    }
    std::error_code failed;
    const fs::file_status status = fs::status(name, failed);
    if (fs::is_directory(status)) {
      std::string folder = name;
      while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
      IgnoreRules rules;
      return walk(folder, rules, 0, {});
    }
    if (fs::exists(status)) {
      put(name, true);
      return std::nullopt;
    }
    if (name.find_first_of("*?[") != std::string::npos) return pattern(name);
    return missing(name);
  }

  std::vector<ListedFile> take() { return std::move(out_); }

 private:
  void put(const std::string& name, bool named) {
    if (!seen_.insert(name).second) return;
    ListedFile file;
    file.name = name;
    file.named = named;
    out_.push_back(std::move(file));
  }

  std::optional<Error> pattern(const std::string& name) {
    const std::size_t wild = name.find_first_of("*?[");
    const std::size_t slash = name.rfind('/', wild);
    const std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : name.substr(0, slash);
    std::error_code failed;
    if (!fs::is_directory(folder, failed)) return missing(name);
    const std::size_t before = out_.size();
    IgnoreRules rules;
    if (auto error = walk(folder, rules, 0, name)) return error;
    if (out_.size() == before) return Error{Error::Kind::kInput, "no file matches", {name, 0, 0}, "", ""};
    return std::nullopt;
  }

  // Everything below a folder; with a pattern only what matches it.
  std::optional<Error> walk(const std::string& folder, IgnoreRules rules, int depth, const std::string& wanted) {
    if (depth > kMaxDepth) return std::nullopt;
    std::error_code failed;
    std::vector<fs::directory_entry> entries;
    fs::directory_iterator it(folder, failed);
    if (failed) {
      if (depth > 0) return std::nullopt;
      return Error{Error::Kind::kInput, "the folder can't be read: " + failed.message(), {folder, 0, 0}, "", ""};
    }
    for (const fs::directory_entry& entry : it) entries.push_back(entry);
    std::sort(entries.begin(), entries.end());
    const std::string prefix = folder == "." && !wanted.empty() ? "" : folder == "/" ? "/" : folder + "/";
    if (auto text = read_file(prefix + ".gonogoignore", kMaxIgnoreFile)) rules.add(prefix, *text);
    for (const fs::directory_entry& entry : entries) {
      const std::string base = entry.path().filename().string();
      const std::string path = prefix + base;
      const bool is_folder = entry.is_directory(failed);
      if (rules.ignores(path, is_folder)) continue;
      if (is_folder) {
        if (!is_walked(base) || entry.is_symlink(failed)) continue;
        if (auto error = walk(path, rules, depth + 1, wanted)) return error;
      } else if (entry.is_regular_file(failed)) {
        if (wanted.empty() ? may_carry(base) : glob_matches(wanted, path)) put(path, false);
        if (out_.size() > kMaxFiles) {
          return Error{Error::Kind::kInput,
                       "there are more than 200000 files here",
                       {folder, 0, 0},
                       "name a smaller folder",
                       ""};
        }
      }
    }
    return std::nullopt;
  }

  std::vector<ListedFile> out_;
  std::unordered_set<std::string> seen_;
};

}  // namespace

Result<std::vector<ListedFile>> list_files(const Pack&, const std::vector<std::string>& given, std::istream& in) {
  Lister lister;
  for (const std::string& name : given) {
    if (auto error = lister.add(name, in)) return *error;
  }
  return lister.take();
}

bool walk_lists(const std::string& folder, const std::string& below) {
  IgnoreRules rules;
  std::string prefix = folder + "/";
  for (std::size_t at = 0; at < below.size();) {
    if (auto text = read_file(prefix + ".gonogoignore", kMaxIgnoreFile)) rules.add(prefix, *text);
    const std::size_t slash = below.find('/', at);
    const bool is_folder = slash != std::string::npos;
    const std::string base = below.substr(at, is_folder ? slash - at : slash);
    if (base.empty() || rules.ignores(prefix + base, is_folder)) return false;
    if (!is_folder) return may_carry(base);
    if (!is_walked(base)) return false;
    prefix += base + "/";
    at = slash + 1;
  }
  return false;
}

Result<FileLaunches> launches_of(const Pack& pack, const ListedFile& file, const FinderOptions& options) {
  if (file.text) return find_launches(pack, file.name, *file.text, options);
  const auto text = read_file(file.name, kMaxLaunchFile);
  if (!text && file.named) return text.error();
  if (!text || (!file.named && !mentions_runtime(pack, *text))) return FileLaunches();
  return find_launches(pack, file.name, *text, options);
}

Result<std::vector<std::pair<std::string, std::string>>> read_known(const std::vector<std::string>& words) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) {
      return Error{
          Error::Kind::kUsage, "'" + word.substr(0, equals) + "' gives no value", {}, "write --var NAME=VALUE", ""};
    }
    out.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  return out;
}

void IgnoreRules::add(const std::string& folder, std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == '\t')) line.remove_suffix(1);
    if (line.empty() || line[0] == '#') continue;
    Rule rule;
    rule.folder = folder;
    if (line[0] == '!') {
      rule.negated = true;
      line.remove_prefix(1);
    }
    if (!line.empty() && line.back() == '/') {
      rule.folders_only = true;
      line.remove_suffix(1);
    }
    rule.anchored = line.find('/') != std::string_view::npos;
    if (!line.empty() && line[0] == '/') line.remove_prefix(1);
    rule.pattern = std::string(line);
    if (!rule.pattern.empty()) rules_.push_back(std::move(rule));
  }
}

bool IgnoreRules::ignores(std::string_view path, bool is_folder) const {
  bool out = false;
  for (const Rule& rule : rules_) {
    if (rule.folders_only && !is_folder) continue;
    if (path.substr(0, rule.folder.size()) != rule.folder) continue;
    const std::string_view below = path.substr(rule.folder.size());
    const std::string_view tested = rule.anchored ? below : below.substr(below.rfind('/') + 1);
    if (glob_matches(rule.pattern, tested)) out = !rule.negated;
  }
  return out;
}

bool glob_matches(std::string_view pattern, std::string_view path) {
  std::size_t steps = 0;
  return match(pattern, path, steps);
}

}  // namespace gonogo
