#include "shell/parser.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace gonogo {

namespace {

constexpr std::size_t kMaxCommandDepth = 120;

using Kind = Command::Kind;

bool is_declaration(std::string_view word) {
  return word == "declare" || word == "typeset" || word == "local" || word == "export" || word == "readonly";
}

// The word as it stands, where it is one plain unquoted text.
std::string plain(const SyntaxWord& word) {
  if (word.size() != 1 || word[0].kind != SyntaxPart::Kind::kText || word[0].quoted || !word[0].text.known()) return {};
  return word[0].text.chars();
}

class Parser : public WordParser {
 public:
  using WordParser::WordParser;

  ParsedScript run() {
    CommandPtr root = list();
    if (!fault_.has_value() && at_ < chars_.size()) fail("this does not belong here");
    read_here_documents();
    return {root, fault_};
  }

 private:
  struct Pending {
    std::string delimiter;
    bool tabs;
    bool literal;
    std::shared_ptr<SyntaxWord> body;
  };

  CommandPtr substitution() override { return nested(); }

  CommandPtr parse_other(std::shared_ptr<const Text> script) override {
    ParsedScript parsed = parse_script(std::move(script), depth_ + 1);
    return parsed.root;
  }

  // A list inside of something: here-documents that wait outside stay outside.
  CommandPtr nested() {
    std::vector<Pending> outer = std::exchange(pending_, {});
    CommandPtr out = list();
    pending_.insert(pending_.begin(), outer.begin(), outer.end());
    return out;
  }

  std::shared_ptr<Command> make(Kind kind) const {
    auto out = std::make_shared<Command>();
    out->kind = kind;
    out->script = script_;
    out->extent.begin = at_;
    return out;
  }

  void blanks() {
    while (!done()) {
      if (chars_[at_] == ' ' || chars_[at_] == '\t') {
        ++at_;
      } else if (!skip_continuation()) {
        break;
      }
    }
    if (!done() && chars_[at_] == '#') at_ = std::min(chars_.find('\n', at_), chars_.size());
  }

  void newline() {
    ++at_;
    read_here_documents();
  }

  void lines() {
    for (blanks(); !done() && chars_[at_] == '\n'; blanks()) newline();
  }

  // A reserved word or other plain word here.
  bool keyword(std::string_view word) const {
    if (!starts(word)) return false;
    const std::size_t end = at_ + word.size();
    return end >= chars_.size() || is_meta(chars_[end]);
  }

  bool take(std::string_view word) {
    if (!keyword(word)) return false;
    at_ += word.size();
    return true;
  }

  void expect(std::string_view word) {
    lines();
    if (!fault_.has_value() && !take(word)) fail("'" + std::string(word) + "' is missing here");
  }

  bool at_end_of_list() const {
    if (done()) return true;
    const char c = chars_[at_];
    if (c == ')' || (c == ';' && (peek(1) == ';' || peek(1) == '&'))) return true;
    for (const std::string_view word : {"then", "fi", "elif", "else", "do", "done", "esac", "}"}) {
      if (keyword(word)) return true;
    }
    return false;
  }

  CommandPtr list() {
    auto out = make(Kind::kList);
    if (++depth_ > kMaxCommandDepth) fail("commands are nested too deeply");
    for (lines(); !at_end_of_list(); lines()) {
      CommandPtr part = and_or();
      blanks();
      const bool complete =
          at_ >= chars_.size() || chars_[at_] == '\n' || chars_[at_] == ';' || chars_[at_] == '&' || at_end_of_list();
      if (fault_.has_value()) break;
      if (!complete) {
        fail("this does not belong here");
        break;
      }
      if (part == nullptr) break;
      if (peek() == '&' && at_ < chars_.size()) {
        ++at_;
        auto background = make(Kind::kBackground);
        background->extent = part->extent;
        background->parts.push_back(std::move(part));
        part = background;
      } else if (peek() == ';' && peek(1) != ';' && peek(1) != '&') {
        ++at_;
      }
      out->extent.end = part->extent.end;
      out->parts.push_back(std::move(part));
    }
    if (!out->parts.empty()) out->extent.begin = out->parts[0]->extent.begin;
    --depth_;
    return out;
  }

