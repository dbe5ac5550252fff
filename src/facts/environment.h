// The environment variables that a launch will see: those it sets itself over the caller's. A launch for
// another place (a container, a recorded case) sees only its own.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gonogo {

class Environment {
 public:
  // A variable and its value; nullopt removes it, as `env -u NAME` does. The last entry of a name counts.
  using Assignments = std::vector<std::pair<std::string, std::optional<std::string>>>;

  enum class Below {
    kProcess,  // what lies below is this process's environment
    kNothing,  // nothing does: `launch` is all there is
  };

  explicit Environment(Assignments launch = {}, Below below = Below::kProcess);

  // The same with `caller` as what lies below.
  static Environment over(Assignments caller, Assignments launch);

  // The value of a variable; nullopt where it is not set. An empty value is a value.
  std::optional<std::string> get(std::string_view name) const;

  // Whether the launch itself sets (or removes) the variable.
  bool from_launch(std::string_view name) const;

  // All names that are set, sorted.
  std::vector<std::string> names() const;

 private:
  // In order of name, each once.
  Assignments launch_;
  Assignments caller_;
  bool process_ = false;
};

}  // namespace gonogo
