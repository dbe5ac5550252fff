// Public bug reports, each reduced to one launch (testdata/bugs.jsonl): where the fault is still there in a release
// that the pack covers, the check says so for the right reason; where it is gone, the launch goes and the row says why.
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "catch.h"
#include "cli/run_binary.h"
#include "tree.h"

using gonogo::Tree;
using gonogo::test::Ran;
using gonogo::test::run_gonogo;
using nlohmann::json;

namespace {

constexpr std::size_t kReports = 30;

// The launch's model: a folder of testdata, or one that is written for the row; an entry of `files` is laid beside it.
std::string model_of(const json& row, const Tree& folder) {
  const std::string known = std::string(GONOGO_TESTDATA) + "/models/" + row.value("model", "");
  if (!row.contains("config") && !row.contains("files")) return known;
  if (row.contains("config")) {
    folder.file("config.json", row["config"].dump());
  } else {
    std::filesystem::copy_file(known + "/config.json", folder / "config.json");
  }
  const json files = row.value("files", json::object());
  for (const auto& [name, contents] : files.items()) folder.file(name, contents.dump());
  return folder.path();
}

std::vector<std::string> words_of(const json& argv, const std::string& model) {
  std::vector<std::string> out;
  for (const json& word : argv) out.push_back(word == "$MODEL" ? model : word.get<std::string>());
  return out;
}

json check(const json& row, const Tree& folder) {
  const std::string model = model_of(row, folder);
  std::vector<std::string> args = {"check",    "--gpu", row["gpu"].get<std::string>() + "x8", "--sglang", row["sglang"],
                                   "--format", "json"};
  std::string script;
  if (row.contains("peer")) {
    for (const json& argv : {row["argv"], row["peer"]}) {
      script += "sglang serve";
      for (const std::string& word : words_of(argv, model)) script += " " + word;
      script += " &\n";
    }
    args.emplace_back("-");
  } else {
    args.emplace_back("--");
    const json env = row.value("env", json::object());
    for (const auto& [name, value] : env.items()) {
      args.push_back(name + "=" + value.get<std::string>());
    }
    const std::vector<std::string> words = words_of(row["argv"], model);
    args.insert(args.end(), words.begin(), words.end());
  }
  const Ran ran = run_gonogo(args, script);
  INFO(ran.out << ran.err);
  REQUIRE(!ran.out.empty());
  return json::parse(ran.out);
}

}  // namespace

TEST_CASE("public bug reports get their verdict for the right reason") {
  std::ifstream file(std::string(GONOGO_TESTDATA) + "/bugs.jsonl");
  REQUIRE(file.good());
  std::set<std::string> reports;
  std::map<std::string, int> faults;
  for (std::string line; std::getline(file, line);) {
    const json row = json::parse(line);
    const std::string id = row["id"];
    INFO(id << ": " << row["summary"].get<std::string>());
    const Tree folder;
    const json report = check(row, folder);
    reports.insert(id.substr(0, id.find('/')));
    ++faults[row["fault"]];
    // What is no longer there, or hidden by something else, has a reason.
    CHECK((row["fault"] == "still" || !row.value("because", "").empty()));

    INFO((report.contains("missing") ? report["missing"].dump() : report["launches"].dump().substr(0, 500)));
    CHECK(report["verdict"] == row["verdict"]);
    std::set<std::string> spoken;
    std::string refused;
    for (const json& f : report[row.contains("peer") ? "across" : "findings"]) {
      spoken.insert(f["rule"].get<std::string>());
      if (refused.empty() && f["kind"] == "refusal") refused = f["rule"];
    }
    if (row["verdict"] == "NO-GO") {
      CHECK(refused == row["rule"]);
    } else if (row.contains("rule")) {
      CHECK(spoken.count(row["rule"]) == 1);
    }
    if (row.contains("says")) CHECK(report.dump().find(row["says"].get<std::string>()) != std::string::npos);
    const json resolved = row.value("resolved", json::object());
    for (const auto& [field, value] : resolved.items()) {
      INFO(field);
      CHECK(report["resolved"][field]["value"] == value);
    }
    const json overridden = row.value("overridden", json::object());
    for (const auto& [field, values] : overridden.items()) {
      INFO(field);
      bool told = false;
      for (const json& change : report["overridden"]) {
        told = told || (change["field"] == field && change["typed"] == values[0] && change["value"] == values[1]);
      }
      CHECK(told);
    }
  }
  CHECK(reports.size() == kReports);
  // Of the rows, so many faults are still in a release that is covered, are gone, or are hidden by another refusal.
  CHECK(faults == std::map<std::string, int>{{"still", 17}, {"gone", 15}, {"other", 2}});
}
