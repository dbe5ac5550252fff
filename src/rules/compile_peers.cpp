// Launches that work together: `peers:` of a stage, whose rules then compare them.
#include <algorithm>

#include "rules/compile_context.h"

namespace gonogo {

namespace {

constexpr std::uint32_t kMaxWritten = 32;  // members that may be compared as they were typed

// The names that the rules see, from a record.
Scope scope_of(const PackData& data, const PeerRec& peers) {
  Scope scope;
  auto members = std::make_shared<NameIndex>();
  for (const Run names : {peers.members, peers.flags}) {
    for (std::uint32_t i = 0; i < names.count; ++i) members->emplace(data.text(data.named[names.first + i].name), i);
  }
  if (peers.has_companion()) members->emplace(PeerRec::kTo, 0);
  scope.members = std::move(members);
  for (std::uint32_t i = 0; i < PeerRec::kRoles; ++i) {
    scope.launches.emplace_back(data.text(data.slots[peers.first_slot + i]));
  }
  const std::uint32_t count = peers.has_companion() ? PeerRec::kSlots : PeerRec::kReach;
  for (std::uint32_t i = 0; i < count; ++i) {
    scope.slots.emplace_back(data.text(data.slots[peers.first_slot + i]), peers.first_slot + i);
  }
  return scope;
}

class PeersCompiler {
 public:
  PeersCompiler(CompileContext& context, const YamlNode& node) : context_(context), node_(node) {}

  PeerRec compile(std::uint32_t stage) {
    const YamlNode& roles = *node_.find("roles");
    const YamlNode* companion = roles.entries[0].second.is_mapping() ? &roles.entries[0].second : nullptr;
    record_.stage = stage;
    record_.first_slot = static_cast<std::uint32_t>(context_.data.slots.size());
    for (const auto& role : roles.entries) context_.new_slot(role.first.scalar);
    context_.new_slot(Scope::kLaunches);
    context_.new_slot(Scope::kTogether);
    if (companion != nullptr) {
      for (const char* name : {Scope::kReach, Scope::kReached, Scope::kNamed, Scope::kBeside}) context_.new_slot(name);
    }
    std::vector<NamedCode> made;
    for (const auto& [name, when] : roles.entries) {
      made.push_back({context_.data.intern(name.scalar), &when == companion ? 0 : context_.expression(when, {})});
    }
    record_.roles = context_.data.add(context_.data.named, made);
    record_.members = named(*node_.find("members"));
    if (const YamlNode* in_turn = node_.find("in_turn")) {
      if (context_.scalar(*in_turn) != "warn") context_.error(*in_turn, "in_turn knows only 'warn'");
      record_.in_turn_warn = 1;
    }
    if (const YamlNode* names = node_.find("as_written")) {
      for (const YamlNode& name : names->items) {
        const std::uint32_t index = member(name);
        if (index >= kMaxWritten) {
          context_.error(name, "as_written names one of the first 32 members");
        } else {
          record_.as_written |= 1u << index;
        }
      }
    }
    made.clear();
    if (const YamlNode* key = node_.find("key")) {
      for (const YamlNode& part : key->items) made.push_back({0, context_.value(part, {})});
    }
    record_.key = context_.data.add(context_.data.named, made);
    if (companion != nullptr) compile_companion(*companion);
    return record_;
  }

 private:
  Run named(const YamlNode& mapping) {
    std::vector<NamedCode> made;
    for (const auto& [name, value] : mapping.entries) {
      made.push_back({context_.data.intern(name.scalar), context_.value(value, {})});
    }
    return context_.data.add(context_.data.named, made);
  }

  // The index of a member by name; past all where there is none.
  std::uint32_t member(const YamlNode& name) const {
    const auto& all = node_.find("members")->entries;
    const auto at = std::find_if(all.begin(), all.end(), [&](const auto& m) { return m.first.scalar == name.scalar; });
    return at == all.end() ? kNoIndex : static_cast<std::uint32_t>(at - all.begin());
  }

  void compile_companion(const YamlNode& node) {
    if (!context_.only_keys(node, {"runs", "flags", "calls", "finds"})) return;
    const YamlNode* runs = node.find("runs");
    const YamlNode* flags = node.find("flags");
    const YamlNode* listens = node_.find("listens");
    if (runs == nullptr || flags == nullptr || !flags->is_mapping()) {
      context_.error(node, "a companion has 'runs', how it is started, and 'flags', a mapping from flags to defaults");
      return;
    }
    record_.companion = context_.texts(*runs);
    record_.flags = named(*flags);
    record_.calls = flags_of(node, "calls", *flags);
    record_.finds = flags_of(node, "finds", *flags);
    if (listens == nullptr || listens->items.size() != 2 || member(listens->items[0]) == kNoIndex ||
        member(listens->items[1]) == kNoIndex) {
      context_.error(node_, "with a companion, peers have 'listens', the members that are a launch's host and port");
      return;
    }
    record_.host = member(listens->items[0]);
    record_.port = member(listens->items[1]);
  }

  // A list of the companion's flags.
  Run flags_of(const YamlNode& node, std::string_view key, const YamlNode& flags) {
    const YamlNode* list = node.find(key);
    if (list == nullptr) return {};
    for (const YamlNode& flag : list->items) {
      if (flags.find(flag.scalar) == nullptr) {
        context_.error(flag, "'" + std::string(key) + "' names flags of the companion");
      }
    }
    return context_.texts(*list);
  }

  CompileContext& context_;
  const YamlNode& node_;
  PeerRec record_;
};

}  // namespace

Scope compile_peers(CompileContext& context, std::uint32_t stage, const YamlNode* node) {
  PackData& data = context.data;
  if (node == nullptr) {
    const auto known =
        std::find_if(data.peers.begin(), data.peers.end(), [&](const PeerRec& p) { return p.stage == stage; });
    return known == data.peers.end() ? Scope() : scope_of(data, *known);
  }
  if (!context.only_keys(*node, {"roles", "key", "members", "as_written", "in_turn", "listens"})) return {};
  const YamlNode* roles = node->find("roles");
  const YamlNode* key = node->find("key");
  const YamlNode* members = node->find("members");
  if (roles == nullptr || !roles->is_mapping() || roles->entries.size() != PeerRec::kRoles) {
    context.error(*node, "peers have two roles, each with the condition under which a launch plays it");
    return {};
  }
  if (members == nullptr || !members->is_mapping() || (key != nullptr && !key->is_sequence())) {
    context.error(*node, "peers have 'members', a mapping from names to values, and may have 'key', a list of values");
    return {};
  }
  data.peers.push_back(PeersCompiler(context, *node).compile(stage));
  return scope_of(data, data.peers.back());
}

}  // namespace gonogo
