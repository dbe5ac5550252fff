// A systemd service: the commands of ExecStart= and the environment they get, with systemd's own quoting, escapes,
// specifiers and variables. What the manager or an instance name decides is a placeholder.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "carriers/mapped_text.h"
#include "carriers/placeholder.h"

namespace gonogo {

struct ServiceCommand {
  std::vector<MappedText> words;
  std::size_t offset = 0;  // where the assignment stands
};

struct ServiceUnit {
  std::vector<std::pair<std::string, std::string>> env;  // with marks of placeholders
  std::vector<ServiceCommand> commands;
};

// The [Service] section; empty where there is none.
ServiceUnit read_service(std::string_view text, Placeholders& marks);

}  // namespace gonogo
