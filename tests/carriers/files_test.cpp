// Which files are read, which GPU a name means, and what is masked.
#include <sstream>
#include <string>
#include <vector>

#include "carriers/file_form.h"
#include "carriers/file_list.h"
#include "carriers/gpu_names.h"
#include "carriers/placeholder.h"
#include "carriers/secret_mask.h"
#include "catch.h"
#include "tree.h"

using namespace gonogo;

namespace {

// What `given` (names below the tree) lists, as names below it.
std::string list(const Tree& tree, const std::vector<std::string>& given) {
  std::vector<std::string> names;
  for (const std::string& name : given) names.push_back(tree / name);
  std::istringstream in;
  const auto files = list_files(Pack::embedded(), names, in);
  if (!files) return "error: " + files.error().what;
  std::string out;
  for (const ListedFile& file : *files) out += (out.empty() ? "" : " ") + file.name.substr(tree.path().size() + 1);
  return out;
}

}  // namespace

TEST_CASE("files, folders, patterns and what is ignored") {
  const Tree tree({{"a.yaml", ""},
                   {"b.sh", ""},
                   {"c.png", ""},
                   {"run", ""},
                   {"sub/d.yml", ""},
                   {"sub/e.txt", ""},
                   {".git/x.sh", ""},
                   {"old/f.sh", ""},
                   {"old/keep.sh", ""},
                   {"sub/gen/g.sh", ""},
                   {".gonogoignore", "# not these\nold/*\n!old/keep.sh\ngen/\n"}});
  struct Row {
    std::vector<std::string> given;
    const char* files;
  };
  const std::vector<Row> rows = {
      {{"."}, "./a.yaml ./b.sh ./old/keep.sh ./run ./sub/d.yml"},
      {{"sub"}, "sub/d.yml sub/gen/g.sh"},
      {{"c.png", "old/f.sh"}, "c.png old/f.sh"},
      {{"*.sh"}, "b.sh"},
      {{"**/*.yml"}, "sub/d.yml"},
      {{"a.yaml", "a.yaml"}, "a.yaml"},
      {{"none.yaml"}, "error: there is no such file or folder"},
      {{"*.none"}, "error: no file matches"},
  };
  for (const Row& row : rows) {
    INFO(row.given[0]);
    CHECK(list(tree, row.given) == row.files);
  }
  SECTION("standard input") {
    std::istringstream in("text");
    const auto files = list_files(Pack::embedded(), {"-"}, in);
    REQUIRE(files.ok());
    REQUIRE(files->size() == 1);
    CHECK((*files)[0].text == std::optional<std::string>("text"));
  }
}

TEST_CASE("patterns") {
  struct Row {
    const char* pattern;
    const char* path;
    bool matches;
  };
  const std::vector<Row> rows = {{"*.sh", "a.sh", true},    {"*.sh", "a/b.sh", false}, {"**/*.sh", "a/b/c.sh", true},
                                 {"**/*.sh", "c.sh", true}, {"a?c", "abc", true},      {"a?c", "a/c", false},
                                 {"[a-c]x", "bx", true},    {"[!a-c]x", "bx", false},  {"\\*", "*", true},
                                 {"\\*", "a", false},       {"a**b", "a/x/b", true},   {"", "", true}};
  for (const Row& row : rows) {
    INFO(row.pattern << " " << row.path);
    CHECK(glob_matches(row.pattern, row.path) == row.matches);
  }
  CHECK_FALSE(glob_matches("*a*a*a*a*a*a*a*a*a*a*a*a*b", std::string(200, 'a')));
}

TEST_CASE("a file's form, by name or by what it says") {
  struct Row {
    const char* name;
    const char* text;
    FileForm form;
  };
  const std::vector<Row> rows = {{"a/README.md", "", FileForm::kMarkdown},
                                 {"x.mdx", "", FileForm::kMdx},
                                 {"Dockerfile.gpu", "", FileForm::kDockerfile},
                                 {"a.Dockerfile", "", FileForm::kDockerfile},
                                 {"llm@.service", "", FileForm::kSystemd},
                                 {"GNUmakefile", "", FileForm::kMakefile},
                                 {"Justfile", "", FileForm::kJustfile},
                                 {"a.slurm", "", FileForm::kShell},
                                 {"<stdin>", "#!/usr/bin/env python3\n", FileForm::kPython},
                                 {"<stdin>", "#!/bin/sh\n", FileForm::kShell},
                                 {"<stdin>", "ARG A=1\nFROM x\n", FileForm::kDockerfile},
                                 {"<stdin>", "[Unit]\n[Service]\n", FileForm::kSystemd},
                                 {"<stdin>", "# c\napiVersion: v1\n", FileForm::kYaml},
                                 {"<stdin>", "# T\n\n```bash\nx\n```\n", FileForm::kMarkdown},
                                 {"<stdin>", "python3 -m x\n", FileForm::kShell}};
  for (const Row& row : rows) {
    INFO(row.name << ": " << row.text);
    CHECK(form_of(row.name, row.text) == row.form);
  }
}

