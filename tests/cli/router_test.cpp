// A router in front of the servers of its file, end to end: what is said where its addresses and theirs don't fit, and
// that nothing is said in a close neighbour, or where the file doesn't say where they run.
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "catch.h"
#include "cli/run_binary.h"
#include "cli/together.h"
#include "rules/pack.h"
#include "tree.h"

using namespace gonogo::test;
using gonogo::Tree;
using nlohmann::json;

namespace {

std::string launch(const std::string& flags) { return server("Qwen__Qwen3-8B", flags); }

std::string prefill(const std::string& flags) { return launch("--disaggregation-mode prefill " + flags); }
std::string decode(const std::string& flags) { return launch("--disaggregation-mode decode " + flags); }

// At 30000 and 30001.
const std::string kPair = prefill("") + decode("--port 30001");

std::string router(const std::string& flags) {
  return "python3 -m sglang_router.launch_router --port 8000 " + flags + "\n";
}

std::string split(const std::string& flags) { return router("--pd-disaggregation " + flags); }

const std::string kHere = "http://127.0.0.1:";
const std::string kToDecode = " --decode " + kHere + "30001 ";
const std::string kToBoth = "--prefill " + kHere + "30000" + kToDecode;

struct Row {
  const char* what;
  std::string text;
  const char* said;
};

using Spoken = std::set<std::string>;  // rules that had something to say

void check_rows(const char* name, const std::vector<Row>& rows, Spoken* spoken) {
  for (const Row& row : rows) {
    INFO(row.what << "\n" << row.text);
    int status = 0;
    const json report = check(name, row.text, {}, &status);
    INFO(verdicts(report) << report["across"].dump());
    CHECK(said(report) == row.said);
    for (const json& f : report["across"]) spoken->insert(f["rule"].get<std::string>());
    const bool refused = std::string(row.said).find("refusal") != std::string::npos ||
                         verdicts(report).find("NO-GO") != std::string::npos;
    CHECK((report["verdict"] == "NO-GO") == refused);
    CHECK(status == (refused ? 1 : 0));
  }
}

// Services of a compose file; a server's flags, and those of the router.
std::string services(const std::string& server_flags, const std::string& router_flags, const std::string& more = "") {
  return "services:\n"
         "  prefill:\n    image: lmsysorg/sglang:v0.5.23\n" +
         more + "    command: python3 -m sglang.launch_server --model-path " + kModels + "Qwen__Qwen3-8B " +
         server_flags + "\n  router:\n    image: lmsysorg/sglang-router:v0.3.2\n" + more +
         "    command: python3 -m sglang_router.launch_router " + router_flags + "\n";
}

// A Deployment of one container, and the Service before it.
std::string deployment(const std::string& name, const std::string& labels, const std::string& command) {
  return "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: " + name +
         "}\nspec:\n  template:\n    metadata: {labels: {" + labels +
         "}}\n    spec:\n      containers:\n"
         "      - name: main\n        image: lmsysorg/sglang:v0.5.23\n        ports: [{name: http, containerPort: "
         "30000}]\n"
         "        command: [" +
         command + "]\n";
}

std::string pod_server(const std::string& name, const std::string& flags) {
  return deployment(name, "app: " + name,
                    "python3, -m, sglang.launch_server, --model-path, " + kModels + "Qwen__Qwen3-8B, " + flags);
}

std::string pod_router(const std::string& flags) {
  return deployment("router", "app: router", "python3, -m, sglang_router.launch_router, --port, '8000', " + flags);
}

std::string service(const std::string& name, const std::string& ports, const std::string& more = "") {
  return "---\napiVersion: v1\nkind: Service\nmetadata: {name: " + name + "}\nspec: {selector: {app: " + name +
         "}, ports: [" + ports + "]" + more + "}\n";
}

const std::string kOpen = "--host, 0.0.0.0";
const std::string kPods = pod_server("prefill", kOpen + ", --disaggregation-mode, prefill") +
                          pod_server("decode", kOpen + ", --disaggregation-mode, decode") +
                          service("prefill", "{port: 80, targetPort: http}") + service("decode", "{port: 30000}");

// A router's addresses are those of servers of its script.
void addresses(Spoken* spoken) {
  check_rows(
      "a.sh",
      {
          {"a good one", kPair + split("--prefill " + kHere + "30000 8998" + kToDecode), ""},
          {"without a bootstrap port", kPair + split(kToBoth), ""},
          {"prefill and decode swapped", kPair + split("--prefill " + kHere + "30001 --decode " + kHere + "30000"),
           "router/role refusal, router/role refusal"},
          {"one of them", kPair + split("--prefill " + kHere + "30001" + kToDecode),
           "router/role refusal, router/unnamed advice"},
          {"by other names of this machine",
           kPair + split("--prefill http://localhost:30001 8998 --decode 0.0.0.0:30000"),
           "router/role refusal, router/role refusal"},
          {"as one word", kPair + split("--prefill=" + kHere + "30001 --decode=" + kHere + "30001"),
           "router/role refusal, router/unnamed advice"},
          {"several addresses", kPair + prefill("--port 30002") + split(kToBoth + "--prefill " + kHere + "30002 8998"),
           ""},
          {"ordinary servers", launch("") + launch("--port 30001") + split(kToBoth),
           "router/role refusal, router/role refusal"},
          {"an ordinary router in front of halves",
           kPair + router("--worker-urls " + kHere + "30000 " + kHere + "30001"),
           "router/role refusal, router/role refusal"},
          {"and in front of ordinary servers",
           launch("") + launch("--port 30001") + router("--worker-urls " + kHere + "30000 " + kHere + "30001"), ""},
          {"addresses that it drops", kPair + router(kToBoth), "router/dropped refusal, router/dropped refusal"},
          {"of ordinary servers", launch("") + split("--worker-urls " + kHere + "30000"), "router/dropped refusal"},
          {"which another mode than this one needs", kPair + "smg launch --port 8000 --epd-disaggregation " + kToBoth,
           ""},
          {"another bootstrap port", kPair + split("--prefill " + kHere + "30000 8999" + kToDecode),
           "router/bootstrap-port refusal"},
          {"which is the server's",
           prefill("--disaggregation-bootstrap-port 8999") + decode("--port 30001") +
               split("--prefill " + kHere + "30000 8999" + kToDecode),
           ""},
          {"none, and the decode server knows another",
           prefill("--disaggregation-bootstrap-port 8999") + decode("--port 30001") + split(kToBoth),
           "router/bootstrap-port refusal"},
          {"or the same",
           prefill("--disaggregation-bootstrap-port 8999") +
               decode("--port 30001 --disaggregation-bootstrap-port 8999") + split(kToBoth),
           ""},
          {"without a decode server in the file, nobody knows",
           prefill("--disaggregation-bootstrap-port 8999") +
               split("--prefill " + kHere + "30000 --decode http://b:30000"),
           ""},
          {"other ways to start it",
           kPair + "sglang-router launch --port 8000 --pd-disaggregation --prefill " + kHere + "30001" + kToDecode +
               "\npython3 -m sglang_router launch --port 8000 --pd-disaggregation --prefill " + kHere + "30001" +
               kToDecode + "\nsmg launch --port 8000 --pd-disaggregation --decode " + kHere +
               "30000 --prefill http://a:1\n",
           "router/role refusal, router/role refusal"},
          {"which start something else",
           kPair + "python3 -m sglang_router --pd-disaggregation --prefill " + kHere + "30001" + kToDecode +
               "\nsmg serve --pd-disaggregation --prefill " + kHere + "30001" + kToDecode + "\n",
           ""},
          {"its help", kPair + split("--help --prefill " + kHere + "30001"), ""},
          {"a router that is not run", kPair + "echo " + split("--prefill " + kHere + "30001"), ""},
      },
      spoken);
}

// A router calls where somebody listens.
void listeners(Spoken* spoken) {
  check_rows(
      "a.sh",
      {
          {"nobody", kPair + split("--prefill " + kHere + "30002" + kToDecode),
           "router/nobody warning, router/unnamed advice"},
          {"a port that is not known", kPair + split("--prefill " + kHere + "$PORT" + kToDecode), ""},
          {"of a server",
           prefill("--port $P") + decode("--port 30001") + split("--prefill " + kHere + "30002" + kToDecode), ""},
          {"another machine", kPair + split("--prefill http://10.0.0.7:30002" + kToDecode), "router/unnamed advice"},
          {"which may be this one", kPair + split("--prefill http://10.0.0.7:30000" + kToDecode), ""},
          {"the server's own address",
           prefill("--host 10.0.0.7") + split("--prefill http://10.0.0.7:30002 --decode http://b:1"),
           "router/nobody warning, router/unnamed advice"},
          {"as a variable", prefill("--host $IP") + split("--prefill http://$IP:30002 --decode http://b:1"),
           "router/nobody warning, router/unnamed advice"},
          {"right", prefill("--host $IP") + split("--prefill http://$IP:30000 --decode http://b:1"), ""},
          {"a server with one address of its own",
           prefill("--host 10.0.0.7") + split("--prefill " + kHere + "30000 --decode http://b:1"),
           "router/closed refusal"},
          {"that is not known", prefill("--host $IP") + split("--prefill " + kHere + "30000 --decode http://b:1"), ""},
          {"only a second rank listens",
           launch("--tp 8 --nnodes 2 --node-rank 1 --dist-init-addr 10.0.0.1:5000 ") +
               router("--worker-urls " + kHere + "30002"),
           ""},
          {"words that nobody knows may add addresses", kPair + split("--prefill " + kHere + "30000 $MORE"), ""},
          {"or another mode", kPair + router("\"$@\" --prefill " + kHere + "30000" + kToDecode), ""},
          {"an abbreviation is none of ours", kPair + split("--pre " + kHere + "30001" + kToDecode), ""},
          {"nor a flag that the pack doesn't know", kPair + split("--policy random --prefill-policy random " + kToBoth),
           ""},
          {"workers behind another program",
           prefill("") + "python3 -m dynamo.sglang --model-path " + kModels + "Qwen__Qwen3-8B\n" +
               split("--prefill " + kHere + "30002 --decode http://b:1"),
           "router/unnamed advice"},
          {"a server that is refused",
           prefill("--no-such-flag") + split("--prefill " + kHere + "30002 --decode http://b:1"), ""},
      },
      spoken);
}

// A router listens where no server does.
void own_port(Spoken* spoken) {
  const std::string plain = "python3 -m sglang_router.launch_router --worker-urls http://b:30000 ";
  check_rows(
      "a.sh",
      {
          {"the default of both", launch("") + plain, "router/port-taken-in-turn warning"},
          {"another one", launch("") + plain + "--port 8000", ""},
          {"on another machine", "ssh b " + launch("--host 0.0.0.0") + plain, ""},
          {"in a container of its own", "docker run img " + launch("") + plain, ""},
          {"with the host's network", "docker run --network host img " + launch("") + plain,
           "router/port-taken-in-turn warning"},
          {"under conditions of which nobody knows whether they exclude each other",
           "if [ \"$RANK\" -ge 1 ]; then\n" + plain + "\nfi\nif [ \"$RANK\" -lt 1 ]; then\n" + launch("") + "fi\n", ""},
          {"one of them under a condition", launch("") + "if [ -n \"$ROUTER\" ]; then\n" + plain + "\nfi\n",
           "router/port-taken-in-turn warning"},
          {"of two arms", "case $1 in\nrouter) " + plain + ";;\nserver) " + launch("") + ";;\nesac\n", ""},
          {"of two alternatives", "if [ \"$1\" = router ]; then\n" + plain + "\nelse\n" + launch("") + "fi\n", ""},
          {"at other addresses", launch("--host 10.0.0.7") + plain + "--host 10.0.0.8", ""},
          {"at the same", launch("--host 10.0.0.7") + plain + "--host 10.0.0.7", "router/port-taken-in-turn warning"},
      },
      spoken);
  check_rows("Makefile", {{"of two targets", "a:\n\t" + launch("") + "b:\n\t" + plain + "\n", ""}}, spoken);
  check_rows("compose.yaml",
             {{"surely at the same time",
               services("--host 0.0.0.0", "--worker-urls http://127.0.0.1:30000", "    network_mode: host\n"),
               "router/port-taken-together refusal"},
              {"in networks of their own", services("--host 0.0.0.0", "--worker-urls http://prefill:30000"), ""}},
             spoken);
}

// Machines have the names that their file gives them.
void machines(Spoken* spoken) {
  const std::string to_node = "--prefill http://node1:30000 --decode http://b:1";
  check_rows(
      "a.sh",
      {
          {"of ssh", "ssh me@node1 " + decode("--host 0.0.0.0") + split(to_node), "router/role refusal"},
          {"which listens for itself alone", "ssh node1 " + prefill("") + split(to_node), "router/closed refusal"},
          {"another machine's", "ssh node2 " + decode("--host 0.0.0.0") + split(to_node), ""},
          {"of a step", "srun -w node1 " + decode("--host 0.0.0.0") + split(to_node), "router/role refusal"},
          {"a loopback address there",
           "srun -w node1 " + decode("") + split("--prefill " + kHere + "30000 --decode http://b:1"), ""},
      },
      spoken);
  check_rows(
      "compose.yaml",
      {
          {"of a service", services("--host 0.0.0.0", "--worker-urls http://prefill:30000"), ""},
          {"another port", services("--host 0.0.0.0", "--worker-urls http://prefill:30001"), "router/nobody warning"},
          {"a service that listens for itself alone", services("", "--worker-urls http://prefill:30000"),
           "router/closed refusal"},
          {"a service that is not here", services("", "--worker-urls http://other:30000"), ""},
      },
      spoken);
  check_rows("a.md",
             {{"of two fences, nobody knows",
               "```bash\n" + prefill("") + "```\n\n```bash\n" +
                   split("--prefill " + kHere + "30002 --decode http://b:1") + "```\n",
               ""},
              {"nor where commands of one run",
               "```bash\n" + kPair + router("--worker-urls " + kHere + "30005 --port 30000") + "```\n", ""},
              {"which names them", "```bash\n" + kPair + split("--prefill " + kHere + "30001" + kToDecode) + "```\n",
               "router/role refusal"}},
             spoken);
}

// Services and labels of a manifest lead to its servers.
void manifests(Spoken* spoken) {
  const auto pd = [](const std::string& to) { return pod_router("--pd-disaggregation, " + to); };
  check_rows(
      "a.yaml",
      {
          {"by Services", kPods + pd("--prefill, 'http://prefill:80', --decode, 'http://decode:30000'"), ""},
          {"swapped", kPods + pd("--prefill, 'http://decode:30000', --decode, 'http://prefill:80'"),
           "router/role refusal, router/role refusal"},
          {"a port that the Service hasn't",
           kPods + pd("--prefill, 'http://prefill:30000', --decode, 'http://decode:30000'"), "router/nobody warning"},
          {"a Service that leads nowhere",
           pod_server("decode", kOpen) + service("decode", "{port: 80, targetPort: 8080}") +
               pod_router("--worker-urls, 'http://decode:80'"),
           "router/nobody warning"},
          {"by a name that no port has",
           pod_server("decode", kOpen) + service("decode", "{port: 80, targetPort: grpc}") +
               pod_router("--worker-urls, 'http://decode:80'"),
           ""},
          {"a Service of the pods themselves",
           pod_server("decode", kOpen) + service("decode", "{port: 80}", ", clusterIP: None") +
               pod_router("--worker-urls, 'http://decode:30000'"),
           ""},
          {"without a Service nobody knows",
           pod_server("decode", "--port, '1'") + pod_router("--worker-urls, 'http://decode:80'"), ""},
          {"a loopback address of another pod",
           pod_server("decode", "--port, '1'") + pod_router("--worker-urls, 'http://127.0.0.1:80'"), ""},
          {"labels",
           kPods + pd("--service-discovery, --service-discovery-port, '30000', --prefill-selector, app=prefill, "
                      "--decode-selector, app=decode"),
           ""},
          {"swapped labels",
           kPods + pd("--service-discovery, --service-discovery-port, '30000', --prefill-selector, app=decode, "
                      "--decode-selector, app=prefill"),
           "router/role refusal, router/role refusal"},
          {"its default port",
           kPods + pd("--service-discovery, --prefill-selector, app=prefill, --decode-selector, app=decode"),
           "router/nobody warning, router/nobody warning"},
          {"a label that somebody else adds",
           kPods + pd("--service-discovery, --prefill-selector, app=prefill x=y, --decode-selector, app=decode x=y"),
           ""},
          {"unless it is to look for them",
           kPods + pd("--prefill-selector, app=decode, --prefill, 'http://x:1', --decode, 'http://y:1'"), ""},
          {"the other mode's labels",
           kPods +
               pod_router("--service-discovery, --service-discovery-port, '30000', --prefill-selector, app=prefill"),
           "router/dropped refusal"},
      },
      spoken);
}

// Keys are compared.
void keys(Spoken* spoken) {
  const std::string to = "--worker-urls " + kHere + "30000 ";
  check_rows("a.sh",
             {{"another", launch("--api-key sk-one-two") + router(to + "--api-key sk-other"), "router/api-key warning"},
              {"the same", launch("--api-key sk-one-two") + router(to + "--api-key sk-one-two"), ""},
              {"of the server alone", launch("--api-key sk-one-two") + router(to), ""},
              {"of two variables", launch("--api-key $A") + router(to + "--api-key $B"), ""}},
             spoken);
}

}  // namespace

