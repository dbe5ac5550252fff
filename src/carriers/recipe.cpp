#include "carriers/recipe.h"

#include <algorithm>
#include <charconv>

#include "base/json.h"
#include "carriers/keyword_arguments.h"
#include "carriers/variables.h"
#include "flags/yaml_value.h"
#include "rules/constant.h"
#include "shell/word_parser.h"

namespace gonogo {

namespace {

constexpr std::size_t kMaxVariants = 256;
constexpr std::size_t kMaxMade = 400'000;
constexpr int kMaxDepth = 40;

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

// The value at a path of keys with dots between them.
const YamlItem* at_path(const YamlItem& root, std::string_view path) {
  const YamlItem* at = &root;
  while (at != nullptr && !path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    at = at->find(path.substr(0, dot));
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return at;
}

std::string_view text_of(const Value* value) {
  return value != nullptr && value->is_str() ? value->as_str() : std::string_view();
}

// One launcher, as the pack describes it.
class Launcher {
 public:
  Launcher(const Value& says, const YamlTree& tree, Carried& out) : says_(says), tree_(tree), out_(out) {}

  bool reads(const YamlItem& document) const {
    const YamlItem* base = document.find(text("base"));
    const YamlItem* blocks = at_path(base != nullptr ? *base : document, text("arguments"));
    return blocks != nullptr && blocks->is_mapping();
  }

  void read(const YamlItem& document) {
    const YamlItem* base = document.find(text("base"));
    if (base == nullptr) {
      variant(document, "");
      return;
    }
    std::size_t count = 0;
    for (const auto& [key, over] : document.entries) {
      const std::string_view name = key->text;
      if (!over->is_mapping()) continue;
      if (name.substr(0, text("zip").size()) == text("zip")) {
        const std::size_t width = longest(*over, 0);
        for (std::size_t i = 0; i < width && ++count <= kMaxVariants; ++i) {
          const YamlItem* one = picked(*over, i, 0);
          variant(*merged(*base, *one, 0), std::string(name) + "[" + std::to_string(i) + "]");
        }
      } else if (name.substr(0, text("override").size()) == text("override") && ++count <= kMaxVariants) {
        variant(*merged(*base, *over, 0), std::string(name));
      }
    }
    if (count == 0) variant(*base, "");
  }

 private:
  std::string_view text(std::string_view key) const { return text_of(says_.find(key)); }

  // The longest list of an override that is zipped: one variant for each place in it.
  static std::size_t longest(const YamlItem& item, int depth) {
    std::size_t out = 1;
    if (depth > kMaxDepth) return out;
    for (const auto& entry : item.entries) {
      const YamlItem& value = *entry.second;
      if (value.is_sequence()) out = std::max(out, value.items.size());
      if (value.is_mapping()) out = std::max(out, longest(value, depth + 1));
    }
    return out;
  }

  YamlItem& make(const YamlItem& like) {
    YamlItem& item = made_.emplace_back();
    item.type = like.type;
    item.offset = like.offset;
    return item;
  }

  const YamlItem* picked(const YamlItem& item, std::size_t index, int depth) {
    if (depth > kMaxDepth || made_.size() > kMaxMade) return &item;
    YamlItem& out = make(item);
    for (const auto& [key, value] : item.entries) {
      const YamlItem* chosen = value;
      if (value->is_sequence() && !value->items.empty()) {
        chosen = value->items.size() > index ? value->items[index] : value->items.size() == 1 ? value->items[0] : value;
      } else if (value->is_mapping()) {
        chosen = picked(*value, index, depth + 1);
      }
      out.entries.emplace_back(key, chosen);
    }
    return &out;
  }

  // Mappings are merged at any depth, a null takes a key away, anything else replaces.
  const YamlItem* merged(const YamlItem& base, const YamlItem& over, int depth) {
    if (depth > kMaxDepth || made_.size() > kMaxMade) return &base;
    YamlItem& out = make(base);
    for (const auto& [key, value] : base.entries) {
      const YamlItem* other = over.find(key->text);
      if (other == nullptr) {
        out.entries.emplace_back(key, value);
      } else if (other->is_mapping() && value->is_mapping()) {
        out.entries.emplace_back(key, merged(*value, *other, depth + 1));
      } else if (!other->is_null()) {
        out.entries.emplace_back(key, other);
      }
    }
    for (const auto& [key, value] : over.entries) {
      if (base.find(key->text) == nullptr && !value->is_null()) out.entries.emplace_back(key, value);
    }
    return &out;
  }

  static std::optional<int> number(const YamlItem* item) {
    if (item == nullptr || !item->is_scalar()) return std::nullopt;
    int out = 0;
    const char* end = item->text.data() + item->text.size();
    const auto [stop, failed] = std::from_chars(item->text.data(), end, out);
    return failed == std::errc() && stop == end ? std::optional<int>(out) : std::nullopt;
  }

  void variant(const YamlItem& root, const std::string& name) {
    const YamlItem* blocks = at_path(root, text("arguments"));
    if (blocks == nullptr) return;
    for (const auto& [role, block] : blocks->entries) {
      if (!block->is_mapping()) continue;
      CarriedCommand command;
      command.kind = CarriedCommand::Kind::kArguments;
      command.entry = std::string(entry_of(root));
      command.offset = role->offset;
      command.unit = name;
      command.label = name.empty() ? role->text : name + ":" + role->text;
      facts(root, role->text, command.facts);
      words(*block, command);
      environment(root, role->text, command.env);
      out_.commands.push_back(std::move(command));
    }
  }

  // Which entry point the launcher picks: by the value at a path, or the usual one.
  std::string_view entry_of(const YamlItem& root) const {
    const YamlItem* choice = at_path(root, text("entry_by"));
    const Value* entries = says_.find("entries");
    if (choice != nullptr && choice->is_scalar() && entries != nullptr) {
      if (const std::string_view entry = text_of(entries->find(choice->text)); !entry.empty()) return entry;
    }
    return text("entry");
  }

  const YamlItem* role_value(const YamlItem& root, std::string_view key, std::string_view role) const {
    const Value* names = says_.find("role_names");
    const std::string_view other = names == nullptr ? std::string_view() : text_of(names->find(role));
    const std::string path(text(key));
    if (path.empty()) return nullptr;
    if (!other.empty()) {
      if (const YamlItem* found = at_path(root, replaced(path, "{role}", other))) return found;
    }
    return at_path(root, replaced(path, "{role}", role));
  }

  void facts(const YamlItem& root, std::string_view role, CarrierFacts& facts) {
    const auto scalar = [&](std::string_view key) -> std::string {
      const YamlItem* item = role_value(root, key, role);
      return item != nullptr && item->is_scalar() ? item->text : std::string();
    };
    facts.image = scalar("image");
    facts.gpu = scalar("gpu");
    facts.gpus = number(role_value(root, "gpus", role));
    const auto nodes = number(role_value(root, "nodes", role));
    const auto workers = number(role_value(root, "workers", role));
    if (nodes && workers && *workers > 0) facts.nnodes = std::max(1, *nodes / *workers);
  }

  bool listed(std::string_view key, std::string_view word) const {
    const Value* list = says_.find(key);
    if (list == nullptr || !list->is_sequence()) return false;
    return std::any_of(list->items(), list->items() + list->size(),
                       [&](const Value& v) { return text_of(&v) == word; });
  }

  void words(const YamlItem& block, CarriedCommand& command) {
    const auto fixed = [&](std::string_view key) {
      const Value* list = says_.find(key);
      if (list == nullptr || !list->is_sequence()) return;
      for (std::uint32_t i = 0; i < list->size(); ++i) {
        MappedText word;
        word.append_at(
            replaced(std::string(text_of(&(*list)[i])), "{nodes}", std::to_string(command.facts.nnodes.value_or(1))),
            block.offset);
        command.words.push_back(std::move(word));
      }
    };
    fixed("first");
    std::vector<std::pair<std::string, std::pair<const YamlItem*, const YamlItem*>>> sorted;
    for (const auto& entry : block.entries) {
      std::string name = entry.first->text;
      std::replace(name.begin(), name.end(), '_', '-');
      if (listed("lead", name)) {
        flag(name, *entry.first, *entry.second, command.words);
      } else if (!listed("drop", name)) {
        sorted.emplace_back(entry.first->text, entry);
      }
    }
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [key, entry] : sorted) flag(key, *entry.first, *entry.second, command.words);
    if (command.facts.nnodes.value_or(1) > 1) fixed("many_nodes");
  }

  // Values are written as Python prints what YAML 1.1 reads.
  void flag(const std::string& name, const YamlItem& key, const YamlItem& value, std::vector<MappedText>& words) {
    std::vector<MappedText> made = flag_words(tree_, name, key.offset, value);
    if (value.is_scalar() && made.size() == 2) made[1] = printed(value);
    if (value.is_sequence()) {
      for (std::size_t i = 0; i < value.items.size() && i + 1 < made.size(); ++i) {
        if (value.items[i]->is_scalar()) made[i + 1] = printed(*value.items[i]);
      }
    }
    for (MappedText& word : made) words.push_back(std::move(word));
  }

  MappedText printed(const YamlItem& scalar) {
    YamlNode node;
    node.type = YamlNode::Type::kScalar;
    node.scalar = scalar.text;
    node.plain = scalar.style == YamlItem::Style::kPlain;
    const std::string text = to_str(yaml_value(node, arena_));
    MappedText out;
    if (text != scalar.text) {
      out.append_at(text, scalar.offset);
      return out;
    }
    // {name} is filled in by a sweep.
    const MappedText mapped = tree_.mapped(scalar);
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = at + 1;
      if (text[at] == '{' && end < text.size() && is_name_start(text[end])) {
        while (end < text.size() && is_name_char(text[end])) ++end;
        if (end < text.size() && text[end] == '}') {
          const std::string shown = text.substr(at, end + 1 - at);
          out.append_at(out_.marks.mark(shown, shown), mapped.offset(at));
          at = end + 1;
          continue;
        }
      }
      out.append(mapped, at, at + 1);
      ++at;
    }
    return out;
  }

