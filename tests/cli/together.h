// What the tests of launches that work together share: their texts, and what a check of a file says of them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "catch.h"
#include "cli/run_binary.h"
#include "tree.h"

namespace gonogo::test {

inline const std::string kModels = std::string(GONOGO_TESTDATA) + "/models/";

inline std::string server(const std::string& model, const std::string& flags) {
  return "python3 -m sglang.launch_server --model-path " + kModels + model + " --trust-remote-code " + flags + " &\n";
}

// "rule kind, …" of what is said between launches.
inline std::string said(const nlohmann::json& report) {
  std::string out;
  for (const nlohmann::json& f : report["across"]) {
    out += (out.empty() ? "" : ", ") + f["rule"].get<std::string>() + " " + f["kind"].get<std::string>();
  }
  return out;
}

// "GO why; …" of each launch.
inline std::string verdicts(const nlohmann::json& report) {
  std::string out;
  for (const nlohmann::json& l : report["launches"])
    out += l["verdict"].get<std::string>() + " " + l["why"].get<std::string>() + "; ";
  return out;
}

inline nlohmann::json check(const std::string& name, const std::string& text, const std::vector<std::string>& options,
                            int* status, const std::string& gpu = "h200x8") {
  const Tree tree;
  std::vector<std::string> args = {"check", "--gpu", gpu, "--format", "json"};
  args.insert(args.end(), options.begin(), options.end());
  args.push_back(tree.file(name, text));
  const Ran ran = run_gonogo(args);
  INFO(ran.out << ran.err);
  *status = ran.status;
  return nlohmann::json::parse(ran.out);
}

}  // namespace gonogo::test
