// gonogo.yaml, read by the table of keys.
#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "base/yaml.h"
#include "policy/policy.h"

namespace gonogo {

namespace {

constexpr std::string_view kName = "gonogo.yaml";
constexpr std::size_t kMostBytes = 1u << 20;
constexpr std::size_t kMostIgnores = 1000;
constexpr int kMostFolders = 64;  // upwards

class PolicyReader {
 public:
  PolicyReader(const std::string& file, std::span<const PolicyKey> keys) : file_(file), keys_(keys) {
    out_.file = file;
  }

  Result<Policy> read(const YamlNode& root) {
    if (root.type == YamlNode::Type::kNull) return std::move(out_);
    if (!root.is_mapping()) return *fail(root, "a policy is a mapping of keys to values", "");
    for (const auto& [key, value] : root.entries) {
      if (auto error = entry(key, value)) return *error;
    }
    return std::move(out_);
  }

 private:
  std::optional<Error> fail(const YamlNode& at, std::string what, std::string hint) const {
    return Error{Error::Kind::kInput, std::move(what), {file_, at.line, at.column}, std::move(hint), ""};
  }

  std::optional<Error> unknown(const YamlNode& key, const std::vector<std::string_view>& known) const {
    std::string hint = did_you_mean(key.scalar, known);
    if (hint.empty()) {
      hint = "known are ";
      for (const std::string_view name : known) hint += (name == known[0] ? "" : ", ") + std::string(name);
    }
    return fail(key, "there is no key '" + key.scalar + "'", hint);
  }

  std::optional<Error> entry(const YamlNode& key, const YamlNode& value) {
    for (const PolicyKey& k : keys_) {
      if (k.name == key.scalar) return setting(k, key, value);
    }
    std::vector<std::string_view> known;
    for (const PolicyKey& k : keys_) known.push_back(k.name);
    return unknown(key, known);
  }

  std::optional<Error> setting(const PolicyKey& key, const YamlNode& at, const YamlNode& value) {
    const std::string name(key.name);
    if (value.type == YamlNode::Type::kNull) return fail(at, name + " has no value", "");
    if (key.shape == KeyShape::kIgnores) return ignores(value);
    if (name == "severity") return severities(value);
    PolicySetting out{name, {}, {file_, value.line, value.column}};
    switch (key.shape) {
      case KeyShape::kPairs:
        if (!value.is_mapping()) return fail(value, name + " is a mapping of names to texts", "");
        for (const auto& [left, right] : value.entries) {
          if (!right.is_scalar()) return fail(right, "'" + left.scalar + "' needs a text", "");
          out.values.push_back(left.scalar + "=" + right.scalar);
        }
        break;
      case KeyShape::kPaths:
      case KeyShape::kTexts: {
        const std::vector<YamlNode> one{value};
        for (const YamlNode& item : value.is_sequence() ? value.items : one) {
          if (!item.is_scalar()) return fail(item, name + " is a text or a list of texts", "");
          const bool is_path = key.shape == KeyShape::kPaths || looks_like_path(item.scalar);
          out.values.push_back(is_path ? path(item.scalar) : item.scalar);
        }
        break;
      }
      default:
        if (!value.is_scalar()) return fail(value, name + " is one text", "");
        if (key.shape == KeyShape::kSwitch && value.scalar != "true" && value.scalar != "false") {
          return fail(value, name + " is true or false", "");
        }
        out.values = {key.shape == KeyShape::kPath ? path(value.scalar) : value.scalar};
    }
    out_.settings.push_back(std::move(out));
    return std::nullopt;
  }

  static bool looks_like_path(std::string_view text) {
    return text.find('/') != std::string_view::npos || text.ends_with(".json");
  }

  // Relative to the file's folder.
  std::string path(const std::string& text) const {
    const std::size_t slash = file_.rfind('/');
    if (text.starts_with('/') || slash == std::string::npos) return text;
    return file_.substr(0, slash + 1) + text;
  }

