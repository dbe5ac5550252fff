#include "cli/batch.h"

#include <algorithm>
#include <istream>
#include <memory>
#include <ostream>
#include <vector>

#include "base/json.h"
#include "cli/case_world.h"
#include "engine/resolver.h"
#include "facts/gpu.h"
#include "facts/runtime_version.h"
#include "flags/argparse.h"
#include "flags/config_file.h"

namespace gonogo {

namespace {

constexpr std::size_t kMaxLine = 16u << 20;

std::string_view text_of(const Value& object, std::string_view key) {
  const Value* v = object.find(key);
  return v != nullptr && v->is_str() ? v->as_str() : std::string_view();
}

// The answer to one case, as text. Members are written in the order of the contract.
class CaseAnswer {
 public:
  CaseAnswer(const Pack& pack, const Given* given, const Outcome& outcome) : pack_(pack), given_(given), outcome_(outcome) {}

  std::string text(const Value& id) {
    out_ = "{\"id\":" + to_json(id) + ",\"verdict\":\"";
    static constexpr std::array<std::string_view, 3> kWords = {"go", "no-go", "unknown"};
    out_ += kWords[static_cast<std::size_t>(outcome_.verdict)];
    out_ += '"';
    for (std::size_t i = 0; i < pack_.parts.size(); ++i) {
      // Later parts are compared apart from each other, but only of a launch that the first one accepts.
      if (i > 0 && outcome_.parts[0].refused_by) break;
      key(pack_.text(pack_.parts[i].name));
      part(i);
    }
    key("findings");
    findings();
    out_ += '}';
    return std::move(out_);
  }

 private:
  void key(std::string_view name) {
    if (out_.back() != '{') out_ += ',';
    append_json_string(out_, name);
    out_ += ':';
  }
  void member(std::string_view name, std::string_view value) {
    key(name);
    append_json_string(out_, value);
  }

  void part(std::size_t index) {
    const PartOutcome& part = outcome_.parts[index];
    const bool has_answers = pack_.parts[index].answers.count > 0;
    const std::string_view word = has_answers ? "built" : "ok";
    out_ += '{';
    key(word);
    out_ += part.refused_by ? "false" : "true";
    if (part.refused_by) {
      const Finding& f = outcome_.findings[*part.refused_by];
      key("error");
      out_ += '{';
      member("check", f.rule == kNoIndex ? "argparse" : pack_.text(pack_.note(f.rule).check));
      member("rule", f.rule == kNoIndex ? "argparse" : pack_.text(pack_.rules[f.rule].id));
      member("message", f.message);
      out_ += '}';
    } else if (index == 0) {
      resolved();
    } else {
      for (const auto& [name, value] : part.answers) {
        key(pack_.text(name));
        out_ += to_json(value);
      }
    }
    out_ += '}';
  }

  void resolved() {
    std::vector<const Change*> last(pack_.fields.size(), nullptr);
    const PartOutcome& part = outcome_.parts[0];
    for (std::size_t i = 0; i < part.changes; ++i) last[outcome_.history[i].field] = &outcome_.history[i];
    key("set");
    out_ += '{';
    for (std::uint32_t i = 0; i < pack_.fields.size(); ++i) {
      if (pack_.fields[i].volatile_value != 0 || identical(part.fields[i], given_->value(i))) continue;
      key(pack_.field_name(i));
      out_ += to_json(part.fields[i]);
    }
    out_ += '}';
    key("by");
    out_ += '{';
    for (std::uint32_t i = 0; i < pack_.fields.size(); ++i) {
      if (last[i] != nullptr) member(pack_.field_name(i), pack_.text(pack_.note(last[i]->rule).pass));
    }
    out_ += '}';
    key("env");
    out_ += '{';
    for (const auto& [name, value] : outcome_.env) {
      const auto before = env.find(name);
      const bool same = value ? before != env.end() && before->second == *value : before == env.end();
      if (same) continue;
      key(name);
      if (value) {
        append_json_string(out_, *value);
      } else {
        out_ += "null";
      }
    }
    out_ += '}';
  }

  void findings() {
    static constexpr std::array<std::string_view, 10> kKinds = {"", "", "", "", "", "fail", "warn", "inert", "advise", ""};
    static constexpr std::array<std::string_view, 6> kPhases = {"parse", "resolve", "init", "weights", "forward", "late"};
    out_ += '[';
    for (const Finding& f : outcome_.findings) {
      if (out_.back() != '[') out_ += ',';
      out_ += '{';
      member("kind", kKinds[static_cast<std::size_t>(f.kind)]);
      member("rule", f.rule == kNoIndex ? "argparse" : pack_.text(pack_.rules[f.rule].id));
      member("phase", kPhases[static_cast<std::size_t>(f.phase)]);
      member("message", f.message);
      if (!f.certain) member("depends_on", f.depends_on);
      out_ += '}';
    }
    for (const std::string& fault : outcome_.faults) {
      if (out_.back() != '[') out_ += ',';
      out_ += '{';
      member("kind", "fault");
      member("message", fault);
      out_ += '}';
    }
    out_ += ']';
  }

 public:
  std::map<std::string, std::string, std::less<>> env;

 private:
  const Pack& pack_;
  const Given* given_;
  const Outcome& outcome_;
  std::string out_;
};

class Batch {
 public:
  Batch(const Pack& pack, const BatchOptions& options)
      : pack_(pack), options_(options), folders_(pack, options.models_dir), host_(modules(pack)), runtimes_(pack.version_count()) {}

