// Typed flags that come out otherwise, flags that nothing reads, and what runs the layers.
#include "report/overridden.h"

#include <string>
#include <vector>

#include "catch.h"
#include "holds.h"
#include "report/sample.h"

namespace gonogo::test {

namespace {

using Words = std::vector<std::string>;

std::string told(const Sample& sample) {
  std::string out;
  for (const Overridden& change : overridden(sample.input())) {
    out += (out.empty() ? "" : "\n") + overridden_text(sample.input(), change);
  }
  return out;
}

}  // namespace

TEST_CASE("a typed flag with another value in the end is told, with who changed it and what is logged", "[report]") {
  struct Row {
    Words words;
    std::string version;
    std::string text;
  };
  const std::vector<Row> rows = {
      {{"--path", "/m"}, "1.0", ""},
      {{"--path", "/m", "--runner", "safe"}, "1.0", ""},
      {{"--path", "/m", "--runner", "auto"},
       "1.0",
       "--runner auto becomes fast: auto means the fast runner  [choose/fast], which the server logs"},
      {{"--path", "/m", "--runner", "auto"},
       "2.0",
       "--runner auto becomes fast: auto means the fast runner where nothing is exchanged  [choose/fast-alone], and "
       "nothing is logged"},
      {{"--path", "/m", "--runner", "auto", "--exchange", "deep"}, "2.0", ""},
      {{"--path", "/m", "--size", "x", "--runner", "auto"}, "1.0", ""},
  };
  for (const Row& row : rows) CHECK(told(Sample(row.words, row.version)) == row.text);
}

TEST_CASE("a change is told beside a refusal, in text and JSON", "[report]") {
  const Sample sample({"--path", "/m", "--runner", "auto", "--exchange", "deep", "--size", "9"}, "1.0");
  CHECK(told(sample).empty());  // the part that resolves refuses, too
  const Sample later({"--path", "/m", "--runner", "auto"}, "1.0");
  CHECK(holds(later.text(), "\nTyped, and changed:\n  --runner auto becomes fast: "));
  CHECK(holds(later.json(), R"("overridden":[{"field":"runner","typed":"auto","value":"fast","rule":"choose/fast",)"
                            R"("because":"auto means the fast runner","logged":"warning"}])"));
  CHECK(holds(Sample({"--path", "/m"}).json(), R"("overridden":[])"));
}

TEST_CASE("a flag that no rule reads is told where all its readers are known", "[report]") {
  const Sample unread({"--path", "/m", "--list", "a", "b"});
  CHECK(holds(unread.text(), "GO  sample 1.0"));
  CHECK(holds(unread.text(), "no effect  --list has no effect: nothing in this launch reads it  [unread]"));
  CHECK(holds(unread.json(), R"("kind":"inert")"));
  CHECK(holds(unread.json(), R"("field":"names")"));
  CHECK(!holds(Sample({"--path", "/m"}).text(), "nothing in this launch reads"));
  // Behind a refusal not everything was read.
  CHECK(!holds(Sample({"--path", "/m", "--list", "a", "--exchange", "deep"}).text(), "nothing in this launch reads"));
}

TEST_CASE("what runs the layers stands in both reports", "[report]") {
  const Sample sample({"--path", "/m"});
  CHECK(holds(sample.text(), "\nLayers:\n  experts  on fast\n  head     plain\n"));
  CHECK(holds(sample.json(),
              R"("layers":[{"layer": "experts", "text": "on fast", "size": 1}, {"layer": "head", "text": "plain"}])"));
  CHECK(!holds(Sample({"--path", "/m", "--size", "3"}).text(), "Layers:"));
}

}  // namespace gonogo::test
