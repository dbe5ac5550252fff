// Tracer: what assignments do to variables.
#include <algorithm>
#include <utility>

#include "shell/tracer.h"

namespace gonogo {

namespace {

using Shape = Variable::Shape;

}  // namespace

// A whole assigned result takes the name that it is assigned to.
Text Tracer::named(const std::string& name, Text value) const {
  if (value.size() != 1 || value.known()) return value;
  const Unknown& unknown = value.unknown(0);
  const bool special = unknown.kind == Unknown::Kind::kScriptFolder || unknown.kind == Unknown::Kind::kScriptPath;
  if (unknown.kind != Unknown::Kind::kResult && !special) return value;
  const TextOrigin at = value.origin(0);
  Text out;
  for (const auto& [called, known] : input_.known) {
    if (called == name) return Text(known);
  }
  out.append(Unknown{special ? unknown.kind : Unknown::Kind::kVariable, "${" + name + "}", {name}}, at);
  return out;
}

void Tracer::assign(const std::string& name, Text value, bool append) {
  Variable& var = variable(name);
  value = append ? std::move(value) : named(name, std::move(value));
  if (var.shape != Shape::kScalar) {
    if (append && var.element("0") != nullptr) {
      Text joined = *var.element("0");
      joined.append(value);
      value = std::move(joined);
    }
    var.put("0", std::move(value));
  } else if (append && var.set) {
    var.value.append(value);
  } else {
    var.value = std::move(value);
  }
  var.set = true;
  var.given = true;
  var.exported = var.exported || state_.export_all || state_.exported.count(name) > 0;
  ++var.version;
  if (var.value.size() > limits_.bytes) {
    note("a value of more than " + std::to_string(limits_.bytes >> 20) + " MiB is left out");
    end_ = true;
  }
}

void Tracer::set_unknown(const std::string& name) {
  Text value;
  value.append(Unknown{Unknown::Kind::kVariable, "${" + name + "}", {name}}, {});
  assign(name, std::move(value));
}

void Tracer::assign(const Assignment& assignment, bool) {
  if (!assignment.array && !assignment.indexed) {
    return assign(assignment.name, expand_text(assignment.value, true), assignment.append);
  }
  if (!assignment.array) {
    Text value = expand_text(assignment.value, true);
    Variable& declared = variable(assignment.name);
    std::string key;
    if (declared.shape == Shape::kAssociative) {
      key = expand_text(assignment.index).shown();
    } else {
      bool defaulted = false;
      const ArithmeticResult index = arithmetic(assignment.index, &defaulted);
      Variable& var = variable(assignment.name);
      if (var.shape == Shape::kScalar) {
        if (var.set) var.elements = {{"0", var.value}};
        var.shape = Shape::kIndexed;
      }
      if (!index.value.has_value()) {
        var.open = true;
        return;
      }
      key = std::to_string(*index.value < 0 ? var.next_index() + *index.value : *index.value);
    }
    Variable& var = variable(assignment.name);
    if (assignment.append && var.element(key) != nullptr) {
      Text joined = *var.element(key);
      joined.append(value);
      value = std::move(joined);
    }
    if (var.elements.size() < kMaxWords) var.put(key, std::move(value));
    var.set = true;
    var.given = true;
    ++var.version;
    return;
  }
  std::vector<std::pair<std::optional<Text>, Text>> made;
  for (const Assignment::Element& element : assignment.elements) {
    if (element.keyed) {
      made.emplace_back(expand_text(element.key), expand_text(element.value, true));
    } else {
      for (Text& text : expand_words({element.value})) made.emplace_back(std::nullopt, std::move(text));
    }
    if (made.size() > kMaxWords) break;
  }
  Variable& var = variable(assignment.name);
  if (var.shape == Shape::kScalar) {
    var.elements.clear();
    if (var.set && assignment.append) var.elements.push_back({"0", var.value});
    var.shape = Shape::kIndexed;
  } else if (!assignment.append) {
    var.elements.clear();
  }
  var.open = var.open && assignment.append;
  if (made.size() == 1 && !made[0].first.has_value() && made[0].second.size() == 1 && !made[0].second.known() &&
      made[0].second.unknown(0).kind == Unknown::Kind::kResult && var.elements.empty()) {
    var.open = true;  // as many elements as something will print
  } else {
    long next = var.next_index();
    for (auto& [key, value] : made) {
      if (var.elements.size() >= kMaxWords) break;
      if (key.has_value() && var.shape == Shape::kIndexed) {
        bool defaulted = false;
        const ArithmeticResult index = evaluate_arithmetic(key->chars(), arithmetic_names(&defaulted));
        next = index.value.has_value() ? static_cast<long>(*index.value) : next;
      }
      var.put(key.has_value() && var.shape == Shape::kAssociative ? key->shown() : std::to_string(next++),
              std::move(value));
    }
  }
  var.set = true;
  var.given = true;
  ++var.version;
}

}  // namespace gonogo
