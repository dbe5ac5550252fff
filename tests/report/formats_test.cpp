// Reports for other programs: places, escapes, and what follows from levels and suppressions. That all formats carry
// the same findings, and that they are valid, tests/cli/formats_check.py says over the binary.
#include "report/formats.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "catch.h"
#include "holds.h"
#include "report/sample.h"

namespace gonogo::test {

namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

// A report of one launch with one finding that says `message` in `file`.
CheckReport saying(const std::string& message, const std::string& file = "a.sh") {
  LaunchReport launch;
  launch.span = {file, 3, 1, 3, 5};
  launch.entry = "sample serve";
  launch.setting = "sample 1.0 on G";
  launch.verdict = launch.own_verdict = Verdict::kNoGo;
  ReportFinding f;
  f.rule = "gates/x";
  f.message = message;
  f.span = ReportSpan{file, 3, 7, 3, 9};
  f.fingerprint = "00";
  f.trace = {{"x = 1: you typed it", f.span}, {"gates/x: no", {}}};
  launch.findings = {f};
  CheckReport out;
  out.tool_version = "1.2.3";
  out.rules = "sample 0";
  out.launches = {launch};
  return out;
}

json sarif(const CheckReport& report) { return json::parse(to_sarif(report))["runs"][0]; }

// The sample's launch, its findings marked: by rule, "ignore" or a level.
LaunchReport marked(const Words& words, const std::vector<std::pair<std::string, std::string>>& marks, bool gpu) {
  const Sample sample(words, "1.0", gpu);
  LaunchReport out = report_of(sample.input());
  for (ReportFinding& f : out.findings) {
    for (const auto& [rule, mark] : marks) {
      if (f.rule != rule) continue;
      if (mark == "ignore") f.suppressed = Suppression{"known", "", "a test", false};
      if (mark == "error") f.level = Level::kError;
      if (mark == "warning") f.level = Level::kWarning;
      f.level_by = "a test";
    }
  }
  decide(&out);
  return out;
}

}  // namespace

TEST_CASE("a finding's span is the word as it stands in the text", "[report]") {
  struct Row {
    Words words;
    int column;
    int end;
  };
  const std::vector<Row> rows = {
      {{"--path", "/m", "--exchange", "deep"}, 35, 39}, {{"--path", "/m", "--exchange=deep"}, 24, 39},
      {{"--path", "/ö", "--exchange", "deep"}, 37, 41},  // quoted for a shell; one column a letter
      {{"--path", "/m", "--size", "a b"}, 31, 36},      {{"--path", "/m", "--size", "it's"}, 31, 40},
  };
  for (const Row& row : rows) {
    const Sample sample(row.words);
    const LaunchReport report = report_of(sample.input());
    INFO(report.command);
    REQUIRE(report.findings.size() >= 1);
    REQUIRE(report.findings[0].span);
    CHECK(report.findings[0].span->column == row.column);
    CHECK(report.findings[0].span->end_column == row.end);
    CHECK_FALSE(report.findings[0].span->in_file());
  }
}

TEST_CASE("the trace says who decided what, in order", "[report]") {
  const Sample sample({"--path", "/m", "--exchange", "deep"});
  const LaunchReport report = report_of(sample.input());
  REQUIRE(report.findings.size() == 1);
  Words steps;
  for (const TraceStep& step : report.findings[0].trace) steps.push_back(step.text);
  CHECK(steps == Words{"exchange = deep: you typed it",
                       "runner = fast: choose/fast set it, because auto means the fast runner",
                       "gates/no-path: fast has no path for --exchange deep"});
  CHECK(report.findings[0].trace[0].span);
  const json flow = sarif([&] {
    CheckReport all;
    all.launches = {report};
    return all;
  }())["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"];
  REQUIRE(flow.size() == 3);
  CHECK(flow[1]["location"]["message"]["text"] == steps[1]);
}

