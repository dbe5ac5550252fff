#include "carriers/makefile.h"

#include <algorithm>
#include <map>

#include "carriers/make_expansion.h"

namespace gonogo {

namespace {

constexpr auto kNone = std::string_view::npos;
constexpr int kMaxIncludes = 8;

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\n");
  if (begin == kNone) return {};
  return text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

struct Setting {
  std::string name;
  std::string op;
  std::string value;
  bool exported = false;
};

struct Rule {
  std::vector<std::string> targets;
  std::vector<MappedText> lines;
};

// Where the first of `=` and `:` outside brackets stands.
std::size_t first_operator(std::string_view line) {
  int depth = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (c == '(' || c == '{') ++depth;
    if (c == ')' || c == '}') --depth;
    if (depth <= 0 && (c == '=' || c == ':')) return at;
  }
  return kNone;
}

// Reads `NAME op value`; false where the line is no assignment.
bool read_setting(std::string_view line, Setting* out) {
  const std::size_t at = first_operator(line);
  if (at == kNone) return false;
  std::size_t equals = at;
  if (line[at] == ':') {
    equals = line.find_first_not_of(':', at);
    if (equals == kNone || line[equals] != '=') return false;
    out->op = ":=";
    out->name = std::string(trim(line.substr(0, at)));
  } else {
    const char before = at > 0 ? line[at - 1] : ' ';
    const bool two = before == '?' || before == '+' || before == '!';
    out->op = two ? std::string{before, '='} : "=";
    out->name = std::string(trim(line.substr(0, two ? at - 1 : at)));
  }
  const std::string_view value = line.substr(equals + 1);
  out->value = std::string(value.substr(std::min(value.find_first_not_of(" \t"), value.size())));
  if (out->op == "!=") {  // a command's output
    out->op = "=";
    out->value = "$(shell " + out->value + ")";
  }
  return !out->name.empty();
}

class Reader {
 public:
  Reader(const ReadBeside& beside, Placeholders& marks) : beside_(beside), marks_(marks), variables_(marks) {}

  void read(std::string_view text, bool rules, int depth) {
    for (std::size_t at = 0; at < text.size();) {
      std::size_t start = at;
      MappedText joined = logical(text, at, rules);
      const std::string& line = joined.text();
      if (!line.empty() && line[0] == '\t' && in_rule_) {
        if (active()) recipe(joined, 1);
        continue;
      }
      if (start < text.size()) statement(joined, text, at, rules, depth);
    }
  }

  std::vector<RecipeScript> scripts() {
    std::vector<RecipeScript> out;
    for (const Rule& rule : rules_) {
      for (const std::string& target : rule.targets) {
        MakeVariables local = variables_;
        for (const Setting& s : target_settings_[target]) {
          local.assign(s.name, s.op, s.value);
          if (s.exported) local.set_exported(s.name, true);
        }
        local.assign("@", ":=", target);
        const auto env = environment(local);
        MappedText whole;
        for (const MappedText& line : rule.lines) {
          const MappedText text = local.expand(line);
          // What a variable brings in may be several lines, each a command.
          for (std::size_t at = 0; at < text.size();) {
            std::size_t end = text.text().find('\n', at);
            while (end != kNone && end > at && text.text()[end - 1] == '\\') end = text.text().find('\n', end + 1);
            end = std::min(end, text.size());
            const std::size_t begin = std::min(text.text().find_first_not_of(" \t@+-", at), text.size());
            MappedText command;
            command.append(text, begin, end);
            if (one_shell_) {
              whole.append(command);
              whole.append_at("\n", text.offset(end));
            } else if (!command.empty()) {
              out.push_back({target, std::move(command), env});
            }
            at = end + 1;
          }
        }
        if (one_shell_ && !whole.empty()) out.push_back({target, std::move(whole), env});
      }
    }
    return out;
  }

