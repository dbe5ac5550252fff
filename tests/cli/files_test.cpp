// `gonogo launches` and `gonogo check FILE…`, end to end.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "catch.h"
#include "cli/run_binary.h"
#include "holds.h"
#include "tree.h"

using gonogo::Tree;
using gonogo::test::holds;
using gonogo::test::Ran;
using gonogo::test::run_gonogo;
using nlohmann::json;

namespace {

const std::string kModels = std::string(GONOGO_TESTDATA) + "/models/";

// A pod that runs `args` in the image with this tag.
std::string pod(const std::string& args, const std::string& tag = "v0.5.23", const std::string& more = "") {
  return "apiVersion: v1\nkind: Pod\nspec:\n  nodeSelector: {nvidia.com/gpu.product: NVIDIA-B200}\n  containers:\n"
         "  - image: x/sglang:" +
         tag + "\n    resources: {limits: {nvidia.com/gpu: 8}}\n" + more +
         "    command: [python3, -m, sglang.launch_server, --model-path, " + kModels + "Qwen__Qwen3-235B-A22B-FP8, " +
         args + "]\n";
}

}  // namespace

TEST_CASE("each launch of a file has a verdict, and the worst decides") {
  struct Row {
    const char* what;
    std::string text;
    std::vector<std::string> options;
    int status;
    const char* says;
  };
  const std::vector<Row> rows = {
      {"version, GPU and count from the file",
       pod("--tp, '8'"),
       {},
       0,
       "GO  sglang.launch_server  sglang 0.5.23 on 8 x NVIDIA B200"},
      {"a wrong flag", pod("--tp, '8', --tpp, '1'"), {}, 1, "is no flag"},
      {"a value that is not known", pod("--tp, $(TP)"), {}, 0, "UNKNOWN"},
      {"it is named", pod("--tp, $(TP)"), {}, 0, "TP (--var TP=…)"},
      {"strict", pod("--tp, $(TP)"), {"--strict"}, 3, "UNKNOWN"},
      {"supplied", pod("--tp, $(TP)"), {"--var", "TP=8"}, 0, "1 GO"},
      {"supplied, and wrong", pod("--tp, $(TP)"), {"--var", "TP=x"}, 1, "1 NO-GO"},
      {"another version in the image", pod("--tp, '8'", "v0.5.9"), {}, 0, "rules for sglang 0.5.9"},
      {"and checked against one that is", pod("--tp, '8'", "v0.5.9"), {"--sglang", "0.5.22"}, 0, "sglang 0.5.22 on"},
      {"the user's GPUs go first", pod("--tp, '4'"), {"--gpu", "h200"}, 0, "8 x NVIDIA H200"},
      {"several documents",
       pod("--tp, '8'") + "---\n" + pod("--nope"),
       {},
       1,
       "2 launches in 1 file: 1 NO-GO, 0 UNKNOWN, 1 GO"},
      {"no launch", "apiVersion: v1\nkind: Pod\n", {}, 0, "no launch found; 1 file holds none"},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    const Tree folder({{"a.yaml", row.text}});
    std::vector<std::string> args = {"check"};
    args.insert(args.end(), row.options.begin(), row.options.end());
    args.push_back(folder / "a.yaml");
    const Ran ran = run_gonogo(args);
    INFO(ran.out << ran.err);
    CHECK(ran.status == row.status);
    CHECK(holds(ran.out, row.says));
  }
}

TEST_CASE("compose takes values from the file .env beside it") {
  const std::string text =
      "services:\n  a:\n    image: x/sglang:v0.5.23\n    environment: [\"TOKEN_OF_ALL=${T}\"]\n"
      "    command: sglang serve " +
      kModels + "${MODEL} --tp ${TP:-1} --page-size ${PAGE}\n";
  struct Row {
    const char* what;
    const char* env;  // the file's text; null: there is none
    const char* argv;
    const char* unknowns;
  };
  for (const Row& row : {
           Row{"no file", nullptr, R"(["$/${MODEL}","--tp","1","--page-size","${PAGE}"])", R"(["MODEL","PAGE","T"])"},
           {"all of it", "# x\nMODEL='Qwen__Qwen3-8B'\nTP=2\nexport PAGE=16 # y\nT=1\n",
            R"(["$/Qwen__Qwen3-8B","--tp","2","--page-size","16"])", "[]"},
           {"some of it", "TP=4\nPAGE=1\n", R"(["$/${MODEL}","--tp","4","--page-size","1"])", R"(["MODEL","T"])"},
       }) {
    INFO(row.what);
    std::vector<std::pair<std::string, std::string>> files = {{"compose.yaml", text}};
    if (row.env != nullptr) files.emplace_back(".env", row.env);
    const Tree folder(files);
    const json found = json::parse(run_gonogo({"launches", "--format", "json", folder / "compose.yaml"}).out);
    json argv = found["launches"][0]["argv"];
    argv[0] = "$/" + argv[0].get<std::string>().substr(kModels.size());
    CHECK(argv.dump() == row.argv);
    CHECK(found["launches"][0]["unknowns"].dump() == row.unknowns);
  }
}

