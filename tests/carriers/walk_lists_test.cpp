// Whether a walk would come to a file, there or not.
#include <sstream>
#include <string>
#include <vector>

#include "carriers/file_list.h"
#include "catch.h"
#include "tree.h"

namespace gonogo {

TEST_CASE("a walk lists what it comes to and may carry a launch") {
  const Tree tree;
  tree.file(".gonogoignore", "old/\n*.bak.sh\n!keep.bak.sh\n");
  tree.file("deploy/.gonogoignore", "/gen.sh\n");
  struct Row {
    const char* path;
    bool listed;
  };
  const std::vector<Row> rows = {
      {"a.sh", true},
      {"deploy/a.yaml", true},
      {"deploy/deeper/and/deeper/a.yaml", true},
      {"old/a.sh", false},
      {"deploy/old/a.sh", false},
      {"older/a.sh", true},
      {"a.bak.sh", false},
      {"deploy/a.bak.sh", false},
      {"deploy/keep.bak.sh", true},
      {"deploy/gen.sh", false},
      {"deploy/x/gen.sh", true},
      {"gen.sh", true},
      {".hidden/a.sh", false},
      {".github/workflows/a.yml", true},
      {"node_modules/a.sh", false},
      {"a.png", false},
      {"", false},
      {"deploy//a.sh", false},
  };
  for (const Row& row : rows) {
    INFO(row.path);
    CHECK(walk_lists(tree.path(), row.path) == row.listed);
    if (std::string(row.path).find("//") != std::string::npos || *row.path == '\0') continue;
    // What a walk says, once the file is there.
    tree.file(row.path, "x");
    std::istringstream none;
    const auto all = list_files(Pack::embedded(), {tree.path()}, none);
    REQUIRE(all.ok());
    bool found = false;
    for (const ListedFile& file : *all) found = found || file.name == tree.path() + "/" + row.path;
    CHECK(found == row.listed);
  }
}

}  // namespace gonogo
