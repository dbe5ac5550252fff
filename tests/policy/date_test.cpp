#include "policy/date.h"

#include <string>
#include <vector>

#include "catch.h"

namespace gonogo::test {

TEST_CASE("a date is a day that exists, in one form", "[policy]") {
  for (const char* good : {"2027-03-01", "2028-02-29", "0001-01-01", "9999-12-31"}) {
    INFO(good);
    const auto date = parse_date(good);
    REQUIRE(date);
    CHECK(to_text(*date) == good);
  }
  for (const char* bad : {"", "2027-3-1", "2027-02-29", "2027-13-01", "2027-00-10", "2027-01-00", "01-03-2027",
                          "2027/03/01", "2027-03-01 ", "+027-03-01", "2027-03-0x", "tomorrow"}) {
    INFO(bad);
    CHECK_FALSE(parse_date(bad));
  }
  CHECK(*parse_date("2027-02-28") < *parse_date("2027-03-01"));
  CHECK(*parse_date("2026-12-31") < *parse_date("2027-01-01"));
  CHECK(today() >= Date{2026, 1, 1});
}

}  // namespace gonogo::test
