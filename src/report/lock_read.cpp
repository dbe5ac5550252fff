// A lock's text back to a Lock. The file may have been merged or edited by hand, so that every member is checked.
#include <limits>

#include "base/json.h"
#include "report/lock.h"

namespace gonogo {

namespace {

constexpr std::size_t kMaxLock = 64u << 20;
constexpr std::int64_t kFormatVersion = 1;
constexpr std::int64_t kMaxGpus = 1024;

class LockReader {
 public:
  LockReader(const Pack& pack, std::string_view file, Lock* lock) : pack_(pack), file_(file), lock_(*lock) {}

  // What is wrong with it, or nothing.
  std::optional<Error> read(const Value& root) {
    const Value& version = member(root, "format_version");
    if (version.is(Kind::kInt) && version.as_int() > kFormatVersion) {
      return Error{Error::Kind::kInput,
                   "the lock has format " + std::to_string(version.as_int()) + ", which a newer gonogo wrote",
                   {std::string(file_), 0, 0},
                   "lock again with this one",
                   ""};
    }
    if (!version.is(Kind::kInt) || version.as_int() != kFormatVersion) bad("format_version");
    lock_.gonogo = text(root, "gonogo");
    const Value& rules = member(root, "rules");
    lock_.pack = text(rules, "name");
    lock_.hash = text(rules, "hash");
    if (!problem_ && lock_.pack != pack_.text(pack_.about->name)) bad("rules.name");
    const Value& launches = list(root, "launches");
    for (std::uint32_t i = 0; i < launches.size() && !problem_; ++i) {
      at_ = "launches[" + std::to_string(i) + "].";
      lock_.launches.push_back(launch(launches[i]));
    }
    return problem_;
  }

 private:
  static constexpr Value kNone{};

  void bad(const std::string& name) {
    if (problem_) return;
    problem_ =
        Error{Error::Kind::kInput,
              "this is no lock that these rules can read: \"" + at_ + name + "\" is missing or not what it must be",
              {std::string(file_), 0, 0},
              "write it anew with gonogo lock",
              ""};
  }

  const Value& member(const Value& in, const char* name) {
    const Value* v = in.find(name);
    return v == nullptr ? kNone : *v;
  }
  std::string text(const Value& in, const char* name, bool may_lack = false) {
    const Value& v = member(in, name);
    if (v.is_str()) return std::string(v.as_str());
    if (!may_lack || !v.is_none()) bad(name);
    return {};
  }
  std::int64_t number(const Value& in, const char* name, std::int64_t most) {
    const Value& v = member(in, name);
    if (v.is(Kind::kInt) && v.as_int() >= 0 && v.as_int() <= most) return v.as_int();
    bad(name);
    return 0;
  }
  const Value& list(const Value& in, const char* name, bool may_lack = false) {
    const Value& v = member(in, name);
    if (v.is_sequence()) return v;
    if (!may_lack || !v.is_none()) bad(name);
    static const Value empty = Value::list(nullptr, 0);
    return empty;
  }
  std::vector<std::string> texts(const Value& in, const char* name, bool may_lack = false) {
    std::vector<std::string> out;
    const Value& items = list(in, name, may_lack);
    for (std::uint32_t i = 0; i < items.size(); ++i) {
      if (!items[i].is_str()) bad(name);
      out.emplace_back(items[i].is_str() ? items[i].as_str() : std::string_view());
    }
    return out;
  }

  GpuSet node(const Value& groups) {
    GpuSet out;
    for (std::uint32_t i = 0; i < groups.size() && groups.is_sequence() && !problem_; ++i) {
      constexpr std::int64_t kMostInt = std::numeric_limits<int>::max();
      Gpu gpu;
      gpu.name = text(groups[i], "name");
      gpu.vendor = text(groups[i], "vendor");
      gpu.major = static_cast<int>(number(groups[i], "major", kMostInt));
      gpu.minor = static_cast<int>(number(groups[i], "minor", kMostInt));
      gpu.memory_mib = number(groups[i], "memory_mib", std::numeric_limits<std::int64_t>::max());
      gpu.sm_count = static_cast<int>(number(groups[i], "sm_count", kMostInt));
      const std::int64_t count = number(groups[i], "count", kMaxGpus);
      out.gpus.insert(out.gpus.end(), static_cast<std::size_t>(count), gpu);
    }
    return out;
  }

