// Fields in the making: text that came from quotes stays whole, what came unquoted from an expansion is split at
// blanks, and an unknown is never split.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "shell/tracer.h"

namespace gonogo {

struct Tracer::Builder {
  bool split = true;     // false: one text, whatever stands in it
  bool pattern = false;  // puts a backslash before what was quoted
  std::string separators = " \t\n";
  std::vector<Text> fields;
  Text current;
  bool started = false;

  void literal(const Text& text, bool quoted) {
    if (pattern && quoted) {
      for (std::size_t i = 0; i < text.size(); ++i) {
        if (std::string_view("*?[]\\@+!()|-^").find(text.chars()[i]) != std::string_view::npos)
          current.append_fixed("\\", {});
        current.append(text.slice(i, i + 1));
      }
      current.defaulted = current.defaulted || text.defaulted;
    } else {
      current.append(text);
    }
    started = started || quoted || !text.empty();
  }

  // What an expansion gave.
  void value(const Text& text, bool quoted) {
    if (quoted || !split) return literal(text, quoted);
    const std::string& chars = text.chars();
    const auto is_blank = [&](char c) { return separators.find(c) != std::string::npos; };
    std::size_t at = 0;
    current.defaulted = current.defaulted || text.defaulted;
    while (at < chars.size()) {
      if (is_blank(chars[at])) {
        finish();
        const bool blank = chars[at] == ' ' || chars[at] == '\t' || chars[at] == '\n';
        ++at;
        if (!blank && at < chars.size() && is_blank(chars[at]) && chars[at] != ' ')
          started = true;  // an empty field between two commas
        continue;
      }
      std::size_t end = at;
      while (end < chars.size() && !is_blank(chars[end])) ++end;
      literal(text.slice(at, end), false);
      at = end;
    }
  }

  // Ends the present field, if there is one.
  void finish() {
    if (started) fields.push_back(std::exchange(current, {}));
    current = {};
    started = false;
  }

  // Several values at once, as of "${A[@]}": the first joins what stands before, the last what follows.
  void values(const std::vector<Text>& list, bool quoted) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0) {
        if (split) {
          finish();
        } else {
          literal(Text(" "), quoted);
        }
      }
      if (quoted) {
        literal(list[i], true);
      } else {
        value(list[i], false);
      }
    }
  }
};

}  // namespace gonogo
