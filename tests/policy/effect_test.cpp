#include "policy/effect.h"

#include <string>
#include <vector>

#include "catch.h"
#include "report/sample.h"

namespace gonogo::test {

namespace {

using Words = std::vector<std::string>;

const Words kRefused = {"--path", "/m", "--exchange", "deep"};

// A policy, its effect on one launch of the sample in `file` (from line 3 to 4), and what is left to be said.
struct Applied {
  LaunchReport launch;
  std::vector<ReportFinding> left;

  const ReportFinding& finding() const { return launch.findings.at(0); }
  std::vector<std::string> rules() const {
    std::vector<std::string> out;
    for (const ReportFinding& f : left) out.push_back(f.rule + " " + (f.span ? f.span->text() : ""));
    return out;
  }
};

Applied applied(const std::string& yaml, const std::string& file = "deploy/a.sh", const std::string& text = "",
                const Words& words = kRefused) {
  const Sample sample(words);
  const std::vector<PolicyKey> keys = policy_keys(*sample.pack);
  auto policy = parse_policy(yaml, "gonogo.yaml", keys);
  REQUIRE(policy.ok());
  policy->today = {2027, 3, 1};
  PolicyEffect effect(*policy, *sample.pack);
  PolicyEffect::File comments(text, file);
  Applied out;
  const bool in_file = file != kCommandLine;
  out.launch = report_of(sample.input(), in_file ? ReportSpan{file, 3, 1, 3, 2} : ReportSpan{file, 1, 1, 1, 2});
  effect.apply(&out.launch, in_file ? &comments : nullptr, 4);
  out.left = effect.leftovers(comments);
  for (const ReportFinding& f : effect.leftovers()) out.left.push_back(f);
  return out;
}

std::string ignore(const std::string& rule, const std::string& more = "") {
  return "ignore: [{rule: " + rule + ", reason: known" + more + "}]";
}

}  // namespace

TEST_CASE("what a policy's ignore does", "[policy]") {
  struct Row {
    std::string name;
    std::string yaml;
    std::string file;
    bool suppressed;
    Words left;
  };
  const std::vector<Row> rows = {
      {"by its rule", ignore("gates/no-path"), "deploy/a.sh", true, {}},
      {"by a pattern", ignore("gates/*"), "deploy/a.sh", true, {}},
      {"another rule", ignore("gates/gpu"), "deploy/a.sh", false, {"policy/unused-ignore gonogo.yaml:1:17"}},
      {"on its last day", ignore("gates/*", ", until: 2027-03-01"), "deploy/a.sh", true, {}},
      {"a day late",
       ignore("gates/*", ", until: 2027-02-28"),
       "deploy/a.sh",
       false,
       {"policy/expired-ignore gonogo.yaml:1:17"}},
      {"in the file", ignore("gates/*", ", file: a.sh"), "deploy/a.sh", true, {}},
      {"in the folder", ignore("gates/*", ", file: deploy/*.sh"), "./deploy/a.sh", true, {}},
      {"in any folder", ignore("gates/*", ", file: '**/a.sh'"), "deploy/b/a.sh", true, {}},
      {"elsewhere: nobody could use it", ignore("gates/*", ", file: other/*.sh"), "deploy/a.sh", false, {}},
      {"of files, on the command line", ignore("gates/*", ", file: '*'"), "argv", false, {}},
      {"on the command line", ignore("gates/*"), "argv", true, {}},
      {"on the command line, for another launch", ignore("gates/gpu"), "argv", false, {}},
  };
  for (const Row& row : rows) {
    INFO(row.name);
    const Applied got = applied(row.yaml, row.file);
    CHECK(got.finding().suppressed.has_value() == row.suppressed);
    CHECK(got.launch.verdict == (row.suppressed ? Verdict::kGo : Verdict::kNoGo));
    CHECK(got.launch.own_verdict == Verdict::kNoGo);
    CHECK(got.rules() == row.left);
    if (!row.suppressed) continue;
    CHECK(got.finding().suppressed->by == "gonogo.yaml:1");
    CHECK(got.finding().suppressed->reason == "known");
    CHECK_FALSE(got.finding().suppressed->in_source);
  }
}

TEST_CASE("what a comment beside the launch does", "[policy]") {
  struct Row {
    std::string name;
    std::string text;  // the launch stands on lines 3 and 4
    bool suppressed;
    Words left;
  };
  const std::string good = "# gonogo: ignore=gates/no-path reason=\"known\"";
  const std::vector<Row> rows = {
      {"above", "\n" + good + "\nlaunch\n  more\n", true, {}},
      {"in the comments above", good + "\n# and more\nlaunch\n  more\n", true, {}},
      {"on its last line", "\n\nlaunch\n  more " + good + "\n", true, {}},
      {"too far above", good + "\n\nlaunch\n  more\n", false, {"policy/unused-ignore deploy/a.sh:1:18"}},
      {"below", "\n\nlaunch\n  more\n" + good, false, {"policy/unused-ignore deploy/a.sh:5:18"}},
      {"of another rule",
       "\n# gonogo: ignore=gates/gpu reason=x\nlaunch\n",
       false,
       {"policy/unused-ignore deploy/a.sh:2:18"}},
      {"of no rule",
       "\n# gonogo: ignore=gates/no-pth reason=x\nlaunch\n",
       false,
       {"policy/invalid-ignore deploy/a.sh:2:18"}},
      {"ended", "\n" + good + " until=2027-02-01\nlaunch\n", false, {"policy/expired-ignore deploy/a.sh:2:18"}},
      {"without a reason",
       "\n# gonogo: ignore=gates/no-path\nlaunch\n",
       false,
       {"policy/invalid-ignore deploy/a.sh:2:18"}},
  };
  for (const Row& row : rows) {
    INFO(row.name);
    const Applied got = applied("", "deploy/a.sh", row.text);
    CHECK(got.finding().suppressed.has_value() == row.suppressed);
    CHECK(got.rules() == row.left);
    for (const ReportFinding& f : got.left) CHECK(f.level == Level::kWarning);
    if (row.suppressed) CHECK(got.finding().suppressed->in_source);
  }
}

TEST_CASE("severities: the last that names a rule decides, and it is told", "[policy]") {
  struct Row {
    std::string yaml;
    Level level;
    std::string by;
    Verdict verdict;
  };
  const std::vector<Row> rows = {
      {"", Level::kError, "", Verdict::kNoGo},
      {"severity: {gates/no-path: warning}", Level::kWarning, "gonogo.yaml:1", Verdict::kGo},
      {"severity: {gates/no-path: note}", Level::kNote, "gonogo.yaml:1", Verdict::kGo},
      {"severity:\n  gates/no-path: note\n  gates/*: warning", Level::kWarning, "gonogo.yaml:3", Verdict::kGo},
      {"severity: {gates/gpu: note}", Level::kError, "", Verdict::kNoGo},
      {"severity: {gates/no-path: error}", Level::kError, "gonogo.yaml:1", Verdict::kNoGo},
  };
  for (const Row& row : rows) {
    INFO(row.yaml);
    const Applied got = applied(row.yaml);
    CHECK(got.finding().level == row.level);
    CHECK(got.finding().level_by == row.by);
    CHECK(got.launch.verdict == row.verdict);
    CHECK(level_note(got.finding()).empty() == (row.level == Level::kError));
  }
  const Applied raised = applied("severity: {gates/large: error}", "a.sh", "", {"--path", "/m", "--size", "200"});
  CHECK(raised.launch.verdict == Verdict::kNoGo);
  CHECK(raised.launch.own_verdict == Verdict::kGo);
}

TEST_CASE("findings across launches are weighed and ignored alike", "[policy]") {
  const Sample sample({"--path", "/m"});
  Policy policy;
  policy.today = {2027, 3, 1};
  REQUIRE_FALSE(add_severities("policy/unused-ignore=error", "--severity", &policy));
  REQUIRE_FALSE(add_ignores("roles/* reason=known", "--ignore", &policy));
  PolicyEffect effect(policy, *sample.pack);
  ReportFinding role;
  role.rule = "roles/unlike";
  ReportFinding left;
  left.rule = "policy/unused-ignore";
  left.own_level = left.level = Level::kWarning;
  std::vector<ReportFinding> across = {role, left};
  effect.apply(&across);
  CHECK(across[0].suppressed);
  CHECK(across[1].level == Level::kError);
  CHECK(effect.leftovers().empty());
}

TEST_CASE("an ignore beside any of the launches that a finding is about holds for it", "[policy]") {
  const Sample sample({"--path", "/m"});
  // Launches on lines 3 to 4 of one file and 6 of another.
  ReportFinding finding;
  finding.rule = "gates/no-path";
  finding.related.resize(2);
  finding.related[0].launch = {"a.sh", 3, 1, 3, 2};
  finding.related[0].last_line = 4;
  finding.related[1].launch = {"b.sh", 6, 1, 6, 2};
  finding.related[1].last_line = 6;
  const auto at = [](int line, const std::string& rule) {
    return std::string(static_cast<std::size_t>(line - 1), '\n') + "# gonogo: ignore=" + rule + " reason=known\n";
  };
  struct Row {
    std::string name;
    std::string a;
    std::string b;
    std::string yaml;
    bool suppressed;
    std::size_t left;
  };
  const std::vector<Row> rows = {
      {"none", "", "", "", false, 0},
      {"beside the first", at(2, "gates/*"), "", "", true, 0},
      {"on its last line", at(4, "gates/*"), "", "", true, 0},
      {"beside the second", "", at(5, "gates/*"), "", true, 0},
      {"beside both", at(2, "gates/*"), at(5, "gates/*"), "", true, 0},
      {"of another rule", at(2, "argparse"), "", "", false, 1},
      {"of a launch that is none of them", at(8, "gates/*"), "", "", false, 1},
      {"where the other file's launch is", at(6, "gates/*"), at(3, "gates/*"), "", false, 2},
      {"by a policy, for the first's file", "", "", ignore("gates/*", ", file: a.sh"), true, 0},
      {"by a policy, for the second's file", "", "", ignore("gates/*", ", file: b.sh"), true, 0},
      {"by a policy, for another file", "", "", ignore("gates/*", ", file: c.sh"), false, 0},
  };
  for (const Row& row : rows) {
    INFO(row.name);
    const std::vector<PolicyKey> keys = policy_keys(*sample.pack);
    auto policy = parse_policy(row.yaml, "gonogo.yaml", keys);
    REQUIRE(policy.ok());
    policy->today = {2027, 3, 1};
    PolicyEffect effect(*policy, *sample.pack);
    std::vector<PolicyEffect::File> files = {{row.a, "a.sh"}, {row.b, "b.sh"}};
    std::vector<ReportFinding> across = {finding};
    effect.apply(&across, files);
    CHECK(across[0].suppressed.has_value() == row.suppressed);
    CHECK(effect.leftovers(files[0]).size() + effect.leftovers(files[1]).size() == row.left);
  }
}

}  // namespace gonogo::test
