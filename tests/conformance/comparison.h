// How far gonogo's answers agree with recorded ones. Measures are counted, never averaged over files: a file's figure
// is the share of its own cases. What each means:
//   verdict      both accept in parsing and resolution, or both refuse
//   exact        verdict, and: accepted, the same changed fields with the same values; refused, in the same check
//   by           of the fields that both changed, those attributed to the same pass
//   env          of the launches that both accept, those with the same changes of the environment
//   checked      of those recorded with it, the launch check after resolution ends alike
//   built        of those whose recorded build counts, both build or both refuse
//   build-check  of the builds that both refuse, those refused in the same check
//   experts, dispatchers   of the built models with experts, those with the same expert layers, the same dispatchers
//   weights      of the built models, those whose weight bytes are within 2 %
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/value.h"

namespace gonogo {

struct Share {
  int alike = 0;
  int of = 0;
  double percent() const { return of == 0 ? 100.0 : 100.0 * alike / of; }
};

// Equal up to the noise of a float that was printed and read again; True is never 1.
inline bool same_value(const Value& a, const Value& b) {
  if (a.is(Kind::kBool) || b.is(Kind::kBool)) return a.is(b.kind()) && a.as_bool() == b.as_bool();
  if (a.is_number() && b.is_number()) {
    const double x = a.as_double();
    const double y = b.as_double();
    return x == y || std::abs(x - y) <= std::max(1e-9 * std::max(std::abs(x), std::abs(y)), 1e-9);
  }
  if (a.is_dict() && b.is_dict()) {
    if (a.size() != b.size()) return false;
    for (std::uint32_t i = 0; i < a.size(); ++i) {
      const Value* other = b.find(a.entries()[i].key.as_str());
      if (other == nullptr || !same_value(a.entries()[i].value, *other)) return false;
    }
    return true;
  }
  if (a.is_sequence() && b.is_sequence()) {
    if (a.size() != b.size()) return false;
    for (std::uint32_t i = 0; i < a.size(); ++i) {
      if (!same_value(a[i], b[i])) return false;
    }
    return true;
  }
  return equal(a, b);
}

// The value under a path of keys; None where it leads nowhere.
inline Value at(const Value& v, std::initializer_list<std::string_view> path) {
  const Value* here = &v;
  for (const std::string_view key : path) {
    here = here->find(key);
    if (here == nullptr) return {};
  }
  return *here;
}

class Comparison {
 public:
  // Counts one case. `want` is a line of testdata/conformance, `got` a line of `gonogo batch` for it.
  void add(const Value& want, const Value& got) {
    id_ = to_str(at(want, {"id"})) + " on " + to_str(at(want, {"sglang"}));
    if (got.find("error") != nullptr) differ("could not be answered", "", to_str(at(got, {"error"})));
    const bool accepted = truthy(at(want, {"ok"}));
    const Value resolve = at(got, {"resolve"});
    const bool alike = !resolve.is_none() && truthy(at(resolve, {"ok"})) == accepted;
    count("verdict", alike);
    if (!alike) {
      differ("verdict", outcome(accepted, at(want, {"error"})), outcome(!accepted, at(resolve, {"error"})));
    }
    if (accepted && want.find("set") == nullptr) return build(want, got);  // recorded for its build alone
    if (!alike) {
      count("exact", false);
    } else if (!accepted) {
      count("exact", same_check(want, resolve, "refused in"));
    } else {
      count("exact", same_fields(at(want, {"set"}), at(resolve, {"set"}), "field"));
      passes(at(want, {"by"}), at(want, {"set"}), resolve);
      count("env", same_fields(at(want, {"env_set"}), at(resolve, {"env"}), "environment variable"));
      if (want.find("checked") != nullptr) checked(at(want, {"checked"}), at(got, {"checked"}));
    }
    build(want, got);
  }

  const std::map<std::string, Share>& shares() const { return shares_; }
  // One line a difference, for a person to read.
  const std::vector<std::string>& differences() const { return differences_; }

 private:
  void count(const std::string& measure, bool alike) {
    Share& share = shares_[measure];
    share.alike += alike ? 1 : 0;
    ++share.of;
  }

  void differ(std::string_view what, std::string_view want, std::string_view got) {
    differences_.push_back(id_ + ": " + std::string(what) + ": recorded " + std::string(want.substr(0, 160)) +
                           ", got " + std::string(got.substr(0, 160)));
  }

