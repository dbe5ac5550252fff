// Whole files, from their text to launches: each form, what the carrier knows, and what is no launch.
#include <string>
#include <vector>

#include "carriers/launch_finder.h"
#include "catch.h"
#include "found_rows.h"

using namespace gonogo;

namespace {

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : " ") + text;
  return out;
}

// "line entry | words | env | unknowns | facts | condition", a launch a line; empty parts stay.
std::string summary(const FileLaunches& found) {
  std::string out;
  for (const FoundLaunch& l : found.launches) {
    std::vector<std::string> words;
    std::vector<std::string> env;
    std::string facts = testing::facts_text(l);
    for (const FoundWord& w : l.args)
      words.push_back(w.text.find(' ') == std::string::npos ? w.text : "[" + w.text + "]");
    for (const FoundVariable& v : l.env) env.push_back(v.name + "=" + v.value.text);
    for (const std::string& role : l.roles) facts += " " + role;
    out += std::to_string(l.place.line) + " " + l.entry + " | " + joined(words) + " | " + joined(env) + " | " +
           joined(l.unknowns) + " |" + facts + " | " + l.conditional.value_or("") + "\n";
  }
  return out;
}

void check(const std::vector<testing::FoundRow>& rows) {
  for (const testing::FoundRow& row : rows) {
    INFO(row.what);
    const auto found = find_launches(Pack::embedded(), row.name, row.text, {});
    if (!found.ok()) FAIL(to_text(found.error()));
    CHECK(found->form == row.form);
    CHECK(summary(*found) == row.launches);
  }
}

}  // namespace

TEST_CASE("Kubernetes") {
  check({
      {"command and args, references, limits, a product", "a.yaml",
       "apiVersion: v1\nkind: Pod\nspec:\n  nodeSelector: {nvidia.com/gpu.product: NVIDIA-H200}\n  containers:\n"
       "  - image: reg.io/x/sglang:v0.5.23-cu130\n    command: [python3, -m, sglang.launch_server]\n"
       "    args: [--model-path, $(M), --host, $(IP), --chat-template, $$(M), --x=$HOST]\n"
       "    env:\n    - {name: M, value: org/m}\n    - {name: IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}\n"
       "    resources: {limits: {nvidia.com/gpu: \"4\"}}\n",
       "kubernetes",
       "7 sglang.launch_server | --model-path org/m --host ${IP} --chat-template $(M) --x=$HOST | M=org/m | IP | "
       "v0.5.23 gpus=4 "
       "gpu=NVIDIA-H200 | \n"},
      {"a probe, a hook and an annotation start nothing", "a.yaml",
       "apiVersion: v1\nkind: Pod\nmetadata: {annotations: {n: python3 -m sglang.launch_server --model-path "
       "no/t}}\nspec:\n"
       "  containers:\n  - command: [sleep, \"1\"]\n    livenessProbe: {exec: {command: [python3, -m, "
       "sglang.launch_server]}}\n"
       "    lifecycle: {preStop: {exec: {command: [python3, -m, sglang.launch_server]}}}\n",
       "kubernetes", ""},
      {"leader and worker of a set", "a.yaml",
       "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nspec:\n  leaderWorkerTemplate:\n    size: 3\n"
       "    leaderTemplate:\n      spec:\n        containers:\n        - command: [sglang, serve, m, --node-rank, "
       "\"0\"]\n"
       "    workerTemplate:\n      spec:\n        containers:\n        - command: [sglang, serve, m, --node-rank, "
       "$(LWS_WORKER_INDEX)]\n",
       "kubernetes",
       "9 sglang serve | m --node-rank 0 |  |  | nnodes=3 leader | \n"
       "13 sglang serve | m --node-rank ${LWS_WORKER_INDEX} |  | LWS_WORKER_INDEX | nnodes=3 worker | \n"},
      {"--nnodes goes before the group's size", "a.yaml",
       "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nspec:\n  leaderWorkerTemplate:\n    size: 3\n"
       "    workerTemplate:\n      spec:\n        containers:\n        - command: [sglang, serve, m, --nnodes, "
       "\"2\"]\n",
       "kubernetes", "9 sglang serve | m --nnodes 2 |  |  | nnodes=2 worker | \n"},
      {"a role of a kind of its own", "a.yaml",
       "apiVersion: ome.io/v1beta1\nkind: ClusterServingRuntime\nspec:\n  engineConfig:\n    runner:\n"
       "      command:\n      - python3\n      - -m\n      - sglang.launch_server\n      - --disaggregation-mode\n     "
       " - prefill\n"
       "      resources: {requests: {nvidia.com/gpu: 2}}\n",
       "kubernetes", "7 sglang.launch_server | --disaggregation-mode prefill |  |  | gpus=2 prefill | \n"},
      {"the environment of a ConfigMap of the file", "a.yaml",
       "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {A: \"1\"}\n---\napiVersion: v1\nkind: Pod\nspec:\n"
       "  containers:\n  - command: [sglang, serve, m]\n    envFrom: [{configMapRef: {name: c}, prefix: P_}, "
       "{configMapRef: {name: d}}]\n"
       "    env: [{name: B, value: $(P_A)x}, {name: C}]\n",
       "kubernetes", "10 sglang serve | m | B=1x C= P_A=1 |  | | \n"},
      {"an image and its version side by side", "a.yaml",
       "apiVersion: v1\nkind: BackendRuntime\nspec:\n  command: [python3, -m, sglang.launch_server]\n  image: "
       "x/sglang\n"
       "  version: v0.5.22-cu126\n",
       "kubernetes", "4 sglang.launch_server |  |  |  | v0.5.22 | \n"},
  });
}

