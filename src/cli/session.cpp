#include "cli/session.h"

#include <algorithm>

#include "cli/local_world.h"
#include "engine/resolver.h"
#include "facts/gpu_probe.h"
#include "flags/argparse.h"
#include "flags/config_file.h"
#include "rules/code.h"
#include "rules/compiler.h"

namespace gonogo {

namespace {

// The GPUs of each node; empty where none are named and this machine has no driver.
Result<std::vector<GpuSet>> find_gpus(const Pack& pack, const std::vector<std::string>& named, const Environment& env,
                                      bool elsewhere, bool* local) {
  std::vector<GpuSet> out;
  std::vector<std::string> wanted = named;
  const bool implied = wanted.empty();
  if (implied && elsewhere) return out;
  if (implied) wanted.emplace_back("local");
  for (const std::string& name : wanted) {
    if (name != "local") {
      auto set = gpus_of_option(name, pack);
      if (!set) return set.error();
      out.push_back(std::move(*set));
      continue;
    }
    auto probed = local_gpus(env);
    if (!probed) return probed.error();
    if (!*probed && !implied) {
      return Error{Error::Kind::kInput, "this machine has no NVIDIA driver", {}, "name a profile: --gpu b200x8", ""};
    }
    if (*probed) {
      *local = true;
      out.push_back(std::move(**probed));
    }
  }
  return out;
}

// The nodes as one kind of GPU: of unlike ones, the first one's kind and the smallest memory.
std::optional<GpuFacts> as_facts(const std::vector<GpuSet>& nodes) {
  if (nodes.empty() || nodes[0].gpus.empty()) return std::nullopt;
  const Gpu& first = nodes[0].gpus[0];
  GpuFacts out{first.name,
               first.vendor,
               first.major,
               first.minor,
               first.memory_mib,
               first.sm_count,
               static_cast<std::int64_t>(nodes[0].gpus.size())};
  for (const GpuSet& node : nodes) {
    for (const Gpu& gpu : node.gpus) out.memory_mib = std::min(out.memory_mib, gpu.memory_mib);
  }
  return out;
}

Environment environment_of(const Launch& launch) {
  Environment::Assignments assignments;
  for (const std::string& name : launch.unset) assignments.emplace_back(name, std::nullopt);
  for (const auto& [name, value] : launch.env) assignments.emplace_back(name, value);
  return Environment(std::move(assignments),
                     launch.clear_env ? Environment::Below::kNothing : Environment::Below::kProcess);
}

void load_env(const Pack& pack, const Environment& env, World* world) {
  for (const EnvRec& record : pack.envs) {
    for (const StrId id : {StrId{record.name}, record.former_name}) {
      if (id == 0 || id >= kColdText) continue;  // no expression reads a variable with a cold name
      if (auto value = env.get(pack.text(id))) world->env.emplace(pack.text(id), std::move(*value));
    }
  }
}

// Where the launch says its model lies: the value of the field that the pack's model path reads.
std::string model_path(const Pack& pack, const Given& given) {
  const std::uint32_t w = pack.code[pack.about->model_path];
  if (pack.about->model_path == 0 || op_of(w) != Op::kField) return {};
  const Value& v = given.value(operand_of(w));
  return v.is_str() ? std::string(v.as_str()) : std::string();
}

// A word that may add any flag: what would be GO without it is not known.
void leave_open(const std::string& unknown, Outcome* outcome) {
  auto& missing = outcome->missing;
  if (std::find(missing.begin(), missing.end(), unknown) == missing.end()) missing.push_back(unknown);
  if (outcome->verdict == Verdict::kGo) outcome->verdict = Verdict::kUnknown;
}

// Where the command may start something else than the runtime, what it is depends on its model; refusals that rest on
// its being the runtime are then uncertain, those of the parser among them.
void leave_open_what_starts(const std::string& model, Session* s) {
  const Launch& launch = s->launch;
  const bool by_model = launch.started == Started::kByModel;
  if (launch.started == Started::kRuntime || (by_model && s->models->at(model).config.is_dict())) return;
  s->sure_start = false;
  const std::string unknown =
      by_model ? "what the command starts for this model: its config.json (--model-config), or " + launch.chosen_by
               : "what the command starts, which is the runtime only with " + launch.chosen_by;
  for (Finding& f : s->outcome.findings) {
    f.certain = false;
    f.depends_on = unknown;
  }
  s->outcome.missing = {unknown};
  s->outcome.verdict = Verdict::kUnknown;
}

void find_fixes(Session* s) {
  const FixSearch search{s->pack,          s->world,       s->given ? &*s->given : nullptr,
                         s->version.index, s->launch.args, s->launch.own_flags};
  s->fixes = try_fixes(search, s->outcome);
}

}  // namespace

Result<Pack> load_pack(const std::string& rules, std::string* blob, std::vector<Error>* errors) {
  if (rules.empty()) return Pack::embedded();
  auto sources = read_pack_sources(rules);
  if (!sources) return sources.error();
  CompiledPack compiled = compile_pack(*sources, &Pack::embedded());
  if (!compiled.errors.empty()) {
    *errors = std::move(compiled.errors);
    return errors->front();
  }
  *blob = std::move(compiled.blob);
  return Pack::open(*blob);
}

Result<std::unique_ptr<Session>> check_launch(const Pack& pack, const SessionOptions& options) {
  auto session = std::make_unique<Session>();
  session->pack = pack;
  if (options.launch) {
    session->launch = *options.launch;
  } else {
    auto launch = read_command(session->pack, options.command);
    if (!launch) return launch.error();
    session->launch = std::move(*launch);
  }
  const Environment env = environment_of(session->launch);
  const std::string program = session->launch.program.empty() ? "" : session->launch.program[0].text;
  std::optional<PythonEnv> python;
  if (!options.elsewhere) python = PythonEnv::find({.program = program, .root = {}}, env);
  auto version = runtime_version({options.version, options.image, python ? &*python : nullptr}, session->pack);
  if (!version) return version.error();
  session->version = *version;

  bool local = false;
  auto nodes = find_gpus(session->pack, options.gpus, env, options.elsewhere, &local);
  if (!nodes) return nodes.error();
  session->nodes = std::move(*nodes);
  session->world.gpu = as_facts(session->nodes);
  load_env(session->pack, env, &session->world);
  for (const auto& [name, what] : session->launch.env_unknown) session->world.env_unknown.emplace(name, what);
  LocalHost::Options host;
  host.launch_is_here = local;
  host.python = python;
  session->host = std::make_unique<LocalHostFacts>(std::move(host));
  session->world.host = session->host.get();

  auto merged = merge_config_file(session->pack, version->index, &session->launch);
  if (!merged) return merged.error();
  if (*merged) {
    session->outcome = refused_by_parser(session->pack, {**merged});
    return session;
  }
  Parsed parsed = parse(session->pack, version->index, session->launch.args, session->arena, session->launch.own_flags);
  // A repository that a container would fetch may be in this machine's cache all the same.
  auto models = std::make_unique<LocalModels>(session->pack, options.elsewhere ? Environment() : env,
                                              model_path(session->pack, parsed.given), options.model_config,
                                              options.models, options.catalogue);
  LocalModels* const local_models = models.get();
  session->models = std::move(models);
  session->world.models = session->models.get();
  if (!parsed.ok()) {
    session->outcome = refused_by_parser(session->pack, std::move(parsed.refusals));
    leave_open_what_starts(model_path(session->pack, parsed.given), session.get());
    if (options.fixes && session->outcome.verdict == Verdict::kNoGo) find_fixes(session.get());
    return session;
  }
  session->given = std::move(parsed.given);
  session->model = model_path(session->pack, *session->given);

  session->runtime = std::make_unique<Runtime>(session->pack, version->index);
  session->outcome = resolve(*session->runtime, session->world, *session->given, session->arena,
                             {.plan = options.plan, .peers = options.peers});
  if (local_models->failure()) return *local_models->failure();
  leave_open_what_starts(session->model, session.get());
  for (const std::uint32_t word : parsed.open) leave_open(session->launch.args[word].unknown, &session->outcome);
  session->model_where = local_models->where();
  session->catalogue = local_models->used_catalogue();
  if (options.fixes && session->outcome.verdict == Verdict::kNoGo) find_fixes(session.get());
  return session;
}

Result<std::unique_ptr<Session>> check_launch(const SessionOptions& options, std::vector<Error>* errors) {
  auto blob = std::make_unique<std::string>();
  const auto pack = load_pack(options.rules, blob.get(), errors);
  if (!pack) return pack.error();
  auto session = check_launch(*pack, options);
  if (session) (*session)->overlay_blob = std::move(blob);
  return session;
}

}  // namespace gonogo