TEST_CASE("each rule about routers speaks, and rests in a close neighbour") {
  Spoken spoken;
  for (const auto table : {addresses, listeners, own_port, machines, manifests, keys}) table(&spoken);
  const gonogo::Pack& pack = gonogo::Pack::embedded();
  for (const gonogo::RuleRec& rule : pack.rules) {
    const bool speaks = rule.action != gonogo::Action::kRules && rule.action != gonogo::Action::kFirst;
    const std::string id(pack.text(rule.id));
    if (rule.between == 0 || !speaks || id.rfind("router/", 0) != 0) continue;
    INFO(id);
    CHECK(spoken.count(id) == 1);
  }
}

TEST_CASE("keys are never shown") {
  const Tree tree;
  const std::string file =
      tree.file("a.sh", launch("--api-key sk-one-two") +
                            router("--worker-urls http://me:hunter2@127.0.0.1:30001 --api-key sk-other"));
  for (const char* format : {"text", "json", "sarif", "markdown", "github", "junit"}) {
    const Ran ran = run_gonogo({"check", "--gpu", "h200x8", "--format", format, file});
    INFO(format << ran.out << ran.err);
    CHECK(ran.out.find("router/nobody") != std::string::npos);
    for (const char* secret : {"sk-one-two", "sk-other", "hunter2"}) CHECK(ran.out.find(secret) == std::string::npos);
  }
}

