#include "facts/gpu.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/arena.h"
#include "base/json.h"
#include "base/text.h"
#include "base/value.h"

namespace gonogo {

namespace {

constexpr std::string_view kNvidia = "nvidia";
constexpr int kMaxCount = 1024;
constexpr std::size_t kFileLimit = 1u << 20;

Error usage(std::string what, std::string hint) {
  return {Error::Kind::kUsage, std::move(what), {}, std::move(hint), {}};
}

const GpuRec* find_profile(const Pack& pack, std::string_view key) {
  for (const GpuRec& gpu : pack.gpus) {
    if (pack.text(gpu.key) == key) return &gpu;
  }
  return nullptr;
}

// The count behind the last `x`, where digits and nothing else follow; nullopt for anything else.
std::optional<long> count_of(std::string_view digits) {
  long count = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (digits.empty() || fault == std::errc::invalid_argument || end != digits.data() + digits.size()) {
    return std::nullopt;
  }
  return fault == std::errc() ? count : kMaxCount + 1L;
}

std::string all_profiles(const Pack& pack) {
  std::string out;
  for (const GpuRec& gpu : pack.gpus) out += (out.empty() ? "" : ", ") + std::string(pack.text(gpu.key));
  return out;
}

Error unknown_profile(std::string_view key, std::string_view spec, const Pack& pack) {
  std::vector<std::string_view> keys;
  for (const GpuRec& gpu : pack.gpus) keys.push_back(pack.text(gpu.key));
  // "rtx4091" splits into a key and a count too, so the whole word is tried as well.
  std::string hint = did_you_mean(key, keys);
  if (hint.empty()) hint = did_you_mean(spec, keys);
  if (!hint.empty()) hint += " ";
  return usage("there is no GPU profile \"" + std::string(key) + "\"",
               hint + "Profiles: " + all_profiles(pack) + "; a file's name ends in .json");
}

// Reads one member of a file's GPU and says what is wrong with it.
class Member {
 public:
  Member(const Value& gpu, std::string_view file, std::size_t index) : gpu_(gpu), file_(file), index_(index) {}

  std::optional<Error> text(std::string_view key, bool required, std::string& to) const {
    const Value* v = gpu_.find(key);
    if (v == nullptr || v->is_none()) return required ? missing(key) : std::nullopt;
    if (!v->is_str()) return wrong(key, "a text", *v);
    to = v->as_str();
    return std::nullopt;
  }

  std::optional<Error> number(std::string_view key, bool required, std::int64_t limit, std::int64_t& to) const {
    const Value* v = gpu_.find(key);
    if (v == nullptr || v->is_none()) return required ? missing(key) : std::nullopt;
    if (!v->is(Kind::kInt) || v->as_int() < 0 || v->as_int() > limit) {
      return wrong(key, "an integer from 0 to " + std::to_string(limit), *v);
    }
    to = v->as_int();
    return std::nullopt;
  }

  std::optional<Error> capability(Gpu& to) const {
    constexpr std::string_view kKey = "compute_capability";
    const Value* v = gpu_.find(kKey);
    if (to.vendor != kNvidia)
      return std::nullopt;  // PyTorch reports a pair for others too, which is no CUDA generation
    if (v == nullptr) return missing(kKey);
    const auto small = [](const Value& i) { return i.is(Kind::kInt) && i.as_int() >= 0 && i.as_int() < 1000; };
    if (!v->is_sequence() || v->size() != 2 || !small((*v)[0]) || !small((*v)[1])) {
      return wrong(kKey, "a pair such as [10, 0]", *v);
    }
    to.major = static_cast<int>((*v)[0].as_int());
    to.minor = static_cast<int>((*v)[1].as_int());
    return std::nullopt;
  }

 private:
  Error error(std::string_view key, const std::string& what, std::string hint = {}) const {
    return {Error::Kind::kInput,
            "gpus[" + std::to_string(index_) + "]." + std::string(key) + what,
            {std::string(file_)},
            std::move(hint),
            {}};
  }

