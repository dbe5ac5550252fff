// Tracer: commands that take apart what they are fed: `read` and `mapfile`. What nobody knows stays so under the name
// that it is read into.
#include <algorithm>
#include <utility>

#include "shell/tracer.h"
#include "shell/word_parser.h"

namespace gonogo {

namespace {

using Shape = Variable::Shape;

bool is_name(const std::string& text) {
  return !text.empty() && is_name_start(text[0]) && std::all_of(text.begin(), text.end(), is_name_char);
}

// What `read` was told.
struct ReadOptions {
  bool array = false;
  bool raw = false;
  bool plain = true;  // nothing of which the outcome isn't clear: a count, a descriptor
  char delimiter = '\n';
  bool trim = false;  // mapfile -t
  std::vector<std::string> names;
};

ReadOptions options_of(const std::vector<Text>& words) {
  ReadOptions out;
  const bool lines = words[0].chars() != "read";
  out.array = lines;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string word = words[i].shown();
    if (word.size() < 2 || word[0] != '-') {
      if (is_name(word)) out.names.push_back(word);
      continue;
    }
    const std::string_view takes = lines ? "dnOscCu" : "dinNptu";
    for (std::size_t at = 1; at < word.size(); ++at) {
      const char letter = word[at];
      if (letter == 'a' && !lines) out.array = true;
      if (letter == 'r') out.raw = true;
      if (letter == 't' && lines) out.trim = true;
      if (takes.find(letter) == std::string_view::npos) continue;
      const std::string value = at + 1 < word.size()   ? word.substr(at + 1)
                                : i + 1 < words.size() ? words[++i].shown()
                                                       : std::string();
      if (letter == 'd' && !lines) {
        out.delimiter = value.empty() ? '\0' : value[0];
      } else if (letter != 'p' && letter != 't') {
        out.plain = false;
      }
      break;
    }
  }
  if (out.names.empty()) out.names.emplace_back(lines ? "MAPFILE" : "REPLY");
  return out;
}

// Without -r a backslash keeps the character behind it from separating, or the line from ending.
bool has_backslash(const Text& text) { return text.chars().find('\\') != std::string::npos; }

// The fields of a line, at most `most`: the last takes the rest, without blanks around it.
std::vector<Text> fields_of(const Text& line, const std::string& separators, std::size_t most) {
  std::vector<Text> out;
  const std::string& chars = line.chars();
  const auto separates = [&](std::size_t at) { return separators.find(chars[at]) != std::string::npos; };
  const auto blank = [&](std::size_t at) {
    return separates(at) && (chars[at] == ' ' || chars[at] == '\t' || chars[at] == '\n');
  };
  std::size_t at = 0;
  while (at < chars.size() && blank(at)) ++at;
  while (at < chars.size()) {
    if (out.size() + 1 == most) {
      std::size_t end = chars.size();
      while (end > at && blank(end - 1)) --end;
      // One separator at the very end ends the last field.
      if (end > at && separates(end - 1) &&
          std::count_if(chars.begin() + static_cast<std::ptrdiff_t>(at),
                        chars.begin() + static_cast<std::ptrdiff_t>(end),
                        [&](char c) { return separators.find(c) != std::string::npos; }) == 1)
        --end;
      out.push_back(line.slice(at, end));
      break;
    }
    std::size_t end = at;
    while (end < chars.size() && !separates(end)) ++end;
    out.push_back(line.slice(at, end));
    at = end;
    while (at < chars.size() && blank(at)) ++at;
    if (at < chars.size() && separates(at)) {
      ++at;
      while (at < chars.size() && blank(at)) ++at;
    }
  }
  return out;
}

}  // namespace

void Tracer::set_elements(const std::string& name, std::optional<std::vector<Text>> elements) {
  Variable& var = variable(name);
  const unsigned version = var.version;
  const bool exported = var.exported;
  var = Variable{};
  var.shape = Shape::kIndexed;
  var.set = true;
  var.given = true;
  var.exported = exported;
  var.version = version + 1;
  var.open = !elements.has_value();
  if (!elements.has_value()) return;
  for (std::size_t i = 0; i < elements->size() && i < kMaxWords; ++i)
    var.elements.emplace_back(std::to_string(i), std::move((*elements)[i]));
}

Status Tracer::read_input(const Command& command, const std::vector<Text>& words, const Launcher& launcher) {
  const ReadOptions options = options_of(words);
  const bool own = std::any_of(command.redirects.begin(), command.redirects.end(),
                               [](const Redirect& redirect) { return redirect.op[0] == '<'; });
  const std::optional<Text>& input = own ? launcher.input : input_text_;
  const bool known = options.plain && input.has_value() && input->known();
  if (words[0].chars() != "read") {
    if (!known) return set_elements(options.names[0], std::nullopt), Status::kOpen;
    std::vector<Text> lines;
    const std::string& chars = input->chars();
    for (std::size_t at = 0; at < chars.size() && lines.size() < kMaxWords;) {
      const std::size_t end = std::min(chars.find('\n', at), chars.size());
      lines.push_back(input->slice(at, std::min(end + (options.trim ? 0 : 1), chars.size())));
      at = end + 1;
    }
    set_elements(options.names[0], std::move(lines));
    return Status::kSuccess;
  }

  std::size_t end = std::string::npos;
  if (known) end = options.delimiter == '\0' ? std::string::npos : input->chars().find(options.delimiter);
  const bool ended = end != std::string::npos;
  Text line = known ? input->slice(0, std::min(end, input->size())) : Text();
  const bool clear = known && (options.raw || !has_backslash(line));
  if (known && !own) input_text_ = input->slice(ended ? end + 1 : input->size(), input->size());
  if (!clear) {
    for (const std::string& name : options.names) options.array ? set_elements(name, std::nullopt) : set_unknown(name);
    return Status::kOpen;
  }
  std::string separators = known_value("IFS").value_or(" \t\n");
  for (const auto& [name, value] : launcher.changes) {
    if (name == "IFS" && value.has_value() && value->known()) separators = value->chars();
  }
  if (options.array) {
    set_elements(options.names[0], fields_of(line, separators, kMaxWords));
  } else {
    const bool whole = words.size() == 1 || options.names[0] == "REPLY";
    std::vector<Text> fields = whole ? std::vector<Text>{line} : fields_of(line, separators, options.names.size());
    fields.resize(options.names.size());
    for (std::size_t i = 0; i < fields.size(); ++i) assign(options.names[i], std::move(fields[i]));
  }
  return ended ? Status::kSuccess : Status::kFailure;
}

}  // namespace gonogo
