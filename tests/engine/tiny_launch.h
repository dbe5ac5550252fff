// A launch of a pack given as text, resolved, and its outcome as short texts that tables can hold.
#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/json.h"
#include "engine/resolver.h"
#include "flags/argparse.h"
#include "launch/launch.h"
#include "rules/compiler.h"

namespace gonogo::testing {

// What surrounds a tiny launch. Without a GPU gpu.* is unknown, and so is config.* without a config.
struct Around {
  std::string version = "1.0";
  bool gpu = false;
  std::string config{};  // JSON of the model; of "x-draft" instead where the path is that
  std::string draft_config{};
  std::map<std::string, std::string, std::less<>> env{};
};

class TinyModels : public Models {
 public:
  explicit TinyModels(const Around& around) : around_(around) {}
  ModelFiles at(std::string_view path) override {
    const std::string& text = path == "x-draft" ? around_.draft_config : around_.config;
    if (text.empty()) return {Value::unknown("the config"), Value::unknown("the files")};
    auto config = parse_json(text, "config.json", arena_);
    if (!config) throw std::runtime_error(to_text(config.error()));
    return {*config, Value::dict(nullptr, 0)};
  }

 private:
  Around around_;
  Arena arena_;
};

class TinyHost : public HostFacts {
 public:
  Value file(std::string_view path) override { return path == "/dir" ? Value::str("directory") : Value(); }
  Value text(std::string_view path, Arena&) override {
    return path == "/near" ? Value::str("{\"steps\": [1, 3]}") : path == "/far" ? Value::unknown("a file") : Value();
  }
  Value importable(std::string_view) override { return Value::unknown("the installed modules"); }
  Value infiniband(Arena&) override { return Value::unknown("the InfiniBand devices"); }
};

// A value as a table shows it: its repr, "unknown", or the name of the error.
inline std::string shown(const Value& v) {
  if (v.is_unknown()) return "unknown";
  return v.is_error() ? std::string(error_name(v.error_kind())) : to_repr(v);
}

inline std::string compiled_or_throw(const std::string& text, const Pack* base = nullptr) {
  CompiledPack made = compile_pack({{"tiny.yaml", text}}, base);
  std::string errors;
  for (const Error& e : made.errors) errors += to_text(e) + "\n";
  if (!errors.empty()) throw std::runtime_error(errors);
  return made.blob;
}

// Resolves at construction; throws where the pack does not compile or the words do not parse.
class TinyLaunch {
 public:
  TinyLaunch(const std::string& pack_text, const std::vector<std::string>& words, const Around& around = {})
      : TinyLaunch(Blob{compiled_or_throw(pack_text)}, words, around) {}

  struct Blob {
    std::string bytes;
  };
  TinyLaunch(Blob made, const std::vector<std::string>& words, const Around& around)
      : blob_(std::move(made.bytes)), pack(*Pack::open(blob_)), models_(around) {
    World world;
    if (around.gpu) world.gpu = GpuFacts{"Ten", "nvidia", 9, 0, 1000, 10, 8};
    world.env = around.env;
    world.models = &models_;
    world.host = &host_;
    const std::uint32_t version = pack.version_index(around.version);
    std::vector<std::string> command{"tiny"};
    command.insert(command.end(), words.begin(), words.end());
    auto launch = read_command(pack, command);
    if (!launch) throw std::runtime_error(to_text(launch.error()));
    Parsed parsed = parse(pack, version, launch->args, arena_);
    if (!parsed.ok()) throw std::runtime_error("the words do not parse: " + parsed.refusals.at(0).message);
    runtime_ = std::make_unique<Runtime>(pack, version);
    outcome = resolve(*runtime_, world, parsed.given, arena_, {.plan = true, .peers = true});
  }

  // A resolved field.
  std::string field(std::string_view name) const {
    for (std::uint32_t i = 0; i < pack.fields.size(); ++i) {
      if (pack.field_name(i) == name) return shown(outcome.fields[i]);
    }
    return "no field " + std::string(name);
  }
  std::string summary(std::string_view label) const {
    for (const auto& [name, value] : outcome.summary) {
      if (pack.text(name) == label) return shown(value);
    }
    return "no label " + std::string(label);
  }
  // "field=value by rule; …", in the order of the writes.
  std::string history() const {
    std::string out;
    for (const Change& c : outcome.history) {
      if (!out.empty()) out += "; ";
      out += std::string(pack.field_name(c.field)) + "=" + shown(c.value) + " by " + rule(c.rule);
    }
    return out;
  }
  // "message; …"; what is uncertain ends with '?', what is behind a refusal with '~'.
  std::string findings() const {
    std::string out;
    for (const Finding& f : outcome.findings) {
      if (!out.empty()) out += "; ";
      out += f.message + (f.certain ? "" : "?") + (f.behind_failure ? "~" : "");
    }
    return out;
  }
  std::string verdict() const {
    return outcome.verdict == Verdict::kGo ? "GO" : outcome.verdict == Verdict::kNoGo ? "NO-GO" : "UNKNOWN";
  }
  std::string rule(std::uint32_t index) const { return std::string(pack.text(pack.rules[index].id)); }

 private:
  std::string blob_;

 public:
  const Pack pack;
  Outcome outcome;

 private:
  TinyModels models_;
  TinyHost host_;
  Arena arena_;
  std::unique_ptr<Runtime> runtime_;
};

}  // namespace gonogo::testing
