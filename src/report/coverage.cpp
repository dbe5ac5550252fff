#include "report/coverage.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>

#include "report/json_writer.h"
#include "report/report.h"
#include "report/rule_text.h"

namespace gonogo {

namespace {

constexpr int kFormatVersion = 1;

std::string percent_text(double percent) {
  char text[16];
  std::snprintf(text, sizeof text, "%.1f %%", percent);
  return text;
}

std::string place_of(const Pack& pack, std::uint32_t rule) {
  const RuleNote& note = pack.note(rule);
  return std::string(pack.text(note.file)) + ":" + std::to_string(note.line);
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text;
}

std::string right(std::size_t number, std::size_t width) {
  std::string text = std::to_string(number);
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

std::string rows_of(std::string_view title, const std::vector<Coverage::Group>& groups) {
  std::size_t width = title.size();
  for (const Coverage::Group& g : groups) width = std::max(width, g.name.size());
  std::string out = "\n" + padded(std::string(title), width) + "   fire  rules\n";
  for (const Coverage::Group& g : groups) {
    std::string percent = percent_text(g.percent());
    percent.insert(0, percent.size() < 9 ? 9 - percent.size() : 0, ' ');
    out += padded(g.name, width) + right(g.fired, 7) + right(g.rules, 7) + percent + "\n";
  }
  return out;
}

std::string plural(std::size_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

}  // namespace

bool is_covered_rule(const RuleRec& rule) { return acts_itself(rule) && rule.between == 0; }

Coverage::Coverage(const Pack& pack, Mask versions, std::size_t kept) : pack_(pack), kept_(kept) {
  for (std::uint32_t i = 0; i < pack.rules.size(); ++i) {
    const RuleRec& rule = pack.rules[i];
    if (is_covered_rule(rule) && (rule.versions & versions) != 0) rules_.push_back({i, 0, {}});
  }
}

void Coverage::add(const std::vector<bool>& acted, const std::string& where) {
  ++cases_;
  if (acted.empty()) return;
  for (Rule& rule : rules_) {
    if (!acted[rule.index]) continue;
    if (rule.fired++ < kept_) rule.cases.push_back(where);
  }
}

template <typename Name>
std::vector<Coverage::Group> Coverage::groups(Name name) const {
  std::vector<Group> out;
  std::map<std::string, std::size_t> known;
  for (const Rule& rule : rules_) {
    const std::string key(name(rule.index));
    const auto [at, added] = known.try_emplace(key, out.size());
    if (added) out.push_back({key, 0, 0});
    Group& group = out[at->second];
    ++group.rules;
    group.fired += rule.fired > 0 ? 1 : 0;
  }
  return out;
}

Coverage::Group Coverage::total() const {
  Group out{"all", 0, rules_.size()};
  for (const Rule& rule : rules_) out.fired += rule.fired > 0 ? 1 : 0;
  return out;
}

std::vector<Coverage::Group> Coverage::stages() const {
  return groups([this](std::uint32_t rule) { return stage_of(rule); });
}

std::vector<Coverage::Group> Coverage::files() const {
  std::vector<Group> out = groups([this](std::uint32_t rule) { return pack_.text(pack_.note(rule).file); });
  std::sort(out.begin(), out.end(), [](const Group& a, const Group& b) { return a.name < b.name; });
  return out;
}

std::string_view Coverage::stage_of(std::uint32_t rule) const {
  for (const StageRec& stage : pack_.stages) {
    if (stage.rule <= rule && rule < pack_.rules[stage.rule].end) return pack_.text(stage.name);
  }
  return {};
}

Result<std::vector<UpstreamCheck>> read_upstream_checks(std::string_view text, const std::string& file,
                                                        const Pack& pack, Mask versions) {
  constexpr std::size_t kColumns = 5;
  std::vector<UpstreamCheck> out;
  std::map<std::string, std::size_t, std::less<>> known;
  int number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || number == 1) continue;
    std::vector<std::string_view> cells;
    for (std::size_t from = 0;;) {
      const std::size_t tab = line.find('\t', from);
      cells.push_back(line.substr(from, tab == std::string_view::npos ? tab : tab - from));
      if (tab == std::string_view::npos) break;
      from = tab + 1;
    }
    if (cells.size() != kColumns) {
      return Error{Error::Kind::kInput,
                   "a line has " + std::to_string(cells.size()) + " columns",
                   {file, number, 0},
                   "kind, check, place, what and count, with tabs between them",
                   ""};
    }
    std::size_t count = 0;
    const auto parsed = std::from_chars(cells[4].data(), cells[4].data() + cells[4].size(), count);
    if (parsed.ec != std::errc() || parsed.ptr != cells[4].data() + cells[4].size()) {
      return Error{Error::Kind::kInput, "the last column is no number", {file, number, 0}, "", ""};
    }
    if (cells[0] == "declare") continue;
    const auto [at, added] = known.try_emplace(std::string(cells[1]), out.size());
    if (added) out.push_back({std::string(cells[1]), std::string(cells[2]), 0, 0, 0, {}});
    UpstreamCheck& check = out[at->second];
    if (cells[0] == "out-of-reach") {
      check.out_of_reach = cells[3];
      continue;
    }
    ++check.sites;
    check.recorded = std::max(check.recorded, count);  // each site of a check repeats the check's number
  }
  for (std::uint32_t i = 0; i < pack.rules.size(); ++i) {
    const RuleRec& rule = pack.rules[i];
    if (rule.action != Action::kFail || rule.disabled != 0 || (rule.versions & versions) == 0) continue;
    const auto at = known.find(pack.text(pack.note(i).check));
    if (at != known.end()) ++out[at->second].rules;
  }
  return out;
}

void add_checks(std::vector<UpstreamCheck> more, std::vector<UpstreamCheck>* checks) {
  for (UpstreamCheck& m : more) {
    const auto known =
        std::find_if(checks->begin(), checks->end(), [&](const UpstreamCheck& c) { return c.name == m.name; });
    if (known == checks->end()) {
      checks->push_back(std::move(m));
      continue;
    }
    known->sites += m.sites;
    known->recorded = std::max(known->recorded, m.recorded);
    if (!m.out_of_reach.empty()) known->out_of_reach = std::move(m.out_of_reach);
  }
}

std::string coverage_to_text(const Coverage& coverage, const CoverageCases& cases,
                             const std::vector<UpstreamCheck>* checks) {
  const Pack& pack = coverage.pack();
  const Coverage::Group total = coverage.total();
  std::string out = std::to_string(total.fired) + " of " + std::to_string(total.rules) + " rules (" +
                    percent_text(total.percent()) + ") act in " + plural(coverage.cases(), "case", "cases") + " of " +
                    plural(cases.files, "file", "files") + "\n";
  if (cases.skipped > 0) out += "  " + plural(cases.skipped, "case", "cases") + " of other versions left out\n";
  if (cases.judged > 0) {
    out += "  accepted or refused as recorded: " + std::to_string(cases.agreed) + " of " +
           std::to_string(cases.judged) + "\n";
  }
  out += rows_of("file", coverage.files());
  out += rows_of("stage", coverage.stages());

  std::string never;
  std::size_t count = 0;
  for (const Coverage::Rule& rule : coverage.rules()) {
    if (rule.fired > 0) continue;
    ++count;
    never +=
        "  " + padded(std::string(pack.text(pack.rules[rule.index].id)), 50) + "  " + place_of(pack, rule.index) + "\n";
  }
  if (count > 0) out += "\n" + plural(count, "rule acts", "rules act") + " in no case:\n" + never;
  if (checks == nullptr) return out;

  std::vector<const UpstreamCheck*> without;
  std::vector<const UpstreamCheck*> beyond;
  std::size_t fewer = 0;
  for (const UpstreamCheck& c : *checks) {
    if (c.rules == 0) (c.out_of_reach.empty() ? without : beyond).push_back(&c);
    fewer += c.rules > 0 && c.rules < c.sites ? 1 : 0;
  }
  std::stable_sort(without.begin(), without.end(),
                   [](const UpstreamCheck* a, const UpstreamCheck* b) { return a->recorded > b->recorded; });
  out += "\nUpstream's checks: " + std::to_string(checks->size() - without.size() - beyond.size()) + " of " +
         std::to_string(checks->size()) + " have a refusal in the rules; " + std::to_string(fewer) +
         " of these have more sites than rules\n";
  if (!without.empty()) out += "No rule stands for:\n";
  for (const UpstreamCheck* c : without) {
    out += "  " + padded(c->name, 50) + "  " + c->where + ", " + plural(c->sites, "site", "sites") + ", " +
           std::to_string(c->recorded) + " recorded\n";
  }
  if (!beyond.empty()) out += "No launch reaches:\n";
  for (const UpstreamCheck* c : beyond) out += "  " + padded(c->name, 50) + "  " + c->out_of_reach + "\n";
  return out;
}

namespace {

class CoverageJson : private JsonWriter {
 public:
  explicit CoverageJson(const Coverage& coverage) : coverage_(coverage), pack_(coverage.pack()) {}