TEST_CASE("a command with flags of its own is checked as one in a file is") {
  const std::vector<std::string> flags = {"--model-path", kModels + "Qwen__Qwen3-8B", "--own-flag", "x", "--tp", "2"};
  std::vector<std::string> args = {"check", "--gpu",   "b200x8", "--sglang",     "0.5.23",
                                   "--",    "python3", "-m",     "dynamo.sglang"};
  args.insert(args.end(), flags.begin(), flags.end());
  const Ran ran = run_gonogo(args);
  INFO(ran.out << ran.err);
  CHECK(ran.status == 0);
  CHECK(holds(ran.out, "GO  sglang 0.5.23"));
  std::string line = "python3 -m dynamo.sglang";
  for (const std::string& flag : flags) line += " " + flag;
  const Tree folder({{"a.sh", line + "\n"}, {"b.sh", line + " --page-size x\n"}});
  CHECK(run_gonogo({"check", "--gpu", "b200x8", "--sglang", "0.5.23", folder / "a.sh"}).status == 0);
  CHECK(run_gonogo({"check", "--gpu", "b200x8", "--sglang", "0.5.23", folder / "b.sh"}).status == 1);
  args.insert(args.end(), {"--page-size", "x"});
  CHECK(run_gonogo(args).status == 1);
}

TEST_CASE("a finding points at the word in the file") {
  const Tree folder({{"a.yaml", pod("--tp, '8',\n      --page-size, x")}});
  const Ran ran = run_gonogo({"check", folder / "a.yaml", "--format", "json"});
  CHECK(ran.status == 1);
  const json report = json::parse(ran.out);
  CHECK(report["verdict"] == "NO-GO");
  CHECK(report["exit_code"] == 1);
  REQUIRE(report["launches"].size() == 1);
  const json& launch = report["launches"][0];
  CHECK(launch["line"] == 8);
  const json& word = launch["report"]["findings"][0]["word"];
  CHECK(word["line"] == 9);
  CHECK(word["column"] == 20);
  CHECK(word["file"] == folder / "a.yaml");
  CHECK(holds(run_gonogo({"check", folder / "a.yaml"}).out, "a.yaml:9"));
}

TEST_CASE("folders: files without a launch are counted, unreadable ones told") {
  const Tree folder({{"a.yaml", pod("--tp, '8'")},
                     {"b/c.yaml", pod("--tp, '4'")},
                     {"d.yaml", "x: 1\n"},
                     {"e.yaml", "sglang: [\n"},
                     {".gonogoignore", "skip/\n"},
                     {"skip/f.yaml", pod("--nope")}});
  const Ran ran = run_gonogo({"check", folder.path()});
  CHECK(ran.status == 2);
  CHECK(holds(ran.out, "2 launches in 2 files: 0 NO-GO, 0 UNKNOWN, 2 GO; 1 file holds none; 1 file could not be read"));
  CHECK(holds(ran.err, "e.yaml"));
  SECTION("the same bytes however many threads") { CHECK(run_gonogo({"check", folder.path()}).out == ran.out); }
  SECTION("patterns") { CHECK(holds(run_gonogo({"check", folder / "**/*.yaml"}).out, "2 launches in 2 files")); }
}

