// gonogo against recorded answers of the runtime itself: testdata/conformance, as scripts/select_conformance.py
// selected them. testdata/conformance/floor.json holds the agreement that was reached; it may rise and never fall.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "base/json.h"
#include "catch.h"
#include "cli/batch.h"
#include "conformance/comparison.h"
#include "rules/pack.h"

using namespace gonogo;

namespace {

constexpr double kRounding = 0.005;  // floors have two decimals
constexpr double kWorthRaising = 0.5;

struct Recorded {
  Arena arena;
  std::vector<Value> wanted;
  std::vector<Value> answers;
};

std::string folder() { return std::string(GONOGO_TESTDATA) + "/conformance/"; }

// Every case of a file with gonogo's answer to it.
void answer(const std::string& name, Recorded* out) {
  std::ifstream file(folder() + name + ".jsonl");
  REQUIRE(file.good());
  std::stringstream text;
  text << file.rdbuf();
  std::stringstream answers;
  const auto done = run_batch(Pack::embedded(), {"", std::string(GONOGO_TESTDATA) + "/models"}, text, answers);
  REQUIRE(done.ok());
  text.clear();
  text.seekg(0);
  for (std::string line; std::getline(text, line);) {
    auto value = parse_json(out->arena.copy(line), name, out->arena);
    REQUIRE(value.ok());
    out->wanted.push_back(*value);
  }
  for (std::string line; std::getline(answers, line);) {
    auto value = parse_json(out->arena.copy(line), "answer", out->arena);
    INFO(line.substr(0, 400));
    REQUIRE(value.ok());
    out->answers.push_back(*value);
  }
  REQUIRE(out->wanted.size() == out->answers.size());
  for (std::size_t i = 0; i < out->wanted.size(); ++i) {
    REQUIRE(equal(at(out->wanted[i], {"id"}), at(out->answers[i], {"id"})));
  }
}

std::string percent(double share) {
  char text[16];
  std::snprintf(text, sizeof text, "%.2f", share);
  return text;
}

std::string first_of(const std::vector<std::string>& differences) {
  std::string out;
  for (std::size_t i = 0; i < differences.size() && i < 20; ++i) out += "  " + differences[i] + "\n";
  if (differences.size() > 20) out += "  and " + std::to_string(differences.size() - 20) + " more\n";
  return out;
}

// The comparison of a pair of lines.
Comparison compared(const std::string& want, const std::string& got) {
  Arena arena;
  const auto w = parse_json(want, "want", arena);
  const auto g = parse_json(got, "got", arena);
  REQUIRE(w.ok());
  REQUIRE(g.ok());
  Comparison comparison;
  comparison.add(*w, *g);
  return comparison;
}

std::string figures_of(const Comparison& comparison) {
  std::string out;
  for (const auto& [measure, share] : comparison.shares()) {
    out += (out.empty() ? "" : " ") + measure + "=" + std::to_string(share.alike) + "/" + std::to_string(share.of);
  }
  return out;
}

}  // namespace

TEST_CASE("answers agree with the runtime's own at least as far as the floor", "[conformance]") {
  Arena arena;
  const auto floor = load_json(folder() + "floor.json", arena);
  REQUIRE(floor.ok());
  REQUIRE(floor->size() >= 5);
  for (std::uint32_t f = 0; f < floor->size(); ++f) {
    const std::string name(floor->entries()[f].key.as_str());
    const Value& floors = floor->entries()[f].value;
    Recorded recorded;
    answer(name, &recorded);
    Comparison comparison;
    for (std::size_t i = 0; i < recorded.wanted.size(); ++i) comparison.add(recorded.wanted[i], recorded.answers[i]);

    std::string line = "conformance: " + name + ", " + std::to_string(recorded.wanted.size()) + " cases:";
    INFO("the first differences:\n" << first_of(comparison.differences()));
    CHECK(comparison.shares().size() == floors.size());  // every measure has its floor
    for (const auto& [measure, share] : comparison.shares()) {
      line += " " + measure + " " + percent(share.percent()) + " % of " + std::to_string(share.of) + ",";
      const Value lowest = at(floors, {measure});
      INFO(name << ": " << measure << " " << percent(share.percent()) << " %, floor " << to_str(lowest));
      REQUIRE(lowest.is_number());
      CHECK(share.percent() >= lowest.as_double() - kRounding);
      if (share.percent() > lowest.as_double() + kWorthRaising) {
        WARN(name << ": " << measure << " is " << percent(share.percent()) << " % now; raise its floor of "
                  << to_str(lowest) << " in testdata/conformance/floor.json");
      }
    }
    line.back() = '\n';
    std::cout << line;
  }
}

