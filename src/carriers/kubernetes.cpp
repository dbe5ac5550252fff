#include "carriers/kubernetes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "carriers/variables.h"

namespace gonogo {

namespace {

constexpr std::array<std::string_view, 12> kNotRun = {"livenessProbe", "readinessProbe", "startupProbe", "lifecycle",
                                                      "exec",          "metadata",       "annotations",  "labels",
                                                      "selector",      "status",         "volumes",      "affinity"};

// Node labels that name a GPU product.
constexpr std::array<std::string_view, 3> kProductLabels = {"nvidia.com/gpu.product",
                                                            "cloud.google.com/gke-accelerator", "gpu.nvidia.com/class"};
constexpr std::array<std::string_view, 2> kGpuResources = {"nvidia.com/gpu", "gpu"};
constexpr std::size_t kMaxVisits = 200'000;
constexpr std::size_t kMaxCommands = 10'000;
constexpr std::size_t kMaxServices = 1'000;
constexpr std::size_t kMaxNames = 256;           // of one container
constexpr std::size_t kMaxLabels = 64;           // of one pod
constexpr std::size_t kMaxSelected = 2'000'000;  // parts of Services' selectors that are looked at, for all containers

std::optional<int> number(std::string_view text) {
  int out = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (failed != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return out;
}

bool is_words(const YamlItem* item) {
  return item != nullptr && item->is_sequence() &&
         std::all_of(item->items.begin(), item->items.end(), [](const YamlItem* i) { return i->is_scalar(); });
}

// What holds for everything below a node.
struct Around {
  CarrierFacts facts;
  EnvList env;
  const YamlItem* volumes = nullptr;
  std::string_view space;  // the namespace, where the document says it
  int depth = 0;
};

class Reader {
 public:
  Reader(const YamlTree& tree, Carried& out) : tree_(tree), out_(out) {}

  void read() {
    for (const YamlItem* document : tree_.documents()) collect(*document);
    for (const YamlItem* document : tree_.documents()) {
      ++document_;
      visit(*document, {});
    }
  }

 private:
  // What others of the file refer to.
  void collect(const YamlItem& document) {
    if (document.scalar("kind") == "List") {
      if (const YamlItem* items = document.find("items")) {
        for (const YamlItem* item : items->items) collect(*item);
      }
      return;
    }
    const std::string_view kind = document.scalar("kind");
    if (kind == "Service" && document.scalar("apiVersion") == "v1" && services_.size() < kMaxServices) {
      services_.push_back(&document);
    }
    if (kind != "ConfigMap" && kind != "Secret") return;
    const YamlItem* data = document.find(kind == "Secret" ? "stringData" : "data");
    const YamlItem* meta = document.find("metadata");
    if (data == nullptr || meta == nullptr) return;
    (kind == "Secret" ? secrets_ : maps_)[std::string(meta->scalar("name"))] = data;
  }

  void visit(const YamlItem& node, Around around) {
    if (++visits_ > kMaxVisits || ++around.depth > YamlTree::kMaxDepth) return;
    if (node.is_sequence()) {
      for (const YamlItem* item : node.items) visit(*item, around);
      return;
    }
    if (!node.is_mapping()) return;
    const std::string_view kind = node.scalar("kind");
    if (kind == "ConfigMap" || kind == "Secret") return;
    gather(node, around);
    if (const YamlItem* meta = node.find("metadata")) {
      if (const std::string_view space = meta->scalar("namespace"); !space.empty()) around.space = space;
      if (node.find("spec", "containers") != nullptr) pod(node, *meta, around.facts);
    }
    if (is_words(node.find("command")) || is_words(node.find("args"))) container(node, around);
    for (const auto& [key, value] : node.entries) {
      if (std::find(kNotRun.begin(), kNotRun.end(), key->text) != kNotRun.end()) continue;
      Around below = around;
      below_key(key->text, node, below);
      visit(*value, std::move(below));
    }
  }

  // What a mapping says about all that it holds.
  static void gather(const YamlItem& node, Around& around) {
    if (const YamlItem* selector = node.find("nodeSelector")) {
      for (const std::string_view label : kProductLabels) {
        if (const std::string_view value = selector->scalar(label); !value.empty()) around.facts.gpu = value;
      }
    }
    if (const YamlItem* affinity = node.find("affinity", "nodeAffinity")) product_of(*affinity, around.facts);
    if (const YamlItem* volumes = node.find("volumes")) around.volumes = volumes;
    gpus_of(node, around.facts);
    size_of(node, around.facts);
    if (const YamlItem* envs = node.find("envs"); envs != nullptr && envs->is_sequence()) {
      for (const YamlItem* item : envs->items) {
        const YamlItem* value = item->find("value");
        if (value != nullptr && value->is_scalar()) around.env.emplace_back(item->scalar("name"), value->text);
      }
    }
  }

  static void pod(const YamlItem& node, const YamlItem& meta, CarrierFacts& facts) {
    facts.machine = "pod " + std::to_string(node.offset);
    facts.labels.clear();
    const YamlItem* labels = meta.find("labels");
    if (labels == nullptr) return;
    for (const auto& [key, value] : labels->entries) {
      if (value->is_scalar() && facts.labels.size() < kMaxLabels) facts.labels.push_back(key->text + "=" + value->text);
    }
  }

  // The Services that lead to a container of a pod.
  void names_of(const YamlItem& container, std::string_view space, CarrierFacts& facts) {
    for (const YamlItem* service : services_) {
      const YamlItem* selector = service->find("spec", "selector");
      const YamlItem* meta = service->find("metadata");
      if (selector == nullptr || meta == nullptr || selector->entries.empty()) continue;
      selected_ += selector->entries.size();
      if (facts.names.size() >= kMaxNames || selected_ > kMaxSelected) return;
      const std::string_view of = meta->scalar("namespace");
      const bool selects = std::all_of(selector->entries.begin(), selector->entries.end(), [&](const auto& entry) {
        const std::string label = entry.first->text + "=" + entry.second->text;
        return std::find(facts.labels.begin(), facts.labels.end(), label) != facts.labels.end();
      });
      if (!selects || (!of.empty() && !space.empty() && of != space)) continue;
      std::string host(meta->scalar("name"));
      std::vector<std::string> hosts = {host};
      if (const std::string_view in = of.empty() ? space : of; !in.empty()) {
        for (const std::string_view suffix : {"", ".svc", ".svc.cluster.local"}) {
          hosts.push_back(host + "." + std::string(in) + std::string(suffix));
        }
      }
      // A name that resolves to the pods themselves maps no ports.
      const bool headless = service->find("spec")->scalar("clusterIP") == "None";
      const YamlItem* ports = headless ? nullptr : service->find("spec", "ports");
      for (const std::string& name : hosts) {
        if (headless) facts.names.push_back({name, {}, {}});
        for (std::size_t i = 0; ports != nullptr && i < std::min(ports->items.size(), kMaxNames); ++i) {
          const YamlItem& port = *ports->items[i];
          if (const auto from = number(port.scalar("port"))) {
            facts.names.push_back({name, from, target(container, port)});
          }
        }
      }
    }
  }

  // The container's port that a Service's port leads to.
  static std::optional<int> target(const YamlItem& container, const YamlItem& port) {
    const std::string_view named = port.find("targetPort") == nullptr ? port.scalar("port") : port.scalar("targetPort");
    if (const auto value = number(named)) return value;
    const YamlItem* ports = container.find("ports");
    if (ports == nullptr) return std::nullopt;
    for (const YamlItem* own : ports->items) {
      if (own->scalar("name") == named) return number(own->scalar("containerPort"));
    }
    return std::nullopt;
  }

  // A required node affinity that allows one product.
  static void product_of(const YamlItem& affinity, CarrierFacts& facts) {
    const YamlItem* terms = affinity.find("requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms");
    if (terms == nullptr || terms->items.size() != 1) return;
    const YamlItem* expressions = terms->items[0]->find("matchExpressions");
    if (expressions == nullptr) return;
    for (const YamlItem* e : expressions->items) {
      const YamlItem* values = e->find("values");
      const bool product =
          std::find(kProductLabels.begin(), kProductLabels.end(), e->scalar("key")) != kProductLabels.end();
      if (product && e->scalar("operator") == "In" && values != nullptr && values->items.size() == 1) {
        facts.gpu = values->items[0]->text;
      }
    }
  }

  static void gpus_of(const YamlItem& node, CarrierFacts& facts) {
    const YamlItem* resources = node.find("resources");
    if (resources == nullptr) return;
    for (const std::string_view part : {"requests", "limits"}) {  // limits win
      const YamlItem* amounts = resources->find(part);
      if (amounts == nullptr) continue;
      for (const std::string_view name : kGpuResources) {
        if (const auto count = number(amounts->scalar(name))) facts.gpus = count;
      }
    }
  }

  // How many nodes one group of pods spans, where a kind says it.
  static void size_of(const YamlItem& node, CarrierFacts& facts) {
    for (const std::string_view holder : {"leaderWorkerTemplate", "leaderWorkerPattern", "leaderWorkerSet"}) {
      if (const YamlItem* group = node.find(holder)) {
        if (const auto size = number(group->scalar("size"))) facts.nnodes = size;
      }
    }
    if (const YamlItem* multinode = node.find("multinode")) {
      if (const auto count = number(multinode->scalar("nodeCount"))) facts.nnodes = count;
    }
    if (node.find("leader") != nullptr) {
      if (const YamlItem* worker = node.find("worker")) {
        if (const auto size = number(worker->scalar("size"))) facts.nnodes = *size + 1;
      }
    }
    if (node.find("entryTemplate") != nullptr) {
      if (const auto workers = number(node.scalar("workerReplicas")); workers && *workers > 0)
        facts.nnodes = *workers + 1;
    }
  }

  static void below_key(std::string_view key, const YamlItem& node, Around& below) {
    if (key == "leaderTemplate") {
      below.facts.roles = {"leader"};
    } else if (key == "workerTemplate" && node.find("size") != nullptr) {
      below.facts.roles = {"worker"};
    }
  }

  void container(const YamlItem& node, const Around& around) {
    if (out_.commands.size() >= kMaxCommands) return;
    CarriedCommand command;
    command.facts = around.facts;
    gpus_of(node, command.facts);
    image_of(node, command.facts);
    if (command.facts.machine.empty()) command.facts.machine = "container " + std::to_string(node.offset);
    names_of(node, around.space, command.facts);
    std::vector<std::string> unknown;
    environment(node, around, command.env, unknown);
    const VariableLookup lookup = [&](std::string_view name) -> const std::string* { return find(command.env, name); };
    bool first = true;
    for (const std::string_view part : {"command", "args"}) {
      const YamlItem* list = node.find(part);
      if (!is_words(list)) continue;
      for (const YamlItem* item : list->items) {
        if (first) command.offset = item->offset;
        first = false;
        command.words.push_back(word(*item, lookup, unknown));
      }
    }
    command.files = mounted(node, around);
    command.unit = "document " + std::to_string(document_);
    command.label = std::string(node.scalar("name"));
    if (!command.words.empty()) out_.commands.push_back(std::move(command));
  }

  // An image, or with its tag beside it under `version`.
  static void image_of(const YamlItem& node, CarrierFacts& facts) {
    const YamlItem* image = node.find("image");
    if (image == nullptr || !image->is_scalar()) return;
    facts.image = image->text;
    const std::size_t slash = facts.image.rfind('/');
    const bool tagged = facts.image.find_first_of(":@", slash == std::string::npos ? 0 : slash) != std::string::npos;
    if (const std::string_view version = node.scalar("version"); !tagged && !version.empty()) {
      facts.image += ":" + std::string(version);
    }
  }

  static const std::string* find(const EnvList& env, std::string_view name) {
    for (auto it = env.rbegin(); it != env.rend(); ++it) {
      if (it->first == name) return &it->second;
    }
    return nullptr;
  }

  static void put(EnvList& env, std::string name, std::string value) {
    env.erase(std::remove_if(env.begin(), env.end(), [&](const auto& e) { return e.first == name; }), env.end());
    env.emplace_back(std::move(name), std::move(value));
  }

  void environment(const YamlItem& node, const Around& around, EnvList& env, std::vector<std::string>& unknown) {
    for (const auto& [name, value] : around.env) put(env, name, value);
    if (const YamlItem* from = node.find("envFrom"); from != nullptr && from->is_sequence()) {
      for (const YamlItem* source : from->items) {
        const std::string prefix(source->scalar("prefix"));
        const auto& table = source->find("configMapRef") != nullptr ? maps_ : secrets_;
        const YamlItem* ref = source->find("configMapRef");
        if (ref == nullptr) ref = source->find("secretRef");
        const auto it = ref == nullptr ? table.end() : table.find(std::string(ref->scalar("name")));
        if (it == table.end()) continue;
        for (const auto& [key, value] : it->second->entries) {
          if (value->is_scalar()) put(env, prefix + key->text, value->text);
        }
      }
    }
    const YamlItem* list = node.find("env");
    if (list == nullptr || !list->is_sequence()) return;
    for (const YamlItem* item : list->items) {
      const std::string name(item->scalar("name"));
      if (name.empty()) continue;
      if (item->find("valueFrom") != nullptr) {
        unknown.push_back(name);
        env.erase(std::remove_if(env.begin(), env.end(), [&](const auto& e) { return e.first == name; }), env.end());
        continue;
      }
      const YamlItem* value = item->find("value");
      const VariableLookup lookup = [&](std::string_view n) -> const std::string* { return find(env, n); };
      const auto is_unknown = [](std::string_view) { return true; };
      MappedText text = MappedText::of(value != nullptr && !value->is_null() ? value->text : std::string(), 0);
      put(env, name, expand_kubernetes(text, lookup, is_unknown, out_.marks).text());
    }
  }

  // A word of a command. In a shell's text $(x) may be the shell's own; there a name must look like a variable.
  MappedText word(const YamlItem& item, const VariableLookup& lookup, const std::vector<std::string>& unknown) {
    const bool text = item.text.find_first_of(" \n") != std::string::npos;
    const auto is_unknown = [&](std::string_view name) {
      if (!text || std::find(unknown.begin(), unknown.end(), name) != unknown.end()) return true;
      return std::all_of(name.begin(), name.end(), [](char c) {
        return std::isupper(static_cast<unsigned char>(c)) != 0 || std::isdigit(static_cast<unsigned char>(c)) != 0 ||
               c == '_';
      });
    };
    MappedText mapped = tree_.mapped(item);
    if (item.text.find('$') == std::string::npos) return mapped;
    return expand_kubernetes(mapped, lookup, is_unknown, out_.marks);
  }

  // The files of ConfigMaps in this file, by the path that the container sees them under.
  std::shared_ptr<const CarriedFiles> mounted(const YamlItem& node, const Around& around) {
    const YamlItem* mounts = node.find("volumeMounts");
    if (mounts == nullptr || around.volumes == nullptr || maps_.empty()) return nullptr;
    auto files = std::make_shared<CarriedFiles>();
    for (const YamlItem* mount : mounts->items) {
      for (const YamlItem* volume : around.volumes->items) {
        if (volume->scalar("name").empty() || volume->scalar("name") != mount->scalar("name")) continue;
        add(volume->find("configMap"), *mount, *files);
        if (const YamlItem* sources = volume->find("projected", "sources")) {
          for (const YamlItem* source : sources->items) add(source->find("configMap"), *mount, *files);
        }
      }
    }
    return files->empty() ? nullptr : files;
  }

  void add(const YamlItem* source, const YamlItem& mount, CarriedFiles& files) const {
    if (source == nullptr) return;
    const auto it = maps_.find(std::string(source->scalar("name")));
    if (it == maps_.end()) return;
    std::string base(mount.scalar("mountPath"));
    const std::string sub(mount.scalar("subPath"));
    while (!base.empty() && base.back() == '/') base.pop_back();
    const auto put_file = [&](const std::string& path, const YamlItem& text) {
      if (!text.is_scalar()) return;
      if (sub.empty()) {
        files[base + "/" + path] = tree_.mapped(text);
      } else if (sub == path) {
        files[base] = tree_.mapped(text);
      }
    };
    if (const YamlItem* items = source->find("items")) {
      for (const YamlItem* item : items->items) {
        if (const YamlItem* text = it->second->find(item->scalar("key")))
          put_file(std::string(item->scalar("path")), *text);
      }
      return;
    }
    for (const auto& [key, text] : it->second->entries) put_file(key->text, *text);
  }

  const YamlTree& tree_;
  Carried& out_;
  std::map<std::string, const YamlItem*> maps_;
  std::map<std::string, const YamlItem*> secrets_;
  std::vector<const YamlItem*> services_;
  std::size_t selected_ = 0;
  std::size_t document_ = 0;
  std::size_t visits_ = 0;
};

}  // namespace

bool is_kubernetes(const YamlTree& tree) {
  return std::any_of(tree.documents().begin(), tree.documents().end(), [](const YamlItem* document) {
    return document->find("apiVersion") != nullptr && document->find("kind") != nullptr;
  });
}

void read_kubernetes(const YamlTree& tree, Carried& out) { Reader(tree, out).read(); }

}  // namespace gonogo
