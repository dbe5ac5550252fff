// Tracer: words and what they expand to.
#include <algorithm>
#include <utility>

#include "shell/braces.h"
#include "shell/builder.h"
#include "shell/tracer.h"
#include "shell/word_parser.h"

namespace gonogo {

namespace {

// A leading ~ that stands for the caller's home.
bool has_tilde(const std::string& chars, std::size_t at) {
  return at < chars.size() && chars[at] == '~' &&
         (at + 1 == chars.size() || chars[at + 1] == '/' || chars[at + 1] == ':');
}

// Where the value begins in NAME=value; 0 where the text is no assignment.
std::size_t value_begin(const std::string& chars) {
  if (chars.empty() || !is_name_start(chars[0])) return 0;
  std::size_t at = 1;
  while (at < chars.size() && is_name_char(chars[at])) ++at;
  return at < chars.size() && chars[at] == '=' ? at + 1 : 0;
}

}  // namespace

std::vector<Text> Tracer::expand_words(const std::vector<SyntaxWord>& words) {
  Builder out;
  if (const auto ifs = known_value("IFS")) out.separators = *ifs;
  for (const SyntaxWord& word : words) {
    for (const SyntaxWord& one : expand_braces(word)) {
      if (++path_steps_ > limits_.steps) break;
      expand_word(one, false, &out);
      out.finish();
    }
    if (out.fields.size() > kMaxWords) {
      note("a command with more than " + std::to_string(kMaxWords) + " words is cut there");
      break;
    }
  }
  return std::move(out.fields);
}

Text Tracer::expand_text(const SyntaxWord& word, bool assignment) {
  Builder out;
  out.split = false;
  expand_word(word, assignment, &out);
  if (out.current.size() > limits_.bytes) {
    note("a value of more than " + std::to_string(limits_.bytes >> 20) + " MiB is left out");
    end_ = true;
    return {};
  }
  return std::move(out.current);
}

std::optional<std::string> Tracer::expand_pattern(const SyntaxWord& word) {
  Builder out;
  out.split = false;
  out.pattern = true;
  expand_word(word, false, &out);
  if (!out.current.known()) return std::nullopt;
  return out.current.chars();
}

void Tracer::expand_word(const SyntaxWord& word, bool assignment, Builder* out) {
  if (!word.empty() && word[0].kind == SyntaxPart::Kind::kText && !word[0].quoted &&
      word[0].text.chars().find('~') != std::string::npos) {
    const Text& text = word[0].text;
    const std::string& chars = text.chars();
    const std::size_t value = assignment ? 0 : value_begin(chars);
    Text replaced;
    for (std::size_t i = 0; i < chars.size(); ++i) {
      const bool here = (i == 0 && value == 0) || (value > 0 && i == value) ||
                        ((assignment || (value > 0 && i > value)) && i > 0 && chars[i - 1] == ':');
      const bool ends = i + 1 == chars.size() && word.size() > 1;  // ~"x" is a plain character
      if (!here || ends || !has_tilde(chars, i)) {
        replaced.append(text.slice(i, i + 1));
        continue;
      }
      Value home = value_of("HOME", nullptr);
      if (home.kind == Value::Kind::kUnset)
        home.text.append(Unknown{Unknown::Kind::kVariable, "${HOME}", {"HOME"}}, text.origin(i));
      replaced.append(home.text);
    }
    SyntaxWord changed = word;
    changed[0].text = std::move(replaced);
    return expand_parts(changed, false, out);
  }
  expand_parts(word, false, out);
}

void Tracer::expand_parts(const SyntaxWord& word, bool operand, Builder* out) {
  if (++depth_ > limits_.depth) {
    note("expansions nested too deeply are not followed");
    end_ = true;
  }
  for (const SyntaxPart& part : word) {
    if (end_ || out->current.size() > limits_.bytes) break;
    switch (part.kind) {
      case SyntaxPart::Kind::kText:
        if (operand && !part.quoted) {
          out->value(part.text, false);
        } else {
          out->literal(part.text, part.quoted);
        }
        break;
      case SyntaxPart::Kind::kParameter:
        expand_parameter(part, out);
        break;
      case SyntaxPart::Kind::kCommand:
        expand_command(part, out);
        break;
      case SyntaxPart::Kind::kArithmetic:
        expand_arithmetic(part, out);
        break;
      case SyntaxPart::Kind::kProcess: {
        // The path of a pipe; what comes out of it can be read from there.
        std::optional<Text> text = capture([&] { subshell([&] { return execute(part.body); }); });
        Text path;
        path.append(Unknown{Unknown::Kind::kResult, part.written.shown(), {part.written.shown()}},
                    part.written.origin(0));
        if (text.has_value()) state_.files[path.shown()] = std::move(*text);
        out->literal(path, true);
        break;
      }
    }
  }
  --depth_;
}

std::optional<Text> Tracer::capture(const std::function<void()>& inner) {
  Output output;
  Output* outer = std::exchange(output_, &output);
  inner();
  output_ = outer;
  if (!output.known) return std::nullopt;
  return std::move(output.text);
}

void Tracer::expand_command(const SyntaxPart& part, Builder* out) {
  std::optional<Text> printed;
  // `$(< file)` reads the file.
  printed = capture([&] { subshell([&] { return execute(part.body); }); });
  if (printed.has_value()) {
    std::size_t end = printed->size();
    while (end > 0 && printed->chars()[end - 1] == '\n') --end;
    if (end < printed->size()) printed = printed->slice(0, end);
    if (printed->known()) return out->value(*printed, part.quoted);
  }
  Unknown unknown{Unknown::Kind::kResult, part.written.shown(), {part.written.shown()}};
  if (printed.has_value() && printed->size() == 1) {
    const Unknown::Kind kind = printed->unknown(0).kind;
    if (kind == Unknown::Kind::kScriptFolder || kind == Unknown::Kind::kScriptPath) unknown.kind = kind;
  }
  // What the caller knows of it stands in its place.
  for (const auto& [name, value] : input_.known) {
    if (name == unknown.shown) return out->value(Text(value), part.quoted);
  }
  Text text;
  text.append(std::move(unknown), part.written.origin(0));
  out->value(text, part.quoted);
}

ArithmeticNames Tracer::arithmetic_names(bool* defaulted) {
  ArithmeticNames names;
  const auto resolve = [this](const std::string& called) {
    SyntaxPart part;
    part.kind = SyntaxPart::Kind::kParameter;
    part.name = called;
    if (const std::size_t bracket = called.find('['); bracket != std::string::npos) {
      part.name = called.substr(0, bracket);
      part.indexed = true;
      SyntaxPart index;
      index.text = Text(called.substr(bracket + 1, called.size() - bracket - 2));
      part.index.push_back(std::move(index));
    }
    return part;
  };
  names.get = [this, resolve, defaulted](const std::string& called) -> std::optional<std::string> {
    const SyntaxPart part = resolve(called);
    const Value value = value_of(part.name, &part);
    if (value.kind == Value::Kind::kUnknown || !value.text.known()) return std::nullopt;
    *defaulted = *defaulted || value.text.defaulted;
    return value.text.chars();
  };
  names.set = [this, resolve, defaulted](const std::string& called, std::optional<std::int64_t> number) {
    const SyntaxPart part = resolve(called);
    if (!number.has_value()) return set_unknown(part.name);
    Text value(std::to_string(*number));
    value.defaulted = *defaulted;
    if (!part.indexed) return assign(part.name, std::move(value));
    Assignment assignment;
    assignment.name = part.name;
    assignment.indexed = true;
    assignment.index = part.index;
    SyntaxPart text;
    text.text = std::move(value);
    assignment.value.push_back(std::move(text));
    assign(assignment);
  };
  return names;
}

ArithmeticResult Tracer::arithmetic(const SyntaxWord& expression, bool* defaulted) {
  Builder inner;
  inner.split = false;
  expand_parts(expression, false, &inner);
  *defaulted = *defaulted || inner.current.defaulted;
  return evaluate_arithmetic(inner.current.chars(), arithmetic_names(defaulted));
}

void Tracer::expand_arithmetic(const SyntaxPart& part, Builder* out) {
  bool defaulted = false;
  const ArithmeticResult result = arithmetic(part.operand, &defaulted);
  Text text;
  if (result.value.has_value()) {
    text.append_fixed(std::to_string(*result.value), part.written.origin(0));
    text.defaulted = defaulted;
    return out->value(text, part.quoted);
  }
  Unknown unknown{Unknown::Kind::kResult, part.written.shown(), {}};
  for (const SyntaxPart& inner : part.operand) {
    if (inner.kind == SyntaxPart::Kind::kText) {
      for (std::string& name : names_in_arithmetic(inner.text.chars())) unknown.names.push_back(std::move(name));
      for (const auto& [at, other] : inner.text.unknowns()) {
        unknown.names.insert(unknown.names.end(), other.names.begin(), other.names.end());
      }
    } else if (inner.kind == SyntaxPart::Kind::kParameter) {
      unknown.names.push_back(inner.name);
    } else if (inner.kind == SyntaxPart::Kind::kCommand) {
      unknown.names.push_back(inner.written.shown());
    } else {
      for (std::string& name : names_in_arithmetic(inner.written.shown())) unknown.names.push_back(std::move(name));
    }
  }
  text.append(std::move(unknown), part.written.origin(0));
  out->value(text, part.quoted);
}

}  // namespace gonogo
