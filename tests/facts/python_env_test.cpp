#include "facts/python_env.h"

#include "catch.h"
#include "tree.h"

using namespace gonogo;

namespace {

Environment variables(Environment::Assignments list) {
  return Environment(std::move(list), Environment::Below::kNothing);
}

// "prefix (how)" of what is found, or "none".
std::string found(const Tree& tree, const std::string& program, const Environment& env, const std::string& cwd = ".") {
  const auto python = PythonEnv::find({program, tree.path(), cwd}, env);
  if (!python) return "none";
  const char* how[] = {"program", "VIRTUAL_ENV", "PATH"};
  return python->prefix() + " (" + how[static_cast<int>(python->source())] + ")";
}

std::optional<PythonEnv> at(const Tree& tree, const std::string& program) {
  return PythonEnv::find({program, tree.path(), "."}, variables({}));
}

}  // namespace

TEST_CASE("the Python of a launch is found by its program, the virtual environment or the path") {
  const Tree tree;
  for (const char* prefix : {"opt/venv", "usr/local", "home/me/env"}) {
    tree.file(std::string(prefix) + "/bin/python3");
    tree.directory(std::string(prefix) + "/lib/python3.11/site-packages");
  }
  tree.file("opt/venv/bin/server");
  tree.file("usr/bin/python3.11");
  tree.link("python3.11", "usr/bin/python3");
  tree.directory("usr/lib/python3/dist-packages");
  tree.file("empty/bin/python3");
  tree.link("../../opt/venv/bin/python3", "links/bin/python3");

  const Environment none = variables({});
  const Environment venv = variables({{"VIRTUAL_ENV", "/home/me/env/"}, {"PATH", "/opt/venv/bin"}});
  const Environment path = variables({{"PATH", ":relative:/none:/usr/local/bin:/opt/venv/bin"}});
  const struct {
    std::string program;
    const Environment& env;
    std::string answer;
  } rows[] = {
      {"/opt/venv/bin/python3", none, "/opt/venv (program)"},
      {"/opt/venv/bin/server", none, "/opt/venv (program)"},  // a script beside it
      {"/opt/venv/bin/../bin/python3", none, "/opt/venv (program)"},
      {"/opt/venv/bin/python3", venv, "/opt/venv (program)"},  // a path is stronger than the variable
      {"/usr/bin/python3", none, "/usr (program)"},
      {"/links/bin/python3", none, "/opt/venv (program)"},  // a link to a program elsewhere
      {"/empty/bin/python3", none, "none"},
      {"/none/bin/python3", none, "none"},
      {"/none/bin/python3", venv, "none"},
      {"python3", venv, "/home/me/env (VIRTUAL_ENV)"},
      {"", venv, "/home/me/env (VIRTUAL_ENV)"},
      {"python3", path, "/usr/local (PATH)"},
      {"server", path, "/opt/venv (PATH)"},
      {"python3", none, "none"},
      {"", none, "none"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.program, row.answer);
    CHECK(found(tree, row.program, row.env) == row.answer);
  }
  CHECK(found(tree, "python3", variables({{"VIRTUAL_ENV", "/gone"}, {"PATH", "/opt/venv/bin"}})) == "/opt/venv (PATH)");
  // The first of that name runs, even where nothing can be told of it.
  CHECK(found(tree, "python3", variables({{"PATH", "/empty/bin:/opt/venv/bin"}})) == "none");
  CHECK(found(tree, "venv/bin/python3", none, "/opt") == "/opt/venv (program)");
  CHECK(found(tree, "./bin/python3", none, "/opt/venv") == "/opt/venv (program)");
}

TEST_CASE("a distribution's version is read from the name of its metadata") {
  const Tree tree;
  const std::string packages = "v/lib/python3.11/site-packages/";
  tree.file("v/bin/python3");
  for (const char* name :
       {"server-0.5.23.dist-info", "server_kernel-0.1.0.dist-info", "My_Big.Server-1.2.post1+cu130.dist-info",
        "old-3.1-py3.11.egg-info", "older-2.0.egg-info", "noversion-.dist-info", "plain.dist-info", "other-9.9"}) {
    tree.directory(packages + name);
  }
  const auto python = at(tree, "/v/bin/python3");
  REQUIRE(python);
  const struct {
    std::string_view name;
    std::optional<std::string> version;
  } rows[] = {
      {"server", "0.5.23"},
      {"Server", "0.5.23"},
      {"server-kernel", "0.1.0"},
      {"my-big-server", "1.2.post1+cu130"},
      {"my.big__server", "1.2.post1+cu130"},
      {"old", "3.1"},
      {"older", "2.0"},
      {"noversion", std::nullopt},
      {"plain", std::nullopt},
      {"other", std::nullopt},
      {"serve", std::nullopt},
      {"", std::nullopt},
  };
  for (const auto& row : rows) {
    CAPTURE(row.name);
    CHECK(python->version_of(row.name) == row.version);
  }
}

