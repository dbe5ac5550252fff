#include "engine/peer_groups.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "rules/peer_record.h"

namespace gonogo {

namespace {

constexpr std::size_t kMaxMembers = 256;  // of one group; more are left out
constexpr std::size_t kMaxPairs = 1024;

using Indices = std::vector<std::size_t>;
using Conditions = std::set<std::string>;

std::string folder_of(const std::string& file) {
  const std::size_t slash = file.rfind('/');
  return slash == std::string::npos ? std::string() : file.substr(0, slash);
}

class Grouping {
 public:
  Grouping(std::size_t peers, std::span<const PeerLaunch> launches) : peers_(peers), launches_(launches) {}

  // A companion's: with the launches of its unit, or else of its file.
  std::vector<PeerGroup> run_companion() {
    const auto called = [&](bool whole, const std::string& file, const std::string* unit) {
      Indices members;
      unread_ = 0;
      for (std::size_t i = 0; i < launches_.size(); ++i) {
        const PeerLaunch& launch = launches_[i];
        const bool inside = unit == nullptr ? true : std::count(launch.units.begin(), launch.units.end(), *unit) > 0;
        if (launch.file != file || !inside) continue;
        if (launch.wrapped || (launch.companion == kNoIndex && launch.values.empty())) {
          ++unread_;
          continue;
        }
        if ((whole && taken(i) && plays(i, 0)) || !(plays(i, 0) || may_play(i, 1))) continue;
        members.push_back(i);
      }
      return members;
    };
    std::set<std::pair<std::string, std::string>> units;
    std::set<std::string> files;
    for (const PeerLaunch& launch : launches_) {
      if (launch.companion != peers_) continue;
      for (const std::string& unit : launch.units) units.emplace(launch.file, unit);
      if (!launch.apart) files.insert(launch.file);
    }
    for (const auto& [file, unit] : units) add_companion(called(false, file, &unit));
    for (const std::string& file : files) add_companion(called(true, file, nullptr));
    return std::move(out_);
  }

  std::vector<PeerGroup> run() {
    // What one unit of a file holds belongs together.
    std::map<std::pair<std::string, std::string>, Indices> units;
    std::map<std::pair<std::string, std::string>, std::size_t> unread;
    for (std::size_t i = 0; i < launches_.size(); ++i) {
      for (const std::string& unit : launches_[i].units) {
        if (launches_[i].values.empty()) ++unread[{launches_[i].file, unit}];
        if (plays(i, 0) || plays(i, 1)) units[{launches_[i].file, unit}].push_back(i);
      }
    }
    for (const auto& [unit, members] : units) {
      unread_ = unread[unit];
      take(members, true);
    }
    // Then units of a file, and files of a folder, with equal keys; and the only two there are.
    std::map<std::string, Indices> files;
    std::map<std::string, Indices> folders;
    Indices all;
    unread_ = 0;
    for (std::size_t i = 0; i < launches_.size(); ++i) {
      if (!taken(i) && (plays(i, 0) || plays(i, 1))) files[launches_[i].file].push_back(i);
    }
    for (const auto& [file, members] : files) take(members, members.size() == 2, launches_[members[0]].apart);
    for (std::size_t i = 0; i < launches_.size(); ++i) {
      if (taken(i) || plays(i, 0) == plays(i, 1)) continue;
      all.push_back(i);
      if (!launches_[i].apart) folders[folder_of(launches_[i].file)].push_back(i);
    }
    for (const auto& [folder, members] : folders) take_files(members, all.size() == 2);
    std::sort(out_.begin(), out_.end(), [](const PeerGroup& a, const PeerGroup& b) { return a.launches < b.launches; });
    return std::move(out_);
  }

 private:
  bool plays(std::size_t launch, std::size_t role) const {
    if (launches_[launch].values.empty()) return false;
    const Value& v = launches_[launch].values[peers_].roles[role];
    return !v.is_bad() && truthy(v);
  }
  // A role that is not known counts: of the ranks of a node, one is the first.
  bool may_play(std::size_t launch, std::size_t role) const {
    return !launches_[launch].values.empty() &&
           (launches_[launch].values[peers_].roles[role].is_unknown() || plays(launch, role));
  }
  bool taken(std::size_t launch) const { return taken_.count(launch) > 0; }

  // Unknown parts are equal where the same is missing.
  std::string key_of(std::size_t launch) const {
    std::string out;
    for (const Value& v : launches_[launch].values[peers_].key) {
      out += (v.is_bad() ? "?" + std::string(v.as_str()) : to_repr(v)) + '\n';
    }
    return out;
  }

  std::map<std::string, Indices> by_key(const Indices& members) const {
    std::map<std::string, Indices> out;
    for (const std::size_t i : members) out[key_of(i)].push_back(i);
    return out;
  }

