// A pack of a made-up runtime, compiled from text: one flag of every kind, in two versions.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "launch/launch.h"
#include "rules/compiler.h"
#include "rules/pack.h"

namespace gonogo::testing {

inline constexpr const char* kSmallPack = R"(
pack:
  name: toy
  earlier: ["0.8", "0.9"]
  versions: ["1.0", "1.1"]
  entry_points: ["python -m toy.launch", "toy serve [--model] !--backend"]
  secrets: [api-key, token_of]
flags:
- {flags: [-h, --help], action: help}
- {flags: [-V, --version], action: version}
- {flags: [-v], field: verbose, action: store_true, default: false}
- {flags: [-o, --out], field: out}
- {flags: [--model, --model-path], field: model, required: true}
- {flags: [--size, --tensor-size], field: size, type: int, default: 1}
- {flags: [--share], field: share, type: float, default: 0.5}
- {flags: [--length], field: length, type: human_int}
- {flags: [--quant], field: quant, type: nullable_str}
- {flags: [--mode], field: mode, choices: [fast, slow, careful], default: fast, versions: "<1.1"}
- {flags: [--mode], field: mode, choices: [quick, slow], default: quick, retired: {fast: "it is quick now"}, versions: ">=1.1"}
- {flags: [--lanes], field: lanes, type: int, choices: [1, 2, 4]}
- {flags: [--trust], field: trust, action: store_true, default: false}
- {flags: [--fold, --no-fold], field: fold, action: boolean_optional}
- {flags: [--old-trust], field: trust, action: store_const, nargs: "none", const: true, default: false, deprecated: true, replacement: --trust}
- {flags: [--one], field: trust, action: store_const, const: true, choices: [yes-please], default: false}
- {flags: [--check], field: check, nargs: "?", const: all}
- {flags: [--ports], field: ports, type: int, nargs: "+"}
- {flags: [--tags], field: tags, nargs: "*"}
- {flags: [--adapters], field: adapters, action: named_paths, shape: {name: {}, path: {}}}
- {flags: [--graph], field: graph, type: json, shape: {decode: {kind: [gone], max: []}, prefill: {kind: []}}}
- {flags: [--extra], field: extra, type: json}
- {flags: [--api-key], field: api_key}
- {flags: [--newer], field: newer, action: store_true, default: false, versions: ">=1.1"}
- {flags: [--older], field: older, action: store_true, default: false, versions: "<1.1"}
- {flags: [--file], config_file: true}
earlier_flags:
- {flags: [--model-path, --model], field: model, required: true}
- {flags: [--size], field: size, type: int}
- {flags: [--mode], field: mode, choices: [fast, slow, careful]}
- {flags: [--fold, --no-fold], field: fold, action: boolean_optional}
- {flags: [--parts], field: parts, type: int}
- {flags: [--port-list], field: ports, type: int, nargs: "+"}
- {flags: [--out-dir], field: out_dir, versions: "<0.9"}
- {flags: [--no-trust], field: no_trust, action: store_true, versions: ">=0.9"}
- {flags: [--way], field: way, choices: [fast, slow]}
- {flags: [--log-level], field: log_level}
- {flags: [--logs], field: logs, nargs: "*"}
- {flags: [--lost], field: lost}
retired_flags:
  --parts: --size
  --port-list: --ports
  --no-trust: --check=none
  --way: {write: --mode, values: {fast: quick}}
  --older: --way
  --log-level: null
  --logs: null
fields: {seed: null}
)";

inline const Pack& small_pack() {
  static const std::string blob = [] {
    // The blob is read in place and must be aligned; std::string's buffer is, for more than a few bytes.
    CompiledPack compiled = compile_pack({{"toy.yaml", kSmallPack}}, nullptr);
    std::string errors;
    for (const Error& e : compiled.errors) errors += to_text(e) + "\n";
    if (!errors.empty()) throw std::runtime_error(errors);
    return compiled.blob;
  }();
  static const Pack pack = *Pack::open(blob);
  return pack;
}

inline std::vector<Word> words(const std::vector<std::string>& texts) {
  std::vector<Word> out;
  int column = 1;
  for (const std::string& text : texts) {
    out.push_back({text, {"argv", 1, column}});
    column += static_cast<int>(text.size()) + 1;
  }
  return out;
}

// "a b  c" as words; a word in '…' may hold spaces or be empty.
inline std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> out;
  std::string word;
  bool quoted = false;
  bool any = false;
  for (const char c : line + " ") {
    if (c == '\'') {
      quoted = !quoted;
      any = true;
    } else if (c == ' ' && !quoted) {
      if (any || !word.empty()) out.push_back(word);
      word.clear();
      any = false;
    } else {
      word += c;
    }
  }
  return out;
}

}  // namespace gonogo::testing
