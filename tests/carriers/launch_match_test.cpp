// Which launch of a file is which one after an edit.
#include "carriers/launch_match.h"

#include <string>
#include <vector>

#include "catch.h"

namespace gonogo {

namespace {

using Indices = std::vector<int>;  // -1: new

LaunchName launch(const std::vector<std::string>& args, const std::vector<std::string>& roles = {},
                  const std::string& entry = "serve") {
  LaunchName out;
  out.entry = entry;
  out.roles = roles;
  out.args = args;
  return out;
}

}  // namespace

TEST_CASE("launches are known again by their words and roles") {
  const LaunchName a = launch({"--model", "a", "--tp", "8"});
  const LaunchName b = launch({"--model", "b", "--tp", "4"});
  const LaunchName a_edited = launch({"--model", "a", "--tp", "16"});
  const LaunchName prefill = launch({"--model", "a", "--tp", "8"}, {"prefill"});
  const LaunchName decode = launch({"--model", "a", "--tp", "8"}, {"decode"});
  const LaunchName decode_edited = launch({"--model", "a", "--tp", "2"}, {"decode"});
  const LaunchName other = launch({"x"});
  LaunchName elsewhere = a;
  elsewhere.file = "moved.sh";
  struct Row {
    const char* what;
    std::vector<LaunchName> before;
    std::vector<LaunchName> now;
    Indices want;
  };
  const std::vector<Row> rows = {
      {"nothing", {}, {}, {}},
      {"the same", {a, b}, {a, b}, {0, 1}},
      {"in another order", {a, b}, {b, a}, {1, 0}},
      {"another file's name is none of its", {a}, {elsewhere}, {0}},
      {"equal ones in their order", {a, a}, {a, a, a}, {0, 1, -1}},
      {"one edited, one the same", {a, b}, {a_edited, b}, {0, 1}},
      {"a new one between", {a, b}, {a, other, b}, {0, -1, 1}},
      {"one gone", {a, b}, {b}, {1}},
      {"the role tells", {prefill, decode}, {decode_edited, prefill}, {1, 0}},
      {"the only one, written anew", {a}, {other}, {0}},
      {"the only one, of another role", {a}, {launch({"x"}, {"decode"})}, {-1}},
      {"two, both written anew", {a, b}, {other, launch({"y"})}, {-1, -1}},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    Indices got;
    for (const auto& index : match_launches(row.before, row.now)) got.push_back(index ? static_cast<int>(*index) : -1);
    CHECK(got == row.want);
  }
}

TEST_CASE("a launch's name shows no secret") {
  const Pack& pack = Pack::embedded();
  const auto read = read_command(pack, {"HF_TOKEN=s3cr3t", "A=1", "python", "-m", "sglang.launch_server",
                                        "--model-path", "/m", "--api-key", "s3cr3t"});
  REQUIRE(read.ok());
  const LaunchName name = name_of(pack, *read);
  CHECK(name.entry == "python -m sglang.launch_server");
  CHECK(name.sets == std::vector<std::string>{"HF_TOKEN=***", "A=1"});
  CHECK(name.args == std::vector<std::string>{"--model-path", "/m", "--api-key", "***"});
}

TEST_CASE("many launches are matched without comparing each with each") {
  std::vector<LaunchName> before;
  std::vector<LaunchName> now;
  for (int i = 0; i < 5000; ++i) {
    before.push_back(launch({"--model", std::to_string(i)}));
    now.push_back(launch({"--model", std::to_string(i), "--tp", "2"}));
  }
  const auto got = match_launches(before, now);
  CHECK(got[0] == 0);
  CHECK(got[199] == 199);
  CHECK_FALSE(got[4999].has_value());
}

}  // namespace gonogo