  CommandPtr and_or() {
    CommandPtr left = pipeline();
    for (blanks(); !done() && left != nullptr && (starts("&&") || starts("||")); blanks()) {
      auto out = make(chars_[at_] == '&' ? Kind::kAnd : Kind::kOr);
      at_ += 2;
      lines();
      out->extent.begin = left->extent.begin;
      out->parts.push_back(std::move(left));
      CommandPtr right = pipeline();
      if (right == nullptr || fault_.has_value()) return nullptr;
      out->extent.end = right->extent.end;
      out->parts.push_back(std::move(right));
      left = out;
    }
    return left;
  }

  CommandPtr pipeline() {
    blanks();
    const std::size_t begin = at_;
    if (take("time")) {
      blanks();
      if (take("-p")) blanks();
    }
    if (keyword("!")) {
      ++at_;
      auto out = make(Kind::kNot);
      CommandPtr inner = pipeline();
      if (inner == nullptr) return nullptr;
      out->extent = {begin, inner->extent.end};
      out->parts.push_back(std::move(inner));
      return out;
    }
    CommandPtr first = command();
    blanks();
    if (done() || first == nullptr || peek() != '|' || peek(1) == '|') return first;
    auto out = make(Kind::kPipeline);
    out->extent = first->extent;
    out->parts.push_back(std::move(first));
    while (!done() && peek() == '|' && peek(1) != '|') {
      at_ += peek(1) == '&' ? 2 : 1;
      lines();
      CommandPtr next = command();
      if (next == nullptr || fault_.has_value()) return nullptr;
      out->extent.end = next->extent.end;
      out->parts.push_back(std::move(next));
      blanks();
    }
    return out;
  }

  CommandPtr command() {
    if (++depth_ > kMaxCommandDepth) fail("commands are nested too deeply");
    blanks();
    CommandPtr out = done() ? (fail("a command is missing here"), nullptr) : compound_or_simple();
    --depth_;
    return fault_.has_value() ? nullptr : out;
  }

  CommandPtr compound_or_simple() {
    std::shared_ptr<Command> out;
    const std::size_t begin = at_;
    if (starts("((")) {
      out = make(Kind::kArithmetic);
      out->arithmetic.emplace_back();
      at_ += 2;
      if (!expression(&out->arithmetic[0])) {
        at_ = begin;
        out = nullptr;
      }
    }
    if (out == nullptr && peek() == '(') {
      out = make(Kind::kSubshell);
      ++at_;
      out->parts.push_back(nested());
      lines();
      if (peek() != ')') fail("a parenthesis is not closed");
      ++at_;
    }
    if (out == nullptr) out = by_keyword();
    if (out == nullptr) return simple();
    out->extent.begin = begin;
    out->extent.end = std::min(at_, chars_.size());
    for (blanks(); !done() && redirect(&out->redirects); blanks()) out->extent.end = at_;
    return out;
  }

  std::shared_ptr<Command> by_keyword() {
    if (take("{")) return group();
    if (take("if")) return conditional();
    if (take("while")) return loop(Kind::kWhile);
    if (take("until")) return loop(Kind::kUntil);
    if (take("for")) return loop_over(Kind::kFor);
    if (take("select")) return loop_over(Kind::kSelect);
    if (take("case")) return case_of();
    if (take("[[")) return test();
    if (take("function")) {
      blanks();
      return function(name());
    }
    if (take("coproc")) {
      blanks();
      auto out = make(Kind::kBackground);
      out->parts.push_back(command());
      return out;
    }
    const std::size_t begin = at_;
    std::size_t end = begin;
    while (end < chars_.size() && !is_meta(chars_[end]) &&
           std::string_view("'\"$`=\\").find(chars_[end]) == std::string_view::npos)
      ++end;
    std::size_t next = end;
    while (next < chars_.size() && (chars_[next] == ' ' || chars_[next] == '\t')) ++next;
    if (end > begin && next + 1 < chars_.size() && chars_[next] == '(') {
      std::size_t close = next + 1;
      while (close < chars_.size() && (chars_[close] == ' ' || chars_[close] == '\t')) ++close;
      if (close < chars_.size() && chars_[close] == ')') {
        at_ = next;
        return function(chars_.substr(begin, end - begin));
      }
    }
    return nullptr;
  }

