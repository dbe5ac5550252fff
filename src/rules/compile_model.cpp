// The parts of a pack that derive and name things: facts, functions, tables, classes, scratch state; and the pack's
// parts, which order the stages.
#include <algorithm>
#include <functional>

#include "base/text.h"
#include "rules/compile_context.h"

namespace gonogo {

namespace {

template <typename Use>
void each_entry(CompileContext& context, const std::vector<Document>& documents, std::string_view key, Use use) {
  for (const Document& document : documents) {
    const YamlNode* node = document.root.find(key);
    if (node == nullptr) continue;
    context.source = document.source;
    if (!node->is_mapping()) {
      context.error(*node, "'" + std::string(key) + "' is a mapping");
      continue;
    }
    for (const auto& [name, value] : node->entries) use(name, value);
  }
}

// Declares `name`, or reports that it exists; an overlay may define anew what its base has.
template <typename Record>
void declare(CompileContext& context, NameIndex& names, std::vector<Record>& records, const YamlNode& name,
             std::size_t base_count) {
  const auto [at, added] = names.emplace(name.scalar, static_cast<std::uint32_t>(records.size()));
  if (added) {
    Record record;
    record.name = context.data.intern_cold(name.scalar);
    records.push_back(record);
  } else if (at->second >= base_count) {
    context.error(name, "'" + name.scalar + "' is defined twice");
  }
}

// A value, or a list of {versions, value} of which the first that fits counts.
Run versioned(CompileContext& context, const YamlNode& node, const Scope& scope, Uses* uses) {
  const bool choice =
      node.is_sequence() && !node.items.empty() &&
      std::all_of(node.items.begin(), node.items.end(), [](const YamlNode& i) { return i.find("value") != nullptr; });
  std::vector<ValueRec> out;
  if (choice) {
    for (const YamlNode& item : node.items) {
      if (!context.only_keys(item, {"versions", "value"})) continue;
      out.push_back({context.value(*item.find("value"), scope, uses), context.versions(item.find("versions"))});
    }
  } else {
    out.push_back({context.value(node, scope, uses), context.all_versions()});
  }
  return context.data.add(context.data.values, out);
}

// A run of rows as code: neighbours that hold in the same versions are one constant.
std::vector<RowsRec> table_rows(CompileContext& context, const YamlNode& source) {
  std::vector<RowsRec> out;
  YamlNode together = source;
  const auto begin = [&] {
    together.items.clear();
    together.entries.clear();
  };
  const auto end = [&](Mask versions) {
    if (!together.items.empty() || !together.entries.empty()) out.push_back({context.literal(together), versions});
    begin();
  };
  Mask current = 0;
  const auto value_of = [&](const YamlNode& node) -> const YamlNode& {
    const YamlNode* value = node.find("row");
    if (value != nullptr) context.only_keys(node, {"row", "versions"});
    const Mask versions = context.versions(value == nullptr ? nullptr : node.find("versions"));
    if (versions != current) end(current);
    current = versions;
    return value == nullptr ? node : *value;
  };
  begin();
  for (const YamlNode& item : source.items) {
    const YamlNode& value = value_of(item);
    together.items.push_back(value);
  }
  for (const auto& [key, node] : source.entries) {
    const YamlNode& value = value_of(node);
    together.entries.emplace_back(key, value);
  }
  end(current);
  return out;
}

void fill_table(CompileContext& context, const YamlNode& name, const YamlNode& node) {
  TableRec& table = context.data.tables[context.symbols.tables.at(name.scalar)];
  std::vector<RowsRec> rows;
  const YamlNode* added = node.is_mapping() && node.entries.size() == 1 ? node.find("add") : nullptr;
  const YamlNode& source = added != nullptr ? *added : node;
  if (!source.is_mapping() && !source.is_sequence()) return context.error(source, "a table is a list or a mapping");
  if (added != nullptr) {
    if (table.rows.count == 0 && !context.overlay) context.error(name, "'add' belongs to an overlay");
    for (std::uint32_t i = 0; i < table.rows.count; ++i) rows.push_back(context.data.rows[table.rows.first + i]);
    if (source.is_mapping() != (table.is_mapping != 0)) context.error(source, "the table is of another shape");
  }
  const std::vector<RowsRec> more = table_rows(context, source);
  rows.insert(rows.end(), more.begin(), more.end());
  table.is_mapping = source.is_mapping() ? 1 : 0;
  table.rows = context.data.add(context.data.rows, rows);
}

void compile_class(CompileContext& context, const YamlNode& name, const YamlNode& node) {
  if (!context.only_keys(node, {"defaults", "alias", "sub"})) return;
  ClassRec record;
  record.model_type = context.data.intern(name.scalar);
  std::vector<std::uint32_t> aliases;
  if (const YamlNode* map = node.find("alias")) {
    for (const auto& [second, name_of_both] : map->entries) {
      aliases.push_back(context.data.intern(second.scalar));
      aliases.push_back(context.text(name_of_both));
    }
  }
  record.aliases = context.data.add(context.data.ids, aliases);
  std::vector<std::uint32_t> subs;
  if (const YamlNode* map = node.find("sub")) {
    for (const auto& [key, value] : map->entries) {
      const YamlNode* open = value.is_mapping() ? value.find("open") : nullptr;
      if (value.is_mapping() && (!context.only_keys(value, {"open"}) || open == nullptr)) continue;
      subs.push_back(context.data.intern(key.scalar));
      subs.push_back(context.text(open != nullptr ? *open : value));
      subs.push_back(open != nullptr ? 1 : 0);
    }
  }
  record.subs = context.data.add(context.data.ids, subs);
  std::vector<NamedCode> defaults;
  if (const YamlNode* map = node.find("defaults")) {
    Scope scope;
    scope.self = true;
    for (const auto& [key, value] : map->entries) {
      defaults.push_back({context.data.intern(key.scalar), context.value(value, scope)});
    }
  }
  record.defaults = context.data.add(context.data.named, defaults);
  auto& classes = context.data.classes;
  const auto same = std::find_if(classes.begin(), classes.end(),
                                 [&](const ClassRec& c) { return c.model_type == record.model_type; });
  if (same == classes.end()) {
    classes.push_back(record);
  } else if (context.overlay) {
    *same = record;
  } else {
    context.error(name, "the class '" + name.scalar + "' is defined twice");
  }
}

// What facts and functions use, to find those that would need themselves.
struct Definition {
  const YamlNode* name = nullptr;
  const PackSource* source = nullptr;
  Uses uses;
  int mark = 0;  // 1: being visited, 2: done
};

void check_recursion(CompileContext& context, std::vector<Definition>& facts, std::vector<Definition>& functions) {
  std::function<void(Definition&)> visit = [&](Definition& d) {
    if (d.mark == 2 || d.name == nullptr) return;
    if (d.mark == 1) {
      context.source = d.source;
      context.error(*d.name, "'" + d.name->scalar + "' needs itself", "facts and functions can't be recursive");
      d.mark = 2;
      return;
    }
    d.mark = 1;
    for (const std::uint32_t i : d.uses.facts) visit(facts[i]);
    for (const std::uint32_t i : d.uses.functions) visit(functions[i]);
    d.mark = 2;
  };
  for (Definition& d : facts) visit(d);
  for (Definition& d : functions) visit(d);
}

}  // namespace

void declare_names(CompileContext& context, const std::vector<Document>& documents) {
  PackData& data = context.data;
  Symbols& symbols = context.symbols;
  const std::size_t base_facts = data.facts.size();
  const std::size_t base_functions = data.functions.size();
  const std::size_t base_state = data.state.size();
  each_entry(context, documents, "facts", [&](const YamlNode& name, const YamlNode&) {
    declare(context, symbols.facts, data.facts, name, base_facts);
  });
  each_entry(context, documents, "functions", [&](const YamlNode& name, const YamlNode& node) {
    declare(context, symbols.functions, data.functions, name, base_functions);
    const std::uint32_t index = symbols.functions.at(name.scalar);
    FunctionRec& function = data.functions[index];
    const YamlNode* args = node.find("args");
    const std::uint32_t arity = args == nullptr ? 0 : static_cast<std::uint32_t>(args->items.size());
    // The base's code calls it with as many as it was compiled for.
    if (index < base_functions && arity != function.arity) {
      return context.error(name, "'" + name.scalar + "' takes another number of arguments than in the pack");
    }
    function.arity = arity;
    function.first_slot = static_cast<std::uint32_t>(data.slots.size());
    for (std::uint32_t i = 0; i < function.arity; ++i) context.new_slot(context.scalar(args->items[i]));
    symbols.arities.resize(data.functions.size());
    symbols.arities[index] = function.arity;
  });
  // Tables may be added to by several documents of an overlay, and by an overlay at all.
  each_entry(context, documents, "tables", [&](const YamlNode& name, const YamlNode& node) {
    const bool adds = node.is_mapping() && node.find("add") != nullptr;
    if (symbols.tables.count(name.scalar) != 0 && (adds || context.overlay)) return;
    declare(context, symbols.tables, data.tables, name, 0);
  });
  each_entry(context, documents, "state", [&](const YamlNode& name, const YamlNode&) {
    declare(context, symbols.state, data.state, name, base_state);
  });
  for (const Document& document : documents) {
    const YamlNode* stage = document.root.find("stage");
    if (stage == nullptr) continue;
    context.source = document.source;
    const auto [at, added] =
        symbols.stages.emplace(context.scalar(*stage), static_cast<std::uint32_t>(data.stages.size()));
    if (added) {
      data.stages.push_back({data.intern_cold(stage->scalar), 0});
    } else if (!context.overlay) {
      context.error(*stage, "the stage '" + stage->scalar + "' is defined twice");
    }
  }
}

void compile_model(CompileContext& context, const std::vector<Document>& documents) {
  PackData& data = context.data;
  each_entry(context, documents, "tables",
             [&](const YamlNode& name, const YamlNode& node) { fill_table(context, name, node); });
  each_entry(context, documents, "classes",
             [&](const YamlNode& name, const YamlNode& node) { compile_class(context, name, node); });
  each_entry(context, documents, "state", [&](const YamlNode& name, const YamlNode& node) {
    data.state[context.symbols.state.at(name.scalar)].code = context.literal(node);
  });
  std::vector<Definition> facts(data.facts.size());
  std::vector<Definition> functions(data.functions.size());
  each_entry(context, documents, "facts", [&](const YamlNode& name, const YamlNode& node) {
    const std::uint32_t index = context.symbols.facts.at(name.scalar);
    facts[index].name = &name;
    facts[index].source = context.source;
    const Run values = versioned(context, node, {}, &facts[index].uses);
    data.facts[index].values = values;
  });
  each_entry(context, documents, "functions", [&](const YamlNode& name, const YamlNode& node) {
    if (!context.only_keys(node, {"args", "value"})) return;
    const std::uint32_t index = context.symbols.functions.at(name.scalar);
    const YamlNode* value = node.find("value");
    if (value == nullptr) return context.error(name, "the function has no value");
    Scope scope;
    for (std::uint32_t i = 0; i < data.functions[index].arity; ++i) {
      scope.slots.emplace_back(node.find("args")->items[i].scalar, data.functions[index].first_slot + i);
    }
    functions[index].name = &name;
    functions[index].source = context.source;
    const Run values = versioned(context, *value, scope, &functions[index].uses);
    data.functions[index].values = values;
  });
  check_recursion(context, facts, functions);
}

namespace {

std::vector<NamedCode> named_code(CompileContext& context, const YamlNode& node) {
  std::vector<NamedCode> out;
  for (const auto& [name, value] : node.entries) {
    out.push_back({context.data.intern(name.scalar), context.value(value, {})});
  }
  return out;
}

void compile_plan(CompileContext& context, const YamlNode& plan) {
  PackData& data = context.data;
  if (!context.only_keys(plan, {"memory", "capacity", "length", "requests", "parts", "sizes", "figures"})) return;
  YamlNode single = plan;
  std::erase_if(single.entries, [](const auto& entry) {
    const std::string& key = entry.first.scalar;
    return key == "parts" || key == "sizes" || key == "figures";
  });
  data.plan = named_code(context, single);
  if (const YamlNode* parts = plan.find("parts")) data.plan_parts = named_code(context, *parts);
  if (const YamlNode* sizes = plan.find("sizes")) data.plan_sizes = named_code(context, *sizes);
  if (const YamlNode* figures = plan.find("figures")) data.plan_figures = named_code(context, *figures);
}

}  // namespace

void compile_parts(CompileContext& context, const std::vector<Document>& documents) {
  PackData& data = context.data;
  const auto named = [&](const YamlNode& node) { return named_code(context, node); };
  for (const Document& document : documents) {
    const YamlNode* pack = document.root.find("pack");
    if (pack == nullptr) continue;
    context.source = document.source;
    if (const YamlNode* parts = pack->find("parts")) {
      for (const auto& [name, stages] : parts->entries) {
        PartRec part;
        part.name = data.intern(name.scalar);
        std::vector<std::uint32_t> order;
        for (const YamlNode& stage : stages.items) {
          const auto at = context.symbols.stages.find(context.scalar(stage));
          if (at != context.symbols.stages.end()) {
            order.push_back(at->second);
            continue;
          }
          std::vector<std::string_view> names;
          for (const auto& [known, index] : context.symbols.stages) names.push_back(known);
          context.error(stage, "no file defines the stage '" + stage.scalar + "'", did_you_mean(stage.scalar, names));
        }
        part.stages = data.add(data.ids, order);
        data.parts.push_back(part);
      }
    }
    if (const YamlNode* models = pack->find("models")) {
      if (context.only_keys(*models, {"model", "draft", "class", "overlay", "merged"})) {
        const auto code = [&](const char* key) {
          const YamlNode* value = models->find(key);
          return value == nullptr ? CodeRef{0} : context.value(*value, {});
        };
        data.about.model_path = code("model");
        data.about.draft_path = code("draft");
        data.about.class_of = code("class");
        data.about.overlay = code("overlay");
        data.about.merged = code("merged");
      }
    }
    if (const YamlNode* summary = pack->find("summary")) data.summary = named(*summary);
    if (const YamlNode* plan = pack->find("plan")) compile_plan(context, *plan);
    if (const YamlNode* layers = pack->find("layers")) data.about.layers = context.value(*layers, {});
  }
  for (const Document& document : documents) {
    const YamlNode* pack = document.root.find("pack");
    const YamlNode* told = pack == nullptr ? nullptr : pack->find("told");
    if (told == nullptr) continue;
    context.source = document.source;
    if (!context.only_keys(*told, {"after", "versions"})) continue;
    const YamlNode* after = told->find("after");
    const auto part = std::find_if(data.parts.begin(), data.parts.end(), [&](const PartRec& p) {
      return after != nullptr && data.text(p.name) == after->scalar;
    });
    if (part == data.parts.end()) {
      context.error(*told, "'told' names no part");
      continue;
    }
    data.about.told_part = static_cast<std::uint32_t>(part - data.parts.begin());
    data.about.told_versions = context.versions(told->find("versions"));
  }
  // Answers belong to parts that may stand in another document.
  for (const Document& document : documents) {
    const YamlNode* pack = document.root.find("pack");
    const YamlNode* answers = pack == nullptr ? nullptr : pack->find("answers");
    if (answers == nullptr) continue;
    context.source = document.source;
    for (const auto& [name, values] : answers->entries) {
      const auto part = std::find_if(data.parts.begin(), data.parts.end(),
                                     [&](const PartRec& p) { return data.text(p.name) == name.scalar; });
      if (part == data.parts.end()) {
        context.error(name, "there is no part '" + name.scalar + "'");
        continue;
      }
      // Several files may add to a part's answers; one of the same name takes the place of the earlier.
      const auto first = data.named.begin() + part->answers.first;
      std::vector<NamedCode> all(first, first + part->answers.count);
      for (const NamedCode& answer : named(values)) {
        std::erase_if(all, [&](const NamedCode& old) { return old.name == answer.name; });
        all.push_back(answer);
      }
      part->answers = data.add(data.named, all);
    }
  }
}

void load_symbols(CompileContext& context) {
  const PackData& data = context.data;
  const auto names = [&data](NameIndex& index, const auto& records) {
    for (std::uint32_t i = 0; i < records.size(); ++i) index.emplace(std::string(data.text(records[i].name)), i);
  };
  names(context.symbols.fields, data.fields);
  names(context.symbols.facts, data.facts);
  names(context.symbols.functions, data.functions);
  names(context.symbols.tables, data.tables);
  names(context.symbols.state, data.state);
  names(context.symbols.envs, data.envs);
  names(context.symbols.stages, data.stages);
  for (const FunctionRec& f : data.functions) context.symbols.arities.push_back(f.arity);
}

}  // namespace gonogo
