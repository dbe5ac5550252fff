// What an evaluator knows of the world: models and their facts, GPUs, the environment.
#include <algorithm>
#include <charconv>
#include <optional>

#include "engine/evaluator.h"
#include "engine/functions.h"
#include "engine/operators.h"
#include "rules/code.h"

namespace gonogo {

namespace {

constexpr int kMaxConfigDepth = 20;

Value lowered(std::string_view text, Arena& arena) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return Value::str(arena.copy(out));
}

// A variable's text by its declared type; an error value where it is none.
Value converted(EnvType type, std::string_view text, Arena& arena) {
  const Value as_text = Value::str(text);
  switch (type) {
    case EnvType::kBool: {
      const std::string_view word = lowered(text, arena).as_str();
      for (const char* yes : {"true", "1", "yes", "y"}) {
        if (word == yes) return Value::boolean(true);
      }
      for (const char* no : {"false", "0", "no", "n"}) {
        if (word == no) return Value::boolean(false);
      }
      return value_error("no truth value");
    }
    case EnvType::kInt:
      return call_builtin(Builtin::kInt, {&as_text, 1}, arena);
    case EnvType::kFloat:
      return call_builtin(Builtin::kFloat, {&as_text, 1}, arena);
    case EnvType::kTuple: {
      const Value comma = Value::str(",");
      const Value parts = call_method(Method::kSplit, as_text, {&comma, 1}, arena);
      auto* items = arena.array<Value>(parts.size());
      for (std::uint32_t i = 0; i < parts.size(); ++i) items[i] = call_method(Method::kStrip, parts[i], {}, arena);
      return Value::tuple(items, parts.size());
    }
    default:
      return as_text;
  }
}

// The name in `classes:` of what holds for every class.
constexpr std::string_view kEveryClass = "*";

Value key_of(const Value& dict, std::string_view key) {
  const Value* found = dict.find(key);
  return found != nullptr ? *found : Value();
}

const Entry* find(const std::vector<Entry>& entries, std::string_view key) {
  const auto at = std::find_if(entries.begin(), entries.end(),
                               [&](const Entry& e) { return e.key.is_str() && e.key.as_str() == key; });
  return at != entries.end() ? &*at : nullptr;
}

// Sets a member; the last one where it is new.
void put(std::string_view key, const Value& value, std::vector<Entry>* entries) {
  for (Entry& e : *entries) {
    if (e.key.is_str() && e.key.as_str() == key) {
      e.value = value;
      return;
    }
  }
  entries->push_back({Value::str(key), value});
}

}  // namespace

Value Evaluator::env_value(std::uint32_t index) const {
  const EnvRec& record = pack_.envs[index];
  if (watch_ != nullptr) watch_->saw(record);
  auto at = state_.env.find(pack_.text(record.name));
  if (at == state_.env.end() && record.former_name != 0) at = state_.env.find(pack_.text(record.former_name));
  if (at == state_.env.end()) {
    for (const StrId name : {StrId{record.name}, record.former_name}) {
      if (name == 0 || world_.env_unknown.empty()) continue;
      const auto open = world_.env_unknown.find(pack_.text(name));
      if (open != world_.env_unknown.end()) return Value::unknown(open->second);
    }
    return runtime_.env_default(index);
  }
  const Value v = converted(record.type, arena_.copy(at->second), arena_);
  return v.is_error() ? runtime_.env_default(index) : v;  // the runtime warns and goes on with the default
}

bool Evaluator::env_is_set(std::uint32_t index) const {
  if (watch_ != nullptr) watch_->saw(pack_.envs[index]);
  const std::string_view name = pack_.text(pack_.envs[index].name);
  return state_.env.find(name) != state_.env.end() || world_.env_unknown.find(name) != world_.env_unknown.end();
}

