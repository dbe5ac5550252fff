#include "carriers/skypilot.h"

#include <algorithm>
#include <charconv>

namespace gonogo {

namespace {

std::optional<int> number(std::string_view text) {
  int out = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (failed != std::errc() || text.empty() || end != text.data() + text.size()) return std::nullopt;
  return out;
}

// "H200:8", "H200", {H200: 8} or a list or mapping of one of these.
void accelerators(const YamlItem& item, CarrierFacts& facts) {
  std::string name;
  std::string count;
  if (item.is_scalar()) {
    const std::size_t colon = item.text.find(':');
    name = item.text.substr(0, colon);
    count = colon == std::string::npos ? "1" : item.text.substr(colon + 1);
  } else if (item.is_mapping() && item.entries.size() == 1) {
    name = item.entries[0].first->text;
    count = item.entries[0].second->text;
  } else if (item.is_sequence() && item.items.size() == 1) {
    accelerators(*item.items[0], facts);
    return;
  } else {
    return;  // a choice: which one is not known
  }
  facts.gpu = name;
  facts.gpus = number(count);
}

}  // namespace

bool is_skypilot(const YamlTree& tree) {
  return std::any_of(tree.documents().begin(), tree.documents().end(), [](const YamlItem* document) {
    if (document->find("apiVersion") != nullptr || document->find("run") == nullptr) return false;
    const bool others = document->find("resources") != nullptr || document->find("setup") != nullptr ||
                        document->find("num_nodes") != nullptr || document->find("envs") != nullptr ||
                        document->find("file_mounts") != nullptr || document->find("workdir") != nullptr;
    return others && document->find("run")->is_scalar();
  });
}

void read_skypilot(const YamlTree& tree, Carried& out) {
  for (const YamlItem* document : tree.documents()) {
    const YamlItem* run = document->find("run");
    if (run == nullptr || !run->is_scalar()) continue;
    CarriedCommand command;
    command.kind = CarriedCommand::Kind::kScript;
    command.script = tree.mapped(*run);
    command.offset = run->offset;
    command.label = std::string(document->scalar("name"));
    for (const std::string_view key : {"envs", "secrets"}) {
      const YamlItem* envs = document->find(key);
      if (envs == nullptr) continue;
      for (const auto& [name, value] : envs->entries) {
        if (value->is_scalar() && !value->is_null()) command.env.emplace_back(name->text, value->text);
      }
    }
    if (const YamlItem* resources = document->find("resources")) {
      if (const YamlItem* kinds = resources->find("accelerators")) accelerators(*kinds, command.facts);
      std::string image(resources->scalar("image_id"));
      if (image.rfind("docker:", 0) == 0) image.erase(0, 7);
      command.facts.image = image;
    }
    if (const auto nodes = number(document->scalar("num_nodes"))) command.facts.nnodes = nodes;
    out.commands.push_back(std::move(command));
  }
}

}  // namespace gonogo