  std::string name() {
    const std::size_t begin = at_;
    while (at_ < chars_.size() && !is_meta(chars_[at_])) ++at_;
    return chars_.substr(begin, at_ - begin);
  }

  std::shared_ptr<Command> function(std::string called) {
    auto out = make(Kind::kFunction);
    out->name = std::move(called);
    blanks();
    if (peek() == '(') {
      ++at_;
      blanks();
      if (peek() != ')') fail("a function's name is followed by ()");
      ++at_;
    }
    lines();
    out->parts.push_back(command());
    return out;
  }

  std::shared_ptr<Command> group() {
    auto out = make(Kind::kGroup);
    out->parts.push_back(list());
    expect("}");
    return out;
  }

  std::shared_ptr<Command> conditional() {
    auto out = make(Kind::kIf);
    for (;;) {
      out->parts.push_back(list());
      expect("then");
      out->parts.push_back(list());
      lines();
      if (fault_.has_value() || take("fi")) break;
      if (take("elif")) continue;
      if (take("else")) {
        out->parts.push_back(list());
        expect("fi");
      } else {
        fail("'fi' is missing here");
      }
      break;
    }
    return out;
  }

  std::shared_ptr<Command> loop(Kind kind) {
    auto out = make(kind);
    out->parts.push_back(list());
    expect("do");
    out->parts.push_back(list());
    expect("done");
    return out;
  }

  void body(Command* out) {
    blanks();
    if (peek() == ';' && peek(1) != ';') ++at_;
    lines();
    if (take("{")) {
      out->parts.push_back(list());
      expect("}");
    } else {
      expect("do");
      out->parts.push_back(list());
      expect("done");
    }
  }

  std::shared_ptr<Command> loop_over(Kind kind) {
    auto out = make(kind);
    blanks();
    if (starts("((")) {
      out->kind = Kind::kForArithmetic;
      at_ += 2;
      for (int i = 0; i < 3 && !fault_.has_value(); ++i) {
        out->arithmetic.push_back(word(Mode::kExpression));
        if (i < 2 && peek() == ';') ++at_;
      }
      if (!starts("))")) fail("the loop's '((' is not closed");
      at_ += 2;
      body(out.get());
      return out;
    }
    out->name = name();
    lines();
    if (take("in")) {
      out->over_words = true;
      for (blanks(); !done() && !is_meta(chars_[at_]); blanks()) out->words.push_back(word());
    }
    body(out.get());
    return out;
  }

  std::shared_ptr<Command> case_of() {
    auto out = make(Kind::kCase);
    blanks();
    const std::size_t begin = at_;
    out->words.push_back(word());
    expect("in");
    out->extent.begin = begin;
    for (lines(); !done() && !keyword("esac"); lines()) {
      CaseArm arm;
      if (peek() == '(') ++at_;
      blanks();
      arm.extent.begin = at_;
      for (;;) {
        blanks();
        arm.patterns.push_back(word());
        arm.extent.end = at_;
        blanks();
        if (peek() != '|' || done()) break;
        ++at_;
      }
      if (peek() != ')' || done()) {
        fail("a pattern of 'case' ends with ')'");
        break;
      }
      ++at_;
      arm.body = list();
      lines();
      if (starts(";;&")) {
        arm.next = '?';
        at_ += 3;
      } else if (starts(";&")) {
        arm.next = '&';
        at_ += 2;
      } else if (starts(";;")) {
        at_ += 2;
      } else if (!keyword("esac")) {
        fail("';;' or 'esac' is missing here");
      }
      out->arms.push_back(std::move(arm));
    }
    expect("esac");
    return out;
  }

  std::shared_ptr<Command> test() {
    auto out = make(Kind::kTest);
    out->condition.push_back(test_or());
    expect("]]");
    return out;
  }

  Condition test_or() {
    Condition left = test_and();
    for (lines(); !done() && starts("||"); lines()) {
      at_ += 2;
      Condition both;
      both.kind = Condition::Kind::kOr;
      both.parts.push_back(std::move(left));
      both.parts.push_back(test_and());
      left = std::move(both);
    }
    return left;
  }

