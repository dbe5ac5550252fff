// Tracer: conditions. One on known values is decided; one on anything else is open, and its outcomes say what they
// mean for the variables in it.
#include <algorithm>
#include <charconv>
#include <regex>
#include <utility>

#include "shell/pattern.h"
#include "shell/tracer.h"
#include "shell/word_parser.h"

namespace gonogo {

namespace {

using Part = SyntaxPart::Kind;

bool is_file_test(const std::string& op) {
  return op.size() == 2 && op[0] == '-' &&
         std::string_view("abcdefghkprstuwxGLNOS").find(op[1]) != std::string_view::npos;
}

std::optional<long long> integer(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  const std::size_t end = text.find_last_not_of(" \t");
  if (begin == std::string::npos) return std::nullopt;
  const char* first = text.data() + begin + (text[begin] == '+' ? 1 : 0);
  long long value = 0;
  const auto [stop, error] = std::from_chars(first, text.data() + end + 1, value);
  if (error != std::errc() || stop != text.data() + end + 1) return std::nullopt;
  return value;
}

// With unknowns empty, as where nothing is set.
std::string with_nothing_set(const Text& text) {
  std::string out = text.chars();
  out.erase(std::remove(out.begin(), out.end(), Text::kUnknown), out.end());
  return out;
}

Decision decided(bool value) {
  Decision out;
  out.value = value;
  return out;
}

Decision both(Decision left, Decision right, bool all) {
  if (!left.open) return left.value == all ? right : left;
  if (!right.open) return right.value == all ? left : right;
  Decision out;
  out.open = true;
  out.value = all ? left.value && right.value : left.value || right.value;
  out.settled = left.settled && right.settled;
  if (all) {
    for (Decision* side : {&left, &right}) {
      for (Decision::Equality& equality : side->equalities) out.equalities.push_back(std::move(equality));
    }
  }
  out.defaulted = std::move(left.defaulted);
  out.defaulted.insert(out.defaulted.end(), right.defaulted.begin(), right.defaulted.end());
  out.key = left.key + (all ? "&&" : "||") + right.key;
  return out;
}

Decision negated(Decision verdict) {
  verdict.value = !verdict.value;
  verdict.key = "!" + verdict.key;
  if (verdict.single) {
    verdict.equalities[0].negated = !verdict.equalities[0].negated;
  } else {
    verdict.equalities.clear();
  }
  return verdict;
}

}  // namespace

// The variable that a word is, where it is nothing else.
std::string Tracer::single_name(const SyntaxWord& word) const {
  const SyntaxPart* only = nullptr;
  for (const SyntaxPart& part : word) {
    if (part.kind == Part::kText && part.text.empty()) continue;
    if (only != nullptr || part.kind != Part::kParameter) return {};
    only = &part;
  }
  if (only == nullptr || only->indexed || only->prefix != 0) return {};
  static const std::vector<std::string> kValueOps = {"", ":-", "-", ":=", "=", ":?", "?"};
  const bool whole = std::find(kValueOps.begin(), kValueOps.end(), only->op) != kValueOps.end();
  return whole && only->name != "@" && only->name != "*" ? only->name : std::string();
}

// What a word asks for: its text, and which values its variables had.
std::string Tracer::key_of(const SyntaxWord& word) const {
  std::string out;
  for (const SyntaxPart& part : word) {
    if (part.kind == Part::kText) {
      out += part.text.shown();
      continue;
    }
    out += part.written.shown();
    if (part.kind == Part::kParameter) {
      const auto found = state_.variables.find(part.name);
      out += "#" + std::to_string(found == state_.variables.end() ? 0 : found->second.version);
      if (found == state_.variables.end() && !part.name.empty() && !is_name_start(part.name[0])) {
        for (const Text& argument : state_.arguments) out += "," + argument.shown();
      }
      out += key_of(part.operand);
    } else if (part.kind == Part::kArithmetic) {
      out += key_of(part.operand);
    }
  }
  return out;
}

std::string Tracer::fact_key(const std::string& name, const std::string& literal) const {
  const auto found = state_.variables.find(name);
  std::string out = "=" + name + "#" + std::to_string(found == state_.variables.end() ? 0 : found->second.version);
  if (!name.empty() && !is_name_start(name[0])) {
    for (const Text& argument : state_.arguments) out += "," + argument.shown();
  }
  return out + "=" + literal;
}

void Tracer::read(const Operand& operand, Decision* out) {
  if (!operand.text.known()) {
    out->open = true;
    out->settled = false;
  }
  if (operand.text.defaulted) out->open = true;
  if (operand.word == nullptr) return;
  out->key += " " + key_of(*operand.word);
  for (const SyntaxPart& part : *operand.word) {
    if (part.kind == Part::kParameter) out->defaulted.push_back(part.name);
  }
}

Decision Tracer::unary(const std::string& op, const Operand& operand) {
  if (op == "-z" || op == "-n") return binary(op == "-z" ? "=" : "!=", operand, {}, false);
  Decision out;
  read(operand, &out);
  out.key = op + out.key;
  if (op == "-v") {
    const std::string name = operand.text.shown().substr(0, operand.text.shown().find('['));
    const auto found = state_.variables.find(name);
    out.open = found == state_.variables.end();
    out.value = !out.open && (found->second.set || !found->second.elements.empty());
    out.settled = !out.open;
    return out;
  }
  out.open = true;
  out.settled = false;
  out.value = false;
  return out;
}

Decision Tracer::binary(const std::string& op, const Operand& left, const Operand& right, bool pattern) {
  Decision out;
  read(left, &out);
  out.key += " " + op;
  Operand plain = right;
  std::string literal;
  std::optional<std::string> matched;
  bool is_literal = right.text.known();
  if (pattern && right.word != nullptr && (op == "=" || op == "==" || op == "!=")) {
    matched = expand_pattern(*right.word);
    is_literal = matched.has_value() && is_plain_pattern(*matched, &literal);
  } else {
    literal = right.text.chars();
  }
  read(plain, &out);
  const bool equality = op == "=" || op == "==" || op == "!=" || op == "-eq";
  const std::string a = with_nothing_set(left.text);
  const std::string b = with_nothing_set(right.text);
  // A text of which a part is known is not empty, whatever the rest comes to.
  if (equality && op != "-eq" && right.text.known() && b.empty() && !a.empty() && !left.text.known() &&
      !left.text.defaulted) {
    out.open = false;
    out.settled = true;
    out.value = op == "!=";
    return out;
  }
  bool value = false;
  if (op == "=" || op == "==" || op == "!=") {
    value = matched.has_value() ? matches_pattern(*matched, a) : a == b;
    if (given_ && out.open && a.empty() && b.empty() && !matched.has_value()) value = false;
    if (op == "!=") value = !value;
  } else if (op == "<" || op == ">") {
    value = op == "<" ? a < b : a > b;
  } else if (op == "=~") {
    out.value = false;
    if (out.settled && b.size() < 1000 && a.size() < 10'000) {
      try {
        std::smatch match;
        out.value = std::regex_search(a, match, std::regex(b, std::regex::extended));
        std::vector<Text> groups;
        for (const auto& group : match) groups.emplace_back(group.str());
        set_elements("BASH_REMATCH", std::move(groups));
      } catch (const std::regex_error&) {
        out.open = true;
        out.settled = false;
      }
    }
    return out;
  } else if (op == "-nt" || op == "-ot" || op == "-ef") {
    out.open = true;
    out.settled = false;
  } else {
    const auto number = [&](const std::string& text) -> std::optional<long long> {
      if (!pattern) return integer(text);
      bool defaulted = false;  // in [[ ]] both sides are expressions
      const ArithmeticResult result = evaluate_arithmetic(text, arithmetic_names(&defaulted));
      if (defaulted) out.open = true;
      if (!result.value.has_value() && !result.failed) {
        out.open = true;
        out.settled = false;
      }
      return result.value;
    };
    const std::optional<long long> x = number(a);
    const std::optional<long long> y = number(b);
    if (x.has_value() && y.has_value()) {
      value = op == "-eq"   ? *x == *y
              : op == "-ne" ? *x != *y
              : op == "-lt" ? *x < *y
              : op == "-le" ? *x <= *y
              : op == "-gt" ? *x > *y
                            : *x >= *y;
    }
  }
  out.value = value;
  if (!out.open || !equality || right.text.defaulted || !is_literal || left.word == nullptr) return out;
  const std::string name = single_name(*left.word);
  if (name.empty()) return out;
  if (op == "-eq" && !integer(literal).has_value()) return out;
  Text known = right.text;
  if (known.chars() != literal) known = Text(literal);
  out.equalities.push_back({name, std::move(known), op == "!="});
  out.single = true;
  return out;
}

Decision Tracer::test(const Condition& condition) {
  switch (condition.kind) {
    case Condition::Kind::kAnd: {
      Decision left = test(condition.parts[0]);
      if (!left.open && !left.value) return left;
      return both(std::move(left), test(condition.parts[1]), true);
    }
    case Condition::Kind::kOr: {
      Decision left = test(condition.parts[0]);
      if (!left.open && left.value) return left;
      return both(std::move(left), test(condition.parts[1]), false);
    }
    case Condition::Kind::kNot:
      return negated(test(condition.parts[0]));
    case Condition::Kind::kUnary:
      return unary(condition.op, {expand_text(condition.left), &condition.left});
    case Condition::Kind::kBinary:
      return binary(condition.op, {expand_text(condition.left), &condition.left},
                    {expand_text(condition.right), &condition.right}, true);
    case Condition::Kind::kWord:
      break;
  }
  return unary("-n", {expand_text(condition.left), &condition.left});
}

Decision Tracer::test_or(const std::vector<Operand>& operands, std::size_t* at) {
  Decision left = test_and(operands, at);
  while (*at < operands.size() && operands[*at].text.shown() == "-o") {
    ++*at;
    left = both(std::move(left), test_and(operands, at), false);
  }
  return left;
}

Decision Tracer::test_and(const std::vector<Operand>& operands, std::size_t* at) {
  Decision left = test_one(operands, at);
  while (*at < operands.size() && operands[*at].text.shown() == "-a") {
    ++*at;
    left = both(std::move(left), test_one(operands, at), true);
  }
  return left;
}

Decision Tracer::test_one(const std::vector<Operand>& operands, std::size_t* at) {
  const auto word = [&](std::size_t ahead) {
    return *at + ahead < operands.size() ? operands[*at + ahead].text.shown() : std::string();
  };
  const std::size_t left = operands.size() - *at;
  if (left == 0) return decided(false);
  static const std::vector<std::string> kBinary = {"=",   "==",  "!=",  "<",   ">",   "-eq", "-ne",
                                                   "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"};
  if (left >= 3 && std::find(kBinary.begin(), kBinary.end(), word(1)) != kBinary.end()) {
    const std::size_t first = *at;
    *at += 3;
    return binary(operands[first + 1].text.chars(), operands[first], operands[first + 2], false);
  }
  if (word(0) == "!" && left > 1) {
    ++*at;
    return negated(test_one(operands, at));
  }
  if (word(0) == "(" && left > 1) {
    ++*at;
    Decision inner = test_or(operands, at);
    if (*at < operands.size()) ++*at;
    return inner;
  }
  const std::string op = word(0);
  if (left >= 2 && op.size() == 2 && op[0] == '-' &&
      (is_file_test(op) || op == "-z" || op == "-n" || op == "-v" || op == "-o")) {
    *at += 2;
    return unary(op, operands[*at - 1]);
  }
  ++*at;
  return unary("-n", operands[*at - 1]);
}

Decision Tracer::arithmetic_test(const SyntaxWord& expression) {
  Decision out;
  bool defaulted = false;
  const ArithmeticResult result = arithmetic(expression, &defaulted);
  out.open = defaulted || (!result.value.has_value() && !result.failed);
  out.settled = result.value.has_value();
  out.value = result.value.has_value() && *result.value != 0;
  std::string text;
  for (const SyntaxPart& part : expression) {
    std::vector<std::string> names;
    if (part.kind == Part::kText) {
      text += part.text.shown();
      names = names_in_arithmetic(part.text.chars());
    } else if (part.kind == Part::kParameter) {
      text += part.name;
      names.push_back(part.name);
    } else {
      text += part.written.shown();
    }
    out.defaulted.insert(out.defaulted.end(), names.begin(), names.end());
  }
  out.key = text;
  for (const std::string& name : out.defaulted) out.key += " " + fact_key(name, "");
  if (!out.open) return out;
  static const std::regex kEquality("\\s*([A-Za-z_]\\w*)\\s*(==|!=)\\s*([0-9]+)\\s*");
  std::smatch match;
  if (text.size() < 200 && std::regex_match(text, match, kEquality)) {
    out.equalities.push_back({match[1], Text(match[3].str()), match[2] == "!="});
    out.single = true;
  }
  return out;
}

// `[`, `test`, `[[`, `((`, `true`, `false` and `:`; none for anything else.
std::optional<Decision> Tracer::test_command(const Command& command) {
  if (command.kind == Command::Kind::kTest) return test(command.condition[0]);
  if (command.kind == Command::Kind::kArithmetic) return arithmetic_test(command.arithmetic[0]);
  if (command.kind != Command::Kind::kSimple || command.words.empty() || command.words[0].size() != 1)
    return std::nullopt;
  const SyntaxPart& first = command.words[0][0];
  if (first.kind != Part::kText) return std::nullopt;
  const std::string& name = first.text.chars();
  if (state_.functions.find(name) != state_.functions.end()) return std::nullopt;
  if (name == "true" || name == ":") {
    expand_words(command.words);
    return decided(true);
  }
  if (name == "false") return decided(false);
  if (name != "[" && name != "test") return std::nullopt;
  std::vector<Operand> operands;
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    for (Text& text : expand_words({command.words[i]})) operands.push_back({std::move(text), &command.words[i]});
  }
  if (name == "[" && !operands.empty()) operands.pop_back();
  std::size_t at = 0;
  return test_or(operands, &at);
}

