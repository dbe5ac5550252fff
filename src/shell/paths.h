// The ways that a script can go. Where the next step depends on what isn't known, somebody chooses; the script is
// followed again for every outcome that was left out, until there is none. What happened on which path says
// afterwards under which conditions a thing happens: those that change nothing for it fall away by themselves.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gonogo {

class Paths {
 public:
  // Turns to the next path; false when all were followed, or `limit` of them.
  bool next(std::size_t limit);

  // Which outcome this path takes of a choice with one text for each; `by_default` comes first. The same `key` on one
  // path gives the same outcome again.
  std::size_t choose(const std::string& key, std::vector<std::string> outcomes, std::size_t by_default);

  // A look aside: true on one path of its own, on which what follows a failure of `what` is followed and then nothing
  // else. It changes nothing for what happens on other paths.
  bool aside(const std::string& key, const std::string& what);

  // Outcome of a key that was chosen on this path.
  std::optional<std::size_t> chosen(const std::string& key) const;
  void assume(const std::string& key, std::size_t outcome) { memory_[key] = outcome; }

  // A thing, by number, happens on this path.
  void happens(std::size_t thing);
  // Whether this is the path of the defaults.
  bool first() const { return followed_ == 1; }
  // Whether paths are still to be followed.
  bool pending() const { return !open_.empty(); }
  // Whether paths were left out.
  bool truncated() const { return truncated_; }
  // How many choices this path has made.
  std::size_t choices() const { return taken_.size(); }
  // Too many choices on this path.
  bool exhausted() const { return taken_.size() >= kMaxChoices; }

  // What must hold for a thing that happened; none where it always happens. Asked after the last path.
  std::optional<std::string> condition(std::size_t thing) const;

 private:
  static constexpr std::size_t kMaxChoices = 256;
  static constexpr std::size_t kMaxOpen = 20'000;
  static constexpr int kNone = -1;

  struct Node {
    std::vector<std::size_t> things;  // what happens before the choice
    std::string key;
    std::vector<std::string> outcomes;
    std::vector<int> children;  // an index of a node, or kNone where not followed
    bool aside = false;
  };
  std::size_t step(const std::string& key, std::vector<std::string> outcomes, std::size_t by_default, bool aside);

  std::vector<Node> nodes_;
  // Paths still to follow, by the outcomes at their beginning: those that differ least from the defaults come first.
  std::deque<std::vector<std::size_t>> open_;
  std::vector<std::size_t> script_;  // outcomes that this path must take
  std::vector<std::size_t> taken_;   // outcomes that it took
  int at_ = 0;
  std::size_t followed_ = 0;
  bool truncated_ = false;
  std::map<std::string, std::size_t> memory_;

  friend class Diagram;
};

}  // namespace gonogo
