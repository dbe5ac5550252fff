#include "shell/state.h"

#include <algorithm>
#include <cstdlib>

namespace gonogo {

namespace {

long number(const std::string& key) { return std::strtol(key.c_str(), nullptr, 10); }

}  // namespace

bool Variable::same(const Variable& other) const {
  const auto equal = [](const auto& a, const auto& b) {
    return a.first == b.first && a.second.shown() == b.second.shown();
  };
  return shape == other.shape && set == other.set && exported == other.exported && open == other.open &&
         refers_to == other.refers_to && value.defaulted == other.value.defaulted &&
         value.shown() == other.value.shown() &&
         std::equal(elements.begin(), elements.end(), other.elements.begin(), other.elements.end(), equal);
}

bool ShellState::same(const ShellState& other, const std::string& except) const {
  const auto text = [](const Text& a, const Text& b) { return a.shown() == b.shown(); };
  const auto named = [&](const auto& a, const auto& b) {
    return a.first == b.first && (a.first == except || a.second.same(b.second));
  };
  const auto file = [](const auto& a, const auto& b) {
    return a.first == b.first && a.second.size() == b.second.size() && a.second.shown() == b.second.shown();
  };
  return functions == other.functions && exported == other.exported && export_all == other.export_all &&
         aliases.size() == other.aliases.size() &&
         std::equal(arguments.begin(), arguments.end(), other.arguments.begin(), other.arguments.end(), text) &&
         std::equal(variables.begin(), variables.end(), other.variables.begin(), other.variables.end(), named) &&
         std::equal(files.begin(), files.end(), other.files.begin(), other.files.end(), file);
}

const Text* Variable::element(const std::string& key) const {
  if (shape == Shape::kScalar) return set && key == "0" ? &value : nullptr;
  const auto found = std::find_if(elements.begin(), elements.end(), [&](const auto& e) { return e.first == key; });
  return found == elements.end() ? nullptr : &found->second;
}

void Variable::put(const std::string& key, Text text) {
  const auto found = std::find_if(elements.begin(), elements.end(), [&](const auto& e) { return e.first == key; });
  if (found != elements.end()) {
    found->second = std::move(text);
    return;
  }
  auto place = elements.end();
  if (shape == Shape::kIndexed) {
    const long index = number(key);
    while (place != elements.begin() && number((place - 1)->first) > index) --place;
  }
  elements.insert(place, {key, std::move(text)});
}

long Variable::next_index() const { return elements.empty() ? 0 : number(elements.back().first) + 1; }

Text all_arguments(TextOrigin at) {
  Text out;
  out.append(Unknown{Unknown::Kind::kVariable, "${@}", {"@"}}, at);
  return out;
}

bool is_all_arguments(const Text& text) { return text.size() == 1 && !text.known() && text.unknown(0).shown == "${@}"; }

}  // namespace gonogo
