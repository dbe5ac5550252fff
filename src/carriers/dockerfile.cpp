#include "carriers/dockerfile.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "carriers/variables.h"

namespace gonogo {

namespace {

constexpr auto kNone = std::string_view::npos;

struct HereDocument {
  std::string delimiter;
  bool expands = false;
  bool strips_tabs = false;
  MappedText body;
};

struct Instruction {
  std::string keyword;  // in capitals
  MappedText rest;      // what follows it: continued lines joined, comment lines gone
  std::size_t offset = 0;
  std::vector<HereDocument> documents;
};

// Cuts the text into instructions.
class Cutter {
 public:
  explicit Cutter(std::string_view text) : text_(text) {}

  std::vector<Instruction> cut() {
    std::vector<Instruction> out;
    while (at_ < text_.size()) {
      const std::string_view line = next();
      const std::size_t begin = line.find_first_not_of(" \t");
      if (begin == kNone) continue;
      if (line[begin] == '#') {
        directive(line.substr(begin + 1));
        continue;
      }
      directives_ = false;
      out.push_back(instruction(line, begin));
    }
    return out;
  }

 private:
  std::string_view next() {
    start_ = at_;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    at_ = end + 1;
    return text_.substr(start_, end - start_);
  }

  void directive(std::string_view comment) {
    if (!directives_) return;
    std::string word;
    for (const char c : comment) {
      if (c != ' ' && c != '\t') word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    if (word == "escape=`") escape_ = '`';
  }

  // Whether the line goes on; its text without the escape.
  bool continued(std::string_view& line) const {
    const std::size_t last = line.find_last_not_of(" \t");
    if (last == kNone || line[last] != escape_) return false;
    line = line.substr(0, last);
    return true;
  }

  Instruction instruction(std::string_view line, std::size_t begin) {
    Instruction out;
    out.offset = start_ + begin;
    std::size_t end = begin;
    while (end < line.size() && std::isalpha(static_cast<unsigned char>(line[end])) != 0) ++end;
    for (const char c : line.substr(begin, end - begin)) {
      out.keyword += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    const std::size_t rest = std::min(line.find_first_not_of(" \t", end), line.size());
    std::string_view part = line.substr(rest);
    std::size_t offset = start_ + rest;
    bool more = continued(part);
    out.rest.append(part, offset);
    while (more && at_ < text_.size()) {
      part = next();
      offset = start_;
      const std::size_t first = part.find_first_not_of(" \t");
      if (first == kNone || part[first] == '#') continue;
      more = continued(part);
      out.rest.append(part, offset);
    }
    read_documents(out);
    return out;
  }

  void read_documents(Instruction& out) {
    if (out.keyword != "COPY" && out.keyword != "ADD" && out.keyword != "RUN") return;
    const std::string& text = out.rest.text();
    for (std::size_t at = text.find("<<"); at != kNone; at = text.find("<<", at)) {
      const bool starts_word = at == 0 || text[at - 1] == ' ' || std::isdigit(static_cast<unsigned char>(text[at - 1]));
      at += 2;
      if (!starts_word || (at < text.size() && text[at] == '<')) {
        while (at < text.size() && text[at] == '<') ++at;
        continue;
      }
      HereDocument document;
      document.expands = true;
      if (at < text.size() && text[at] == '-') {
        document.strips_tabs = true;
        ++at;
      }
      const char quote = at < text.size() && (text[at] == '"' || text[at] == '\'') ? text[at] : '\0';
      if (quote != '\0') {
        document.expands = false;
        ++at;
      }
      while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_')) {
        document.delimiter += text[at++];
      }
      if (!document.delimiter.empty()) out.documents.push_back(std::move(document));
    }
    for (HereDocument& document : out.documents) {
      while (at_ < text_.size()) {
        std::string_view line = next();
        std::size_t offset = start_;
        while (document.strips_tabs && !line.empty() && line[0] == '\t') {
          line.remove_prefix(1);
          ++offset;
        }
        if (line == document.delimiter) break;
        document.body.append(line, offset);
        document.body.append("\n", offset + line.size());
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t start_ = 0;
  char escape_ = '\\';
  bool directives_ = true;
};

// The words of a JSON list of strings, with their places.
std::optional<std::vector<MappedText>> exec_form(const MappedText& rest) {
  const std::string& text = rest.text();
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == kNone || text[begin] != '[') return std::nullopt;
  const auto parsed = nlohmann::json::parse(text, nullptr, false);
  if (!parsed.is_array()) return std::nullopt;
  std::vector<MappedText> words;
  std::size_t at = begin + 1;
  for (const auto& item : parsed) {
    if (!item.is_string()) return std::nullopt;
    at = text.find('"', at);
    if (at == kNone) return std::nullopt;
    const auto& value = item.get_ref<const std::string&>();
    std::size_t end = at + 1;
    bool escapes = false;
    while (end < text.size() && text[end] != '"') {
      escapes |= text[end] == '\\';
      end += text[end] == '\\' ? 2 : 1;
    }
    MappedText word;
    if (escapes) {
      word.append_at(value, rest.offset(at + 1));
    } else {
      word.append(rest, at + 1, end);
    }
    if (value.empty()) word = MappedText();
    words.push_back(std::move(word));
    at = end + 1;
  }
  return words;
}

// The words of an ENV, ARG or COPY, quotes and escapes kept.
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> out;
  std::string word;
  char quote = '\0';
  bool any = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += c;
      word += text[++i];
      any = true;
    } else if (quote != '\0') {
      if (c == quote) quote = '\0';
      word += c;
    } else if (c == ' ' || c == '\t') {
      if (any) out.push_back(std::move(word));
      word.clear();
      any = false;
    } else {
      if (c == '"' || c == '\'') quote = c;
      word += c;
      any = true;
    }
  }
  if (any) out.push_back(std::move(word));
  return out;
}

void put(std::vector<std::pair<std::string, std::string>>& into, std::string name, std::string value) {
  for (auto& [have, was] : into) {
    if (have == name) {
      was = std::move(value);
      return;
    }
  }
  into.emplace_back(std::move(name), std::move(value));
}

class Builder {
 public:
  explicit Builder(Placeholders& marks) : marks_(marks) {}

