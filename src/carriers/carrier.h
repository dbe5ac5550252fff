// What a file says about the processes it starts, whatever its form: each as the words of a command or as a shell's
// text, with the environment and what the carrier knows of image, GPUs, nodes and role. A form's reader yields these;
// one place (launch_finder) makes launches of them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "carriers/mapped_text.h"
#include "carriers/placeholder.h"
#include "launch/found.h"

namespace gonogo {

using EnvList = std::vector<std::pair<std::string, std::string>>;  // values may hold marks

// Files that the carrier itself gives the process: path in its file system → text.
using CarriedFiles = std::map<std::string, MappedText, std::less<>>;

// One process.
struct CarriedCommand {
  enum class Kind {
    kWords,      // a program and its arguments; nothing is expanded
    kScript,     // a shell's text
    kArguments,  // the arguments of an entry point that the form itself implies
  };
  Kind kind = Kind::kWords;
  std::vector<MappedText> words;
  MappedText script;
  std::string entry;       // of kArguments: the name of the entry point
  std::size_t offset = 0;  // where the command stands in the file: its line, where words are literal
  EnvList env;
  CarrierFacts facts;
  std::shared_ptr<const CarriedFiles> files;
  std::string label;          // what the file calls it: a target, a service, an override; may be empty
  std::string unit;           // what of the file runs together and holds it; "": the whole file
  std::string conditional;    // the condition it depends on, or empty
  bool placeholders = false;  // <text> in the script is a placeholder
};

// What one file carries.
struct Carried {
  std::string form;  // "kubernetes", "compose", …
  bool templated = false;
  Placeholders marks;
  std::vector<CarriedCommand> commands;
};

}  // namespace gonogo
