#include "cli/host_values.h"

namespace gonogo {

Value path_value(PathKind kind) {
  switch (kind) {
    case PathKind::kAbsent:
      return {};
    case PathKind::kDirectory:
      return Value::str("directory");
    case PathKind::kUnknown:
      return Value::unknown("files of the machine that the launch runs on");
    default:
      return Value::str("file");
  }
}

Value text_value(const FileText& file, Arena& arena) {
  if (file.kind == PathKind::kUnknown) return path_value(file.kind);
  return file.kind == PathKind::kFile ? Value::str(arena.copy(file.text)) : Value();
}

Value importable_value(const Host& host, std::string_view module) {
  const auto known = host.importable(module);
  return known ? Value::boolean(*known) : Value::unknown("the Python packages of the machine that the launch runs on");
}

Value infiniband_value(const Host& host, Arena& arena) {
  const auto devices = host.infiniband();
  if (!devices) return Value::unknown("the InfiniBand devices of the machine that the launch runs on");
  auto* items = arena.array<Value>(devices->size());
  for (std::size_t i = 0; i < devices->size(); ++i) items[i] = Value::str(arena.copy((*devices)[i]));
  return Value::list(items, static_cast<std::uint32_t>(devices->size()));
}

}  // namespace gonogo
