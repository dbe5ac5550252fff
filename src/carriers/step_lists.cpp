#include "carriers/step_lists.h"

#include <algorithm>
#include <charconv>

#include "carriers/variables.h"

namespace gonogo {

namespace {

constexpr auto kNone = std::string::npos;
constexpr std::size_t kMaxCommands = 10'000;
constexpr std::size_t kMaxNames = 256;        // of one environment; more are left out
constexpr std::size_t kMaxFilled = 1u << 20;  // bytes, from which on a value is not put in any more
constexpr std::size_t kMaxWork = 64u << 20;   // bytes of environments and texts, and names that are looked at
constexpr std::size_t kNameWork = 64;         // of a variable, beside its value

// A text in which a mark stands for every `open … }}`. A bare name that `known` gives a value stands for that.
MappedText filled(const MappedText& text, std::string_view open, const EnvList& known, Placeholders& marks) {
  MappedText out;
  const std::string& chars = text.text();
  std::size_t from = 0;
  for (std::size_t at = chars.find(open); at != kNone; at = chars.find(open, from)) {
    const std::size_t end = chars.find("}}", at);
    if (end == kNone) break;
    out.append(text, from, at);
    std::string inner = chars.substr(at + open.size(), end - at - open.size());
    inner.erase(0, std::min(inner.find_first_not_of(" -"), inner.size()));
    inner.erase(inner.find_last_not_of(" -") + 1);
    const auto value =
        std::find_if(known.begin(), known.end(), [&](const auto& variable) { return variable.first == inner; });
    if (value != known.end() && value->second.find("{{") == kNone && out.size() + value->second.size() < kMaxFilled) {
      out.append_at(value->second, text.offset(at));
    } else {
      const std::string shown = chars.substr(at, end + 2 - at);
      out.append_at(marks.mark(shown, shown), text.offset(at));
    }
    from = end + 2;
  }
  out.append(text, from, chars.size());
  return out;
}

std::string filled(const std::string& text, std::string_view open, const EnvList& known, Placeholders& marks) {
  MappedText whole;
  whole.append_at(text, 0);
  return filled(whole, open, known, marks).text();
}

void put(EnvList& into, const std::string& name, std::string value) {
  for (auto& [have, was] : into) {
    if (have != name) continue;
    was = std::move(value);
    return;
  }
  if (into.size() < kMaxNames) into.emplace_back(name, std::move(value));
}

// The scalars of a mapping.
void add(const YamlItem* mapping, EnvList& into) {
  if (mapping == nullptr) return;
  for (const auto& [name, value] : mapping->entries) {
    if (value->is_scalar() && !value->is_null()) put(into, name->text, value->text);
    if (const YamlItem* inner = value->find("value"); inner != nullptr && inner->is_scalar())
      put(into, name->text, inner->text);
  }
}

class Steps {
 public:
  Steps(const YamlTree& tree, Carried& out) : tree_(tree), out_(out) {}

  bool read() {
    for (const YamlItem* document : tree_.documents()) {
      if (workflow(*document) || dstack(*document) || cloud(*document) || plays(*document) || pipeline(*document))
        found_ = true;
    }
    return found_;
  }

 private:
  // Whether the file asks for more than any real one does: an environment is copied for each of its commands.
  bool full() const { return out_.commands.size() >= kMaxCommands || work_ > kMaxWork; }
  void spend(const EnvList& env) {
    for (const auto& [name, value] : env) work_ += kNameWork + name.size() + value.size();
  }

  void script(MappedText text, const EnvList& env, std::string_view image, const std::string& unit,
              std::string_view condition = {}) {
    if (full()) return;
    work_ += text.size();
    spend(env);
    CarriedCommand command;
    command.kind = CarriedCommand::Kind::kScript;
    command.offset = text.offset(0);
    command.script = std::move(text);
    command.env = env;
    command.facts.image = std::string(image);
    command.unit = unit;
    command.conditional = std::string(condition);
    out_.commands.push_back(std::move(command));
  }

  // The scalars of a list, or one scalar, a line each.
  MappedText lines(const YamlItem* item) const {
    MappedText out;
    if (item == nullptr) return out;
    if (item->is_scalar()) return tree_.mapped(*item);
    for (const YamlItem* line : item->items) {
      if (!line->is_scalar() || line->text.empty()) continue;
      out.append(tree_.mapped(*line));
      out.append_at("\n", out.offset(out.size() - 1));
    }
    return out;
  }