  Result<std::string> answer(std::string_view line) {
    arena_.reset();
    id_ = Value();
    auto parsed = parse_json(line, "case", arena_);
    if (!parsed) return parsed.error();
    const Value& input = *parsed;
    if (!input.is_dict()) return bad("a case is a JSON object");
    if (const Value* id = input.find("id")) id_ = *id;
    auto version = version_of(input);
    if (!version) return version.error();
    auto files = files_of(input);
    if (!files) return files.error();

    World world;
    if (auto failed = fill_world(input, &world)) return std::move(*failed);
    CaseModels models(*files, arena_);
    CaseHost host(host_, *files);
    world.models = &models;
    world.host = &host;

    Launch launch;
    const Value* argv = input.find("argv");
    if (argv == nullptr || !argv->is_sequence()) return bad("a case needs its argv");
    for (std::uint32_t i = 0; i < argv->size(); ++i) launch.args.push_back({to_str((*argv)[i]), {}});
    auto merged = merge_config_file(pack_, *version, &launch);
    std::vector<UsageFinding> refusals;
    if (!merged) {
      refusals.push_back({UsageFinding::Kind::kConfigFile, merged.error().what, merged.error().hint, kNoIndex, {}});
    } else if (*merged) {
      refusals.push_back(**merged);
    }
    std::optional<Parsed> words;
    if (refusals.empty()) {
      words = parse(pack_, *version, launch.args, arena_);
      refusals = words->refusals;
    }
    if (!refusals.empty()) {
      const Outcome refused = refused_by_parser(pack_, std::move(refusals));
      return CaseAnswer(pack_, nullptr, refused).text(id_);
    }
    auto& runtime = runtimes_[*version];
    if (runtime == nullptr) runtime = std::make_unique<Runtime>(pack_, *version);
    const Outcome outcome = resolve(*runtime, world, words->given, arena_, {.evidence = false});
    CaseAnswer answer(pack_, &words->given, outcome);
    answer.env = world.env;
    return answer.text(id_);
  }

  // The id of the case answered last; None where it had none.
  const Value& id() const { return id_; }

 private:
  static std::vector<std::string> modules(const Pack& pack) {
    std::vector<std::string> out;
    for (const StrId id : pack.slice(pack.about->packages)) out.emplace_back(pack.text(id));
    return out;
  }

  static Error bad(std::string what) { return {Error::Kind::kInput, std::move(what), {}, "see the batch contract", ""}; }

  Result<std::uint32_t> version_of(const Value& input) const {
    std::string wanted = options_.version;
    if (wanted.empty()) wanted = text_of(input, pack_.text(pack_.about->name));
    if (wanted.empty()) wanted = pack_.version(pack_.version_count() - 1);
    auto version = runtime_version({.option = wanted, .image = {}, .python = nullptr}, pack_);
    if (!version) return version.error();
    return version->index;
  }

  Result<Value> files_of(const Value& input) {
    std::vector<Entry> entries;
    const std::string folder(text_of(input, "model"));
    if (!folder.empty()) {
      auto files = folders_.files(folder);
      if (!files) return files.error();
      entries.assign(files->entries(), files->entries() + files->size());
    }
    if (const Value* config = input.find("config")) entries.insert(entries.begin(), {Value::str("config.json"), *config});
    if (const Value* more = input.find("files"); more != nullptr && more->is_dict()) {
      entries.insert(entries.begin(), more->entries(), more->entries() + more->size());
    }
    auto* copy = arena_.array<Entry>(entries.size());
    std::copy(entries.begin(), entries.end(), copy);
    return Value::dict(copy, static_cast<std::uint32_t>(entries.size()));
  }

  std::optional<Error> fill_world(const Value& input, World* world) const {
    std::string key(text_of(input, "gpu"));
    if (key.empty()) key = pack_.text(pack_.about->default_gpu);
    const std::uint32_t index = pack_.find_gpu(key);
    if (index == kNoIndex) return bad("there is no GPU profile '" + key + "'");
    const GpuRec& gpu = pack_.gpus[index];
    const Value* count = input.find("gpus");
    world->gpu = GpuFacts{std::string(pack_.text(gpu.name)),
                          std::string(pack_.text(gpu.vendor)),
                          gpu.major,
                          gpu.minor,
                          gpu.memory_mib,
                          gpu.sm_count,
                          count != nullptr && count->is_integral() ? count->as_int() : kDefaultGpuCount};
    const Value* env = input.find("env");
    for (std::uint32_t i = 0; env != nullptr && env->is_dict() && i < env->size(); ++i) {
      world->env[std::string(env->entries()[i].key.as_str())] = to_str(env->entries()[i].value);
    }
    return std::nullopt;
  }

  const Pack& pack_;
  const BatchOptions& options_;
  CaseFolders folders_;
  ClosedHost host_;
  std::vector<std::unique_ptr<Runtime>> runtimes_;
  Arena arena_;
  Value id_;
};

}  // namespace

Result<bool> run_batch(const Pack& pack, const BatchOptions& options, std::istream& in, std::ostream& out) {
  Batch batch(pack, options);
  bool good = true;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (line.size() > kMaxLine) {
      return Error{Error::Kind::kInput, "a case is larger than 16 MiB", {"stdin", number, 0}, "", ""};
    }
    auto answer = batch.answer(line);
    if (answer) {
      out << *answer << '\n';
      continue;
    }
    good = false;
    Error e = answer.error();
    e.place = {"stdin", number, e.place.column};
    std::string text = "{\"id\":" + to_json(batch.id()) + ",\"error\":";
    append_json_string(text, to_text(e));
    out << text << "}\n";
  }
  return good;
}

}  // namespace gonogo
