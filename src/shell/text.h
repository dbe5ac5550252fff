// Text on its way through a script: known characters that remember where they were written, and between them things
// whose value nobody knows until the script runs. The same type holds a script, a here-document, the value of a
// variable and a finished word, so that a word of a script inside a quoted string inside a YAML block still points at
// the byte of the file that wrote it, and an unknown stays one atom that nothing splits or parses.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shell/sources.h"

namespace gonogo {

// What stands where a value is not known.
struct Unknown {
  enum class Kind : std::uint8_t {
    kVariable,  // ${X}: a whole assigned value of it is passed on as it is
    kResult,    // a substitution, operation, arithmetic or array element: assigned whole, it takes the name assigned to
    kScriptPath,    // the path of the script itself, $0
    kScriptFolder,  // the folder that holds the script
  };
  Kind kind = Kind::kVariable;
  std::string shown;               // the placeholder, as it stands in a word: "${X}", "$(hostname -i)", "<name>"
  std::vector<std::string> names;  // what is not known: "X", "$(hostname -i)", "<name>"
};

class Text {
 public:
  // Stands in chars() where an unknown is. (A shell drops NUL bytes from its input, so no script means one.)
  static constexpr char kUnknown = '\0';

  Text() = default;
  // Every byte of `chars` follows the one before it in the source, from `at` on. NUL bytes are dropped.
  Text(std::string_view chars, TextOrigin at) { append(chars, at); }
  // Text that stands nowhere in a file.
  explicit Text(std::string_view chars) { append_fixed(chars, {}); }

  void append(std::string_view chars, TextOrigin at);
  // `chars` all come from the one place `at`: an escape sequence, a value that was computed.
  void append_fixed(std::string_view chars, TextOrigin at);
  void append(Unknown unknown, TextOrigin at);
  void append(const Text& text);
  Text slice(std::size_t begin, std::size_t end) const;

  bool empty() const { return chars_.empty(); }
  std::size_t size() const { return chars_.size(); }
  const std::string& chars() const { return chars_; }
  bool known() const { return unknowns_.empty(); }
  // The unknown at a byte that is kUnknown.
  const Unknown& unknown(std::size_t at) const;
  const std::vector<std::pair<std::size_t, Unknown>>& unknowns() const { return unknowns_; }

  // With placeholders where unknowns are.
  std::string shown() const;

  // Where the byte at `at` was written (at == size(): just behind the last).
  TextOrigin origin(std::size_t at) const;
  // Whether the byte at `at` came through the value of a variable, so that it isn't where its command stands.
  bool carried(std::size_t at) const;
  // Whether the byte at `at` stands at its origin as it is.
  bool running(std::size_t at) const;
  // Whether all of it stands in a source as one run of the same bytes, so that it can be edited there.
  bool literal() const;

  // Marks all of it as come through a variable.
  void carry();

  // Made from a default (`${X:-v}`): the value holds, but a condition on it is open.
  bool defaulted = false;

 private:
  struct Span {
    std::size_t begin;  // in chars_
    TextOrigin at;
    bool running;  // each byte follows the one before it
    bool carried;
  };
  void push(std::string_view chars, Span span);
  const Span* span_at(std::size_t at) const;

  std::string chars_;
  std::vector<Span> spans_;
  std::vector<std::pair<std::size_t, Unknown>> unknowns_;  // by position
};

}  // namespace gonogo
