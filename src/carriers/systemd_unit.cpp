#include "carriers/systemd_unit.h"

#include <algorithm>
#include <cctype>

#include "carriers/variables.h"
#include "shell/word_parser.h"

namespace gonogo {

namespace {

constexpr auto kNone = std::string_view::npos;
constexpr std::string_view kBlanks = " \t\n\r";

struct UnitAssignment {
  std::string key;
  MappedText value;
  std::size_t offset;
};

// The assignments of [Service], continued lines joined by a blank and comment lines among them dropped.
std::vector<UnitAssignment> service_lines(std::string_view text) {
  std::vector<UnitAssignment> out;
  bool service = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(start, end - start);
    at = end + 1;
    const std::size_t first = line.find_first_not_of(kBlanks);
    if (first == kNone || line[first] == '#' || line[first] == ';') continue;
    if (line[first] == '[') {
      service = line.substr(first, 9) == "[Service]";
      continue;
    }
    MappedText joined;
    std::size_t offset = start;
    for (;;) {
      const bool more = !line.empty() && line.back() == '\\';
      if (more) line.remove_suffix(1);
      joined.append(line, offset);
      if (!more) break;
      joined.append(" ", offset + line.size());
      // Comments between the parts are as good as absent.
      bool found = false;
      while (at < text.size() && !found) {
        offset = at;
        end = std::min(text.find('\n', at), text.size());
        line = text.substr(offset, end - offset);
        at = end + 1;
        const std::size_t begin = line.find_first_not_of(kBlanks);
        found = begin == kNone || (line[begin] != '#' && line[begin] != ';');
      }
      if (!found) break;
    }
    const std::string& t = joined.text();
    const std::size_t equals = t.find('=');
    if (!service || equals == std::string::npos) continue;
    std::string key = t.substr(first, equals - first);
    while (!key.empty() && (key.back() == ' ' || key.back() == '\t')) key.pop_back();
    const std::size_t begin = std::min(t.find_first_not_of(kBlanks, equals + 1), t.size());
    std::size_t stop = t.find_last_not_of(kBlanks);
    stop = stop == std::string::npos || stop < begin ? begin : stop + 1;
    MappedText value;
    value.append(joined, begin, stop);
    out.push_back({std::move(key), std::move(value), start + first});
  }
  return out;
}

// One character that a backslash escapes; the bytes it takes behind the backslash.
std::size_t escaped(std::string_view rest, std::string* out) {
  const char c = rest[0];
  const std::size_t at = std::string_view("abfnrtvs\\\"'").find(c);
  if (at != kNone) {
    *out = "\a\b\f\n\r\t\v \\\"'"[at];
    return 1;
  }
  if (c == 'x' && rest.size() >= 3 && std::isxdigit(static_cast<unsigned char>(rest[1])) != 0 &&
      std::isxdigit(static_cast<unsigned char>(rest[2])) != 0) {
    *out = static_cast<char>(std::stoi(std::string(rest.substr(1, 2)), nullptr, 16));
    return 3;
  }
  *out = {'\\', c};
  return 1;
}

// Splits a value as systemd does. Quotes count only at the beginning of a word's part; escapes everywhere.
std::vector<MappedText> split(const MappedText& value) {
  std::vector<MappedText> out;
  const std::string& t = value.text();
  MappedText word;
  bool any = false;
  char quote = '\0';
  for (std::size_t at = 0; at < t.size(); ++at) {
    const char c = t[at];
    if (c == '\\' && at + 1 < t.size()) {
      std::string got;
      const std::size_t width = escaped(std::string_view(t).substr(at + 1), &got);
      word.append_at(got, value.offset(at));
      at += width;
      any = true;
    } else if (c == quote) {
      quote = '\0';
    } else if (quote == '\0' && (c == '"' || c == '\'')) {
      quote = c;
      any = true;
    } else if (quote == '\0' && kBlanks.find(c) != kNone) {
      if (any) out.push_back(std::move(word));
      word = MappedText();
      any = false;
    } else {
      word.append(value, at, at + 1);
      any = true;
    }
  }
  if (any) out.push_back(std::move(word));
  return out;
}

// %% is a percent sign; another specifier is only known where the unit is loaded.
MappedText specifiers(const MappedText& word, Placeholders& marks) {
  MappedText out;
  const std::string& t = word.text();
  for (std::size_t at = 0; at < t.size(); ++at) {
    const char next = at + 1 < t.size() ? t[at + 1] : '\0';
    if (t[at] == '%' && next == '%') {
      out.append(word, at, at + 1);
      ++at;
    } else if (t[at] == '%' && std::isalpha(static_cast<unsigned char>(next)) != 0) {
      const std::string shown = t.substr(at, 2);
      out.append_at(marks.mark(shown, shown), word.offset(at));
      ++at;
    } else {
      out.append(word, at, at + 1);
    }
  }
  return out;
}

class Variables {
 public:
  Variables(const ServiceUnit& unit, Placeholders& marks) : unit_(unit), marks_(marks) {}

