#include "carriers/compose.h"

#include <algorithm>
#include <charconv>

#include "carriers/variables.h"

namespace gonogo {

namespace {

constexpr int kMaxExtends = 8;

// A list's words or a string's, as they stand or interpolated.
struct Words {
  std::vector<MappedText> list;
  std::size_t offset = 0;
  bool given = false;
};

class Reader {
 public:
  Reader(const YamlTree& tree, const ReadBeside& beside, Carried& out) : tree_(tree), beside_(beside), out_(out) {
    if (const auto text = beside_ ? beside_(".env") : std::nullopt) {
      for (auto& [name, value] : read_env_file(*text)) put(project_, name, value);
    }
  }

  void read() {
    for (const YamlItem* document : tree_.documents()) {
      services_ = document->find("services");
      if (services_ == nullptr || !services_->is_mapping()) continue;
      for (const auto& [name, service] : services_->entries) {
        if (service->is_mapping()) read_service(name->text, *service);
      }
    }
  }

 private:
  MappedText interpolated(const YamlItem& scalar) {
    const MappedText mapped = tree_.mapped(scalar);
    if (scalar.text.find('$') == std::string::npos) return mapped;
    const VariableLookup lookup = [this](std::string_view name) -> const std::string* {
      const auto at = std::find_if(project_.begin(), project_.end(), [&](const auto& v) { return v.first == name; });
      return at == project_.end() ? nullptr : &at->second;
    };
    return expand_compose(mapped, lookup, out_.marks);
  }

  // A service's own value, or that of the one it extends in this file.
  const YamlItem* value(const YamlItem& service, std::string_view key) const {
    const YamlItem* at = &service;
    for (int i = 0; i < kMaxExtends && at != nullptr; ++i) {
      if (const YamlItem* found = at->find(key)) return found;
      at = extended(*at);
    }
    return nullptr;
  }

  const YamlItem* extended(const YamlItem& service) const {
    const YamlItem* extends = service.find("extends");
    if (extends == nullptr) return nullptr;
    if (extends->is_scalar()) return services_->find(extends->text);
    return extends->find("file") == nullptr ? services_->find(extends->scalar("service")) : nullptr;
  }

  Words words(const YamlItem* item) {
    Words out;
    if (item == nullptr || item->is_null()) return out;
    out.given = true;
    out.offset = item->offset;
    if (item->is_scalar()) {
      const MappedText text = interpolated(*item);
      out.list = split_words(text);
      if (!out.list.empty()) out.offset = out.list[0].offset(0);
      return out;
    }
    for (const YamlItem* word : item->items) {
      if (!word->is_scalar()) continue;
      if (out.list.empty()) out.offset = word->offset;
      out.list.push_back(interpolated(*word));
    }
    return out;
  }

  void read_service(const std::string& name, const YamlItem& service) {
    Words entry = words(value(service, "entrypoint"));
    Words command = words(value(service, "command"));
    if (entry.list.empty() && command.list.empty()) return;
    CarriedCommand out;
    out.label = name;
    out.offset = entry.list.empty() ? command.offset : entry.offset;
    out.words = std::move(entry.list);
    for (MappedText& word : command.list) out.words.push_back(std::move(word));
    environment(service, out.env, 0);
    if (const YamlItem* image = value(service, "image"); image != nullptr && image->is_scalar()) {
      out.facts.image = out_.marks.restore(interpolated(*image).text());
    }
    gpus(service, out.facts);
    network(name, service, out.facts);
    out_.commands.push_back(std::move(out));
  }

  // Services reach each other under their names.
  void network(const std::string& name, const YamlItem& service, CarrierFacts& facts) {
    const YamlItem* mode = value(service, "network_mode");
    if (mode != nullptr && mode->text == "host") return;
    facts.machine = "service " + name;
    if (mode != nullptr) return;
    facts.names.push_back({name, {}, {}});
    const YamlItem* container = value(service, "container_name");
    if (container != nullptr && container->is_scalar()) facts.names.push_back({container->text, {}, {}});
  }

  static void put(EnvList& env, std::string name, std::string value) {
    env.erase(std::remove_if(env.begin(), env.end(), [&](const auto& e) { return e.first == name; }), env.end());
    env.emplace_back(std::move(name), std::move(value));
  }