  void run(const Instruction& i) {
    if (i.keyword == "FROM") {
      from(i.rest.text());
    } else if (i.keyword == "ARG") {
      arg(i.rest.text());
    } else if (!stages_.empty()) {
      in_stage(i);
    }
  }

  std::optional<DockerStage> last() {
    if (stages_.empty()) return std::nullopt;
    return std::move(stages_.back());
  }

 private:
  DockerStage& stage() { return stages_.back(); }

  std::string expand(std::string_view text) {
    const auto lookup = [&](std::string_view name) -> const std::string* {
      if (stages_.empty()) return find(global_args_, name);
      if (const std::string* value = find(stage().env, name)) return value;
      return find(stage().args, name);
    };
    return expand_dockerfile(text, lookup, marks_);
  }

  static const std::string* find(const std::vector<std::pair<std::string, std::string>>& in, std::string_view name) {
    for (const auto& [have, value] : in) {
      if (have == name) return &value;
    }
    return nullptr;
  }

  void from(std::string_view rest) {
    std::vector<std::string> words = split(rest);
    words.erase(std::remove_if(words.begin(), words.end(), [](const std::string& w) { return w.rfind("--", 0) == 0; }),
                words.end());
    if (words.empty()) return;
    std::vector<DockerStage> before = std::move(stages_);
    stages_.clear();
    DockerStage next;
    next.image = expand(words[0]);
    stages_ = std::move(before);
    const auto base = std::find_if(stages_.begin(), stages_.end(),
                                   [&](const DockerStage& s) { return !s.name.empty() && s.name == next.image; });
    if (base != stages_.end()) {
      next = *base;
      next.args.clear();
      next.files = base->files;
      inherited_command_ = true;
    } else {
      inherited_command_ = false;
    }
    next.name = words.size() >= 3 ? words[2] : "";
    stages_.push_back(std::move(next));
  }

  void arg(std::string_view rest) {
    for (const std::string& word : split(rest)) {
      const std::size_t equals = word.find('=');
      const std::string name = word.substr(0, equals);
      if (stages_.empty()) {
        if (equals != kNone) put(global_args_, name, expand(word.substr(equals + 1)));
      } else if (equals != kNone) {
        put(stage().args, name, expand(word.substr(equals + 1)));
      } else if (const std::string* value = find(global_args_, name)) {
        put(stage().args, name, *value);
      }
    }
  }

  void env(std::string_view rest) {
    const std::vector<std::string> words = split(rest);
    if (words.empty()) return;
    if (words[0].find('=') == kNone) {  // ENV NAME the rest of the line
      const std::size_t begin =
          std::min(rest.find_first_not_of(" \t", rest.find(words[0]) + words[0].size()), rest.size());
      put(stage().env, words[0], expand(rest.substr(begin)));
      return;
    }
    std::vector<std::pair<std::string, std::string>> values;  // all are expanded as they were before the line
    for (const std::string& word : words) {
      const std::size_t equals = word.find('=');
      if (equals != kNone) values.emplace_back(word.substr(0, equals), expand(word.substr(equals + 1)));
    }
    for (auto& [name, value] : values) put(stage().env, std::move(name), std::move(value));
  }

  void copy(const Instruction& i) {
    std::vector<std::string> words = split(i.rest.text());
    if (words.size() < 2 || i.documents.empty()) return;
    const std::string target = expand(words.back());
    for (const HereDocument& document : i.documents) {
      std::string path = target;
      if (!path.empty() && path.back() == '/') path += document.delimiter;
      MappedText body = document.body;
      if (document.expands) body = expand_dockerfile(document.body, lookup_, marks_);
      stage().files[path] = std::move(body);
    }
  }

  void in_stage(const Instruction& i) {
    if (i.keyword == "ENV") {
      env(i.rest.text());
    } else if (i.keyword == "COPY" || i.keyword == "ADD") {
      lookup_ = [this](std::string_view name) -> const std::string* {
        if (const std::string* value = find(stage().env, name)) return value;
        return find(stage().args, name);
      };
      copy(i);
    } else if (i.keyword == "SHELL") {
      if (const auto words = exec_form(i.rest)) {
        stage().shell.clear();
        for (const MappedText& word : *words) stage().shell.push_back(word.text());
      }
    } else if (i.keyword == "ENTRYPOINT") {
      stage().entrypoint = command(i);
      if (inherited_command_) stage().command.reset();  // a new entry point drops the command below it
    } else if (i.keyword == "CMD") {
      stage().command = command(i);
      inherited_command_ = false;
    }
  }

  static DockerCommand command(const Instruction& i) {
    DockerCommand out;
    out.offset = i.offset;
    if (auto words = exec_form(i.rest)) {
      out.exec = true;
      out.words = std::move(*words);
    } else {
      out.shell = i.rest;
    }
    return out;
  }

  Placeholders& marks_;
  std::vector<std::pair<std::string, std::string>> global_args_;
  std::vector<DockerStage> stages_;
  bool inherited_command_ = false;
  VariableLookup lookup_;
};

}  // namespace

std::optional<DockerStage> read_dockerfile(std::string_view text, Placeholders& marks) {
  Builder builder(marks);
  for (const Instruction& i : Cutter(text).cut()) builder.run(i);
  return builder.last();
}

}  // namespace gonogo