bool Tracer::decide(const Decision& verdict, const std::string& written) {
  if (!verdict.open) return verdict.value;
  bool outcome = false;
  const std::string opposite = "!(" + written + ")";
  if (verdict.single) {
    const Decision::Equality& equality = verdict.equalities[0];
    const std::string key = fact_key(equality.name, equality.literal.shown());
    const bool equal = verdict.value != equality.negated;
    const bool chosen =
        paths_.choose(key, {equality.negated ? opposite : written, equality.negated ? written : opposite},
                      equal ? 0 : 1) == 0;
    outcome = chosen != equality.negated;
  } else {
    outcome = paths_.choose("?" + verdict.key, {written, opposite}, verdict.value ? 0 : 1) == 0;
  }
  suppose(verdict, outcome);
  return outcome;
}

void Tracer::refine(const std::string& name, const Text& value) {
  if (name == "#") {
    if (value.chars() == "0") state_.arguments.clear();
    return;
  }
  const auto found = state_.variables.find(name);
  if (found != state_.variables.end() && found->second.shape != Variable::Shape::kScalar) return;
  Variable& var = variable(name);
  var.value = value;
  var.value.defaulted = false;
  var.set = true;
}

// A default that a condition rules out is no value any more.
void Tracer::forget_default(const std::string& name) {
  const auto found = state_.variables.find(name);
  if (found == state_.variables.end() || !found->second.value.defaulted) return;
  Text value;
  value.append(Unknown{Unknown::Kind::kVariable, "${" + name + "}", {name}}, found->second.value.origin(0));
  found->second.value = std::move(value);
}

void Tracer::suppose(const Decision& verdict, bool outcome) {
  if (verdict.settled && outcome != verdict.value) {
    for (const std::string& name : verdict.defaulted) forget_default(name);
  }
  for (const Decision::Equality& equality : verdict.equalities) {
    const bool equal = outcome != equality.negated;
    if (equal && (outcome || verdict.single)) refine(equality.name, equality.literal);
  }
}

}  // namespace gonogo