  // Groups of equal keys; where none is whole and no launch plays both roles, all of them, so that unequal keys can be
  // told.
  void take(const Indices& members, bool unequal, bool only_pair = false) {
    bool any = false;
    if (only_pair && members.size() != 2) return;
    for (const auto& [key, some] : by_key(members)) any = add(some) || any;
    const bool both =
        std::any_of(members.begin(), members.end(), [&](std::size_t i) { return plays(i, 0) && plays(i, 1); });
    if (!any && unequal && !both) add(members);
  }

  // Of files, each with one role: many of a role may be alternatives for different machines.
  void take_files(const Indices& members, bool unequal) {
    bool any = false;
    for (const auto& [key, some] : by_key(members)) {
      std::array<std::set<std::string>, PeerRec::kRoles> files;
      for (const std::size_t i : some) files[plays(i, 0) ? 0 : 1].insert(launches_[i].file);
      if (files[0].size() == 1 && files[1].size() == 1) any = add(some) || any;
    }
    if (!any && unequal && members.size() == 2) add(members);
  }

  bool add(const Indices& members) {
    PeerGroup group;
    std::array<Indices, PeerRec::kRoles> roles;
    for (const std::size_t i : std::span(members).first(std::min(members.size(), kMaxMembers))) {
      for (std::size_t role = 0; role < PeerRec::kRoles; ++role) {
        if (plays(i, role)) roles[role].push_back(i);
      }
    }
    const std::array<Conditions, PeerRec::kRoles> of_role = {common(roles[0]), common(roles[1])};
    std::set<std::size_t> used;
    for (const std::size_t a : roles[0]) {
      for (const std::size_t b : roles[1]) {
        const bool both = plays(a, 1) && plays(b, 0);
        if (a == b || (both && b < a) || group.pairs.size() >= kMaxPairs) continue;
        if (members.size() > 2 && excluded(a, of_role[0], b, of_role[1])) continue;
        group.pairs.emplace_back(a, b);
        used.insert({a, b});
      }
    }
    if (group.pairs.empty()) return false;
    group.launches.assign(used.begin(), used.end());
    group.unread = unread_;
    group.together = std::all_of(used.begin(), used.end(), [&](std::size_t i) { return launches_[i].declared; });
    taken_.insert(members.begin(), members.end());
    out_.push_back(std::move(group));
    return true;
  }

  void add_companion(const Indices& members) {
    PeerGroup group;
    std::array<Indices, PeerRec::kRoles> roles;
    const auto some = std::span(members).first(std::min(members.size(), kMaxMembers));
    for (const std::size_t i : some) roles[plays(i, 0) ? 0 : 1].push_back(i);
    for (const std::size_t a : roles[0]) {
      for (const std::size_t b : roles[1]) {
        if (group.pairs.size() < kMaxPairs) group.pairs.emplace_back(a, b);
      }
    }
    if (group.pairs.empty()) return;
    group.launches.assign(some.begin(), some.end());
    group.unread = unread_ + members.size() - some.size();
    group.together = std::all_of(some.begin(), some.end(), [&](std::size_t i) { return launches_[i].declared; });
    taken_.insert(roles[0].begin(), roles[0].end());
    out_.push_back(std::move(group));
  }

  // The conditions under which each launch of a role occurs: they choose the role, and nothing else.
  Conditions common(const Indices& members) const {
    Conditions out;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const auto& own = launches_[members[i]].conditions;
      if (i == 0) {
        out.insert(own.begin(), own.end());
        continue;
      }
      std::erase_if(out, [&](const std::string& c) { return std::find(own.begin(), own.end(), c) == own.end(); });
    }
    return out;
  }

  // Whether two launches are of alternatives that do not occur together, as far as that can be told: each has
  // conditions of its own, beside those that chose its role.
  bool excluded(std::size_t a, const Conditions& of_a, std::size_t b, const Conditions& of_b) const {
    const auto own = [this](std::size_t launch, const Conditions& of_role, std::size_t other) {
      const auto& theirs = launches_[other].conditions;
      return std::any_of(launches_[launch].conditions.begin(), launches_[launch].conditions.end(),
                         [&](const std::string& c) {
                           return of_role.count(c) == 0 && std::find(theirs.begin(), theirs.end(), c) == theirs.end();
                         });
    };
    return own(a, of_a, b) && own(b, of_b, a);
  }

  const std::size_t peers_;
  const std::span<const PeerLaunch> launches_;
  std::size_t unread_ = 0;
  std::set<std::size_t> taken_;
  std::vector<PeerGroup> out_;
};

}  // namespace

std::vector<PeerGroup> group_peers(const Pack& pack, std::size_t peers, std::span<const PeerLaunch> launches) {
  Grouping grouping(peers, launches);
  return pack.peers[peers].has_companion() ? grouping.run_companion() : grouping.run();
}

}  // namespace gonogo