  // --- GitHub: jobs.*.steps[].run, runs.steps[].run
  bool workflow(const YamlItem& document) {
    const YamlItem* jobs = document.find("jobs");
    const YamlItem* own = document.find("runs", "steps");
    if (own != nullptr && own->is_sequence()) {
      out_.form = "github-action";
      steps(*own, {}, {}, "runs");
      return true;
    }
    if (jobs == nullptr || !jobs->is_mapping()) return false;
    const bool any = std::any_of(jobs->entries.begin(), jobs->entries.end(), [](const auto& job) {
      const YamlItem* list = job.second->find("steps");
      return (list != nullptr && list->is_sequence()) || job.second->find("uses") != nullptr;
    });
    if (!any) return false;
    out_.form = "github-workflow";
    EnvList outer;
    add(document.find("env"), outer);
    for (const auto& [name, job] : jobs->entries) {
      const YamlItem* list = job->find("steps");
      if (list == nullptr || full()) continue;
      spend(outer);
      EnvList env = outer;
      add(job->find("env"), env);
      const YamlItem* container = job->find("container");
      std::string_view image;
      if (container != nullptr)
        image = container->is_scalar() ? std::string_view(container->text) : container->scalar("image");
      steps(*list, env, image, name->text);
    }
    return true;
  }

  void steps(const YamlItem& list, const EnvList& outer, std::string_view image, const std::string& unit) {
    for (const YamlItem* step : list.items) {
      if (full()) return;
      const YamlItem* run = step->find("run");
      const std::string_view shell = step->scalar("shell");
      if (run == nullptr || !run->is_scalar() || run->text.empty()) continue;
      if (!shell.empty() && shell.substr(0, 4) != "bash" && shell.substr(0, 2) != "sh") continue;
      EnvList env = outer;
      add(step->find("env"), env);
      for (auto& [name, value] : env) value = filled(value, "${{", {}, out_.marks);
      EnvList known;  // ${{ env.X }}
      for (const auto& [name, value] : env) known.emplace_back("env." + name, value);
      script(filled(tree_.mapped(*run), "${{", known, out_.marks), env, image, unit, step->scalar("if"));
    }
  }

  // --- GitLab: every job has a `script`
  bool pipeline(const YamlItem& document) {
    if (!document.is_mapping() || document.find("apiVersion") != nullptr || document.find("services") != nullptr)
      return false;
    const auto lists = [](const YamlItem* item) { return item != nullptr && item->is_sequence(); };
    const bool any = std::any_of(document.entries.begin(), document.entries.end(),
                                 [&](const auto& job) { return lists(job.second->find("script")); });
    if (!any) return false;
    out_.form = "gitlab-ci";
    EnvList outer;
    add(document.find("variables"), outer);
    for (const auto& [name, job] : document.entries) {
      // Hidden jobs are there to be taken over.
      if (full()) break;
      if (!job->is_mapping() || name->text[0] == '.' || name->text == "default") continue;
      const auto inherited = [&, one = job](std::string_view key) -> const YamlItem* {
        const YamlItem* at = one;
        for (int hops = 0; at != nullptr && hops < 8; ++hops) {
          work_ += at->entries.size() + document.entries.size();
          if (const YamlItem* value = at->find(key)) return value;
          at = document.find(at->scalar("extends"));
        }
        const YamlItem* common = document.find("default", key);
        return common != nullptr ? common : document.find(key);
      };
      const YamlItem* main = inherited("script");
      if (main == nullptr) continue;
      MappedText text = lines(inherited("before_script"));
      if (!text.empty() && text.text().back() != '\n') text.append_at("\n", text.offset(text.size() - 1));
      text.append(lines(main));
      if (text.empty()) continue;
      EnvList env = outer;
      add(inherited("variables"), env);
      const YamlItem* image = inherited("image");
      script(std::move(text), env,
             image == nullptr     ? ""
             : image->is_scalar() ? image->text
                                  : image->scalar("name"),
             name->text);
    }
    return true;
  }