  std::optional<Error> missing(std::string_view key) const {
    std::vector<std::string_view> keys;
    for (std::uint32_t i = 0; i < gpu_.size(); ++i) keys.push_back(gpu_.entries()[i].key.as_str());
    const std::string_view near = nearest(key, keys);
    return error(key, " is missing", near.empty() ? "" : "it has \"" + std::string(near) + "\"");
  }

  std::optional<Error> wrong(std::string_view key, const std::string& wanted, const Value& is) const {
    std::string shown = to_json(is);
    if (shown.size() > 60) shown = std::string(type_name(is));
    return error(key, " must be " + wanted + ", not " + shown);
  }

  const Value& gpu_;
  std::string_view file_;
  std::size_t index_;
};

}  // namespace

bool same_kind(const Gpu& a, const Gpu& b) {
  return a.name == b.name && a.vendor == b.vendor && a.major == b.major && a.minor == b.minor &&
         a.memory_mib == b.memory_mib && a.sm_count == b.sm_count;
}

bool GpuSet::uniform() const {
  return std::all_of(gpus.begin(), gpus.end(), [&](const Gpu& gpu) { return same_kind(gpu, gpus.front()); });
}

std::string GpuSet::text() const {
  if (gpus.empty()) return "no GPU";
  std::string out;
  for (std::size_t i = 0; i < gpus.size();) {
    std::size_t end = i + 1;
    while (end < gpus.size() && same_kind(gpus[i], gpus[end])) ++end;
    if (!out.empty()) out += ", ";
    if (end - i > 1 || gpus.size() == 1) out += std::to_string(end - i) + " x ";
    out += gpus[i].name + " (" + std::to_string(gpus[i].memory_mib) + " MiB)";
    i = end;
  }
  return out;
}

Result<GpuSet> gpus_of_profile(std::string_view spec, const Pack& pack) {
  std::string word(spec);
  for (char& c : word) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  std::string key = word;
  long count = kDefaultGpuCount;
  bool counted = false;
  const GpuRec* profile = find_profile(pack, word);  // first the whole: keys may end like a count
  if (const std::size_t x = word.rfind('x'); profile == nullptr && x != std::string::npos && x > 0) {
    if (const std::optional<long> written = count_of(std::string_view(word).substr(x + 1))) {
      key = word.substr(0, x);
      count = *written;
      counted = true;
      profile = find_profile(pack, key);
    }
  }
  if (profile == nullptr) {
    // "8xb200"
    const std::size_t x = word.find('x');
    if (x != std::string::npos && count_of(std::string_view(word).substr(0, x)) &&
        find_profile(pack, std::string_view(word).substr(x + 1)) != nullptr) {
      return usage("\"" + std::string(spec) + "\" names no GPUs",
                   "did you mean " + word.substr(x + 1) + "x" + word.substr(0, x) + "?");
    }
    return unknown_profile(key, word, pack);
  }
  if (count < 1 || count > kMaxCount) {
    return usage("\"" + std::string(spec) + "\": the number of GPUs on a node must be from 1 to 1024",
                 "did you mean " + key + "x" + std::to_string(kDefaultGpuCount) + "?");
  }
  Gpu gpu;
  gpu.name = pack.text(profile->name);
  gpu.vendor = pack.text(profile->vendor);
  gpu.major = static_cast<int>(profile->major);
  gpu.minor = static_cast<int>(profile->minor);
  gpu.memory_mib = profile->memory_mib;
  gpu.sm_count = static_cast<int>(profile->sm_count);
  GpuSet set;
  set.gpus.assign(static_cast<std::size_t>(count), gpu);
  set.source = "profile " + key;
  if (!counted) set.source += ", " + std::to_string(count) + " of them since no count is written";
  return set;
}

Result<GpuSet> gpus_of_file(const std::string& path) {
  const Result<std::string> text = read_file(path, kFileLimit);
  if (!text) return text.error();
  Result<GpuSet> set = gpus_of_json(*text, path);
  if (set && set->source != path) set->source = path + ", " + set->source;
  return set;
}

Result<GpuSet> gpus_of_option(std::string_view value, const Pack& pack) {
  const bool file =
      value.find('/') != std::string_view::npos || (value.size() > 5 && value.substr(value.size() - 5) == ".json");
  return file ? gpus_of_file(std::string(value)) : gpus_of_profile(value, pack);
}

std::string gpus_to_json(const GpuSet& set, bool pretty) {
  Arena arena;
  Value* gpus = arena.array<Value>(set.gpus.size());
  for (std::size_t i = 0; i < set.gpus.size(); ++i) {
    const Gpu& gpu = set.gpus[i];
    Value* pair = arena.array<Value>(2);
    pair[0] = Value::integer(gpu.major);
    pair[1] = Value::integer(gpu.minor);
    Entry* entries = arena.array<Entry>(6);
    std::uint32_t size = 0;
    const auto add = [&](std::string_view key, Value value) { entries[size++] = {Value::str(key), value}; };
    add("name", Value::str(gpu.name));
    add("vendor", Value::str(gpu.vendor));
    if (gpu.vendor == kNvidia) add("compute_capability", Value::list(pair, 2));
    add("memory_mib", Value::integer(gpu.memory_mib));
    if (gpu.sm_count > 0) add("sm_count", Value::integer(gpu.sm_count));
    if (!gpu.uuid.empty()) add("uuid", Value::str(gpu.uuid));
    gpus[i] = Value::dict(entries, size);
  }
  const Entry top[] = {
      {Value::str("format_version"), Value::integer(1)},
      {Value::str("source"), Value::str(set.source)},
      {Value::str("gpus"), Value::list(gpus, static_cast<std::uint32_t>(set.gpus.size()))},
  };
  return to_json(Value::dict(top, 3), pretty);
}

Result<GpuSet> gpus_of_json(std::string_view text, std::string_view file) {
  const auto failed = [&](std::string what, std::string hint = {}) {
    return Error{Error::Kind::kInput, std::move(what), {std::string(file)}, std::move(hint), {}};
  };
  constexpr std::string_view kHint = "`gonogo gpu --format json` writes such a file on the machine with the GPUs";
  Arena arena;
  const Result<Value> top = parse_json(text, file, arena, {kFileLimit, 10});
  if (!top) return top.error();
  const Value* gpus = top->find("gpus");
  if (gpus == nullptr || !gpus->is_sequence()) return failed("holds no list \"gpus\"", std::string(kHint));
  if (const Value* format = top->find("format_version"); format != nullptr && !equal(*format, Value::integer(1))) {
    return failed("has format_version " + to_json(*format) + "; this program reads 1");
  }
  if (gpus->size() > kMaxCount) return failed("lists more than " + std::to_string(kMaxCount) + " GPUs");
  GpuSet set;
  set.source = file;
  if (const Value* source = top->find("source"); source != nullptr && source->is_str()) {
    set.source = source->as_str();
  }
  for (std::uint32_t i = 0; i < gpus->size(); ++i) {
    const Value& item = (*gpus)[i];
    if (!item.is_dict()) return failed("gpus[" + std::to_string(i) + "] must be an object", std::string(kHint));
    const Member member(item, file, i);
    Gpu gpu;
    gpu.vendor = kNvidia;
    std::int64_t sm_count = 0;
    for (const std::optional<Error>& error :
         {member.text("name", true, gpu.name), member.text("vendor", false, gpu.vendor), member.capability(gpu),
          member.number("memory_mib", true, std::int64_t{1} << 40, gpu.memory_mib),
          member.number("sm_count", false, 1'000'000, sm_count), member.text("uuid", false, gpu.uuid)}) {
      if (error) return *error;
    }
    gpu.sm_count = static_cast<int>(sm_count);
    set.gpus.push_back(std::move(gpu));
  }
  return set;
}

}  // namespace gonogo