TEST_CASE("a finding about a router points into the manifest at both") {
  int status = 0;
  const std::string text = kPods + pod_router(
                                       "--pd-disaggregation, --decode, 'http://decode:30000',\n"
                                       "          --prefill, 'http://decode:30000'");
  const json report = check("a.yaml", text, {}, &status);
  REQUIRE(report["across"].size() == 1);
  const json& finding = report["across"][0];
  REQUIRE(finding["launches"].size() == 2);
  // What stands at a place.
  const auto at = [&](const json& place) {
    std::istringstream lines(text);
    std::string line;
    for (int i = 0; i < place["line"]; ++i) std::getline(lines, line);
    const std::string rest = line.substr(place["column"].get<std::size_t>() - 1);
    return place["line"].dump() + ":" + place["column"].dump() + " " + rest.substr(0, rest.find_first_of(",]'"));
  };
  const json& from = finding["launches"][0];
  CHECK(from["role"] == "router");
  CHECK(at(from) == "49:19 python3");
  CHECK(at(from["word"]) == "50:23 http://decode:30000");
  const json& to = finding["launches"][1];
  CHECK(to["role"] == "server");
  CHECK(at(to) == "26:19 python3");
  const std::string word = at(to["word"]);
  CHECK(word.substr(0, 3) == "26:");
  CHECK(word.substr(word.find(' ')) == " decode");
  CHECK(status == 1);
}

TEST_CASE("a router is no launch") {
  const Tree tree;
  const std::string file = tree.file("a.sh", split(kToBoth));
  const Ran listed = run_gonogo({"launches", "--format", "json", file});
  CHECK(json::parse(listed.out)["launches"].empty());
  CHECK(json::parse(listed.out)["not_launches"].empty());
  const Ran checked = run_gonogo({"check", "--format", "json", file});
  CHECK(json::parse(checked.out)["files_without_launch"] == 1);
  CHECK(json::parse(checked.out)["across"].empty());
}
