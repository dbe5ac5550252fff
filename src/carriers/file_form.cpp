#include "carriers/file_form.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>

namespace gonogo {

namespace {

constexpr auto kNone = std::string_view::npos;

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::optional<FileForm> by_name(std::string_view path) {
  const std::string base = lowered(path.substr(path.rfind('/') + 1));
  const std::string_view name = base;
  struct Ending {
    std::string_view end;
    FileForm form;
  };
  constexpr std::array<Ending, 24> kEndings = {{{".md", FileForm::kMarkdown},
                                                {".rst", FileForm::kRst},
                                                {".ipynb", FileForm::kNotebook},
                                                {".markdown", FileForm::kMarkdown},
                                                {".mdx", FileForm::kMdx},
                                                {".dockerfile", FileForm::kDockerfile},
                                                {".containerfile", FileForm::kDockerfile},
                                                {".service", FileForm::kSystemd},
                                                {".mk", FileForm::kMakefile},
                                                {".just", FileForm::kJustfile},
                                                {".py", FileForm::kPython},
                                                {".yaml", FileForm::kYaml},
                                                {".yml", FileForm::kYaml},
                                                {".sh", FileForm::kShell},
                                                {".bash", FileForm::kShell},
                                                {".zsh", FileForm::kShell},
                                                {".ksh", FileForm::kShell},
                                                {".slurm", FileForm::kShell},
                                                {".sbatch", FileForm::kShell},
                                                {".job", FileForm::kShell},
                                                {".env", FileForm::kShell},
                                                {".tpl", FileForm::kYaml},
                                                {".json", FileForm::kYaml},
                                                {".command", FileForm::kShell}}};
  if (name == "makefile" || name == "gnumakefile") return FileForm::kMakefile;
  if (name == "justfile" || name == ".justfile") return FileForm::kJustfile;
  if (name == "dockerfile" || name == "containerfile" || name.rfind("dockerfile.", 0) == 0 ||
      name.rfind("containerfile.", 0) == 0) {
    return FileForm::kDockerfile;
  }
  if (name == "supervisord.conf") return FileForm::kSupervisor;
  if (name == "procfile" || name.rfind("procfile.", 0) == 0) return FileForm::kProcfile;
  for (const Ending& e : kEndings) {
    if (ends_with(name, e.end)) return e.form;
  }
  for (const std::string_view other :
       {".toml", ".hcl", ".tf",   ".nomad", ".bat", ".cmd",  ".ps1", ".ini", ".cfg", ".js",   ".ts", ".jsx",
        ".tsx",  ".mjs", ".go",   ".rs",    ".rb",  ".java", ".kt",  ".c",   ".cc",  ".cpp",  ".h",  ".hpp",
        ".cu",   ".lua", ".html", ".css",   ".xml", ".svg",  ".csv", ".tsv", ".sql", ".jsonl"}) {
    if (ends_with(name, other)) return FileForm::kOther;
  }
  return std::nullopt;
}

// The lines of a text, without blank ones and comments, at most `most`.
template <typename Test>
bool any_line(std::string_view text, std::size_t most, Test test) {
  for (std::size_t at = 0; at < text.size() && most > 0;) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (line.empty() || line[0] == '#') continue;
    --most;
    if (test(line)) return true;
  }
  return false;
}

FileForm by_content(std::string_view text) {
  const std::string_view first = text.substr(0, text.find('\n'));
  if (first.rfind("#!", 0) == 0) return first.find("python") != kNone ? FileForm::kPython : FileForm::kShell;
  const auto starts = [](std::string_view with) {
    return [with](std::string_view line) { return line.rfind(with, 0) == 0; };
  };
  if (any_line(text, 400, starts("[Service]"))) return FileForm::kSystemd;
  if (any_line(text, 400, starts("[program:"))) return FileForm::kSupervisor;
  bool leading_from = false;
  any_line(text, 20, [&](std::string_view line) {
    leading_from = line.rfind("FROM ", 0) == 0;
    return leading_from || line.rfind("ARG ", 0) != 0;
  });
  if (leading_from) return FileForm::kDockerfile;
  for (const std::string_view key :
       {"apiVersion:", "kind:", "services:", "resources:", "applications:", "backend:", "base:"}) {
    if (any_line(text, 400, starts(key))) return FileForm::kYaml;
  }
  if (text.rfind("---\n", 0) == 0 && text.find("\napiVersion:") != kNone) return FileForm::kYaml;
  if (text.rfind("```", 0) == 0 || text.find("\n```") != kNone || text.find("\n~~~") != kNone)
    return FileForm::kMarkdown;
  return FileForm::kShell;
}

}  // namespace

FileForm form_of(std::string_view name, std::string_view text) {
  const std::optional<FileForm> form = by_name(name);
  if (form == FileForm::kOther &&
      any_line(text, 400, [](std::string_view line) { return line.rfind("[program:", 0) == 0; }))
    return FileForm::kSupervisor;
  return form ? *form : by_content(text);
}

bool may_carry(std::string_view name) {
  if (const auto form = by_name(name)) return *form != FileForm::kOther;
  const std::string_view base = name.substr(name.rfind('/') + 1);
  return base.find('.') == kNone;  // scripts often have no ending
}

}  // namespace gonogo
