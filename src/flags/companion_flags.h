// What a companion, a program that works beside launches, was given, and what it therefore calls. The pack knows only
// those of its flags that rules read, so this is no parser and refuses nothing: of its words it takes what surely
// belongs to a flag that is known, and what may be otherwise (an abbreviation, words that are not known) leaves values
// unknown.
//
// A flag's default says what it takes: true or false nothing, a number one number, a text or null one text, [] any
// number of words, and [[]] the same each time that it is given. Words are read as argparse reads them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.h"
#include "base/value.h"
#include "launch/launch.h"
#include "rules/pack.h"

namespace gonogo {

// What the companion calls, as one flag gave it. `to` is a mapping: `flag` is the flag's spelling, `text` what is
// called as it may be shown, without credentials and path, `port` is unknown where it is not known or not said, and
// `further` are the words behind the address, where the flag takes some with each. An address has a `scheme` and a
// `host`, which stays as it is written where it is not known; what is looked for by labels has these instead, each
// "key=value".
struct CompanionCall {
  std::uint32_t word = 0;  // the first that says it
  Value to;
};

struct CompanionGiven {
  std::vector<Value> values;         // by flag
  std::vector<std::uint32_t> words;  // by flag: the word that gave it, kNoIndex where none did
  std::vector<CompanionCall> calls;  // in order
  bool open = false;                 // words that are not known may add any flag
};

// Values live in `arena` and in the pack.
CompanionGiven read_companion(const Pack& pack, const PeerRec& peers, std::span<const Word> words, Arena& arena);

}  // namespace gonogo