  Condition test_and() {
    Condition left = test_one();
    for (lines(); !done() && starts("&&"); lines()) {
      at_ += 2;
      Condition both;
      both.kind = Condition::Kind::kAnd;
      both.parts.push_back(std::move(left));
      both.parts.push_back(test_one());
      left = std::move(both);
    }
    return left;
  }

  Condition test_one() {
    Condition out;
    if (++depth_ > kMaxCommandDepth) fail("conditions are nested too deeply");
    lines();
    if (keyword("!")) {
      ++at_;
      out.kind = Condition::Kind::kNot;
      out.parts.push_back(test_one());
    } else if (peek() == '(' && !done()) {
      ++at_;
      out = test_or();
      lines();
      if (peek() != ')') fail("a parenthesis is not closed");
      ++at_;
    } else {
      out.left = word();
      blanks();
      const std::string first = plain(out.left);
      if (out.left.empty()) {
        fail("a condition is missing here");
      } else if (first.size() == 2 && first[0] == '-' && !keyword("]]") && !starts("&&") && !starts("||") &&
                 !starts(")")) {
        out.kind = Condition::Kind::kUnary;
        out.op = first;
        out.left = word();
      } else if (peek() == '<' || peek() == '>') {
        out.kind = Condition::Kind::kBinary;
        out.op = chars_.substr(at_++, 1);
        blanks();
        out.right = word();
      } else if (!keyword("]]") && !starts("&&") && !starts("||") && !starts(")") && !done() && peek() != '\n') {
        out.kind = Condition::Kind::kBinary;
        out.op = plain(word());
        blanks();
        out.right = word(out.op == "=~" ? Mode::kRegex : Mode::kWord);
        if (out.op.empty() || out.right.empty()) fail("a condition is not complete");
      }
    }
    --depth_;
    return out;
  }

  // NAME=, NAME+=, NAME[…]= at this position.
  bool assignment(Assignment* out) {
    const std::size_t begin = at_;
    if (!is_name_start(peek())) return false;
    std::size_t end = at_;
    while (end < chars_.size() && is_name_char(chars_[end])) ++end;
    out->name = chars_.substr(begin, end - begin);
    at_ = end;
    if (peek() == '[') {
      ++at_;
      out->indexed = true;
      out->index = word(Mode::kIndex);
      if (fault_.has_value() || peek() != ']') {
        fault_.reset();
        at_ = begin;
        return false;
      }
      ++at_;
    }
    if (peek() == '+' && peek(1) == '=') {
      out->append = true;
      ++at_;
    }
    if (peek() != '=' || at_ >= chars_.size()) {
      at_ = begin;
      return false;
    }
    ++at_;
    if (peek() == '(') {
      out->array = true;
      ++at_;
      for (lines(); !done() && peek() != ')'; lines()) out->elements.push_back(element());
      if (peek() != ')' || done()) fail("an array is not closed");
      ++at_;
    } else if (at_ < chars_.size() && !is_meta(chars_[at_])) {
      out->value = word();
    }
    out->extent = {begin, at_};
    return true;
  }

  Assignment::Element element() {
    Assignment::Element out;
    const std::size_t begin = at_;
    if (peek() == '[') {
      ++at_;
      out.key = word(Mode::kIndex);
      if (!fault_.has_value() && peek() == ']' && peek(1) == '=') {
        at_ += 2;
        out.keyed = true;
        if (at_ < chars_.size() && !is_meta(chars_[at_])) out.value = word();
        return out;
      }
      fault_.reset();
      out.key.clear();
      at_ = begin;
    }
    out.value = word();
    if (at_ == begin) fail("this does not belong into an array");
    return out;
  }

