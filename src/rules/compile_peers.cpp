// Launches that work together: `peers:` of a stage, whose rules then compare them.
#include <algorithm>

#include "rules/compile_context.h"

namespace gonogo {

namespace {

// The names that the rules see, from a record.
Scope scope_of(const PackData& data, const PeerRec& peers) {
  Scope scope;
  auto members = std::make_shared<NameIndex>();
  for (std::uint32_t i = 0; i < peers.members.count; ++i) {
    members->emplace(data.text(data.named[peers.members.first + i].name), i);
  }
  scope.members = std::move(members);
  for (std::uint32_t i = 0; i < PeerRec::kRoles; ++i) {
    scope.launches.emplace_back(data.text(data.slots[peers.first_slot + i]));
  }
  for (std::uint32_t i = 0; i < PeerRec::kRoles + 2; ++i) {
    scope.slots.emplace_back(data.text(data.slots[peers.first_slot + i]), peers.first_slot + i);
  }
  return scope;
}

}  // namespace

Scope compile_peers(CompileContext& context, std::uint32_t stage, const YamlNode* node) {
  PackData& data = context.data;
  if (node == nullptr) {
    const auto known =
        std::find_if(data.peers.begin(), data.peers.end(), [&](const PeerRec& p) { return p.stage == stage; });
    return known == data.peers.end() ? Scope() : scope_of(data, *known);
  }
  if (!context.only_keys(*node, {"roles", "key", "members", "in_turn"})) return {};
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
  PeerRec record;
  if (const YamlNode* in_turn = node->find("in_turn")) {
    if (context.scalar(*in_turn) != "warn") context.error(*in_turn, "in_turn knows only 'warn'");
    record.in_turn_warn = 1;
  }
  record.stage = stage;
  record.first_slot = static_cast<std::uint32_t>(data.slots.size());
  for (const auto& role : roles->entries) context.new_slot(role.first.scalar);
  context.new_slot(Scope::kLaunches);
  context.new_slot(Scope::kTogether);
  std::vector<NamedCode> made;
  for (const auto& [name, when] : roles->entries) {
    made.push_back({data.intern(name.scalar), context.expression(when, {})});
  }
  record.roles = data.add(data.named, made);
  made.clear();
  for (const auto& [name, value] : members->entries) {
    made.push_back({data.intern(name.scalar), context.value(value, {})});
  }
  record.members = data.add(data.named, made);
  made.clear();
  if (key != nullptr) {
    for (const YamlNode& part : key->items) made.push_back({0, context.value(part, {})});
  }
  record.key = data.add(data.named, made);
  data.peers.push_back(record);
  return scope_of(data, record);
}

}  // namespace gonogo
