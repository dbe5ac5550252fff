#include "cli/case_runner.h"

#include <algorithm>
#include <utility>

#include "base/json.h"
#include "engine/resolver.h"
#include "facts/gpu.h"
#include "facts/runtime_version.h"
#include "flags/argparse.h"
#include "flags/config_file.h"

namespace gonogo {

namespace {

std::string_view text_of(const Value& object, std::string_view key) {
  const Value* v = object.find(key);
  return v != nullptr && v->is_str() ? v->as_str() : std::string_view();
}

std::vector<std::string> modules(const Pack& pack) {
  std::vector<std::string> out;
  for (const StrId id : pack.slice(pack.about->packages)) out.emplace_back(pack.text(id));
  return out;
}

Error bad(std::string what) { return {Error::Kind::kInput, std::move(what), {}, "see the batch contract", ""}; }

}  // namespace

CaseRunner::CaseRunner(const Pack& pack, std::string version, std::string models_dir, CaseFolders::Missing missing)
    : pack_(pack),
      version_(std::move(version)),
      folders_(pack, std::move(models_dir), missing),
      host_(modules(pack)),
      runtimes_(pack.version_count()) {}

Result<CaseRun> CaseRunner::run(std::string_view line, std::vector<bool>* acted, Fixes* fixes) {
  arena_.reset();
  id_ = Value();
  if (acted != nullptr) acted->clear();
  auto parsed = parse_json(line, "case", arena_);
  if (!parsed) return parsed.error();
  CaseRun out;
  out.input = *parsed;
  if (!out.input.is_dict()) return bad("a case is a JSON object");
  if (const Value* id = out.input.find("id")) id_ = *id;
  auto version = version_of(out.input);
  if (!version) return version.error();
  out.version = *version;
  auto files = files_of(out.input);
  if (!files) return files.error();

  World world;
  if (auto failed = fill_world(out.input, &world)) return std::move(*failed);
  out.env = world.env;
  CaseModels models(*files, arena_);
  CaseHost host(host_, *files, out.input.find("host"));
  world.models = &models;
  world.host = &host;

  Launch& launch = out.launch;
  const Value* argv = out.input.find("argv");
  if (argv == nullptr || !argv->is_sequence()) return bad("a case needs its argv");
  for (std::uint32_t i = 0; i < argv->size(); ++i) launch.args.push_back({to_str((*argv)[i]), {}});
  auto merged = merge_config_file(pack_, *version, &launch);
  std::vector<UsageFinding> refusals;
  if (!merged) {
    refusals.push_back({UsageFinding::Kind::kConfigFile, merged.error().what, merged.error().hint, kNoIndex, {}});
  } else if (*merged) {
    refusals.push_back(**merged);
  }
  if (refusals.empty()) {
    Parsed words = parse(pack_, *version, launch.args, arena_);
    refusals = std::move(words.refusals);
    out.given = std::move(words.given);
  }
  if (!refusals.empty()) {
    out.given.reset();
    out.outcome = refused_by_parser(pack_, std::move(refusals));
    if (fixes != nullptr) *fixes = try_fixes({pack_, world, nullptr, *version, launch.args}, out.outcome);
    return out;
  }
  auto& runtime = runtimes_[*version];
  if (runtime == nullptr) runtime = std::make_unique<Runtime>(pack_, *version);
  out.outcome = resolve(*runtime, world, *out.given, arena_, {.evidence = false, .acted = acted});
  if (fixes != nullptr && out.outcome.verdict == Verdict::kNoGo) {
    *fixes = try_fixes({pack_, world, &*out.given, *version, launch.args}, out.outcome);
  }
  return out;
}

Result<std::uint32_t> CaseRunner::version_of(const Value& input) const {
  std::string wanted = version_;
  if (wanted.empty()) wanted = text_of(input, pack_.text(pack_.about->name));
  if (wanted.empty()) wanted = pack_.version(pack_.version_count() - 1);
  auto version = runtime_version({.option = wanted, .image = {}, .python = nullptr}, pack_);
  if (!version) return version.error();
  return version->index;
}

Result<Value> CaseRunner::files_of(const Value& input) {
  std::vector<Entry> entries;
  const std::string folder(text_of(input, "model"));
  if (!folder.empty()) {
    auto files = folders_.files(folder);
    if (!files) return files.error();
    if (files->is_unknown() && input.find("config") == nullptr) return *files;
    if (files->is_dict()) entries.assign(files->entries(), files->entries() + files->size());
  }
  if (const Value* config = input.find("config")) entries.insert(entries.begin(), {Value::str("config.json"), *config});
  if (const Value* more = input.find("files"); more != nullptr && more->is_dict()) {
    entries.insert(entries.begin(), more->entries(), more->entries() + more->size());
  }
  auto* copy = arena_.array<Entry>(entries.size());
  std::copy(entries.begin(), entries.end(), copy);
  return Value::dict(copy, static_cast<std::uint32_t>(entries.size()));
}

std::optional<Error> CaseRunner::fill_world(const Value& input, World* world) const {
  const Value* count = input.find("gpus");
  const std::int64_t gpus = count != nullptr && count->is_integral() ? count->as_int() : kDefaultGpuCount;
  if (const Value* own = input.find("gpu"); own != nullptr && own->is_dict()) {
    // As a file of GPUs describes one: for GPUs without a profile.
    auto set = gpus_of_json("{\"gpus\":[" + to_json(*own) + "]}", "case");
    if (!set) return set.error();
    const Gpu& gpu = set->gpus.front();
    world->gpu = GpuFacts{gpu.name, gpu.vendor, gpu.major, gpu.minor, gpu.memory_mib, gpu.sm_count, gpus};
  } else {
    std::string key(text_of(input, "gpu"));
    if (key.empty()) key = pack_.text(pack_.about->default_gpu);
    const std::uint32_t index = pack_.find_gpu(key);
    if (index == kNoIndex) return bad("there is no GPU profile '" + key + "'");
    const GpuRec& gpu = pack_.gpus[index];
    world->gpu = GpuFacts{std::string(pack_.text(gpu.name)),
                          std::string(pack_.text(gpu.vendor)),
                          gpu.major,
                          gpu.minor,
                          gpu.memory_mib,
                          gpu.sm_count,
                          gpus};
  }
  const Value* env = input.find("env");
  for (std::uint32_t i = 0; env != nullptr && env->is_dict() && i < env->size(); ++i) {
    world->env[std::string(env->entries()[i].key.as_str())] = to_str(env->entries()[i].value);
  }
  return std::nullopt;
}

}  // namespace gonogo
