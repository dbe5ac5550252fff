// A pack of a made-up runtime with every kind of record, and helpers to compile and open packs from text.
#pragma once

#include <stdexcept>
#include <string>

#include "rules/compiler.h"
#include "rules/pack.h"

namespace gonogo::testing {

inline constexpr const char* kToyPack = R"yaml(
pack:
  name: toy
  versions: ["1.0", "1.1"]
  entry_points: ["toy serve"]
  parts: {resolve: [main]}
  models: {model: =model}
  summary: {size: =size}
flags:
- {flags: [--model, --model-path], field: model}
- {flags: [--size, -s], field: size, type: int, default: 1}
- {flags: [--mode], field: mode, choices: [fast, slow], default: fast}
- {flags: [--old-size], field: size, type: int, default: 1, deprecated: true, replacement: --size}
retired_flags: {--parts: --size}
env:
  TOY_READ: {type: bool, default: false, alias: TOY_READ_OLD}
  TOY_ASKED: {type: str}
  TOY_SET: {type: int, default: 3}
  TOY_UNREAD: {type: int, default: 3}
gpus:
  a10: {name: Ten, vendor: nvidia, major: 8, minor: 6, memory_mib: 23028, sm_count: 72}
facts: {layers: "=config.layers or 0"}
functions: {double: {args: [x], value: "=x * 2"}}
classes:
  toy_lm: {defaults: {layers: 4, heads: "=self.layers * 2"}, alias: {n_layer: layers}}
  toy_vl: {defaults: {layers: 4, heads: "=self.layers * 2"}}
state: {seen: false}
tables:
  limits: {fast: 8, slow: 16, slower: {row: 32, versions: ">=1.1"}, slowest: {row: 64, versions: ">=1.1"}}
  names: [one, two]
---
stage: main
check: toy.main
pass: toy_pass
because: toys are small
rules:
- {id: main/set, when: env.TOY_READ, set: {size: =double(size), state.seen: true}}
- {id: main/env, when: "env_is_set('TOY_ASKED')", env: {TOY_SET: 1}}
- id: main/limits
  let: {most: "=table.limits[mode]"}
  when: size > most
  fail: "{mode} mode takes up to {most}, and not {size}"
  flag: size
  see: [toy/limits.md]
  fix: [{size: =most}, {mode: slow, env: {TOY_SET: 2}}]
- id: main/group
  rules:
  - {when: model.layers == 7, warn: "seven layers are unlucky"}
  - {when: model.layers == 8, set: {mode: slow}}
)yaml";

// The blob of `text`, or of `text` over `base`; throws what is wrong with it.
inline std::string compiled(const std::string& text, const Pack* base = nullptr) {
  CompiledPack pack = compile_pack({{"toy.yaml", text}}, base);
  std::string errors;
  for (const Error& e : pack.errors) errors += to_text(e) + "\n";
  if (!errors.empty()) throw std::runtime_error(errors);
  return pack.blob;
}

// A pack with the blob that it reads.
class OpenPack {
 public:
  explicit OpenPack(std::string blob) : blob_(std::move(blob)), pack_(*Pack::open(blob_)) {}
  OpenPack(const OpenPack&) = delete;
  OpenPack& operator=(const OpenPack&) = delete;

  const Pack& operator*() const { return pack_; }
  const Pack* operator->() const { return &pack_; }

 private:
  std::string blob_;
  Pack pack_;
};

inline std::uint32_t rule_named(const Pack& pack, std::string_view id) {
  const std::uint32_t rule = pack.find_rule(id);
  if (rule == kNoIndex) throw std::runtime_error("no rule " + std::string(id));
  return rule;
}

}  // namespace gonogo::testing
