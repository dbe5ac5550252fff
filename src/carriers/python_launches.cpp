#include "carriers/python_launches.h"

#include <algorithm>

#include "base/json.h"
#include "carriers/keyword_arguments.h"
#include "carriers/python_calls.h"

namespace gonogo {

namespace {

constexpr auto kNone = std::string_view::npos;

void json_of(const PythonValue& value, std::string& out) {
  using Kind = PythonValue::Kind;
  switch (value.kind) {
    case Kind::kNumber:
      out += value.text;
      break;
    case Kind::kTrue:
      out += "true";
      break;
    case Kind::kFalse:
      out += "false";
      break;
    case Kind::kNone:
      out += "null";
      break;
    case Kind::kList:
      out += '[';
      for (std::size_t i = 0; i < value.items.size(); ++i) {
        if (i > 0) out += ", ";
        json_of(value.items[i], out);
      }
      out += ']';
      break;
    case Kind::kDict:
      out += '{';
      for (std::size_t i = 0; i < value.entries.size(); ++i) {
        if (i > 0) out += ", ";
        append_json_string(out, value.entries[i].first);
        out += ": ";
        json_of(value.entries[i].second, out);
      }
      out += '}';
      break;
    default:
      append_json_string(out, value.text);
  }
}

MappedText at(std::string_view text, std::size_t offset) {
  MappedText out;
  out.append_at(text, offset);
  return out;
}

void add_flag(const std::string& key, const PythonValue& value, std::size_t offset, std::vector<MappedText>& out) {
  using Kind = PythonValue::Kind;
  if (value.kind == Kind::kFalse || value.kind == Kind::kNone) return;
  // Other arguments, nobody knows which: what is unpacked, or an object that holds them.
  const bool holds = key.size() > 5 && key.compare(key.size() - 5, 5, "_args") == 0 && value.kind == Kind::kUnknown;
  if (holds || key.rfind("**", 0) == 0) {
    out.push_back(at(value.text, offset));
    return;
  }
  out.push_back(at(flag_name(key), offset));
  if (value.kind == Kind::kTrue) return;
  if (value.kind == Kind::kList) {
    for (const PythonValue& item : value.items) {
      std::string text = item.text;
      if (item.kind == Kind::kList || item.kind == Kind::kDict) {
        text.clear();
        json_of(item, text);
      }
      out.push_back(at(text, offset));
    }
    return;
  }
  std::string text = value.text;
  if (value.kind == Kind::kDict) {
    text.clear();
    json_of(value, text);
  }
  out.push_back(at(text, offset));
}

void add_env(const PythonValue* vars, EnvList& env) {
  if (vars == nullptr) return;
  for (const auto& [name, value] : vars->entries) {
    if (name.rfind("**", 0) != 0) env.emplace_back(name, value.text);
  }
}

// Functions that run a command: those of the standard library, and helpers that are called for it.
bool runs_command(std::string_view name) {
  for (const std::string_view known :
       {"Popen", "run", "call", "check_call", "check_output", "getoutput", "getstatusoutput", "system", "popen",
        "create_subprocess_exec", "create_subprocess_shell", "subprocess_exec", "subprocess_shell", "execv", "execvp",
        "execvpe", "spawn", "sh"}) {
    if (name == known) return true;
  }
  return name.find("cmd") != kNone || name.find("command") != kNone;
}

// Where a Python text stands in its file, and its strings with it.
class Strings {
 public:
  Strings(std::string_view text, const MappedText* source) : text_(text), source_(source) {}

  std::size_t place(std::size_t offset) const { return source_ == nullptr ? offset : source_->offset(offset); }

