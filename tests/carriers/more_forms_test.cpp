// Forms of tools around a launch: steps of workflows and plays, lists of processes, notebooks, Python that starts
// programs, reStructuredText; and what is said of a file that is not read.
#include <string>
#include <vector>

#include "carriers/launch_finder.h"
#include "catch.h"
#include "found_rows.h"

using namespace gonogo;

namespace {

// "line | words | env | facts | condition", a launch a line.
std::string summary(const FileLaunches& found) {
  std::string out;
  for (const FoundLaunch& l : found.launches) {
    out += std::to_string(l.place.line) + " |";
    for (const FoundWord& w : l.args) out += " " + (w.text.empty() ? "''" : w.text);
    out += " |";
    for (const FoundVariable& v : l.env) out += " " + v.name + "=" + v.value.text;
    out += " |";
    out += testing::facts_text(l);
    out += " | " + l.conditional.value_or("") + "\n";
  }
  return out;
}

FileLaunches found(const char* name, const char* text) {
  auto out = find_launches(Pack::embedded(), name, text, {});
  if (!out.ok()) FAIL(to_text(out.error()));
  return std::move(*out);
}

void check(const std::vector<testing::FoundRow>& rows) {
  for (const testing::FoundRow& row : rows) {
    INFO(row.what);
    const FileLaunches launches = found(row.name, row.text);
    CHECK(launches.form == row.form);
    CHECK(summary(launches) == row.launches);
    CHECK(launches.notes.empty());
  }
}

}  // namespace

TEST_CASE("YAML that lists shell texts") {
  check({
      {"a workflow: environments add up, its own braces are not known, another shell is passed over", "ci.yml",
       "on: push\nenv: {A: 1}\njobs:\n  t:\n    container: {image: lmsysorg/sglang:v0.5.23}\n    env: {B: 2}\n"
       "    steps:\n    - run: |\n        sglang serve m --tp ${{ matrix.tp }} --port ${{ env.B }} $A\n"
       "      env: {C: \"${{ secrets.c }}\"}\n      if: success()\n    - shell: python\n      run: sglang serve no\n"
       "    - uses: x\n",
       "github-workflow",
       "9 | m --tp ${{ matrix.tp }} --port 2 1 | A=1 B=2 C=${{ secrets.c }} | v0.5.23 | success()\n"},
      {"an action of steps", "action.yml",
       "runs:\n  using: composite\n  steps:\n  - {run: sglang serve m, shell: bash}\n", "github-action",
       "4 | m | | | \n"},
      {"GitLab: what comes before, what is taken over", ".gitlab-ci.yml",
       "variables: {A: x}\n.base:\n  image: {name: lmsysorg/sglang:v0.5.23}\n  variables: {B: {value: y}}\n"
       "  before_script:\n  - export C=z\nt:\n  extends: .base\n  script:\n  - sglang serve m $C\n  - echo\n",
       "gitlab-ci", "10 | m z | A=x B=y C=z | v0.5.23 | \n"},
      {"Ansible: modules, nested blocks, variables", "play.yml",
       "- hosts: all\n  vars: {m: org/m}\n  environment: {A: \"{{ a }}\"}\n  tasks:\n  - block:\n"
       "    - name: x\n      ansible.builtin.shell: nohup sglang serve {{ m }} --tp {{ tp }} &\n      when: go\n"
       "    - command: {cmd: sglang serve n}\n    - debug: {msg: sglang serve no}\n",
       "ansible", "7 | org/m --tp {{ tp }} | A={{ a }} | | go\n9 | n | A={{ a }} | | \n"},
      {"dstack", "s.dstack.yml",
       "type: service\nimage: lmsysorg/sglang:v0.5.23\nenv: [A=1, TOKEN]\ncommands:\n- cd x\n- sglang serve m\n  --tp "
       "2\n"
       "nodes: 2\nresources: {gpu: \"H100:80GB:8\"}\n",
       "dstack", "6 | m --tp 2 | A=1 | v0.5.23 gpus=8 gpu=H100 nnodes=2 | \n"},
      {"cloud-init", "c.yaml", "#cloud-config\nruncmd:\n- [sglang, serve, $m]\n- sglang serve $m\n", "cloud-init",
       "3 | $m | | | \n4 | ${m} | | | \n"},
  });
}

