#include "base/yaml.h"

#include <yaml-cpp/yaml.h>

#include <set>

namespace gonogo {

namespace {

class Converter {
 public:
  Converter(const std::string& file, YamlLimits limits) : file_(file), limits_(limits) {}

  // False where a limit or a duplicate key stopped it; the reason is in `error`.
  bool convert(const YAML::Node& from, YamlNode& to, int depth) {
    to.line = from.Mark().line + 1;
    to.column = from.Mark().column + 1;
    if (++nodes_ > limits_.nodes) return fail(to, "the file expands to too many values", "do not nest aliases");
    if (depth > limits_.depth) return fail(to, "the file is nested too deeply", "");
    switch (from.Type()) {
      case YAML::NodeType::Scalar:
        to.type = YamlNode::Type::kScalar;
        to.scalar = from.Scalar();
        to.plain = from.Tag() != "!";
        return true;
      case YAML::NodeType::Sequence:
        to.type = YamlNode::Type::kSequence;
        to.items.reserve(from.size());
        for (const auto& item : from) {
          if (!convert(item, to.items.emplace_back(), depth + 1)) return false;
        }
        return true;
      case YAML::NodeType::Map:
        return convert_mapping(from, to, depth);
      default:
        to.type = YamlNode::Type::kNull;
        return true;
    }
  }

  Error error;

 private:
  bool fail(const YamlNode& at, std::string what, std::string hint) {
    error = {Error::Kind::kInput, std::move(what), {file_, at.line, at.column}, std::move(hint), {}};
    return false;
  }

  bool convert_mapping(const YAML::Node& from, YamlNode& to, int depth) {
    to.type = YamlNode::Type::kMapping;
    std::set<std::string> seen;
    for (const auto& entry : from) {
      auto& [key, value] = to.entries.emplace_back();
      if (!convert(entry.first, key, depth + 1)) return false;
      if (key.type != YamlNode::Type::kScalar) return fail(key, "a key is not plain text", "");
      if (!seen.insert(key.scalar).second) return fail(key, "the key '" + key.scalar + "' stands twice", "remove one");
      if (!convert(entry.second, value, depth + 1)) return false;
    }
    return true;
  }

  const std::string& file_;
  YamlLimits limits_;
  std::size_t nodes_ = 0;
};

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
  for (const auto& [name, value] : entries) {
    if (name.scalar == key) return &value;
  }
  return nullptr;
}

Result<std::vector<YamlNode>> parse_yaml(const std::string& text, const std::string& file, YamlLimits limits) {
  if (text.size() > limits.bytes) {
    return Error{Error::Kind::kInput,
                 "the file is larger than " + std::to_string(limits.bytes >> 20) + " MiB",
                 {file, 0, 0},
                 "",
                 ""};
  }
  try {
    std::vector<YamlNode> out;
    Converter converter(file, limits);
    for (const YAML::Node& document : YAML::LoadAll(text)) {
      if (!converter.convert(document, out.emplace_back(), 0)) return std::move(converter.error);
    }
    return out;
  } catch (const YAML::Exception& e) {
    return Error{
        Error::Kind::kInput, "this is no valid YAML: " + e.msg, {file, e.mark.line + 1, e.mark.column + 1}, "", ""};
  } catch (const std::exception& e) {
    return Error{Error::Kind::kInput, std::string("this YAML can't be read: ") + e.what(), {file, 0, 0}, "", ""};
  }
}

}  // namespace gonogo
