// gonogo rules coverage as people call it.
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include "base/json.h"
#include "catch.h"
#include "cli/run_binary.h"

namespace gonogo::test {

namespace {

using Args = std::vector<std::string>;

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// A file that goes away with the test.
class File {
 public:
  explicit File(const std::string& text) {
    const int fd = mkstemp(path_.data());
    if (fd >= 0) close(fd);
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~File() { unlink(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_ = "/tmp/gonogo-coverage-XXXXXX";
};

const std::string kDense = R"("gpu":"b200","model":"Qwen__Qwen3-8B","argv":["--model-path","$MODEL"])";

}  // namespace

TEST_CASE("coverage of recorded cases", "[cli]") {
  const std::string models = std::string(GONOGO_TESTDATA) + "/models";
  const File cases("{\"id\":\"a\",\"sglang\":\"0.5.23\"," + kDense +
                   ",\"ok\":true}\n\n{\"id\":\"b\",\"sglang\":\"0.5.21\"," + kDense + ",\"ok\":false}\n");
  const File broken("{\"id\":\"a\"\n{\"id\":\"b\"," + kDense + "}\n");
  const File table("kind\tcheck\twhere\twhat\tcount\nraise\tno_such.check\tx.py:1\tValueError\t3\n");
  struct Row {
    std::string name;
    Args args;
    int status;
    Args says;
  };
  const std::vector<Row> rows = {
      {"all versions",
       {cases.path(), "--models", models},
       0,
       {" act in 2 cases of 1 file\n", "as recorded: 1 of 2\n", "act in no case:"}},
      {"one version",
       {cases.path(), "--models", models, "--sglang", "0.5.23"},
       0,
       {" act in 1 case of 1 file\n", "  1 case of other versions left out\n", "as recorded: 1 of 1\n"}},
      {"upstream's refusals",
       {cases.path(), "--models", models, "--refusals", table.path()},
       0,
       {"0 of 1 have a refusal", "no_such.check", "x.py:1, 1 site, 3 recorded"}},
      {"a case that can't be read, and one that can",
       {broken.path(), "--models", models},
       2,
       {" act in 1 case of 1 file\n", broken.path() + ":1:"}},
      {"no models", {cases.path()}, 2, {"act in 0 cases", "--models"}},
      {"no such file", {"/nonexistent.jsonl"}, 2, {"/nonexistent.jsonl"}},
      {"no such table", {cases.path(), "--models", models, "--refusals", "/nonexistent.tsv"}, 2, {"/nonexistent.tsv"}},
      {"an unknown version", {cases.path(), "--sglang", "9.9"}, 4, {"9.9"}},
      {"no file", {}, 4, {"CASES"}},
  };
  for (const Row& row : rows) {
    Args args{"rules", "coverage"};
    args.insert(args.end(), row.args.begin(), row.args.end());
    const Ran ran = run_gonogo(args);
    INFO(row.name << "\n" << ran.out.substr(0, 2000) << ran.err);
    CHECK(ran.status == row.status);
    for (const std::string& text : row.says) {
      INFO("must say: " << text);
      CHECK(holds(ran.out + ran.err, text));
    }
  }
}

TEST_CASE("coverage names the cases in which a rule acts", "[cli]") {
  const File cases("{\"id\":\"a\"," + kDense + "}\n{\"id\":\"b\"," + kDense + "}\n");
  const std::string models = std::string(GONOGO_TESTDATA) + "/models";
  const Ran ran =
      run_gonogo({"rules", "coverage", cases.path(), "--models", models, "--format", "json", "--cases", "1"});
  Arena arena;
  const auto report = parse_json(ran.out, "coverage", arena);
  REQUIRE(report.ok());
  CHECK(report->find("cases")->as_int() == 2);
  const Value& rules = *report->find("by_rule");
  REQUIRE(rules.size() > 1000);
  std::size_t fired = 0;
  for (std::uint32_t i = 0; i < rules.size(); ++i) {
    const std::int64_t count = rules[i].find("fired")->as_int();
    fired += count > 0 ? 1 : 0;
    if (count == 0) continue;
    CHECK(count == 2);
    CHECK(to_json(*rules[i].find("cases")) == "[\"" + cases.path() + ":1\"]");
  }
  CHECK(static_cast<std::int64_t>(fired) == report->find("fired")->as_int());
  CHECK(fired > 20);
}

}  // namespace gonogo::test