TEST_CASE("lists of processes, notebooks, reStructuredText") {
  check({
      {"Procfile", "Procfile", "web: sglang serve m --port $PORT\nnot a process\nw-1:sglang serve n\n", "procfile",
       "1 | m --port ${PORT} | | | \n3 | n | | | \n"},
      {"supervisord: no shell, continued lines, comments", "x.conf",
       "[supervisord]\ncommand=sglang serve no\n[program:a]\ncommand=sglang serve m \"b c\" $X ; why\n  --tp 2\n"
       "environment=A=\"1,2\",B=%(ENV_B)s\n",
       "supervisor", "4 | m b c $X --tp 2 | A=1,2 B=${B} | | \n"},
      {"supervisord: a hash and a tab begin a comment as well, a hash in a word does not", "x.conf",
       "[program:a]\ncommand=sglang serve m#1;2 # why\n[program:b]\ncommand=sglang serve n\t; why\n", "supervisor",
       "2 | m#1;2 | | | \n4 | n | | | \n"},
      {"a notebook's line for a shell takes Python's names in braces; other braces are its own", "n.ipynb",
       "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\n"
       "\"!sglang serve {m} --tp {a.tp} --port ${PORT} --x '{\\\"a\\\": 1}' \\\n\",\n\"  --y={1..2} {}\"]}]}",
       "notebook", "2 | {m} --tp {a.tp} --port ${PORT} --x {\"a\": 1} --y=1 --y=2 {} | | | \n"},
      {"a notebook's fence that holds nothing", "n.ipynb",
       "{\"cells\": [{\"cell_type\": \"markdown\", \"source\": \"```bash\\n```\\n```bash\\nsglang serve m\\n```\"}]}",
       "notebook", "1 | m | | | \n"},
      {"a notebook: lines and cells for a shell, and Python", "n.ipynb",
       "{\"cells\": [\n{\"cell_type\": \"code\", \"outputs\": [\"!sglang serve no\"], \"source\": [\n\"x = 1\\n\",\n"
       "\"!sglang serve a \\\\\\n\",\n\"  --tp 2\\n\",\n\"run_command('sglang serve b')\"]},\n"
       "{\"cell_type\": \"code\", \"source\": \"%%bash\\nsglang serve c\"},\n"
       "{\"cell_type\": \"code\", \"source\": [\"%%html\\n\", \"!sglang serve no\"]},\n"
       "{\"cell_type\": \"markdown\", \"source\": [\"!sglang serve no\\n\", \"```bash\\n\",\n\"sglang serve d\\n\", "
       "\"```\"]}]}",
       "notebook", "4 | a --tp 2 | | | \n6 | b | | | \n7 | c | | | \n10 | d | | | \n"},
      {"blocks of a document, with and without prompts", "d.rst",
       "sglang serve no\n\n.. code-block:: bash\n   :caption: x\n\n   sglang serve a \\\n       --tp 2\n\ntext\n\n"
       ".. code-block:: console\n\n   $ sglang serve b\n   sglang serve no\n\n.. code-block:: python\n\n   sglang "
       "serve no\n",
       "rst", "6 | a --tp 2 | | | \n13 | b | | | \n"},
  });
}

TEST_CASE("Python that starts programs") {
  check({
      {"a list, and what is added to it for sure", "a.py",
       "import subprocess\nM = 'm'\ncmd = ['sglang', 'serve', M, '--tp', str(2)] + ['--a']\ncmd += ['--b']\n"
       "cmd.append('--c')\nsubprocess.Popen(cmd, env={**os.environ, 'A': '1'})\n",
       "ray-serve", "3 | m --tp 2 --a --b --c | A=1 | | \n"},
      {"what is added under a condition is not known", "a.py",
       "cmd = ['sglang', 'serve', 'm']\nif x:\n  cmd.extend(['--b'])\nsubprocess.run(cmd)\n", "ray-serve",
       "1 | m *cmd | | | \n"},
      {"also on the condition's own line", "a.py",
       "c = ['sglang', 'serve', 'm']\nM = 'm'\nif x[1:2]: c.append('--b')\nsubprocess.run(c)\nif y: M = 'n'\n"
       "if z: subprocess.run(['sglang', 'serve', M, {1: 2}])\nelse: d = ['sglang', 'serve', 'o']; "
       "subprocess.run(d)\n",
       "ray-serve", "1 | m *c | | | \n7 | o | | | \n"},
      {"a shell's text, and one taken apart", "a.py",
       "os.system('A=1 sglang serve m &')\nsubprocess.run(shlex.split(f'sglang serve {m}'))\n", "ray-serve",
       "1 | m | A=1 | | \n2 | ${m} | | | \n"},
      {"arguments that nobody knows", "a.py",
       "import sglang\nk = {'tp_size': 2}\nk['dp_size'] = 2\nsglang.Engine(model_path='m', "
       "**k)\nsglang.Engine(**f(x))\n"
       "sglang.Engine(server_args=s)\n",
       "ray-serve", "4 | --model-path m --tp-size 2 ${k} | | | \n5 | f(x) | | | \n6 | ${s} | | | \n"},
      {"a list changed in its midst", "a.py", "c = ['sglang', 'serve', 'm']\nc.insert(1, 'x')\nsubprocess.run(c)\n",
       "ray-serve", ""},
      {"words one by one", "a.py", "await asyncio.create_subprocess_exec('sglang', 'serve', 'm')\n", "ray-serve",
       "1 | m | | | \n"},
      {"printed, searched and named commands start nothing", "a.py",
       "print('run sglang-x')\nsubprocess.run(['pkill', '-f', 'sglang-x'])\nuvicorn.run(app)\n", "ray-serve", ""},
  });
}

