// gonogo diff --base: what a change to a repository does to its launches.
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/json.h"
#include "catch.h"
#include "cli/run_binary.h"
#include "holds.h"
#include "tree.h"

namespace gonogo::test {

namespace {

using Args = std::vector<std::string>;

const std::string kModel = std::string(GONOGO_TESTDATA) + "/models/XiaomiMiMo__MiMo-V2-Flash";

std::string script(const std::string& more, const std::string& first = "") {
  return first + "python -m sglang.launch_server --model-path " + kModel + " --tp 8 " + more + "\n";
}

// A repository with a commit.
class Repository : public Tree {
 public:
  Repository() {
    git({"init", "-q", "-b", "main", "."});
    file("deploy/a.sh", script(""));
    file("deploy/b.sh", script("--api-key s3cr3t", "source ../env.sh\n"));
    file("env.sh", "export NCCL_DEBUG=INFO\n");
    file("c.sh", script("--config serve.yaml"));
    file("serve.yaml", "chunked-prefill-size: 2048\n");
    file("refused.sh", script("--page-size x"));
    file("notes.md", "nothing\n");
    commit();
  }

  void git(const Args& args) const {
    Args words = {"-c", "cd \"$0\" && exec \"$@\"", path(), "git", "-c", "user.name=n", "-c", "user.email=e@x"};
    words.insert(words.end(), args.begin(), args.end());
    const Ran ran = run_program("/bin/sh", words, {}, {"GIT_CONFIG_NOSYSTEM=1"});
    INFO(ran.err);
    REQUIRE(ran.status == 0);
  }
  void commit() const {
    git({"add", "-A"});
    git({"commit", "-q", "-m", "x"});
  }
  void drop(const std::string& below) const { std::filesystem::remove(path() + "/" + below); }

