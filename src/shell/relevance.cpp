#include "shell/relevance.h"

#include <algorithm>
#include <string_view>

#include "shell/word_parser.h"

namespace gonogo {

namespace {

using Kind = Command::Kind;

std::string plain_name(const Command& command) {
  if (command.words.empty() || command.words[0].size() != 1) return {};
  const SyntaxPart& part = command.words[0][0];
  return part.kind == SyntaxPart::Kind::kText && part.text.known() ? part.text.chars() : std::string();
}

// Programs that start nothing and set nothing.
bool is_inert(std::string_view name) {
  for (const std::string_view inert :
       {"echo",     "printf",     "mkdir",   "rm",    "rmdir",   "touch",  "chmod",
        "chown",    "ln",         "cp",      "mv",    "ls",      "sleep",  "wait",
        "kill",     "pkill",      "killall", "curl",  "wget",    "pip",    "pip3",
        "apt",      "apt-get",    "yum",     "git",   "df",      "free",   "date",
        "ulimit",   "umask",      "trap",    "true",  ":",       "logger", "sysctl",
        "modprobe", "nvidia-smi", "tail",    "head",  "grep",    "sed",    "awk",
        "wc",       "find",       "tee",     "which", "hash",    "disown", "huggingface-cli",
        "hf",       "module",     "clear",   "sync",  "install", "tar",    "nc",
        "ping",     "hostname",   "[",       "test"}) {
    if (name == inert) return true;
  }
  return false;
}

}  // namespace

Relevance::Relevance(const Command& script) : all_(false) { collect(script); }

void Relevance::collect(const SyntaxWord& word) {
  for (const SyntaxPart& part : word) {
    if (part.kind == SyntaxPart::Kind::kText) {
      // Text may be read again, by a shell or an arithmetic expression.
      const std::string& chars = part.text.chars();
      for (std::size_t at = 0; at < chars.size();) {
        if (!is_name_start(chars[at])) {
          ++at;
          continue;
        }
        const std::size_t begin = at;
        while (at < chars.size() && is_name_char(chars[at])) ++at;
        read_.insert(chars.substr(begin, at - begin));
      }
      continue;
    }
    if (!part.name.empty()) read_.insert(part.name);
    if (part.prefix == '!') all_ = true;
    collect(part.index);
    collect(part.operand);
    collect(part.second);
    if (part.body != nullptr) collect(*part.body);
  }
}

void Relevance::collect(const Command& command) {
  if (command.kind == Kind::kFunction) functions_.insert(command.name);
  const std::string name = plain_name(command);
  const bool test = name == "[" || name == "test";
  if (command.kind != Kind::kSimple || test || !is_inert(name)) {
    for (const SyntaxWord& word : command.words) collect(word);
    if (name == "eval" || name == "source" || name == "." || name == "set" || name == "alias") all_ = true;
  }
  const auto assignment = [&](const Assignment& assigned) {
    collect(assigned.value);
    collect(assigned.index);
    for (const Assignment::Element& element : assigned.elements) {
      collect(element.key);
      collect(element.value);
    }
  };
  for (const Assignment& assigned : command.assignments) assignment(assigned);
  for (const auto& [at, assigned] : command.declared) {
    assignment(assigned);
    read_.insert(assigned.name);  // it may be exported
  }
  for (const SyntaxWord& word : command.arithmetic) collect(word);
  for (const Redirect& redirect : command.redirects) {
    if (redirect.body != nullptr) collect(*redirect.body);
    if (redirect.op == "<<<") collect(redirect.target);
  }
  for (const CaseArm& arm : command.arms) {
    for (const SyntaxWord& pattern : arm.patterns) collect(pattern);
    collect(*arm.body);
  }
  std::vector<const Condition*> open;
  for (const Condition& condition : command.condition) open.push_back(&condition);
  while (!open.empty()) {
    const Condition* condition = open.back();
    open.pop_back();
    collect(condition->left);
    collect(condition->right);
    for (const Condition& part : condition->parts) open.push_back(&part);
  }
  for (const CommandPtr& part : command.parts) {
    if (part != nullptr) collect(*part);
  }
}

bool Relevance::matters(const Command& command) const {
  switch (command.kind) {
    case Kind::kTest:
      return false;
    case Kind::kArithmetic:
    case Kind::kForArithmetic:
    case Kind::kFunction:
      return true;
    case Kind::kFor:
    case Kind::kSelect:
      if (reads(command.name)) return true;
      break;
    case Kind::kSimple: {
      for (const Assignment& assigned : command.assignments) {
        if (command.words.empty() && reads(assigned.name)) return true;
      }
      if (command.words.empty()) return false;
      const std::string name = plain_name(command);
      const bool file = std::any_of(command.redirects.begin(), command.redirects.end(), [](const Redirect& redirect) {
        return redirect.op.find('>') != std::string::npos && redirect.fd <= 1;
      });
      // What echo and printf write may be read again as a script.
      if (name.empty() || !is_inert(name) || functions_.count(name) > 0 ||
          (file && (name == "echo" || name == "printf")))
        return true;
      return name == "printf" && command.words.size() > 2;  // printf -v
    }
    default:
      break;
  }
  for (const CaseArm& arm : command.arms) {
    if (matters(*arm.body)) return true;
  }
  return std::any_of(command.parts.begin(), command.parts.end(),
                     [&](const CommandPtr& part) { return part == nullptr || matters(*part); });
}

}  // namespace gonogo