  void environment(const YamlItem& service, EnvList& env, int depth) {
    if (const YamlItem* below = extended(service); below != nullptr && depth < kMaxExtends)
      environment(*below, env, depth + 1);
    if (const YamlItem* files = service.find("env_file"); files != nullptr && beside_) {
      std::vector<const YamlItem*> list = files->items;
      if (files->is_scalar()) list.push_back(files);
      for (const YamlItem* file : list) {
        const std::string path = file->is_scalar() ? interpolated(*file).text() : std::string(file->scalar("path"));
        if (const auto text = beside_(path)) {
          for (auto& [name, v] : read_env_file(*text)) put(env, name, v);
        }
      }
    }
    const YamlItem* own = service.find("environment");
    if (own == nullptr) return;
    for (const auto& [key, item] : own->entries) {
      if (item->is_scalar() && !item->is_null()) put(env, key->text, interpolated(*item).text());
    }
    for (const YamlItem* item : own->items) {
      if (!item->is_scalar()) continue;
      const std::string text = interpolated(*item).text();
      const std::size_t equals = text.find('=');
      if (equals != std::string::npos) put(env, text.substr(0, equals), text.substr(equals + 1));
    }
  }

  static std::optional<int> number(std::string_view text) {
    int out = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (failed != std::errc() || text.empty() || end != text.data() + text.size()) return std::nullopt;
    return out;
  }

  void count(const YamlItem& device, CarrierFacts& facts) {
    const YamlItem* ids = device.find("device_ids");
    if (ids != nullptr && ids->is_sequence()) {
      facts.gpus = static_cast<int>(ids->items.size());
    } else if (const YamlItem* amount = device.find("count"); amount != nullptr && amount->is_scalar()) {
      if (const auto n = number(interpolated(*amount).text())) facts.gpus = n;
    }
  }

  void gpus(const YamlItem& service, CarrierFacts& facts) {
    if (const YamlItem* short_form = value(service, "gpus")) {
      if (short_form->is_scalar()) {
        if (const auto n = number(interpolated(*short_form).text())) facts.gpus = n;
      }
      for (const YamlItem* device : short_form->items) count(*device, facts);
    }
    const YamlItem* deploy = value(service, "deploy");
    const YamlItem* reservations = deploy == nullptr ? nullptr : deploy->find("resources", "reservations");
    const YamlItem* devices = reservations == nullptr ? nullptr : reservations->find("devices");
    if (devices == nullptr) return;
    for (const YamlItem* device : devices->items) {
      const YamlItem* capabilities = device->find("capabilities");
      const bool gpu = capabilities == nullptr ||
                       std::any_of(capabilities->items.begin(), capabilities->items.end(),
                                   [](const YamlItem* c) { return c->text == "gpu" || c->text == "nvidia"; });
      if (gpu) count(*device, facts);
    }
  }

  const YamlTree& tree_;
  const ReadBeside& beside_;
  Carried& out_;
  EnvList project_;  // of the file .env beside this one
  const YamlItem* services_ = nullptr;
};

}  // namespace

bool is_compose(const YamlTree& tree) {
  return std::any_of(tree.documents().begin(), tree.documents().end(), [](const YamlItem* document) {
    const YamlItem* services = document->find("services");
    return services != nullptr && services->is_mapping() && document->find("apiVersion") == nullptr;
  });
}

void read_compose(const YamlTree& tree, const ReadBeside& beside, Carried& out) { Reader(tree, beside, out).read(); }

EnvList read_env_file(std::string_view text) {
  EnvList out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos || line[begin] == '#') continue;
    line.remove_prefix(begin);
    if (line.rfind("export ", 0) == 0) line.remove_prefix(7);
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    std::string_view value = line.substr(equals + 1);
    if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front()) {
      value = value.substr(1, value.size() - 2);
    } else if (const std::size_t comment = value.find(" #"); comment != std::string_view::npos) {
      value = value.substr(0, comment);
      while (!value.empty() && value.back() == ' ') value.remove_suffix(1);
    }
    out.emplace_back(line.substr(0, equals), value);
  }
  return out;
}

}  // namespace gonogo