TEST_CASE("GPU names") {
  const GpuNames names(Pack::embedded(), {{"my-gpu", "b200"}, {"NVIDIA-H100-NVL", "h100"}});
  struct Row {
    const char* label;
    const char* profile;
  };
  const std::vector<Row> rows = {{"NVIDIA-H100-80GB-HBM3", "h100"},
                                 {"H200", "h200"},
                                 {"nvidia-b200", "b200"},
                                 {"GB200", "gb200"},
                                 {"NVIDIA-GeForce-RTX-4090", "rtx4090"},
                                 {"L40S", "l40s"},
                                 {"my_gpu", "b200"},
                                 {"NVIDIA-H100-NVL", "h100"},
                                 {"NVIDIA-A100-SXM4-40GB", ""},
                                 {"NVIDIA-H100-PCIe", ""},
                                 {"NVIDIA-H100-80GB-HBM3-MIG-1g.10gb", ""},
                                 {"Tesla-T4", ""},
                                 {"", ""}};
  for (const Row& row : rows) {
    INFO(row.label);
    CHECK(names.profile(row.label) == row.profile);
  }
}

TEST_CASE("placeholders survive in a text and come back") {
  Placeholders marks;
  const std::string text = "a" + marks.variable("X") + "b" + marks.mark("$(y)", "y") + marks.variable("X");
  std::vector<std::string> names;
  CHECK(marks.restore(text, &names) == "a${X}b$(y)${X}");
  CHECK(names == std::vector<std::string>{"X", "y"});
  CHECK(marks.any(text));
  CHECK_FALSE(marks.any("a\xF4\x80\xBF\xBF"));
}

TEST_CASE("secrets in lines are asterisks, as many as they have characters") {
  struct Row {
    const char* line;
    const char* shown;
  };
  const std::vector<Row> rows = {
      {"--api-key pass12 --tp 2", "--api-key ****** --tp 2"},
      {"--api-key=pass12", "--api-key=******"},
      {"--api-key ${KEY}", "--api-key ${KEY}"},
      {"export HF_TOKEN=abc; x", "export HF_TOKEN=***; x"},
      {"  HF_TOKEN: \"a b\"", "  HF_TOKEN: \"***\""},
      {"- --api-key\n- pass12\n", "- --api-key\n- ******\n"},
      {"[\"--api-key\", \"pass12\"]", "[\"--api-key\", \"******\"]"},
      {"- name: HF_TOKEN\n  value: abc\n", "- name: HF_TOKEN\n  value: ***\n"},
      {"http://u:pw@h:1/x", "http://u:**@h:1/x"},
      {"hf_0123456789abcdefXYZ", "**********************"},
      {"-H 'Authorization: Bearer abcdef'", "-H 'Authorization: Bearer ******'"},
      {"--max-total-tokens 4096", "--max-total-tokens 4096"},
      {"'{\"hub_token\": \"abc\"}'", "'{\"hub_token\": \"***\"}'"},
      {"--password p\xC3\xA9 x", "--password ** x"},
  };
  for (const Row& row : rows) CHECK(mask_lines(Pack::embedded(), row.line) == row.shown);
}

TEST_CASE("secrets among words") {
  const auto word = [](const std::string& text, std::vector<std::string> unknowns = {}) {
    FoundWord w;
    w.text = text;
    w.unknowns = std::move(unknowns);
    return w;
  };
  const std::vector<FoundWord> args = {word("--api-key"),     word("p1"),          word("--api-key=p2"),
                                       word("--api-key"),     word("${K}", {"K"}), word("--host"),
                                       word("http://u:p3@h"), word("--tp"),        word("2")};
  CHECK(shown_args(Pack::embedded(), args) == std::vector<std::string>{"--api-key", "***", "--api-key=***", "--api-key",
                                                                       "${K}", "--host", "http://u:***@h", "--tp",
                                                                       "2"});
  FoundVariable variable;
  variable.name = "HF_TOKEN";
  variable.value = word("p4");
  CHECK(shown_env(Pack::embedded(), variable) == "***");
  variable.name = "OTHER";
  CHECK(shown_env(Pack::embedded(), variable) == "p4");
}
