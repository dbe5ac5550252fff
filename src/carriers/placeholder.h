// What a file leaves open, inside a text that other readers still have to take apart. A carrier puts a mark where the
// value would stand (a code point that nobody writes); a shell then sees an ordinary character that it neither splits
// nor expands, and in the finished words the marks become the placeholder again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gonogo {

class Placeholders {
 public:
  // The mark of something unknown that is shown as `shown` ("${X}") and is called `name` ("X").
  std::string mark(std::string_view shown, std::string_view name);
  // "${name}" and its name.
  std::string variable(std::string_view name);

  // Puts the placeholders back; adds the names of those in `text` to `names`, each once, where it is given.
  std::string restore(std::string_view text, std::vector<std::string>* names = nullptr) const;
  bool any(std::string_view text) const;
  bool empty() const { return entries_.empty(); }

 private:
  struct Entry {
    std::string shown;
    std::string name;
  };
  std::vector<Entry> entries_;
};

}  // namespace gonogo
