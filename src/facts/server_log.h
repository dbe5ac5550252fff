// What a server's log says about its end: exceptions with their frames, a usage error of the argument parser, the
// runtime's own record of its arguments, versions and GPUs. The log is anybody's: it is read line by line, by plain
// searches, within limits on everything that is kept, and colours and prefixes of log collectors are looked through.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/pack.h"

namespace gonogo {

// One frame of a traceback as rules name places: the file without its path and suffix, and the function.
struct LogFrame {
  std::string file;
  std::string function;
  int line = 0;
  std::string source;  // the line of source below it, or empty: an assertion without a text says it all there

  std::string check() const { return file + "." + function; }
};

struct LogException {
  std::string type;              // "ValueError"; "usage" for an error of the argument parser
  std::string message;           // its lines joined by spaces; at most kMaxMessage bytes
  std::vector<LogFrame> frames;  // outermost first; the innermost kMaxFrames of them
  std::size_t line = 0;          // of the log, where the exception's text stands; from 1
  std::size_t times = 1;         // how often the same stands in the log: once a rank
};

struct ServerLog {
  std::vector<LogException> exceptions;                        // distinct ones, in order of their first appearance
  std::vector<std::pair<std::string, std::string>> arguments;  // name and Python text, of the last record of arguments
  std::string version;                                         // the first that the log names, or empty
  std::vector<std::string> gpus;                               // names of profiles that the log mentions
  std::size_t lines = 0;
  std::uint64_t bytes = 0;  // that were read
  bool cut = false;         // the log is larger than kMaxLogBytes, and the rest was not read
};

inline constexpr std::uint64_t kMaxLogBytes = 64u << 20;
inline constexpr std::size_t kMaxExceptions = 64;
inline constexpr std::size_t kMaxFrames = 100;
inline constexpr std::size_t kMaxMessage = 4096;

// Reads a log to its end. `pack` says how its runtime writes versions and arguments.
ServerLog read_server_log(std::istream& in, const Pack& pack);

// The fields of a Python record as it prints itself, "a=1, b='x', c=[1, 2]", up to the closing parenthesis.
std::vector<std::pair<std::string, std::string>> record_fields(std::string_view text);

}  // namespace gonogo
