#include "carriers/python_scope.h"

#include <algorithm>

namespace gonogo {

namespace {

constexpr std::size_t kMaxGiven = 64;  // values of one name that are kept

}  // namespace

void PythonScope::begin_statement(std::size_t indent) {
  indent_ = indent;
  while (!functions_.empty() && functions_.back().indent >= indent_) functions_.pop_back();
}

void PythonScope::enter_function() { functions_.push_back({++counted_, indent_}); }

void PythonScope::put(const std::string& name, PythonValue value, std::size_t indent) {
  std::vector<Given>& all = values_[name];
  // A statement further left, or in the same block, goes before what was given inside of it.
  while (!all.empty() && all.back().function == function() && all.back().indent >= indent) all.pop_back();
  if (all.size() >= kMaxGiven) all.erase(all.begin());
  all.push_back({std::move(value), function(), indent});
}

void PythonScope::give(const std::string& name, PythonValue value) { put(name, std::move(value), indent_); }

void PythonScope::give_parameter(const std::string& name, PythonValue value) {
  put(name, std::move(value), indent_ + 1);
}

PythonScope::Given* PythonScope::given(std::string_view name) {
  const auto it = values_.find(name);
  if (it == values_.end()) return nullptr;
  for (auto value = it->second.rbegin(); value != it->second.rend(); ++value) {
    const bool here = value->function == 0 || std::any_of(functions_.begin(), functions_.end(), [&](const Function& f) {
                        return f.number == value->function;
                      });
    if (here) return &*value;
  }
  return nullptr;
}

const PythonValue* PythonScope::find(std::string_view name) {
  const Given* value = given(name);
  if (value == nullptr) return nullptr;
  const bool sure =
      value->function == function() ? value->indent <= indent_ : value->function != 0 || value->indent == 0;
  return sure ? &value->value : nullptr;
}

PythonValue* PythonScope::latest(std::string_view name, bool* plain) {
  Given* value = given(name);
  if (value == nullptr) return nullptr;
  *plain = value->function == function() && value->indent == indent_;
  return &value->value;
}

}  // namespace gonogo
