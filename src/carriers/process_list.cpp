#include "carriers/process_list.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "carriers/variables.h"

namespace gonogo {

namespace {

constexpr auto kNone = std::string_view::npos;

template <typename Use>
void each_line(std::string_view text, Use use) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    use(text.substr(at, end - at), at);
    at = end + 1;
  }
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == kNone) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

// Where a comment begins: a semicolon or a hash behind a blank.
std::size_t comment_at(std::string_view line) {
  std::size_t at = line.find_first_of(";#", 1);
  while (at < line.size() && line[at - 1] != ' ' && line[at - 1] != '\t') at = line.find_first_of(";#", at + 1);
  return std::min(at, line.size());
}

// %(ENV_X)s and %(program_name)s are filled in when it starts; %% is a percent sign.
MappedText filled(const MappedText& text, Placeholders& marks) {
  MappedText out;
  const std::string& chars = text.text();
  for (std::size_t at = 0; at < chars.size();) {
    if (chars.compare(at, 2, "%%") == 0) {
      out.append(text, at, at + 1);
      at += 2;
      continue;
    }
    const std::size_t end = chars.compare(at, 2, "%(") == 0 ? chars.find(')', at) : kNone;
    if (end == kNone || end + 1 >= chars.size()) {
      out.append(text, at, at + 1);
      ++at;
      continue;
    }
    const std::string name = chars.substr(at + 2, end - at - 2);
    const std::string shown = chars.substr(at, end + 2 - at);
    out.append_at(name.rfind("ENV_", 0) == 0 ? marks.variable(name.substr(4)) : marks.mark(shown, shown),
                  text.offset(at));
    at = end + 2;
  }
  return out;
}

// A="1",B='two words',C=3
EnvList environment(std::string_view text) {
  EnvList out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t equals = text.find('=', at);
    if (equals == kNone) break;
    const std::string name(trimmed(text.substr(at, equals - at)));
    std::string value;
    char quote = '\0';
    for (at = equals + 1; at < text.size(); ++at) {
      const char c = text[at];
      if (quote != '\0' ? c == quote : c == '"' || c == '\'') {
        quote = quote != '\0' ? '\0' : c;
      } else if (c == ',' && quote == '\0') {
        break;
      } else {
        value += c;
      }
    }
    ++at;
    if (!name.empty()) out.emplace_back(name, std::string(trimmed(value)));
  }
  return out;
}

}  // namespace

void read_procfile(std::string_view text, Carried& out) {
  each_line(text, [&](std::string_view line, std::size_t at) {
    const std::size_t colon = line.find(':');
    const std::string_view name = line.substr(0, colon);
    const bool named = colon != kNone && !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
                         return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
                       });
    if (!named) return;
    const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    if (begin == kNone) return;
    CarriedCommand command;
    command.kind = CarriedCommand::Kind::kScript;
    command.script = MappedText::of(line.substr(begin), at + begin);
    command.offset = at + begin;
    command.label = std::string(name);
    out.commands.push_back(std::move(command));
  });
}

void read_supervisor(std::string_view text, Carried& out) {
  struct Program {
    std::string name;
    MappedText command;
    MappedText environment;
    std::size_t offset = 0;
  };
  Program program;
  bool inside = false;
  MappedText* value = nullptr;  // which a line that begins with a blank goes on with
  const auto finish = [&] {
    if (inside && !program.command.empty()) {
      CarriedCommand command;
      command.words = split_words(filled(program.command, out.marks));
      command.offset = program.offset;
      command.label = program.name;
      command.env = environment(filled(program.environment, out.marks).text());
      if (!command.words.empty()) out.commands.push_back(std::move(command));
    }
    program = {};
  };
  each_line(text, [&](std::string_view line, std::size_t at) {
    const std::string_view plain = trimmed(line);
    if (plain.empty() || plain[0] == ';' || plain[0] == '#') return;
    line = line.substr(0, comment_at(line));
    if (line[0] == ' ' || line[0] == '\t') {
      const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
      if (value == nullptr) return;
      value->append_at(" ", at);
      value->append(line.substr(begin), at + begin);
      return;
    }
    value = nullptr;
    if (line[0] == '[') {
      finish();
      constexpr std::string_view kProgram = "[program:";
      inside = plain.substr(0, kProgram.size()) == kProgram;
      if (inside) program.name = std::string(plain.substr(kProgram.size(), plain.find(']') - kProgram.size()));
      return;
    }
    const std::size_t equals = line.find('=');
    if (equals == kNone) return;
    const std::string_view key = trimmed(line.substr(0, equals));
    if (key != "command" && key != "environment") return;
    value = key == "command" ? &program.command : &program.environment;
    const std::size_t begin = std::min(line.find_first_not_of(" \t", equals + 1), line.size());
    if (key == "command") program.offset = at;
    value->append(line.substr(begin), at + begin);
  });
  finish();
}

}  // namespace gonogo
