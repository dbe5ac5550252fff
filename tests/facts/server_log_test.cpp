// What is read out of a server's log.
#include "facts/server_log.h"

#include <sstream>
#include <string>
#include <vector>

#include "catch.h"
#include "rules/compiler.h"

namespace gonogo {

namespace {

const char* const kPack = R"(
pack:
  name: toy
  versions: ["1.0"]
  entry_points: ["toy serve"]
  parts: {resolve: [s]}
  log: {arguments: "Args(", version: ["toy==", "toy version"]}
flags:
- {flags: [--a], field: a}
gpus:
  big: {name: NVIDIA Big, vendor: nvidia, major: 9, minor: 0, memory_mib: 1, sm_count: 1}
---
stage: s
rules: []
)";

ServerLog read(const std::string& text) {
  static const std::string blob = compile_pack({{"toy.yaml", kPack}}, nullptr).blob;
  static const Pack pack = *Pack::open(blob);
  std::stringstream in(text);
  return read_server_log(in, pack);
}

// "type|message|file.function …|times", one an exception.
std::string shown(const ServerLog& log) {
  std::string out;
  for (const LogException& e : log.exceptions) {
    if (!out.empty()) out += "; ";
    out += e.type + "|" + e.message + "|";
    for (const LogFrame& f : e.frames) out += (&f == &e.frames[0] ? "" : " ") + f.check();
    out += "|" + std::to_string(e.times);
  }
  return out;
}

}  // namespace

TEST_CASE("exceptions of a log", "[facts]") {
  struct Row {
    std::string name;
    std::string log;
    std::string wanted;
  };
  const std::string frames =
      "Traceback (most recent call last):\n"
      "  File \"/x/srt/args.py\", line 12, in resolve\n    hook()\n"
      "  File \"/x/srt/moe_hook.py\", line 3, in check\n    raise ValueError(\"no\")\n    ^^^^^^^\n";
  const std::vector<Row> rows = {
      {"nothing", "", ""},
      {"no exception", "hello\nINFO: ValueError is not here\n", ""},
      {"a traceback", frames + "ValueError: no path\n", "ValueError|no path|args.resolve moe_hook.check|1"},
      {"without a last line break", frames + "ValueError: no path", "ValueError|no path|args.resolve moe_hook.check|1"},
      {"a message of two lines", frames + "ValueError: no\npath\n\nnext\n",
       "ValueError|no path|args.resolve moe_hook.check|1"},
      {"a dotted name and no message", frames + "torch.cuda.OutOfMemoryError\n",
       "OutOfMemoryError||args.resolve moe_hook.check|1"},
      {"the same of two ranks", frames + "ValueError: no\n\n" + frames + "ValueError: no\n",
       "ValueError|no|args.resolve moe_hook.check|2"},
      {"one after another",
       frames + "KeyError: 'a'\n\nDuring handling of the above exception, another exception occurred:\n\n" + frames +
           "RuntimeError: b\n",
       "KeyError|'a'|args.resolve moe_hook.check|1; RuntimeError|b|args.resolve moe_hook.check|1"},
      {"behind a collector's prefix and in colour",
       "pod-1 |   File \"/x/a.py\", line 1, in f\npod-1 |     g()\npod-1 | \x1b[31mValueError: red\x1b[0m\r\n",
       "ValueError|red|a.f|1"},
      {"with a time before the traceback",
       "[2026-01-01 TP3] Scheduler hit an exception: Traceback (most recent call last):\n"
       "  File \"a.py\", line 1, in __init__\n    x\nAssertionError\n",
       "AssertionError||a.__init__|1"},
      {"a usage error", "usage: toy [-h]\ntoy: error: unrecognized arguments: --b\n",
       "usage|unrecognized arguments: --b||1"},
      {"an error that is none of the parser's", "app: error: could not connect\n", ""},
      {"a frame that is cut off", "  File \"a.py\", line x, in f\n  File \"a.py\n  File \"\nValueError: a\n", ""},
  };
  for (const Row& row : rows) {
    INFO(row.name);
    CHECK(shown(read(row.log)) == row.wanted);
  }
}

TEST_CASE("the source below a frame is kept for assertions", "[facts]") {
  const ServerLog log =
      read("  File \"a.py\", line 1, in f\n    assert tp % dp == 0\n           ~~~\nAssertionError\n");
  REQUIRE(log.exceptions.size() == 1);
  CHECK(log.exceptions[0].frames[0].source == "assert tp % dp == 0");
  CHECK(log.exceptions[0].frames[0].line == 1);
  CHECK(log.exceptions[0].line == 4);
}

TEST_CASE("versions, GPUs and arguments of a log", "[facts]") {
  const ServerLog log = read(
      "INFO toy version 1.0.3, on NVIDIA Big and NVIDIA Big\ntoy==9.9\n"
      "args=Args(model='a, b', size=4, on=True, list=[1, 2], nested=P(x=1), none=None) done\n");
  CHECK(log.version == "1.0.3");
  CHECK(log.gpus == std::vector<std::string>{"big"});
  const std::vector<std::pair<std::string, std::string>> wanted = {
      {"model", "'a, b'"}, {"size", "4"}, {"on", "True"}, {"list", "[1, 2]"}, {"nested", "P(x=1)"}, {"none", "None"}};
  CHECK(log.arguments == wanted);
}

TEST_CASE("a log is read within limits", "[facts]") {
  std::string many;
  for (int i = 0; i < 300; ++i) {
    many += "  File \"a.py\", line 1, in f\n    x\nValueError: " + std::to_string(i) + "\n\n";
  }
  CHECK(read(many).exceptions.size() == kMaxExceptions);
  std::string deep;
  for (int i = 0; i < 500; ++i) deep += "  File \"a.py\", line " + std::to_string(i) + ", in f\n    x\n";
  const ServerLog nested = read(deep + "RecursionError: deep\n");
  REQUIRE(nested.exceptions.size() == 1);
  CHECK(nested.exceptions[0].frames.size() == kMaxFrames);
  CHECK(nested.exceptions[0].frames.back().line == 499);
  const ServerLog wide =
      read("  File \"a.py\", line 1, in f\n    x\nValueError: " + std::string(2u << 20, 'x') + "\nlast\n");
  REQUIRE(wide.exceptions.size() == 1);
  CHECK(wide.exceptions[0].message.size() == kMaxMessage);
  CHECK(read("  File \"a.py\", line 99999999999999999999, in f\n    x\nValueError: n\n").exceptions.size() == 1);
  CHECK(record_fields("a=[[[[(((((").size() == 1);
  CHECK(record_fields("=").empty());
  CHECK(record_fields("a='\\").size() == 1);
}

}  // namespace gonogo
