#include "facts/environment.h"

#include <algorithm>
#include <cstdlib>

#include "catch.h"

using namespace gonogo;

TEST_CASE("the launch's variables lie over the caller's") {
  const Environment env = Environment::over(
      {{"A", "caller"}, {"B", "caller"}, {"C", "caller"}, {"EMPTY", ""}},
      {{"B", "first"}, {"B", "launch"}, {"C", std::nullopt}, {"D", "launch"}, {"E", "x"}, {"E", std::nullopt}});
  const struct {
    std::string_view name;
    std::optional<std::string> value;
    bool from_launch;
  } rows[] = {
      {"A", "caller", false},     {"B", "launch", true},      {"C", std::nullopt, true},
      {"D", "launch", true},      {"E", std::nullopt, true},  {"EMPTY", "", false},
      {"F", std::nullopt, false}, {"a", std::nullopt, false}, {"", std::nullopt, false},
  };
  for (const auto& row : rows) {
    CAPTURE(row.name);
    CHECK(env.get(row.name) == row.value);
    CHECK(env.from_launch(row.name) == row.from_launch);
  }
  CHECK(env.names() == std::vector<std::string>{"A", "B", "D", "EMPTY"});
}

TEST_CASE("below the launch lies this process, or nothing") {
  ::setenv("GONOGO_TEST_VARIABLE", "process", 1);
  const Environment here(Environment::Assignments{{"GONOGO_TEST_OTHER", "1"}});
  CHECK(here.get("GONOGO_TEST_VARIABLE") == "process");
  const auto names = here.names();
  CHECK(std::count(names.begin(), names.end(), "GONOGO_TEST_VARIABLE") == 1);
  CHECK(std::count(names.begin(), names.end(), "GONOGO_TEST_OTHER") == 1);
  CHECK(std::is_sorted(names.begin(), names.end()));

  const Environment removed(Environment::Assignments{{"GONOGO_TEST_VARIABLE", std::nullopt}});
  CHECK_FALSE(removed.get("GONOGO_TEST_VARIABLE"));
  const auto left = removed.names();
  CHECK(std::count(left.begin(), left.end(), "GONOGO_TEST_VARIABLE") == 0);

  const Environment closed({{"A", "1"}}, Environment::Below::kNothing);
  CHECK_FALSE(closed.get("GONOGO_TEST_VARIABLE"));
  CHECK(closed.names() == std::vector<std::string>{"A"});
  ::unsetenv("GONOGO_TEST_VARIABLE");
}
