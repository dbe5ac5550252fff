// Every exit code of every command. README.md's table says what they mean; here each is reached, and none but those.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "catch.h"
#include "cli/exit_status.h"
#include "cli/run_binary.h"
#include "tree.h"

namespace gonogo::test {

namespace {

using Args = std::vector<std::string>;

const std::string kTestdata = GONOGO_TESTDATA;
const std::string kModel = kTestdata + "/models/Qwen__Qwen3-235B-A22B-FP8";
const std::string kMiniMax = kTestdata + "/models/nvidia__MiniMax-M2.7-NVFP4";
const Args kGo = {"sglang", "serve", "/m", "--tp", "8"};
const Args kNoGo = {"sglang", "serve", "/m", "--tp", "x"};

struct Row {
  std::string command;  // "check", "rules list"
  std::string name;
  Args args;
  int status;
  std::string input = {};
};

// A command about one launch, on known GPUs.
Args on(const std::string& command, const Args& options, const Args& launch) {
  Args args{command, "--gpu", "b200x8"};
  args.insert(args.end(), options.begin(), options.end());
  args.emplace_back("--");
  args.insert(args.end(), launch.begin(), launch.end());
  return args;
}

Args known(const Args& more = {}) {
  Args out{"--model-config", kModel};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

// A sweep over one axis.
Args sweep(const Args& options, const std::string& axis, const Args& launch) {
  Args all{"--vary", axis};
  all.insert(all.end(), options.begin(), options.end());
  return on("matrix", all, launch);
}

// What the rows are about, on disk.
struct Files : Tree {
  const std::string go = file("go.sh", "python -m sglang.launch_server --model-path " + kModel + " --tp 8\n");
  const std::string no_go = file("no_go.sh", "python -m sglang.launch_server --model-path /m --tp x\n");
  const std::string unknown = file("unknown.sh", "python -m sglang.launch_server --model-path $M\n");
  const std::string old = file("old.sh", "python -m sglang.launch_server --model-path /m --cuda-graph-max-bs 8\n");
  const std::string broken = file("broken.yaml", "kind: Pod\na: [1\n");
  const std::string none = *this / "none.sh";
  const std::string python = file("python", "#!/bin/sh\nexit 5\n");
  const std::string plain = file("plain/python", "#!/bin/sh\n");
  const std::string trace =
      "Traceback (most recent call last):\n  File \"/x/sglang/srt/layers/moe/moe_runner/runner.py\", line 1, in "
      "__init__\n"
      "NotImplementedError: Runner backend MoeRunnerBackend.FLASHINFER_TRTLLM requires a fused func for a2a backend "
      "deepep, but none is registered.\n";
  const std::string log = file("server.log", trace);
  const std::string quiet = file("quiet.log", "all is well\n");
  const std::string cases =
      file("cases.jsonl", R"({"id": "x", "model": "Qwen__Qwen3-8B", "gpu": "b200", "argv": ["--model-path", "$MODEL"]})"
                          "\n");
  const std::string bad_cases = file("bad.jsonl", "not json\n");
  const std::string lock = *this / "gonogo.lock";
  const std::string bad_lock = file("bad.lock", "{}");

  const std::string foreign = directory("foreign");

  Files() {
    file("foreign/README.md", "somebody's own\n");
    ::chmod(python.c_str(), 0755);
    ::chmod(plain.c_str(), 0644);
    REQUIRE(run_gonogo(on("lock", known({"-o", lock}), kGo)).status == 0);
  }
};

std::vector<Row> rows_of(const Files& f) {
  const std::string overlay = std::string(GONOGO_RULES) + "/overlays/sglang-39080";
  const Args launch = {"-m", "sglang.launch_server", "--model-path", "/m", "--tp", "8"};
  const auto program = [&](const std::string& path) {
    Args out{path};
    out.insert(out.end(), launch.begin(), launch.end());
    return out;
  };
  return {
      {"", "help", {"--help"}, 0},
      {"", "version", {"--version"}, 0},
      {"", "no command", {}, 4},
      {"", "an unknown command", {"chekc"}, 4},

      {"check", "GO", on("check", known(), kGo), 0},
      {"check", "UNKNOWN", on("check", {}, kGo), 0},
      {"check",
       "a warning",
       {"check", "--gpu", "h200x8", "--model-config", kMiniMax, "--", "--model-path", "/m", "--tp", "4"},
       0},
      {"check", "its help", {"check", "--help"}, 0},
      {"check", "NO-GO", on("check", known(), kNoGo), 1},
      {"check",
       "a warning under --fail-on",
       {"check", "--gpu", "h200x8", "--model-config", kMiniMax, "--fail-on", "warning", "--", "--model-path", "/m",
        "--tp", "4"},
       1},
      {"check", "as locked", on("check", known({"--locked", f.lock}), kGo), 0},
      {"check", "not as locked", on("check", {"--locked", f.lock}, kGo), 1},
      {"check", "not as locked, strict", on("check", {"--locked", f.lock, "--strict"}, kGo), 1},
      {"check", "no such lock", on("check", {"--locked", f.none}, kGo), 2},
      {"check", "no lock", on("check", {"--locked", f.bad_lock}, kGo), 2},
      {"check", "no such config", on("check", {"--model-config", "/nonexistent/c.json"}, kGo), 2},
      {"check", "UNKNOWN, strict", on("check", {"--strict"}, kGo), 3},
      {"check",
       "GPUs that the rules are not known for",
       {"check", "--gpu", "mi300xx8", "--model-config", kModel, "--strict", "--", "--model-path", "/m", "--tp", "8"},
       3},
      {"check", "an unknown option", {"check", "--gpus", "b200x8"}, 4},
      {"check", "an unknown profile", {"check", "--gpu", "b999x8", "--", "--model-path", "/m"}, 4},
      {"check", "an unknown version", on("check", {"--sglang", "9.9.9"}, kGo), 4},
      {"check", "no launch", {"check", "--gpu", "b200x8"}, 4},
      {"check", "another program", on("check", {}, {"vllm", "serve"}), 4},
      {"check", "a launch and files", on("check", {f.go}, kGo), 4},
      {"check", "a file: GO", {"check", "--gpu", "b200x8", f.go}, 0},
      {"check", "a file: UNKNOWN", {"check", f.unknown}, 0},
      {"check", "files: NO-GO goes before UNKNOWN", {"check", "--strict", f.unknown, f.no_go, f.broken}, 1},
      {"check", "files: one that can't be read goes before UNKNOWN", {"check", "--strict", f.unknown, f.broken}, 2},
      {"check", "a file that is not there", {"check", f.none}, 2},
      {"check", "a file: UNKNOWN, strict", {"check", "--strict", f.unknown}, 3},
      {"check", "files: an unknown version", {"check", "--sglang", "9.9", f.go}, 4},
      {"check", "files: an unknown profile", {"check", "--gpu", "b999", f.go}, 4},
      {"check", "files: a variable without a name", {"check", "--var", "x", f.go}, 4},

      {"run", "GO becomes the command", on("run", known(), program(f.python)), 5},
      {"run", "its help", {"run", "--help"}, 0},
      {"run", "NO-GO", on("run", known(), kNoGo), 1},
      {"run", "no such config", on("run", {"--model-config", "/nonexistent/c.json"}, program(f.python)), 2},
      {"run", "UNKNOWN, strict", on("run", {"--strict"}, program(f.python)), 3},
      {"run", "no launch", {"run"}, 4},
      {"run", "no program", on("run", known(), {"--model-path", "/m"}), 4},
      {"run", "one that can't be started", on("run", known(), program(f.plain)), 126},
      {"run", "one that is not there", on("run", known(), program("/nonexistent/python")), 127},

      {"lock", "written", on("lock", known({"-o", "-"}), kGo), 0},
      {"lock", "a NO-GO is written", on("lock", known({"-o", "-"}), kNoGo), 0},
      {"lock", "files", {"lock", "-o", "-", f.go}, 0},
      {"lock", "a file that is not there", {"lock", "-o", "-", f.none}, 2},
      {"lock", "where nothing can be written", on("lock", known({"-o", "/nonexistent/x"}), kGo), 2},
      {"lock", "nothing to lock", {"lock"}, 4},
      {"lock", "an unknown profile", {"lock", "-o", "-", "--gpu", "b999", f.go}, 4},

      {"launches", "some", {"launches", f.go}, 0},
      {"launches", "none", {"launches", f.quiet}, 0},
      {"launches", "a file that is not there", {"launches", f.none}, 2},
      {"launches", "one that is none of its form", {"launches", f.broken}, 2},
      {"launches", "no file", {"launches"}, 4},
      {"launches", "a variable without a name", {"launches", "--var", "x", f.go}, 4},

      {"explain", "a rule", {"explain", "build/runner-no-path"}, 0},
      {"explain", "a flag", on("explain", known({"page-size"}), kGo), 0},
      {"explain", "a launch that can't be parsed", on("explain", {"page-size"}, kNoGo), 2},
      {"explain", "no such config", on("explain", {"page-size", "--model-config", "/nonexistent"}, kGo), 2},
      {"explain", "nothing of that name", {"explain", "no-such-thing"}, 4},
      {"explain", "a flag without a launch", {"explain", "page-size"}, 4},

      {"diff", "the same",
       on("diff", known({"--sglang", "0.5.23"}),
          {"--model-path", "/m", "--tp", "8", "---", "--model-path", "/m", "--tp=8"}),
       0},
      {"diff", "different", on("diff", known(), {"--model-path", "/m", "---", "--model-path", "/n"}), 1},
      {"diff", "no such config", on("diff", {"--model-config", "/nonexistent", "--sglang", "0.5.22..0.5.23"}, kGo), 2},
      {"diff", "no repository", {"diff", "--base", "main", "/nonexistent"}, 2},
      {"diff", "nothing to compare", on("diff", known(), kGo), 4},
      {"diff", "files without a base", {"diff", f.go}, 4},
      {"diff", "what only a base has", on("diff", {"--strict", "--sglang", "0.5.22..0.5.23"}, kGo), 4},

      {"migrate", "words", {"migrate", "--to", "0.5.23", "--", "sglang", "serve", "/m", "--cuda-graph-max-bs", "8"}, 0},
      {"migrate", "files", {"migrate", "--to", "0.5.23", f.old}, 0},
      {"migrate",
       "words that are refused still",
       {"migrate", "--to", "0.5.23", "--", "sglang", "serve", "/m", "--tp", "x"},
       1},
      {"migrate", "a file that is refused still", {"migrate", "--to", "0.5.23", f.no_go}, 1},
      {"migrate", "a file that is not there", {"migrate", f.none}, 2},
      {"migrate", "an unknown version", {"migrate", "--to", "9.9", f.old}, 4},
      {"migrate", "nothing to migrate", {"migrate"}, 4},

      {"plan", "planned", on("plan", {"--model-config", kTestdata + "/models/Qwen__Qwen3-8B"}, {"--model-path", "/m"}),
       0},
      {"plan", "refused", on("plan", known(), kNoGo), 1},
      {"plan", "an unknown model", on("plan", {}, {"--model-path", "/m"}), 2},
      {"plan", "no launch", {"plan"}, 4},
      {"plan", "a length that is none", on("plan", {"--request-length", "0"}, kGo), 4},

      {"matrix", "GO", sweep(known(), "gpu=b200x8,b200x16", kGo), 0},
      {"matrix", "UNKNOWN", sweep({}, "gpu=b200x8,b200x16", kGo), 0},
      {"matrix", "one is NO-GO", sweep(known(), "tp=8,x", kGo), 1},
      {"matrix", "one is NO-GO, and one is enough", sweep(known({"--any"}), "tp=8,x", kGo), 0},
      {"matrix", "no such config", sweep({"--model-config", "/nonexistent"}, "tp=8,4", kGo), 2},
      {"matrix", "UNKNOWN, strict", sweep({"--strict"}, "gpu=b200x8,b200x16", kGo), 3},
      {"matrix", "no launch", {"matrix", "--vary", "tp=1,2"}, 4},
      {"matrix", "nothing varied", on("matrix", {}, kGo), 4},
      {"matrix", "a flag that there is none of", sweep({}, "no-such-flag=1,2", kGo), 4},

      {"doctor", "explained", {"doctor", "--log", f.log}, 0},
      {"doctor", "explained, from standard input", {"doctor", "--log", "-"}, 0, f.trace},
      {"doctor", "not explained", {"doctor", "--log", f.quiet}, 2},
      {"doctor", "no such log", {"doctor", "--log", f.none}, 2},
      {"doctor", "no log", {"doctor"}, 4},

      {"batch", "nothing", {"batch"}, 0},
      {"batch",
       "a case",
       {"batch"},
       0,
       R"({"id": "x", "model": "none", "gpu": "b200", "argv": ["--model-path", "$MODEL"]})"},
      {"batch", "no case", {"batch"}, 2, "not json\n"},
      {"batch",
       "an unknown version",
       {"batch", "--sglang", "9.9"},
       4,
       R"({"id": "x", "model": "none", "gpu": "b200", "argv": ["--model-path", "$MODEL"]})"},
      {"batch", "an unknown option", {"batch", "--model", "x"}, 4},

      {"gpu", "a profile", {"gpu", "--gpu", "h200x2"}, 0},
      {"gpu", "no such file", {"gpu", "--gpu", "/nonexistent.json"}, 2},
      {"gpu", "an unknown profile", {"gpu", "--gpu", "b999"}, 4},

      {"rules", "its help", {"rules", "--help"}, 0},
      {"rules", "nothing to do", {"rules"}, 4},
      {"rules list", "all", {"rules", "list", "deepep"}, 0},
      {"rules list", "no such overlay", {"rules", "list", "--rules", "/nonexistent"}, 2},
      {"rules list", "an unknown option", {"rules", "list", "--x"}, 4},
      {"rules show", "one", {"rules", "show", "build/runner-no-path"}, 0},
      {"rules show", "no such overlay", {"rules", "show", "x", "--rules", "/nonexistent"}, 2},
      {"rules show", "no such rule", {"rules", "show", "build/runner-no-pth"}, 4},
      {"rules docs", "written", {"rules", "docs", f / "pages"}, 0},
      {"rules docs", "fresh", {"rules", "docs", "--check", f / "pages"}, 0},
      {"rules docs", "not fresh", {"rules", "docs", "--check", f / "no-pages"}, 1},
      {"rules docs", "a page that is none of its own", {"rules", "docs", f.foreign}, 2},
      {"rules docs", "no folder", {"rules", "docs"}, 4},
      {"rules check", "the shipped overlay", {"rules", "check", overlay}, 0},
      {"rules check", "no such folder", {"rules", "check", "/nonexistent"}, 2},
      {"rules check", "no folder", {"rules", "check"}, 4},
      {"rules coverage", "cases", {"rules", "coverage", f.cases, "--models", kTestdata + "/models"}, 0},
      {"rules coverage", "a model that is not there", {"rules", "coverage", f.cases}, 2},
      {"rules coverage", "no case", {"rules", "coverage", f.bad_cases}, 2},
      {"rules coverage", "no file", {"rules", "coverage"}, 4},
  };
}

// The codes that each command can exit with, beside 70 and 130, which every one can. 5 is that of the command that
// `run` becomes.
const std::map<std::string, std::set<int>> kReachable = {
    {"check", {0, 1, 2, 3, 4}},   {"run", {0, 1, 2, 3, 4, 5, 126, 127}},
    {"lock", {0, 2, 4}},          {"launches", {0, 2, 4}},
    {"explain", {0, 2, 4}},       {"diff", {0, 1, 2, 4}},
    {"migrate", {0, 1, 2, 4}},    {"plan", {0, 1, 2, 4}},
    {"doctor", {0, 2, 4}},        {"matrix", {0, 1, 2, 3, 4}},
    {"rules docs", {0, 1, 2, 4}}, {"batch", {0, 2, 4}},
    {"gpu", {0, 2, 4}},           {"rules", {0, 4}},
    {"rules list", {0, 2, 4}},    {"rules show", {0, 2, 4}},
    {"rules check", {0, 2, 4}},   {"rules coverage", {0, 2, 4}},
};

// The commands that --help lists.
std::vector<std::string> commands(const Args& of) {
  Args help = of;
  help.emplace_back("--help");
  const std::string text = run_gonogo(help).out;
  std::vector<std::string> out;
  const std::regex line("\n  ([a-z]+)  +[^\n]*");
  const std::size_t at = text.find("Subcommands:");
  if (at == std::string::npos) return out;
  for (std::sregex_iterator it(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), line), end; it != end;
       ++it) {
    if ((*it)[1] != "gonogo") out.push_back((*it)[1]);
  }
  return out;
}

}  // namespace

TEST_CASE("every exit code of every command", "[cli]") {
  const Files files;
  std::map<std::string, std::set<int>> reached;
  for (const Row& row : rows_of(files)) {
    const Ran ran = run_gonogo(row.args, row.input);
    INFO(row.command << ": " << row.name << "\n" << ran.out << ran.err);
    CHECK(ran.status == row.status);
    // Whoever can't be given an answer is told why.
    if (row.status == 2 && row.command != "doctor" && row.command != "plan" && row.command != "batch" &&
        row.command != "rules coverage") {
      CHECK_FALSE(ran.err.empty());
    }
    if (row.status == 4) CHECK_FALSE(ran.err.empty());
    reached[row.command].insert(row.status);
  }
  for (const auto& [command, codes] : kReachable) {
    INFO(command);
    CHECK(reached[command] == codes);
  }
  for (const std::string& command : commands({})) {
    INFO(command << " has no rows here");
    CHECK(kReachable.contains(command));
  }
  for (const std::string& command : commands({"rules"})) {
    INFO("rules " << command << " has no rows here");
    CHECK(kReachable.contains("rules " + command));
  }
}

TEST_CASE("a report that can't be written is no verdict", "[cli]") {
  for (const Args& args : std::vector<Args>{
           on("check", known(), kGo), on("check", known(), kNoGo), {"gpu", "--gpu", "b200x8"}, {"rules", "list"}}) {
    Args words{"-c", "exec \"$@\" > /dev/full", "sh", GONOGO_BINARY};
    words.insert(words.end(), args.begin(), args.end());
    const Ran ran = run_program("/bin/sh", words);
    INFO(args[0] << "\n" << ran.err);
    CHECK(ran.status == static_cast<int>(ExitStatus::kInternal));
    CHECK(ran.err.find("can't be written") != std::string::npos);
  }
}

TEST_CASE("an interrupt ends a long run with its own code", "[cli]") {
  for (const int number : {SIGINT, SIGTERM}) {
    int in[2];
    int out[2];
    REQUIRE(::pipe2(in, O_CLOEXEC) == 0);
    REQUIRE(::pipe2(out, O_CLOEXEC) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
      ::dup2(in[0], STDIN_FILENO);
      ::dup2(out[1], STDOUT_FILENO);
      ::signal(number, SIG_DFL);
      ::execl(GONOGO_BINARY, "gonogo", "batch", nullptr);
      ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    // Answers are written as the buffer fills: once some have come, the run is under way. Neither side waits for the
    // other.
    const std::string one = R"({"id": "x", "model": "none", "gpu": "b200", "argv": ["--model-path", "$MODEL"]})"
                            "\n";
    ::fcntl(in[1], F_SETFL, O_NONBLOCK);
    bool answered = false;
    for (int i = 0; i < 2000 && !answered; ++i) {
      static_cast<void>(::write(in[1], one.data(), one.size()) == 0);
      pollfd ready{out[0], POLLIN, 0};
      answered = ::poll(&ready, 1, 5) == 1;
    }
    CHECK(answered);
    CHECK(::kill(child, number) == 0);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == static_cast<int>(ExitStatus::kInterrupted)));
    ::close(in[1]);
    ::close(out[0]);
  }
}

}  // namespace gonogo::test