 private:
  // A line with those that continue it. In a recipe the shell sees the backslash; elsewhere it becomes a blank.
  MappedText logical(std::string_view text, std::size_t& at, bool) {
    MappedText out;
    const bool is_recipe = text[at] == '\t' && in_rule_;
    bool first = true;
    for (;;) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      std::string_view line = text.substr(at, end - at);
      std::size_t offset = at;
      at = end + 1;
      if (!first) {
        const std::size_t skip = is_recipe ? (!line.empty() && line[0] == '\t' ? 1 : 0)
                                           : std::min(line.find_first_not_of(" \t"), line.size());
        line.remove_prefix(skip);
        offset += skip;
      }
      std::size_t slashes = 0;
      while (slashes < line.size() && line[line.size() - 1 - slashes] == '\\') ++slashes;
      const bool more = slashes % 2 == 1 && at < text.size();
      if (more && !is_recipe) {
        line.remove_suffix(1);
        while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
      }
      out.append(line, offset);
      if (!more) return out;
      out.append_at(is_recipe ? "\n" : " ", offset + line.size());
      first = false;
    }
  }

  void recipe(const MappedText& line, std::size_t from) {
    MappedText text;
    text.append(line, from, line.size());
    if (!rules_.empty()) rules_.back().lines.push_back(std::move(text));
  }

  bool active() const {
    return std::all_of(conditions_.begin(), conditions_.end(), [](const Branch& b) { return b.taken; });
  }

  void statement(const MappedText& joined, std::string_view text, std::size_t& at, bool rules, int depth) {
    std::string_view line = joined.text();
    for (std::size_t hash = line.find('#'); hash != kNone; hash = line.find('#', hash + 1)) {
      if (hash == 0 || line[hash - 1] != '\\') {
        line = line.substr(0, hash);
        break;
      }
    }
    line = trim(line);
    if (line.empty()) return;
    const std::string word(line.substr(0, line.find_first_of(" \t(")));
    if (condition(word, line.substr(word.size()))) return;
    if (word == "define") {
      define(trim(line.substr(6)), text, at);
      return;
    }
    if (!active()) return;
    if (word == "include" || word == "-include" || word == "sinclude") {
      include(line.substr(word.size()), depth);
    } else if (word == "export" || word == "unexport") {
      export_line(word == "export", trim(line.substr(word.size())));
    } else {
      assignment_or_rule(line, joined, rules);
    }
  }

  struct Branch {
    bool taken;
    bool was_taken;
  };

  bool condition(const std::string& word, std::string_view rest) {
    if (word == "ifeq" || word == "ifneq") {
      const bool same = equal(rest);
      push((word == "ifeq") == same);
    } else if (word == "ifdef" || word == "ifndef") {
      push((word == "ifdef") == variables_.defined(variables_.expand(trim(rest))));
    } else if (word == "else") {
      if (conditions_.empty()) return true;
      Branch& top = conditions_.back();
      const bool before = top.was_taken;
      top.taken = !before;
      const std::string_view then = trim(rest);
      if (!then.empty()) {
        const std::string next(then.substr(0, then.find_first_of(" \t(")));
        conditions_.pop_back();
        if (condition(next, then.substr(next.size())) && !conditions_.empty()) {
          Branch& again = conditions_.back();
          again.taken = again.taken && !before;
          again.was_taken = before || again.taken;
        }
      } else {
        top.was_taken = true;
      }
    } else if (word == "endif") {
      if (!conditions_.empty()) conditions_.pop_back();
    } else {
      return false;
    }
    return true;
  }

  void push(bool taken) { conditions_.push_back({taken, taken}); }

  bool equal(std::string_view rest) const {
    rest = trim(rest);
    if (rest.size() >= 2 && rest.front() == '(' && rest.back() == ')') {
      const std::string_view inner = rest.substr(1, rest.size() - 2);
      int depth = 0;
      for (std::size_t at = 0; at < inner.size(); ++at) {
        if (inner[at] == '(' || inner[at] == '{') ++depth;
        if (inner[at] == ')' || inner[at] == '}') --depth;
        if (inner[at] == ',' && depth == 0) {
          return trim(variables_.expand(inner.substr(0, at))) == trim(variables_.expand(inner.substr(at + 1)));
        }
      }
      return false;
    }
    std::vector<std::string> sides;
    for (std::size_t at = rest.find_first_of("\"'"); at != kNone; at = rest.find_first_of("\"'", at)) {
      const std::size_t end = rest.find(rest[at], at + 1);
      if (end == kNone) break;
      sides.push_back(variables_.expand(rest.substr(at + 1, end - at - 1)));
      at = end + 1;
    }
    return sides.size() == 2 && sides[0] == sides[1];
  }