Value Evaluator::gpu(std::uint32_t attribute) const {
  if (!world_.gpu) return Value::unknown("the GPUs (--gpu)");
  const GpuFacts& g = *world_.gpu;
  switch (static_cast<GpuAttr>(attribute)) {
    case GpuAttr::kName:
      return Value::str(g.name);
    case GpuAttr::kMajor:
      return Value::integer(g.major);
    case GpuAttr::kMinor:
      return Value::integer(g.minor);
    case GpuAttr::kCc:
      return Value::integer(10 * g.major + g.minor);
    case GpuAttr::kMemoryMib:
      return Value::integer(g.memory_mib);
    case GpuAttr::kSmCount:
      return g.sm_count > 0 ? Value::integer(g.sm_count) : Value::unknown("the GPUs' number of multiprocessors");
    case GpuAttr::kCount:
      return Value::integer(g.count);
    case GpuAttr::kVendor:
      return Value::str(g.vendor);
  }
  return {};
}

const ModelFiles& Evaluator::files(Role role) {
  Model& model = models_[static_cast<std::size_t>(role)];
  const Watch::Name name = watch_ != nullptr ? watch_->model(role == Role::kDraft, false) : 0;
  if (!model.found) {
    model.found = true;
    const Watch::Mark mark = watch_ != nullptr ? watch_->begin() : Watch::Mark{};
    FactMemo::Reads* const outer = std::exchange(reads_, nullptr);  // that the files are read is what is noted
    const Value path = eval(role == Role::kModel ? pack_.about->model_path : pack_.about->draft_path);
    reads_ = outer;
    if (path.is_str()) {
      model.files = world_.models->at(path.as_str());
    } else if (path.is_bad()) {
      model.files = {path, path};
    } else {
      model.files = {Value(), Value::dict(nullptr, 0)};
    }
    if (watch_ != nullptr) model.files.config = watch_->end(name, mark, model.files.config);
  } else if (watch_ != nullptr) {
    watch_->reread(name, model.files.config);
  }
  return model.files;
}

Value Evaluator::fact(Role role, std::uint32_t index) {
  Slot& s = facts_of(role)[index];
  if (s.status == SlotStatus::kReady) {
    if (watch_ != nullptr) watch_->reread(watch_->fact(role == Role::kDraft, index), s.value);
    return s.value;
  }
  if (s.status == SlotStatus::kBusy) return value_error("a fact needs itself");
  if (source_ != nullptr) {
    source_->evaluated(role, index);
    if (const Value* known = source_->find(role, index)) {
      s = {*known, 0, SlotStatus::kReady};
      return s.value;
    }
  }
  s.status = SlotStatus::kBusy;
  // A fact is about its own model, whatever asks for it.
  const Role outer = role_;
  role_ = role;
  const bool counting = count_reads(true);
  const Watch::Mark mark = watch_ != nullptr ? watch_->begin() : Watch::Mark{};
  const FactMemo::Name name = memo_ != nullptr ? memo_->fact(role == Role::kDraft, index) : 0;
  Value v = remembered(name, [&] { return eval(runtime_.pick(pack_.facts[index].values)); });
  if (watch_ != nullptr) v = watch_->end(watch_->fact(role == Role::kDraft, index), mark, v);
  count_reads(counting);
  role_ = outer;
  s = {v, 0, SlotStatus::kReady};
  return v;
}

template <typename Evaluate>
Value Evaluator::remembered(FactMemo::Name name, const Evaluate& evaluate) {
  if (memo_ == nullptr) return evaluate();
  FactMemo::Reads* const outer = std::exchange(reads_, nullptr);
  Value v;
  if (const FactMemo::Known* known = still_holding(name)) {
    v = known->value;
  } else {
    FactMemo::Reads reads;
    reads_ = &reads;
    v = evaluate();
    memo_->keep(name, {v, std::move(reads)});
  }
  reads_ = outer;
  return v;
}

const FactMemo::Known* Evaluator::still_holding(FactMemo::Name name) {
  const auto same = [this](const FactMemo::Read& read) {
    const std::uint32_t* code = &read.word;
    return FactMemo::same(node(code), read.value);
  };
  const auto holds = [&same](const FactMemo::Known& known) {
    return std::all_of(known.reads.all().begin(), known.reads.all().end(), same);
  };
  const std::vector<FactMemo::Known>& all = memo_->known(name);
  const auto at = std::find_if(all.begin(), all.end(), holds);
  return at != all.end() ? &*at : nullptr;
}

void Evaluator::share_models(const Evaluator& other) {
  for (std::size_t i = 0; i < models_.size(); ++i) {
    const Model& model = other.models_[i];
    models_[i].files = model.files;
    models_[i].hf = model.hf;
    models_[i].found = model.found;
    models_[i].presented = model.presented;
  }
}

