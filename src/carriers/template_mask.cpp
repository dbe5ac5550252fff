#include "carriers/template_mask.h"

#include <algorithm>

namespace gonogo {

namespace {

constexpr auto kNone = std::string_view::npos;

bool inside(const std::vector<std::pair<std::size_t, std::size_t>>& ranges, std::size_t at) {
  auto it = std::upper_bound(ranges.begin(), ranges.end(), std::make_pair(at, kNone));
  return it != ranges.begin() && (--it)->second > at;
}

// Collects the extents of scalars that a shell reads.
class ShellText {
 public:
  explicit ShellText(const YamlTree& tree) : tree_(tree) {
    for (const YamlItem* document : tree.documents()) visit(*document, false, 0);
    std::sort(ranges.begin(), ranges.end());
  }
  std::vector<std::pair<std::size_t, std::size_t>> ranges;

 private:
  void visit(const YamlItem& item, bool shell, int depth) {
    if (depth > YamlTree::kMaxDepth || ++visits_ > YamlTree::kMaxNodes) return;
    if (item.is_scalar()) {
      if ((shell || item.is_block()) && !item.text.empty()) {
        const MappedText text = tree_.mapped(item);
        ranges.emplace_back(item.offset, text.offset(text.size() - 1) + 1);
      }
      return;
    }
    bool after_c = false;
    for (const YamlItem* word : item.items) {
      visit(*word, after_c, depth + 1);
      after_c = word->is_scalar() && word->text.size() > 1 && word->text[0] == '-' && word->text[1] != '-' &&
                word->text.back() == 'c';
    }
    for (const auto& [key, value] : item.entries) {
      const bool text = value->is_scalar() && (key->text == "command" || key->text == "run" || key->text == "script" ||
                                               key->text == "entrypoint" || key->text == "setup");
      visit(*value, text, depth + 1);
    }
  }

  const YamlTree& tree_;
  std::size_t visits_ = 0;
};

}  // namespace

TemplateMask mask_template(std::string_view text) {
  TemplateMask out;
  out.text = std::string(text);
  for (std::size_t at = text.find("{{"); at != kNone; at = text.find("{{", at)) {
    const bool comment = text.substr(at, 4) == "{{/*" || text.substr(at, 6) == "{{- /*";
    const std::size_t close = comment ? text.find("*/", at) : at;
    const std::size_t end = close == kNone ? kNone : text.find("}}", close);
    if (end == kNone) break;
    out.actions.emplace_back(at, end + 2);
    at = end + 2;
  }
  for (const auto& [begin, end] : out.actions) {
    for (std::size_t at = begin; at < end; ++at) {
      if (out.text[at] != '\n') out.text[at] = 'x';
    }
  }
  // A line of nothing but actions becomes blank.
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t stop = std::min(text.find('\n', start), text.size());
    bool any = false;
    bool only = true;
    for (std::size_t at = start; at < stop && only; ++at) {
      const bool blank = text[at] == ' ' || text[at] == '\t';
      const bool action = inside(out.actions, at);
      any |= action;
      only = action || blank;
    }
    if (any && only)
      std::fill(out.text.begin() + static_cast<std::ptrdiff_t>(start),
                out.text.begin() + static_cast<std::ptrdiff_t>(stop), ' ');
    start = stop + 1;
  }
  return out;
}

bool is_template(const YamlTree& tree, const TemplateMask& mask) {
  const ShellText shell(tree);
  return std::any_of(mask.actions.begin(), mask.actions.end(),
                     [&](const auto& action) { return !inside(shell.ranges, action.first); });
}

}  // namespace gonogo