TEST_CASE("the launches that started the project are answered right on every release", "[conformance]") {
  Recorded recorded;
  answer("seeds", &recorded);
  std::string wrong;
  int builds = 0;
  for (std::size_t i = 0; i < recorded.wanted.size(); ++i) {
    const Value& want = recorded.wanted[i];
    const Value& got = recorded.answers[i];
    const std::string name = to_str(at(want, {"id"})) + " on " + to_str(at(want, {"sglang"}));
    const bool ok = truthy(at(want, {"ok"}));
    if (truthy(at(got, {"resolve", "ok"})) != ok) wrong += name + ": resolution\n";
    const Value build = at(want, {"build"});
    const bool counts = !build.is_none() && !truthy(at(build, {"harness"}));
    builds += counts ? 1 : 0;
    if (counts && truthy(at(got, {"build", "built"})) != truthy(at(build, {"built"}))) wrong += name + ": build\n";
    // The user's verdict is the worst of the parts.
    const bool refused = !ok || (counts && !truthy(at(build, {"built"})));
    const std::string verdict = to_str(at(got, {"verdict"}));
    if (refused && verdict != "no-go") wrong += name + ": refused, but the verdict is " + verdict + "\n";
    if (!refused && counts && verdict != "go") wrong += name + ": runs, but the verdict is " + verdict + "\n";
  }
  CHECK(wrong == "");
  CHECK(recorded.wanted.size() >= 200);
  CHECK(builds >= 100);
}

TEST_CASE("no rule about building a model refuses one that was built", "[conformance]") {
  std::string wrong;
  int built = 0;
  for (const char* name : {"build-0.5.23", "seeds"}) {
    Recorded recorded;
    answer(name, &recorded);
    for (std::size_t i = 0; i < recorded.wanted.size(); ++i) {
      if (!truthy(at(recorded.wanted[i], {"build", "built"}))) continue;
      ++built;
      const Value error = at(recorded.answers[i], {"build", "error"});
      if (!error.is_none()) wrong += to_str(at(recorded.wanted[i], {"id"})) + ": " + to_json(error) + "\n";
    }
  }
  CHECK(wrong == "");
  CHECK(built >= 100);
}