TEST_CASE("what follows from levels and suppressions", "[report]") {
  struct Row {
    std::string name;
    Words words;
    std::vector<std::pair<std::string, std::string>> marks;
    Verdict verdict;
    std::string counts;
    std::string ladder;
    bool gpu = true;
  };
  const Words refused = {"--path", "/m", "--exchange", "deep"};
  const Words twice = {"--path", "/m", "--exchange", "deep", "--size", "9"};
  const std::vector<Row> rows = {
      {"nothing changed", refused, {}, Verdict::kNoGo, "1 refusal", "init ✗"},
      {"ignored", refused, {{"gates/no-path", "ignore"}}, Verdict::kGo, "1 ignored", "late ✓"},
      {"lowered", refused, {{"gates/no-path", "warning"}}, Verdict::kGo, "1 warning", "late ✓"},
      {"one of two", twice, {{"gates/no-path", "ignore"}}, Verdict::kNoGo, "1 refusal, 1 ignored", "resolve ✗"},
      {"both", twice, {{"gates/no-path", "ignore"}, {"gates/capacity", "ignore"}}, Verdict::kGo, "2 ignored", "late ✓"},
      {"a warning that refuses",
       {"--path", "/m", "--size", "200"},
       {{"gates/large", "error"}},
       Verdict::kNoGo,
       "1 error by policy",
       "resolve ✗"},
      {"what may refuse",
       {"--path", "/m", "--size", "2"},
       {},
       Verdict::kUnknown,
       "1 possible refusal",
       "resolve ?",
       false},
      {"what may refuse is ignored",
       {"--path", "/m", "--size", "2"},
       {{"gates/gpu", "ignore"}},
       Verdict::kGo,
       "1 ignored",
       "late ✓",
       false},
      {"the parser's word is not known to be wrong",
       {"--path", "/m", "--size", "x"},
       {{"argparse", "ignore"}},
       Verdict::kUnknown,
       "1 ignored",
       "resolve ?"},
  };
  for (const Row& row : rows) {
    const LaunchReport report = marked(row.words, row.marks, row.gpu);
    INFO(row.name);
    CHECK(verdict_word(report.verdict) == verdict_word(row.verdict));
    CHECK(counts_text(report) == row.counts);
    const std::string ladder = ladder_text(report.ladder, false);
    INFO(ladder);
    CHECK(holds(ladder, row.ladder));
    CHECK(report.missing.empty() == (row.verdict != Verdict::kUnknown));
  }
  // What stood behind an ignored refusal stands in front.
  const LaunchReport two = marked(twice, {{"gates/no-path", "ignore"}}, true);
  REQUIRE(two.findings.size() == 2);
  CHECK_FALSE(two.findings[1].behind);
}

TEST_CASE("nothing that a launch says becomes a command or markup", "[report]") {
  struct Row {
    std::string message;
    std::string github;
    std::string markdown;
    std::string junit;
  };
  const std::vector<Row> rows = {
      {"a\n::error::b", "::a%0A::error::b\n", "| a ::error::b |", "a\n::error::b"},
      {"100 %0A", "::100 %250A\n", "| 100 %0A |", "100 %0A"},
      {"a\rb", "::a%0Db\n", "| a b |", "a"},
      {"a|b `c` <d> *e* _f_ [g](h)", "::a|b `c` <d>", "a\\|b \\`c\\` \\<d\\> \\*e\\* \\_f\\_ \\[g\\](h)", "&lt;d&gt;"},
      {"a & \"b\" ]]>", "a & \"b\" ]]>", "a \\& \"b\" \\]\\]\\>", "]]&gt;\n"},
      {std::string("a\x01\x1b[31mb"), "a\x01", "\x1b\\[31mb", "a\uFFFD\uFFFD[31mb"},
      {"a\xff", "a\xff", "a\xff", "a\uFFFD"},
  };
  for (const Row& row : rows) {
    const CheckReport report = saying(row.message);
    INFO(row.message << "\n" << to_github(report) << to_markdown(report) << to_junit(report));
    CHECK(holds(to_github(report), row.github));
    CHECK(holds(to_markdown(report), row.markdown));
    CHECK(holds(to_junit(report), row.junit));
    CHECK(sarif(report)["results"].size() == 1);
  }
}

TEST_CASE("a file's name is escaped as each format wants it", "[report]") {
  struct Row {
    std::string file;
    std::string github;
    std::string uri;
  };
  const std::vector<Row> rows = {
      {"deploy/a.yaml", "file=deploy/a.yaml,line=3,endLine=3,col=7,endColumn=9,", "deploy/a.yaml"},
      {"./a.yaml", "file=./a.yaml,", "a.yaml"},
      {"/x/a b.yaml", "file=/x/a b.yaml,", "file:///x/a%20b.yaml"},
      {"a,b:c%.sh", "file=a%2Cb%3Ac%25.sh,", "a,b%3Ac%25.sh"},
      {"ö.sh", "file=ö.sh,", "%C3%B6.sh"},
      {"argv", "::error title=", "argv"},
  };
  for (const Row& row : rows) {
    const CheckReport report = saying("no", row.file);
    INFO(to_github(report));
    CHECK(holds(to_github(report), row.github));
    const json place = sarif(report)["results"][0]["locations"][0]["physicalLocation"];
    CHECK(place["artifactLocation"]["uri"] == row.uri);
    CHECK(place["region"] == json({{"startLine", 3}, {"startColumn", 7}, {"endLine", 3}, {"endColumn", 9}}));
  }
  CHECK(holds(to_markdown(saying("no", "a`b|c")), "`` a`b\\|c:3:7 ``"));
}