TEST_CASE("a module is importable where a file of it lies") {
  const Tree tree;
  const std::string packages = "v/lib/python3.11/site-packages/";
  tree.file("v/bin/python3");
  tree.file("v/pyvenv.cfg", "home = /usr/bin\ninclude-system-site-packages = false\n");
  tree.file("usr/lib/python3.11/os.py");
  tree.file("usr/lib/python3.11/json/__init__.py");
  tree.file("usr/lib/python3.11/lib-dynload/_csv.cpython-311-x86_64-linux-gnu.so");
  tree.file("usr/lib/python3.11/site-packages/below.py");
  tree.file(packages + "package/__init__.py");
  tree.file(packages + "package/part.py");
  tree.file(packages + "package/deep/__init__.py");
  tree.directory(packages + "namespace/inner");
  tree.file(packages + "single.py");
  tree.file(packages + "native.abi3.so");
  tree.file(packages + "a.pth", "# a comment\nimport something\n\n/srv/never\n../elsewhere\r\n");
  tree.file("v/lib/python3.11/elsewhere/linked.py");
  const auto python = at(tree, "/v/bin/python3");
  REQUIRE(python);
  const struct {
    std::string_view module;
    std::optional<bool> answer;
  } rows[] = {
      {"package", true},       {"package.part", true}, {"package.deep", true},
      {"package.none", false}, {"namespace", true},    {"namespace.inner", true},
      {"single", true},        {"native", true},       {"nativ", false},
      {"linked", true},        {"json", true},         {"_csv", true},
      {"none", false},         {"below", false},       {"", false},
      {"../package", false},
  };
  for (const auto& row : rows) {
    CAPTURE(row.module);
    CHECK(python->importable(row.module) == row.answer);
  }
}

TEST_CASE("where more is searched than can be seen, a module that is not found is unknown") {
  const Tree tree;
  tree.file("usr/lib/python3.11/os.py");
  tree.file("usr/lib/python3.11/site-packages/below.py");
  const auto venv = [&](const std::string& name, const std::string& config) {
    tree.file(name + "/bin/python3");
    tree.file(name + "/pyvenv.cfg", config);
    tree.directory(name + "/lib/python3.11/site-packages");
    return at(tree, "/" + name + "/bin/python3");
  };
  // The installation below is searched too, and is here.
  const auto open = venv("open", "home = /usr/bin\ninclude-system-site-packages = true\n");
  REQUIRE(open);
  CHECK(open->importable("below") == std::optional(true));
  CHECK(open->importable("none") == std::optional(false));
  // It is not here.
  const auto gone = venv("gone", "home = /gone/bin\ninclude-system-site-packages = true\n");
  REQUIRE(gone);
  CHECK(gone->importable("none") == std::nullopt);
  const auto closed = venv("closed", "home = /gone/bin\ninclude-system-site-packages = false\n");
  REQUIRE(closed);
  CHECK(closed->importable("none") == std::optional(false));
  // An editable installation maps modules in code, which is not run.
  tree.file("edit/bin/python3");
  tree.file("edit/lib/python3.11/site-packages/__editable___server_1_0_finder.py");
  const auto edit = at(tree, "/edit/bin/python3");
  REQUIRE(edit);
  CHECK(edit->importable("none") == std::nullopt);
}

TEST_CASE("packages of another Python's version do not count") {
  const Tree tree;
  tree.file("usr/bin/python3.12");
  tree.link("python3.12", "usr/bin/python3");
  tree.directory("usr/lib/python3.11/site-packages/server-1.1.dist-info");
  tree.directory("usr/lib/python3.12/site-packages/server-1.2.dist-info");
  const auto python = at(tree, "/usr/bin/python3");
  REQUIRE(python);
  CHECK(python->version_of("server") == std::optional<std::string>("1.2"));
}
