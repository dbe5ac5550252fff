// The readers of forms without a shell: Dockerfile, systemd unit, Makefile, justfile, Markdown, Python.
#include <string>
#include <vector>

#include "carriers/dockerfile.h"
#include "carriers/justfile.h"
#include "carriers/makefile.h"
#include "carriers/markdown_fences.h"
#include "carriers/python_calls.h"
#include "carriers/systemd_unit.h"
#include "catch.h"

using namespace gonogo;

namespace {

// Words with placeholders, one blank between.
std::string joined(const std::vector<MappedText>& words, const Placeholders& marks) {
  std::string out;
  for (const MappedText& word : words) out += (out.empty() ? "" : " ") + ("[" + marks.restore(word.text()) + "]");
  return out;
}

std::string joined(const std::vector<std::pair<std::string, std::string>>& env, const Placeholders& marks) {
  std::string out;
  for (const auto& [name, value] : env) out += (out.empty() ? "" : " ") + (name + "=" + marks.restore(value));
  return out;
}

int line_of(std::string_view file, const MappedText& text, std::string_view needle) {
  const std::size_t at = text.text().find(needle);
  return at == std::string::npos ? 0 : LineIndex(file).line(text.offset(at));
}

const ReadBeside kNothing;

}  // namespace

TEST_CASE("Markdown: which fences are commands") {
  struct Row {
    const char* what;
    const char* text;
    std::vector<std::string> scripts;
  };
  const std::vector<Row> rows = {
      {"tags",
       "```bash\na\n```\n```python\nb\n```\n```sh title\nc\n```\n```\nd\n```\n```text\ne\n```\n",
       {"a\n", "c\n", "d\n"}},
      {"tildes and longer fences", "~~~~shell\n~~~\n```\na\n~~~~\n", {"~~~\n```\na\n"}},
      {"an indented fence loses its margin", "1. x\n\n   ```sh\n   a\n     b\n   ```\n", {"a\n  b\n"}},
      {"nested lists", "- x\n\n  - y\n\n    ~~~bash\n    a\n    ~~~\n", {"a\n"}},
      {"an indented code block is none", "x\n\n    ```bash\n    a\n    ```\n", {}},
      {"a quotation", "> ```bash\n> a\n> b\n> ```\nc\n", {"a\nb\n"}},
      {"not closed: to the end", "```bash\na\n", {"a\n"}},
      {"commented out", "<!--\n```bash\na\n```\n-->\n```bash\nb\n```\n", {"b\n"}},
      {"inline code", "text ```a``` text\n", {}},
      {"prompts: output is dropped", "```console\n$ a \\\n> b\nout\n$ c\n> d\n```\n", {"a \\\nb\nc\nd\n"}},
      {"prompts: a line that goes on without a prompt", "```bash\n$ a \\\n  b\nout\n```\n", {"a \\\n  b\n"}},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    std::vector<std::string> scripts;
    for (const MappedText& script : shell_fences(row.text, false)) scripts.push_back(script.text());
    CHECK(scripts == row.scripts);
  }
  SECTION("MDX has no indented code, and comments of its own") {
    CHECK(shell_fences("<Tab>\n    ```bash\n    a\n    ```\n</Tab>\n", true).size() == 1);
    CHECK(shell_fences("{/*\n```bash\na\n```\n*/}\n", true).empty());
  }
  SECTION("places") {
    const char* text = "x\n\n   ```sh\n   one\n     two\n   ```\n";
    const auto scripts = shell_fences(text, false);
    REQUIRE(scripts.size() == 1);
    CHECK(line_of(text, scripts[0], "two") == 5);
  }
}