  Verdict verdict(const Value& in) {
    const std::string word = text(in, "verdict");
    for (const Verdict v : {Verdict::kGo, Verdict::kNoGo, Verdict::kUnknown}) {
      if (verdict_word(v) == word) return v;
    }
    bad("verdict");
    return Verdict::kUnknown;
  }

  LockedRefusal refusal(const Value& in) {
    LockedRefusal out;
    const std::string phase = text(in, "phase");
    bool known = false;
    for (const Phase p :
         {Phase::kParse, Phase::kResolve, Phase::kInit, Phase::kWeights, Phase::kForward, Phase::kLate}) {
      if (phase_name(p) != phase) continue;
      out.phase = p;
      known = true;
    }
    if (!known) bad("refusals.phase");
    out.rule = text(in, "rule");
    out.message = text(in, "message");
    return out;
  }

  // A value that is not known was written as what it depends on.
  static Value value_of(const Value& written) {
    const Value* what = written.size() == 1 ? written.find("unknown") : nullptr;
    return what != nullptr && what->is_str() ? Value::unknown(what->as_str()) : written;
  }

  std::vector<LockedRow> rows(const Value& in, const char* name) {
    std::vector<LockedRow> out;
    const Value& rows = member(in, name);
    if (!rows.is_dict()) bad(name);
    for (std::uint32_t i = 0; rows.is_dict() && i < rows.size() && !problem_; ++i) {
      const Value& written = rows.entries()[i].value;
      LockedRow& row = out.emplace_back();
      row.name = rows.entries()[i].key.as_str();
      const Value* value = written.find("value");
      if (value == nullptr) bad(name + ("." + row.name));
      if (value != nullptr) row.value = value_of(*value);
      const Value& typed = member(written, "typed");
      row.typed = typed.is(Kind::kBool) && typed.as_bool();
      row.rule = text(written, "rule", true);
      row.pass = text(written, "pass", true);
    }
    return out;
  }

  LockedLaunch launch(const Value& in) {
    LockedLaunch out;
    out.name.file = text(in, "file", true);
    out.name.entry = text(in, "entry");
    out.name.roles = texts(in, "roles", true);
    out.name.conditional = text(in, "conditional", true);
    out.name.sets = texts(in, "sets");
    out.name.args = texts(in, "args");
    out.version = text(in, "version");
    const Value& nodes = list(in, "nodes");
    for (std::uint32_t i = 0; i < nodes.size(); ++i) out.nodes.push_back(node(nodes[i]));
    out.model = text(in, "model");
    out.model_files = text(in, "model_files", true);
    out.verdict = verdict(in);
    const Value& parsed = member(in, "parsed");
    if (!parsed.is(Kind::kBool)) bad("parsed");
    out.parsed = parsed.as_bool();
    out.missing = texts(in, "missing", true);
    const Value& refusals = list(in, "refusals");
    for (std::uint32_t i = 0; i < refusals.size(); ++i) out.refusals.push_back(refusal(refusals[i]));
    out.resolved = rows(in, "resolved");
    for (const LockedRow& row : out.resolved) {
      if (pack_.find_field(row.name.substr(0, row.name.find('.'))) == kNoIndex) bad("resolved." + row.name);
    }
    out.env = rows(in, "env");
    out.built = rows(in, "built");
    return out;
  }

  const Pack& pack_;
  const std::string_view file_;
  Lock& lock_;
  std::string at_;
  std::optional<Error> problem_;
};

}  // namespace

Result<Lock> lock_of_text(const Pack& pack, std::string_view text, std::string_view file) {
  Lock lock;
  JsonLimits limits;
  limits.bytes = kMaxLock;
  const auto root = parse_json(lock.arena->copy(text), file, *lock.arena, limits);
  if (!root) return root.error();
  if (auto problem = LockReader(pack, file, &lock).read(*root)) return *problem;
  return lock;
}

}  // namespace gonogo
