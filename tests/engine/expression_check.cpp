#include "engine/expression_check.h"

#include <cmath>
#include <istream>
#include <limits>

#include "base/json.h"
#include "engine/evaluator.h"
#include "rules/compiler.h"
#include "rules/walk.h"

namespace gonogo::test {

namespace {

// A recorded value: {"tuple": […]}, {"float": "inf"} and {"dict": [[key, value], …]} stand for what JSON lacks.
Value decoded(const Value& v, Arena& arena) {
  if (v.is(Kind::kList)) {
    auto* items = arena.array<Value>(v.size());
    for (std::uint32_t i = 0; i < v.size(); ++i) items[i] = decoded(v[i], arena);
    return Value::list(items, v.size());
  }
  if (const Value* list = v.find("tuple")) {
    const Value items = decoded(*list, arena);
    return Value::tuple(items.items(), items.size());
  }
  if (const Value* text = v.find("float")) {
    const double inf = std::numeric_limits<double>::infinity();
    return Value::real(text->as_str() == "inf" ? inf : text->as_str() == "-inf" ? -inf : std::nan(""));
  }
  if (const Value* pairs = v.find("dict")) {
    auto* entries = arena.array<Entry>(pairs->size());
    for (std::uint32_t i = 0; i < pairs->size(); ++i) {
      entries[i] = {decoded((*pairs)[i][0], arena), decoded((*pairs)[i][1], arena)};
    }
    return Value::dict(entries, pairs->size());
  }
  return v;
}

bool same(const Value& want, const Value& got) {
  if (want.is(Kind::kFloat) && got.is(Kind::kFloat) && std::isnan(want.as_double())) return std::isnan(got.as_double());
  return identical(want, got);
}

class NoModels : public Models {
 public:
  ModelFiles at(std::string_view) override { return {}; }
};

// `text` in a YAML double-quoted scalar.
std::string quoted(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

// A pack whose fields are the names and whose only fact is the expression.
std::string pack_text(const Value& names, std::string_view expression) {
  std::string out = "pack: {name: p, versions: [\"1\"]}\nfields:\n";
  for (std::uint32_t i = 0; i < names.size(); ++i) out += "  " + quoted(names.entries()[i].key.as_str()) + ": null\n";
  return out + "facts:\n  it: " + quoted("= " + std::string(expression)) + "\n";
}

}  // namespace

ExpressionReport check_expressions(std::istream& in) {
  ExpressionReport report;
  Arena arena;
  std::string line;
  std::getline(in, line);
  const Value names = decoded(*parse_json(arena.copy(line), "names", arena)->find("names"), arena);
  while (std::getline(in, line)) {
    const Value record = *parse_json(arena.copy(line), "case", arena);
    const std::string text(record.find("text")->as_str());
    const Value* error = record.find("error");
    ++report.compared;
    report.texts.push_back(text);
    const auto differ = [&](const std::string& got) {
      const std::string want =
          error != nullptr ? std::string(error->as_str()) : to_repr(decoded(*record.find("value"), arena));
      report.differences.push_back(std::string(record.find("group")->as_str()) + ": " + text + ": want " + want +
                                   ", got " + got);
    };
    const CompiledPack compiled = compile_pack({{"p.yaml", pack_text(names, text)}}, nullptr);
    if (!compiled.errors.empty()) {
      // Two refusals of the compiler stand for what Python says later: a TypeError, and an == that is always False.
      const std::string& what = compiled.errors[0].what;
      const bool type_error = error != nullptr && error->as_str() == "TypeError";
      const bool never = error == nullptr && what.find("never holds") != std::string::npos;
      // A random expression may hold a TypeError that Python never reaches.
      const bool unreached = record.find("group")->as_str() == "random";
      if (unreached && !type_error) ++report.refused_early;
      if (!type_error && !never && !unreached) differ("at compile time: " + compiled.errors[0].what);
      continue;
    }
    const Pack pack = *Pack::open(compiled.blob);
    Runtime runtime(pack, 0);
    NoModels models;
    World world;
    world.models = &models;
    State state;
    for (const FieldRec& field : pack.fields) state.fields.push_back(*names.find(pack.text(field.name)));
    state.given = state.fields;
    state.typed.resize(state.fields.size());
    Evaluator evaluator(runtime, world, state, arena);
    const Value got = evaluator.eval(runtime.pick(pack.facts[0].values));
    if (error != nullptr ? !got.is_error() || error_name(got.error_kind()) != error->as_str()
                         : !same(decoded(*record.find("value"), arena), got)) {
      differ(to_repr(got));
    }
    // What is printed for people must be the same expression.
    const std::string printed = unparse(pack, runtime.pick(pack.facts[0].values));
    const CompiledPack again = compile_pack({{"p.yaml", pack_text(names, printed)}}, nullptr);
    const bool round_trip =
        again.errors.empty() &&
        unparse(*Pack::open(again.blob),
                Runtime(*Pack::open(again.blob), 0).pick(Pack::open(again.blob)->facts[0].values)) == printed;
    if (!round_trip) differ("printed as " + printed + ", which reads otherwise");
  }
  return report;
}

}  // namespace gonogo::test
