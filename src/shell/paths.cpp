#include "shell/paths.h"

#include <algorithm>

namespace gonogo {

bool Paths::next(std::size_t limit) {
  if (followed_ == 0) {
    nodes_.emplace_back();
  } else {
    if (open_.empty()) return false;
    if (followed_ >= limit) {
      truncated_ = true;
      return false;
    }
    script_ = std::move(open_.front());
    open_.pop_front();
  }
  ++followed_;
  taken_.clear();
  at_ = 0;
  memory_.clear();
  return true;
}

std::size_t Paths::step(const std::string& key, std::vector<std::string> outcomes, std::size_t by_default, bool aside) {
  const std::size_t count = outcomes.size();
  const auto at = static_cast<std::size_t>(at_);
  if (nodes_[at].children.empty()) {
    Node& node = nodes_[at];
    node.key = key;
    node.children.assign(count, kNone);
    node.outcomes = std::move(outcomes);
    node.aside = aside;
  }
  std::size_t outcome = by_default;
  if (taken_.size() < script_.size()) {
    outcome = script_[taken_.size()];
  } else {
    for (std::size_t other = 0; other < count; ++other) {
      if (other == by_default) continue;
      if (open_.size() >= kMaxOpen) {
        truncated_ = true;
        break;
      }
      open_.push_back(taken_);
      open_.back().push_back(other);
    }
  }
  taken_.push_back(outcome);
  if (nodes_[at].children[outcome] == kNone) {
    nodes_[at].children[outcome] = static_cast<int>(nodes_.size());
    nodes_.emplace_back();
  }
  at_ = nodes_[at].children[outcome];
  return outcome;
}

std::size_t Paths::choose(const std::string& key, std::vector<std::string> outcomes, std::size_t by_default) {
  if (const auto known = memory_.find(key); known != memory_.end() && known->second < outcomes.size())
    return known->second;
  const std::size_t outcome = step(key, std::move(outcomes), by_default, false);
  memory_[key] = outcome;
  return outcome;
}

bool Paths::aside(const std::string& key, const std::string& what) {
  return step(key, {what, "!(" + what + ")"}, 0, true) == 1;
}

std::optional<std::size_t> Paths::chosen(const std::string& key) const {
  const auto known = memory_.find(key);
  return known == memory_.end() ? std::nullopt : std::optional(known->second);
}

void Paths::happens(std::size_t thing) {
  std::vector<std::size_t>& things = nodes_[static_cast<std::size_t>(at_)].things;
  if (std::find(things.begin(), things.end(), thing) == things.end()) things.push_back(thing);
}

// Whether one thing happens, as a decision diagram: equal parts are one, and a choice whose outcomes all come to the
// same is none.
class Diagram {
 public:
  static constexpr int kNever = 0;
  static constexpr int kAlways = 1;
  static constexpr int kEither = 2;  // a path that says nothing about it

  Diagram(const std::vector<Paths::Node>& nodes, std::size_t thing) : nodes_(nodes), thing_(thing) {}

  int of(int index) {
    if (index == Paths::kNone) return kEither;
    const Paths::Node& node = nodes_[static_cast<std::size_t>(index)];
    if (std::find(node.things.begin(), node.things.end(), thing_) != node.things.end()) return kAlways;
    if (node.children.empty()) return kNever;
    std::vector<int> parts;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      int part = of(node.children[i]);
      if (node.aside && i == 1 && part == kNever) part = kEither;
      parts.push_back(part);
    }
    int same = kEither;
    bool differs = false;
    for (const int part : parts) {
      if (part == kEither) continue;
      differs = differs || (same != kEither && same != part);
      same = part;
    }
    if (!differs) return same;
    const auto [found, fresh] = known_.try_emplace({node.key, parts}, static_cast<int>(made_.size()) + 3);
    if (fresh) made_.push_back({index, parts});
    return found->second;
  }

  // The outcomes that lead to it, the first of them at every choice.
  bool path(int part, std::vector<std::string>* out) const {
    if (part < 3) return part == kAlways;
    const auto& [index, parts] = made_[static_cast<std::size_t>(part - 3)];
    const Paths::Node& node = nodes_[static_cast<std::size_t>(index)];
    for (std::size_t i = 0; i < parts.size(); ++i) {
      out->push_back(node.outcomes[i]);
      if (path(parts[i], out)) return true;
      out->pop_back();
    }
    return false;
  }

 private:
  const std::vector<Paths::Node>& nodes_;
  std::size_t thing_;
  std::map<std::pair<std::string, std::vector<int>>, int> known_;
  std::vector<std::pair<int, std::vector<int>>> made_;
};

std::optional<std::string> Paths::condition(std::size_t thing) const {
  Diagram diagram(nodes_, thing);
  const int root = diagram.of(0);
  if (root < 3) return std::nullopt;
  std::vector<std::string> needed;
  diagram.path(root, &needed);
  std::string out;
  for (const std::string& text : needed) out += (out.empty() ? "" : " && ") + text;
  return out;
}

}  // namespace gonogo