const Value* Evaluator::known_fact(Role role, std::uint32_t index) const {
  const Model& model = models_[static_cast<std::size_t>(role)];
  return !model.facts.empty() && model.facts[index].status == SlotStatus::kReady ? &model.facts[index].value : nullptr;
}

Value Evaluator::hf() {
  Model& model = models_[static_cast<std::size_t>(role_)];
  const Watch::Name name = watch_ != nullptr ? watch_->model(role_ == Role::kDraft, true) : 0;
  if (model.presented) {
    if (watch_ != nullptr) watch_->reread(name, model.hf);
    return model.hf;
  }
  const Watch::Mark mark = watch_ != nullptr ? watch_->begin() : Watch::Mark{};
  model.presented = true;
  const FactMemo::Name memo = memo_ != nullptr ? memo_->hf(role_ == Role::kDraft) : 0;
  const Value hf =
      remembered(memo, [&] { return present_as_class(noted(word(Op::kConfig), files(role_).config), model); });
  return model.hf = watch_ != nullptr ? watch_->end(name, mark, hf) : hf;
}

// `config` as its class presents it, with what the pack lays over that.
Value Evaluator::present_as_class(const Value& config, Model& model) {
  const Value type = pack_.about->class_of != 0 ? eval(pack_.about->class_of) : key_of(config, "model_type");
  if (type.is_bad() || config.is_bad()) return model.hf = config.is_bad() ? config : type;
  model.hf = present(config, type.is_str() ? type.as_str() : std::string_view(), 0);
  if (pack_.about->overlay == 0 || !model.hf.is_dict()) return model.hf;
  const Value over = eval(pack_.about->overlay);
  if (over.is_bad()) return over;
  if (!over.is_dict()) return model.hf;
  return with_overlay(model.hf, over, class_of(type.is_str() ? type.as_str() : ""), true);
}

const ClassRec* Evaluator::class_of(std::string_view model_type) const {
  for (const ClassRec& record : pack_.classes) {
    if (!model_type.empty() && pack_.text(record.model_type) == model_type) return &record;
  }
  return nullptr;
}

// The class that reads a member of a config of class `parent` (null: none): the one that the parent names for it, or
// its own model_type. Nothing where it is no config.
std::optional<std::string_view> Evaluator::nested_class(const ClassRec* parent, const Entry& member) const {
  if (!member.value.is_dict()) return std::nullopt;
  std::optional<std::string_view> type;
  if (const Value* own = member.value.find("model_type")) type = own->is_str() ? own->as_str() : "";
  const auto subs = parent == nullptr ? std::span<const std::uint32_t>() : pack_.slice(parent->subs);
  for (std::size_t s = 0; s + 2 < subs.size(); s += 3) {
    const bool by_own_type = subs[s + 2] != 0 && type;
    if (pack_.text(subs[s]) == member.key.as_str() && !by_own_type) type = pack_.text(subs[s + 1]);
  }
  return type;
}

// `config` as the class of `model_type` presents it. A nested config is presented first: by the class that its parent
// names for it, or by its own model_type.
Value Evaluator::present(const Value& config, std::string_view model_type, int depth) {
  if (!config.is_dict() || depth > kMaxConfigDepth) return config;
  const ClassRec* record = class_of(model_type);
  auto* entries = arena_.array<Entry>(config.size());
  for (std::uint32_t i = 0; i < config.size(); ++i) {
    entries[i] = config.entries()[i];
    if (const auto type = nested_class(record, entries[i]))
      entries[i].value = present(entries[i].value, *type, depth + 1);
  }
  const Value copy = Value::dict(entries, config.size());
  return record != nullptr ? with_class(*record, copy, depth) : with_common(copy);
}

// Every class's second names, where `config` has no class of its own.
Value Evaluator::with_common(const Value& config) {
  std::vector<Entry> out(config.entries(), config.entries() + config.size());
  if (const ClassRec* common = class_of(kEveryClass)) {
    take_aliases(*common, &out);
    give_aliases(*common, &out);
  }
  return dict_of(out);
}