TEST_CASE("compose") {
  check({
      {"entry point and folded command, count", "compose.yaml",
       "services:\n  a:\n    image: x/sglang:${TAG:-v0.5.23}\n    entrypoint: python3 -m sglang.launch_server\n    "
       "command: >\n"
       "      --model-path org/m\n      --json-model-override-args '{\"a\": 1}'\n    environment: [A=1, B, \"C=$$d\"]\n"
       "    deploy: {resources: {reservations: {devices: [{count: 2, capabilities: [gpu]}]}}}\n",
       "compose",
       "4 sglang.launch_server | --model-path org/m --json-model-override-args [{\"a\": 1}] | A=1 C=$d |  | v0.5.23 "
       "gpus=2 | \n"},
      {"merge keys, numbers and nulls, device list", "x.yml",
       "x-e: &e {A: 010, N: null}\nservices:\n  a:\n    environment: {<<: *e, B: '${U}'}\n    command: [sglang, serve, "
       "m, --tp, '${U}']\n"
       "    gpus: [{device_ids: ['0', '3']}]\n",
       "compose", "5 sglang serve | m --tp ${U} | A=010 B=${U} | U | gpus=2 | \n"},
      {"a service that extends another", "x.yml",
       "services:\n  base:\n    environment: {A: 1}\n    command: [sglang, serve, m]\n    gpus: all\n  b:\n    "
       "extends: base\n"
       "    environment: {A: 2}\n",
       "compose", "4 sglang serve | m | A=1 |  | | \n4 sglang serve | m | A=2 |  | | \n"},
  });
}