  std::optional<Error> severities(const YamlNode& value) {
    if (!value.is_mapping()) return fail(value, "severity is a mapping of rules to error, warning or note", "");
    for (const auto& [rule, level] : value.entries) {
      const std::string by = file_ + ":" + std::to_string(rule.line);
      if (!level.is_scalar() || add_severities("r=" + level.scalar, by, &out_)) {
        const std::string hint = level.scalar == "off" ? "to pass over it, ignore it with a reason" : "";
        return fail(level, "a severity is error, warning or note", hint);
      }
      out_.severities.back().rule = rule.scalar;
      out_.severities.back().place = {file_, rule.line, rule.column};
    }
    return std::nullopt;
  }

  std::optional<Error> ignores(const YamlNode& value) {
    if (!value.is_sequence()) return fail(value, "ignore is a list", "write - rule: RULE, and reason: below it");
    if (value.items.size() > kMostIgnores) return fail(value, "there are more than 1000 ignores", "use patterns");
    for (const YamlNode& item : value.items) {
      if (!item.is_mapping()) return fail(item, "an ignore is a mapping", "write rule: RULE and reason: TEXT");
      Ignore out;
      out.place = {file_, item.line, item.column, item.line, item.column + 1};
      for (const auto& [key, text] : item.entries) {
        if (auto error = member(key, text, &out)) return error;
      }
      if (out.rule.empty()) return fail(item, "an ignore names no rule", "write rule: RULE");
      if (out.reason.empty()) return fail(item, "the ignore of " + out.rule + " has no reason", "write reason: TEXT");
      out.by = file_ + ":" + std::to_string(item.line);
      out_.ignores.push_back(std::move(out));
    }
    return std::nullopt;
  }

  std::optional<Error> member(const YamlNode& key, const YamlNode& value, Ignore* out) const {
    const std::string& name = key.scalar;
    if (name != "rule" && name != "reason" && name != "until" && name != "file") {
      return unknown(key, {"rule", "reason", "until", "file"});
    }
    if (!value.is_scalar()) return fail(key, name + " is one text", "");
    if (name == "reason" && value.scalar.find_first_not_of(" \t\n") != std::string::npos) out->reason = value.scalar;
    if (name == "file") out->file = value.scalar;
    if (name == "rule") {
      out->rule = value.scalar;
      const int end = value.column + static_cast<int>(code_points(value.scalar));
      out->place = {file_, value.line, value.column, value.line, end};
    }
    if (name != "until") return std::nullopt;
    out->until = parse_date(value.scalar);
    return out->until ? std::nullopt : fail(value, "'" + value.scalar + "' is no date", "write YYYY-MM-DD");
  }

  const std::string& file_;
  std::span<const PolicyKey> keys_;
  Policy out_;
};

}  // namespace

std::string find_policy() {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path folder = fs::current_path(error);
  std::string up;
  for (int i = 0; !error && i < kMostFolders; ++i) {
    if (fs::exists(folder / kName, error)) return up + std::string(kName);
    if (fs::exists(folder / ".git", error) || folder == folder.root_path()) return {};
    folder = folder.parent_path();
    up += "../";
  }
  return {};
}

Result<Policy> parse_policy(const std::string& text, const std::string& file, std::span<const PolicyKey> keys) {
  auto documents = parse_yaml(text, file, {.bytes = kMostBytes, .depth = 10, .nodes = 100'000});
  if (!documents) return documents.error();
  if (documents->size() > 1) return Error{Error::Kind::kInput, "a policy is one document", {file, 0, 0}, "", ""};
  return PolicyReader(file, keys).read(documents->empty() ? YamlNode() : documents->front());
}

Result<Policy> read_policy(const std::string& file, std::span<const PolicyKey> keys) {
  auto text = read_file(file, kMostBytes);
  if (!text) return text.error();
  return parse_policy(*text, file, keys);
}

}  // namespace gonogo