Value Evaluator::with_class(const ClassRec& record, const Value& config, int depth) {
  std::vector<Entry> out(config.entries(), config.entries() + config.size());
  const ClassRec* common = class_of(kEveryClass);
  if (common != nullptr) take_aliases(*common, &out);
  take_aliases(record, &out);
  const auto subs = pack_.slice(record.subs);
  for (std::size_t i = 0; i + 2 < subs.size(); i += 3) {
    const std::string_view type = pack_.text(subs[i + 1]);
    const Entry* at = find(out, pack_.text(subs[i]));
    if (at != nullptr && !at->value.is_none()) continue;
    auto* only = arena_.array<Entry>(1);
    only[0] = {Value::str("model_type"), Value::str(type)};
    put(pack_.text(subs[i]), present(Value::dict(only, 1), type, depth + 1), &out);
  }
  // A default may be computed from what is there by then.
  const Value outer = self_;
  for (const NamedCode& d : pack_.named.subspan(record.defaults.first, record.defaults.count)) {
    if (find(out, pack_.text(d.name)) != nullptr) continue;
    self_ = Value::dict(out.data(), static_cast<std::uint32_t>(out.size()));
    const Value value = eval(d.code);
    out.push_back({Value::str(pack_.text(d.name)), value});
  }
  self_ = outer;
  if (common != nullptr) give_aliases(*common, &out);
  give_aliases(record, &out);
  return dict_of(out);
}

// What stands under a second name counts as standing under the name, where nothing does.
void Evaluator::take_aliases(const ClassRec& record, std::vector<Entry>* config) const {
  const auto names = pack_.slice(record.aliases);
  for (std::size_t i = 0; i + 1 < names.size(); i += 2) {
    const Entry* second = find(*config, pack_.text(names[i]));
    const Entry* first = find(*config, pack_.text(names[i + 1]));
    if (second == nullptr || (first != nullptr && !first->value.is_none())) continue;
    const Value value = second->value;
    put(pack_.text(names[i + 1]), value, config);
  }
}

// Both names show the same.
void Evaluator::give_aliases(const ClassRec& record, std::vector<Entry>* config) const {
  const auto names = pack_.slice(record.aliases);
  for (std::size_t i = 0; i + 1 < names.size(); i += 2) {
    if (const Entry* known = find(*config, pack_.text(names[i + 1]))) {
      const Value value = known->value;
      put(pack_.text(names[i]), value, config);
    }
  }
}

// `config`, presented by the class `record` (null: none), with the members of `over` in place of its own; at the `top`,
// mappings of the pack's merged keys are laid over theirs instead.
Value Evaluator::with_overlay(const Value& config, const Value& over, const ClassRec* record, bool top) {
  std::vector<Entry> out(config.entries(), config.entries() + config.size());
  const Value merged = top ? eval(pack_.about->merged) : Value();
  const auto is_merged = [&](const Value& key) {
    for (std::uint32_t i = 0; merged.is_sequence() && i < merged.size(); ++i) {
      if (equal(merged[i], key)) return true;
    }
    return false;
  };
  for (std::uint32_t i = 0; i < over.size(); ++i) {
    const std::string_view key = over.entries()[i].key.as_str();
    Value value = over.entries()[i].value;
    const Entry* known = find(out, key);
    if (value.is_dict() && known != nullptr && known->value.is_dict() && is_merged(known->key)) {
      const auto type = nested_class(record, *known);
      value = with_overlay(known->value, value, class_of(type.value_or("")), false);
    }
    put(key, value, &out);
    // Setting one of two names sets both.
    for (const ClassRec* of : {class_of(kEveryClass), record}) {
      const auto names = of == nullptr ? std::span<const std::uint32_t>() : pack_.slice(of->aliases);
      for (std::size_t n = 0; n + 1 < names.size(); n += 2) {
        if (pack_.text(names[n]) == key) put(pack_.text(names[n + 1]), value, &out);
        if (pack_.text(names[n + 1]) == key) put(pack_.text(names[n]), value, &out);
      }
    }
  }
  return dict_of(out);
}

Value Evaluator::dict_of(const std::vector<Entry>& entries) {
  auto* copy = arena_.array<Entry>(entries.size());
  std::copy(entries.begin(), entries.end(), copy);
  return Value::dict(copy, static_cast<std::uint32_t>(entries.size()));
}

}  // namespace gonogo
