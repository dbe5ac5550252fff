#include "rules/compile_context.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>

#include "base/text.h"
#include "rules/version_range.h"

namespace gonogo {

namespace {

constexpr std::size_t kMaxErrors = 50;

// Where byte `offset` of a scalar stands in its file: both texts are walked side by side without white space, which
// folding and indentation change. Falls back to the scalar's start.
std::size_t file_offset(const std::string& file, const YamlNode& node, std::size_t offset) {
  std::size_t at = 0;
  for (int line = 1; line < node.line; ++line) {
    const std::size_t end = file.find('\n', at);
    if (end == std::string::npos) return at;
    at = end + 1;
  }
  at = std::min(file.size(), at + static_cast<std::size_t>(std::max(0, node.column - 1)));
  const std::size_t start = at;
  if (at < file.size() && (file[at] == '"' || file[at] == '\'')) ++at;
  if (at < file.size() && (file[at] == '|' || file[at] == '>')) {
    at = std::min(file.find('\n', at), file.size());
  }
  for (std::size_t i = 0; i < offset && i < node.scalar.size(); ++i) {
    if (std::isspace(static_cast<unsigned char>(node.scalar[i])) != 0) continue;
    while (at < file.size() && std::isspace(static_cast<unsigned char>(file[at])) != 0) ++at;
    if (at >= file.size() || file[at] != node.scalar[i]) return start;
    ++at;
  }
  while (offset > 0 && at < file.size() && std::isspace(static_cast<unsigned char>(file[at])) != 0) ++at;
  return at;
}

enum class Shape { kNull, kBool, kInt, kFloat, kText };

// The type of a plain scalar: YAML's core types, without the surprises of 1.1 ("no", "010", "1:30").
Shape shape_of(const std::string& s, bool plain) {
  if (!plain) return Shape::kText;
  if (s.empty() || s == "~" || s == "null") return Shape::kNull;
  if (s == "true" || s == "false" || s == "True" || s == "False") return Shape::kBool;
  std::size_t i = s[0] == '-' || s[0] == '+' ? 1 : 0;
  const std::size_t digits = i;
  while (i < s.size() && std::isdigit(static_cast<unsigned char>(s[i])) != 0) ++i;
  if (i == digits && (i >= s.size() || s[i] != '.')) return Shape::kText;
  if (i == s.size()) return i - digits > 1 && s[digits] == '0' ? Shape::kText : Shape::kInt;
  if (s[i] != '.') return Shape::kText;
  const std::size_t fraction = ++i;
  while (i < s.size() && std::isdigit(static_cast<unsigned char>(s[i])) != 0) ++i;
  if (i == fraction && fraction - 1 == digits) return Shape::kText;
  if (i < s.size() && (s[i] == 'e' || s[i] == 'E')) {
    ++i;
    if (i < s.size() && (s[i] == '-' || s[i] == '+')) ++i;
    while (i < s.size() && std::isdigit(static_cast<unsigned char>(s[i])) != 0) ++i;
  }
  return i == s.size() ? Shape::kFloat : Shape::kText;
}

// {row: …, versions: …} or {value: …, versions: …}. Where these mean something, they are taken apart before; left
// inside data they would be a mapping with these two keys, in every version.
bool is_versioned(const YamlNode& node) {
  return node.entries.size() == 2 && node.find("versions") != nullptr &&
         (node.find("row") != nullptr || node.find("value") != nullptr);
}

}  // namespace

void CompileContext::error(const YamlNode& at, std::string what, std::string hint, std::size_t offset) {
  if (errors.size() >= kMaxErrors) return;
  Error e{Error::Kind::kInput, std::move(what), {source->name, at.line, at.column}, std::move(hint), {}};
  e.excerpt = caret_excerpt(source->text, file_offset(source->text, at, offset), &e.place.line, &e.place.column);
  // `each` compiles one text several times; its faults are one.
  const bool told = std::any_of(errors.begin(), errors.end(), [&](const Error& other) {
    return other.what == e.what && other.place.file == e.place.file && other.place.line == e.place.line;
  });
  if (!told) errors.push_back(std::move(e));
}

bool CompileContext::only_keys(const YamlNode& node, const std::vector<std::string_view>& known) {
  if (!node.is_mapping()) {
    error(node, "a mapping is expected here");
    return false;
  }
  for (const auto& [key, value] : node.entries) {
    if (std::find(known.begin(), known.end(), key.scalar) == known.end()) {
      error(key, "unknown key '" + key.scalar + "'", did_you_mean(key.scalar, known));
    }
  }
  return true;
}

std::string CompileContext::scalar(const YamlNode& node) {
  if (node.is_scalar()) return node.scalar;
  if (node.type != YamlNode::Type::kNull) error(node, "a plain value is expected here");
  return {};
}

bool CompileContext::boolean(const YamlNode& node) {
  const std::string word = scalar(node);
  if (word != "true" && word != "false") error(node, "true or false is expected here");
  return word == "true";
}

Run CompileContext::list(const YamlNode& node, StrId (CompileContext::*id)(const YamlNode&)) {
  std::vector<std::uint32_t> out;
  if (node.is_sequence()) {
    for (const YamlNode& item : node.items) out.push_back((this->*id)(item));
  } else if (node.type != YamlNode::Type::kNull) {
    out.push_back((this->*id)(node));
  }
  return data.add(data.ids, out);
}

std::uint32_t CompileContext::new_slot(const std::string& name) {
  data.slots.push_back(data.intern_cold(name));
  return static_cast<std::uint32_t>(data.slots.size() - 1);
}

CodeRef CompileContext::store(const std::vector<std::uint32_t>& words) {
  const auto [at, added] = stored_.emplace(words, 0);
  if (added) at->second = data.add_code(words);
  return at->second;
}

Mask CompileContext::mask_of(std::uint32_t first, std::uint32_t end) const {
  return static_cast<Mask>((std::uint64_t{1} << end) - (std::uint64_t{1} << first));
}

Mask CompileContext::all_versions() const { return mask_of(data.about.first_ruled, data.about.versions.count); }

Mask CompileContext::versions(const YamlNode* node) { return selected(node, all_versions()); }

Mask CompileContext::earlier_versions(const YamlNode* node) {
  return selected(node, mask_of(0, data.about.first_ruled));
}

Mask CompileContext::selected(const YamlNode* node, Mask among) {
  if (node == nullptr) return among;
  const auto range = VersionRange::parse(scalar(*node));
  if (!range) {
    error(*node, "this is no range of versions", "write for example \">=1.2.3,<1.3.0\"");
    return 0;
  }
  Mask mask = 0;
  for (std::uint32_t i = 0; i < data.about.versions.count; ++i) {
    if (range->contains(data.text(data.ids[data.about.versions.first + i]))) mask |= Mask{1} << i;
  }
  return mask & among;
}

bool CompileContext::emit_text(const YamlNode& node, std::string_view text, std::size_t base, Emitter& out,
                               Types* types) {
  auto parsed = parse_expression(text);
  const auto* problem = std::get_if<ExpressionError>(&parsed);
  if (problem == nullptr && !out.emit(*std::get<Expression::Ptr>(parsed), types)) problem = &out.error();
  if (problem != nullptr) error(node, problem->what, problem->hint, base + problem->offset);
  return problem == nullptr;
}

bool CompileContext::emit_scalar(const YamlNode& node, Emitter& out, Types* types) {
  const std::string& s = node.scalar;
  const char* first = s.c_str() + (!s.empty() && s[0] == '+' ? 1 : 0);
  switch (shape_of(s, node.plain)) {
    case Shape::kNull:
      out.put(word(Op::kNone));
      *types = kNoneType;
      return true;
    case Shape::kBool:
      out.put(word(s[0] == 't' || s[0] == 'T' ? Op::kTrue : Op::kFalse));
      *types = kBoolType;
      return true;
    case Shape::kInt: {
      std::int64_t i = 0;
      if (std::from_chars(first, s.c_str() + s.size(), i).ec != std::errc()) {
        error(node, "the integer does not fit 64 bits");
        return false;
      }
      out.emit_int(i);
      *types = kIntType;
      return true;
    }
    case Shape::kFloat:
      out.emit_float(std::strtod(s.c_str(), nullptr));
      *types = kFloatType;
      return true;
    case Shape::kText:
      out.emit_str(s);
      *types = kStrType;
      return true;
  }
  return false;
}

bool CompileContext::emit_value(const YamlNode& node, const Scope& scope, Uses* uses, bool expressions, Emitter& out,
                                Types* types) {
  Types ignored = 0;
  switch (node.type) {
    case YamlNode::Type::kNull:
      out.put(word(Op::kNone));
      *types = kNoneType;
      return true;
    case YamlNode::Type::kScalar:
      if (expressions && node.scalar.starts_with("=")) {
        return emit_text(node, std::string_view(node.scalar).substr(1), 1, out, types);
      }
      return emit_scalar(node, out, types);
    case YamlNode::Type::kSequence:
      out.put(word(Op::kList, static_cast<std::uint32_t>(node.items.size())));
      *types = kListType;
      return std::all_of(node.items.begin(), node.items.end(), [&](const YamlNode& item) {
        return emit_value(item, scope, uses, expressions, out, &ignored);
      });
    case YamlNode::Type::kMapping:
      if (is_versioned(node)) {
        error(
            node, "a choice of versions has no meaning inside a value",
            "'row' is for the items of a table, 'value' for a list of nothing else: put 'versions' on the whole item");
        return false;
      }
      out.put(word(Op::kDict, static_cast<std::uint32_t>(node.entries.size())));
      *types = kDictType;
      return std::all_of(node.entries.begin(), node.entries.end(), [&](const auto& entry) {
        return emit_scalar(entry.first, out, &ignored) &&
               emit_value(entry.second, scope, uses, expressions, out, &ignored);
      });
  }
  return false;
}

CodeRef CompileContext::value(const YamlNode& node, const Scope& scope, Uses* uses, Types* types) {
  Emitter out(data, symbols, scope, uses);
  Types found = 0;
  if (!emit_value(node, scope, uses, true, out, &found)) return 0;
  if (types != nullptr) *types = found;
  return store(out.words());
}

CodeRef CompileContext::literal(const YamlNode& node) {
  Emitter out(data, symbols, {}, nullptr);
  Types ignored = 0;
  return emit_value(node, {}, nullptr, false, out, &ignored) ? store(out.words()) : 0;
}

CodeRef CompileContext::expression(const YamlNode& node, const Scope& scope) {
  Emitter out(data, symbols, scope, nullptr);
  Types ignored = 0;
  return emit_text(node, scalar(node), 0, out, &ignored) ? store(out.words()) : 0;
}

CodeRef CompileContext::message(const YamlNode& node, const Scope& scope) {
  const std::string text = scalar(node);
  Emitter out(data, symbols, scope, nullptr);
  std::uint32_t parts = 0;
  std::string literal_text;
  const auto flush = [&] {
    if (literal_text.empty()) return;
    out.put(word(Op::kStr, data.intern_cold(literal_text)));
    ++parts;
    literal_text.clear();
  };
  out.put(0);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c == '{' || c == '}') && i + 1 < text.size() && text[i + 1] == c) {
      literal_text += c;
      ++i;
    } else if (c == '{') {
      std::size_t end = i + 1;
      char quote = 0;
      while (end < text.size() && (quote != 0 || text[end] != '}')) {
        if (quote != 0 ? text[end] == quote : text[end] == '"' || text[end] == '\'') quote = quote != 0 ? 0 : text[end];
        ++end;
      }
      if (end >= text.size()) {
        error(node, "a '{' in the text is not closed", "write {{ for a brace", i);
        return 0;
      }
      flush();
      Types ignored = 0;
      if (!emit_text(node, std::string_view(text).substr(i + 1, end - i - 1), i + 1, out, &ignored)) return 0;
      ++parts;
      i = end;
    } else {
      literal_text += c;
    }
  }
  flush();
  std::vector<std::uint32_t> words = out.words();
  words[0] = word(Op::kText, parts);
  return store(words);
}

}  // namespace gonogo
