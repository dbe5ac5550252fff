// A small runtime of two versions, resolved over a launch, for tests of reports and fixes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "catch.h"
#include "engine/fixes.h"
#include "engine/resolver.h"
#include "flags/argparse.h"
#include "report/launch_report.h"
#include "report/report.h"
#include "rules/compiler.h"

namespace gonogo::test {

inline const char* const kSamplePack = R"(
pack:
  name: sample
  versions: ["1.0", "2.0"]
  entry_points: ["sample serve"]
  secrets: [api_key]
  models: {model: "= path"}
  summary: {runner: "= runner", size: "= size", quiet: "= None"}
  layers: "= [{'layer': 'experts', 'text': 'on ' + runner, 'size': size}, {'layer': 'head', 'text': 'plain'}] if size != 3 else []"
  parts:
    resolve: [choose, gates]
flags:
- {flags: [--path], field: path}
- {flags: [--runner], field: runner, choices: [auto, fast, safe], default: auto}
- {flags: [--exchange], field: exchange, choices: [none, deep], default: none}
- {flags: [--size], field: size, type: int, default: 1}
- {flags: [--list], field: names, nargs: "+"}
- {flags: [--eager], field: eager, action: store_true, default: false}
- {flags: [--api-key], field: api_key}
env:
  CAPACITY: {type: int, default: 8}
readers_known: [names]
---
stage: choose
pass: _choose
rules:
- id: choose/fast
  log: warning
  versions: "<2.0"
  when: runner == "auto"
  set: {runner: fast}
  because: auto means the fast runner
- id: choose/fast-alone
  versions: ">=2.0"
  when: runner == "auto" and exchange == "none"
  set: {runner: fast}
  because: auto means the fast runner where nothing is exchanged
---
stage: gates
check: gates.check
rules:
- id: gates/no-path
  phase: init
  when: exchange == "deep" and runner == "fast"
  fail: "{runner} has no path for --exchange {exchange}"
  because: the fast runner exchanges nothing
  see: [sample#1]
  fix: [{runner: safe}, {exchange: none}, {version: ">=2.0"}, {runner: fast}]
- id: gates/capacity
  when: exchange == "deep" and size > env.CAPACITY
  fail: "{size} is more than CAPACITY {env.CAPACITY}"
  fix: [{env: {CAPACITY: "= size"}}, {size: null}]
- id: gates/eager
  when: eager
  inert: "--eager does nothing"
  flag: eager
- id: gates/large
  when: size > 100
  warn: "{size} is large"
- id: gates/advice
  when: runner == "safe"
  advise: "fast is 2 x faster"
- id: gates/gpu
  when: size > 1 and gpu.count < 2
  fail: "{size} needs two GPUs"
)";

class NoModels : public Models {
 public:
  ModelFiles at(std::string_view) override { return {Value(), Value::dict(nullptr, 0)}; }
};

class NoHost : public HostFacts {
 public:
  Value file(std::string_view) override { return {}; }
  Value text(std::string_view, Arena&) override { return {}; }
  Value importable(std::string_view) override { return Value::boolean(false); }
  Value infiniband(Arena&) override { return Value::list(nullptr, 0); }
};

// A launch of the sample runtime, resolved; `words` are its arguments.
class Sample {
 public:
  explicit Sample(std::vector<std::string> words, const std::string& version = "1.0", bool gpu = true) {
    CompiledPack compiled = compile_pack({{"sample.yaml", kSamplePack}}, nullptr);
    for (const Error& e : compiled.errors) FAIL_CHECK(to_text(e));
    blob = std::move(compiled.blob);
    pack = std::make_unique<Pack>(*Pack::open(blob));
    std::vector<std::string> command{"sample", "serve"};
    command.insert(command.end(), words.begin(), words.end());
    launch = *read_command(*pack, command);
    runtime.index = pack->version_index(version);
    runtime.installed = version;
    runtime.from = "given";
    if (gpu) world.gpu = GpuFacts{"G", "nvidia", 9, 0, 1000, 10, 8};
    world.models = &models;
    world.host = &host;
    Parsed parsed = parse(*pack, runtime.index, launch.args, arena);
    if (!parsed.ok()) {
      outcome = refused_by_parser(*pack, std::move(parsed.refusals));
      return;
    }
    given = std::move(parsed.given);
    rules = std::make_unique<Runtime>(*pack, runtime.index);
    outcome = resolve(*rules, world, *given, arena);
    const FixSearch search{*pack, world, &*given, runtime.index, launch.args};
    if (outcome.verdict == Verdict::kNoGo) fixes = try_fixes(search, outcome);
  }

  ReportInput input() const {
    return {*pack, launch, runtime, nodes, where, given ? &*given : nullptr, outcome, fixes};
  }
  std::string text(bool color = false) const { return to_text(input(), report_of(input()), color); }
  std::string json() const { return to_json(input(), report_of(input()), 0, nullptr); }
  std::vector<std::string> fixes_that_are(bool enough) const {
    std::vector<std::string> out;
    for (const FixTrial& t : fixes.trials) {
      if (t.enough == enough) out.push_back(fix_text(input(), t));
    }
    return out;
  }

  std::string blob;
  std::unique_ptr<Pack> pack;
  Launch launch;
  RuntimeVersion runtime;
  std::vector<GpuSet> nodes{{{Gpu{"G", "nvidia", 9, 0, 1000, 10, ""}}, "a test"}};
  std::string where = "nowhere";
  NoModels models;
  NoHost host;
  World world;
  Arena arena;
  std::optional<Given> given;
  std::unique_ptr<Runtime> rules;
  Outcome outcome;
  Fixes fixes;
};

}  // namespace gonogo::test
