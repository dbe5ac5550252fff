// A matrix's figures and its formats, without launches.
#include "report/matrix.h"

#include <sstream>
#include <string>

#include "catch.h"

namespace gonogo::test {

namespace {

Matrix two_by_three() {
  Matrix m;
  m.runtime = "toy";
  m.command = "toy serve | x";
  m.axes = {{"--a", {"x", "y|z"}, 1}, {"--b", {"1", "2", "say \"3\""}, 2}};
  m.reasons = {{Verdict::kNoGo, "toy/rule", "one, and another", 0}, {Verdict::kUnknown, "", "the GPUs", 0}};
  m.cells = {{Verdict::kGo, kNoIndex}, {Verdict::kNoGo, 0},    {Verdict::kNoGo, 0},
             {Verdict::kGo, kNoIndex}, {Verdict::kUnknown, 1}, {Verdict::kNoGo, 0}};
  sum_up(&m);
  return m;
}

template <typename Write>
std::string written(Write write) {
  std::ostringstream out;
  write(out);
  return out.str();
}

}  // namespace

TEST_CASE("counts, and the GO that is nearest to what was typed", "[report]") {
  Matrix m = two_by_three();
  CHECK(m.go == 2);
  CHECK(m.no_go == 3);
  CHECK(m.unknown == 1);
  CHECK(m.reasons[0].cells == 3);
  CHECK(m.reasons[1].cells == 1);
  CHECK(matrix_counts(m) == "GO 2, NO-GO 3, UNKNOWN 1");
  CHECK(m.at(5) == std::vector<std::size_t>{1, 2});
  struct Row {
    std::optional<std::size_t> a, b;  // typed
    std::size_t closest, changes;
    std::string text;
  };
  const Row rows[] = {
      {1, 2, 3, 1, "--b 1"},             // --a as typed
      {0, 2, 0, 1, "--b 1"},             //
      {0, 0, 0, 0, ""},                  // itself
      {1, std::nullopt, 3, 1, "--b 1"},  // what is not among the values differs everywhere
      {std::nullopt, std::nullopt, 0, 2, "--a x, --b 1"},
  };
  for (const Row& row : rows) {
    m = two_by_three();
    m.axes[0].typed = row.a;
    m.axes[1].typed = row.b;
    sum_up(&m);
    REQUIRE(m.closest);
    CHECK(*m.closest == row.closest);
    CHECK(m.changes == row.changes);
    CHECK(place_text(m, *m.closest, true) == row.text);
  }
}

TEST_CASE("no GO, no closest", "[report]") {
  Matrix m = two_by_three();
  for (MatrixCell& cell : m.cells) cell = {Verdict::kNoGo, 0};
  sum_up(&m);
  CHECK(!m.closest);
  CHECK(matrix_to_text(m, false, 80).find("None of them is GO.") != std::string::npos);
}

TEST_CASE("the grid as text", "[report]") {
  CHECK(matrix_to_text(two_by_three(), false, 80) ==
        "toy, 6 launches: GO 2, NO-GO 3, UNKNOWN 1\n"
        "\n"
        "     --b\n"
        "--a  1   2          say \"3\"\n"
        "x    GO  NO-GO 1    NO-GO 1\n"
        "y|z  GO  UNKNOWN 2  NO-GO 1\n"
        "\n"
        "What decides:\n"
        "    1  one, and another [toy/rule] (3)\n"
        "    2  the GPUs (1)\n"
        "\n"
        "Closest to what was typed: --b 1\n");
}

TEST_CASE("a grid that is too wide is turned, or cut", "[report]") {
  Matrix m = two_by_three();
  m.axes[1].values[0] = "a longer value";
  const std::string turned = matrix_to_text(m, false, 35);
  INFO(turned);
  CHECK(turned.find("--b             x        y|z\n"
                    "a longer value  GO       GO\n"
                    "2               NO-GO 1  UNKNOWN 2\n") != std::string::npos);
  const std::string cut = matrix_to_text(m, false, 32);
  INFO(cut);
  CHECK(cut.find("--a  a longer value  2\nx    GO              NO-GO 1\ny|z  GO              UNKNOWN 2\n") !=
        std::string::npos);
  CHECK(cut.find("--a  say \"3\"\n") != std::string::npos);
}

TEST_CASE("a long table is cut, and says so", "[report]") {
  Matrix m;
  m.axes = {{"--n", {}, std::nullopt}};
  for (int i = 0; i < 700; ++i) m.axes[0].values.push_back(std::to_string(i));
  m.cells.assign(700, {Verdict::kGo, kNoIndex});
  sum_up(&m);
  const std::string text = matrix_to_text(m, false, 80);
  CHECK(text.find("… and 200 more (--format csv has all)") != std::string::npos);
  CHECK(written([&](std::ostream& out) { matrix_to_csv(m, out); }).find("\r\n699,GO,,\r\n") != std::string::npos);
}

TEST_CASE("CSV quotes what has to be", "[report]") {
  CHECK(written([](std::ostream& out) { matrix_to_csv(two_by_three(), out); }) ==
        "--a,--b,verdict,rule,reason\r\n"
        "x,1,GO,,\r\n"
        "x,2,NO-GO,toy/rule,\"one, and another\"\r\n"
        "x,\"say \"\"3\"\"\",NO-GO,toy/rule,\"one, and another\"\r\n"
        "y|z,1,GO,,\r\n"
        "y|z,2,UNKNOWN,,the GPUs\r\n"
        "y|z,\"say \"\"3\"\"\",NO-GO,toy/rule,\"one, and another\"\r\n");
}

TEST_CASE("Markdown escapes what would end a cell", "[report]") {
  const std::string text = written([](std::ostream& out) { matrix_to_markdown(two_by_three(), out); });
  CHECK(text.find("| `y\\|z` | **GO** | UNKNOWN 2 | NO-GO 1 |\n") != std::string::npos);
  CHECK(text.find("| 1 | one, and another | `toy/rule` | 3 |\n") != std::string::npos);
}

TEST_CASE("the page's data can't end its script", "[report]") {
  Matrix m = two_by_three();
  m.axes[0].values[0] = "</script><b>";
  const std::string page = written([&](std::ostream& out) { matrix_to_html(m, out); });
  CHECK(page.find("</script><b>") == std::string::npos);
  CHECK(page.find("\\u003c/script>") != std::string::npos);
  CHECK(page.find("\"cells\":[-1,0,0,-1,1,0]") != std::string::npos);
  CHECK(page.find("http") == page.find("http-equiv"));  // nothing is loaded
}

}  // namespace gonogo::test