TEST_CASE("other forms") {
  check({
      {"Dockerfile", "Dockerfile",
       "FROM x/sglang:v0.5.21\nENV A=1\nENTRYPOINT [\"python3\", \"-m\", \"sglang.launch_server\"]\nCMD "
       "[\"--model-path\", \"$M\"]\n",
       "dockerfile", "3 sglang.launch_server | --model-path $M | A=1 |  | v0.5.21 | \n"},
      {"systemd", "a.service",
       "[Service]\nEnvironment=A=%i\nExecStart=/opt/bin/python3 -m sglang.launch_server \\\n  --model-path /m/%i "
       "$MORE\n",
       "systemd", "3 sglang.launch_server | --model-path /m/%i ${MORE} | A=%i | %i MORE | | \n"},
      {"Ray Serve in Python", "app.py",
       "from ray.serve.llm import LLMConfig\nc = LLMConfig(\n    accelerator_type='H100',\n    "
       "runtime_env={'env_vars': {'A': '1'}},\n"
       "    engine_kwargs={'model_path': 'org/m', 'tp_size': 2, 'trust_remote_code': True, 'x_y': False, 'z': "
       "None},\n)\n",
       "ray-serve", "2 sglang.Engine | --model-path org/m --tp-size 2 --trust-remote-code | A=1 |  | gpu=H100 | \n"},
      {"an engine in Python", "app.py",
       "import os\nimport sglang as sgl\nos.environ['A'] = '1'\ne = sgl.Engine(model_path=os.environ['M'], "
       "lora_paths=['a', 'b'])\nOther.Engine(x=1)\n",
       "ray-serve", "4 sglang.Engine | --model-path ${M} --lora-paths a b | A=1 | M | | \n"},
      {"Ray Serve in YAML", "app.yaml",
       "applications:\n- args:\n    llm_configs:\n    - accelerator_type: L40S\n      engine_kwargs:\n        "
       "model_path: org/m\n        tp_size: 1\n",
       "ray-serve", "5 sglang.Engine | --model-path org/m --tp-size 1 |  |  | gpu=L40S | \n"},
      {"flags in a file", "worker.yaml",
       "model-path: org/m\ntp_size: 2\ntrust-remote-code: true\nenable-metrics: false\n", "config",
       "1 sglang.launch_server | --model-path org/m --tp-size 2 --trust-remote-code |  |  | | \n"},
      {"other YAML", "values.yaml", "model-path: org/m\nreplicas: 2\n", "yaml", ""},
  });
}

TEST_CASE("recipes of a launcher that the pack describes") {
  check({
      {"one block a role, sorted; numbers as Python prints them", "r.yaml",
       "model: {container: x/sglang:v0.5.23}\nresources: {gpu_type: b200, gpus_per_node: 8, decode_nodes: 4, "
       "decode_workers: 2}\n"
       "frontend: {type: sglang}\nbackend:\n  decode_environment: {A: 1}\n  sglang_config:\n    decode:\n      "
       "tp-size: 16\n"
       "      served-model-name: m\n      mem-fraction-static: 0.90\n      disaggregation-mode: decode\n      "
       "enable_x: true\n      off: false\n",
       "srt-slurm",
       "7 sglang.launch_server | --model-path /model --served-model-name m --disaggregation-mode decode --enable-x "
       "--mem-fraction-static 0.9 "
       "--tp-size 16 --nnodes 2 --node-rank 0 --dist-init-addr 10.0.0.1:29500 | A=1 |  | v0.5.23 gpus=8 gpu=b200 "
       "nnodes=2 decode | \n"},
      {"overrides, zipped ones and sweeps", "r.yaml",
       "base:\n  backend:\n    sglang_config:\n      aggregated: {tp: 1, a: x, s: \"{n}\"}\noverride_p:\n  backend: "
       "{sglang_config: {aggregated: {a: null}}}\n"
       "zip_override_q:\n  backend: {sglang_config: {aggregated: {tp: [2, 4]}}}\n",
       "srt-slurm",
       "4 dynamo.sglang | --model-path /model --s {n} --tp 1 |  | {n} | | \n"
       "4 dynamo.sglang | --model-path /model --a x --s {n} --tp 2 |  | {n} | | \n"
       "4 dynamo.sglang | --model-path /model --a x --s {n} --tp 4 |  | {n} | | \n"},
  });
}

TEST_CASE("templates are never errors") {
  struct Template {
    const char* what;
    const char* text;
    bool templated;
  };
  const std::vector<Template> rows = {
      {"values",
       "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - command: [sglang, serve, {{ .Values.model | quote }}]\n",
       true},
      {"lines", "{{- if .Values.on }}\napiVersion: v1\nkind: Pod\n{{- end }}\n", true},
      {"not even YAML when masked", "apiVersion: v1\n{{ .a }}: {{ .b }}: {{ .c }}\n", true},
      {"braces of a script",
       "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - args: [sh, -c, \"docker ps --format '{{.Names}}'\"]\n",
       false},
      {"braces of a block",
       "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - args:\n    - |\n      docker ps --format '{{.Names}}'\n",
       false},
  };
  for (const Template& row : rows) {
    INFO(row.what);
    const auto found = find_launches(Pack::embedded(), "t.yaml", row.text, {});
    REQUIRE(found.ok());
    CHECK(found->templated == row.templated);
    CHECK((found->form == "helm") == row.templated);
  }
}

