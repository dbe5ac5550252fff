// Which rule stands for a logged exception.
#include "engine/diagnosis.h"

#include <string>
#include <vector>

#include "catch.h"
#include "rules/compiler.h"

namespace gonogo {

namespace {

const char* const kPack = R"(
pack: {name: toy, versions: ["1.0", "2.0"], entry_points: ["toy"], parts: {resolve: [gates]}}
flags:
- {flags: [--page-size], field: page_size, type: int, default: 1}
- {flags: [--runner], field: runner}
---
stage: gates
check: hook.verify
rules:
- {id: g/page, when: page_size > 64, fail: "--page-size {page_size} is more than 64"}
- {id: g/runner, when: runner == "fast", fail: "the fast runner is not there"}
- {id: g/noted, when: runner == "odd", fail: "words of our own"}
- {id: g/old, versions: "<2.0", when: runner == "old", fail: "--runner old has gone"}
- {id: g/alone, check: other.only, when: runner == "x", fail: "nothing alike"}
- {id: g/warns, when: runner == "y", warn: "page size and runner"}
---
upstream: {g/noted: "peculiar wording"}
)";

const Pack& toy() {
  static const CompiledPack made = compile_pack({{"toy.yaml", kPack}}, nullptr);
  REQUIRE(made.errors.empty());
  static const Pack pack = *Pack::open(made.blob);
  return pack;
}

LogException thrown(const std::vector<std::pair<std::string, std::string>>& frames, const std::string& message) {
  LogException e;
  e.type = "ValueError";
  e.message = message;
  for (const auto& [file, function] : frames) e.frames.push_back({file, function, 1, ""});
  return e;
}

}  // namespace

TEST_CASE("the place and the words of an exception lead to a rule", "[engine]") {
  struct Row {
    std::string name;
    std::vector<std::pair<std::string, std::string>> frames;
    std::string message;
    std::string rule;
    std::string confidence;
    std::uint32_t version = kNoIndex;
  };
  const std::vector<Row> rows = {
      {"by a flag in both texts",
       {{"main", "run"}, {"hook", "verify"}},
       "page_size must be at most 64",
       "g/page",
       "likely"},
      {"by a value of the condition", {{"hook", "verify"}}, "Runner 'fast' was not found", "g/runner", "likely"},
      {"by words that the rule notes", {{"hook", "verify"}}, "A peculiar kind of wording", "g/noted", "certain"},
      {"the only rule of a place", {{"other", "only"}}, "whatever", "g/alone", "certain"},
      {"a library's frames inside do not matter",
       {{"other", "only"}, {"torch", "check"}},
       "whatever",
       "g/alone",
       "certain"},
      {"the innermost of two places", {{"hook", "verify"}, {"other", "only"}}, "page_size", "g/alone", "certain"},
      {"of another version", {{"hook", "verify"}}, "--runner old has gone", "g/old", "likely", 0},
      {"no place and no words", {{"app", "main"}}, "division by zero", "", ""},
  };
  for (const Row& row : rows) {
    INFO(row.name);
    const auto found = diagnose(toy(), row.version, thrown(row.frames, row.message), 3);
    const std::string rule = found.empty() ? "" : std::string(toy().text(toy().rules[found[0].rule].id));
    CHECK(rule == row.rule);
    static constexpr const char* kWords[] = {"possible", "likely", "certain"};
    CHECK((found.empty() ? std::string() : kWords[static_cast<int>(found[0].confidence)]) == row.confidence);
  }
}

TEST_CASE("a rule that its version does not have explains nothing there", "[engine]") {
  for (const Diagnosis& d : diagnose(toy(), 1, thrown({{"hook", "verify"}}, "--runner old has gone"), 9)) {
    CHECK(toy().text(toy().rules[d.rule].id) != "g/old");
  }
  CHECK(diagnose(toy(), kNoIndex, thrown({{"hook", "verify"}}, "x"), 2).size() == 2);
}

TEST_CASE("noted words belong to rules that there are", "[engine]") {
  const CompiledPack made =
      compile_pack({{"toy.yaml", std::string(kPack) + "\n---\nupstream: {g/nobody: x}\n"}}, nullptr);
  REQUIRE(made.errors.size() == 1);
  CHECK(made.errors[0].what == "there is no rule 'g/nobody'");
}

TEST_CASE("words as they are compared", "[engine]") {
  const std::vector<std::pair<std::string, std::vector<std::string>>> rows = {
      {"--moe-a2a-backend='deepep'", {"moe_a2a_backend", "deepep"}},
      {"Size (3), a 128.", {"size", "3", "128"}},
      {"torch.float16; x", {"torch.float16"}},
      {"- -- _", {}},
  };
  for (const auto& [text, wanted] : rows) CHECK(compared_words(text) == wanted);
}

}  // namespace gonogo