TEST_CASE("agreement is counted as the measures say", "[conformance]") {
  const std::string accepted =
      R"({"id":"a","ok":true,"set":{"x":1,"y":[2.0,null]},"by":{"p":["x"],"q":["y"]},"env_set":{"E":"1"})";
  const std::string refused = R"({"id":"a","ok":false,"error":{"check":"m.f"}})";
  const std::string built =
      R"({"id":"a","ok":true,"build":{"built":true,"experts":[["C","M","r"],["D","N",null]],"dispatchers":["S"],"weight_bytes":100}})";
  const auto got = [](const std::string& rest) { return R"({"id":"a",)" + rest + "}"; };
  const auto resolved = [&](const std::string& set, const std::string& by = R"({"x":"p","y":"q"})",
                            const std::string& env = R"({"E":"1"})") {
    return got(R"("resolve":{"ok":true,"set":)" + set + R"(,"by":)" + by + R"(,"env":)" + env + "}");
  };
  const auto construction = [&](const std::string& build) {
    return got(R"("resolve":{"ok":true,"set":{},"by":{},"env":{}},"build":)" + build);
  };
  struct Row {
    std::string want;
    std::string got;
    std::string figures;
  };
  const std::vector<Row> rows = {
      // Values: kinds count, the noise of floats does not.
      {accepted + "}", resolved(R"({"y":[2,null],"x":1})"), "by=2/2 env=1/1 exact=1/1 verdict=1/1"},
      {accepted + "}", resolved(R"({"y":[2.0000000000001,null],"x":1})"), "by=2/2 env=1/1 exact=1/1 verdict=1/1"},
      {accepted + "}", resolved(R"({"y":[2.1,null],"x":1})"), "by=2/2 env=1/1 exact=0/1 verdict=1/1"},
      {accepted + "}", resolved(R"({"y":[2,null],"x":true})"), "by=2/2 env=1/1 exact=0/1 verdict=1/1"},
      {accepted + "}", resolved(R"({"y":[2],"x":1})"), "by=2/2 env=1/1 exact=0/1 verdict=1/1"},
      // A field too few or too many; passes are compared where both changed the field.
      {accepted + "}", resolved(R"({"x":1})"), "by=1/1 env=1/1 exact=0/1 verdict=1/1"},
      {accepted + "}", resolved(R"({"x":1,"y":[2,null],"z":0})"), "by=2/2 env=1/1 exact=0/1 verdict=1/1"},
      {accepted + "}", resolved(R"({"x":1,"y":[2,null]})", R"({"x":"q"})"), "by=0/2 env=1/1 exact=1/1 verdict=1/1"},
      {accepted + "}", resolved(R"({"x":1,"y":[2,null]})", R"({"x":"p","y":"q"})", R"({"E":"2"})"),
       "by=2/2 env=0/1 exact=1/1 verdict=1/1"},
      // The launch check after resolution.
      {accepted + R"(,"checked":{"ok":true}})", resolved(R"({"x":1,"y":[2,null]})"),
       "by=2/2 checked=0/1 env=1/1 exact=1/1 verdict=1/1"},
      // Refusals.
      {refused, got(R"("resolve":{"ok":false,"error":{"check":"m.f"}})"), "exact=1/1 verdict=1/1"},
      {refused, got(R"("resolve":{"ok":false,"error":{"check":"m.g"}})"), "exact=0/1 verdict=1/1"},
      {refused, resolved("{}"), "exact=0/1 verdict=0/1"},
      {refused, got(R"("error":"there is no model folder")"), "exact=0/1 verdict=0/1"},
      // Builds.
      {built,
       construction(R"({"built":true,"experts":[["D","N",null],["C","M","r"]],"dispatchers":["S"],"weight_bytes":99})"),
       "built=1/1 dispatchers=1/1 experts=1/1 verdict=1/1 weights=1/1"},
      {built, construction(R"({"built":true,"experts":[["C","M","r"]],"dispatchers":[],"weight_bytes":97})"),
       "built=1/1 dispatchers=0/1 experts=0/1 verdict=1/1 weights=0/1"},
      {built, construction(R"({"built":false,"error":{"check":"r.i"}})"), "built=0/1 verdict=1/1"},
      {R"({"id":"a","ok":true,"build":{"harness":true}})", construction(R"({"built":true})"), "verdict=1/1"},
      {R"({"id":"a","ok":true,"build":{"built":false,"error":{"check":"r.i"}}})",
       construction(R"({"built":false,"error":{"check":"r.i"}})"), "build-check=1/1 built=1/1 verdict=1/1"},
  };
  for (const Row& row : rows) {
    const Comparison comparison = compared(row.want, row.got);
    INFO(row.want << "\n" << row.got << "\n" << first_of(comparison.differences()));
    CHECK(figures_of(comparison) == row.figures);
  }
}
