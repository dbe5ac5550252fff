// A day of the calendar, as policies write it: 2027-03-01.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace gonogo {

struct Date {
  int year = 0;
  int month = 0;  // 1 to 12
  int day = 0;    // 1 to 31

  auto operator<=>(const Date&) const = default;
};

// A day that exists, written YYYY-MM-DD; nothing else.
std::optional<Date> parse_date(std::string_view text);

std::string to_text(const Date& date);

// Today by the system's clock, in UTC.
Date today();

}  // namespace gonogo
