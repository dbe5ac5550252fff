// Stages and their rules. Rules are built as trees, because groups nest and an overlay changes the middle of a stage,
// and written out flat in the end.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "rules/compile_context.h"

namespace gonogo {

namespace {

struct RuleTree {
  RuleRec record;
  RuleNote note;
  std::vector<RuleTree> children;
};

// What a rule takes over from the group around it.
struct Inherited {
  std::string id;
  StrId check = 0;
  StrId pass = 0;
  StrId because = 0;
  Run see;
  Phase phase = Phase::kResolve;
  Log log = Log::kNone;
  Mask versions = 0;
  Scope scope;
};

const std::vector<std::string_view> kRuleKeys = {"id",      "when", "versions", "let",    "check",  "pass",    "phase",
                                                 "because", "see",  "reads",    "each",   "rules",  "first",   "set",
                                                 "env",     "fail", "warn",     "inert",  "advise", "unknown", "run",
                                                 "return",  "fix",  "flag",     "before", "after",  "note",    "log"};
constexpr std::array<std::pair<std::string_view, Action>, 10> kActionKeys = {{{"rules", Action::kRules},
                                                                              {"first", Action::kFirst},
                                                                              {"set", Action::kSet},
                                                                              {"env", Action::kEnv},
                                                                              {"fail", Action::kFail},
                                                                              {"warn", Action::kWarn},
                                                                              {"inert", Action::kInert},
                                                                              {"advise", Action::kAdvise},
                                                                              {"unknown", Action::kUnknown},
                                                                              {"run", Action::kRun}}};
constexpr std::array<std::pair<std::string_view, Phase>, 6> kPhases = {{{"parse", Phase::kParse},
                                                                        {"resolve", Phase::kResolve},
                                                                        {"init", Phase::kInit},
                                                                        {"weights", Phase::kWeights},
                                                                        {"forward", Phase::kForward},
                                                                        {"late", Phase::kLate}}};
constexpr std::array<std::pair<std::string_view, Log>, 3> kLogs = {
    {{"none", Log::kNone}, {"info", Log::kInfo}, {"warning", Log::kWarning}}};

// `text` with every $name replaced; where one name starts another, the longer one counts.
std::string substituted(std::string_view text, const std::vector<std::pair<std::string, std::string>>& names) {
  std::string out;
  while (!text.empty()) {
    const std::pair<std::string, std::string>* best = nullptr;
    for (const auto& n : names) {
      if (text[0] == '$' && text.substr(1).starts_with(n.first) &&
          (best == nullptr || n.first.size() > best->first.size())) {
        best = &n;
      }
    }
    out += best != nullptr ? best->second : std::string(1, text[0]);
    text.remove_prefix(best != nullptr ? best->first.size() + 1 : 1);
  }
  return out;
}

void substitute(YamlNode& node, const std::vector<std::pair<std::string, std::string>>& names) {
  node.scalar = substituted(node.scalar, names);
  for (YamlNode& item : node.items) substitute(item, names);
  for (auto& [key, value] : node.entries) {
    substitute(key, names);
    substitute(value, names);
  }
}

class RuleCompiler {
 public:
  explicit RuleCompiler(CompileContext& context) : context_(context), data_(context.data) {}

  void run(const std::vector<Document>& documents);

 private:
  void unflatten();
  void flatten();
  RuleTree read_tree(std::uint32_t& at);
  void write_tree(const RuleTree& tree);

  void stage(const YamlNode& node, std::uint32_t index);
  void overlay_stage(const YamlNode& node, std::uint32_t index);
  void disable(const YamlNode& list);
  std::vector<RuleTree> list(const YamlNode& rules, const Inherited& from);
  std::vector<RuleTree> items(const std::vector<YamlNode>& rules, const Inherited& from);
  std::vector<RuleTree> expanded(const YamlNode& node, const Inherited& from);
  RuleTree rule(const YamlNode& node, const Inherited& from);
  Inherited attributes(const YamlNode& node, const Inherited& from, RuleTree& tree);
  std::string identify(const YamlNode& node, const Inherited& from, bool group);
  void action(const YamlNode& node, const Inherited& inside, RuleTree& tree);
  void finding(const YamlNode& node, const YamlNode& text, const Inherited& inside, RuleRec& record);
  RuleTree* find(std::vector<RuleTree>& trees, std::string_view id, Inherited* around,
                 std::vector<RuleTree>** siblings);
  void inherit(const RuleTree& tree, Inherited* to) const;