TEST_CASE("Dockerfile: the last stage's command, environment and image") {
  struct Row {
    const char* what;
    const char* text;
    const char* image;
    const char* env;
    const char* entrypoint;  // words, or the shell's text; "-" for none
    const char* command;
  };
  const std::vector<Row> rows = {
      {"exec forms", "FROM a/b:v1\nENTRYPOINT [\"x\", \"y z\"]\nCMD [\"--a\", \\\n \"$B\"]\n", "a/b:v1", "",
       "[x] [y z]", "[--a] [$B]"},
      {"shell form", "FROM a\nCMD run $X \\\n  # gone\n  more\n", "a", "", "-", "run $X   more"},
      {"the last of each counts", "FROM a\nCMD one\nCMD two\n", "a", "", "-", "two"},
      {"stages", "FROM a AS x\nENV P=1\nCMD one\nFROM b\nCMD two\n", "b", "", "-", "two"},
      {"a stage upon a stage", "FROM a AS x\nENV P=1\nCMD one\nFROM x\nENV Q=2\n", "a", "P=1 Q=2", "-", "one"},
      {"a new entry point drops the command below", "FROM a AS x\nCMD [\"one\"]\nFROM x\nENTRYPOINT [\"e\"]\n", "a", "",
       "[e]", "-"},
      {"arguments", "ARG TAG=v2\nFROM a:${TAG}\nARG TP=2\nENV A=${TP} B=$UNSET C=\"x y\" D=${Z:-d}\n", "a:v2",
       "A=2 B=${UNSET} C=x y D=d", "-", "-"},
      {"a global argument is named again", "ARG V=1\nFROM a\nENV A=$V\nARG V\nENV B=$V\n", "a", "A=${V} B=1", "-", "-"},
      {"ENV with a blank", "FROM a\nENV NAME some value\n", "a", "NAME=some value", "-", "-"},
      {"another escape", "# escape=`\nFROM a\nCMD one `\n  two\n", "a", "", "-", "one   two"},
      {"a list that is no JSON is a shell's", "FROM a\nCMD ['x']\n", "a", "", "-", "['x']"},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    Placeholders marks;
    const auto stage = read_dockerfile(row.text, marks);
    REQUIRE(stage);
    const auto shown = [&](const std::optional<DockerCommand>& c) {
      return !c ? std::string("-") : c->exec ? joined(c->words, marks) : c->shell.text();
    };
    CHECK(marks.restore(stage->image) == row.image);
    CHECK(joined(stage->env, marks) == row.env);
    CHECK(shown(stage->entrypoint) == row.entrypoint);
    CHECK(shown(stage->command) == row.command);
  }
  SECTION("here-documents become files") {
    Placeholders marks;
    const auto stage =
        read_dockerfile("FROM a\nENV M=m\nCOPY <<EOF /s.sh\nrun $M \\$N\nEOF\nCOPY <<'E' /d/\nraw $M\nE\n", marks);
    REQUIRE(stage);
    REQUIRE(stage->files.size() == 2);
    CHECK(stage->files.at("/s.sh").text() == "run m $N\n");
    CHECK(stage->files.at("/d/E").text() == "raw $M\n");
  }
  SECTION("no stage") {
    Placeholders marks;
    CHECK_FALSE(read_dockerfile("# nothing\n", marks));
  }
}

TEST_CASE("systemd: quoting, specifiers and variables") {
  struct Row {
    const char* what;
    const char* lines;  // of [Service]
    const char* words;  // of the first command
    const char* env;
  };
  const std::vector<Row> rows = {
      {"variables", "Environment=A=1 \"B=x y\"\nExecStart=/bin/p ${A} $A $B a${B}b $C ${C}",
       "[/bin/p] [1] [1] [x] [y] [ax yb] [${C}] [${C}]", "A=1 B=x y"},
      {"a name inside a word is literal", "ExecStart=p --x=$A", "[p] [--x=$A]", ""},
      {"escapes and quotes", "ExecStart=p 'a b' \"c\\\"d\" e\\x20f $$ 100%%", "[p] [a b] [c\"d] [e f] [$] [100%]", ""},
      {"specifiers", "Environment=G=%i\nExecStart=p /m/%i", "[p] [/m/%i]", "G=%i"},
      {"continued, with comments between", "ExecStart=p \\\n  # no\n  a \\\n; no\n  b", "[p] [a] [b]", ""},
      {"an empty one resets", "Environment=A=1\nEnvironment=\nExecStart=old\nExecStart=\nExecStart=-@p q r", "[p] [r]",
       ""},
      {"no expansion with a colon", "Environment=A=1\nExecStart=:p $A", "[p] [$A]", "A=1"},
      {"other commands do not count", "ExecStartPre=a\nExecStop=b\nExecStart=c", "[c]", ""},
      {"a variable taken away", "Environment=A=1 B=2\nUnsetEnvironment=A\nExecStart=p", "[p]", "B=2"},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    Placeholders marks;
    const std::string text =
        "[Unit]\nExecStart=wrong\n[Service]\n" + std::string(row.lines) + "\n[Install]\nExecStart=wrong\n";
    const ServiceUnit unit = read_service(text, marks);
    REQUIRE(unit.commands.size() == 1);
    CHECK(joined(unit.commands[0].words, marks) == row.words);
    CHECK(joined(unit.env, marks) == row.env);
  }
}

