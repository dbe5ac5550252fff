// Words that a file leaves open, as the parser takes them: their values are unknown, and what may be any flag refuses
// nothing. And flags that belong to the command around the runtime.
#include <string>
#include <vector>

#include "catch.h"
#include "flags/argparse.h"
#include "flags/small_pack.h"

using namespace gonogo;
using namespace gonogo::testing;

namespace {

// Words in which $X is not known.
std::vector<Word> with_unknowns(const std::string& line) {
  std::vector<Word> out = words(split(line));
  for (Word& word : out) {
    if (word.text.find('$') != std::string::npos) word.unknown = "X";
  }
  return out;
}

std::string refusals(const Parsed& parsed) {
  std::string out;
  for (const UsageFinding& f : parsed.refusals) out += std::string(usage_kind_name(f.kind)) + " ";
  return out;
}

}  // namespace

TEST_CASE("a value that is not known is unknown, whatever its flag takes") {
  struct Row {
    const char* line;
    const char* field;
  };
  const std::vector<Row> rows = {{"--model m --size $X", "size"},
                                 {"--model m --size=$X", "size"},
                                 {"--model m --mode $X", "mode"},
                                 {"--model m --share 0.$X", "share"},
                                 {"--model m --ports 1 $X 3", "ports"},
                                 {"--model m --graph $X", "graph"},
                                 {"--model $X", "model"},
                                 {"--model m --adapters a=$X", "adapters"}};
  for (const Row& row : rows) {
    INFO(row.line);
    Arena arena;
    const std::vector<Word> given = with_unknowns(row.line);
    const Parsed parsed = parse(small_pack(), small_pack().version_index("1.1"), given, arena);
    CHECK(refusals(parsed) == "");
    const std::uint32_t field = small_pack().find_field(row.field);
    CHECK(parsed.given.typed(field));
    CHECK(parsed.given.value(field).is_unknown());
    CHECK(parsed.given.value(field).as_str() == "X");
    CHECK(parsed.open.empty());
  }
}

TEST_CASE("a known value beside it is still checked") {
  Arena arena;
  const std::vector<Word> given = with_unknowns("--model $X --size x");
  CHECK(refusals(parse(small_pack(), small_pack().version_index("1.1"), given, arena)) == "bad-value ");
}

TEST_CASE("a word that may be any flag is open, and may give what must be given") {
  struct Row {
    const char* line;
    const char* refusals;
    std::vector<std::uint32_t> open;
  };
  const std::vector<Row> rows = {{"--model m $X", "", {2}},       {"$X", "", {0}},
                                 {"--trust $X", "", {1}},         {"--model m --$X", "", {2}},
                                 {"--model m $X stray", "", {2}}, {"--trust", "required ", {}}};
  for (const Row& row : rows) {
    INFO(row.line);
    Arena arena;
    const std::vector<Word> given = with_unknowns(row.line);
    const Parsed parsed = parse(small_pack(), small_pack().version_index("1.1"), given, arena);
    CHECK(refusals(parsed) == row.refusals);
    if (parsed.refusals.empty()) CHECK(parsed.open == row.open);
  }
}

TEST_CASE("flags of the command around the runtime") {
  struct Row {
    const char* line;
    bool own_flags;
    const char* refusals;
  };
  const std::vector<Row> rows = {{"--model m --dyn-x 1 2 --trust", true, ""},
                                 {"--model m --dyn-x 1 2 --trust", false, "unknown "},
                                 {"--model m --dyn-x=1", true, ""},
                                 {"--model m --size x --dyn-x", true, "bad-value "},
                                 {"--model m stray", true, "unknown "},
                                 // What another release takes was never the command's own.
                                 {"--model m --older", true, "unknown "},
                                 {"--model m --parts=2 --dyn-x", true, "unknown "}};
  for (const Row& row : rows) {
    INFO(row.line << (row.own_flags ? " with" : " without") << " flags of its own");
    Arena arena;
    const std::vector<Word> given = words(split(row.line));
    CHECK(refusals(parse(small_pack(), small_pack().version_index("1.1"), given, arena, row.own_flags)) ==
          row.refusals);
  }
}
