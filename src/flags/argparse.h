// The runtime's command line, read exactly as Python's argparse (3.11) reads it on the pack's flag table: what a
// word means (spelling.h), how many words a flag takes, conversions and choices (convert.h), the last one wins,
// what must be given, and what belongs to nothing.
//
// argparse stops at its first complaint; here all are collected, in the order in which argparse would come to
// them, so the first is the one that the runtime itself would print.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "flags/given.h"
#include "flags/usage.h"
#include "launch/launch.h"
#include "rules/pack.h"

namespace gonogo {

struct Parsed {
  Given given;                         // complete only where nothing was refused
  std::vector<UsageFinding> refusals;  // empty where the parser takes the command; at most kMaxRefusals
  std::vector<std::uint32_t> open;     // words that are not known and stand where a flag may: they may add anything

  bool ok() const { return refusals.empty(); }
};

inline constexpr std::size_t kMaxRefusals = 20;

// Reads `words` with the parser of a version. Values live in `arena` and in the pack; the value of a word that is not
// known is unknown. With `own_flags`, flags that no release's parser knows belong to the command around it and are
// passed over, with their values.
Parsed parse(const Pack& pack, std::uint32_t version, std::span<const Word> words, Arena& arena,
             bool own_flags = false);

}  // namespace gonogo
