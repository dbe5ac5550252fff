#include "flags/migration.h"

#include <sstream>

#include "catch.h"
#include "flags/argparse.h"
#include "flags/small_pack.h"

using namespace gonogo;
using namespace gonogo::testing;

namespace {

std::vector<Word> words_of(const std::string& line) {
  std::vector<Word> out;
  std::istringstream in(line);
  for (std::string word; in >> word;) out.push_back({word, {"argv", 1, static_cast<int>(out.size()) + 1}});
  return out;
}

std::string migrated(const std::string& line, const std::string& to, const std::string& from = "") {
  const Pack& pack = small_pack();
  const std::vector<Word> words = words_of(line);
  std::optional<std::uint32_t> version;
  if (!from.empty()) version = pack.version_index(from);
  std::string out;
  for (const Word& w : rewritten(words, migrate(pack, words, version, pack.version_index(to)))) {
    out += (out.empty() ? "" : " ") + w.text;
  }
  return out;
}

}  // namespace

TEST_CASE("what a later parser refuses is written as it reads it", "[flags][migration]") {
  struct Row {
    const char* what;
    const char* line;
    const char* wanted;
  };
  const std::vector<Row> rows = {
      {"nothing to do", "--model m --size 2", "--model m --size 2"},
      {"a renamed flag keeps its value", "--model m --parts 2 --trust", "--model m --size 2 --trust"},
      {"and the form with =", "--model m --parts=2", "--model m --size=2"},
      {"and all its values", "--port-list 1 2 3 --model m", "--ports 1 2 3 --model m"},
      {"a flag that became a value of another", "--model m --no-trust", "--model m --check=none"},
      {"a value that is called otherwise", "--model m --way fast", "--model m --mode quick"},
      {"the same with =", "--model m --way=fast", "--model m --mode=quick"},
      {"a value that is not", "--model m --way slow", "--model m --mode slow"},
      {"one retired flag gave way to the next", "--model m --older", "--model m --mode"},
      {"a flag that is gone goes with its value", "--model m --log-level debug --size 2", "--model m --size 2"},
      {"with = too", "--model m --log-level=debug --size 2", "--model m --size 2"},
      {"and with all of them", "--logs a b --model m", "--model m"},
      {"an abbreviation that became ambiguous", "--model m --lo debug", "--model m --lo debug"},
      {"an abbreviation of a flag that is gone", "--model m --par 2", "--model m --size 2"},
      {"no counterpart: left to the parser", "--model m --lost x", "--model m --lost x"},
      {"never a flag: left to the parser", "--model m --nonsense", "--model m --nonsense"},
      {"a value that looks like one is none", "--model --parts", "--model --size"},
      {"behind -- nothing is a flag", "--model m -- --parts 2", "--model m -- --parts 2"},
      {"twice", "--model m --parts 1 --parts 2", "--model m --size 1 --size 2"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    CHECK(migrated(row.line, "1.1") == row.wanted);
  }
}

TEST_CASE("a version that the words were written for decides what they mean", "[flags][migration]") {
  // "--out" is a flag today; an abbreviation of --out-dir is what 0.8 made of "--out-d".
  CHECK(migrated("--model m --p 2", "1.1", "0.8") == "--model m --p 2");  // ambiguous there as well
  CHECK(migrated("--model m --pa 2", "1.1", "0.8") == "--model m --size 2");
  // To a version that has the flag nothing changes.
  CHECK(migrated("--model m --parts 2", "0.9") == "--model m --parts 2");
}

TEST_CASE("an edit names its word and says why", "[flags][migration]") {
  const Pack& pack = small_pack();
  const std::vector<Word> words = words_of("--model m --parts=2 --log-level debug");
  const auto edits = migrate(pack, words, std::nullopt, pack.version_index("1.1"));
  REQUIRE(edits.size() == 3);
  CHECK(edits[0].word == 2);
  CHECK(edits[0].old_text == "--parts");
  CHECK(edits[0].text == "--size");
  CHECK(edits[0].why == "it was a flag up to 0.9; now --size");
  CHECK(edits[1].word == 3);
  CHECK_FALSE(edits[1].text);
  CHECK(edits[1].why == "it was a flag up to 0.9");
  CHECK(edits[2].word == 4);
  CHECK(edits[2].old_text == "debug");
  CHECK(edits[2].why.empty());
}

TEST_CASE("versions without rules have a parser of their own", "[flags][migration]") {
  struct Row {
    const char* version;
    const char* line;
    bool taken;
  };
  const std::vector<Row> rows = {
      {"0.8", "--model m --parts 2", true},       {"0.9", "--model m --parts 2", true},
      {"1.0", "--model m --parts 2", false},      {"0.8", "--model m --parts two", false},
      {"0.8", "--model m --out-dir x", true},     {"0.9", "--model m --out-dir x", false},
      {"0.8", "--model-path m --size 2", true},   {"0.8", "--model m --tensor-size 2", false},
      {"1.0", "--model m --tensor-size 2", true}, {"0.9", "--model m --mode careful", true},
      {"0.9", "--model m --mode quick", false},   {"0.9", "--size 2", false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.version, row.line);
    Arena arena;
    CHECK(parse(small_pack(), small_pack().version_index(row.version), words_of(row.line), arena).ok() == row.taken);
  }
  CHECK(small_pack().versions_text() == "1.0, 1.1; the arguments alone of 0.8 to 0.9");
}