  std::string run(const CoverageCases& cases, const std::vector<UpstreamCheck>* checks) {
    const Coverage::Group total = coverage_.total();
    open('{');
    number("format_version", kFormatVersion);
    text("rules_hash", pack_.hash());
    number("cases", static_cast<std::int64_t>(coverage_.cases()));
    number("skipped", static_cast<std::int64_t>(cases.skipped));
    number("judged", static_cast<std::int64_t>(cases.judged));
    number("agreed", static_cast<std::int64_t>(cases.agreed));
    counts(total);
    groups("files", coverage_.files());
    groups("stages", coverage_.stages());
    rules();
    if (checks != nullptr) upstream(*checks);
    close('}');
    return take() + "\n";
  }

 private:
  void counts(const Coverage::Group& g) {
    number("fired", static_cast<std::int64_t>(g.fired));
    number("rules", static_cast<std::int64_t>(g.rules));
  }
  void groups(std::string_view name, const std::vector<Coverage::Group>& list) {
    open(name, '[');
    for (const Coverage::Group& g : list) {
      open('{');
      text("name", g.name);
      counts(g);
      close('}');
    }
    close(']');
  }
  void rules() {
    open("by_rule", '[');
    for (const Coverage::Rule& rule : coverage_.rules()) {
      const RuleRec& r = pack_.rules[rule.index];
      open('{');
      text("id", pack_.text(r.id));
      text("place", place_of(pack_, rule.index));
      text("stage", coverage_.stage_of(rule.index));
      open("versions", '[');
      for (std::uint32_t v = 0; v < pack_.version_count(); ++v) {
        if ((r.versions >> v & 1) != 0) item(pack_.version(v));
      }
      close(']');
      number("fired", static_cast<std::int64_t>(rule.fired));
      list("cases", rule.cases);
      close('}');
    }
    close(']');
  }
  void upstream(const std::vector<UpstreamCheck>& checks) {
    open("upstream", '[');
    for (const UpstreamCheck& c : checks) {
      open('{');
      text("check", c.name);
      text("where", c.where);
      number("sites", static_cast<std::int64_t>(c.sites));
      number("recorded", static_cast<std::int64_t>(c.recorded));
      number("rules", static_cast<std::int64_t>(c.rules));
      if (!c.out_of_reach.empty()) text("out_of_reach", c.out_of_reach);
      close('}');
    }
    close(']');
  }

  const Coverage& coverage_;
  const Pack& pack_;
};

}  // namespace

std::string coverage_to_json(const Coverage& coverage, const CoverageCases& cases,
                             const std::vector<UpstreamCheck>* checks) {
  return CoverageJson(coverage).run(cases, checks);
}

}  // namespace gonogo
