// The plan of a GPU's memory: what is computed from the pack's values, and how it is shown.
#include "report/plan.h"

#include "catch.h"
#include "engine/tiny_launch.h"

using namespace gonogo;
using namespace gonogo::testing;

namespace {

constexpr std::int64_t kGib = 1073741824;

std::string plan_pack(const std::string& plan) {
  return R"(
pack:
  name: tiny
  versions: ["1.0"]
  entry_points: [tiny]
  parts: {first: []}
  plan: )" +
         plan + R"(
flags:
- {flags: [--gib], field: gib, type: int, default: 2}
- {flags: [--most], field: most, type: int, default: 100}
)";
}

const char* const kPlan =
    R"({memory: "= 10 * 1073741824", capacity: 1000, length: 250, requests: "= most",
    parts: {weights: "= gib * 1073741824", cache: 1610612736, none: 0, odd: "= 1 // 0"},
    sizes: {a token: 1536, per request: null}, figures: {fraction: 0.5, tokens: 1000, missing: "= gpu.count"}})";

struct Planned {
  explicit Planned(const std::string& text, const std::vector<std::string>& words = {},
                   const std::vector<std::int64_t>& lengths = {}, const Around& around = {})
      : launch(plan_pack(text), words, around), plan(plan_of(launch.pack, *launch.outcome.plan, lengths)) {}
  TinyLaunch launch;
  Plan plan;

  std::string requests() const {
    std::string out;
    for (const Concurrency& row : plan.concurrency) {
      out += std::to_string(row.length) + ":" + (row.requests ? std::to_string(*row.requests) : "?") + " ";
    }
    return out;
  }
  std::string text() {
    const Launch command;
    const RuntimeVersion version;
    const std::vector<GpuSet> nodes;
    const std::string where = "/m";
    const Fixes fixes;
    return plan_to_text({launch.pack, command, version, nodes, where, nullptr, launch.outcome, fixes}, plan, false);
  }
};

// `text` with runs of spaces as one.
std::string squeezed(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c != ' ' || out.empty() || out.back() != ' ') out += c;
  }
  return out;
}

}  // namespace

TEST_CASE("what no part takes is left, and a part that can't be computed counts as nothing") {
  struct Row {
    const char* about;
    std::vector<std::string> words;
    std::int64_t left;
  };
  const std::vector<Row> rows = {
      {"parts and rest", {}, 10 * kGib - 2 * kGib - 1610612736},
      {"parts that fill it", {"--gib", "10"}, -1610612736},
      {"more than there is", {"--gib", "20"}, -10 * kGib - 1610612736},
  };
  for (const Row& row : rows) {
    INFO(row.about);
    const Planned planned(kPlan, row.words);
    CHECK(planned.plan.known());
    CHECK(planned.plan.memory == 10 * kGib);
    CHECK(planned.plan.left == row.left);
    CHECK(planned.plan.capacity == 1000);
    CHECK(planned.plan.parts.back().value.is_none());
    CHECK(planned.plan.figures.back().value.is_unknown());
  }
}

TEST_CASE("requests at once follow from the capacity, the length and what the runtime serves") {
  struct Row {
    const char* about;
    std::string plan;
    std::vector<std::string> words;
    std::vector<std::int64_t> lengths;
    const char* requests;
  };
  const std::vector<Row> rows = {
      {"the pack's length", kPlan, {}, {}, "250:4 "},
      {"lengths that the user asks for, in that order", kPlan, {}, {10, 1000, 2000}, "10:100 1000:1 2000:0 "},
      {"never more than are served", kPlan, {"--most", "3"}, {}, "250:3 "},
      {"served is less than nothing", kPlan, {"--most", "-1"}, {}, "250:0 "},
      {"no capacity", R"({memory: 1, length: 5, parts: {a: 1}})", {}, {}, "5:? "},
      {"no length", R"({memory: 1, capacity: 10, parts: {a: 1}})", {}, {}, ""},
      {"no limit", R"({memory: 1, capacity: 10, length: 2, parts: {a: 1}})", {}, {}, "2:5 "},
  };
  for (const Row& row : rows) {
    INFO(row.about);
    CHECK(Planned(row.plan, row.words, row.lengths).requests() == row.requests);
  }
}

TEST_CASE("a plan without the memory or any part says so") {
  const std::vector<const char*> plans = {
      R"({memory: "= gpu.memory_mib", parts: {a: 1}})", R"({memory: 0, parts: {a: 1}})", R"({memory: 10})",
      R"({memory: 10, parts: {a: 0, b: null}})", R"({memory: 10, parts: {a: "= 1 // 0", b: null}})"};
  for (const char* plan : plans) {
    INFO(plan);
    Planned planned(plan);
    CHECK_FALSE(planned.plan.known());
    CHECK_FALSE(planned.plan.left);
    CHECK(planned.text().find("is not known") != std::string::npos);
  }
}

TEST_CASE("sizes are told in the unit that fits") {
  CHECK(size_text(0) == "0 bytes");
  CHECK(size_text(1023) == "1023 bytes");
  CHECK(size_text(1536) == "1.5 KiB");
  CHECK(size_text(5.5 * 1048576) == "5.5 MiB");
  CHECK(size_text(-2.0 * static_cast<double>(kGib)) == "-2.0 GiB");
}

TEST_CASE("the text is a bar, a table and what fits") {
  const std::string text = Planned(kPlan).text();
  // 2 of 10 GiB are 12 of 60 cells, 1.5 are 9.
  CHECK(text.find("[" + std::string(12, 'A') + std::string(9, 'B') + std::string(39, '.') + "]  10.0 GiB\n") !=
        std::string::npos);
  const std::string lines = squeezed(text);
  for (const char* line : {" A weights 2.0 GiB 20.0 %\n", " B cache 1.5 GiB 15.0 %\n", " D odd not known",
                           " . left 6.5 GiB 65.0 %\n", " a token 1.5 KiB\n", " fraction 0.5\n", " tokens 1,000\n",
                           " missing not known\n", " requests of 250 tokens at once: 4\n"}) {
    INFO(line);
    CHECK(lines.find(line) != std::string::npos);
  }
  // A part of nothing and a size of None are no lines.
  CHECK(lines.find("none") == std::string::npos);
  CHECK(lines.find("per request") == std::string::npos);
  const std::string over = squeezed(Planned(kPlan, {"--gib", "20"}).text());
  CHECK(over.find("^ the memory of the GPU ends here\n") != std::string::npos);
  CHECK(over.find(" . missing 11.5 GiB 115.0 %\n") != std::string::npos);
}
