// What an evaluator knows of the world: models and their facts, GPUs, the environment.
#include <algorithm>
#include <charconv>

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

}  // namespace

Value Evaluator::env_value(std::uint32_t index) const {
  const EnvRec& record = pack_.envs[index];
  auto at = state_.env.find(pack_.text(record.name));
  if (at == state_.env.end() && record.former_name != 0) at = state_.env.find(pack_.text(record.former_name));
  if (at == state_.env.end()) {
    for (const StrId name : {record.name, StrId{record.former_name}}) {
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
  if (!model.found) {
    model.found = true;
    const Value path = eval(role == Role::kModel ? pack_.about->model_path : pack_.about->draft_path);
    if (path.is_str()) {
      model.files = world_.models->at(path.as_str());
    } else if (path.is_bad()) {
      model.files = {path, path};
    } else {
      model.files = {Value(), Value::dict(nullptr, 0)};
    }
  }
  return model.files;
}

Value Evaluator::fact(Role role, std::uint32_t index) {
  Model& model = models_[static_cast<std::size_t>(role)];
  if (model.facts.empty()) model.facts.resize(pack_.facts.size());
  Slot& s = model.facts[index];
  if (s.status == SlotStatus::kReady) return s.value;
  if (s.status == SlotStatus::kBusy) return value_error("a fact needs itself");
  s.status = SlotStatus::kBusy;
  // A fact is about its own model and reads the fields as they are now, whatever group asks for it.
  const Role outer = role_;
  const State* view = view_;
  role_ = role;
  view_ = &state_;
  const bool counting = count_reads(true);
  const Value v = eval(runtime_.pick(pack_.facts[index].values));
  count_reads(counting);
  role_ = outer;
  view_ = view;
  s = {v, 0, SlotStatus::kReady};
  return v;
}

const Value* Evaluator::known_fact(Role role, std::uint32_t index) const {
  const Model& model = models_[static_cast<std::size_t>(role)];
  return !model.facts.empty() && model.facts[index].status == SlotStatus::kReady ? &model.facts[index].value : nullptr;
}

Value Evaluator::hf() {
  const Role role = role_;
  const Value config = files(role).config;
  Model& model = models_[static_cast<std::size_t>(role)];
  if (!model.presented) {
    model.presented = true;
    const Value* type = config.find("model_type");
    model.hf = present(config, type != nullptr && type->is_str() ? type->as_str() : std::string_view(), 0);
  }
  return model.hf;
}

// `config` as the class of `model_type` presents it; nested configs first, by their own model_type.
Value Evaluator::present(const Value& config, std::string_view model_type, int depth) {
  if (!config.is_dict() || depth > kMaxConfigDepth) return config;
  auto* entries = arena_.array<Entry>(config.size());
  for (std::uint32_t i = 0; i < config.size(); ++i) {
    entries[i] = config.entries()[i];
    const Value* type = entries[i].value.find("model_type");
    if (type != nullptr) {
      entries[i].value = present(entries[i].value, type->is_str() ? type->as_str() : std::string_view(), depth + 1);
    }
  }
  const Value copy = Value::dict(entries, config.size());
  for (const ClassRec& record : pack_.classes) {
    if (!model_type.empty() && pack_.text(record.model_type) == model_type) return with_class(record, copy, depth);
  }
  return copy;
}

Value Evaluator::with_class(const ClassRec& record, const Value& config, int depth) {
  std::vector<Entry> out(config.entries(), config.entries() + config.size());
  const auto find = [&out](std::string_view key) {
    return std::find_if(out.begin(), out.end(),
                        [&](const Entry& e) { return e.key.is_str() && e.key.as_str() == key; });
  };
  const auto renames = pack_.slice(record.renames);
  for (std::size_t i = 0; i + 1 < renames.size(); i += 2) {
    const auto old = find(pack_.text(renames[i]));
    if (old == out.end()) continue;
    const Value value = old->value;
    out.erase(old);
    const auto known = find(pack_.text(renames[i + 1]));
    if (known != out.end()) {
      known->value = value;
    } else {
      out.push_back({Value::str(pack_.text(renames[i + 1])), value});
    }
  }
  const auto subs = pack_.slice(record.subs);
  for (std::size_t i = 0; i + 1 < subs.size(); i += 2) {
    const std::string_view key = pack_.text(subs[i]);
    const std::string_view type = pack_.text(subs[i + 1]);
    const auto at = find(key);
    if (at == out.end() || at->value.is_none()) {
      auto* only = arena_.array<Entry>(1);
      only[0] = {Value::str("model_type"), Value::str(type)};
      const Value made = present(Value::dict(only, 1), type, depth + 1);
      if (at != out.end()) {
        at->value = made;
      } else {
        out.push_back({Value::str(key), made});
      }
    } else if (at->value.is_dict() && at->value.find("model_type") == nullptr) {
      at->value = present(at->value, type, depth + 1);
    }
  }
  // A default may be computed from what is there by then.
  const Value outer = self_;
  for (const NamedCode& d : pack_.named.subspan(record.defaults.first, record.defaults.count)) {
    if (find(pack_.text(d.name)) != out.end()) continue;
    self_ = Value::dict(out.data(), static_cast<std::uint32_t>(out.size()));
    const Value value = eval(d.code);
    out.push_back({Value::str(pack_.text(d.name)), value});
  }
  self_ = outer;
  auto* entries = arena_.array<Entry>(out.size());
  std::copy(out.begin(), out.end(), entries);
  return Value::dict(entries, static_cast<std::uint32_t>(out.size()));
}

}  // namespace gonogo
