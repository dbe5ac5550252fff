#include "rules/version_range.h"

#include "catch.h"

namespace gonogo {
namespace {

TEST_CASE("a range holds a version where all of its terms do, number by number") {
  struct Row {
    const char* range;
    const char* version;
    bool inside;
  };
  const std::vector<Row> rows = {
      {">=0.5.22,<0.5.23", "0.5.22", true},
      {">=0.5.22,<0.5.23", "0.5.23", false},
      {">=0.5.22,<0.5.23", "0.5.22.1", true},
      {" >= 0.5.22 , < 0.5.23 ", "0.5.22", true},
      {"<0.10", "0.9", true},  // not as text
      {"<0.10", "0.10", false},
      {"<=0.10", "0.10", true},
      {">1.0", "1.0.0", false},
      {"==1.0", "1.0.0", true},
      {"==1", "1.0", true},
      {"==1.0", "1.0.1", false},
      {"!=1.0", "1.0", false},
      {"!=1.0", "1.1", true},
      {"==0.5.23", "0.5.23rc1", true},  // a part counts by its leading digits
      {">=0.5.23", "0.5.23.post1", true},
      {">1,<3,!=2", "2.5", true},
      {">1,<3,!=2", "2.0", false},
      {"<99999999999999999999", "1", true},
  };
  for (const Row& row : rows) {
    INFO(row.range << " holds " << row.version);
    const auto range = VersionRange::parse(row.range);
    REQUIRE(range);
    CHECK(range->contains(row.version) == row.inside);
  }
}

TEST_CASE("what is no range is refused") {
  for (const char* text : {"", " ", "1.0", "=1.0", "~=1.0", ">=", ">= ", ">=x", ">=v1.0", ">=1.0,", ",>=1.0",
                           ">=1.0 <2.0,", "=>1.0", "latest"}) {
    INFO(text);
    CHECK_FALSE(VersionRange::parse(text));
  }
}

}  // namespace
}  // namespace gonogo
