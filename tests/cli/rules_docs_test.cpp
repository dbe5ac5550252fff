// gonogo rules docs: a folder of pages that can be written again, checked, and doesn't take other files with it.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/text.h"
#include "cli/expect.h"
#include "tree.h"

namespace gonogo::test {

namespace {

std::string text_of(const std::string& path) { return *read_file(path, 1u << 20); }

}  // namespace

TEST_CASE("pages of the rules", "[cli]") {
  Tree tree;
  const std::string dir = tree / "docs";
  const auto docs = [&](const std::string& option = {}) {
    std::vector<std::string> args = {"rules", "docs", dir, "--examples",
                                     std::string(GONOGO_TESTDATA) + "/rule_examples.jsonl"};
    if (!option.empty()) args.push_back(option);
    return run_gonogo(args);
  };

  CHECK(docs("--check").status == 1);
  CHECK_FALSE(std::filesystem::exists(dir));
  CHECK(docs().status == 0);
  CHECK(docs("--check").status == 0);

  const std::string page = dir + "/a2a/ep-size.md";
  const std::string before = text_of(page);
  CHECK(before.find("## A launch that meets it") != std::string::npos);
  CHECK(text_of(dir + "/README.md").find("(a2a/ep-size.md)") != std::string::npos);

  // A page that was changed, one whose rule is gone, and one that somebody else wrote.
  std::ofstream(page, std::ios::app) << "more\n";
  std::filesystem::copy_file(page, dir + "/no-such-rule.md");
  std::ofstream(dir + "/mine.md") << "# Mine\n";
  const Ran stale = docs("--check");
  CHECK(stale.status == 1);
  CHECK(stale.out.find("a2a/ep-size.md: out of date") != std::string::npos);
  CHECK(stale.out.find("no-such-rule.md: its rule is gone") != std::string::npos);
  CHECK(stale.out.find("mine.md") == std::string::npos);
  CHECK(docs().status == 0);
  CHECK(text_of(page) == before);
  CHECK_FALSE(std::filesystem::exists(dir + "/no-such-rule.md"));
  CHECK(text_of(dir + "/mine.md") == "# Mine\n");

  std::ofstream(page) << "# Somebody's own\n";
  const Ran refused = docs();
  CHECK(refused.status == 2);
  CHECK(refused.err.find("was not written by gonogo") != std::string::npos);
  CHECK(text_of(page) == "# Somebody's own\n");
}

TEST_CASE("pages that can't be made", "[cli]") {
  Tree tree;
  struct Row {
    std::string name;
    std::vector<std::string> args;
    int status;
    std::string says;
  };
  const std::vector<Row> rows = {
      {"no folder", {"rules", "docs"}, 4, "DIR"},
      {"no such examples", {"rules", "docs", tree / "d", "--examples", tree / "none"}, 2, "none"},
      {"examples that are none",
       {"rules", "docs", tree / "d", "--examples", std::string(GONOGO_RULES) + "/sglang/pack.yaml"},
       2,
       "pack.yaml:1"},
  };
  for (const Row& row : rows) {
    INFO(row.name);
    const Ran ran = run_gonogo(row.args);
    CHECK(ran.status == row.status);
    CHECK(ran.err.find(row.says) != std::string::npos);
  }
}

}  // namespace gonogo::test
