// A Dockerfile, as far as it says what a container of its last stage runs: the image below, the environment, the
// entry point and command in effect, and files that here-documents copied in.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "carriers/mapped_text.h"
#include "carriers/placeholder.h"

namespace gonogo {

// ENTRYPOINT or CMD: words (exec form), or a shell's text.
struct DockerCommand {
  bool exec = false;
  std::vector<MappedText> words;  // of the exec form, as they are: nothing is expanded
  MappedText shell;
  std::size_t offset = 0;  // where the instruction stands
};

struct DockerStage {
  std::string image;  // what FROM names in the end, through earlier stages, with arguments put in
  std::string name;
  std::vector<std::pair<std::string, std::string>> env;   // with marks of placeholders
  std::vector<std::pair<std::string, std::string>> args;  // build arguments with a value
  std::optional<DockerCommand> entrypoint;
  std::optional<DockerCommand> command;
  std::vector<std::string> shell = {"/bin/sh", "-c"};
  std::map<std::string, MappedText, std::less<>> files;  // absolute path of a copied here-document → its text
};

// The last stage; nothing where there is no FROM.
std::optional<DockerStage> read_dockerfile(std::string_view text, Placeholders& marks);

}  // namespace gonogo