TEST_CASE("a --config file of a ConfigMap of the same file is read from there") {
  const auto text = [](const std::string& config) {
    return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  w.yaml: |\n    model-path: " + kModels +
           "Qwen__Qwen3-235B-A22B-FP8\n    " + config +
           "\n---\napiVersion: v1\nkind: Pod\nspec:\n  nodeSelector: {nvidia.com/gpu.product: NVIDIA-B200}\n  "
           "containers:\n"
           "  - image: x/sglang:v0.5.23\n    command: [python3, -m, dynamo.sglang, --config, /etc/w/w.yaml, --dyn-own, "
           "x]\n"
           "    resources: {limits: {nvidia.com/gpu: 8}}\n    volumeMounts: [{name: v, mountPath: /etc/w}]\n"
           "  volumes: [{name: v, configMap: {name: c}}]\n";
  };
  struct Row {
    const char* config;
    int status;
    const char* says;
  };
  const std::vector<Row> rows = {
      {"tp-size: 8", 0, "1 GO"}, {"tp-size: many", 1, "/etc/w/w.yaml:2"}, {"tp-size: 8\n    dyn-own: 1", 0, "1 GO"}};
  for (const Row& row : rows) {
    INFO(row.config);
    const Tree folder({{"a.yaml", text(row.config)}});
    const Ran ran = run_gonogo({"check", folder / "a.yaml"});
    INFO(ran.out << ran.err);
    CHECK(ran.status == row.status);
    CHECK(holds(ran.out, row.says));
  }
  SECTION("one that is not in the file leaves the answer open") {
    const Tree folder({{"a.yaml", pod("--config, /etc/none.yaml")}});
    const Ran ran = run_gonogo({"check", "--strict", folder / "a.yaml"});
    CHECK(ran.status == 3);
    CHECK(holds(ran.out, "/etc/none.yaml"));
  }
}

TEST_CASE("the size of the group is the number of nodes where the flag asks the cluster") {
  const std::string text =
      "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nspec:\n  leaderWorkerTemplate:\n    size: 2\n"
      "    workerTemplate:\n      spec:\n        nodeSelector: {nvidia.com/gpu.product: NVIDIA-B200}\n        "
      "containers:\n"
      "        - image: x/sglang:v0.5.23\n          resources: {limits: {nvidia.com/gpu: 8}}\n"
      "          command: [python3, -m, sglang.launch_server, --model-path, " +
      kModels +
      "Qwen__Qwen3-235B-A22B-FP8, --tp, TP, --nnodes, $(LWS_GROUP_SIZE), --node-rank, '0', --dist-init-addr, 'h:1']\n";
  const auto with_tp = [&](const std::string& tp) {
    std::string out = text;
    return out.replace(out.find("TP,"), 2, "'" + tp + "'");
  };
  CHECK(holds(run_gonogo({"check", "-"}, with_tp("16")).out, "on 2 nodes"));
  CHECK(run_gonogo({"check", "-"}, with_tp("7")).status == 1);
}

TEST_CASE("standard input, and wrong use") {
  CHECK(holds(run_gonogo({"check", "-"}, pod("--tp, '8'")).out, "<stdin>:8  GO"));
  CHECK(run_gonogo({"check", "/none/such"}).status == 2);
  CHECK(run_gonogo({"check", "-", "--", "sglang", "serve"}).status == 4);
  CHECK(run_gonogo({"check", "-", "--var", "novalue"}, "").status == 4);
  CHECK(run_gonogo({"launches"}).status == 4);
}

TEST_CASE("launches, as JSON and as text") {
  const Tree folder({{"a.yaml", pod("--tp, $(TP)")}, {"b.txt", "nothing"}});
  const json one = json::parse(run_gonogo({"launches", "--format", "json", folder / "a.yaml"}).out);
  CHECK(one["form"] == "kubernetes");
  REQUIRE(one["launches"].size() == 1);
  const json& launch = one["launches"][0];
  CHECK(launch["entry"] == "sglang.launch_server");
  CHECK(launch["argv"][3] == "${TP}");
  CHECK(launch["unknowns"] == json::array({"TP"}));
  CHECK(launch["sglang_version"] == "0.5.23");
  CHECK(launch["gpus"] == 8);
  CHECK(launch["gpu"] == "NVIDIA-B200");
  CHECK(launch["conditional"].is_null());
  CHECK(launch["line"] == 8);
  const json several =
      json::parse(run_gonogo({"launches", "--format", "json", folder / "a.yaml", folder / "b.txt"}).out);
  CHECK(several["files"].size() == 1);
  CHECK(several["files_without_launch"] == 1);
  const std::string text = run_gonogo({"launches", folder / "a.yaml"}).out;
  CHECK(holds(text, "a.yaml:8  sglang.launch_server --model-path"));
  CHECK(holds(text, "not known: TP"));
}