TEST_CASE("make: what a recipe's shell gets") {
  struct Row {
    const char* what;
    const char* text;
    std::vector<std::string> scripts;  // "target: text"
  };
  const std::vector<Row> rows = {
      {"flavours", "A ?= 1\nB := $(A)\nA := 2\nC = $(A)\nA = 3\nt:\n\t@x $(A) $(B) ${C} $$D\n", {"t: x 3 1 3 $D"}},
      {"unset names", "t:\n\tx $(NO) $(shell id -u)\n", {"t: x ${NO} $(shell id -u)"}},
      {"a command's output has its variable's name", "IP := $(shell hostname -i)\nt:\n\tx $(IP)\n", {"t: x ${IP}"}},
      {"appending", "A = a\nA += b\nt:\n\t-x $(A)\n", {"t: x a b"}},
      {"target-specific", "A := 1\nt: A := 2\nt:\n\tx $(A)\nu:\n\tx $(A)\n", {"t: x 2", "u: x 1"}},
      {"two targets", "a b:\n\tx $@\n", {"a: x a", "b: x b"}},
      {"continued lines reach the shell", "t:\n\tx \\\n\t\ty\n", {"t: x \\\n\ty"}},
      {"conditions",
       "A = 1\nifeq ($(A),1)\nB = y\nelse\nB = n\nendif\nifdef NO\nB = z\nendif\nt:\n\tx $(B)\n",
       {"t: x y"}},
      {"functions",
       "A = a.c b.c\nt:\n\tx $(A:.c=.o) $(patsubst %.c,%,$(A)) $(if $(A),yes,no) $(subst a,A,$(A)) $(firstword $(A))\n",
       {"t: x a.o b.o a b yes A.c b.c a.c"}},
      {"on the rule's own line", "t: u ; x y\n", {"t: x y"}},
      {"one shell for all lines", ".ONESHELL:\nt:\n\tx\n\ty\n", {"t: x\ny\n"}},
      {"a variable's lines", "define A\none\nendef\nt:\n\tx $(A)\n", {"t: x one"}},
      {"a comment", "A = 1 # one\nt:\n\tx [$(A)]\n", {"t: x [1]"}},
      {"itself", "A = $(A)\nt:\n\tx\n", {"t: x"}},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    Placeholders marks;
    std::vector<std::string> scripts;
    for (const RecipeScript& script : read_makefile(row.text, kNothing, marks)) {
      scripts.push_back(script.target + ": " + marks.restore(script.text.text()));
    }
    CHECK(scripts == row.scripts);
  }
  SECTION("exports") {
    Placeholders marks;
    const auto scripts = read_makefile("export A := 1\nB = 2\nexport B\nC = 3\nunexport A\nt:\n\tx\n", kNothing, marks);
    REQUIRE(scripts.size() == 1);
    CHECK(joined(scripts[0].env, marks) == "B=2");
  }
  SECTION("a file beside it") {
    Placeholders marks;
    const ReadBeside beside = [](std::string_view name) -> std::optional<std::string> {
      if (name == "more.mk") return "M = m\n";
      return std::nullopt;
    };
    const auto scripts = read_makefile("-include more.mk none.mk\nt:\n\tx $(M)\n", beside, marks);
    REQUIRE(scripts.size() == 1);
    CHECK(scripts[0].text.text() == "x m");
  }
}

TEST_CASE("just: what a recipe's shell gets") {
  struct Row {
    const char* what;
    const char* text;
    std::vector<std::string> scripts;
  };
  const std::vector<Row> rows = {
      {"parameters", "r a b='x y' *c:\n    @run {{a}} {{ b }} {{c}}\n", {"r: run ${a} x y "}},
      {"variables", "v := 'a' + \"b\"\np := v / 'c'\nr:\n  run {{v}} {{p}}\n", {"r: run ab ab/c"}},
      {"the environment",
       "v := env_var_or_default('P', '3')\nw := env('Q')\nr:\n  run {{v}} {{w}}\n",
       {"r: run 3 ${Q}"}},
      {"a command's output has its variable's name", "ip := `hostname -i`\nr:\n  run {{ip}}\n", {"r: run ${ip}"}},
      {"a condition", "a := 'x'\nb := if a == 'x' { 'yes' } else { 'no' }\nr:\n  run {{b}}\n", {"r: run yes"}},
      {"a dependency with arguments is one more call",
       "a x='1':\n  run {{x}}\nb: (a '2')\n  done\n",
       {"a: run 1", "b: done", "a: run 2"}},
      {"an interpreter's whole body", "r:\n  #!/bin/bash\n  one\n  two\n", {"r: #!/bin/bash\none\ntwo\n"}},
      {"another interpreter", "r:\n  #!/usr/bin/env python3\n  print()\n", {}},
      {"continued", "r:\n  run \\\n    more\n", {"r: run \\\nmore"}},
      {"braces", "r:\n  run {{{{x}}\n", {"r: run {{x}}"}},
      {"settings and attributes", "set shell := [\"bash\", \"-c\"]\n[private]\nr:\n  -run\n", {"r: run"}},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    Placeholders marks;
    std::vector<std::string> scripts;
    for (const RecipeScript& script : read_justfile(row.text, marks)) {
      scripts.push_back(script.target + ": " + marks.restore(script.text.text()));
    }
    CHECK(scripts == row.scripts);
  }
  SECTION("recipes that call each other end") {
    Placeholders marks;
    CHECK(read_justfile("a: (b '1') (b '2')\n  x\nb n: (a) (a)\n  y\n", marks).size() < 5000);
  }
}