TEST_CASE("carriage returns are not there, and are told") {
  const auto found =
      find_launches(Pack::embedded(), "a.yaml",
                    "apiVersion: v1\r\nkind: Pod\r\nspec:\r\n  containers:\r\n  - command: [sglang, serve, m]\r\n", {});
  REQUIRE(found.ok());
  CHECK(found->crlf);
  CHECK(summary(*found) == "5 sglang serve | m |  |  | | \n");
}

TEST_CASE("what is not given may be supplied") {
  const auto found =
      find_launches(Pack::embedded(), "a.yaml",
                    "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - command: [sglang, serve, m, --tp, $(TP)]\n",
                    {{{"TP", "4"}}});
  REQUIRE(found.ok());
  CHECK(summary(*found) == "5 sglang serve | m --tp 4 |  |  | | \n");
}

TEST_CASE("words point at the file") {
  const auto found =
      find_launches(Pack::embedded(), "a.yaml",
                    "services:\n  a:\n    command: >-\n      sglang serve m\n      --tp 2 --dp '4'\n", {});
  REQUIRE(found.ok());
  REQUIRE(found->launches.size() == 1);
  const FoundLaunch& l = found->launches[0];
  REQUIRE(l.args.size() == 5);
  CHECK(l.args[0].place.line == 4);
  CHECK(l.args[2].text == "2");
  CHECK(l.args[2].place.line == 5);
  CHECK(l.args[2].place.column == 12);
  CHECK(l.args[2].literal);
}

TEST_CASE("what of a file runs together") {
  struct Unit {
    const char* what;
    const char* name;
    std::string text;
    const char* units;  // of each launch, in order
  };
  const std::string pod = "apiVersion: v1\nkind: Pod\nspec: {containers: [{command: [sglang, serve, m]}]}\n";
  const std::string recipe =
      "base:\n  model: {path: m}\n  backend:\n    sglang_config:\n      prefill: {tp-size: 2}\n"
      "      decode: {tp-size: 2}\n"
      "zip_override_x:\n  backend: {sglang_config: {decode: {tp-size: [2, 4]}}}\n";
  for (const Unit& row : {
           Unit{"a script", "a.sh", "sglang serve m --tp 1\nsglang serve m --tp 2\n", "; "},
           {"each document of a manifest", "a.yaml", pod + "---\n" + pod, "document 1; document 2"},
           {"each fence", "a.md", "```bash\nsglang serve m\n```\n\n```bash\nsglang serve m\n```\n", "fence 1; fence 2"},
           {"each variant of a recipe; what is the same in several is one launch", "a.yaml", recipe,
            "zip_override_x[0], zip_override_x[1]; zip_override_x[0]; zip_override_x[1]"},
       }) {
    INFO(row.what);
    const auto found = find_launches(Pack::embedded(), row.name, row.text, {});
    if (!found.ok()) FAIL(to_text(found.error()));
    std::string units;
    for (std::size_t i = 0; i < found->launches.size(); ++i) {
      units += i > 0 ? "; " : "";
      const auto& own = found->launches[i].units;
      for (std::size_t k = 0; k < own.size(); ++k) units += (k > 0 ? ", " : "") + own[k];
    }
    CHECK(units == row.units);
  }
}

TEST_CASE("a key that stands twice is an error where kubectl and compose refuse it") {
  const auto found = find_launches(
      Pack::embedded(), "a.yaml",
      "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - command: [sglang, serve, m]\n    command: [sleep]\n", {});
  REQUIRE_FALSE(found.ok());
  CHECK(found.error().place.line == 6);
}