TEST_CASE("planted secrets appear in no output") {
  const std::string text =
      pod("--api-key, planted-1, --api-key=planted-2, --page-size, x, --host, 'http://u:planted-3@h'", "v0.5.23",
          "    env:\n    - {name: HF_TOKEN, value: planted-4}\n    - name: MY_PASSWORD\n      value: planted-5\n"
          "    - {name: URL, value: 'https://x:planted-6@h/'}\n    - {name: T, value: hf_planted0123456789abcdef}\n");
  const Tree folder({{"a.yaml", text}});
  for (const char* command : {"check", "launches"}) {
    for (const char* format : {"text", "json"}) {
      INFO(command << " " << format);
      const Ran ran = run_gonogo({command, "--format", format, folder / "a.yaml"});
      CHECK(holds(ran.out, "sglang.launch_server"));
      CHECK_FALSE(holds(ran.out + ran.err, "planted"));
    }
  }
}

TEST_CASE("a template's values are not known") {
  const Ran ran = run_gonogo({"check", "-"}, pod("--tp, \"{{ .Values.tp }}\""));
  INFO(ran.out);
  CHECK(ran.status == 0);
  CHECK(holds(ran.out, "UNKNOWN"));
  CHECK(holds(ran.out, "{{ .Values.tp }} (render the template)"));
}

TEST_CASE("nothing is run") {
  const Tree folder;
  const std::string mark = folder / "mark";
  const std::vector<std::pair<std::string, std::string>> files = {
      {"a.sh", "touch " + mark + "\nX=$(touch " + mark + ")\npython3 -m sglang.launch_server --model-path `touch " +
                   mark + "`\n"},
      {"Makefile", "X := $(shell touch " + mark + ")\nt:\n\ttouch " + mark + " && sglang serve $(X)\n"},
      {"justfile", "x := `touch " + mark + "`\nr:\n  touch " + mark + "; sglang serve {{x}}\n"},
      {"a.py", "import os, sglang\nos.system('touch " + mark + "')\nsglang.Engine(model_path=os.system('touch " + mark +
                   "'))\n"},
      {"a.service",
       "[Service]\nExecStartPre=/bin/touch " + mark + "\nExecStart=/bin/sh -c 'touch " + mark + "; sglang serve m'\n"},
  };
  for (const auto& [name, text] : files) {
    INFO(name);
    const std::string file = folder.file(name, text);
    CHECK(run_gonogo({"launches", file}).status == 0);
    run_gonogo({"check", file});
    CHECK_FALSE(std::filesystem::exists(mark));
  }
}

TEST_CASE("a number of nodes that the words leave open is the carrier's") {
  const auto set = [](const std::string& gpus, const std::string& flag) {
    return "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nspec:\n  leaderWorkerTemplate:\n    size: "
           "2\n"
           "    leaderTemplate:\n      spec:\n        nodeSelector: {nvidia.com/gpu.product: NVIDIA-H200}\n"
           "        containers:\n        - image: x/sglang:v0.5.23\n"
           "          command: [sglang, serve, " +
           kModels + "Qwen__Qwen3-8B, --tp, \"16\", " + flag +
           ", --dist-init-addr, \"$(A):1\"]\n          resources: {limits: {nvidia.com/gpu: " + gpus + "}}\n";
  };
  struct Row {
    const char* what;
    std::string text;
    const char* verdict;
    const char* rule;  // of the refusal
  };
  for (const Row& row : {
           Row{"two nodes of eight", set("8", "--nnodes, $(LWS_GROUP_SIZE)"), "GO", ""},
           {"in one word", set("8", "--nnodes=$(LWS_GROUP_SIZE)"), "GO", ""},
           {"two nodes of four", set("4", "--nnodes, $(LWS_GROUP_SIZE)"), "NO-GO", "gpus/ranks"},
           {"what the words say goes first", set("4", "--nnodes, \"4\""), "GO", ""},
       }) {
    INFO(row.what);
    const Tree folder({{"a.yaml", row.text}});
    const json report = json::parse(run_gonogo({"check", "--format", "json", folder / "a.yaml"}).out);
    const json& launch = report["launches"][0];
    INFO(launch["why"]);
    CHECK(launch["verdict"] == row.verdict);
    std::string refused;
    for (const json& f : launch["report"]["findings"]) {
      if (f["kind"] == "refusal") refused += f["rule"].get<std::string>();
    }
    CHECK(refused == row.rule);
  }
}
