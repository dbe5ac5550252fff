// Tracer: one command after another.
#include "shell/tracer.h"

#include <algorithm>
#include <utility>

#include "shell/parser.h"
#include "shell/pattern.h"

namespace gonogo {

namespace {

using Kind = Command::Kind;

// The first word, where it is plain text.
std::string plain_name(const Command& command) {
  if (command.kind != Kind::kSimple || command.words.empty() || command.words[0].size() != 1) return {};
  const SyntaxPart& part = command.words[0][0];
  return part.kind == SyntaxPart::Kind::kText ? part.text.chars() : std::string();
}

Status known(bool success) { return success ? Status::kSuccess : Status::kFailure; }

Status opposite(Status status) {
  if (status == Status::kOpen) return status;
  return known(status == Status::kFailure);
}

}  // namespace

bool Tracer::stop() { return end_ || exit_ || return_ || break_ != 0; }

void Tracer::note(std::string text) { notes_.insert(std::move(text)); }

TextOrigin Tracer::place_of(const Command& command) const {
  const Text& script = *command.script;
  return script.carried(command.extent.begin) ? through_ : script.origin(command.extent.begin);
}

// Whether a redirection feeds a command, and with what, where that is known.
bool Tracer::feeds(const Redirect& redirect, std::optional<Text>* fed) {
  if (redirect.fd > 0) return false;
  if (redirect.body != nullptr) {
    *fed = expand_text(*redirect.body);
  } else if (redirect.op == "<<<") {
    *fed = expand_text(redirect.target);
    (*fed)->append_fixed("\n", {});
  } else if (redirect.op == "<&") {
    return expand_text(redirect.target).chars() != "0";  // another descriptor, of which nothing is known
  } else if (redirect.op == "<" || redirect.op == "<>") {
    const auto written = state_.files.find(file_key(expand_text(redirect.target)));
    if (written != state_.files.end()) *fed = written->second;
  } else {
    return false;
  }
  return true;
}

Status Tracer::execute(const CommandPtr& command) {
  if (command == nullptr || stop()) return Status::kSuccess;
  if (++path_steps_ + steps_ > limits_.steps) {
    note("the script takes more than " + std::to_string(limits_.steps) + " steps to follow; the rest is left out");
    end_ = true;
    return Status::kSuccess;
  }
  if (depth_ >= limits_.depth) {
    note("commands nested or called more than " + std::to_string(limits_.depth) + " deep are not followed");
    return Status::kOpen;
  }
  if (paths_.exhausted()) {
    note("conditions beyond the 256th on one way through the script are not followed");
    end_ = true;
    return Status::kSuccess;
  }
  ++depth_;
  // Here-documents and files of a compound command feed what is in it.
  std::optional<std::optional<Text>> outer_input;
  if (command->kind != Kind::kSimple) {
    for (const Redirect& redirect : command->redirects) {
      std::optional<Text> fed;
      if (!feeds(redirect, &fed)) continue;
      if (!outer_input.has_value()) outer_input = input_text_;
      input_text_ = std::move(fed);
    }
  }
  const Status status = dispatch(*command);
  if (outer_input.has_value()) input_text_ = std::move(*outer_input);
  --depth_;
  return status;
}

Status Tracer::dispatch(const Command& command) {
  switch (command.kind) {
    case Kind::kSimple:
      return simple(command);
    case Kind::kList:
      return list(command);
    case Kind::kAnd:
    case Kind::kOr:
      return and_or(command);
    case Kind::kNot:
      return opposite(execute(command.parts[0]));
    case Kind::kPipeline:
      return pipeline(command);
    case Kind::kBackground:
      subshell([&] { return execute(command.parts[0]); });
      return Status::kSuccess;
    case Kind::kGroup:
      return execute(command.parts[0]);
    case Kind::kSubshell:
      return subshell([&] { return execute(command.parts[0]); });
    case Kind::kIf:
      return conditional(command);
    case Kind::kFor:
    case Kind::kSelect:
      return loop_over(command);
    case Kind::kForArithmetic:
      return loop_arithmetic(command);
    case Kind::kWhile:
    case Kind::kUntil:
      return loop_while(command);
    case Kind::kCase:
      return case_of(command);
    case Kind::kFunction:
      state_.functions[command.name] = command.parts[0];
      return Status::kSuccess;
    case Kind::kTest:
    case Kind::kArithmetic: {
      const std::optional<Decision> verdict = test_command(command);
      return verdict->open ? Status::kOpen : known(verdict->value);
    }
  }
  return Status::kOpen;
}

Status Tracer::list(const Command& command) {
  Status status = Status::kSuccess;
  for (const CommandPtr& part : command.parts) {
    const bool branches = part->kind != Kind::kSimple && part->kind != Kind::kFunction && part->kind != Kind::kTest;
    status = branches && output_ == nullptr && !relevance_.matters(*part) ? Status::kOpen : execute(part);
    if (stop()) break;
  }
  return status;
}

bool Tracer::is_test(const Command& command) const {
  switch (command.kind) {
    case Kind::kTest:
    case Kind::kArithmetic:
      return true;
    case Kind::kNot:
    case Kind::kGroup:
      return is_test(*command.parts[0]);
    case Kind::kList:
      return command.parts.size() == 1 && is_test(*command.parts[0]);
    case Kind::kAnd:
    case Kind::kOr:
      return is_test(*command.parts[0]) && is_test(*command.parts[1]);
    default:
      break;
  }
  const std::string name = plain_name(command);
  return name == "[" || name == "test" || name == "true" || name == "false" || name == ":";
}

// Whether following a command could show a launch.
bool Tracer::may_launch(const Command& command) const {
  const std::string name = plain_name(command);
  for (const std::string_view inert : {"echo", "exit", "return", "printf", "true", ":", "kill", "sleep", "mkdir", "rm",
                                       "cd", "break", "continue", "die", "usage", "wait", "pip", "pip3", "apt-get"}) {
    if (name == inert && state_.functions.find(name) == state_.functions.end()) return false;
  }
  if (command.kind == Kind::kSimple) return !command.words.empty();
  return command.parts.empty() || std::any_of(command.parts.begin(), command.parts.end(), [&](const CommandPtr& part) {
           return part == nullptr || may_launch(*part);
         });
}

// A test on the left decides, or opens, the right side; any other command is taken to succeed.
Status Tracer::and_or(const Command& command) {
  const Command& left = *command.parts[0];
  const Status status = is_test(left) ? known(condition(command.parts[0])) : execute(command.parts[0]);
  if (stop()) return status;
  if (command.kind == Kind::kAnd) return status == Status::kFailure ? status : execute(command.parts[1]);
  if (status == Status::kSuccess) return status;
  if (status == Status::kFailure) return execute(command.parts[1]);
  if (may_launch(*command.parts[1]) && !muted_) {
    const std::string written = left.written().shown();
    if (paths_.aside("||" + written, written)) {
      execute(command.parts[1]);
      end_ = true;
    }
  }
  return Status::kOpen;
}

// What a condition comes to without choosing.
Status Tracer::settled(const CommandPtr& command) {
  switch (command->kind) {
    case Kind::kList: {
      for (std::size_t i = 0; i + 1 < command->parts.size(); ++i) execute(command->parts[i]);
      return command->parts.empty() ? Status::kSuccess : settled(command->parts.back());
    }
    case Kind::kNot:
      return opposite(settled(command->parts[0]));
    case Kind::kAnd:
    case Kind::kOr: {
      const Status decisive = known(command->kind == Kind::kOr);
      const Status left = settled(command->parts[0]);
      if (left == decisive) return left;
      const Status right = settled(command->parts[1]);
      return right == decisive || left != Status::kOpen ? right : left;
    }
    default:
      break;
  }
  if (const std::optional<Decision> verdict = test_command(*command)) {
    return verdict->open ? Status::kOpen : known(verdict->value);
  }
  return execute(command);
}

bool Tracer::condition(const CommandPtr& command) {
  if (stop()) return false;
  switch (command->kind) {
    case Kind::kList: {
      for (std::size_t i = 0; i + 1 < command->parts.size(); ++i) execute(command->parts[i]);
      return command->parts.empty() || condition(command->parts.back());
    }
    case Kind::kNot:
      return !condition(command->parts[0]);
    case Kind::kAnd:
      return condition(command->parts[0]) && condition(command->parts[1]);
    case Kind::kOr:
      return condition(command->parts[0]) || condition(command->parts[1]);
    case Kind::kGroup:
      return condition(command->parts[0]);
    default:
      break;
  }
  const std::string written = command->written().shown();
  if (const std::optional<Decision> verdict = test_command(*command)) return decide(*verdict, written);
  const Status status = execute(command);
  if (status != Status::kOpen || stop()) return status == Status::kSuccess;
  return paths_.choose("$" + written, {written, "!(" + written + ")"}, 0) == 0;
}

Status Tracer::conditional(const Command& command) {
  std::size_t i = 0;
  for (; i + 1 < command.parts.size(); i += 2) {
    const bool holds = condition(command.parts[i]);
    if (stop()) return Status::kOpen;
    if (holds) return execute(command.parts[i + 1]);
  }
  return i < command.parts.size() ? execute(command.parts[i]) : Status::kSuccess;
}

Status Tracer::pipeline(const Command& command) {
  std::optional<Text> outer_input = input_text_;
  Status status = Status::kOpen;
  for (std::size_t i = 0; i < command.parts.size() && !end_; ++i) {
    const auto run = [&] { status = subshell([&] { return execute(command.parts[i]); }); };
    if (i + 1 == command.parts.size()) {
      run();
    } else {
      std::optional<Text> printed = capture(run);
      input_text_ = std::move(printed);
    }
  }
  input_text_ = std::move(outer_input);
  return status;
}

Status Tracer::subshell(const std::function<Status()>& inner) {
  ShellState outer = state_;
  const int loops = std::exchange(loops_, 0);
  const Status status = inner();
  state_ = std::move(outer);
  loops_ = loops;
  exit_ = false;
  return_ = false;
  break_ = 0;
  return status;
}

Status Tracer::simple(const Command& command) {
  if (command.words.empty() && command.redirects.empty()) {
    bool prints = false;
    for (const Assignment& assignment : command.assignments) {
      assign(assignment);
      for (const SyntaxPart& part : assignment.value) prints = prints || part.kind == SyntaxPart::Kind::kCommand;
    }
    return prints ? Status::kOpen : Status::kSuccess;
  }
  if (is_test(command)) {
    if (const std::optional<Decision> verdict = test_command(command)) {
      return verdict->open ? Status::kOpen : known(verdict->value);
    }
  }
  std::vector<Text> words = expand_words(command.words);
  if (stop()) return Status::kOpen;

  // What it reads, and where what it prints goes.
  Launcher launcher;
  launcher.input = input_text_;
  Output redirected;
  std::optional<Text> target;
  bool away = false;
  bool append = false;
  for (const Redirect& redirect : command.redirects) {
    if (std::optional<Text> fed; feeds(redirect, &fed)) {
      launcher.input = std::move(fed);
    } else if (redirect.op.find('>') != std::string::npos && (redirect.fd == -1 || redirect.fd == 1)) {
      const Text path = expand_text(redirect.target);
      if (redirect.op == ">&" && path.chars() == "1") continue;
      away = true;
      append = redirect.op == ">>" || redirect.op == "&>>";
      target = path;
    }
  }
  launcher.place = place_of(command);
  launcher.facts = facts_;
  Output* outer = output_;
  if (away) output_ = &redirected;

  Status status = Status::kSuccess;
  std::vector<std::pair<std::string, Text>> prefix;
  if (words.empty()) {
    for (const Assignment& assignment : command.assignments) assign(assignment);
  } else {
    for (const Assignment& assignment : command.assignments) {
      if (assignment.array || assignment.indexed) continue;
      Text value = named(assignment.name, expand_text(assignment.value, true));
      prefix.emplace_back(assignment.name, std::move(value));
    }
    const std::string name = words[0].known() ? words[0].chars() : std::string();
    const auto alias = state_.aliases.find(name);
    const auto function = state_.functions.find(name);
    if (state_.expand_aliases && alias != state_.aliases.end() && plain_name(command) == name) {
      Text text = alias->second;
      text.carry();
      const Text written = command.written();
      const std::size_t behind = written.chars().find(name);
      if (behind != std::string::npos) text.append(written.slice(behind + name.size(), written.size()));
      state_.aliases.erase(alias);  // an alias does not expand in itself
      status = run_text(std::move(text), launcher.place, facts_);
    } else if (!name.empty() && function != state_.functions.end()) {
      status = call(CommandPtr(function->second), std::move(words), prefix);
    } else {
      for (auto& [assigned, value] : prefix) launcher.changes.emplace_back(assigned, value);
      if (const std::optional<Status> own = builtin(command, words, launcher)) {
        status = *own;
      } else {
        launcher.words = std::move(words);
        status = start(std::move(launcher));
      }
    }
  }
  output_ = outer;
  if (target.has_value() && redirected.known) {
    write_file(*target, redirected.text, append);
  } else if (target.has_value()) {
    state_.files.erase(file_key(*target));
  }
  return status;
}

Status Tracer::call(const CommandPtr& function, std::vector<Text> words,
                    const std::vector<std::pair<std::string, Text>>& prefix) {
  std::vector<Text> arguments = std::exchange(state_.arguments, {});
  std::map<std::string, std::optional<Variable>> hidden;
  for (const char* name : {"1", "2", "3", "4", "5", "6", "7", "8", "9"}) {
    const auto refined = state_.variables.find(name);
    if (refined == state_.variables.end()) continue;
    hidden[name] = refined->second;
    state_.variables.erase(refined);
  }
  state_.arguments.assign(std::make_move_iterator(words.begin() + 1), std::make_move_iterator(words.end()));
  state_.scopes.push_back(std::move(hidden));
  for (const auto& [name, value] : prefix) {
    const auto before = state_.variables.find(name);
    state_.scopes.back().try_emplace(name,
                                     before == state_.variables.end() ? std::nullopt : std::optional(before->second));
    assign(name, value);
    variable(name).exported = true;
  }
  const int loops = std::exchange(loops_, 0);
  const Status status = execute(function);
  loops_ = loops;
  return_ = false;
  break_ = 0;
  for (auto& [name, value] : state_.scopes.back()) {
    if (value.has_value()) {
      state_.variables[name] = std::move(*value);
    } else {
      state_.variables.erase(name);
    }
  }
  state_.scopes.pop_back();
  state_.arguments = std::move(arguments);
  return status;
}

// Reads a text as commands of this very shell.
Status Tracer::run_text(Text text, TextOrigin place, const CarrierFacts& facts) {
  if (text.size() > limits_.bytes || depth_ >= limits_.depth) {
    note("a script inside of the script is too large or too deep to follow");
    return Status::kOpen;
  }
  // A text that stands in a file as it is, is read once for all ways through the script.
  std::shared_ptr<const ReadText> read;
  std::optional<std::tuple<std::uint32_t, std::uint32_t, std::size_t>> key;
  if (text.literal() && !text.carried(0)) {
    key.emplace(text.origin(0).source, text.origin(0).offset, text.size());
    if (const auto known = read_texts_.find(*key); known != read_texts_.end()) read = known->second;
  }
  if (read == nullptr) {
    auto fresh = std::make_shared<ReadText>();
    fresh->parsed = parse_script(std::make_shared<const Text>(without_carriage_returns(text)), depth_);
    fresh->relevance = Relevance(*fresh->parsed.root);
    read = fresh;
    if (key.has_value() && read_texts_.size() < 1000) read_texts_.emplace(*key, read);
  }
  const ParsedScript& parsed = read->parsed;
  if (parsed.fault.has_value()) {
    const Text& script = *parsed.root->script;
    const TextOrigin at = script.origin(std::min(parsed.fault->at, script.empty() ? 0 : script.size() - 1));
    const Place where = sources_.place(at.source == kNowhere ? place : at);
    note(where.file + ":" + std::to_string(where.line) + ":" + std::to_string(where.column) + ": " +
         parsed.fault->what + "; what follows is not read");
  }
  const Relevance above = std::exchange(relevance_, read->relevance);
  const TextOrigin outer = std::exchange(through_, place);
  const CarrierFacts around = std::exchange(facts_, facts);
  const Status status = execute(parsed.root);
  through_ = outer;
  facts_ = around;
  relevance_ = above;
  return status;
}

}  // namespace gonogo