  // False, and said, where gonogo was built without libgit2.
  bool readable() const {
    if (!holds(diff({"--base", "main"}).err, "without libgit2")) return true;
    WARN("gonogo was built without libgit2");
    return false;
  }
  // gonogo diff in a folder of it.
  Ran diff(const Args& args, const std::string& folder = ".", const Args& env = {}) const {
    Args words = {"-c", "cd \"$0\" && exec \"$@\"", path() + "/" + folder, GONOGO_BINARY, "diff", "--gpu", "b200x8"};
    words.insert(words.end(), args.begin(), args.end());
    return run_program("/bin/sh", words, {}, env);
  }
};

}  // namespace

TEST_CASE("what a change does to launches, and its exit code", "[cli]") {
  const Repository repository;
  if (!repository.readable()) return;
  struct Row {
    std::string name;
    std::vector<std::pair<std::string, std::string>> files;  // written
    Args dropped;
    Args args;
    int status;
    Args says;
    std::string never;
  };
  const Args main = {"--base", "main"};
  const std::vector<Row> rows = {
      {"nothing", {}, {}, main, 0, {"no file with a launch is touched\n"}, "NO-GO"},
      {"a file without a launch",
       {{"notes.md", "more\n"}},
       {},
       main,
       0,
       {"no file with a launch is touched\n"},
       "NO-GO"},
      {"a comment",
       {{"deploy/a.sh", "# why\n" + script("")}},
       {},
       main,
       0,
       {"1 file touched; 0 added, 0 changed (0 as before), 0 removed, 1 untouched"},
       "deploy/a.sh:"},
      {"other words",
       {{"deploy/a.sh", script("--tp-size 8")}},
       {},
       main,
       0,
       {"deploy/a.sh:1  changed  GO  sglang.launch_server  resolves as before\n", "1 changed (1 as before)"},
       "->"},
      {"another value",
       {{"deploy/a.sh", script("--chunked-prefill-size 4096")}},
       {},
       main,
       0,
       {"deploy/a.sh:1  changed  GO  sglang.launch_server\n", "chunked_prefill_size  16384 -> 4096",
        "was   memory/chunked-prefill-size", "now   you typed it"},
       "NO-GO  "},
      {"one that is refused now",
       {{"deploy/a.sh", script("--chunked-prefill-size 100")}},
       {},
       main,
       1,
       {"deploy/a.sh:1  changed  GO -> NO-GO  sglang.launch_server", "new refusal", "[check/chunk-page]", "1 NO-GO"},
       "s3cr3t"},
      {"one that was refused",
       {{"refused.sh", script("--page-size 128")}},
       {},
       main,
       0,
       {"NO-GO -> GO", "lifted refusal"},
       ""},
      {"a new one",
       {{"new.sh", script("--page-size x")}},
       {},
       main,
       1,
       {"new.sh:1  added  NO-GO  sglang.launch_server  1 refusal", "--page-size needs a whole number", "1 added"},
       ""},
      {"one that is gone", {}, {"deploy/a.sh"}, main, 0, {"deploy/a.sh:1  removed  was GO", "1 removed"}, ""},
      {"one that moved",
       {{"moved.sh", script("--api-key s3cr3t", "source ../env.sh\n")}},
       {"deploy/b.sh"},
       main,
       0,
       {"moved.sh:2  changed"},
       "added  "},
      {"a file that another one reads",
       {{"env.sh", "export NCCL_DEBUG=WARN\n"}},
       {},
       main,
       0,
       {"deploy/b.sh:2  changed  GO", "resolves as before"},
       "deploy/a.sh"},
      {"a file of further arguments",
       {{"serve.yaml", "chunked-prefill-size: 100\n"}},
       {},
       main,
       1,
       {"c.sh:1  changed  GO -> NO-GO"},
       "deploy/a.sh"},
      {"only what is asked for",
       {{"deploy/a.sh", script("--page-size x")}, {"new.sh", script("")}},
       {},
       {"--base", "main", "new.sh"},
       0,
       {"new.sh:1  added  GO"},
       "deploy/a.sh"},
      {"a folder",
       {{"deploy/a.sh", script("--page-size x")}, {"new.sh", script("")}},
       {},
       {"--base", "main", "deploy/"},
       1,
       {"deploy/a.sh:1  changed  GO -> NO-GO"},
       "new.sh"},
      {"a pattern",
       {{"deploy/a.sh", script("--page-size x")}, {"new.sh", script("")}},
       {},
       {"--base", "main", "*/a.*"},
       1,
       {"deploy/a.sh:1  changed  GO -> NO-GO"},
       "new.sh"},
      {"what is ignored",
       {{".gonogoignore", "deploy/\n"}, {"deploy/a.sh", script("--page-size x")}},
       {},
       main,
       0,
       {"no file with a launch is touched"},
       "deploy/a.sh"},
      {"what git ignores",
       {{".gitignore", "new.sh\n"}, {"new.sh", script("--page-size x")}},
       {},
       main,
       0,
       {"no file with a launch is touched"},
       "new.sh"},
      {"an UNKNOWN",
       {{"new.sh", script("--port $PORT")}},
       {},
       {"--base", "main", "--strict"},
       3,
       {"added  UNKNOWN"},
       ""},
      {"the same, supplied",
       {{"new.sh", script("--port $PORT")}},
       {},
       {"--base", "main", "--strict", "--var", "PORT=1"},
       0,
       {"added  GO"},
       ""},
      {"a warning",
       {{"new.sh", script("--page-size 64")}},
       {},
       {"--base", "main", "--fail-on", "warning"},
       1,
       {"added  GO"},
       ""},
      {"a policy's ignore and version",
       {{"gonogo.yaml", "sglang: 0.5.21\nignore: [{rule: build/runner-no-path, reason: our fork has it}]\n"},
        {"new.sh", script("--moe-a2a-backend deepep")}},
       {},
       main,
       0,
       {"new.sh:1  added  GO (without the policy NO-GO)", "0 NO-GO, 0 UNKNOWN, 1 GO; policy gonogo.yaml\n"},
       ""},
      {"a policy that is not read",
       {{"gonogo.yaml", "ignore: [{rule: build/runner-no-path, reason: our fork has it}]\n"},
        {"new.sh", script("--moe-a2a-backend deepep")}},
       {},
       {"--base", "main", "--no-policy", "--sglang", "0.5.21"},
       1,
       {"new.sh:1  added  NO-GO", "1 NO-GO, 0 UNKNOWN, 0 GO\n"},
       "without the policy"},
      {"an ignore of the command line",
       {{"new.sh", script("--moe-a2a-backend deepep")}},
       {},
       {"--base", "main", "--sglang", "0.5.21", "--ignore", "build/runner-no-path reason=known"},
       0,
       {"new.sh:1  added  GO (without the policy NO-GO)"},
       ""},
      {"a policy's severity",
       {{"gonogo.yaml", "sglang: 0.5.21\nseverity: {build/runner-no-path: warning}\n"},
        {"deploy/a.sh", script("--moe-a2a-backend deepep")}},
       {},
       main,
       0,
       {"deploy/a.sh:1  changed  GO -> GO (without the policy NO-GO)", "1 GO; policy gonogo.yaml"},
       ""},
      {"a policy that fails on warnings",
       {{"gonogo.yaml", "fail_on: warning\n"}, {"new.sh", script("--page-size 64")}},
       {},
       main,
       1,
       {"added  GO"},
       ""},
      {"a policy that is strict",
       {{"gonogo.yaml", "strict: true\n"}, {"new.sh", script("--port $PORT")}},
       {},
       main,
       3,
       {"added  UNKNOWN"},
       ""},
      {"an ignore beside the launch",
       {{"new.sh", "# gonogo: ignore=build/runner-no-path reason=fork\n" + script("--moe-a2a-backend deepep")}},
       {},
       {"--base", "main", "--sglang", "0.5.21"},
       0,
       {"new.sh:2  added  GO (without the policy NO-GO)"},
       ""},
      {"a file that is none of its form", {{"bad.yaml", "kind: Pod\n# sglang\na: [1\n"}}, {}, main, 2, {}, ""},
  };
  for (const Row& row : rows) {
    for (const auto& [name, text] : row.files) repository.file(name, text);
    for (const std::string& name : row.dropped) repository.drop(name);
    const Ran ran = repository.diff(row.args);
    INFO(row.name << "\n" << ran.out << ran.err);
    CHECK(ran.status == row.status);
    for (const std::string& text : row.says) {
      INFO("must say: " << text);
      CHECK(holds(ran.out, text));
    }
    CHECK((row.never.empty() || !holds(ran.out, row.never)));
    CHECK_FALSE(holds(ran.out + ran.err, "s3cr3t"));
    Args as_json = row.args;
    as_json.insert(as_json.end(), {"--format", "json"});
    const Ran json = repository.diff(as_json);
    Arena arena;
    const auto report = parse_json(json.out, "report", arena);
    REQUIRE(report.ok());
    CHECK(json.status == row.status);
    CHECK(report->find("exit_code")->as_int() == row.status);
    CHECK_FALSE(holds(json.out, "s3cr3t"));
    repository.git({"reset", "-q", "--hard"});
    repository.git({"clean", "-q", "-f", "-x"});
  }
}

TEST_CASE("a base is the commit where a branch began", "[cli]") {
  const Repository repository;
  if (!repository.readable()) return;
  repository.git({"checkout", "-q", "-b", "topic"});
  repository.file("deploy/a.sh", script("--chunked-prefill-size 4096"));
  repository.commit();
  repository.git({"checkout", "-q", "main"});
  repository.file("deploy/b.sh", script("--page-size x"));
  repository.commit();
  repository.git({"checkout", "-q", "topic"});
  // What others did to main meanwhile is no part of the change.
  const Ran ran = repository.diff({"--base", "main"}, "deploy");
  INFO(ran.out << ran.err);
  CHECK(ran.status == 0);
  CHECK(holds(ran.out, "\na.sh:1  changed  GO") == false);
  CHECK(ran.out.starts_with("a.sh:1  changed  GO  sglang.launch_server\n"));
  CHECK(holds(ran.out, "1 file touched"));
  // A commit's own change, by another name for it.
  CHECK(holds(repository.diff({"--base", "HEAD~1"}).out, "1 file touched"));
  CHECK(holds(repository.diff({"--base", "HEAD"}).out, "no file with a launch is touched"));
}

TEST_CASE("the policy's variables count with a base alone", "[cli]") {
  const Repository repository;
  if (!repository.readable()) return;
  repository.file("new.sh", script("--page-size 64 --moe-a2a-backend deepep"));
  struct Row {
    std::string name;
    Args args;
    Args env;
    int status;
  };
  const Args base = {"--base", "main", "--sglang", "0.5.23"};
  const Args two = {"--sglang", "0.5.23..0.5.23", "--model-config", kModel, "--", "sglang", "serve", "/m",
                    "---",      "sglang",         "serve",          "/m"};
  const std::vector<Row> rows = {
      {"none", base, {}, 0},
      {"what fails", base, {"GONOGO_FAIL_ON=warning"}, 1},
      {"a flag goes before it", {"--base", "main", "--fail-on", "refusal"}, {"GONOGO_FAIL_ON=warning"}, 0},
      {"a policy that is not there", base, {"GONOGO_POLICY=none.yaml"}, 2},
      {"without a base", two, {"GONOGO_FAIL_ON=warning", "GONOGO_STRICT=true", "GONOGO_POLICY=none.yaml"}, 0},
  };
  for (const Row& row : rows) {
    const Ran ran = repository.diff(row.args, ".", row.env);
    INFO(row.name << "\n" << ran.out << ran.err);
    CHECK(ran.status == row.status);
  }
}

TEST_CASE("a launch changes with the ignore beside it", "[cli]") {
  const Repository repository;
  if (!repository.readable()) return;
  const std::string ignored = "# gonogo: ignore=build/runner-no-path reason=fork\n";
  const std::string launch = script("--moe-a2a-backend deepep");
  repository.file("deploy/a.sh", ignored + launch);
  repository.commit();
  const Args args = {"--base", "main", "--sglang", "0.5.21"};
  repository.file("deploy/a.sh", "# fork\n" + ignored + launch);
  CHECK(holds(repository.diff(args).out, "1 untouched"));
  repository.file("deploy/a.sh", launch);
  const Ran ran = repository.diff(args);
  INFO(ran.out << ran.err);
  CHECK(ran.status == 1);
  CHECK(holds(ran.out, "deploy/a.sh:1  changed  GO (without the policy NO-GO) -> NO-GO  sglang.launch_server"));
}

TEST_CASE("a base that can't be read is no verdict", "[cli]") {
  const Repository repository;
  if (!repository.readable()) return;
  struct Row {
    std::string name;
    Args args;
    int status;
    std::string says;
  };
  const std::vector<Row> rows = {
      {"no such commit", {"--base", "nowhere"}, 2, "'nowhere' names no commit"},
      {"a tree", {"--base", "main:deploy"}, 2, "names no commit"},
      {"no such file", {"--base", "main", "none.sh"}, 2, "none.sh"},
      {"outside of the repository", {"--base", "main", "../"}, 2, "in this repository"},
      {"a launch as well", {"--base", "main", "--", "sglang", "serve", "/m"}, 4, "--base compares"},
      {"two versions", {"--base", "main", "--sglang", "0.5.21", "--sglang", "0.5.23"}, 4, "--base compares"},
      {"a policy that can't be read",
       {"--base", "main", "--policy", repository.file("bad.yaml", "strict: maybe\n")},
       2,
       "bad.yaml:1:9"},
      {"a policy's rule that there is none of",
       {"--base", "main", "--ignore", "no/such reason=x"},
       4,
       "there is no rule 'no/such'"},
      {"a policy for two settings", {"--policy", "x.yaml", "--sglang", "0.5.21..0.5.23"}, 4, "--policy requires"},
      {"a version that there is none of", {"--base", "main", "--sglang", "9.9"}, 4, "9.9"},
      {"files without a base", {"deploy"}, 4, "--base"},
  };
  repository.file("deploy/a.sh", script("--tp 4"));
  for (const Row& row : rows) {
    const Ran ran = repository.diff(row.args);
    INFO(row.name << "\n" << ran.out << ran.err);
    CHECK(ran.status == row.status);
    CHECK(holds(ran.err, row.says));
  }
  const Tree elsewhere;
  const Ran ran = run_program(
      "/bin/sh", {"-c", "cd \"$0\" && exec \"$@\"", elsewhere.path(), GONOGO_BINARY, "diff", "--base", "main"});
  CHECK(ran.status == 2);
  CHECK(holds(ran.err, "no git repository"));
}

TEST_CASE("no hook, filter or helper that a repository names is run", "[cli]") {
  const Repository repository;
  if (!repository.readable()) return;
  const std::string mark = repository.path() + "/mark";
  const std::string run = "touch " + mark;
  for (const char* key :
       {"core.fsmonitor", "core.pager", "diff.external", "filter.x.clean", "filter.x.smudge", "diff.x.textconv"}) {
    repository.git({"config", key, run});
  }
  repository.file(".gitattributes", "*.sh filter=x diff=x\n");
  repository.file("deploy/a.sh", script("--chunked-prefill-size 4096"));
  const Ran ran = repository.diff({"--base", "main"});
  INFO(ran.out << ran.err);
  CHECK(ran.status == 0);
  CHECK(holds(ran.out, "deploy/a.sh:1  changed"));
  CHECK(::access(mark.c_str(), F_OK) != 0);
}

}  // namespace gonogo::test
