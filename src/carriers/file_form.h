// Which form a file has: by its name where that says it, else by what stands in it.
#pragma once

#include <string_view>

namespace gonogo {

enum class FileForm {
  kShell,
  kMarkdown,
  kMdx,
  kRst,
  kDockerfile,
  kSystemd,
  kMakefile,
  kJustfile,
  kPython,
  kNotebook,
  kYaml,
  kProcfile,
  kSupervisor,
  kOther,  // another language, which is not read
};

FileForm form_of(std::string_view name, std::string_view text);

// Whether a name is one that launches are kept under, so that a folder's other files need not be opened.
bool may_carry(std::string_view name);

}  // namespace gonogo
