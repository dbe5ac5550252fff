#include "flags/number.h"

#include <cmath>
#include <string>

#include "catch.h"

using namespace gonogo;

namespace {

std::string shown(NumberText result, const std::string& value) {
  switch (result) {
    case NumberText::kGood:
      return value;
    case NumberText::kBad:
      return "bad";
    case NumberText::kTooLarge:
      return "too large";
    case NumberText::kBadSuffix:
      return "bad suffix";
  }
  return "?";
}

std::string whole(const char* text) {
  std::int64_t value = 0;
  const NumberText result = read_int(text, &value);
  return shown(result, std::to_string(value));
}

std::string human(const char* text) {
  std::int64_t value = 0;
  const NumberText result = read_human_int(text, &value);
  return shown(result, std::to_string(value));
}

std::string real(const char* text) {
  double value = 0;
  const NumberText result = read_float(text, &value);
  return shown(result, std::to_string(value));
}

struct Row {
  const char* text;
  const char* wanted;
};

}  // namespace

TEST_CASE("int() of a text", "[flags][number]") {
  for (const Row& row : {Row{"8", "8"},
                         {"-8", "-8"},
                         {"+8", "8"},
                         {"007", "7"},
                         {"1_000", "1000"},
                         {" 8\n", "8"},
                         {"\xef\xbc\x98", "8"},      // fullwidth
                         {"\xc2\xa0\xd9\xa1", "1"},  // a no-break space and an Arabic digit
                         {"8\x1f", "bad"},           // no white space in pure ASCII
                         {"\xef\xbc\x98\x1f", "8"},  // but it is one here
                         {"", "bad"},
                         {"-", "bad"},
                         {"--8", "bad"},
                         {"- 8", "bad"},
                         {"1__0", "bad"},
                         {"_1", "bad"},
                         {"1_", "bad"},
                         {"1.0", "bad"},
                         {"1e3", "bad"},
                         {"0x10", "bad"},
                         {"8 9", "bad"},
                         {"\xff", "bad"},
                         {"9223372036854775807", "9223372036854775807"},
                         {"-9223372036854775808", "-9223372036854775808"},
                         {"9223372036854775808", "too large"},
                         {"00000000000000000000000000001", "1"}}) {
    INFO(row.text);
    CHECK(whole(row.text) == row.wanted);
  }
  CHECK(whole(std::string(5000, '1').c_str()) == "bad");
}

TEST_CASE("float() of a text", "[flags][number]") {
  for (const Row& row : {Row{"1", "1.000000"}, {".5", "0.500000"},     {"5.", "5.000000"},     {"-1e3", "-1000.000000"},
                         {"+2", "2.000000"},   {"1_0.5", "10.500000"}, {"inf", "inf"},         {"-Infinity", "-inf"},
                         {"NaN", "nan"},       {"1e400", "inf"},       {"1e-400", "0.000000"}, {"", "bad"},
                         {".", "bad"},         {"1e", "bad"},          {"0x1p3", "bad"},       {"--1", "bad"},
                         {"+-1", "bad"},       {"1,5", "bad"},         {"infin", "bad"},       {"1_.5", "bad"},
                         {"e5", "bad"}}) {
    INFO(row.text);
    CHECK(real(row.text) == row.wanted);
  }
}

TEST_CASE("whole numbers with suffixes", "[flags][number]") {
  for (const Row& row : {Row{"128k", "128000"},
                         {"2M", "2000000"},
                         {"1G", "1000000000"},
                         {"3T", "3000000000000"},
                         {"4Ki", "4096"},
                         {"2Mi", "2097152"},
                         {"1Gi", "1073741824"},
                         {"1Ti", "1099511627776"},
                         {"25.6k", "25600"},
                         {"0.9999k", "999"},
                         {"1.00005k", "1000"},
                         {" 8k ", "8000"},
                         {"8\x1f", "8"},
                         {"8", "8"},
                         {"-8", "-8"},
                         {"1_0", "10"},
                         {"1.5Ki", "bad suffix"},
                         {"1K", "bad"},
                         {"1m", "bad"},
                         {"1ki", "bad"},
                         {"k", "bad"},
                         {".5k", "bad"},
                         {"1.k", "bad"},
                         {"-1k", "bad"},
                         {"1_0k", "bad"},
                         {"1 k", "bad"},
                         {"10kk", "bad"},
                         {"1.5", "bad"},
                         {"", "bad"},
                         {"9300000T", "too large"},
                         {"8388608Ti", "too large"},
                         {"8388607Ti", "9223370937343148032"}}) {
    INFO(row.text);
    CHECK(human(row.text) == row.wanted);
  }
}
