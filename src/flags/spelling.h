// Which flag a word means: exact spellings, unique beginnings, --flag=value, and what looks like a flag and is
// none. This is argparse's reading, to the letter: it is done for all words before any flag is acted upon, and an
// abbreviation that begins two spellings is an error even where both belong to one flag.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rules/pack.h"

namespace gonogo {

// What a word is by its looks.
struct Reading {
  enum class Kind : std::uint8_t {
    kArgument,   // a value, or a word that belongs to nothing
    kFlag,       // a spelling of the parser, in full or abbreviated
    kUnknown,    // looks like a flag, and is none
    kAmbiguous,  // begins several spellings
    kSeparator,  // "--": whatever follows is an argument
  };
  Kind kind = Kind::kArgument;
  std::uint32_t flag = kNoIndex;  // index into pack.flags
  std::string_view spelling;      // the full spelling that was meant, or that a one-dash word begins with
  bool has_value = false;         // a value stands in the same word
  std::string_view value;         // that value
  std::vector<StrId> candidates;  // of an ambiguous word, in the order declared
};

// The spellings of one version's parser.
class Spellings {
 public:
  Spellings(const Pack& pack, std::uint32_t version);

  // How argparse reads `word`, which is not behind a "--". Views point into `word` and the pack.
  Reading read(std::string_view word) const;

  // The flag with exactly this spelling, or kNoIndex.
  std::uint32_t find(std::string_view spelling) const;

  // All spellings, in the order declared, without those of hidden flags.
  std::vector<std::string_view> shown() const;

 private:
  struct Entry {
    std::string_view text;
    std::uint32_t flag;
    std::uint32_t order;
    StrId id;
  };

  // The entries that begin with `prefix`, in the order declared.
  std::vector<const Entry*> beginning_with(std::string_view prefix) const;
  const Entry* exact(std::string_view text) const;

  const Pack& pack_;
  std::vector<Entry> sorted_;
};

// -1, -.5, -0.5: what argparse takes for a negative number, so for a value.
bool looks_like_negative_number(std::string_view word);

}  // namespace gonogo
