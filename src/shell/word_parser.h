// Reads the words of a shell script: quotes of every kind, expansions and what stands in them. Commands inside a
// substitution are read by whoever derives from this.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "shell/syntax.h"

namespace gonogo {

// Why a script can't be read further.
struct Fault {
  std::size_t at = 0;
  std::string what;
};

class WordParser {
 public:
  WordParser(std::shared_ptr<const Text> script, std::size_t depth)
      : script_(std::move(script)), chars_(script_->chars()), depth_(depth) {}
  virtual ~WordParser() = default;

  // All of it as the body of a here-document whose delimiter has no quotes.
  SyntaxWord here_document();

  const std::optional<Fault>& fault() const { return fault_; }

 protected:
  // What ends a run of parts, and which characters are special in it.
  enum class Mode : std::uint8_t {
    kWord,        // blanks and operators end it
    kDouble,      // "
    kHere,        // the end of the text
    kOperand,     // } of ${X-…}
    kPattern,     // the same, with quotes as in a word even inside "…"
    kSubstitute,  // / or } of ${X/…}
    kOffset,      // : or } of ${X:…}
    kIndex,       // ]
    kExpression,  // ) or ; of ((…)), outside of its own parentheses
    kRegex,       // blanks end it, outside of parentheses
  };

  // The commands up to the closing parenthesis, which stays.
  virtual CommandPtr substitution() = 0;
  virtual CommandPtr parse_other(std::shared_ptr<const Text> script) = 0;

  SyntaxWord word(Mode mode = Mode::kWord);
  // An expression up to "))", which it takes; false, and nothing taken, where there is none.
  bool expression(SyntaxWord* out);

  char peek(std::size_t ahead = 0) const { return at_ + ahead < chars_.size() ? chars_[at_ + ahead] : '\n'; }
  bool done() const { return at_ >= chars_.size() || fault_.has_value(); }
  bool starts(std::string_view text) const {
    return at_ < chars_.size() && chars_.compare(at_, text.size(), text) == 0;
  }
  void fail(std::string what) {
    if (!fault_.has_value()) fault_ = Fault{at_, std::move(what)};
  }
  bool skip_continuation();

  std::shared_ptr<const Text> script_;
  const std::string& chars_;
  std::size_t at_ = 0;
  std::size_t depth_;
  std::optional<Fault> fault_;

 private:
  void parts(Mode mode, bool quoted, SyntaxWord* out);
  bool ends(Mode mode, int nesting) const;
  void text(bool quoted, std::size_t begin, std::size_t end, SyntaxWord* out);
  void single_quotes(SyntaxWord* out);
  void ansi_quotes(SyntaxWord* out);
  void double_quotes(SyntaxWord* out);
  void dollar(bool quoted, bool in_quotes, SyntaxWord* out);
  void backquotes(bool quoted, bool in_quotes, SyntaxWord* out);
  void parameter(bool quoted, SyntaxWord* out);
  void braced(SyntaxPart* part, bool quoted);
  void command(SyntaxPart::Kind kind, bool quoted, SyntaxWord* out);
};

bool is_name_start(char c);
bool is_name_char(char c);
// Characters that end an unquoted word.
bool is_meta(char c);

}  // namespace gonogo