  // Appends what a word becomes: $X as a whole word is split at blanks, ${X} stands within, $$ is a dollar.
  void expand(const MappedText& word, std::vector<MappedText>& out) const {
    const std::string& t = word.text();
    if (t.size() >= 2 && t[0] == '$' && is_name_start(t[1]) && whole_name(t, 1)) {
      const std::string* value = find(std::string_view(t).substr(1));
      MappedText text;
      text.append_at(value != nullptr ? *value : marks_.variable(std::string_view(t).substr(1)), word.offset(0));
      if (value == nullptr) {
        out.push_back(std::move(text));
      } else {
        for (MappedText& part : split(text)) out.push_back(std::move(part));
      }
      return;
    }
    MappedText text;
    for (std::size_t at = 0; at < t.size(); ++at) {
      const char next = at + 1 < t.size() ? t[at + 1] : '\0';
      const std::size_t end = next == '{' ? t.find('}', at) : kNone;
      if (t[at] == '$' && next == '$') {
        text.append(word, at, at + 1);
        ++at;
      } else if (t[at] == '$' && end != kNone && end > at + 2 && whole_name(t.substr(0, end), at + 2)) {
        const std::string_view name = std::string_view(t).substr(at + 2, end - at - 2);
        const std::string* value = find(name);
        text.append_at(value != nullptr ? *value : marks_.variable(name), word.offset(at));
        at = end;
      } else {
        text.append(word, at, at + 1);
      }
    }
    out.push_back(std::move(text));
  }

 private:
  static bool whole_name(std::string_view text, std::size_t from) {
    return from < text.size() &&
           std::all_of(text.begin() + static_cast<std::ptrdiff_t>(from), text.end(), is_name_char);
  }

  const std::string* find(std::string_view name) const {
    for (const auto& [have, value] : unit_.env) {
      if (have == name) return &value;
    }
    return nullptr;
  }

  const ServiceUnit& unit_;
  Placeholders& marks_;
};

void drop(ServiceUnit& unit, std::string_view name) {
  unit.env.erase(std::remove_if(unit.env.begin(), unit.env.end(), [&](const auto& have) { return have.first == name; }),
                 unit.env.end());
}

}  // namespace

ServiceUnit read_service(std::string_view text, Placeholders& marks) {
  ServiceUnit unit;
  std::vector<UnitAssignment> starts;
  std::vector<std::string> unset;
  for (UnitAssignment& a : service_lines(text)) {
    if (a.key == "Environment") {
      if (a.value.empty()) unit.env.clear();
      for (const MappedText& word : split(a.value)) {
        const std::string value = specifiers(word, marks).text();
        const std::size_t equals = value.find('=');
        if (equals == std::string::npos) continue;
        drop(unit, value.substr(0, equals));
        unit.env.emplace_back(value.substr(0, equals), value.substr(equals + 1));
      }
    } else if (a.key == "UnsetEnvironment") {
      for (const MappedText& word : split(a.value)) unset.push_back(word.text());
    } else if (a.key == "ExecStart") {
      if (a.value.empty()) {
        starts.clear();
      } else {
        starts.push_back(std::move(a));
      }
    }
  }
  for (const std::string& name : unset) drop(unit, name);
  for (const UnitAssignment& start : starts) {
    ServiceCommand command;
    command.offset = start.offset;
    std::vector<MappedText> words = split(start.value);
    if (words.empty()) continue;
    // Prefixes of the program: @ takes the second word as the name that the program sees, : expands no variables.
    const std::string first = words[0].text();
    const std::size_t prefix = std::min(first.find_first_not_of("@-:+!|"), first.size());
    const bool renamed = first.substr(0, prefix).find('@') != std::string::npos;
    const bool literal = first.substr(0, prefix).find(':') != std::string::npos;
    MappedText program;
    program.append(words[0], prefix, first.size());
    words[0] = std::move(program);
    if (renamed && words.size() > 1) words.erase(words.begin() + 1);
    const Variables variables(unit, marks);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const MappedText word = specifiers(words[i], marks);
      if (i == 0 || literal) {
        command.words.push_back(word);
      } else {
        variables.expand(word, command.words);
      }
    }
    unit.commands.push_back(std::move(command));
  }
  return unit;
}

}  // namespace gonogo
