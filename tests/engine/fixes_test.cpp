// A fix is shown only after it reached GO.
#include <algorithm>
#include <string>
#include <vector>

#include "catch.h"
#include "report/sample.h"

namespace gonogo::test {

namespace {
using Texts = std::vector<std::string>;
}

TEST_CASE("fixes are tried, sorted and told apart", "[engine]") {
  struct Row {
    std::string name;
    Texts words;
    std::string version;
    Texts enough;
    Texts not_enough;
  };
  const std::vector<Row> rows = {
      {"a change of one flag, of another, and of the version",
       {"--exchange", "deep"},
       "1.0",
       {"--runner safe", "--exchange none", "sample >=2.0"},
       {"--runner fast"}},
      {"what the user typed already is no change",
       {"--exchange", "deep", "--runner", "fast"},
       "1.0",
       {"--runner safe", "--exchange none"},
       {"without --runner", "sample >=2.0"}},
      {"the newest version has none newer",
       {"--exchange", "deep", "--runner", "fast"},
       "2.0",
       {"--runner safe", "without --runner", "--exchange none"},
       {}},
      {"two gates need two changes, unless what was asked for is left out",
       {"--exchange", "deep", "--size", "9"},
       "1.0",
       {"--exchange none", "--runner safe and CAPACITY=9", "--runner safe and --size 8",
        "CAPACITY=9 and sample >=2.0", "without --size and sample >=2.0"},
       {"--runner safe", "--runner fast", "CAPACITY=9", "without --size"}},
      {"a launch that goes needs none", {"--size", "3"}, "1.0", {}, {}},
  };
  for (const Row& row : rows) {
    Texts words{"--path", "/m"};
    words.insert(words.end(), row.words.begin(), row.words.end());
    const Sample sample(words, row.version);
    INFO(row.name);
    CHECK(sample.fixes_that_are(true) == row.enough);
    CHECK(sample.fixes_that_are(false) == row.not_enough);
  }
}

TEST_CASE("a fix that is not enough says what refuses then", "[engine]") {
  const Sample sample({"--path", "/m", "--exchange", "deep", "--size", "9"});
  for (const FixTrial& trial : sample.fixes.trials) {
    if (trial.enough) {
      CHECK(trial.refused_by == kNoIndex);
      continue;
    }
    REQUIRE(trial.refused_by != kNoIndex);
    const std::string rule(sample.pack->text(sample.pack->rules[trial.refused_by].id));
    const std::string text = fix_text(sample.input(), trial);
    const bool first_gate_stays = text == "CAPACITY=9" || text == "without --size" || text == "--runner fast";
    CHECK(rule == (first_gate_stays ? "gates/no-path" : "gates/capacity"));
  }
}

TEST_CASE("trying fixes leaves the launch as it was", "[engine]") {
  const Sample sample({"--path", "/m", "--exchange", "deep", "--size", "9"});
  CHECK(sample.given->value(sample.pack->find_field("runner")).as_str() == "auto");
  CHECK(sample.given->value(sample.pack->find_field("size")).as_int() == 9);
  CHECK(sample.world.env.empty());
}

}  // namespace gonogo::test
