// gonogo run as a shell and a supervisor see it: what starts, what it gets, and what comes back.
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "catch.h"
#include "cli/run_binary.h"
#include "holds.h"
#include "tree.h"

namespace gonogo::test {

namespace {

using Args = std::vector<std::string>;

const std::string kModel = std::string(GONOGO_TESTDATA) + "/models/Qwen__Qwen3-8B";
const Args kGo = {"--model-path", "/m"};
const Args kNoGo = {"--model-path", "/m", "--page-size", "x"};

// A folder with programs called python that do what their shell script says.
class Programs : public Tree {
 public:
  std::string add(const std::string& name, const std::string& script, unsigned mode = 0755) {
    const std::string path = file(name, "#!/bin/sh\n" + script + "\n");
    ::chmod(path.c_str(), mode);
    return path;
  }
};

Args run(const Args& options, const Args& before, const std::string& program, const Args& launch) {
  Args args{"run", "--gpu", "b200x8"};
  args.insert(args.end(), options.begin(), options.end());
  args.emplace_back("--");
  args.insert(args.end(), before.begin(), before.end());
  args.insert(args.end(), {program, "-m", "sglang.launch_server"});
  args.insert(args.end(), launch.begin(), launch.end());
  return args;
}

}  // namespace

TEST_CASE("run starts what may start, and its exit is the command's own", "[cli]") {
  Programs programs;
  const std::string python = programs.add("bin/python", "echo \"ran $*\"; exit 7");
  const std::string killed = programs.add("killed/python", "kill -KILL $$");
  const std::string locked = programs.add("locked/python", "echo never", 0644);
  const Args known = {"--model-config", kModel};
  const auto with = [](Args options, const Args& more) {
    options.insert(options.end(), more.begin(), more.end());
    return options;
  };
  struct Row {
    std::string name;
    Args args;
    int status;
    bool starts;
    std::string says;  // on standard error
  };
  const std::vector<Row> rows = {
      {"GO", run(known, {}, python, kGo), 7, true, "GO  sglang 0.5.23 on 8 x NVIDIA B200"},
      {"GO, as JSON", run(with(known, {"--format", "json"}), {}, python, kGo), 7, true, "\"verdict\":\"GO\""},
      {"a signal ends it", run(known, {}, killed, kGo), 128 + 9, false, "GO  sglang"},
      {"NO-GO", run(known, {}, python, kNoGo), 1, false, "--page-size needs a whole number"},
      {"NO-GO, as JSON", run(with(known, {"--format", "json"}), {}, python, kNoGo), 1, false, "\"verdict\":\"NO-GO\""},
      {"NO-GO, but only warned of", run(with(known, {"--warn-only"}), {}, python, kNoGo), 7, true,
       "started all the same"},
      {"UNKNOWN", run({}, {}, python, kGo), 7, true, "The answer depends on what was not given"},
      {"UNKNOWN, strict", run({"--strict"}, {}, python, kGo), 3, false, "not started"},
      {"UNKNOWN, strict, but only warned of", run({"--strict", "--warn-only"}, {}, python, kGo), 7, true, "UNKNOWN"},
      {"what can't be checked", run({"--model-config", "/nonexistent"}, {}, python, kGo), 2, false, "/nonexistent"},
      {"the same, but only warned of", run({"--model-config", "/nonexistent", "--warn-only"}, {}, python, kGo), 7, true,
       "/nonexistent"},
      {"there is no such program", run(known, {}, programs.path() + "/none/python", kGo), 127, false, "No such file"},
      {"a program that may not be run", run(known, {}, locked, kGo), 126, false, "Permission denied"},
      {"arguments alone", {"run", "--gpu", "b200x8", "--", "--model-path", "/m"}, 4, false, "no command to run"},
      {"variables alone", {"run", "--gpu", "b200x8", "--", "A=1"}, 4, false, "no command to run"},
      {"another program, warned of or not", {"run", "--warn-only", "--", "/bin/echo", "x"}, 4, false, ""},
      {"no launch", {"run", "--gpu", "b200x8"}, 4, false, "the launch is missing"},
      {"an unknown option", {"run", "--warn", "--", python}, 4, false, "--warn"},
  };
  for (const Row& row : rows) {
    const Ran ran = run_gonogo(row.args);
    INFO(row.name << "\n" << ran.out << ran.err);
    CHECK(ran.status == row.status);
    // Standard output is the command's alone.
    CHECK(ran.out.starts_with("ran -m sglang.launch_server --model-path /m") == row.starts);
    CHECK(ran.out.empty() == !row.starts);
    CHECK(holds(ran.err, row.says));
  }
}

TEST_CASE("run --warn-only starts the command whatever is wrong with the policy", "[cli]") {
  Programs programs;
  const std::string python = programs.add("bin/python", "echo \"ran $*\"; exit 7");
  struct Row {
    std::string name;
    std::string policy;
    Args options;
    int status;
    Args says;  // on standard error
  };
  const Args warned = {"--warn-only"};
  const std::string checked = "\ngonogo run: checked without gonogo.yaml (--warn-only)\n";
  const std::vector<Row> rows = {
      {"no YAML", "ignore: [", {}, 2, {"gonogo.yaml:1:1: "}},
      {"no YAML, warned of", "ignore: [", warned, 7, {"gonogo.yaml:1:1: ", "GO  sglang"}},
      {"an unknown key", "nosuch: 1\n", warned, 7, {"gonogo.yaml:1:1", "GO  sglang"}},
      {"a value that there is none of", "fail_on: never\n", warned, 7, {"gonogo.yaml:1:10", "GO  sglang"}},
      {"a rule that there is none of",
       "ignore: [{rule: no/such, reason: x}]\n",
       {},
       2,
       {"there is no rule 'no/such'", "not started"}},
      {"the same, warned of",
       "ignore: [{rule: no/such, reason: x}]\n",
       warned,
       7,
       {"there is no rule 'no/such'", "GO  sglang", checked}},
      {"a version that there is none of", "sglang: 9.9\n", {}, 4, {"9.9"}},
      {"the same, warned of", "sglang: 9.9\n", warned, 7, {"9.9", "GO  sglang 0.5.23", checked}},
      {"a typed version that there is none of", "sglang: 0.5.21\n", {"--warn-only", "--sglang", "9.9"}, 4, {"9.9"}},
      {"a typed ignore that is none", "ignore: [", {"--warn-only", "--ignore", "x"}, 4, {"has no reason"}},
      {"a policy that is not there", "", {"--warn-only", "--policy", "none.yaml"}, 7, {"none.yaml", "GO  sglang"}},
      {"one that is right", "sglang: 0.5.22\n", warned, 7, {"GO  sglang 0.5.22"}},
  };
  for (const Row& row : rows) {
    programs.file("gonogo.yaml", row.policy);
    programs.directory(".git");
    Args words = {"-c", "cd \"$0\" && exec \"$@\"", programs.path(), GONOGO_BINARY};
    Args options = {"--model-config", kModel};
    options.insert(options.end(), row.options.begin(), row.options.end());
    const Args args = run(options, {}, python, kGo);
    words.insert(words.end(), args.begin(), args.end());
    const Ran ran = run_program("/bin/sh", words);
    INFO(row.name << "\n" << ran.out << ran.err);
    CHECK(ran.status == row.status);
    CHECK(ran.out.empty() == (row.status != 7));
    for (const std::string& text : row.says) CHECK(holds(ran.err, text));
  }
}

TEST_CASE("run gives the command its words, variables, input and nothing else", "[cli]") {
  Programs programs;
  const std::string python = programs.add("python", "printf '<%s>' \"$A\" \"$B\" \"$C\" \"$@\"; cat; ls /proc/$$/fd");
  struct Row {
    std::string name;
    Args before;
    std::string out;  // variables, then words
  };
  const std::string words = "<-m><sglang.launch_server><--model-path></m><--served-model-name><a b>";
  const std::vector<Row> rows = {
      {"the caller's", {}, "<caller's><><>"},
      {"assignments", {"A=x=y", "B="}, "<x=y><><>"},
      {"env, with its options", {"C=1", "env", "-u", "A", "B=two"}, "<><two><1>"},
  };
  for (const Row& row : rows) {
    Args launch = {"--model-path", "/m", "--served-model-name", "a b"};
    const Ran ran =
        run_gonogo(run({"--model-config", kModel}, row.before, python, launch), "from stdin\n", {"A=caller's"});
    INFO(row.name << "\n" << ran.out << ran.err);
    CHECK(ran.status == 0);
    CHECK(ran.out.starts_with(row.out + words + "from stdin\n0\n1\n"));
  }
  // The same files are open as without gonogo.
  const Args launch = {"-m", "sglang.launch_server", "--model-path", "/m"};
  const Ran direct = run_program(python, launch);
  CHECK(direct.status == 0);
  CHECK(run_gonogo(run({"--model-config", kModel}, {}, python, kGo)).out == direct.out);
}

TEST_CASE("run leaves signals as its caller set them", "[cli]") {
  Programs programs;
  const std::string python = programs.add("python", "kill -INT $$; echo survived");
  const Args args = run({"--model-config", kModel}, {}, python, kGo);
  CHECK(run_gonogo(args).status == 128 + 2);
  Args ignoring = {"-c", "trap '' INT; exec \"$@\"", "sh", GONOGO_BINARY};
  ignoring.insert(ignoring.end(), args.begin(), args.end());
  const Ran ran = run_program("/bin/sh", ignoring);
  CHECK(ran.status == 0);
  CHECK(ran.out == "survived\n");
}

TEST_CASE("nothing but run starts anything", "[cli]") {
  Programs programs;
  const std::string mark = programs.path() + "/mark";
  const std::string python = programs.add("python", "touch " + mark);
  const std::string script = programs.file(
      "launch.sh", "touch " + mark + "\n" + python + " -m sglang.launch_server --model-path $(touch " + mark + ")\n");
  const Args launch = {"--gpu", "b200x8", "--", python, "-m", "sglang.launch_server", "--model-path", "/m"};
  for (const Args& words : std::vector<Args>{{"check"}, {"explain", "page-size"}, {"plan"}}) {
    Args args = words;
    args.insert(args.end(), launch.begin(), launch.end());
    run_gonogo(args);
  }
  for (const char* command : {"check", "launches", "migrate"}) run_gonogo({command, script});
  CHECK(::access(mark.c_str(), F_OK) != 0);
}

}  // namespace gonogo::test
