// What --vary may say, and the words that a value becomes.
#include "cli/axis.h"

#include <string>
#include <vector>

#include "catch.h"

namespace gonogo::test {

namespace {

std::vector<std::string> texts(const Axis& axis) {
  std::vector<std::string> out;
  for (const AxisValue& value : axis.values) out.push_back(value.unset ? "-" : value.text);
  return out;
}

std::string words(const Launch& launch) {
  std::string out;
  for (const Word& word : launch.args) out += (out.empty() ? "" : " ") + word.text;
  return out;
}

}  // namespace

TEST_CASE("what is varied, and its values", "[cli]") {
  const Pack& pack = Pack::embedded();
  struct Row {
    std::string option;
    Axis::Kind kind;
    std::string name;
    std::vector<std::string> values;
  };
  const std::vector<Row> rows = {
      {"tp-size=1,2", Axis::Kind::kFlag, "--tp-size", {"1", "2"}},
      {"tp_size=1", Axis::Kind::kFlag, "--tp-size", {"1"}},
      {"--tp-size=1", Axis::Kind::kFlag, "--tp-size", {"1"}},
      {"page-size=(unset),64", Axis::Kind::kFlag, "--page-size", {"-", "64"}},
      {"trust-remote-code=true,false", Axis::Kind::kFlag, "--trust-remote-code", {"true", "false"}},
      {R"(json-model-override-args={"a": 1, "b": [1,2]},{})",
       Axis::Kind::kFlag,
       "--json-model-override-args",
       {R"({"a": 1, "b": [1,2]})", "{}"}},
      {"host='a,b',c", Axis::Kind::kFlag, "--host", {"'a,b'", "c"}},
      {"gpu=b200x8,H200x4", Axis::Kind::kGpu, "gpu", {"b200x8", "H200x4"}},
      {"sglang=0.5.23", Axis::Kind::kVersion, "sglang", {"0.5.23"}},
      {"sglang=0.5.21..0.5.23", Axis::Kind::kVersion, "sglang", {"0.5.21", "0.5.22", "0.5.23"}},
      {"sglang=0.5.20..v0.5.21,0.5.23", Axis::Kind::kVersion, "sglang", {"0.5.20", "0.5.21", "0.5.23"}},
      {"env.NAME=a,,(unset)", Axis::Kind::kEnv, "NAME", {"a", "", "-"}},
  };
  for (const Row& row : rows) {
    INFO(row.option);
    const auto axes = read_axes(pack, {row.option});
    if (!axes) FAIL(axes.error().what);
    REQUIRE(axes->size() == 1);
    CHECK((*axes)[0].kind == row.kind);
    CHECK((*axes)[0].name == row.name);
    CHECK(texts((*axes)[0]) == row.values);
  }
}

TEST_CASE("what is no axis", "[cli]") {
  std::string many = "page-size=0";
  for (int i = 1; i < 1001; ++i) many += "," + std::to_string(i);
  struct Row {
    std::vector<std::string> options;
    std::string says;  // the error and its hint
  };
  const std::vector<Row> rows = {
      {{"tp-size"}, "names no values"},
      {{"=1"}, "names no values"},
      {{"tp-size=1,"}, "empty value"},
      {{"gpu="}, "empty value"},
      {{"tp-szie=1"}, "--tp-size"},
      {{"gpuu=b200x8"}, "gpu"},
      {{"gpu=b20x8"}, "h20"},
      {{"sglang=9.9"}, "no version '9.9'"},
      {{"sglang=0.5.23..0.5.21"}, "ends before it begins"},
      {{"sglang=0.5.21..0.5.23,0.5.22"}, "0.5.22 twice"},
      {{"env.=1"}, "names no variable"},
      {{"tp-size=1,2,1"}, "1 twice"},
      {{"tp-size=1", "tp=2"}, "varied twice"},
      {{"gpu=b200", "gpu=h200"}, "varied twice"},
      {{"trust-remote-code=yes"}, "takes no value"},
      {{many, "tp-size" + many.substr(9)}, "more than 1000000 launches"},
  };
  for (const Row& row : rows) {
    INFO(row.options[0].substr(0, 60));
    const auto axes = read_axes(Pack::embedded(), row.options);
    REQUIRE(!axes);
    const Error& e = axes.error();
    INFO(e.what << " / " << e.hint);
    CHECK(e.kind != Error::Kind::kInternal);
    CHECK((e.what + e.hint).find(row.says) != std::string::npos);
  }
}

TEST_CASE("a value as words of the launch", "[cli]") {
  const Pack& pack = Pack::embedded();
  struct Row {
    std::string option;
    std::vector<std::string> args;
    std::vector<std::string> becomes;  // by value
  };
  const std::vector<Row> rows = {
      {"tp-size=4,(unset)", {"--tp", "8", "--page-size", "1"}, {"--tp-size 4 --page-size 1", "--page-size 1"}},
      {"tp-size=4", {"--page-size=1"}, {"--page-size=1 --tp-size 4"}},
      {"trust-remote-code=true,false", {"--trust-remote-code"}, {"--trust-remote-code", ""}},
      {"cuda-graph-bs-decode=1 2,(unset)", {"--cuda-graph-bs-decode", "4", "8"}, {"--cuda-graph-bs-decode 1 2", ""}},
      {"served-model-name=--x", {}, {"--served-model-name=--x"}},
      {"schedule-conservativeness=-1", {}, {"--schedule-conservativeness -1"}},
  };
  for (const Row& row : rows) {
    const auto axes = read_axes(pack, {row.option});
    if (!axes) FAIL(row.option << ": " << axes.error().what);
    Launch launch;
    for (const std::string& arg : row.args) launch.args.push_back({arg, {}});
    for (std::size_t i = 0; i < row.becomes.size(); ++i) {
      INFO(row.option << " " << i);
      CHECK(words(with_value(pack, pack.version_count() - 1, launch, (*axes)[0], (*axes)[0].values[i])) ==
            row.becomes[i]);
    }
  }
  const auto env = read_axes(pack, {"env.NAME=new,(unset)"});
  REQUIRE(env);
  Launch launch;
  launch.env = {{"NAME", "old"}, {"OTHER", "x"}};
  const Launch set = with_value(pack, 0, launch, (*env)[0], (*env)[0].values[0]);
  CHECK(set.env == std::vector<std::pair<std::string, std::string>>{{"OTHER", "x"}, {"NAME", "new"}});
  const Launch unset = with_value(pack, 0, set, (*env)[0], (*env)[0].values[1]);
  CHECK(unset.env == std::vector<std::pair<std::string, std::string>>{{"OTHER", "x"}});
  CHECK(unset.unset == std::vector<std::string>{"NAME"});
}

TEST_CASE("values of secrets are not shown", "[cli]") {
  const auto axes = read_axes(Pack::embedded(), {"api-key=abc,(unset)", "env.HF_TOKEN=def", "env.PATH=/x"});
  REQUIRE(axes);
  CHECK(shown_value(Pack::embedded(), (*axes)[0], 0) == "*** 1");
  CHECK(shown_value(Pack::embedded(), (*axes)[0], 1) == "(unset)");
  CHECK(shown_value(Pack::embedded(), (*axes)[1], 0) == "*** 1");
  CHECK(shown_value(Pack::embedded(), (*axes)[2], 0) == "/x");
}

}  // namespace gonogo::test
