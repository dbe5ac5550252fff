// The rule that a traceback leads to, for every recorded refusal: the recording holds the place and, of some, the
// frames around it. The exception's own text is not kept in the repository; what stands in for it are the words that
// the rule notes of it, else the rule's message. scripts/check_doctor.py measures with recordings that have the text.
#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/json.h"
#include "catch.h"
#include "cli/case_runner.h"
#include "engine/diagnosis.h"
#include "facts/server_log.h"
#include "rules/pack.h"
#include "rules/walk.h"

namespace gonogo {

namespace {

// Heads that do not divide are refused with the same words in several classes, which a log alone does not tell apart.
constexpr double kFloor = 0.92;

std::string text_at(const Value& object, const char* key) {
  const Value* v = object.find(key);
  return v != nullptr && v->is_str() ? std::string(v->as_str()) : std::string();
}

// A recorded error as a server prints it.
std::string as_log(const Value& error, std::string_view text) {
  std::string out = "Traceback (most recent call last):\n";
  const auto frame = [&](const std::string& place) {
    const std::size_t dot = place.rfind('.');
    out += "  File \"/opt/x/" + place.substr(0, dot) + ".py\", line 7, in " + place.substr(dot + 1) + "\n    …\n";
  };
  const Value* path = error.find("path");
  for (std::uint32_t i = 0; path != nullptr && path->is_sequence() && i < path->size(); ++i) frame(to_str((*path)[i]));
  frame(text_at(error, "check"));
  return out + "ValueError: " + std::string(text) + "\n";
}

struct Count {
  int recorded = 0;
  int right = 0;
  std::string wrong;
};

// Adds the refusals of one part of a recording.
void add(const CaseRun& run, const Pack& pack, const Value* error, std::size_t part, Count* count) {
  if (error == nullptr || !error->is_dict() || text_at(*error, "check") == "argparse") return;
  const Outcome& outcome = run.outcome;
  if (part >= outcome.parts.size() || !outcome.parts[part].refused_by) return;
  const Finding& f = outcome.findings[*outcome.parts[part].refused_by];
  if (f.rule == kNoIndex || pack.text(pack.note(f.rule).check) != text_at(*error, "check")) return;
  const std::string_view words = pack.text(pack.note(f.rule).upstream);
  std::stringstream in(as_log(*error, words.empty() ? std::string_view(f.message) : words));
  const ServerLog log = read_server_log(in, pack);
  REQUIRE(log.exceptions.size() == 1);
  const auto rules = diagnose(pack, run.version, log.exceptions[0], 5);
  ++count->recorded;
  const std::string right(pack.text(pack.rules[f.rule].id));
  const std::string got = rules.empty() ? "nothing" : std::string(pack.text(pack.rules[rules[0].rule].id));
  // Rules that split one refusal of upstream's say the same, and nothing in the text tells them apart.
  const bool same = !rules.empty() && unparse(pack, pack.rules[rules[0].rule].payload.first) ==
                                          unparse(pack, pack.rules[f.rule].payload.first);
  if (got == right || same) {
    ++count->right;
  } else if (count->wrong.size() < 4000) {
    count->wrong += right + " read as " + got + "\n";
  }
}

}  // namespace

TEST_CASE("a traceback leads to the rule that refuses", "[conformance]") {
  const Pack& pack = Pack::embedded();
  const std::string folder = GONOGO_TESTDATA;
  for (const char* name : {"resolve-0.5.21", "resolve-0.5.22", "resolve-0.5.23", "build-0.5.23", "seeds"}) {
    CaseRunner runner(pack, "", folder + "/models", CaseFolders::Missing::kUnknown);
    std::ifstream file(folder + "/conformance/" + name + ".jsonl");
    REQUIRE(file.good());
    Count count;
    for (std::string line; std::getline(file, line);) {
      const auto run = runner.run(line);
      REQUIRE(run.ok());
      add(*run, pack, run->input.find("error"), 0, &count);
      const Value* checked = run->input.find("checked");
      if (checked != nullptr) add(*run, pack, checked->find("error"), 1, &count);
      const Value* build = run->input.find("build");
      if (build != nullptr && build->find("harness") == nullptr) add(*run, pack, build->find("error"), 2, &count);
    }
    INFO(name << ": " << count.right << " of " << count.recorded << "\n" << count.wrong);
    CHECK(count.recorded > 0);
    CHECK(count.right >= kFloor * count.recorded);
  }
}

}  // namespace gonogo