  void define(std::string_view head, std::string_view text, std::size_t& at) {
    std::string name(head.substr(0, head.find_first_of(" \t=:+?")));
    std::string value;
    while (at < text.size()) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string_view line = text.substr(at, end - at);
      at = end + 1;
      if (trim(line) == "endef") break;
      if (!value.empty()) value += '\n';
      value += line;
    }
    if (active() && !name.empty()) variables_.assign(name, "=", value);
  }

  void include(std::string_view names, int depth) {
    if (depth >= kMaxIncludes || !beside_) return;
    for (const std::string& name : make_words(variables_.expand(names))) {
      if (const auto text = beside_(name)) read(*text, false, depth + 1);
    }
  }

  void export_line(bool on, std::string_view rest) {
    if (rest.empty()) {
      export_all_ = on;
      return;
    }
    Setting s;
    if (on && read_setting(rest, &s)) {
      set(s);
      exported_[s.name] = true;
      return;
    }
    for (const std::string& name : make_words(variables_.expand(rest))) exported_[name] = on;
  }

  void set(const Setting& s) { variables_.assign(variables_.expand(s.name), s.op, s.value); }

  void assignment_or_rule(std::string_view line, const MappedText& joined, bool rules) {
    Setting s;
    if (line.rfind("override ", 0) == 0) line = trim(line.substr(9));
    if (read_setting(line, &s)) {
      in_rule_ = false;
      set(s);
      return;
    }
    const std::size_t colon = first_operator(line);
    if (colon == kNone || line[colon] != ':') return;
    const std::vector<std::string> targets = make_words(variables_.expand(line.substr(0, colon)));
    std::string_view rest = line.substr(std::min(line.find_first_not_of(':', colon), line.size()));
    rest = trim(rest);
    const bool exported = rest.rfind("export ", 0) == 0;
    const std::size_t semicolon = rest.find(';');
    if (read_setting(exported ? rest.substr(7) : rest.substr(0, semicolon), &s)) {
      s.exported = exported;
      for (const std::string& target : targets) target_settings_[target].push_back(s);
      return;
    }
    if (std::find(targets.begin(), targets.end(), ".ONESHELL") != targets.end()) one_shell_ = true;
    if (!rules) return;
    in_rule_ = true;
    rules_.push_back({targets, {}});
    if (semicolon != kNone) recipe(joined, joined.text().find(';') + 1);
  }

  std::vector<std::pair<std::string, std::string>> environment(MakeVariables& local) const {
    for (const auto& [name, on] : exported_) local.set_exported(name, on);
    std::vector<std::pair<std::string, std::string>> out;
    for (auto& entry : local.exports(export_all_)) {
      const auto it = exported_.find(entry.first);
      if (entry.first != "@" && (it == exported_.end() || it->second)) out.push_back(std::move(entry));
    }
    return out;
  }

  const ReadBeside& beside_;
  Placeholders& marks_;
  MakeVariables variables_;
  std::vector<Rule> rules_;
  std::map<std::string, std::vector<Setting>> target_settings_;
  std::map<std::string, bool> exported_;
  std::vector<Branch> conditions_;
  bool in_rule_ = false;
  bool export_all_ = false;
  bool one_shell_ = false;
};

}  // namespace

std::vector<RecipeScript> read_makefile(std::string_view text, const ReadBeside& beside, Placeholders& marks) {
  Reader reader(beside, marks);
  reader.read(text, true, 0);
  return reader.scripts();
}

}  // namespace gonogo
