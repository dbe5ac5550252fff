#include "carriers/launch_match.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "carriers/secret_mask.h"

namespace gonogo {

namespace {

constexpr double kAlike = 0.4;          // the share of words from which two launches can be one
constexpr std::size_t kMostRest = 200;  // of either side, compared with each other

std::string joined(const std::vector<Word>& words) {
  std::string out;
  for (const Word& word : words) out += (out.empty() ? "" : " ") + word.text;
  return out;
}

// How much of two lists is the same words: from 0 to 1.
double alike(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  if (a.empty() && b.empty()) return 1;
  std::vector<std::string> x = a;
  std::vector<std::string> y = b;
  std::sort(x.begin(), x.end());
  std::sort(y.begin(), y.end());
  std::vector<std::string> common;
  std::set_intersection(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(common));
  return 2.0 * static_cast<double>(common.size()) / static_cast<double>(x.size() + y.size());
}

class Matcher {
 public:
  Matcher(const std::vector<LaunchName>& before, const std::vector<LaunchName>& now)
      : before_(before), now_(now), taken_(before.size()), out_(now.size()) {}

  std::vector<std::optional<std::size_t>> run() {
    equal_ones();
    nearest_ones();
    last_ones();
    return std::move(out_);
  }

 private:
  void take(std::size_t i, std::size_t j) {
    out_[j] = i;
    taken_[i] = true;
  }

  void equal_ones() {
    std::multimap<std::vector<std::string>, std::size_t> known;  // equal words keep their order
    for (std::size_t i = 0; i < before_.size(); ++i) known.emplace(before_[i].args, i);
    for (std::size_t j = 0; j < now_.size(); ++j) {
      const auto [first, last] = known.equal_range(now_[j].args);
      for (auto it = first; it != last && !out_[j]; ++it) {
        LaunchName as_now = before_[it->second];
        as_now.file = now_[j].file;
        if (!taken_[it->second] && as_now == now_[j]) take(it->second, j);
      }
    }
  }

  std::vector<std::size_t> rest_before() const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < before_.size(); ++i) {
      if (!taken_[i]) out.push_back(i);
    }
    return out;
  }
  std::vector<std::size_t> rest_now() const {
    std::vector<std::size_t> out;
    for (std::size_t j = 0; j < now_.size(); ++j) {
      if (!out_[j]) out.push_back(j);
    }
    return out;
  }

  // The most alike first; of equally alike ones the first.
  void nearest_ones() {
    std::vector<std::size_t> before = rest_before();
    std::vector<std::size_t> now = rest_now();
    before.resize(std::min(before.size(), kMostRest));
    now.resize(std::min(now.size(), kMostRest));
    std::vector<std::tuple<double, std::size_t, std::size_t>> pairs;
    for (const std::size_t i : before) {
      for (const std::size_t j : now) {
        const double words = alike(before_[i].args, now_[j].args);
        if (words < kAlike) continue;
        const double score =
            words + (before_[i].roles == now_[j].roles ? 0.5 : 0) + (before_[i].entry == now_[j].entry ? 0.25 : 0) +
            (before_[i].conditional == now_[j].conditional ? 0.25 : 0) + 0.25 * alike(before_[i].sets, now_[j].sets);
        pairs.emplace_back(-score, i, j);
      }
    }
    std::sort(pairs.begin(), pairs.end());
    for (const auto& [score, i, j] : pairs) {
      if (!taken_[i] && !out_[j]) take(i, j);
    }
  }

  // A file's only launch is the same one, however much of it was written anew.
  void last_ones() {
    const std::vector<std::size_t> before = rest_before();
    const std::vector<std::size_t> now = rest_now();
    if (before.size() != 1 || now.size() != 1) return;
    const LaunchName& a = before_[before[0]];
    const LaunchName& b = now_[now[0]];
    if (a.entry == b.entry && a.roles == b.roles) take(before[0], now[0]);
  }

  const std::vector<LaunchName>& before_;
  const std::vector<LaunchName>& now_;
  std::vector<bool> taken_;
  std::vector<std::optional<std::size_t>> out_;
};

}  // namespace

LaunchName name_of(const Pack& pack, const std::string& file, const FoundLaunch& launch) {
  LaunchName out;
  out.file = file;
  out.entry = launch.entry;
  out.roles = launch.roles;
  if (launch.conditional) out.conditional = mask_value(pack, *launch.conditional);
  for (const FoundVariable& v : launch.env) out.sets.push_back(v.name + "=" + shown_env(pack, v));
  out.args = shown_args(pack, launch.args);
  return out;
}

LaunchName name_of(const Pack& pack, const Launch& launch) {
  FoundLaunch found;
  found.entry = joined(launch.program);
  for (const auto& [name, value] : launch.env) {
    FoundVariable& variable = found.env.emplace_back();
    variable.name = name;
    variable.value.text = value;
  }
  for (const Word& word : launch.args) {
    FoundWord& arg = found.args.emplace_back();
    arg.text = word.text;
  }
  return name_of(pack, {}, found);
}

std::string command_line(const LaunchName& name) {
  std::string out;
  const auto add = [&](const std::string& word) { out += (out.empty() ? "" : " ") + word; };
  for (const std::string& word : name.sets) add(shell_quoted(word));
  if (!name.entry.empty()) add(name.entry);
  for (const std::string& word : name.args) add(shell_quoted(word));
  return out;
}

std::vector<std::optional<std::size_t>> match_launches(const std::vector<LaunchName>& before,
                                                       const std::vector<LaunchName>& now) {
  return Matcher(before, now).run();
}

}  // namespace gonogo
