// What a person reads.
#include "base/text.h"

#include <sstream>
#include <string>
#include <vector>

#include "catch.h"
#include "holds.h"
#include "report/diff.h"
#include "report/sample.h"

namespace gonogo::test {

namespace {

using Words = std::vector<std::string>;

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  return text.substr(text.rfind('\n', end) + 1, end - text.rfind('\n', end));
}

}  // namespace

TEST_CASE("the verdict stands first and last", "[report]") {
  struct Row {
    Words words;
    bool gpu;
    std::string verdict;
    std::string counts;
  };
  const std::vector<Row> rows = {
      {{"--path", "/m"}, true, "GO", "no findings"},
      {{"--path", "/m", "--size", "200"}, true, "GO", "1 warning"},
      {{"--path", "/m", "--eager"}, true, "GO", "1 flag without effect"},
      {{"--path", "/m", "--runner", "safe"}, true, "GO", "1 piece of advice"},
      {{"--path", "/m", "--runner", "safe", "--eager", "--size", "101"},
       true,
       "GO",
       "1 warning, 1 flag without effect, 1 piece of advice"},
      {{"--path", "/m", "--exchange", "deep"}, true, "NO-GO", "1 refusal"},
      {{"--path", "/m", "--exchange", "deep", "--size", "9"}, true, "NO-GO", "2 refusals"},
      {{"--path", "/m", "--size", "2"}, false, "UNKNOWN", "1 possible refusal"},
      {{"--path", "/m", "--size", "x"}, true, "NO-GO", "1 refusal"},
  };
  for (const Row& row : rows) {
    const std::string text = Sample(row.words, "1.0", row.gpu).text();
    INFO(text);
    CHECK(holds(first_line(text), row.verdict + "  sample 1.0 on "));
    CHECK(holds(first_line(text), ": " + row.counts));
    CHECK(holds(last_line(text), row.verdict + ": " + row.counts));
  }
}

TEST_CASE("a refusal names the word, the reason, who chose what nobody typed, and what helps", "[report]") {
  const std::string text = Sample({"--path", "/m", "--exchange", "deep"}).text();
  INFO(text);
  for (const char* part :
       {"refused when processes and the model are built, before weights load  [gates/no-path]",
        "  fast has no path for --exchange deep\n",
        "    sample serve --path /m --exchange deep\n                                      ^\n",
        "  because the fast runner exchanges nothing\n",
        "  you did not choose fast: choose/fast set runner\n    because auto means the fast runner\n",
        "    exchange = 'deep'  (you typed it)\n", "Changes that reach GO (each was re-run):\n"}) {
    INFO("must hold: " << part);
    CHECK(holds(text, part));
  }
}

TEST_CASE("what refuses behind the first refusal is told in one line each", "[report]") {
  const std::string text = Sample({"--path", "/m", "--exchange", "deep", "--size", "9"}).text();
  INFO(text);
  CHECK(holds(
      text,
      "Behind it, these would refuse the same launch:\n  resolve  9 is more than CAPACITY 8  [gates/capacity]\n"));
}

TEST_CASE("an unknown is told with what to supply and what hangs on it", "[report]") {
  const std::string text = Sample({"--path", "/m", "--size", "2"}, "1.0", false).text();
  INFO(text);
  CHECK(holds(text, "The answer depends on what was not given:\n  - the GPUs (--gpu) (1 refusal depends on it)\n"));
  CHECK(holds(text, "      2 needs two GPUs  [gates/gpu]\n"));
  CHECK_FALSE(holds(text, "\nrefused"));
}

TEST_CASE("the resolved values say who decided", "[report]") {
  const std::string text = Sample({"--path", "/m", "--size", "3"}).text();
  INFO(text);
  CHECK(holds(text, "  runner  fast                                    choose/fast\n"));
  CHECK(holds(text, "  size    3                                       you\n"));
  CHECK_FALSE(holds(text, "quiet"));
}

TEST_CASE("the parser's refusal points at the word", "[report]") {
  const Sample sample({"--path", "/m", "--runner", "fest"});
  const std::string text = sample.text();
  INFO(text);
  CHECK(holds(text, "refused when the arguments are read  [argparse]"));
  CHECK(holds(text, "    sample serve --path /m --runner fest\n                                    ^\n"));
  CHECK(holds(text, "fast"));
  CHECK(sample.fixes.trials.empty());
}

TEST_CASE("a secret is never shown", "[report]") {
  const Sample sample({"--path", "/m", "--api-key", "hidden-word", "--exchange", "deep"});
  CHECK_FALSE(holds(sample.text(), "hidden-word"));
  CHECK_FALSE(holds(sample.json(), "hidden-word"));
  CHECK(holds(sample.json(), "\"api_key\":{\"value\":\"***\""));
}

TEST_CASE("changes are written as the user would type them", "[report]") {
  const Sample sample({"--path", "/m"});
  const ReportInput input = sample.input();
  const auto change = [&](Target kind, const char* name, Value value) {
    const std::uint32_t target = kind == Target::kEnv ? sample.pack->find_env(name) : sample.pack->find_field(name);
    return change_text(input, {kind, target, value});
  };
  const Value pair[] = {Value::str("a"), Value::str("b c")};
  CHECK(change(Target::kField, "runner", Value::str("safe")) == "--runner safe");
  CHECK(change(Target::kField, "size", Value::integer(4)) == "--size 4");
  CHECK(change(Target::kField, "size", Value()) == "without --size");
  CHECK(change(Target::kField, "eager", Value::boolean(true)) == "--eager");
  CHECK(change(Target::kField, "eager", Value::boolean(false)) == "without --eager");
  CHECK(change(Target::kField, "names", Value::list(pair, 2)) == "--list a 'b c'");
  CHECK(change(Target::kEnv, "CAPACITY", Value::integer(9)) == "CAPACITY=9");
  CHECK(change(Target::kEnv, "CAPACITY", Value()) == "without CAPACITY");
  CHECK(change_text(input, {Target::kVersion, 0, Value::str(">=2.0")}) == "sample >=2.0");
}

TEST_CASE("a model that was looked for in several places stays within the width", "[report]") {
  Sample one({"--path", "/m"});
  Sample two({"--path", "/m"}, "2.0");
  for (Sample* sample : {&one, &two}) {
    for (int i = 0; i < 30; ++i) sample->where += i % 2 == 0 ? " and there" : " and elsewhere";
  }
  const std::string diff = diff_to_text(one.input(), two.input(), diff_of(one.input(), two.input()), false);
  for (const std::string& text : {one.text(), diff}) {
    INFO(text);
    CHECK(holds(text, "model: nowhere and there"));
    CHECK(holds(text, "\n    "));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) CHECK(code_points(line) <= kReportWidth);
  }
}

TEST_CASE("colour only where it is asked for", "[report]") {
  const Sample sample({"--path", "/m", "--exchange", "deep"});
  CHECK_FALSE(holds(sample.text(), "\033["));
  CHECK(holds(sample.text(true), "\033[1;31mNO-GO\033[0m"));
}

}  // namespace gonogo::test