  // --- dstack: commands, env, image, resources.gpu
  bool dstack(const YamlItem& document) {
    const std::string_view type = document.scalar("type");
    if (type != "service" && type != "task" && type != "dev-environment") return false;
    out_.form = "dstack";
    MappedText text = lines(document.find("commands"));
    if (text.empty()) return true;
    EnvList env;
    const YamlItem* given = document.find("env");
    add(given, env);
    if (given != nullptr) {
      for (const YamlItem* item : given->items) {
        if (const std::size_t equals = item->text.find('='); equals != kNone)
          put(env, item->text.substr(0, equals), item->text.substr(equals + 1));
      }
    }
    if (full()) return true;
    script(std::move(text), env, document.scalar("image"), "");
    CarrierFacts& facts = out_.commands.back().facts;
    const YamlItem* gpu = document.find("resources", "gpu");
    if (gpu != nullptr && gpu->is_scalar()) {
      // "H100:8", "24GB", "8", "H100:80GB:2": a name, a size and a count in any order.
      for (std::size_t begin = 0; begin <= gpu->text.size();) {
        const std::size_t end = std::min(gpu->text.find(':', begin), gpu->text.size());
        const std::string part = gpu->text.substr(begin, end - begin);
        int count = 0;
        const auto [stop, error] = std::from_chars(part.data(), part.data() + part.size(), count);
        if (error == std::errc() && stop == part.data() + part.size()) {
          facts.gpus = count;
        } else if (!part.empty() && (part[0] < '0' || part[0] > '9')) {
          facts.gpu = part;
          if (!facts.gpus) facts.gpus = 1;
        }
        begin = end + 1;
      }
    } else if (gpu != nullptr) {
      facts.gpu = std::string(gpu->scalar("name"));
      int count = 0;
      const std::string_view text_count = gpu->scalar("count");
      const auto [stop, error] = std::from_chars(text_count.data(), text_count.data() + text_count.size(), count);
      if (!text_count.empty() && error == std::errc() && stop == text_count.data() + text_count.size())
        facts.gpus = count;
    }
    int nodes = 0;
    const std::string_view node_count = document.scalar("nodes");
    const auto [stop, error] = std::from_chars(node_count.data(), node_count.data() + node_count.size(), nodes);
    if (!node_count.empty() && error == std::errc() && stop == node_count.data() + node_count.size())
      facts.nnodes = nodes;
    return true;
  }

  // --- cloud-init: runcmd
  bool cloud(const YamlItem& document) {
    const YamlItem* run = document.find("runcmd");
    if (run == nullptr || !run->is_sequence()) return false;
    out_.form = "cloud-init";
    for (const YamlItem* item : run->items) {
      if (full()) break;
      if (item->is_scalar()) {
        script(tree_.mapped(*item), {}, {}, "");
        continue;
      }
      CarriedCommand command;
      for (const YamlItem* word : item->items) {
        if (word->is_scalar()) command.words.push_back(tree_.mapped(*word));
      }
      if (command.words.empty()) continue;
      command.offset = item->items[0]->offset;
      out_.commands.push_back(std::move(command));
    }
    return true;
  }

  // --- Ansible: plays with tasks, or a list of tasks
  bool plays(const YamlItem& document) {
    if (!document.is_sequence() || document.items.empty()) return false;
    const bool any = std::any_of(document.items.begin(), document.items.end(), [this](const YamlItem* item) {
      return item->find("hosts") != nullptr || item->find("tasks") != nullptr || module(*item) != nullptr ||
             item->find("block") != nullptr;
    });
    if (!any) return false;
    out_.form = "ansible";
    tasks(document, {}, {}, 0);
    return true;
  }

  // The value of a module that runs a command.
  const YamlItem* module(const YamlItem& task) const {
    for (const std::string_view name : {"shell", "command", "raw"}) {
      for (const std::string_view space : {"", "ansible.builtin.", "ansible.legacy."}) {
        if (const YamlItem* value = task.find(std::string(space) + std::string(name))) return value;
      }
    }
    return nullptr;
  }

  void tasks(const YamlItem& list, EnvList env, EnvList vars, int depth) {
    if (depth > 16) return;
    for (const YamlItem* item : list.items) {
      if (full()) return;
      spend(env);
      spend(vars);
      EnvList inner = env;
      EnvList known = vars;
      add(item->find("environment"), inner);
      add(item->find("vars"), known);
      for (const std::string_view key : {"pre_tasks", "tasks", "post_tasks", "handlers", "block", "rescue", "always"}) {
        if (const YamlItem* nested = item->find(key)) tasks(*nested, inner, known, depth + 1);
      }
      const YamlItem* run = module(*item);
      if (run != nullptr && run->is_mapping()) run = run->find("cmd");
      if (run == nullptr || !run->is_scalar() || run->text.empty()) continue;
      for (auto& [name, value] : inner) value = filled(value, "{{", known, out_.marks);
      script(filled(tree_.mapped(*run), "{{", known, out_.marks), inner, {}, "", item->scalar("when"));
    }
  }

  const YamlTree& tree_;
  Carried& out_;
  bool found_ = false;
  std::size_t work_ = 0;
};

}  // namespace

bool read_steps(const YamlTree& tree, Carried& out) { return Steps(tree, out).read(); }

}  // namespace gonogo