TEST_CASE("Python: keyword arguments of a call") {
  const auto is_make = [](std::string_view name) { return name == "Make"; };
  struct Row {
    const char* what;
    const char* text;
    const char* arguments;  // "k=v" in order
  };
  const std::vector<Row> rows = {
      {"literals", "Make(a='x', b=2, c=True, d=None, e=0.80)", "a=x b=2 c=True d=None e=0.80"},
      {"names", "TP = 2\nMake(a=TP, b=OTHER)", "a=2 b=${OTHER}"},
      {"strings", "Make(a='x' \"y\", b=r'\\d', c=f'{A}-z', d='it\\'s')\n", "a=xy b=\\d c=${A}-z d=it's"},
      {"an f-string of what is known", "N = 'q'\nMake(a=f\"m/{N}\")", "a=m/q"},
      {"the environment", "import os\nMake(a=os.environ['A'], b=os.getenv('B', '4'), c=os.environ.get('C', 1))",
       "a=${A} b=4 c=1"},
      {"what can't be worked out", "Make(a=f(x), b=1 + 2)", "a=f(x) b=1 + 2"},
      {"it has its variable's name", "A = f(x)\nMake(a=A)", "a=${A}"},
      {"unpacked", "K = {'a': 1, 'b': 2}\nMake(**K, b=3)", "a=1 b=3"},
      {"dict()", "Make(**dict(a=1))", "a=1"},
      {"comments and line ends", "Make(  # one\n  a=1,  # two\n  # b=9,\n  c=3,\n)", "a=1 c=3"},
      {"positional ones are passed over", "Make(x, [1, 2], a=1)", "a=1"},
      {"sums", "A = ['x']\nMake(a='x' + 'y', b=['1'] + A, c='p' + f(q))", "a=xy b= c=pf(q)"},
      {"a branch's value is nobody's outside", "if X:\n  A = 1\nMake(a=A)", "a=${A}"},
      {"inside of the branch it holds", "if X:\n  A = 1\n  Make(a=A)", "a=1"},
      {"another function's value is not this one's", "def f():\n  A = 1\ndef g():\n  Make(a=A)", "a=${A}"},
      {"nor is a parameter a name outside", "A = 1\ndef g(b, A=2):\n  Make(a=A)", "a=${A}"},
      {"a function sees what stands outside of all blocks", "A = 1\ndef g(b):\n  Make(a=A)", "a=1"},
      {"a loop's name", "A = 1\nfor A in range(2):\n  Make(a=A)", "a=${A}"},
      {"an argument on a line of its own assigns nothing", "A = 1\nf(\n  A=2)\nMake(a=A)", "a=1"},
      {"text is no code", "s = 'Make(a=1)'\n\"\"\"\nMake(a=2)\n\"\"\"\nMake(a=3)", "a=3"},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    Placeholders marks;
    const auto calls = python_calls(row.text, is_make, marks);
    REQUIRE(calls.size() == 1);
    std::string arguments;
    for (const auto& [name, value] : calls[0].arguments.entries) {
      arguments += (arguments.empty() ? "" : " ") + (name + "=" + marks.restore(value.text));
    }
    CHECK(arguments == row.arguments);
  }
  SECTION("imports give the full name") {
    Placeholders marks;
    const auto calls = python_calls(
        "import pkg as p\nfrom a.b import (C, D as E)\np.Make()\nE()\n",
        [](std::string_view name) { return name == "Make" || name == "D"; }, marks);
    REQUIRE(calls.size() == 2);
    CHECK(calls[0].callee == "pkg.Make");
    CHECK(calls[1].callee == "a.b.D");
  }
  SECTION("lists of lists do not multiply without end") {
    std::string text = "a = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
    for (char c = 'b'; c < 'q'; ++c) {
      const std::string before(1, static_cast<char>(c - 1));
      text += std::string(1, c) + " = [";
      for (int i = 0; i < 10; ++i) text += before + ", ";
      text += "]\n";
    }
    Placeholders marks;
    CHECK(python_calls(text + "Make(a=p)\n", is_make, marks).size() == 1);
  }
}
