// Why the runtime's own parser would not take the arguments: what the user is told, and at which word.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "rules/blob.h"

namespace gonogo {

struct UsageFinding {
  // In the order in which the parser notices: a command with several faults dies of the first.
  enum class Kind : std::uint8_t {
    kConfigFile,     // the file of further arguments can't be used as it is
    kAmbiguous,      // an abbreviation of several flags
    kMissingValue,   // a flag without the value it needs
    kUnwantedValue,  // --flag=value of a flag that takes none
    kBadValue,       // the value can't be converted: no number, no JSON …
    kBadChoice,      // converted, but none of the choices
    kRetired,        // a value that was removed
    kBadItem,        // an object among named paths is not what it must be; the runtime dies without a usage message
    kHelp,           // --help: the help is printed and nothing is launched
    kVersion,        // --version: the same
    kRequired,       // a flag that must be given was not
    kUnknown,        // a word that belongs to no flag
    kDeprecated,     // a note, no refusal: the flag works and will go
    kIgnored,        // a note, no refusal: the flag has no effect as it was written
  };

  Kind kind = Kind::kUnknown;
  std::string message;            // one sentence
  std::string hint;               // what to do, or empty
  std::uint32_t word = kNoIndex;  // the offending word among the arguments
  Place place;                    // of that word
};

// "bad-choice" and the like: stable names for machine-readable reports.
std::string_view usage_kind_name(UsageFinding::Kind kind);

// `text` in quotes as a message shows a user's word: one line, at most 60 characters.
std::string quoted(std::string_view text);

}  // namespace gonogo
