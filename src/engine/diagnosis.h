// Which rule stands for a failure that was logged. A rule names the place where its refusal comes from, so the frames
// of a traceback lead to a few rules; their texts are in other words than the runtime's, so they are told apart by the
// names, numbers and literals that both share, and by the words that a rule notes of the runtime's text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "facts/server_log.h"
#include "rules/pack.h"

namespace gonogo {

struct Diagnosis {
  enum class Confidence : std::uint8_t {
    kPossible,  // by words alone, or one of several of the same place
    kLikely,    // the place is the rule's, and no other rule of that place is as near
    kCertain,   // the only rule of that place, or with the words that it notes
  };
  std::uint32_t rule = kNoIndex;
  Confidence confidence = Confidence::kPossible;
  bool place_matches = false;
  double score = 0;
};

// Refusing rules for an exception, the best first, at most `most`; those of `version` only, where it is not kNoIndex.
std::vector<Diagnosis> diagnose(const Pack& pack, std::uint32_t version, const LogException& exception,
                                std::size_t most);

// Words as they are compared: lower-case, dashes as underscores, without the dashes before a flag.
std::vector<std::string> compared_words(std::string_view text);

}  // namespace gonogo
