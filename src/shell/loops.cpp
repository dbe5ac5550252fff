// Tracer: loops, and `case`.
#include <algorithm>
#include <utility>

#include "shell/pattern.h"
#include "shell/tracer.h"

namespace gonogo {

namespace {

using Kind = Command::Kind;

constexpr std::size_t kShortLoop = 4;  // passes that cost less than looking whether they are needed

Status opposite(Status status) {
  if (status == Status::kOpen) return status;
  return status == Status::kFailure ? Status::kSuccess : Status::kFailure;
}

}  // namespace

// After a pass of a loop: whether it goes on.
bool Tracer::loop_control() {
  if (break_ > 0) {
    --break_;
    return false;
  }
  if (break_ < 0 && ++break_ != 0) return false;
  return !stop();
}

// Whether a loop only counts: its body reads the counter nowhere, so that a pass which changes nothing is the last one
// worth following. What waits for a server a hundred times is such a loop.
bool Tracer::only_counts(const Command& loop, const std::string& counter) {
  const auto [known, fresh] = counting_.try_emplace(&loop, false);
  if (fresh) known->second = !Relevance(*loop.parts[0]).reads(counter);
  return known->second;
}

Status Tracer::loop_over(const Command& command) {
  std::vector<Text> words = command.over_words ? expand_words(command.words) : state_.arguments;
  const bool counts = words.size() > kShortLoop && command.kind == Kind::kFor && only_counts(command, command.name);
  ++loops_;
  std::size_t passes = 0;
  for (Text& word : words) {
    if (++passes > limits_.passes) {
      note("a loop is followed for " + std::to_string(limits_.passes) + " passes");
      break;
    }
    if (word.known() && command.kind == Kind::kFor) {
      assign(command.name, std::move(word));
    } else {
      set_unknown(command.name);
    }
    std::optional<ShellState> before;
    if (counts) before = state_;
    execute(command.parts[0]);
    if (!loop_control() || command.kind == Kind::kSelect || (before && before->same(state_, command.name))) break;
  }
  --loops_;
  return Status::kSuccess;
}

Status Tracer::loop_arithmetic(const Command& command) {
  bool defaulted = false;
  const auto text_names = [&](std::size_t i) {
    std::vector<std::string> names;
    for (const SyntaxPart& part : command.arithmetic[i]) {
      if (part.kind != SyntaxPart::Kind::kText) continue;
      for (std::string& name : names_in_arithmetic(part.text.chars())) names.push_back(std::move(name));
    }
    return names;
  };
  arithmetic(command.arithmetic[0], &defaulted);
  const std::vector<std::string> counters = text_names(0);
  const bool counts = counters.size() == 1 && only_counts(command, counters[0]);
  ++loops_;
  for (std::size_t passes = 0;; ++passes) {
    const bool always = command.arithmetic[1].empty();
    const ArithmeticResult go_on = always ? ArithmeticResult{1, false} : arithmetic(command.arithmetic[1], &defaulted);
    if (go_on.value.has_value() && *go_on.value == 0) break;
    if (passes == limits_.passes) {
      note("a loop is followed for " + std::to_string(limits_.passes) + " passes");
      break;
    }
    const bool unknown = !go_on.value.has_value();
    if (unknown) {  // nobody knows how often: once, with a counter of no value
      for (const std::string& name : text_names(0)) set_unknown(name);
    }
    std::optional<ShellState> before;
    if (counts && passes > 0) before = state_;
    execute(command.parts[0]);
    if (!loop_control() || unknown || always || (before && before->same(state_, counters[0]))) break;
    arithmetic(command.arithmetic[2], &defaulted);
  }
  --loops_;
  return Status::kSuccess;
}

// Whether a loop takes the caller's arguments one by one: `while [ $# -gt 0 ]`, `while getopts …`.
bool Tracer::takes_arguments(const Command& condition) const {
  const bool callers = std::any_of(state_.arguments.begin(), state_.arguments.end(), is_all_arguments);
  if (!callers || condition.parts.size() != 1) return false;
  const std::string written = condition.parts[0]->written().shown();
  if (written.rfind("getopts ", 0) == 0) return true;
  if (!is_test(*condition.parts[0])) return false;
  for (const std::string_view argument : {"$#", "${#}", "$1", "${1", "$@", "$*", "${@}", "${*}"}) {
    if (written.find(argument) != std::string::npos) return true;
  }
  return written == "(($#))" || written == "(( $# ))";
}

// Whether what a loop's condition does last is to read a line that is known.
bool Tracer::reads_lines(const Command& condition) const {
  if (!input_text_.has_value() || !input_text_->known() || condition.parts.empty()) return false;
  const Command* last = condition.parts.back().get();
  if (last->kind == Kind::kOr) last = last->parts[0].get();  // `read -r x || [ -n "$x" ]`
  if (last->kind != Kind::kSimple || last->words.empty() || last->words[0].size() != 1) return false;
  return last->words[0][0].kind == SyntaxPart::Kind::kText && last->words[0][0].text.chars() == "read" &&
         std::none_of(last->redirects.begin(), last->redirects.end(),
                      [](const Redirect& redirect) { return redirect.op[0] == '<'; });
}

// The body counts once; a loop over lines that are known is one over words. Where the condition stays known, later
// passes still say what the variables come to.
Status Tracer::loop_while(const Command& command) {
  const auto go_on = [&] {
    const Status status = settled(command.parts[0]);
    return command.kind == Kind::kUntil ? opposite(status) : status;
  };
  // With nothing set there are no arguments.
  if (command.kind == Kind::kWhile && takes_arguments(*command.parts[0])) {
    const std::string written = command.parts[0]->written().shown();
    if (paths_.choose("while" + written + "@" + std::to_string(command.extent.begin), {"!(" + written + ")", written},
                      0) == 0)
      return Status::kSuccess;
  }
  const bool lines = command.kind == Kind::kWhile && reads_lines(*command.parts[0]);
  Status status = go_on();
  if (status == Status::kFailure || stop()) return Status::kSuccess;
  ++loops_;
  const std::size_t choices = paths_.choices();
  execute(command.parts[1]);
  for (std::size_t passes = 1; lines && loop_control(); ++passes) {
    if (go_on() != Status::kSuccess || stop()) break;
    if (passes >= limits_.passes) {
      note("a loop is followed for " + std::to_string(limits_.passes) + " passes");
      break;
    }
    execute(command.parts[1]);
  }
  if (lines) {
    --loops_;
    return Status::kSuccess;
  }
  // `while true` goes on for ever; only a counter can be followed.
  const Command& last = *command.parts[0];
  const bool counts = last.parts.size() == 1 && is_test(*last.parts[0]) &&
                      (last.parts[0]->kind != Kind::kSimple || last.parts[0]->words.size() > 1);
  bool more = loop_control() && status == Status::kSuccess && counts && paths_.choices() == choices;
  const bool outer = std::exchange(muted_, true);
  for (std::size_t passes = 1; more && passes < 64; ++passes) {
    if (go_on() != Status::kSuccess || stop()) break;
    execute(command.parts[1]);
    more = loop_control() && paths_.choices() == choices;
  }
  muted_ = outer;
  --loops_;
  return Status::kSuccess;
}

Status Tracer::case_of(const Command& command) {
  const Text subject = expand_text(command.words[0]);
  const std::string name = single_name(command.words[0]);
  const bool open = !subject.known() || subject.defaulted;
  std::string nothing = subject.chars();
  nothing.erase(std::remove(nothing.begin(), nothing.end(), Text::kUnknown), nothing.end());

  struct Arm {
    std::size_t index;
    std::vector<std::optional<std::string>> patterns;
    std::string literal;  // where one literal is its only pattern
    bool is_literal = false;
  };
  std::vector<Arm> arms;
  std::size_t by_default = command.arms.size();
  std::size_t taken = command.arms.size();
  bool catches_all = false;
  for (std::size_t i = 0; i < command.arms.size() && !catches_all; ++i) {
    Arm arm{i, {}, {}, false};
    bool matches = false;
    for (const SyntaxWord& pattern : command.arms[i].patterns) {
      arm.patterns.push_back(expand_pattern(pattern));
      if (!arm.patterns.back().has_value()) continue;
      matches = matches || matches_pattern(*arm.patterns.back(), nothing);
      catches_all = catches_all || *arm.patterns.back() == "*";
    }
    arm.is_literal =
        arm.patterns.size() == 1 && arm.patterns[0].has_value() && is_plain_pattern(*arm.patterns[0], &arm.literal);
    if (matches && by_default == command.arms.size()) by_default = i;
    if (!open && matches) {
      taken = i;
      break;
    }
    const bool impossible = open && arm.is_literal && !name.empty() &&
                            paths_.chosen(fact_key(name, arm.literal)) == std::optional<std::size_t>(1);
    if (!impossible) arms.push_back(std::move(arm));
  }
  if (open) {
    std::vector<std::string> outcomes;
    std::size_t first = 0;
    const std::string all = command.written().shown();
    const std::string word = all.substr(0, all.find(" in")) + " in ";
    for (const Arm& arm : arms) {
      if (arm.index == by_default) first = outcomes.size();
      outcomes.push_back(word + command.written(command.arms[arm.index].extent).shown() + ")");
    }
    if (!catches_all) {
      if (by_default == command.arms.size()) first = outcomes.size();
      std::string none;
      for (const std::string& outcome : outcomes) none += (none.empty() ? "!(" : " && !(") + outcome + ")";
      outcomes.push_back(none.empty() ? "true" : none);
    }
    if (outcomes.empty()) return Status::kSuccess;
    const std::size_t chosen =
        paths_.choose("case" + key_of(command.words[0]) + "@" + std::to_string(command.extent.begin), outcomes, first);
    taken = chosen < arms.size() ? arms[chosen].index : command.arms.size();
    if (!name.empty()) {
      for (std::size_t i = 0; i < arms.size(); ++i) {
        if (i != chosen && arms[i].is_literal) paths_.assume(fact_key(name, arms[i].literal), 1);
      }
      if (taken != by_default) forget_default(name);
      if (chosen < arms.size() && arms[chosen].is_literal) refine(name, Text(arms[chosen].literal));
    }
  }
  // `;&` goes on with the next body, `;;&` with the next pattern that fits what is known by now.
  Status status = Status::kSuccess;
  const Text known_by_now = expand_text(command.words[0]);
  for (std::size_t i = taken; i < command.arms.size();) {
    status = execute(command.arms[i].body);
    if (command.arms[i].next == ';' || stop()) break;
    if (command.arms[i++].next == '&') continue;
    if (!known_by_now.known()) break;
    while (i < command.arms.size() &&
           std::none_of(command.arms[i].patterns.begin(), command.arms[i].patterns.end(), [&](const SyntaxWord& word) {
             const std::optional<std::string> pattern = expand_pattern(word);
             return pattern.has_value() && matches_pattern(*pattern, known_by_now.chars());
           }))
      ++i;
  }
  return status;
}

}  // namespace gonogo
