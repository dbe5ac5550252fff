// Comparisons of two launches of a small runtime: what counts as a difference, who is named, and what is not told.
#include "report/diff.h"

#include <string>
#include <vector>

#include "base/json.h"
#include "holds.h"
#include "report/sample.h"

namespace gonogo::test {

namespace {

using Words = std::vector<std::string>;

// The fields, findings and the rest that differ, each as one short text, in order.
std::string brief(const Sample& a, const Sample& b) {
  const Diff diff = diff_of(a.input(), b.input());
  const Pack& pack = *b.pack;
  std::string out;
  const auto add = [&out](const std::string& text) { out += (out.empty() ? "" : "; ") + text; };
  const auto by = [&](const Decided& d) {
    return d.rule != kNoIndex ? std::string(pack.text(pack.rules[d.rule].id)) : d.typed ? "you" : "default";
  };
  for (const FieldDiff& d : diff.fields) {
    add(d.name + " " + to_repr(d.from.value) + " " + by(d.from) + " -> " + to_repr(d.to.value) + " " + by(d.to));
  }
  for (const FindingDiff& d : diff.findings) {
    const Finding& f = d.to != nullptr ? *d.to : *d.from;
    add(std::string(d.from == nullptr ? "new "
                    : d.to == nullptr ? "lifted "
                                      : "changed ") +
        std::string(rule_of(pack, f)));
  }
  for (const std::string& what : diff.new_missing) add("needs " + what);
  for (const std::string& what : diff.lifted_missing) add("no longer needs " + what);
  for (const Finding* f : diff.kept_refusals) add("kept " + std::string(rule_of(pack, *f)));
  if (diff.verdict_differs) add("verdict");
  if (!diff.fields_compared) add("no fields");
  return out;
}

}  // namespace

TEST_CASE("what differs between two launches, and who decided it", "[report]") {
  struct Row {
    std::string name;
    Words from;
    std::string from_version;
    Words to;
    std::string to_version;
    std::string differs;
  };
  const std::vector<Row> rows = {
      {"nothing", {"--path", "/m"}, "1.0", {"--path", "/m"}, "1.0", ""},
      {"a value that another rule chose", {"--path", "/m"}, "1.0", {"--path", "/m"}, "2.0", ""},
      {"a typed value",
       {"--path", "/m", "--size", "2"},
       "1.0",
       {"--path", "/m", "--size", "4"},
       "1.0",
       "size 2 you -> 4 you"},
      {"typed, as the default is", {"--path", "/m"}, "1.0", {"--path", "/m", "--size", "1"}, "1.0", ""},
      {"a rule on one side",
       {"--path", "/m"},
       "1.0",
       {"--path", "/m", "--runner", "safe"},
       "1.0",
       "runner 'fast' choose/fast -> 'safe' you; new gates/advice"},
      {"a version that lifts a refusal",
       {"--path", "/m", "--exchange", "deep"},
       "1.0",
       {"--path", "/m", "--exchange", "deep"},
       "2.0",
       "runner 'fast' choose/fast -> 'auto' default; lifted gates/no-path; verdict"},
      {"the other way round",
       {"--path", "/m", "--exchange", "deep"},
       "2.0",
       {"--path", "/m", "--exchange", "deep"},
       "1.0",
       "runner 'auto' default -> 'fast' choose/fast; new gates/no-path; verdict"},
      {"one of two refusals",
       {"--path", "/m", "--exchange", "deep", "--size", "9"},
       "1.0",
       {"--path", "/m", "--exchange", "deep"},
       "1.0",
       "size 9 you -> 1 default; lifted gates/capacity; kept gates/no-path"},
      {"a refusal in other words",
       {"--path", "/m", "--exchange", "deep", "--size", "9"},
       "2.0",
       {"--path", "/m", "--exchange", "deep", "--size", "10"},
       "2.0",
       "size 9 you -> 10 you; changed gates/capacity"},
      // The warning is there on both sides, behind a refusal on one.
      {"a warning behind a refusal",
       {"--path", "/m", "--exchange", "deep", "--size", "200"},
       "2.0",
       {"--path", "/m", "--size", "200"},
       "2.0",
       "runner 'auto' default -> 'fast' choose/fast-alone; exchange 'deep' you -> 'none' default; lifted "
       "gates/capacity; verdict"},
      {"a parser that refuses",
       {"--path", "/m", "--size", "x"},
       "1.0",
       {"--path", "/m"},
       "1.0",
       "lifted argparse; verdict; no fields"},
      {"two that refuse alike",
       {"--path", "/m", "--size", "x"},
       "1.0",
       {"--path", "/m", "--size", "x"},
       "2.0",
       "kept argparse; no fields"},
      {"two that refuse other words",
       {"--path", "/m", "--size", "x"},
       "1.0",
       {"--path", "/m", "--size", "y"},
       "1.0",
       "new argparse; lifted argparse; no fields"},
  };
  for (const Row& row : rows) {
    const Sample a(row.from, row.from_version);
    const Sample b(row.to, row.to_version);
    INFO(row.name);
    CHECK(brief(a, b) == row.differs);
    CHECK(diff_of(a.input(), b.input()).same() == (row.differs.empty() || row.differs == "kept argparse; no fields"));
  }
}

TEST_CASE("an unknown that only one side depends on is a difference", "[report]") {
  const Words words = {"--path", "/m", "--size", "2"};
  const Sample known(words);
  const Sample open(words, "1.0", false);
  const std::string got = brief(known, open);
  INFO(got);
  CHECK(holds(got, "new gates/gpu; needs "));
  CHECK(holds(got, "; verdict"));
  CHECK(holds(brief(open, known), "lifted gates/gpu; no longer needs "));
}

TEST_CASE("the text of a comparison", "[report]") {
  const Words words = {"--path", "/m", "--exchange", "deep"};
  const Sample one(words, "1.0");
  const Sample two(words, "2.0");
  const std::string lifted = diff_to_text(one.input(), two.input(), diff_of(one.input(), two.input()), false);
  INFO(lifted);
  CHECK(lifted.starts_with("sample, version 1.0 -> 2.0: 2 differences, NO-GO -> GO\n"));
  CHECK(holds(lifted, "lifted refusal when processes and the model are built"));
  CHECK(holds(lifted, "[gates/no-path]"));
  CHECK(holds(lifted, "because the fast runner exchanges nothing"));
  CHECK(holds(lifted,
              "  runner  fast -> auto\n    was   choose/fast\n          because auto means the fast runner\n    now   "
              "default\n"));
  const std::string back = diff_to_text(two.input(), one.input(), diff_of(two.input(), one.input()), false);
  INFO(back);
  CHECK(holds(back, "new refusal"));
  CHECK(holds(back, "you did not choose fast: choose/fast set runner"));
  const std::string same = diff_to_text(one.input(), one.input(), diff_of(one.input(), one.input()), false);
  INFO(same);
  CHECK(same.starts_with("sample, nothing varied: no difference, NO-GO in both\n"));
  CHECK(holds(same, "Refused in both:"));
  CHECK_FALSE(holds(same, "Resolves differently"));
  CHECK(holds(diff_to_text(one.input(), two.input(), diff_of(one.input(), two.input()), true),
              "\033[1;32mlifted refusal\033[0m"));
}

TEST_CASE("long lists are told by what only one of them holds", "[report]") {
  Words from = {"--path", "/m", "--list"};
  for (int i = 100; i < 130; ++i) from.push_back(std::to_string(i));
  Words to = from;
  to.back() = "other";
  const Sample a(from);
  const Sample b(to);
  const std::string text = diff_to_text(a.input(), b.input(), diff_of(a.input(), b.input()), false);
  INFO(text);
  CHECK(holds(text, "names  30 items -> 30 items, without '129', with 'other'"));
}

TEST_CASE("a comparison shows no secret", "[report]") {
  const Sample a({"--path", "/m", "--api-key", "s3cr3t-one"});
  const Sample b({"--path", "/m", "--api-key", "s3cr3t-two"});
  const Diff diff = diff_of(a.input(), b.input());
  CHECK(diff.count() == 1);
  for (const std::string& text :
       {diff_to_text(a.input(), b.input(), diff, false), diff_to_json(a.input(), b.input(), diff, 1)}) {
    INFO(text);
    CHECK_FALSE(holds(text, "s3cr3t"));
    CHECK(holds(text, "***"));
  }
}

TEST_CASE("the JSON of a comparison", "[report]") {
  const Words words = {"--path", "/m", "--exchange", "deep"};
  const Sample one(words, "1.0");
  const Sample two(words, "2.0");
  Arena arena;
  const auto report =
      parse_json(diff_to_json(one.input(), two.input(), diff_of(one.input(), two.input()), 1), "diff", arena);
  REQUIRE(report.ok());
  CHECK(report->find("different")->as_bool());
  CHECK(report->find("differences")->as_int() == 2);
  CHECK(to_json(*report->find("varied")) == R"(["version"])");
  CHECK(report->find("from")->find("verdict")->as_str() == "NO-GO");
  CHECK(report->find("to")->find("version")->as_str() == "2.0");
  const Value& finding = (*report->find("findings"))[0];
  CHECK(finding.find("change")->as_str() == "lifted");
  CHECK(finding.find("rule")->as_str() == "gates/no-path");
  CHECK(to_json((*report->find("fields"))[0]) ==
        R"({"field": "runner", "name": "runner", "from": {"value": "fast", "by": "rule", "rule": "choose/fast", )"
        R"("because": "auto means the fast runner"}, "to": {"value": "auto", "by": "default"}})");
}

}  // namespace gonogo::test