TEST_CASE("levels and suppressions in each format", "[report]") {
  struct Row {
    std::string name;
    Level level;
    bool certain;
    bool suppressed;
    Level fail_on;
    std::string github;
    std::string junit;  // the child of the case, or none
    std::string sarif;  // the level
  };
  const Level error = Level::kError;
  const std::vector<Row> rows = {
      {"a refusal", error, true, false, error, "::error ", "<failure ", "error"},
      {"what may refuse", error, false, false, error, "::warning ", "<skipped ", "none"},
      {"a warning", Level::kWarning, true, false, error, "::warning ", "<system-out>", "warning"},
      {"a warning that fails", Level::kWarning, true, false, Level::kWarning, "::warning ", "<failure ", "warning"},
      {"advice", Level::kNote, true, false, Level::kWarning, "::notice ", "<system-out>", "note"},
      {"ignored", error, true, true, error, "::notice ", "<skipped ", "error"},
  };
  for (const Row& row : rows) {
    CheckReport report = saying("no");
    report.fail_on = row.fail_on;
    ReportFinding& f = report.launches[0].findings[0];
    f.level = row.level;
    f.certain = row.certain;
    if (row.suppressed) f.suppressed = Suppression{"tried", "2030-01-02", "gonogo.yaml:3", false};
    INFO(row.name << to_github(report) << to_junit(report));
    CHECK(holds(to_github(report), row.github));
    const std::string junit = to_junit(report);
    CHECK(holds(junit.substr(junit.find("classname=\"gates/x\"")), row.junit));
    const json result = sarif(report)["results"][0];
    CHECK(result["level"] == row.sarif);
    CHECK(result["kind"] == (row.certain ? "fail" : "open"));
    REQUIRE(result["suppressions"].size() == (row.suppressed ? 1 : 0));
    if (!row.suppressed) continue;
    CHECK(result["suppressions"][0]["kind"] == "external");
    CHECK(result["suppressions"][0]["justification"] == "tried");
    for (const std::string& text : {to_github(report), to_markdown(report), junit}) {
      CHECK(holds(text, "ignored by gonogo.yaml:3 until 2030-01-02: tried"));
    }
  }
}

TEST_CASE("how far a launch gets, in each format", "[report]") {
  const Sample sample({"--path", "/m", "--exchange", "deep"});
  CheckReport report;
  report.launches = {report_of(sample.input())};
  const std::string ladder = ladder_text(report.launches[0].ladder, false);
  CHECK(holds(ladder, "init ✗"));
  for (const std::string& text : {to_github(report), to_markdown(report), to_junit(report)}) CHECK(holds(text, ladder));
  CHECK(sarif(report)["properties"]["launches"][0]["phases"]["init"] == "refused");
  report.launches[0].why = "elsewhere";
  for (const std::string& text : {to_github(report), to_markdown(report), to_junit(report)}) {
    CHECK_FALSE(holds(text, ladder));
    CHECK(holds(text, "elsewhere"));
  }
}

TEST_CASE("a fingerprint stays while lines move, and tells launches apart", "[report]") {
  const auto print = [](const Words& words) { return report_of(Sample(words).input()).findings.at(0).fingerprint; };
  CHECK(print({"--path", "/m", "--exchange", "deep"}) == print({"--exchange", "deep", "--path", "/other"}));
  CHECK(print({"--path", "/m", "--size", "x"}) != print({"--path", "/m", "--size", "y"}));
  CheckReport report = saying("no");
  report.launches.push_back(report.launches[0]);
  const json results = sarif(report)["results"];
  CHECK(results[0]["partialFingerprints"]["primaryLocationLineHash"] == "00:1");
  CHECK(results[1]["partialFingerprints"]["primaryLocationLineHash"] == "00:2");
}

TEST_CASE("what could not be read is an error in each format, and no launch is no success", "[report]") {
  CheckReport report;
  report.files = 1;
  report.errors = {Error{Error::Kind::kInput, "this is no valid YAML", {"a.yaml", 2, 5}, "", ""}};
  CHECK(holds(to_github(report), "::error file=a.yaml,line=2,endLine=2,col=5,endColumn=6,"));
  CHECK(holds(to_junit(report), "<error message=\"this is no valid YAML\""));
  CHECK(holds(to_markdown(report), "`a.yaml:2:5` this is no valid YAML"));
  const json run = sarif(report);
  CHECK(run["invocations"][0]["executionSuccessful"] == false);
  CHECK(run["results"].empty());
  report.errors.clear();
  CHECK(holds(to_junit(report), "<skipped message=\"no launch found\""));
  CHECK_FALSE(report.verdict());
}

}  // namespace gonogo::test
