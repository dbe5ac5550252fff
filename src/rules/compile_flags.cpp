// The parts of a pack that are lists of records: the pack itself, flags, fields, variables, GPU profiles.
#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <tuple>

#include "base/text.h"
#include "rules/compile_context.h"
#include "rules/constant.h"

namespace gonogo {

namespace {

template <typename T>
using Words = std::vector<std::pair<std::string_view, T>>;

// The value that a word of a closed vocabulary stands for; an error with the nearest word where it is none.
template <typename T>
T choose(CompileContext& context, const YamlNode& node, const Words<T>& words) {
  const std::string word = context.scalar(node);
  for (const auto& [name, value] : words) {
    if (name == word) return value;
  }
  std::vector<std::string_view> names;
  for (const auto& [name, value] : words) names.push_back(name);
  context.error(node, "unknown word '" + word + "'", did_you_mean(word, names));
  return words.front().second;
}

std::uint32_t number(CompileContext& context, const YamlNode& node) {
  const std::string s = context.scalar(node);
  std::uint32_t n = 0;
  const auto [end, failed] = std::from_chars(s.data(), s.data() + s.size(), n);
  if (failed != std::errc() || end != s.data() + s.size()) context.error(node, "a whole number is expected here");
  return n;
}

const Words<FlagAction> kActions = {{"store", FlagAction::kStore},
                                    {"store_true", FlagAction::kStoreTrue},
                                    {"store_const", FlagAction::kStoreConst},
                                    {"boolean_optional", FlagAction::kBooleanOptional},
                                    {"named_paths", FlagAction::kNamedPaths},
                                    {"help", FlagAction::kHelp},
                                    {"version", FlagAction::kVersion}};
const Words<FlagType> kTypes = {{"str", FlagType::kStr},
                                {"int", FlagType::kInt},
                                {"float", FlagType::kFloat},
                                {"human_int", FlagType::kHumanInt},
                                {"nullable_str", FlagType::kNullableStr},
                                {"json", FlagType::kJson}};
const Words<char> kNargs = {{"?", '?'}, {"*", '*'}, {"+", '+'}, {"none", 'n'}};
const Words<EnvType> kEnvTypes = {{"str", EnvType::kStr},
                                  {"bool", EnvType::kBool},
                                  {"int", EnvType::kInt},
                                  {"float", EnvType::kFloat},
                                  {"tuple", EnvType::kTuple}};

std::uint32_t field_index(CompileContext& context, const std::string& name) {
  const auto [at, added] = context.symbols.fields.emplace(name, static_cast<std::uint32_t>(context.data.fields.size()));
  if (added) {
    FieldRec field;
    field.name = context.data.intern(name);
    context.data.fields.push_back(field);
  }
  return at->second;
}

// Defaults of each field, row by row.
using Defaults = std::map<std::uint32_t, std::vector<ValueRec>>;

CodeRef none(CompileContext& context) { return context.store({word(Op::kNone)}); }

Run add_values(CompileContext& context, const std::vector<ValueRec>& values) {
  return context.data.add(context.data.values, values);
}

// The default of a field is that of its first row that holds in a version, else of any row; rows that agree are one.
void store_defaults(CompileContext& context, Defaults& defaults) {
  for (auto& [field, values] : defaults) {
    const bool alike =
        std::all_of(values.begin(), values.end(), [&](const ValueRec& v) { return v.code == values[0].code; });
    ValueRec rest = values[0];
    rest.versions = context.all_versions();
    if (alike) values.clear();
    values.push_back(rest);
    context.data.fields[field].values = add_values(context, values);
  }
}

// A default, or a list of {versions, value}.
Run versioned_default(CompileContext& context, const YamlNode& node) {
  std::vector<ValueRec> out;
  if (node.is_sequence() && !node.items.empty() && node.items[0].find("value") != nullptr) {
    for (const YamlNode& item : node.items) {
      if (!context.only_keys(item, {"versions", "value"}) || item.find("value") == nullptr) continue;
      out.push_back({context.literal(*item.find("value")), context.versions(item.find("versions"))});
    }
  } else {
    out.push_back({context.literal(node), context.all_versions()});
  }
  return add_values(context, out);
}

// Where a row's special values stand, counted from 1; 0 where it has none.
std::uint32_t special_index(CompileContext& context, const YamlNode& node, const FlagSpecialRec& special) {
  if (special == FlagSpecialRec{}) return 0;
  std::vector<FlagSpecialRec>& all = context.data.flag_specials;
  const auto at = std::find(all.begin(), all.end(), special);
  const auto index = static_cast<std::uint32_t>(at - all.begin()) + 1;
  if (index > FlagRec::kMaxSpecial) {
    context.error(node, "too many flags with constants, retired values, shapes or replacements");
    return 0;
  }
  if (at == all.end()) all.push_back(special);
  return index;
}

// A row of the flag table, but for its versions and its default.
std::optional<FlagRec> compile_row(CompileContext& context, const YamlNode& node) {
  if (!context.only_keys(
          node, {"flags", "field", "action", "type", "nargs", "choices", "default", "const", "required", "hidden",
                 "deprecated", "replacement", "versions", "retired", "shape", "config_file", "help"})) {
    return std::nullopt;
  }
  FlagRec flag;
  const auto with = [&](std::string_view key, auto use) {
    if (const YamlNode* value = node.find(key)) use(*value);
  };
  with("flags", [&](const YamlNode& v) { flag.spellings = context.texts(v); });
  if (flag.spellings.count == 0) context.error(node, "a flag needs its spellings", "flags: [--name]");
  with("action", [&](const YamlNode& v) { flag.action = choose(context, v, kActions); });
  with("type", [&](const YamlNode& v) { flag.type = choose(context, v, kTypes); });
  const bool takes_values = flag.action == FlagAction::kStore || flag.action == FlagAction::kStoreConst;
  flag.nargs = flag.action == FlagAction::kNamedPaths ? '*' : takes_values ? char{0} : 'n';
  with("nargs", [&](const YamlNode& v) { flag.nargs = choose(context, v, kNargs); });
  with("choices", [&](const YamlNode& v) { flag.choices = context.literal(v); });
  FlagSpecialRec special;
  with("const", [&](const YamlNode& v) { special.constant = context.literal(v); });
  with("retired", [&](const YamlNode& v) { special.retired = context.literal(v); });
  with("shape", [&](const YamlNode& v) { special.shape = context.literal(v); });
  with("required", [&](const YamlNode& v) { flag.required = context.boolean(v); });
  with("hidden", [&](const YamlNode& v) { flag.hidden = context.boolean(v); });
  with("deprecated", [&](const YamlNode& v) { flag.deprecated = context.boolean(v); });
  with("replacement", [&](const YamlNode& v) { special.replacement = context.cold_text(v); });
  flag.special = special_index(context, node, special);
  with("field", [&](const YamlNode& v) { flag.field = field_index(context, context.scalar(v)); });
  with("config_file", [&](const YamlNode&) {
    context.data.about.config_flag = context.data.ids[flag.spellings.first];
    flag.field = FlagRec::kNoField;
  });
  return flag;
}

void compile_flag(CompileContext& context, const YamlNode& node, Defaults* defaults) {
  std::optional<FlagRec> flag = compile_row(context, node);
  if (!flag) return;
  flag->versions = context.versions(node.find("versions"));
  if (flag->field != FlagRec::kNoField) {
    const YamlNode* value = node.find("default");
    (*defaults)[flag->field].push_back({value == nullptr ? none(context) : context.literal(*value), flag->versions});
  }
  context.data.flags.push_back(*flag);
}

// A row of versions without rules. One that reads words as another row does makes that hold in its versions too.
void compile_earlier_flag(CompileContext& context, const YamlNode& node) {
  std::optional<FlagRec> flag = compile_row(context, node);
  if (!flag) return;
  flag->versions = context.earlier_versions(node.find("versions"));
  const auto spellings = [&](const FlagRec& f) {
    const auto first = context.data.ids.begin() + f.spellings.first;
    std::vector<StrId> out(first, first + f.spellings.count);
    std::sort(out.begin(), out.end());
    return out;
  };
  const auto reads = [&](const FlagRec& f) {
    const FlagSpecialRec special = f.special != 0 ? context.data.flag_specials[f.special - 1] : FlagSpecialRec{};
    return std::make_tuple(+f.field, f.action, f.type, +f.nargs, +f.choices, special.retired, special.shape,
                           +f.required);
  };
  const auto same = std::find_if(context.data.flags.begin(), context.data.flags.end(), [&](const FlagRec& f) {
    return reads(f) == reads(*flag) && spellings(f) == spellings(*flag);
  });
  if (same != context.data.flags.end()) {
    same->versions |= flag->versions;
  } else {
    context.data.flags.push_back(*flag);
  }
}

void compile_retired(CompileContext& context, const YamlNode& node) {
  for (const auto& [spelling, to] : node.entries) {
    RetiredRec retired;
    retired.flag = context.data.intern_cold(spelling.scalar);
    if (to.is_mapping()) {
      if (!context.only_keys(to, {"write", "values"})) continue;
      if (const YamlNode* v = to.find("write")) retired.write = context.cold_text(*v);
      if (const YamlNode* v = to.find("values")) retired.values = context.literal(*v);
    } else if (to.type != YamlNode::Type::kNull) {
      retired.write = context.cold_text(to);
    }
    context.data.retired.push_back(retired);
  }
}

void compile_fields(CompileContext& context, const YamlNode& node) {
  for (const auto& [name, value] : node.entries) {
    const std::uint32_t field = field_index(context, name.scalar);
    context.data.fields[field].values = versioned_default(context, value);
  }
}

// Calls `mark` with the record of each field that the list names.
template <typename Mark>
void mark_fields(CompileContext& context, const YamlNode& node, Mark mark) {
  for (const YamlNode& name : node.items) {
    const auto at = context.symbols.fields.find(context.scalar(name));
    if (at == context.symbols.fields.end()) {
      context.error(name, "unknown field '" + name.scalar + "'");
    } else {
      mark(context.data.fields[at->second]);
    }
  }
}

// pack: {fixes: {never: [fields], last: [fields], avoid: [values]}}
void compile_fix_policy(CompileContext& context, const YamlNode& node) {
  if (!context.only_keys(node, {"never", "last", "avoid"})) return;
  for (const auto& [word, names] : node.entries) {
    if (word.scalar == "avoid") {
      context.data.about.fix_avoid = context.cold_texts(names);
      continue;
    }
    const FixPolicy policy = word.scalar == "never" ? FixPolicy::kNever : FixPolicy::kLast;
    for (const YamlNode& name : names.items) {
      const auto at = context.symbols.fields.find(context.scalar(name));
      if (at == context.symbols.fields.end()) {
        std::vector<std::string_view> known;
        for (const auto& [field, index] : context.symbols.fields) known.push_back(field);
        context.error(name, "unknown field '" + name.scalar + "'", did_you_mean(name.scalar, known));
      } else {
        context.data.fields[at->second].fix_policy = static_cast<std::uint8_t>(policy) & 3;
      }
    }
  }
}

void compile_env(CompileContext& context, const YamlNode& node) {
  for (const auto& [name, value] : node.entries) {
    if (!context.only_keys(value, {"type", "default", "alias"})) continue;
    const auto [at, added] =
        context.symbols.envs.emplace(name.scalar, static_cast<std::uint32_t>(context.data.envs.size()));
    if (!added) {
      context.error(name, "the variable " + name.scalar + " is declared twice");
      continue;
    }
    EnvRec env;
    env.name = context.data.intern_cold(name.scalar);
    if (const YamlNode* type = value.find("type")) env.type = choose(context, *type, kEnvTypes);
    if (const YamlNode* fallback = value.find("default")) env.values = versioned_default(context, *fallback);
    if (const YamlNode* alias = value.find("alias")) env.former_name = context.cold_text(*alias);
    context.data.envs.push_back(env);
  }
}

void compile_gpus(CompileContext& context, const YamlNode& node) {
  for (const auto& [key, value] : node.entries) {
    if (!context.only_keys(value, {"name", "vendor", "major", "minor", "memory_mib", "sm_count"})) continue;
    GpuRec gpu;
    gpu.key = context.data.intern(key.scalar);
    for (const auto& [name, item] : value.entries) {
      if (name.scalar == "name") gpu.name = context.text(item);
      if (name.scalar == "vendor") gpu.vendor = context.text(item);
      if (name.scalar == "memory_mib") gpu.memory_mib = number(context, item);
      if (name.scalar == "sm_count") gpu.sm_count = number(context, item);
      if (name.scalar == "major") gpu.major = number(context, item);
      if (name.scalar == "minor") gpu.minor = number(context, item);
    }
    context.data.gpus.push_back(gpu);
  }
}

template <typename Use>
void each_key(CompileContext& context, const std::vector<Document>& documents, std::string_view key, Use use) {
  for (const Document& document : documents) {
    if (document.root.find("stage") != nullptr) continue;  // there, `env` is an action
    if (const YamlNode* node = document.root.find(key)) {
      context.source = document.source;
      use(*node);
    }
  }
}

}  // namespace

void compile_about(CompileContext& context, const std::vector<Document>& documents) {
  PackRec& about = context.data.about;
  each_key(context, documents, "pack", [&](const YamlNode& pack) {
    if (!context.only_keys(pack, {"name", "versions", "earlier", "entry_points", "parts", "models", "summary", "plan",
                                  "layers", "secrets", "answers", "default_gpu", "packages", "model_files", "roles",
                                  "nodes_flag", "told", "fixes", "log"})) {
      return;
    }
    if (const YamlNode* v = pack.find("name")) about.name = context.text(*v);
    if (const YamlNode* v = pack.find("versions")) {
      std::vector<StrId> all;
      for (const YamlNode* list : {pack.find("earlier"), v}) {
        about.first_ruled = static_cast<std::uint32_t>(all.size());
        const Range part = list == nullptr ? Run() : context.texts(*list);
        for (std::uint32_t i = 0; i < part.count; ++i) all.push_back(context.data.ids[part.first + i]);
      }
      about.versions = context.data.add(context.data.ids, all);
    }
    if (const YamlNode* v = pack.find("entry_points")) about.entry_points = context.texts(*v);
    if (const YamlNode* v = pack.find("roles")) about.roles = context.texts(*v);
    if (const YamlNode* v = pack.find("nodes_flag")) about.nodes_flag = context.text(*v);
    if (const YamlNode* v = pack.find("secrets")) about.secrets = context.texts(*v);
    if (const YamlNode* v = pack.find("packages")) about.packages = context.texts(*v);
    if (const YamlNode* v = pack.find("model_files")) about.model_files = context.texts(*v);
    if (const YamlNode* v = pack.find("default_gpu")) about.default_gpu = context.text(*v);
    if (const YamlNode* log = pack.find("log"); log != nullptr && context.only_keys(*log, {"arguments", "version"})) {
      if (const YamlNode* v = log->find("arguments")) about.log_arguments = context.cold_text(*v);
      if (const YamlNode* v = log->find("version")) about.log_versions = context.cold_texts(*v);
    }
  });
  if (about.versions.count > 32) {
    about.versions.count = 32;
    Error e{Error::Kind::kInput, "a pack holds at most 32 versions", {}, "", ""};
    context.errors.push_back(std::move(e));
  }
}

void compile_flags(CompileContext& context, const std::vector<Document>& documents) {
  Defaults defaults;
  each_key(context, documents, "flags", [&](const YamlNode& list) {
    for (const YamlNode& flag : list.items) compile_flag(context, flag, &defaults);
  });
  store_defaults(context, defaults);
  each_key(context, documents, "earlier_flags", [&](const YamlNode& list) {
    for (const YamlNode& flag : list.items) compile_earlier_flag(context, flag);
  });
  each_key(context, documents, "retired_flags", [&](const YamlNode& node) { compile_retired(context, node); });
  each_key(context, documents, "fields", [&](const YamlNode& node) { compile_fields(context, node); });
  each_key(context, documents, "volatile", [&](const YamlNode& node) {
    mark_fields(context, node, [](FieldRec& field) { field.volatile_value = 1; });
  });
  each_key(context, documents, "readers_known",
           [&](const YamlNode& node) { mark_fields(context, node, [](FieldRec& field) { field.readers_known = 1; }); });
  each_key(context, documents, "pack", [&](const YamlNode& pack) {
    if (const YamlNode* fixes = pack.find("fixes")) compile_fix_policy(context, *fixes);
  });
  each_key(context, documents, "env", [&](const YamlNode& node) { compile_env(context, node); });
  each_key(context, documents, "gpus", [&](const YamlNode& node) { compile_gpus(context, node); });
}

void compile_upstream(CompileContext& context, const std::vector<Document>& documents) {
  each_key(context, documents, "upstream", [&](const YamlNode& words) {
    for (const auto& [id, text] : words.entries) {
      bool found = false;
      for (std::size_t i = 0; i < context.data.rules.size(); ++i) {
        if (context.data.text(context.data.rules[i].id) != id.scalar) continue;
        context.data.notes[i].upstream = context.cold_text(text);
        found = true;
      }
      if (!found) context.error(id, "there is no rule '" + id.scalar + "'");
    }
  });
}

void type_fields(CompileContext& context) {
  std::vector<Types>& types = context.symbols.field_types;
  types.assign(context.data.fields.size(), 0);
  for (const FlagRec& flag : context.data.flags) {
    if (flag.field == FlagRec::kNoField || (flag.versions & context.all_versions()) == 0) continue;
    Types t = kStrType;
    if (flag.action == FlagAction::kStoreTrue || flag.action == FlagAction::kBooleanOptional) t = kBoolType;
    if (flag.type == FlagType::kInt || flag.type == FlagType::kHumanInt) t = kIntType | kFloatType;
    if (flag.type == FlagType::kFloat) t = kFloatType | kIntType;
    if (flag.type == FlagType::kJson || flag.action == FlagAction::kStoreConst) t = kAnyType;
    if (flag.nargs == '*' || flag.nargs == '+') t = kListType | kTupleType;
    if (flag.nargs == '?') t |= kBoolType | kStrType;
    types[flag.field] |= t;
  }
  // A field without a flag may hold anything: only rules write it. A default may have a type of its own.
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (types[i] == 0) types[i] = kAnyType;
    types[i] |= kNoneType;
    const Run values = context.data.fields[i].values;
    if (values.count == 0) continue;
    switch (op_of(context.data.code[context.data.values[values.first].code])) {
      case Op::kTrue:
      case Op::kFalse:
        types[i] |= kBoolType;
        break;
      case Op::kList:
        types[i] |= kListType | kTupleType;
        break;
      case Op::kDict:
        types[i] |= kDictType;
        break;
      default:
        break;
    }
  }
  context.symbols.env_types.clear();
  for (const EnvRec& env : context.data.envs) {
    static constexpr std::array<Types, 5> kByType = {kStrType, kBoolType, kIntType, kFloatType | kIntType,
                                                     kTupleType | kListType};
    context.symbols.env_types.push_back(kByType[static_cast<std::size_t>(env.type)] | kNoneType |
                                        (env.type == EnvType::kStr ? kAnyType : 0));
  }
}

}  // namespace gonogo