  static std::string outcome(bool accepted, const Value& error) {
    return accepted ? "accepted" : "refused by " + to_str(at(error, {"check"}));
  }

  bool same_check(const Value& want, const Value& got, std::string_view what) {
    const Value wanted = at(want, {"error", "check"});
    const Value check = at(got, {"error", "check"});
    if (same_value(wanted, check)) return true;
    differ(what, to_str(wanted), to_str(check));
    return false;
  }

  bool same_fields(const Value& want, const Value& got, std::string_view what) {
    bool alike = true;
    const auto compare = [&](const Value& from, const Value& to, bool both) {
      for (std::uint32_t i = 0; from.is_dict() && i < from.size(); ++i) {
        const std::string_view key = from.entries()[i].key.as_str();
        const Value* other = to.find(key);
        if (other != nullptr && (!both || same_value(from.entries()[i].value, *other))) continue;
        alike = false;
        const std::string mine = to_json(from.entries()[i].value);
        const std::string theirs = other == nullptr ? "(unchanged)" : to_json(*other);
        differ(std::string(what) + " " + std::string(key), both ? mine : theirs, both ? theirs : mine);
      }
    };
    compare(want, got, true);
    compare(got, want, false);
    return alike;
  }

  // `by` of a recording maps a pass to fields, that of an answer a field to its pass.
  void passes(const Value& by, const Value& set, const Value& resolve) {
    const Value answered = at(resolve, {"by"});
    for (std::uint32_t p = 0; by.is_dict() && p < by.size(); ++p) {
      const Value& fields = by.entries()[p].value;
      for (std::uint32_t i = 0; i < fields.size(); ++i) {
        const std::string_view field = fields[i].as_str();
        if (set.find(field) == nullptr || at(resolve, {"set"}).find(field) == nullptr) continue;
        const Value pass = at(answered, {field});
        const bool alike = same_value(pass, by.entries()[p].key);
        count("by", alike);
        if (!alike) differ("pass of " + std::string(field), by.entries()[p].key.as_str(), to_str(pass));
      }
    }
  }

  void checked(const Value& want, const Value& got) {
    const bool ok = truthy(at(want, {"ok"}));
    bool alike = !got.is_none() && truthy(at(got, {"ok"})) == ok;
    if (!alike) {
      differ("launch check", outcome(ok, at(want, {"error"})), outcome(!ok, at(got, {"error"})));
    } else if (!ok) {
      alike = same_check(want, got, "launch check refused in");
    }
    count("checked", alike);
  }

  void build(const Value& want_case, const Value& got_case) {
    const Value want = at(want_case, {"build"});
    const Value got = at(got_case, {"build"});
    if (want.is_none() || truthy(at(want, {"harness"}))) return;
    const bool built = truthy(at(want, {"built"}));
    const bool alike = truthy(at(got, {"built"})) == built && (built || !got.is_none());
    count("built", alike);
    if (!alike) {
      differ("build", outcome(built, at(want, {"error"})), outcome(!built, at(got, {"error"})));
    } else if (!built) {
      count("build-check", same_check(want, got, "build refused in"));
    } else {
      layers(want, got);
    }
  }

  void layers(const Value& want, const Value& got) {
    for (const char* what : {"experts", "dispatchers"}) {
      if (at(want, {"experts"}).size() == 0) break;
      const std::string recorded = sorted_rows(at(want, {what}));
      const std::string answered = sorted_rows(at(got, {what}));
      count(what, recorded == answered);
      if (recorded != answered) differ(what, recorded, answered);
    }
    const double bytes = at(want, {"weight_bytes"}).as_double();
    const Value answered = at(got, {"weight_bytes"});
    count("weights", answered.is_number() && std::abs(answered.as_double() - bytes) <= 0.02 * std::max(1.0, bytes));
  }

  static std::string sorted_rows(const Value& rows) {
    std::vector<std::string> texts;
    for (std::uint32_t i = 0; rows.is_sequence() && i < rows.size(); ++i) texts.push_back(to_json(rows[i]));
    std::sort(texts.begin(), texts.end());
    std::string out;
    for (const std::string& text : texts) out += (out.empty() ? "" : " ") + text;
    return out;
  }

  std::string id_;
  std::map<std::string, Share> shares_;
  std::vector<std::string> differences_;
};

}  // namespace gonogo
