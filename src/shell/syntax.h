// The syntax of a shell script: commands, and the words they are made of. Quotes are gone, and what stood in them is
// marked instead; everything keeps its range in the script, so that a condition can be shown as it was written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "shell/text.h"

namespace gonogo {

struct Command;
using CommandPtr = std::shared_ptr<const Command>;

// From `begin` up to `end`, in the script's text.
struct Extent {
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct SyntaxPart;
using SyntaxWord = std::vector<SyntaxPart>;

struct SyntaxPart {
  enum class Kind : std::uint8_t {
    kText,        // characters; unknowns of the script's own text among them
    kParameter,   // $X, ${X…}
    kCommand,     // $(…) and `…`
    kArithmetic,  // $((…)) and $[…]
    kProcess,     // <(…) and >(…): a path that nobody knows
  };
  Kind kind = Kind::kText;
  bool quoted = false;
  Text text;         // kText: the characters; kArithmetic: not used
  Text written;      // the others: as written, without the quotes around
  std::string name;  // kParameter: the variable
  char prefix = 0;   // kParameter: '#' for ${#X}, '!' for ${!X}
  std::string
      op;  // kParameter: "", ":-", "-", ":=", ":+", "#", "##", "%", "%%", "/", "//", "/#", "/%", ":", "^", …, "@"
  bool indexed = false;
  SyntaxWord index;    // kParameter: what stands in [ ]
  SyntaxWord operand;  // kParameter: behind the operator; kArithmetic: the expression
  SyntaxWord second;   // kParameter: the replacement of "/", the length of ":"
  bool has_second = false;
  CommandPtr body;  // kCommand, kProcess
};

struct Assignment {
  std::string name;
  bool append = false;   // +=
  bool indexed = false;  // NAME[…]=
  SyntaxWord index;
  SyntaxWord value;
  bool array = false;  // NAME=( … )
  struct Element {
    bool keyed = false;
    SyntaxWord key;
    SyntaxWord value;
  };
  std::vector<Element> elements;
  Extent extent;
};

struct Redirect {
  std::string op;  // "<", ">", ">>", "<<", "<<<", ">&", "&>", …
  int fd = -1;     // as given, or -1
  SyntaxWord target;
  std::shared_ptr<SyntaxWord> body;  // of a here-document, once it was read
  bool literal = false;              // the here-document's delimiter was quoted
};

struct CaseArm {
  std::vector<SyntaxWord> patterns;
  CommandPtr body;
  char next = ';';  // ';' ends the case, '&' falls into the next body, '?' tries the next pattern
  Extent extent;    // of the patterns
};

// One operand or operator of [[ … ]], in prefix form.
struct Condition {
  enum class Kind : std::uint8_t { kAnd, kOr, kNot, kUnary, kBinary, kWord };
  Kind kind = Kind::kWord;
  std::string op;
  SyntaxWord left;
  SyntaxWord right;
  std::vector<Condition> parts;
};

struct Command {
  enum class Kind : std::uint8_t {
    kSimple,
    kList,        // parts one after another
    kAnd,         // parts[0] && parts[1]
    kOr,          // parts[0] || parts[1]
    kNot,         // ! parts[0]
    kPipeline,    // parts
    kBackground,  // parts[0] &
    kGroup,       // { parts[0] }
    kSubshell,    // ( parts[0] )
    kIf,          // parts: condition, then, condition, then, …, else
    kFor,         // name in words; parts[0]
    kSelect,
    kForArithmetic,  // arithmetic[0..2]; parts[0]
    kWhile,          // parts: condition, body
    kUntil,
    kCase,        // words[0], arms
    kFunction,    // name, parts[0]
    kTest,        // [[ condition ]]
    kArithmetic,  // (( arithmetic[0] ))
  };
  Kind kind = Kind::kSimple;
  Extent extent;
  std::shared_ptr<const Text> script;  // that extents are in
  std::vector<Assignment> assignments;
  std::vector<SyntaxWord> words;
  // Arrays among the words of `declare`, by the position of the word that they stand for.
  std::vector<std::pair<std::size_t, Assignment>> declared;
  std::vector<Redirect> redirects;
  std::vector<CommandPtr> parts;
  std::string name;
  bool over_words = false;  // kFor: `in` was given
  std::vector<SyntaxWord> arithmetic;
  std::vector<CaseArm> arms;
  std::vector<Condition> condition;  // one, where kTest

  Text written() const { return script->slice(extent.begin, extent.end); }
  Text written(Extent e) const { return script->slice(e.begin, e.end); }
};

}  // namespace gonogo
