// Tracer: what echo and printf print.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <utility>

#include "launch/launch.h"
#include "shell/tracer.h"

namespace gonogo {

namespace {

// "\n" and the like in echo -e and printf.
Text with_escapes(const Text& text) {
  Text out;
  const std::string& chars = text.chars();
  for (std::size_t i = 0; i < chars.size(); ++i) {
    constexpr std::string_view kLetters = "abefnrtv\\";
    constexpr std::string_view kMeanings = "\a\b\x1b\f\n\r\t\v\\";
    const std::size_t letter =
        chars[i] == '\\' && i + 1 < chars.size() ? kLetters.find(chars[i + 1]) : std::string_view::npos;
    if (letter == std::string_view::npos) {
      out.append(text.slice(i, i + 1));
    } else {
      out.append_fixed(kMeanings.substr(letter, 1), text.origin(i++));
    }
  }
  out.defaulted = text.defaulted;
  return out;
}

// printf's %q: a shell reads it back as the one word that it was. An unknown stays as it is, as anywhere.
Text quoted(const Text& text) {
  if (text.known()) return Text(shell_quoted(text.chars()), text.origin(0));
  Text out;
  const std::string& chars = text.chars();
  for (std::size_t i = 0; i < chars.size(); ++i) {
    if (chars[i] != Text::kUnknown && shell_quoted(std::string(1, chars[i])).size() > 1)
      out.append_fixed("\\", text.origin(i));
    out.append(text.slice(i, i + 1));
  }
  return out;
}

// A value with width, flags and precision, such as %02d and %-8s.
std::optional<std::string> formatted(const std::string& shape, char kind, const Text& value) {
  if (!value.known() || shape.size() > 8 || (kind != 's' && kind != 'd' && kind != 'i')) return std::nullopt;
  const std::string& chars = value.chars();
  std::string out(chars.size() + 1000, '\0');
  int length = -1;
  if (kind == 's') {
    length = std::snprintf(out.data(), out.size(), ("%" + shape + "s").c_str(), chars.c_str());
  } else {
    long number = 0;
    const auto [end, error] = std::from_chars(chars.data(), chars.data() + chars.size(), number);
    if (error != std::errc() || end != chars.data() + chars.size()) return std::nullopt;
    length = std::snprintf(out.data(), out.size(), ("%" + shape + "ld").c_str(), number);
  }
  if (length < 0 || static_cast<std::size_t>(length) >= out.size()) return std::nullopt;
  out.resize(static_cast<std::size_t>(length));
  return out;
}

}  // namespace

void Tracer::print(const Text& text) {
  if (output_ == nullptr) return;
  if (output_->text.size() + text.size() > limits_.bytes) {
    output_->known = false;
  } else {
    output_->text.append(text);
  }
}

void Tracer::echo(const std::vector<Text>& words) {
  std::size_t first = 1;
  bool newline = true;
  bool escapes = false;
  for (; first < words.size(); ++first) {
    const std::string word = words[first].shown();
    if (word.size() < 2 || word[0] != '-' || word.find_first_not_of("neE", 1) != std::string::npos) break;
    newline = newline && word.find('n') == std::string::npos;
    escapes = escapes || word.find('e') != std::string::npos;
  }
  Text out;
  for (std::size_t i = first; i < words.size(); ++i) {
    if (i > first) out.append_fixed(" ", {});
    out.append(escapes ? with_escapes(words[i]) : words[i]);
  }
  if (newline) out.append_fixed("\n", {});
  print(out);
}

// printf with %s, %d, %b and %q; anything finer is not known.
void Tracer::format(const std::vector<Text>& words) {
  const auto unknown = [&] {
    if (output_ != nullptr) output_->known = false;
  };
  if (words.size() < 2 || !words[1].known()) return unknown();
  const Text pattern = with_escapes(words[1]);
  const std::string& chars = pattern.chars();
  Text out;
  std::size_t next = 2;
  do {
    for (std::size_t i = 0; i < chars.size(); ++i) {
      if (chars[i] != '%') {
        out.append(pattern.slice(i, i + 1));
        continue;
      }
      const std::size_t from = ++i;
      while (i < chars.size() && std::string_view("-+ 0123456789.").find(chars[i]) != std::string_view::npos) ++i;
      const std::string shape = chars.substr(from, i - from);
      const char kind = i < chars.size() ? chars[i] : '\0';
      if (kind == '%') {
        out.append_fixed("%", {});
      } else if (kind == 's' || kind == 'd' || kind == 'i' || kind == 'b' || kind == 'q') {
        if (!shape.empty()) {
          const std::optional<std::string> shaped =
              formatted(shape, kind, next < words.size() ? words[next] : Text(""));
          if (!shaped.has_value()) return unknown();
          out.append_fixed(*shaped, pattern.origin(i));
        } else if (next < words.size()) {
          out.append(kind == 'b' ? with_escapes(words[next]) : kind == 'q' ? quoted(words[next]) : words[next]);
        }
        if (shape.empty() && next >= words.size() && (kind == 'd' || kind == 'i')) out.append_fixed("0", {});
        ++next;
      } else {
        return unknown();
      }
    }
  } while (next < words.size() && next > 2 && out.size() < limits_.bytes);
  print(out);
}

}  // namespace gonogo
