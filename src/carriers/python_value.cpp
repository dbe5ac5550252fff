#include "carriers/python_calls.h"

namespace gonogo {

const PythonValue* PythonValue::find(std::string_view key) const {
  for (const auto& [name, value] : entries) {
    if (name == key) return &value;
  }
  return nullptr;
}

std::size_t PythonValue::weight() const {
  std::size_t out = 1 + text.size() / 64;
  for (const PythonValue& item : items) out += item.weight();
  for (const auto& entry : entries) out += entry.second.weight();
  return out;
}

}  // namespace gonogo
