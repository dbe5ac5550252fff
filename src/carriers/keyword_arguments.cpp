#include "carriers/keyword_arguments.h"

#include <algorithm>

#include "base/json.h"
#include "carriers/python_calls.h"

namespace gonogo {

namespace {

constexpr std::size_t kMaxVisits = 100'000;

std::string flag_name(std::string_view key) {
  std::string out = "--" + std::string(key);
  std::replace(out.begin() + 2, out.end(), '_', '-');
  return out;
}

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

void add_flag(const std::string& key, const PythonValue& value, std::vector<MappedText>& out) {
  using Kind = PythonValue::Kind;
  if (value.kind == Kind::kFalse || value.kind == Kind::kNone) return;
  out.push_back(at(flag_name(key), value.offset));
  if (value.kind == Kind::kTrue) return;
  if (value.kind == Kind::kList) {
    for (const PythonValue& item : value.items) {
      std::string text = item.text;
      if (item.kind == Kind::kList || item.kind == Kind::kDict) {
        text.clear();
        json_of(item, text);
      }
      out.push_back(at(text, value.offset));
    }
    return;
  }
  std::string text = value.text;
  if (value.kind == Kind::kDict) {
    text.clear();
    json_of(value, text);
  }
  out.push_back(at(text, value.offset));
}

void add_env(const PythonValue* vars, EnvList& env) {
  if (vars == nullptr) return;
  for (const auto& [name, value] : vars->entries) env.emplace_back(name, value.text);
}

void yaml_json(const YamlItem& item, std::string& out, int depth) {
  if (depth > YamlTree::kMaxDepth || item.is_null()) {
    out += "null";
  } else if (item.is_mapping()) {
    out += '{';
    for (std::size_t i = 0; i < item.entries.size(); ++i) {
      if (i > 0) out += ", ";
      append_json_string(out, item.entries[i].first->text);
      out += ": ";
      yaml_json(*item.entries[i].second, out, depth + 1);
    }
    out += '}';
  } else if (item.is_sequence()) {
    out += '[';
    for (std::size_t i = 0; i < item.items.size(); ++i) {
      if (i > 0) out += ", ";
      yaml_json(*item.items[i], out, depth + 1);
    }
    out += ']';
  } else {
    const bool bare =
        item.style == YamlItem::Style::kPlain && (item.text == "true" || item.text == "false" ||
                                                  item.text.find_first_not_of("0123456789.-+eE") == std::string::npos);
    if (bare) {
      out += item.text;
    } else {
      append_json_string(out, item.text);
    }
  }
}

class RayReader {
 public:
  RayReader(const YamlTree& tree, const std::string& entry, Carried& out) : tree_(tree), entry_(entry), out_(out) {}

  void visit(const YamlItem& node, int depth) {
    if (++visits_ > kMaxVisits || depth > YamlTree::kMaxDepth) return;
    for (const YamlItem* item : node.items) visit(*item, depth + 1);
    for (const auto& [key, value] : node.entries) {
      if (key->text == "engine_kwargs" && value->is_mapping()) {
        engine(node, *key, *value);
      } else {
        visit(*value, depth + 1);
      }
    }
  }

 private:
  void engine(const YamlItem& node, const YamlItem& key, const YamlItem& arguments) {
    CarriedCommand command;
    command.kind = CarriedCommand::Kind::kArguments;
    command.entry = entry_;
    command.offset = key.offset;
    for (const auto& [name, value] : arguments.entries) {
      for (MappedText& word : flag_words(tree_, name->text, name->offset, *value))
        command.words.push_back(std::move(word));
    }
    if (const YamlItem* vars = node.find("runtime_env", "env_vars")) {
      for (const auto& [name, value] : vars->entries) {
        if (value->is_scalar() && !value->is_null()) command.env.emplace_back(name->text, value->text);
      }
    }
    command.facts.gpu = std::string(node.scalar("accelerator_type"));
    out_.commands.push_back(std::move(command));
  }

  const YamlTree& tree_;
  const std::string& entry_;
  Carried& out_;
  std::size_t visits_ = 0;
};

}  // namespace

std::vector<MappedText> flag_words(const YamlTree& tree, const std::string& key, std::size_t key_offset,
                                   const YamlItem& value) {
  std::vector<MappedText> out;
  const bool plain = value.is_scalar() && value.style == YamlItem::Style::kPlain;
  const auto is = [&](std::string_view lower) {
    if (!plain || value.text.size() != lower.size()) return false;
    return std::equal(lower.begin(), lower.end(), value.text.begin(), [](char a, char b) { return a == (b | 0x20); });
  };
  if (value.is_null() || is("false")) return out;
  out.push_back(at(flag_name(key), key_offset));
  if (is("true")) return out;
  if (value.is_scalar()) {
    out.push_back(tree.mapped(value));
  } else if (value.is_sequence()) {
    for (const YamlItem* item : value.items) {
      if (item->is_scalar()) {
        out.push_back(tree.mapped(*item));
      } else {
        std::string text;
        yaml_json(*item, text, 0);
        out.push_back(at(text, item->offset));
      }
    }
  } else {
    std::string text;
    yaml_json(value, text, 0);
    out.push_back(at(text, value.offset));
  }
  return out;
}

bool is_ray_serve(const YamlTree& tree) {
  return std::any_of(tree.documents().begin(), tree.documents().end(), [](const YamlItem* document) {
    const YamlItem* applications = document->find("applications");
    return applications != nullptr && applications->is_sequence();
  });
}

void read_ray_serve(const YamlTree& tree, const std::string& entry, Carried& out) {
  RayReader reader(tree, entry, out);
  for (const YamlItem* document : tree.documents()) reader.visit(*document, 0);
}

void read_python(std::string_view text, const std::vector<std::string>& engines, Carried& out) {
  std::vector<std::string> wanted = {"LLMConfig"};
  for (const std::string& engine : engines) wanted.push_back(engine.substr(engine.rfind('.') + 1));
  for (const PythonCall& call : python_calls(text, wanted, out.marks)) {
    const bool ray = call.callee == "LLMConfig" || call.callee.rfind(".LLMConfig") != std::string::npos;
    const PythonValue* arguments = ray ? call.arguments.find("engine_kwargs") : &call.arguments;
    if (!ray && std::find(engines.begin(), engines.end(), call.callee) == engines.end()) continue;
    if (arguments == nullptr || arguments->kind != PythonValue::Kind::kDict || engines.empty()) continue;
    CarriedCommand command;
    command.kind = CarriedCommand::Kind::kArguments;
    command.entry = ray ? engines[0] : call.callee;
    command.offset = call.offset;
    for (const auto& [name, value] : arguments->entries) add_flag(name, value, command.words);
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
