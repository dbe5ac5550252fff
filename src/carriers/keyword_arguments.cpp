#include "carriers/keyword_arguments.h"

#include <algorithm>

#include "base/json.h"

namespace gonogo {

namespace {

constexpr std::size_t kMaxVisits = 100'000;

MappedText at(std::string_view text, std::size_t offset) {
  MappedText out;
  out.append_at(text, offset);
  return out;
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

std::string flag_name(std::string_view key) {
  std::string out = "--" + std::string(key);
  std::replace(out.begin() + 2, out.end(), '_', '-');
  return out;
}

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

}  // namespace gonogo