  CompileContext& context_;
  PackData& data_;
  std::vector<RuleTree> stages_;       // one group a stage
  std::map<std::string, int> leaves_;  // how many rules took the id of their group
  std::set<std::string> ids_;          // written out by somebody
};

void RuleCompiler::inherit(const RuleTree& tree, Inherited* to) const {
  to->id = data_.text(tree.record.id);
  to->check = tree.note.check;
  to->pass = tree.note.pass;
  to->because = tree.note.because;
  to->see = tree.note.see;
  to->phase = tree.record.phase;
  to->log = tree.note.log;
  to->versions = tree.record.versions;
  const Run lets = tree.record.lets;
  for (std::uint32_t i = 0; i < lets.count; ++i) {
    const std::uint32_t slot = data_.lets[lets.first + i].slot;
    to->scope.slots.emplace_back(data_.text(data_.slots[slot]), slot);
  }
}

RuleTree RuleCompiler::read_tree(std::uint32_t& at) {
  RuleTree tree;
  tree.record = data_.rules[at];
  tree.note = data_.notes[at++];
  while (at < tree.record.end) tree.children.push_back(read_tree(at));
  return tree;
}

void RuleCompiler::unflatten() {
  for (const StageRec& stage : data_.stages) {
    if (data_.rules.empty()) break;
    std::uint32_t at = stage.rule;
    stages_.push_back(read_tree(at));
  }
  stages_.resize(data_.stages.size());
  data_.rules.clear();
  data_.notes.clear();
}

void RuleCompiler::write_tree(const RuleTree& tree) {
  const std::size_t at = data_.rules.size();
  data_.rules.push_back(tree.record);
  data_.notes.push_back(tree.note);
  for (const RuleTree& child : tree.children) write_tree(child);
  data_.rules[at].end = static_cast<std::uint16_t>(data_.rules.size());
}

void RuleCompiler::flatten() {
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    data_.stages[i].rule = static_cast<std::uint32_t>(data_.rules.size());
    write_tree(stages_[i]);
  }
}

void RuleCompiler::run(const std::vector<Document>& documents) {
  // A stage that an overlay adds has no tree yet.
  const std::size_t known = data_.rules.empty() ? 0 : context_.base_stages;
  std::vector<StageRec> all = data_.stages;
  data_.stages.resize(known);
  unflatten();
  data_.stages = std::move(all);
  stages_.resize(data_.stages.size());
  for (const Document& document : documents) {
    context_.source = document.source;
    if (const YamlNode* off = document.root.find("disable")) disable(*off);
    const YamlNode* name = document.root.find("stage");
    if (name == nullptr) continue;
    const std::uint32_t index = context_.symbols.stages.at(context_.scalar(*name));
    if (index < known) {
      overlay_stage(document.root, index);
    } else {
      stage(document.root, index);
    }
  }
  flatten();
}

void RuleCompiler::stage(const YamlNode& node, std::uint32_t index) {
  YamlNode group = node;
  std::erase_if(group.entries, [](const auto& e) {
    const std::string& key = e.first.scalar;
    return key == "stage" || key == "functions" || key == "tables" || key == "facts" || key == "state" ||
           key == "peers";
  });
  Inherited from;
  from.id = data_.text(data_.stages[index].name);
  from.versions = context_.all_versions();
  if (const YamlNode* peers = node.find("peers")) from.scope = compile_peers(context_, index, peers);
  stages_[index] = rule(group, from);
}

void RuleCompiler::disable(const YamlNode& list) {
  for (const YamlNode& id : list.items) {
    bool found = false;
    for (RuleTree& tree : stages_) {
      std::vector<RuleTree>* siblings = nullptr;
      Inherited around;
      if (RuleTree* rule = find(tree.children, id.scalar, &around, &siblings)) {
        rule->record.disabled = 1;
        found = true;
      }
    }
    if (!found) context_.error(id, "there is no rule '" + id.scalar + "'");
  }
}

RuleTree* RuleCompiler::find(std::vector<RuleTree>& trees, std::string_view id, Inherited* around,
                             std::vector<RuleTree>** siblings) {
  for (RuleTree& tree : trees) {
    if (data_.text(tree.record.id) == id) {
      *siblings = &trees;
      return &tree;
    }
    Inherited inside = *around;
    inherit(tree, &inside);
    if (RuleTree* found = find(tree.children, id, &inside, siblings)) {
      *around = std::move(inside);
      return found;
    }
  }
  return nullptr;
}

void RuleCompiler::overlay_stage(const YamlNode& node, std::uint32_t index) {
  context_.only_keys(node, {"stage", "rules", "overlay", "disable"});
  const YamlNode* rules = node.find("rules");
  if (rules == nullptr) return;
  for (const YamlNode& item : rules->items) {
    Inherited around;
    around.scope = compile_peers(context_, index, nullptr);
    inherit(stages_[index], &around);
    std::vector<RuleTree>* siblings = &stages_[index].children;
    const auto place = [&](const char* key) -> RuleTree* {
      const YamlNode* id = item.find(key);
      if (id == nullptr) return nullptr;
      RuleTree* found = find(stages_[index].children, id->scalar, &around, &siblings);
      if (found == nullptr && std::string_view(key) != "id") {
        context_.error(*id, "the stage has no rule '" + id->scalar + "'");
      }
      return found;
    };
    if (RuleTree* old = place("id")) {
      const Scope outside = around.scope;
      inherit(*old, &around);
      around.scope = outside;  // the let names of the old rule go with it
      const std::vector<RuleTree> made = items({item}, around);
      if (made.size() == 1) *old = made[0];
      continue;
    }
    RuleTree* before = place("before");
    RuleTree* after = before == nullptr ? place("after") : nullptr;
    const std::ptrdiff_t at = before != nullptr  ? before - siblings->data()
                              : after != nullptr ? after - siblings->data() + 1
                                                 : static_cast<std::ptrdiff_t>(siblings->size());
    const std::vector<RuleTree> made = items({item}, around);
    siblings->insert(siblings->begin() + at, made.begin(), made.end());
  }
}

std::vector<RuleTree> RuleCompiler::list(const YamlNode& rules, const Inherited& from) {
  if (!rules.is_sequence()) context_.error(rules, "a list of rules is expected here");
  return items(rules.items, from);
}

std::vector<RuleTree> RuleCompiler::items(const std::vector<YamlNode>& rules, const Inherited& from) {
  std::vector<RuleTree> out;
  for (const YamlNode& item : rules) {
    if (!context_.only_keys(item, kRuleKeys)) continue;
    for (RuleTree& made : expanded(item, from)) out.push_back(std::move(made));
  }
  return out;
}

std::vector<RuleTree> RuleCompiler::expanded(const YamlNode& node, const Inherited& from) {
  const YamlNode* each = node.find("each");
  if (each == nullptr) return {rule(node, from)};
  std::vector<RuleTree> out;
  if (!each->is_mapping() || each->entries.empty()) {
    context_.error(*each, "each is a mapping from a name to a list");
    return out;
  }
  for (std::size_t i = 0; i < each->entries[0].second.items.size(); ++i) {
    std::vector<std::pair<std::string, std::string>> names;
    for (const auto& [name, values] : each->entries) {
      if (i >= values.items.size()) {
        context_.error(values, "the lists of one 'each' differ in length");
        return out;
      }
      names.emplace_back(name.scalar, context_.scalar(values.items[i]));
    }
    YamlNode copy = node;
    std::erase_if(copy.entries, [](const auto& e) { return e.first.scalar == "each"; });
    substitute(copy, names);
    for (auto& [key, value] : copy.entries) {
      if (key.scalar == "id" && value.scalar == node.find("id")->scalar) value.scalar += "-" + names[0].second;
    }
    out.push_back(rule(copy, from));
  }
  return out;
}

std::string RuleCompiler::identify(const YamlNode& node, const Inherited& from, bool group) {
  if (const YamlNode* id = node.find("id")) {
    std::string text = context_.scalar(*id);
    if (!ids_.insert(text).second) context_.error(*id, "the id '" + text + "' stands twice");
    return text;
  }
  const int count = group ? 1 : ++leaves_[from.id];
  return count == 1 ? from.id : from.id + "#" + std::to_string(count);
}

Inherited RuleCompiler::attributes(const YamlNode& node, const Inherited& from, RuleTree& tree) {
  RuleRec& record = tree.record;
  Inherited inside = from;
  if (const YamlNode* v = node.find("versions")) inside.versions = from.versions & context_.versions(v);
  if (const YamlNode* v = node.find("check")) inside.check = context_.cold_text(*v);
  if (const YamlNode* v = node.find("pass")) inside.pass = context_.cold_text(*v);
  if (const YamlNode* v = node.find("because")) inside.because = context_.cold_text(*v);
  if (const YamlNode* v = node.find("see")) inside.see = context_.cold_texts(*v);
  if (const YamlNode* v = node.find("phase")) {
    const std::string name = context_.scalar(*v);
    const auto* at = std::find_if(kPhases.begin(), kPhases.end(), [&](const auto& p) { return p.first == name; });
    if (at == kPhases.end()) {
      context_.error(*v, "unknown phase '" + name + "'", "parse, resolve, init, weights, forward or late");
    } else {
      inside.phase = at->second;
    }
  }
  if (const YamlNode* v = node.find("log")) {
    const std::string name = context_.scalar(*v);
    const auto* at = std::find_if(kLogs.begin(), kLogs.end(), [&](const auto& p) { return p.first == name; });
    if (at == kLogs.end()) {
      context_.error(*v, "log is 'none', 'info' or 'warning'");
    } else {
      inside.log = at->second;
    }
  }
  if (const YamlNode* v = node.find("reads")) {
    if (context_.scalar(*v) != "entry") context_.error(*v, "reads knows only 'entry'");
    record.reads_entry = 1;
  }
  if (const YamlNode* lets = node.find("let")) {
    std::vector<LetRec> made;
    for (const auto& [name, value] : lets->entries) {
      const CodeRef code = context_.value(value, inside.scope);
      made.push_back({context_.new_slot(name.scalar), code});
      inside.scope.slots.emplace_back(name.scalar, made.back().slot);
    }
    record.lets = data_.add(data_.lets, made);
  }
  if (const YamlNode* v = node.find("when")) record.when = context_.expression(*v, inside.scope);
  tree.note.check = inside.check;
  tree.note.pass = inside.pass;
  tree.note.because = inside.because;
  tree.note.see = inside.see;
  tree.note.log = inside.log;
  record.phase = inside.phase;
  record.versions = inside.versions;
  return inside;
}

RuleTree RuleCompiler::rule(const YamlNode& node, const Inherited& from) {
  RuleTree tree;
  RuleRec& record = tree.record;
  tree.note.file = data_.intern_cold(context_.source->name);
  tree.note.line = static_cast<std::uint32_t>(node.line);
  Inherited inside = attributes(node, from, tree);
  record.between = from.scope.members ? 1 : 0;
  const bool group = node.find("rules") != nullptr || node.find("first") != nullptr;
  inside.id = identify(node, from, group);
  const bool sets = node.find("set") != nullptr;
  record.id = sets ? data_.intern(inside.id) : data_.intern_cold(inside.id);
  if (const YamlNode* v = node.find("return")) {
    const std::string where = context_.scalar(*v);
    if (where != "stage" && where != "pipeline") context_.error(*v, "return is 'stage' or 'pipeline'");
    record.leave = where == "stage" ? Return::kStage : Return::kPart;
  }
  action(node, inside, tree);
  return tree;
}

void RuleCompiler::action(const YamlNode& node, const Inherited& inside, RuleTree& tree) {
  RuleRec& record = tree.record;
  const YamlNode* value = nullptr;
  for (const auto& [name, kind] : kActionKeys) {
    const YamlNode* v = node.find(name);
    if (v == nullptr) continue;
    if (value != nullptr) {
      context_.error(*v, "a rule has one action, and this is a second one", "make it a rule of its own");
      return;
    }
    value = v;
    record.action = kind;
  }
  const bool tells =
      record.action == Action::kFail || record.action == Action::kWarn || record.action == Action::kAdvise;
  if (record.between != 0 && value != nullptr && !tells && record.action != Action::kRules &&
      record.action != Action::kFirst) {
    context_.error(*value, "a rule that compares launches can only fail, warn or advise");
    return;
  }
  switch (record.action) {
    case Action::kNothing:
      break;
    case Action::kRules:
    case Action::kFirst:
      tree.children = list(*value, inside);
      break;
    case Action::kSet:
      record.payload = compile_assignments(context_, *value, Target::kField, inside.scope);
      break;
    case Action::kEnv:
      record.payload = compile_assignments(context_, *value, Target::kEnv, inside.scope);
      break;
    case Action::kRun: {
      const auto at = context_.symbols.stages.find(context_.scalar(*value));
      if (at == context_.symbols.stages.end()) {
        context_.error(*value, "there is no stage '" + value->scalar + "'");
      } else {
        record.payload = {at->second, 0};
      }
      break;
    }
    default:
      finding(node, *value, inside, record);
      break;
  }
  if (const YamlNode* fix = node.find("fix")) tree.note.fixes = compile_fixes(context_, *fix, inside.scope);
}

void RuleCompiler::finding(const YamlNode& node, const YamlNode& text, const Inherited& inside, RuleRec& record) {
  record.payload = {context_.message(text, inside.scope), 0};
  const YamlNode* flag = node.find("flag");
  if (flag == nullptr) return;
  const auto at = context_.symbols.fields.find(context_.scalar(*flag));
  if (at == context_.symbols.fields.end()) {
    context_.error(*flag, "unknown field '" + flag->scalar + "'");
  } else {
    record.flag = static_cast<std::uint16_t>(at->second);
  }
}

}  // namespace

void compile_rules(CompileContext& context, const std::vector<Document>& documents) {
  RuleCompiler(context).run(documents);
}

}  // namespace gonogo
