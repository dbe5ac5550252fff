// What rules write and fixes change: the targets of `set:`, `env:` and `fix:`, and their values.
#include "base/text.h"
#include "rules/compile_context.h"

namespace gonogo {

namespace {

bool assignment(CompileContext& context, const YamlNode& key, const YamlNode& value, Target kind, const Scope& scope,
                AssignRec* out) {
  std::vector<std::string> path;
  for (std::size_t start = 0; start <= key.scalar.size();) {
    const std::size_t dot = kind == Target::kEnv ? std::string::npos : key.scalar.find('.', start);
    path.push_back(key.scalar.substr(start, dot == std::string::npos ? dot : dot - start));
    if (dot == std::string::npos) break;
    start = dot + 1;
  }
  const NameIndex* names = kind == Target::kEnv ? &context.symbols.envs : &context.symbols.fields;
  out->kind = kind;
  if (kind == Target::kField && path[0] == "state" && path.size() > 1) {
    out->kind = Target::kState;
    names = &context.symbols.state;
    path.erase(path.begin());
  }
  const auto at = names->find(path[0]);
  if (at == names->end()) {
    std::vector<std::string_view> known;
    for (const auto& [name, index] : *names) known.push_back(name);
    context.error(key, "unknown name '" + path[0] + "'", did_you_mean(path[0], known));
    return false;
  }
  out->target = at->second;
  std::vector<std::uint32_t> rest;
  for (std::size_t i = 1; i < path.size(); ++i) rest.push_back(context.data.intern(path[i]));
  out->path = context.data.add(context.data.ids, rest);
  if (out->kind == Target::kEnv) context.data.use_env(out->target);
  Types types = kAnyType;
  out->code = context.value(value, scope, nullptr, &types);
  if (out->kind == Target::kField && rest.empty() && (types & context.symbols.field_types[out->target]) == 0) {
    context.error(value, "'" + path[0] + "' can't hold a value of this type");
  }
  return true;
}

}  // namespace

Run compile_assignments(CompileContext& context, const YamlNode& node, Target kind, const Scope& scope) {
  std::vector<AssignRec> made;
  if (!node.is_mapping()) context.error(node, "a mapping from names to values is expected here");
  for (const auto& [key, value] : node.entries) {
    AssignRec record;
    if (assignment(context, key, value, kind, scope, &record)) made.push_back(record);
  }
  return context.data.add(context.data.assigns, made);
}

Run compile_fixes(CompileContext& context, const YamlNode& node, const Scope& scope) {
  std::vector<FixRec> made;
  if (!node.is_sequence()) context.error(node, "fix is a list of changes");
  for (const YamlNode& item : node.items) {
    std::vector<AssignRec> changes;
    for (const auto& [key, value] : item.entries) {
      AssignRec record;
      if (key.scalar == "env") {
        for (const auto& [name, setting] : value.entries) {
          if (assignment(context, name, setting, Target::kEnv, scope, &record)) changes.push_back(record);
        }
      } else if (key.scalar == "version") {
        context.versions(&value);
        record.kind = Target::kVersion;
        record.code = context.literal(value);
        changes.push_back(record);
      } else if (assignment(context, key, value, Target::kField, scope, &record)) {
        changes.push_back(record);
      }
    }
    made.push_back({context.data.add(context.data.changes, changes)});
  }
  return context.data.add(context.data.fixes, made);
}

}  // namespace gonogo
