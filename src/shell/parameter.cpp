// Tracer: variables, and the operators of ${…}.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "shell/builder.h"
#include "shell/pattern.h"
#include "shell/tracer.h"
#include "shell/word_parser.h"

namespace gonogo {

namespace {

using Shape = Variable::Shape;

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

bool is_all(const SyntaxPart& part) {
  if (part.name == "@" || part.name == "*") return true;
  if (!part.indexed || part.index.size() != 1 || part.index[0].kind != SyntaxPart::Kind::kText) return false;
  const std::string& index = part.index[0].text.chars();
  return index == "@" || index == "*";
}

bool is_star(const SyntaxPart& part) {
  return part.name == "*" || (part.indexed && part.index.size() == 1 && part.index[0].text.chars() == "*");
}

std::string upper_or_lower(std::string text, const std::string& op) {
  const std::size_t end = op.size() == 2 ? text.size() : std::min<std::size_t>(1, text.size());
  for (std::size_t i = 0; i < end; ++i) {
    char& c = text[i];
    if (op[0] == '^' && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (op[0] == ',' && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

}  // namespace

Text Tracer::as_written(const SyntaxPart& part) const {
  Unknown unknown{Unknown::Kind::kResult, part.written.shown(), {part.name}};
  if (unknown.shown.size() > 1 && unknown.shown[1] != '{') unknown.shown = "${" + part.name + "}";
  Text out;
  out.append(std::move(unknown), part.written.origin(0));
  return out;
}

const std::string& Tracer::referred(const std::string& name) const {
  const std::string* out = &name;
  for (std::size_t hops = 0; hops < 8; ++hops) {
    const auto found = state_.variables.find(*out);
    if (found == state_.variables.end() || found->second.refers_to.empty()) break;
    out = &found->second.refers_to;
  }
  return *out;
}

Variable& Tracer::variable(const std::string& name) { return state_.variables[referred(name)]; }

std::optional<std::string> Tracer::known_value(const std::string& name) const {
  const auto found = state_.variables.find(name);
  if (found == state_.variables.end() || !found->second.set || !found->second.value.known()) return std::nullopt;
  return found->second.value.chars();
}

Tracer::Value Tracer::element_of(const Variable& var, const SyntaxPart& part) {
  Value out;
  if (var.open) {
    out.kind = Value::Kind::kUnknown;
    out.text = as_written(part);
    return out;
  }
  std::string key = "0";
  if (part.indexed) {
    if (var.shape == Shape::kAssociative) {
      const Text text = expand_text(part.index);
      if (!text.known()) {
        out.kind = Value::Kind::kUnknown;
        out.text = as_written(part);
        return out;
      }
      key = text.chars();
    } else {
      bool defaulted = false;
      const ArithmeticResult index = arithmetic(part.index, &defaulted);
      if (!index.value.has_value()) {
        out.kind = Value::Kind::kUnknown;
        out.text = as_written(part);
        return out;
      }
      const std::int64_t number = *index.value < 0 ? var.next_index() + *index.value : *index.value;
      key = std::to_string(number);
    }
  }
  if (const Text* element = var.element(key)) {
    out.kind = Value::Kind::kSet;
    out.text = *element;
    out.text.carry();
  }
  return out;
}

// `part` says which element, and how the whole was written; null for a name alone.
Tracer::Value Tracer::value_of(const std::string& name, const SyntaxPart* part) {
  Value out;
  const TextOrigin at = part != nullptr ? part->written.origin(0) : TextOrigin{};
  const auto unknown = [&](Unknown::Kind kind, std::string shown) {
    for (const auto& [called, value] : input_.known) {
      if (called != name) continue;
      out.kind = Value::Kind::kSet;
      out.text.append_fixed(value, {});
      out.text.carry();
      return out;
    }
    out.kind = Value::Kind::kUnknown;
    out.text.append(Unknown{kind, std::move(shown), {name}}, at);
    return out;
  };
  if (is_number(name) && name.find_first_not_of('0') == std::string::npos)
    return unknown(Unknown::Kind::kScriptPath, "${0}");
  if (name == "BASH_SOURCE")
    return unknown(Unknown::Kind::kScriptPath,
                   part != nullptr && part->indexed ? part->written.shown() : "${BASH_SOURCE}");
  if (is_number(name)) {
    const std::size_t index = name.size() > 6 ? 1'000'000 : std::strtoul(name.c_str(), nullptr, 10);
    for (std::size_t i = 0; i < state_.arguments.size() && i < index; ++i) {
      if (is_all_arguments(state_.arguments[i])) {
        const auto refined = state_.variables.find(name);
        if (refined == state_.variables.end()) return unknown(Unknown::Kind::kVariable, "${" + name + "}");
        out.kind = Value::Kind::kSet;
        out.text = refined->second.value;
        return out;
      }
    }
    if (index > state_.arguments.size()) return out;
    out.kind = Value::Kind::kSet;
    out.text = state_.arguments[index - 1];
    out.text.carry();
    return out;
  }
  if (name == "#") {
    if (std::any_of(state_.arguments.begin(), state_.arguments.end(), is_all_arguments))
      return unknown(Unknown::Kind::kVariable, "${#}");
    out.kind = Value::Kind::kSet;
    out.text.append_fixed(std::to_string(state_.arguments.size()), at);
    return out;
  }
  if (name.size() == 1 && !is_name_start(name[0])) return unknown(Unknown::Kind::kVariable, "${" + name + "}");
  const auto found = state_.variables.find(name);
  if (found == state_.variables.end()) {
    if (part != nullptr && part->indexed) {
      out.kind = Value::Kind::kUnknown;
      out.text = as_written(*part);
      return out;
    }
    return unknown(Unknown::Kind::kVariable, "${" + name + "}");
  }
  const Variable& var = found->second;
  if (var.shape != Shape::kScalar || (part != nullptr && part->indexed)) {
    SyntaxPart plain;
    if (part == nullptr) {
      plain.name = name;
      plain.written = Text("$" + name);
    }
    return element_of(var, part == nullptr ? plain : *part);
  }
  if (!var.set) return out;
  out.kind = var.value.size() == 1 && !var.value.known() ? Value::Kind::kUnknown : Value::Kind::kSet;
  out.text = var.value;
  out.text.carry();
  if (out.kind == Value::Kind::kUnknown) {
    for (const auto& [called, value] : input_.known) {
      if (var.value.unknown(0).names.size() != 1 || called != var.value.unknown(0).names[0]) continue;
      out.kind = Value::Kind::kSet;
      out.text = Text(value);
    }
  }
  return out;
}

void Tracer::expand_parameter(const SyntaxPart& part, Builder* out) {
  if (const std::string& meant = referred(part.name); meant != part.name) {
    SyntaxPart target = part;
    target.name = meant;
    return expand_parameter(target, out);
  }
  if (is_all(part) && part.prefix != '!' && part.prefix != '#') return expand_list(part, out);
  if (is_all(part)) {
    // ${#A[@]} and ${!A[@]}
    const auto found = state_.variables.find(part.name);
    const bool arguments = part.name == "@" || part.name == "*";
    const bool unknown_arguments =
        arguments && std::any_of(state_.arguments.begin(), state_.arguments.end(), is_all_arguments);
    if (unknown_arguments || (!arguments && (found == state_.variables.end() || found->second.open))) {
      return out->value(as_written(part), part.quoted);
    }
    const Variable* var = arguments ? nullptr : &found->second;
    if (part.prefix == '#') {
      const std::size_t count = arguments                      ? state_.arguments.size()
                                : var->shape == Shape::kScalar ? (var->set ? 1 : 0)
                                                               : var->elements.size();
      Text text;
      text.append_fixed(std::to_string(count), part.written.origin(0));
      return out->value(text, part.quoted);
    }
    std::vector<Text> keys;
    if (var != nullptr && var->shape == Shape::kScalar && var->set) keys.emplace_back("0");
    if (var != nullptr) {
      for (const auto& [key, value] : var->elements) keys.push_back(Text(key));
    }
    return out->values(keys, part.quoted);
  }

  Value value;
  if (part.prefix == '!') {
    const Value name = value_of(part.name, &part);
    const bool good =
        name.kind == Value::Kind::kSet && name.text.known() && !name.text.empty() && is_name_char(name.text.chars()[0]);
    if (!good) return out->value(as_written(part), part.quoted);
    std::string called = name.text.chars();
    SyntaxPart target = part;
    target.prefix = 0;
    if (const std::size_t bracket = called.find('['); bracket != std::string::npos && called.back() == ']') {
      SyntaxPart index;
      index.text = Text(called.substr(bracket + 1, called.size() - bracket - 2));
      target.indexed = true;
      target.index = {index};
      called.resize(bracket);
    }
    target.name = called;
    if (is_all(target)) return expand_list(target, out);
    value = value_of(called, &target);
  } else {
    value = value_of(part.name, &part);
  }

  using Kind = Value::Kind;
  const std::string& op = part.op;
  const bool colon = op.size() == 2 && op[0] == ':';
  const char action = op.empty() ? '\0' : colon ? op[1] : op.size() == 1 ? op[0] : '\0';
  if (action == '-' || action == '=' || action == '+' || action == '?') {
    const bool missing = value.kind == Kind::kUnset || (colon && value.kind == Kind::kSet && value.text.empty());
    if (action == '?') {
      if (value.kind == Kind::kUnset) return;
      return out->value(value.text, part.quoted);
    }
    if (action == '+') {
      bool use = !missing;
      if (value.kind == Kind::kUnknown) {
        const std::string key = fact_key(part.name, colon ? "" : "unset");
        use = paths_.choose(key, {"!(" + part.written.shown() + ")", part.written.shown()}, 0) == 1;
      }
      if (use) expand_parts(part.operand, true, out);
      return;
    }
    if (value.kind == Kind::kSet && !missing) return out->value(value.text, part.quoted);
    if (value.kind == Kind::kUnknown && paths_.chosen(fact_key(part.name, "")) == std::optional<std::size_t>(1)) {
      return out->value(value.text, part.quoted);  // it is not empty on this path
    }
    const bool by_default = value.kind == Kind::kUnknown || value.text.defaulted;
    if (action == '=') {
      Text assigned = expand_text(part.operand);
      assigned.defaulted = assigned.defaulted || by_default;
      assign(part.name, assigned);
      return out->value(assigned, part.quoted);
    }
    const bool before = out->current.defaulted;
    out->current.defaulted = before || by_default;
    const std::size_t fields = out->fields.size();
    expand_parts(part.operand, !part.quoted, out);
    for (std::size_t i = fields; i < out->fields.size(); ++i)
      out->fields[i].defaulted = out->fields[i].defaulted || by_default;
    out->current.defaulted = out->current.defaulted || by_default;
    return;
  }
  if (op.empty() && part.prefix != '#') {
    if (value.kind != Kind::kUnset) out->value(value.text, part.quoted);
    return;
  }
  if (value.kind == Kind::kUnknown) {
    const Unknown::Kind kind = value.text.empty() ? Unknown::Kind::kVariable : value.text.unknown(0).kind;
    Text written = as_written(part);
    if (kind == Unknown::Kind::kScriptPath && op == "%") {
      Unknown folder = written.unknown(0);
      folder.kind = Unknown::Kind::kScriptFolder;
      written = {};
      written.append(std::move(folder), part.written.origin(0));
    }
    return out->value(written, part.quoted);
  }
  out->value(transform(part, value.text), part.quoted);
}

Text Tracer::transform(const SyntaxPart& part, const Text& value) {
  const std::string& op = part.op;
  Text out;
  const TextOrigin at = part.written.origin(0);
  if (!value.known()) return as_written(part);
  const std::string& chars = value.chars();
  if (part.prefix == '#') {
    std::size_t points = 0;
    for (const char c : chars) points += (static_cast<unsigned char>(c) & 0xc0) != 0x80 ? 1 : 0;
    out.append_fixed(std::to_string(points), at);
  } else if (op[0] == '#' || op[0] == '%') {
    const std::optional<std::string> pattern = expand_pattern(part.operand);
    if (!pattern.has_value()) return as_written(part);
    const std::string kept = without_pattern(chars, *pattern, op[0], op.size() == 2);
    out = op[0] == '%' ? value.slice(0, kept.size()) : value.slice(chars.size() - kept.size(), chars.size());
  } else if (op[0] == '/') {
    const std::optional<std::string> pattern = expand_pattern(part.operand);
    const Text with = expand_text(part.second);
    if (!pattern.has_value() || !with.known()) return as_written(part);
    const char anchor = op.size() == 2 && op[1] != '/' ? op[1] : '\0';
    out.append_fixed(replace_pattern(chars, *pattern, with.chars(), op == "//", anchor), at);
  } else if (op[0] == '^' || op[0] == ',') {
    out.append_fixed(upper_or_lower(chars, op), at);
  } else if (op == ":") {
    bool defaulted = false;
    const ArithmeticResult offset = arithmetic(part.operand, &defaulted);
    const ArithmeticResult length = part.has_second ? arithmetic(part.second, &defaulted) : ArithmeticResult{};
    if (!offset.value.has_value() || (part.has_second && !length.value.has_value())) return as_written(part);
    const auto size = static_cast<std::int64_t>(chars.size());
    const std::int64_t begin = *offset.value < 0 ? size + *offset.value : *offset.value;
    std::int64_t end = size;
    if (part.has_second) end = *length.value < 0 ? size + *length.value : begin + *length.value;
    if (begin >= 0 && begin <= size && end > begin)
      out = value.slice(static_cast<std::size_t>(begin), static_cast<std::size_t>(std::min(end, size)));
  } else if (op == "@" && part.operand.size() == 1 && part.operand[0].text.chars() == "Q") {
    std::string inner = "'";
    for (const char c : chars) inner += c == '\'' ? "'\\''" : std::string(1, c);
    out.append_fixed(inner + "'", at);
  } else {
    out = value;  // the rest of ${X@…}
  }
  out.defaulted = value.defaulted;
  return out;
}

void Tracer::expand_list(const SyntaxPart& part, Builder* out) {
  std::vector<Text> list;
  const bool arguments = part.name == "@" || part.name == "*";
  bool open = false;
  if (arguments) {
    list = state_.arguments;
    open = std::any_of(list.begin(), list.end(), is_all_arguments);
  } else {
    const auto found = state_.variables.find(part.name);
    if (found == state_.variables.end() || found->second.open) {
      const bool alternative = part.op == ":-" || part.op == "-";
      if (found == state_.variables.end() && alternative) return expand_parts(part.operand, !part.quoted, out);
      if (part.op == "+" || part.op == ":+") {
        if (paths_.choose(fact_key(part.name, ""), {"!(" + part.written.shown() + ")", part.written.shown()}, 0) == 1) {
          expand_parts(part.operand, true, out);
        }
        return;
      }
      return out->value(as_written(part), part.quoted);
    }
    const Variable& var = found->second;
    if (var.shape == Shape::kScalar) {
      if (var.set) list.push_back(var.value);
    } else {
      for (const auto& [key, value] : var.elements) list.push_back(value);
    }
  }
  for (Text& text : list) text.carry();
  const std::string& op = part.op;
  if (op == ":-" || op == "-" || op == ":+" || op == "+") {
    const bool use_operand = list.empty() == (op.back() == '-');
    if (use_operand) {
      if (part.quoted && part.operand.empty()) out->literal({}, true);
      return expand_parts(part.operand, !part.quoted, out);
    }
    if (op.back() == '+') return;
  } else if (op == ":") {
    bool defaulted = false;
    const ArithmeticResult offset = arithmetic(part.operand, &defaulted);
    const ArithmeticResult length = part.has_second ? arithmetic(part.second, &defaulted) : ArithmeticResult{};
    if (open || !offset.value.has_value() || (part.has_second && !length.value.has_value()))
      return out->value(as_written(part), part.quoted);
    if (arguments) list.insert(list.begin(), value_of("0", nullptr).text);
    const auto size = static_cast<std::int64_t>(list.size());
    const std::int64_t begin =
        std::clamp<std::int64_t>(*offset.value < 0 ? size + *offset.value : *offset.value, 0, size);
    std::int64_t end = part.has_second ? begin + std::clamp<std::int64_t>(*length.value, 0, size) : size;
    end = std::min(end, size);
    list = std::vector<Text>(list.begin() + begin, list.begin() + end);
  } else if (!op.empty()) {
    for (Text& text : list) text = is_all_arguments(text) ? as_written(part) : transform(part, text);
  }
  if (is_star(part) && part.quoted) {
    Text joined;
    const std::string separator = known_value("IFS").value_or(" ");
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0 && !separator.empty()) joined.append_fixed(separator.substr(0, 1), {});
      joined.append(list[i]);
    }
    if (list.size() == 1 && is_all_arguments(list[0])) {
      joined = {};
      joined.append(Unknown{Unknown::Kind::kVariable, part.name == "*" ? "${*}" : "${@}", {part.name}},
                    part.written.origin(0));
    }
    return out->literal(joined, true);
  }
  if (list.empty()) return;
  out->values(list, part.quoted);
}

}  // namespace gonogo
