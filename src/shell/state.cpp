#include "shell/state.h"

#include <algorithm>
#include <cstdlib>

namespace gonogo {

namespace {

long number(const std::string& key) { return std::strtol(key.c_str(), nullptr, 10); }

}  // namespace

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
