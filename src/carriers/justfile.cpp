#include "carriers/justfile.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <string>

#include "carriers/just_expression.h"

namespace gonogo {

namespace {

constexpr auto kNone = std::string_view::npos;
constexpr int kMaxDepth = 16;
constexpr int kMaxCalls = 1000;

struct Parameter {
  std::string name;
  std::optional<std::string> fallback;  // an expression
  char many = '\0';                     // '*' or '+'
  bool exported = false;
};

struct Line {
  std::size_t offset;
  std::string_view text;
};

struct Call {
  std::string recipe;
  std::vector<std::string> args;  // expressions
};

struct Recipe {
  std::string name;
  std::vector<Parameter> parameters;
  std::vector<Call> calls;
  std::vector<Line> body;
};

bool name_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; }

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == kNone) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

using Values = std::map<std::string, std::string, std::less<>>;

class Reader {
 public:
  Reader(std::string_view text, Placeholders& marks) : text_(text), marks_(marks) {}

  std::vector<RecipeScript> read() {
    parse();
    for (const Recipe& recipe : recipes_) {
      Values values;
      run(recipe, {}, values, 0);
    }
    return std::move(out_);
  }

 private:
  void parse() {
    Recipe* open = nullptr;
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      const std::string_view line = text_.substr(at, end - at);
      const std::size_t start = at;
      at = end + 1;
      if (line.find_first_not_of(" \t") == kNone) {
        if (open != nullptr) open->body.push_back({start, line});
        continue;
      }
      if (line[0] == ' ' || line[0] == '\t') {
        if (open != nullptr) open->body.push_back({start, line});
        continue;
      }
      open = nullptr;
      if (line[0] == '#' || line[0] == '[') continue;
      if (setting(line) || assignment(start, at)) continue;
      open = header(line);
    }
  }

  bool setting(std::string_view line) {
    if (line.rfind("set ", 0) == 0) {
      const std::string_view rest = trim(line.substr(4));
      if (rest == "export" || rest.rfind("export :=", 0) == 0) export_all_ = rest.find("false") == kNone;
      return true;
    }
    for (const std::string_view word : {"alias ", "import ", "import? ", "mod ", "mod? "}) {
      if (line.substr(0, word.size()) == word) return true;
    }
    return false;
  }

  // `[export] NAME := expression`, which may go on over lines inside a string.
  bool assignment(std::size_t start, std::size_t& at) {
    std::string_view rest = text_.substr(start);
    const bool exported = rest.rfind("export ", 0) == 0;
    if (exported) rest.remove_prefix(7);
    const std::size_t begin = rest.find_first_not_of(" \t");
    std::size_t stop = begin;
    while (stop < rest.size() && name_char(rest[stop])) ++stop;
    const std::string name(rest.substr(begin, stop - begin));
    const std::size_t op = rest.find_first_not_of(" \t", stop);
    if (name.empty() || op == kNone || rest.substr(op, 2) != ":=") return false;
    std::size_t end = op + 2;
    // To the end of the line that is outside strings and brackets.
    int depth = 0;
    while (end < rest.size() && (rest[end] != '\n' || depth > 0)) {
      const char c = rest[end];
      if (c == '#' && depth == 0) break;
      if (c == '"' || c == '\'' || c == '`') {
        end += std::max<std::size_t>(1, just_value_length(quoted_part(rest.substr(end))));
        continue;
      }
      if (c == '(' || c == '{') ++depth;
      if (c == ')' || c == '}') --depth;
      ++end;
    }
    const std::string_view expression = trim(rest.substr(op + 2, end - op - 2));
    std::string value = evaluate(expression, {});
    if (expression.size() > 1 && expression.front() == '`' && expression.back() == '`') value = marks_.variable(name);
    globals_[name] = std::move(value);
    if (exported) exported_.push_back(name);
    const std::size_t line_end = text_.find('\n', static_cast<std::size_t>(rest.data() - text_.data()) + end);
    at = line_end == kNone ? text_.size() : line_end + 1;
    return true;
  }

  // The string that begins `text`, so that its length can be taken.
  static std::string_view quoted_part(std::string_view text) {
    const std::string_view triple = text.substr(0, 3);
    const bool three = triple == "\"\"\"" || triple == "'''" || triple == "```";
    const std::string_view quote = text.substr(0, three ? 3 : 1);
    for (std::size_t at = quote.size(); at < text.size(); ++at) {
      if (quote[0] == '"' && text[at] == '\\') {
        ++at;
      } else if (text.substr(at, quote.size()) == quote) {
        return text.substr(0, at + quote.size());
      }
    }
    return text;
  }

  Recipe* header(std::string_view line) {
    Recipe recipe;
    std::size_t at = line[0] == '@' ? 1 : 0;
    while (at < line.size() && name_char(line[at])) recipe.name += line[at++];
    if (recipe.name.empty()) return nullptr;
    for (;;) {
      at = std::min(line.find_first_not_of(" \t", at), line.size());
      if (at >= line.size()) return nullptr;
      if (line[at] == ':') break;
      Parameter p;
      if (line[at] == '*' || line[at] == '+') p.many = line[at++];
      if (at < line.size() && line[at] == '$') {
        p.exported = true;
        ++at;
      }
      while (at < line.size() && name_char(line[at])) p.name += line[at++];
      if (p.name.empty()) return nullptr;
      if (at < line.size() && line[at] == '=') {
        const std::size_t length = just_value_length(line.substr(at + 1));
        p.fallback = std::string(line.substr(at + 1, length));
        at += 1 + length;
      }
      recipe.parameters.push_back(std::move(p));
    }
    dependencies(line.substr(at + 1), recipe);
    recipes_.push_back(std::move(recipe));
    return &recipes_.back();
  }

  // `(recipe arg …)`; one without arguments is an entry of its own already.
  static void dependencies(std::string_view text, Recipe& recipe) {
    for (std::size_t at = text.find('('); at != kNone; at = text.find('(', at)) {
      ++at;
      Call call;
      at = std::min(text.find_first_not_of(" \t", at), text.size());
      while (at < text.size() && name_char(text[at])) call.recipe += text[at++];
      while (at < text.size() && text[at] != ')') {
        if (text[at] == ' ' || text[at] == '\t') {
          ++at;
          continue;
        }
        const std::size_t length = std::max<std::size_t>(1, just_value_length(text.substr(at)));
        call.args.emplace_back(text.substr(at, length));
        at += length;
      }
      recipe.calls.push_back(std::move(call));
    }
  }

  std::string evaluate(std::string_view expression, const Values& local) {
    const JustLookup lookup = [&](std::string_view name) -> const std::string* {
      if (const auto it = local.find(name); it != local.end()) return &it->second;
      if (const auto it = globals_.find(name); it != globals_.end()) return &it->second;
      return nullptr;
    };
    return evaluate_just(expression, lookup, marks_);
  }

  // One call: `args` are values; `values` is filled with the parameters'.
  void run(const Recipe& recipe, const std::vector<std::string>& args, Values& values, int depth) {
    if (++calls_ > kMaxCalls) return;
    std::size_t next = 0;
    for (const Parameter& p : recipe.parameters) {
      if (p.many != '\0' && next < args.size()) {
        std::string all;
        for (; next < args.size(); ++next) all += (all.empty() ? "" : " ") + args[next];
        values[p.name] = all;
      } else if (next < args.size()) {
        values[p.name] = args[next++];
      } else if (p.fallback) {
        values[p.name] = evaluate(*p.fallback, values);
      } else {
        values[p.name] = p.many == '*' ? "" : marks_.variable(p.name);
      }
    }
    emit(recipe, values);
    if (depth >= kMaxDepth) return;
    for (const Call& call : recipe.calls) {
      const auto it =
          std::find_if(recipes_.begin(), recipes_.end(), [&](const Recipe& r) { return r.name == call.recipe; });
      if (it == recipes_.end()) continue;
      std::vector<std::string> given;
      for (const std::string& arg : call.args) given.push_back(evaluate(arg, values));
      Values theirs;
      run(*it, given, theirs, depth + 1);
    }
  }

  void emit(const Recipe& recipe, const Values& values) {
    std::vector<std::pair<std::string, std::string>> env;
    for (const auto& [name, value] : globals_) {
      if (export_all_ || std::find(exported_.begin(), exported_.end(), name) != exported_.end())
        env.emplace_back(name, value);
    }
    for (const Parameter& p : recipe.parameters) {
      if (export_all_ || p.exported) env.emplace_back(p.name, values.at(p.name));
    }
    std::size_t margin = kNone;
    for (const Line& line : recipe.body) {
      const std::size_t first = line.text.find_first_not_of(" \t");
      if (first != kNone) margin = std::min(margin, first);
    }
    if (margin == kNone) return;
    std::vector<Line> lines;
    for (const Line& line : recipe.body) {
      const std::size_t drop = std::min(margin, line.text.size());
      lines.push_back({line.offset + drop, line.text.substr(drop)});
    }
    if (lines[0].text.rfind("#!", 0) == 0) {
      if (lines[0].text.find("sh") == kNone || lines[0].text.find("python") != kNone) return;
      MappedText script;
      for (const Line& line : lines) {
        script.append(interpolate(line, values));
        script.append("\n", line.offset + line.text.size());
      }
      out_.push_back({recipe.name, std::move(script), env});
      return;
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
      MappedText text;
      for (;; ++i) {
        Line line = lines[i];
        if (!text.empty()) {
          const std::size_t skip = std::min(line.text.find_first_not_of(" \t"), line.text.size());
          line = {line.offset + skip, line.text.substr(skip)};
        }
        const bool more = !line.text.empty() && line.text.back() == '\\' && i + 1 < lines.size();
        text.append(interpolate(line, values));
        if (!more) break;
        text.append_at("\n", line.offset + line.text.size());
      }
      const std::size_t begin = text.text().find_first_not_of(" \t@-");
      if (begin == std::string::npos || text.text()[begin] == '#') continue;
      MappedText command;
      command.append(text, begin, text.size());
      out_.push_back({recipe.name, std::move(command), env});
    }
  }

  MappedText interpolate(const Line& line, const Values& values) {
    MappedText out;
    const std::string_view t = line.text;
    for (std::size_t at = 0; at < t.size();) {
      const std::size_t open = std::min(t.find("{{", at), t.size());
      out.append(t.substr(at, open - at), line.offset + at);
      if (open == t.size()) break;
      if (t.substr(open, 4) == "{{{{") {
        out.append("{{", line.offset + open);
        at = open + 4;
        continue;
      }
      const std::size_t close = t.find("}}", open);
      if (close == kNone) {
        out.append(t.substr(open), line.offset + open);
        break;
      }
      out.append_at(evaluate(t.substr(open + 2, close - open - 2), values), line.offset + open);
      at = close + 2;
    }
    return out;
  }

  std::string_view text_;
  Placeholders& marks_;
  Values globals_;
  std::vector<std::string> exported_;
  std::vector<Recipe> recipes_;
  std::vector<RecipeScript> out_;
  bool export_all_ = false;
  int calls_ = 0;
};

}  // namespace

std::vector<RecipeScript> read_justfile(std::string_view text, Placeholders& marks) {
  return Reader(text, marks).read();
}

}  // namespace gonogo
