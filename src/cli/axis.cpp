#include "cli/axis.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/text.h"
#include "facts/gpu.h"
#include "facts/runtime_version.h"
#include "flags/edit.h"
#include "flags/spelling.h"

namespace gonogo {

namespace {

constexpr std::string_view kUnset = "(unset)";
constexpr std::string_view kGpuAxis = "gpu";
constexpr std::string_view kEnvAxis = "env.";

Error usage(std::string what, std::string hint = {}) {
  return {Error::Kind::kUsage, "--vary " + std::move(what), {}, std::move(hint), ""};
}

// Parts `text` at commas that stand in no bracket and no quotes.
std::vector<std::string> parted(std::string_view text) {
  std::vector<std::string> out(1);
  int depth = 0;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{' || c == '(') {
      ++depth;
    } else if (c == ']' || c == '}' || c == ')') {
      --depth;
    } else if (c == ',' && depth <= 0) {
      out.emplace_back();
      continue;
    }
    out.back() += c;
  }
  return out;
}

std::vector<std::string> words_in(const std::string& text) {
  std::vector<std::string> out;
  std::size_t at = 0;
  while ((at = text.find_first_not_of(' ', at)) != std::string::npos) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

// The flag that a name stands for, as the parser would read it, in the newest version that has it.
Reading find_flag(const Pack& pack, std::string_view name) {
  for (std::uint32_t version = pack.version_count(); version-- > 0;) {
    const Reading reading = Spellings(pack, version).read(name);
    if (reading.kind == Reading::Kind::kFlag && !reading.has_value) return reading;
  }
  return {};
}

std::string dashed(std::string name) {
  while (name.starts_with('-')) name.erase(0, 1);
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

class AxisReader {
 public:
  explicit AxisReader(const Pack& pack) : pack_(pack), runtime_(pack.text(pack.about->name)) {}

  Result<Axis> read(const std::string& option) {
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos || equals == 0) {
      return usage("'" + option + "' names no values", "write --vary FLAG=VALUE,VALUE");
    }
    const std::string name = option.substr(0, equals);
    Axis axis;
    if (auto failed = name_axis(name, &axis)) return *failed;
    std::set<std::string> seen;
    for (std::string& text : parted(std::string_view(option).substr(equals + 1))) {
      if (auto failed = add(text, &axis)) return *failed;
    }
    for (const AxisValue& value : axis.values) {
      if (!seen.insert(value.text).second) return usage(name + " has " + value.text + " twice");
    }
    return axis;
  }

 private:
  std::optional<Error> name_axis(const std::string& name, Axis* axis) {
    if (name == kGpuAxis || name == runtime_) {
      axis->kind = name == kGpuAxis ? Axis::Kind::kGpu : Axis::Kind::kVersion;
      axis->name = name;
    } else if (name.starts_with(kEnvAxis)) {
      axis->kind = Axis::Kind::kEnv;
      axis->name = name.substr(kEnvAxis.size());
      if (axis->name.empty()) return usage("env. names no variable", "write --vary env.NAME=VALUE,VALUE");
    } else {
      const Reading flag = find_flag(pack_, dashed(name));
      if (flag.flag == kNoIndex || pack_.flags[flag.flag].field == FlagRec::kNoField) return unknown(name);
      axis->field = pack_.flags[flag.flag].field;
      axis->name = flag.spelling;
      takes_nothing_ = pack_.flags[flag.flag].nargs == 'n';
    }
    return std::nullopt;
  }

  Error unknown(const std::string& name) const {
    const Spellings spellings(pack_, pack_.version_count() - 1);
    std::vector<std::string_view> known = spellings.shown();
    known.push_back(kGpuAxis);
    known.push_back(runtime_);
    return usage(name + ": there is no such flag", did_you_mean(dashed(name), known));
  }

  std::optional<Error> add(std::string& text, Axis* axis) const {
    const bool may_miss = axis->kind == Axis::Kind::kFlag || axis->kind == Axis::Kind::kEnv;
    if (text == kUnset && may_miss) {
      axis->values.push_back({text, true});
      return std::nullopt;
    }
    if (text.empty() && axis->kind != Axis::Kind::kEnv) {
      return usage(axis->name + " has an empty value", may_miss ? "(unset) stands for not giving it" : "");
    }
    if (axis->kind == Axis::Kind::kVersion) return add_versions(text, axis);
    if (axis->kind == Axis::Kind::kGpu && text != "local") {
      if (auto set = gpus_of_option(text, pack_); !set) return set.error();
    }
    if (takes_nothing_ && text != "true" && text != "false") {
      return usage(axis->name + " takes no value, so not '" + text + "'", "write " + axis->name + "=true,false");
    }
    axis->values.push_back({std::move(text), false});
    return std::nullopt;
  }

  std::optional<Error> add_versions(const std::string& text, Axis* axis) const {
    const std::size_t dots = text.find("..");
    std::vector<std::uint32_t> ends;
    for (const std::string& end : {text.substr(0, dots), dots == text.npos ? text : text.substr(dots + 2)}) {
      const std::string wanted = end.starts_with('v') ? end.substr(1) : end;
      ends.push_back(pack_.version_index(wanted));
      if (ends.back() == kNoIndex) {
        return usage(axis->name + ": there is no version '" + end + "'", "there are " + pack_.versions_text());
      }
    }
    if (ends[0] > ends[1]) return usage(axis->name + ": " + text + " ends before it begins");
    for (std::uint32_t v = ends[0]; v <= ends[1]; ++v) axis->values.push_back({std::string(pack_.version(v)), false});
    return std::nullopt;
  }

  const Pack& pack_;
  std::string runtime_;
  bool takes_nothing_ = false;  // the axis at hand is a switch
};

bool same_thing(const Axis& a, const Axis& b) {
  if (a.kind != b.kind) return false;
  return a.kind == Axis::Kind::kFlag ? a.field == b.field : a.name == b.name;
}

// The words that give a flag a value; none where its absence says it.
std::vector<std::string> words_of(const Pack& pack, std::uint32_t version, const Axis& axis, const AxisValue& value) {
  if (value.unset) return {};
  const std::uint32_t row = Spellings(pack, version).find(axis.name);
  const char nargs = row == kNoIndex ? char{0} : pack.flags[row].nargs;
  if (nargs == 'n') {
    if (value.text == "true") return {axis.name};
    if (pack.flags[row].action != FlagAction::kBooleanOptional) return {};
    return {"--no-" + axis.name.substr(2)};
  }
  if (nargs == '*' || nargs == '+') {
    std::vector<std::string> out = words_in(value.text);
    out.insert(out.begin(), axis.name);
    return out;
  }
  if (value.text.starts_with('-') && !looks_like_negative_number(value.text)) return {axis.name + "=" + value.text};
  return {axis.name, value.text};
}

}  // namespace

Result<std::vector<Axis>> read_axes(const Pack& pack, const std::vector<std::string>& options) {
  std::vector<Axis> out;
  std::size_t cells = 1;
  for (const std::string& option : options) {
    auto axis = AxisReader(pack).read(option);
    if (!axis) return axis.error();
    for (const Axis& other : out) {
      if (same_thing(other, *axis)) return usage(axis->name + " is varied twice", "give all its values in one --vary");
    }
    // A product may be too large long before it is complete; it never overflows, since both factors are bounded.
    if (axis->values.size() > kMostCells / cells) {
      return usage("makes more than " + std::to_string(kMostCells) + " launches", "vary less, or fewer values");
    }
    cells *= axis->values.size();
    out.push_back(std::move(*axis));
  }
  return out;
}

Launch with_value(const Pack& pack, std::uint32_t version, Launch launch, const Axis& axis, const AxisValue& value) {
  if (axis.kind == Axis::Kind::kFlag) {
    launch.args =
        edited(launch.args, edits_for(pack, version, launch.args, axis.field, words_of(pack, version, axis, value)));
  } else if (axis.kind == Axis::Kind::kEnv) {
    std::erase_if(launch.env, [&](const auto& set) { return set.first == axis.name; });
    std::erase(launch.unset, axis.name);
    if (value.unset) {
      launch.unset.push_back(axis.name);
    } else {
      launch.env.emplace_back(axis.name, value.text);
    }
  }
  return launch;
}

std::string shown_value(const Pack& pack, const Axis& axis, std::size_t index) {
  const AxisValue& value = axis.values[index];
  const bool secret = axis.kind == Axis::Kind::kFlag  ? is_secret(pack, pack.field_name(axis.field))
                      : axis.kind == Axis::Kind::kEnv ? is_secret(pack, axis.name)
                                                      : false;
  return secret && !value.unset ? "*** " + std::to_string(index + 1) : value.text;
}

}  // namespace gonogo