TEST_CASE("a script that the carrier itself puts there is followed where it is the program") {
  check(
      {{"COPY and ENTRYPOINT", "Dockerfile",
        "FROM lmsysorg/sglang:v0.5.23\nCOPY <<-\"E\" /s.sh\n\texec sglang serve m \"$@\"\n\tE\nENTRYPOINT [\"/s.sh\"]\n"
        "CMD [\"--tp\", \"2\"]\n",
        "dockerfile", "3 | m --tp 2 | | v0.5.23 | \n"}});
}

TEST_CASE("a file that may launch in a way that is not read is told so") {
  for (const auto& [name, text, noted] : std::vector<std::tuple<const char*, const char*, bool>>{
           {"a.toml", "c = \"sglang serve m\"\n", true},
           {"a.tf", "# sglang serve m\n", false},
           {"values.yaml", "args: [x]\ncommand: sglang serve m\n", true},
           {"values.yaml", "args: [x]\n", false},
           {"a.py", "c = [x, '-m', 'sglang.launch_server']\n", true},
           {"a.py", "print('python -m sglang.launch_server')\n", false},
           {"a.sh", "echo sglang serve m\n", false},
       }) {
    INFO(name << ": " << text);
    CHECK(found(name, text).notes.empty() != noted);
  }
  // A fence that is no shell's text is no reason to complain.
  CHECK(found("a.md", "```\n=== results (s) ===\n```\n").notes.empty());
  CHECK(found("a.md", "```\nBackend: sglang\nTotal (s): 1\n```\n").notes.empty());
  CHECK_FALSE(found("a.md", "```\nsglang serve m (\n```\n").notes.empty());
}

TEST_CASE("words can be edited where their bytes stand, also around an escape") {
  struct Place {
    const char* what;
    const char* name;
    const char* text;
    int line;
    int column;  // of the last word
    bool literal;
  };
  for (const Place& row : std::vector<Place>{
           {"a line's end in a quoted scalar", "ci.yml", "jobs: {t: {steps: [{run: \"true\\nsglang serve m\\n\"}]}}\n",
            1, 46, true},
           {"a notebook", "n.ipynb", "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\"!sglang serve m\\n\"]}]}",
            1, 60, true},
           {"a string of a list", "a.py", "subprocess.run(['sglang', 'serve', 'm'])\n", 1, 37, true},
           {"a whole shell's text", "a.py", "os.system('''sglang serve m''')\n", 1, 27, true},
           {"filled in", "a.py", "M = 'm'\nos.system(f'sglang serve {M}')\n", 2, 11, false},
       }) {
    INFO(row.what);
    const FileLaunches launches = found(row.name, row.text);
    REQUIRE(launches.launches.size() == 1);
    const FoundWord& word = launches.launches[0].args.back();
    CHECK(word.place.line == row.line);
    CHECK(word.place.column == row.column);
    CHECK(word.literal == row.literal);
  }
}

