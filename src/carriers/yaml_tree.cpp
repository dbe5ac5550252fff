#include "carriers/yaml_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <istream>
#include <optional>
#include <streambuf>
#include <unordered_map>
#include <unordered_set>

#include "carriers/yaml_scalar.h"

namespace gonogo {

namespace {

// Reads a view without copying it.
class ViewBuffer : public std::streambuf {
 public:
  explicit ViewBuffer(std::string_view text) {
    char* begin = const_cast<char*>(text.data());  // NOLINT: a get area is never written to
    setg(begin, begin, begin + text.size());
  }
};

bool is_merge(const YamlItem& key) { return key.style == YamlItem::Style::kPlain && key.text == "<<"; }

}  // namespace

// Builds the tree from the parser's events.
class YamlTreeBuilder : public YAML::EventHandler {
 public:
  struct Stop {
    std::string what;
    std::size_t offset;
  };

  explicit YamlTreeBuilder(YamlTree& tree) : tree_(tree) {}

  void OnDocumentStart(const YAML::Mark&) override {
    anchors_.clear();
    open_.clear();
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { finish(make(mark), anchor); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto it = anchors_.find(anchor);
    if (it == anchors_.end()) throw Stop{"an alias stands inside its own anchor", at(mark)};
    add(it->second);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlItem& item = make(mark);
    item.type = YamlItem::Type::kScalar;
    item.offset = skip_properties(tree_.text_, item.offset);
    item.style = tag == "?" ? YamlItem::Style::kPlain : style_at(tree_.text_, item.offset);
    item.text = value;
    if (tree_.original_.data() != tree_.text_.data()) item.text = tree_.mapped(item).text();
    finish(item, anchor);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, YamlItem::Type::kSequence, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, YamlItem::Type::kMapping, anchor);
  }
  void OnMapEnd() override {
    merge(*open_.back().item);
    close();
  }

 private:
  struct Open {
    YamlItem* item;
    YAML::anchor_t anchor;
    const YamlItem* key = nullptr;
    std::optional<std::unordered_map<std::string_view, std::size_t>> seen;
  };

  static std::size_t at(const YAML::Mark& mark) { return mark.pos < 0 ? 0 : static_cast<std::size_t>(mark.pos); }

  YamlItem& make(const YAML::Mark& mark) {
    if (tree_.store_.size() >= YamlTree::kMaxNodes) throw Stop{"the file holds too many values", at(mark)};
    YamlItem& item = tree_.store_.emplace_back();
    item.offset = at(mark);
    return item;
  }

  void open(const YAML::Mark& mark, YamlItem::Type type, YAML::anchor_t anchor) {
    if (open_.size() >= static_cast<std::size_t>(YamlTree::kMaxDepth)) {
      throw Stop{"the file is nested too deeply", at(mark)};
    }
    YamlItem& item = make(mark);
    item.type = type;
    open_.push_back({&item, anchor, nullptr, std::nullopt});
  }

  void close() {
    const Open top = std::move(open_.back());
    open_.pop_back();
    finish(*top.item, top.anchor);
  }

  void finish(const YamlItem& item, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) anchors_[anchor] = &item;
    add(&item);
  }

  void add(const YamlItem* item) {
    if (open_.empty()) {
      tree_.documents_.push_back(item);
      return;
    }
    Open& top = open_.back();
    if (top.item->is_sequence()) {
      top.item->items.push_back(item);
    } else if (top.key == nullptr) {
      top.key = item;
    } else {
      put(top, item);
      top.key = nullptr;
    }
  }

  // A duplicate key is noted, and the last value stays, as most readers have it.
  void put(Open& top, const YamlItem* value) {
    auto& entries = top.item->entries;
    if (!top.seen && entries.size() > 16) {
      top.seen.emplace();
      for (std::size_t i = 0; i < entries.size(); ++i) top.seen->emplace(entries[i].first->text, i);
    }
    std::size_t same = entries.size();
    if (top.seen) {
      const auto [it, fresh] = top.seen->emplace(top.key->text, entries.size());
      if (!fresh) same = it->second;
    } else {
      for (std::size_t i = 0; i < entries.size(); ++i) {
        if (entries[i].first->text == top.key->text) same = i;
      }
    }
    if (same == entries.size() || is_merge(*top.key)) {
      entries.emplace_back(top.key, value);
      return;
    }
    if (tree_.duplicate_ == nullptr) tree_.duplicate_ = top.key;
    entries[same] = {top.key, value};
  }

  // Follows `<<`: what it names comes behind the mapping's own keys, which win.
  static void merge(YamlItem& map) {
    std::vector<const YamlItem*> from;
    auto& entries = map.entries;
    for (auto it = entries.begin(); it != entries.end();) {
      if (!is_merge(*it->first)) {
        ++it;
        continue;
      }
      if (it->second->is_mapping()) from.push_back(it->second);
      for (const YamlItem* item : it->second->items) {
        if (item->is_mapping()) from.push_back(item);
      }
      it = entries.erase(it);
    }
    if (from.empty()) return;
    std::unordered_set<std::string_view> seen;
    for (const auto& [key, value] : entries) seen.insert(key->text);
    for (const YamlItem* other : from) {
      for (const auto& entry : other->entries) {
        if (seen.insert(entry.first->text).second) entries.push_back(entry);
      }
    }
  }

  YamlTree& tree_;
  std::vector<Open> open_;
  std::unordered_map<YAML::anchor_t, const YamlItem*> anchors_;
};

bool YamlItem::is_null() const {
  if (type == Type::kNull) return true;
  if (type != Type::kScalar || style != Style::kPlain) return false;
  return text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL";
}

const YamlItem* YamlItem::find(std::string_view key) const {
  for (const auto& [name, value] : entries) {
    if (name->text == key) return value;
  }
  return nullptr;
}

const YamlItem* YamlItem::find(std::string_view key, std::string_view then) const {
  const YamlItem* first = find(key);
  return first == nullptr ? nullptr : first->find(then);
}

std::string_view YamlItem::scalar(std::string_view key) const {
  const YamlItem* value = find(key);
  return value != nullptr && value->is_scalar() ? std::string_view(value->text) : std::string_view();
}

Result<YamlTree> YamlTree::parse(std::string_view text, std::string_view file, std::string_view original) {
  const auto fail = [&](std::string what, std::size_t offset) {
    Error error{Error::Kind::kInput, std::move(what), {std::string(file), 0, 0}, "", ""};
    if (offset != std::string_view::npos) error.place = LineIndex(text).place(file, std::min(offset, text.size()));
    return error;
  };
  if (text.size() > kMaxBytes) return fail("the file is larger than 4 MiB", std::string_view::npos);
  YamlTree tree;
  tree.text_ = text;
  tree.original_ = original.size() == text.size() ? original : text;
  try {
    ViewBuffer buffer(text);
    std::istream in(&buffer);
    YAML::Parser parser(in);
    YamlTreeBuilder builder(tree);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YamlTreeBuilder::Stop& stop) {
    return fail(stop.what, stop.offset);
  } catch (const YAML::Exception& e) {
    return fail("this is no valid YAML: " + e.msg, e.mark.pos < 0 ? 0 : static_cast<std::size_t>(e.mark.pos));
  } catch (const std::exception& e) {
    return fail(std::string("this YAML can't be read: ") + e.what(), std::string_view::npos);
  }
  return tree;
}

MappedText YamlTree::mapped(const YamlItem& scalar) const {
  return map_scalar(text_, original_, scalar.offset, scalar.style, scalar.text);
}

}  // namespace gonogo
