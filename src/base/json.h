// JSON text to Value and back. Reading is for hostile input: size and depth are limited, duplicate keys are
// errors, and every error has its line and column. Python's NaN, Infinity and -Infinity are accepted, since
// checkpoints' config files hold them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/result.h"
#include "base/value.h"

namespace gonogo {

struct JsonLimits {
  std::size_t bytes = 16u << 20;
  int depth = 100;
};

// Parses `text`, whose name in messages is `file`. The value lives in `arena`.
Result<Value> parse_json(std::string_view text, std::string_view file, Arena& arena, JsonLimits limits = {});

// Reads and parses a regular file; a directory, an unreadable or an oversized file is an error that says so.
Result<Value> load_json(const std::string& path, Arena& arena, JsonLimits limits = {});

// `v` as JSON in one line, or with two-space indentation. Tuples become arrays, an unknown {"unknown": what}.
std::string to_json(const Value& v, bool pretty = false);

// `text` quoted and escaped as a JSON string; bytes that are not UTF-8 become U+FFFD.
void append_json_string(std::string& out, std::string_view text);

}  // namespace gonogo