  // A value's text, byte for byte where its quotes hold just that.
  MappedText mapped(const PythonValue& value) const {
    for (const std::size_t quote : {1, 3}) {
      const std::size_t begin = value.offset + quote;
      if (begin > text_.size() || value.text.empty() || text_.substr(begin, value.text.size()) != value.text) continue;
      if (text_.substr(begin + value.text.size(), 1) != text_.substr(begin - 1, 1)) continue;
      MappedText out;
      if (source_ == nullptr) {
        out.append(value.text, begin);
      } else {
        out.append(*source_, begin, begin + value.text.size());
      }
      return out;
    }
    return at(value.text, place(value.offset));
  }

 private:
  std::string_view text_;
  const MappedText* source_;
};

// The command that a call runs: a list of words, words one by one, or a shell's text.
void add_command(const PythonCall& call, const Strings& strings, Carried& out) {
  using Kind = PythonValue::Kind;
  const PythonValue* named = call.arguments.find("args");
  if (call.positional.empty() && named == nullptr) return;
  const PythonValue& first = call.positional.empty() ? *named : call.positional[0];
  const PythonValue* list = first.kind == Kind::kList ? &first : nullptr;
  // execvp(program, [program, …])
  if (list == nullptr && call.positional.size() > 1 && call.positional[1].kind == Kind::kList)
    list = &call.positional[1];
  CarriedCommand command;
  const auto word = [&](const PythonValue& value) {
    if (value.kind == Kind::kList || value.kind == Kind::kDict || value.text.empty()) return false;
    command.words.push_back(strings.mapped(value));
    return true;
  };
  if (list != nullptr) {
    if (list->items.empty() || !std::all_of(list->items.begin(), list->items.end(), word)) return;
    command.offset = strings.place(list->items[0].offset);
  } else if (first.kind != Kind::kText) {
    return;
  } else if (first.text.find_first_of(" \n") == std::string::npos) {
    if (!std::all_of(call.positional.begin(), call.positional.end(), word)) return;
    command.offset = strings.place(first.offset);
  } else {
    command.kind = CarriedCommand::Kind::kScript;
    command.script = strings.mapped(first);
    command.offset = strings.place(first.offset);
  }
  command.env = call.env;
  if (const PythonValue* env = call.arguments.find("env")) add_env(env, command.env);
  out.commands.push_back(std::move(command));
}

}  // namespace

void read_python(std::string_view text, const std::vector<std::string>& engines, Carried& out,
                 const MappedText* source) {
  const Strings strings(text, source);
  std::vector<std::string> classes = {"LLMConfig"};
  for (const std::string& engine : engines) classes.push_back(engine.substr(engine.rfind('.') + 1));
  const auto wanted = [&](std::string_view name) {
    return runs_command(name) || std::find(classes.begin(), classes.end(), name) != classes.end();
  };
  for (const PythonCall& call : python_calls(text, wanted, out.marks)) {
    const std::string last = call.callee.substr(call.callee.rfind('.') + 1);
    if (runs_command(last)) {
      add_command(call, strings, out);
      continue;
    }
    const bool ray = last == "LLMConfig";
    const PythonValue* arguments = ray ? call.arguments.find("engine_kwargs") : &call.arguments;
    if (!ray && std::find(engines.begin(), engines.end(), call.callee) == engines.end()) continue;
    if (arguments == nullptr || arguments->kind != PythonValue::Kind::kDict || engines.empty()) continue;
    CarriedCommand command;
    command.kind = CarriedCommand::Kind::kArguments;
    command.entry = ray ? engines[0] : call.callee;
    command.offset = strings.place(call.offset);
    for (const auto& [name, value] : arguments->entries)
      add_flag(name, value, strings.place(value.offset), command.words);
    command.env = call.env;
    if (ray) {
      if (const PythonValue* env = call.arguments.find("runtime_env")) add_env(env->find("env_vars"), command.env);
      if (const PythonValue* kind = call.arguments.find("accelerator_type");
          kind != nullptr && kind->kind == PythonValue::Kind::kText) {
        command.facts.gpu = kind->text;
      }
    }
    out.commands.push_back(std::move(command));
  }
}

}  // namespace gonogo