TEST_CASE("documents with prompts of every kind, and make's own functions") {
  check({
      {"environment, user and folder", "a.md",
       "```console\n(venv) $ export A=1\nme@host:~/x$ sglang serve a \\\n  --tp 2\nsglang serve no\n"
       "[root@host x]# sglang serve b\n```\n",
       "markdown", "3 | a --tp 2 | A=1 | | \n6 | b | A=1 | | \n"},
      {"an admonition and a tab", "a.md",
       "??? tip \"x\"\n    ```bash\n    sglang serve a\n    ```\n\n=== \"t\"\n\n    !!! note\n        ```sh\n        "
       "sglang "
       "serve b\n        ```\n\n    ```\nsglang serve c\n```\ntext\n\n    ```bash\n    sglang serve no\n    ```\n",
       "markdown", "3 | a | | | \n10 | b | | | \n14 | c | | | \n"},
      {"a comment with a name is no prompt", "a.md", "```bash\necho a@b # sglang serve no\nsglang serve a\n```\n",
       "markdown", "3 | a | | | \n"},
      {"a defined body called, a loop over words", "Makefile",
       "define RUN\n@echo\n@sglang serve $(1) --tp $(2)\nendef\nt:\n\t$(call RUN,m,8)\n"
       "\t$(foreach p,1 2,sglang serve n --port $(p);)\n",
       "makefile", "6 | m --tp 8 | | | \n7 | n --port 1 | | | \n7 | n --port 2 | | | \n"},
  });
  const std::string nested =
      "a = $(foreach i,1 2 3 4 5 6 7 8 9,$(foreach j,1 2 3 4 5 6 7 8 9,$(call a)))\nt:\n\tsglang serve $(a)\n";
  CHECK(found("Makefile", nested.c_str()).launches.size() == 1);
}

// What a file of some megabytes could ask for is bounded, and what is told is not made up: a value that grew too large
// is not known.
TEST_CASE("values that multiply") {
  const auto repeated = [](const std::string& text, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += text;
    return out;
  };
  const auto grown = [&](const char* before, const char* between, const char* after) {
    std::string out = "a0 = 'xxxxxxxxxx'\n";
    for (int i = 0; i < 12; ++i) {
      out += "a" + std::to_string(i + 1) + " = " + before;
      for (int j = 0; j < 10; ++j) out += (j > 0 ? between : "") + ("a" + std::to_string(i)) + (j < 9 ? after : "");
      out += std::string(before[0] == 'f' ? "}'" : "") + "\n";
    }
    return out + "run(['sglang', 'serve', a12])\n";
  };
  for (const std::string& text : {grown("f'{", "{", "}"), grown("", " + ", "")}) {
    INFO(text.substr(0, 100));
    const FileLaunches launches = found("a.py", text.c_str());
    REQUIRE(launches.launches.size() == 1);
    CHECK(launches.launches[0].args[0].text == "${a12}");
  }
  const std::string many = repeated("x", 200'000);
  CHECK(found("a.py", ("a = '" + many + "'\nb = [" + repeated("a, ", 100'000) + "]\n").c_str()).launches.empty());
  CHECK(found("a.py", repeated("run(", 100'000).c_str()).launches.empty());
  std::string steps = "env:\n";
  for (int i = 0; i < 20'000; ++i) steps += "  V" + std::to_string(i) + ": x\n";
  steps += "jobs:\n  a:\n    steps:\n    - run: sglang serve m\n" + repeated("    - run: ls\n", 20'000);
  CHECK(found("a.yml", steps.c_str()).launches.size() == 1);
  for (const char* format : {"jobs: {a: {env: {A: \"%\"}, steps: [{run: \"sglang serve m ${{ env.A }}\"}]}}\n",
                             "[{vars: {A: \"%\"}, tasks: [{shell: \"sglang serve m {{ A }}\"}]}]\n"}) {
    std::string text = format;
    const std::size_t field = text.find(text[0] == 'j' ? "${{" : "{{ A");
    const std::string one = text.substr(field, text.find("}}", field) + 2 - field);
    text.replace(field, one.size(), repeated(one, 20'000));
    text.replace(text.find('%'), 1, many);
    CHECK(found("a.yml", text.c_str()).launches.size() == 1);
  }
  std::string pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  labels:\n";
  for (int i = 0; i < 20'000; ++i) pod += "    l" + std::to_string(i) + ": x\n";
  pod += "spec:\n  containers:\n" + repeated("  - args: [[sglang serve m]]\n", 20'000);
  CHECK(found("a.yml", pod.c_str()).form == "kubernetes");
  CHECK(found("a.toml", ("# " + repeated("sglang serve ", 100'000)).c_str()).notes.empty());
  const std::string fed =
      "xargs -I{} sglang serve " + repeated("{}", 20'000) + " <<'E'\n" + repeated("a\n", 20'000) + "E\n";
  CHECK_FALSE(found("a.sh", fed.c_str()).notes.empty());
}
