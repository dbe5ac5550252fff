#include "facts/host.h"

#include "catch.h"
#include "tree.h"

using namespace gonogo;

namespace {

// A letter a kind: what is here, then what is not.
char letter(PathKind kind) { return "?-fdo"[static_cast<int>(kind)]; }

}  // namespace

TEST_CASE("a path is a file, a directory, absent, or unknown where the launch is for elsewhere") {
  const Tree tree;
  tree.file("etc/key.pem", "x");
  tree.directory("models");
  tree.link("key.pem", "etc/link");
  tree.link("nothing", "etc/dangling");
  const std::string cwd = tree.directory("work");
  tree.file("work/here.json");

  LocalHost::Options options;
  options.root = tree.path();
  options.cwd = cwd;
  const LocalHost elsewhere(options);
  options.launch_is_here = true;
  const LocalHost here(options);
  const ClosedHost closed({}, tree.path());
  const struct {
    std::string path;
    char elsewhere, here, closed;
  } rows[] = {
      {"/etc/key.pem", 'f', 'f', 'f'},
      {"/etc/link", 'f', 'f', 'f'},
      {"/models", 'd', 'd', 'd'},
      {"/models/", 'd', 'd', 'd'},
      {"/none", '?', '-', '-'},
      {"/etc/key.pem/x", '?', '-', '-'},
      {"/etc/dangling", '?', '-', '-'},
      {"here.json", 'f', 'f', '-'},
      {"none.json", '?', '-', '-'},
      {"", '-', '-', '-'},
      {std::string("/etc\0x", 6), '?', '-', '-'},
      {"/" + std::string(5000, 'x'), '?', '-', '-'},
  };
  for (const auto& row : rows) {
    CAPTURE(row.path);
    CHECK(letter(elsewhere.file(row.path)) == row.elsewhere);
    CHECK(letter(here.file(row.path)) == row.here);
    CHECK(letter(closed.file(row.path)) == row.closed);
  }
  CHECK(letter(LocalHost({}).file("/dev/null")) == 'o');
}

TEST_CASE("a file's text, where it is a file that can be read") {
  const Tree tree;
  tree.file("etc/a.json", "{\"a\": 1}\n");
  tree.file("etc/empty", "");
  tree.file("etc/large", std::string(Host::kTextLimit + 1, 'x'));
  tree.file("etc/largest", std::string(Host::kTextLimit, 'x'));
  tree.directory("models");
  LocalHost::Options options;
  options.root = tree.path();
  options.cwd = tree.directory("work");
  tree.file("work/here.json", "{}");
  const LocalHost elsewhere(options);
  options.launch_is_here = true;
  const LocalHost here(options);
  const ClosedHost closed({}, tree.path());
  const struct {
    const char* path;
    char elsewhere, here, closed;
    std::size_t size;
  } rows[] = {
      {"/etc/a.json", 'f', 'f', 'f', 9},
      {"/etc/empty", 'f', 'f', 'f', 0},
      {"/etc/largest", 'f', 'f', 'f', Host::kTextLimit},
      {"/etc/large", '?', '?', '?', 0},
      {"/models", 'd', 'd', 'd', 0},
      {"/none", '?', '-', '-', 0},
      {"", '-', '-', '-', 0},
      {"here.json", 'f', 'f', '-', 2},
  };
  for (const auto& row : rows) {
    CAPTURE(row.path);
    CHECK(letter(elsewhere.text(row.path).kind) == row.elsewhere);
    CHECK(letter(here.text(row.path).kind) == row.here);
    CHECK(letter(closed.text(row.path).kind) == row.closed);
    CHECK(here.text(row.path).text.size() == row.size);
  }
}

TEST_CASE("modules of the launch's Python, or of the list") {
  const Tree tree;
  tree.file("v/bin/python3");
  tree.file("v/lib/python3.11/site-packages/server/__init__.py");
  LocalHost::Options options;
  CHECK(LocalHost(options).importable("server") == std::nullopt);  // no Python is known
  options.python = PythonEnv::find({"/v/bin/python3", tree.path(), "."}, Environment({}, Environment::Below::kNothing));
  REQUIRE(options.python);
  CHECK(LocalHost(options).importable("server") == std::optional(true));
  CHECK(LocalHost(options).importable("none") == std::optional(false));

  const ClosedHost closed({"server", "other"});
  CHECK(closed.importable("other") == std::optional(true));
  CHECK(closed.importable("server.part") == std::optional(true));
  CHECK(closed.importable("none") == std::optional(false));
  CHECK(closed.importable("") == std::optional(false));
}

TEST_CASE("InfiniBand devices are this machine's, or unknown") {
  const Tree with;
  with.link("../../devices/mlx5_1", "sys/class/infiniband/mlx5_1");
  with.directory("sys/class/infiniband/mlx5_0");
  const Tree without;
  LocalHost::Options options;
  options.root = with.path();
  CHECK(LocalHost(options).infiniband() == std::nullopt);
  options.launch_is_here = true;
  CHECK(LocalHost(options).infiniband() == std::vector<std::string>{"mlx5_0", "mlx5_1"});
  options.root = without.path();
  CHECK(LocalHost(options).infiniband() == std::vector<std::string>{});
  CHECK(ClosedHost({}).infiniband() == std::vector<std::string>{});
}