  bool redirect(std::vector<Redirect>* out) {
    const std::size_t begin = at_;
    std::size_t digits = at_;
    while (digits < chars_.size() && chars_[digits] >= '0' && chars_[digits] <= '9') ++digits;
    if (peek() == '{') {  // {name}>file
      std::size_t close = at_ + 1;
      while (close < chars_.size() && is_name_char(chars_[close])) ++close;
      if (close < chars_.size() && chars_[close] == '}' && close + 1 < chars_.size() &&
          (chars_[close + 1] == '<' || chars_[close + 1] == '>')) {
        digits = close + 1;
      }
    }
    Redirect redirect;
    if (digits > at_ && digits - at_ < 6 && chars_[at_] != '{')
      redirect.fd = std::stoi(chars_.substr(at_, digits - at_));
    at_ = digits;
    if ((starts("<(") || starts(">(")) && digits == begin) {
      at_ = begin;
      return false;
    }
    for (const std::string_view op : {"&>>", "<<<", "<<-", "&>", "<<", ">>", "<&", ">&", ">|", "<>", "<", ">"}) {
      if (!starts(op) || at_ >= chars_.size()) continue;
      if (op[0] == '&' && digits > begin) break;
      redirect.op = op;
      at_ += op.size();
      blanks();
      const std::size_t from = at_;
      redirect.target = word();
      if (redirect.target.empty()) {
        fail("a redirection's target is missing");
        return true;
      }
      if (op == "<<" || op == "<<-") {
        Pending pending{"", op == "<<-", false, std::make_shared<SyntaxWord>()};
        for (const SyntaxPart& part : redirect.target) {
          pending.delimiter += part.kind == SyntaxPart::Kind::kText ? part.text.shown() : part.written.shown();
          pending.literal = pending.literal || part.quoted;
        }
        pending.literal = pending.literal || chars_.substr(from, at_ - from).find('\\') != std::string::npos;
        redirect.literal = pending.literal;
        redirect.body = pending.body;
        pending_.push_back(std::move(pending));
      }
      out->push_back(std::move(redirect));
      return true;
    }
    at_ = begin;
    return false;
  }

  void read_here_documents() {
    for (Pending& pending : std::exchange(pending_, {})) {
      Text body;
      while (at_ < chars_.size()) {
        const std::size_t end = std::min(chars_.find('\n', at_), chars_.size());
        std::size_t begin = at_;
        while (pending.tabs && begin < end && chars_[begin] == '\t') ++begin;
        at_ = std::min(end + 1, chars_.size());
        if (std::string_view(chars_).substr(begin, end - begin) == pending.delimiter) break;
        body.append(script_->slice(begin, at_));
      }
      if (pending.literal) {
        pending.body->emplace_back();
        pending.body->back().quoted = true;
        pending.body->back().text = std::move(body);
      } else {
        Parser inner(std::make_shared<const Text>(std::move(body)), depth_ + 1);
        *pending.body = inner.here_document();
      }
    }
  }

  CommandPtr simple() {
    auto out = make(Kind::kSimple);
    bool declares = false;
    for (blanks(); !done(); blanks()) {
      if (redirect(&out->redirects)) {
        out->extent.end = at_;
        continue;
      }
      if (is_meta(chars_[at_]) && !((chars_[at_] == '<' || chars_[at_] == '>') && peek(1) == '(')) break;
      Assignment assigned;
      if ((out->words.empty() || declares) && assignment(&assigned)) {
        if (fault_.has_value()) break;
        if (declares) {
          out->declared.emplace_back(out->words.size(), std::move(assigned));
          out->words.emplace_back();
        } else {
          out->assignments.push_back(std::move(assigned));
        }
      } else {
        const std::size_t before = at_;
        out->words.push_back(word());
        if (out->words.size() == 1) declares = is_declaration(plain(out->words[0]));
        if (at_ == before) {
          fail("this does not belong here");
          break;
        }
      }
      out->extent.end = at_;
    }
    if (!fault_.has_value() && out->words.empty() && out->assignments.empty() && out->redirects.empty()) {
      fail("a command is missing here");
    }
    return out;
  }

  std::vector<Pending> pending_;
};

}  // namespace

ParsedScript parse_script(std::shared_ptr<const Text> script, std::size_t depth) {
  return Parser(std::move(script), depth).run();
}

Text without_carriage_returns(const Text& script) {
  const std::string& chars = script.chars();
  if (chars.find('\r') == std::string::npos) return script;
  Text out;
  std::size_t begin = 0;
  for (std::size_t at = chars.find('\r'); at != std::string::npos; at = chars.find('\r', at + 1)) {
    if (at + 1 < chars.size() && chars[at + 1] != '\n') continue;
    out.append(script.slice(begin, at));
    begin = at + 1;
  }
  out.append(script.slice(begin, chars.size()));
  return out;
}

}  // namespace gonogo