  void environment(const YamlItem& root, std::string_view role, EnvList& env) {
    const YamlItem* block = role_value(root, "environment", role);
    if (block == nullptr) return;
    for (const auto& [name, value] : block->entries) {
      if (value->is_scalar() && !value->is_null()) env.emplace_back(name->text, printed(*value).text());
    }
  }

  const Value& says_;
  const YamlTree& tree_;
  Carried& out_;
  std::deque<YamlItem> made_;
  Arena arena_;
};

}  // namespace

Value pack_table(const Pack& pack, std::string_view name, Arena& arena) {
  for (const TableRec& table : pack.tables) {
    if (pack.text(table.name) != name) continue;
    if (table.rows.count == 0) return Value::none();
    return constant(pack, pack.rows[table.rows.first].code, arena);
  }
  return Value::none();
}

bool read_recipe(const Pack& pack, const YamlTree& tree, Carried& out) {
  Arena arena;
  const Value launchers = pack_table(pack, "recipes", arena);
  if (!launchers.is_dict()) return false;
  bool any = false;
  for (std::uint32_t i = 0; i < launchers.size(); ++i) {
    Launcher launcher(launchers.entries()[i].value, tree, out);
    for (const YamlItem* document : tree.documents()) {
      if (!launcher.reads(*document)) continue;
      out.form = std::string(text_of(&launchers.entries()[i].key));
      launcher.read(*document);
      any = true;
    }
    if (any) return true;
  }
  return false;
}

}  // namespace gonogo
