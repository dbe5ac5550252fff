#include "cli/file_sessions.h"

#include <algorithm>

#include "carriers/secret_mask.h"
#include "facts/runtime_version.h"

namespace gonogo {

namespace {

constexpr int kMaxNodes = 1024;
constexpr std::size_t kNamedUnknowns = 4;

// Forms whose launches run on this machine as far as anybody knows.
bool runs_here(const std::string& form) {
  return form == "bash" || form == "makefile" || form == "justfile" || form == "systemd" || form == "config";
}

std::string supply(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size() && i < kNamedUnknowns; ++i) {
    out += (i > 0 ? ", " : "") + names[i];
  }
  if (names.empty()) return out;
  return out + " (--var " + shell_quoted(names[0]) + "=…)";
}

Word plain(const FoundWord& word) { return {word.text, word.place, supply(word.unknowns)}; }

// A template's action is no value: what it will be is not known here.
void open_actions(Launch& launch) {
  for (Word& word : launch.args) {
    const std::size_t at = word.text.find("{{");
    if (at != std::string::npos) word.unknown = word.text.substr(at) + " (render the template)";
  }
}

}  // namespace

std::optional<Error> FileSessions::wrong_use() const {
  const auto version = runtime_version({options_.version, {}, nullptr}, pack_);
  if (!version) return version.error();
  for (const std::string& name : options_.gpus) {
    if (name == "local") continue;
    const auto gpus = gpus_of_option(name, pack_);
    if (!gpus) return gpus.error();
  }
  return std::nullopt;
}

std::vector<Source> FileSessions::shown_sources(const FileLaunches& file) const {
  std::vector<Source> out;
  if (file.launches.empty()) return out;
  for (const Source& source : file.sources) out.push_back({source.name, mask_lines(pack_, source.text)});
  return out;
}

SessionOptions FileSessions::options_of(const FoundLaunch& found, const FileLaunches& file,
                                        const std::vector<Source>& sources) const {
  EntryPoint storage;
  const EntryPoint* entry = entry_of(found, &storage);
  SessionOptions session = options_;
  session.command.clear();
  session.elsewhere = !found.facts.image.empty() || !runs_here(file.form);
  session.image = found.facts.image;
  session.launch = launch_of(found, session.elsewhere || file.form == "systemd", entry);
  if (file.templated) open_actions(*session.launch);
  session.launch->sources = sources;
  session.gpus = gpus_of(found);
  return session;
}

const EntryPoint* FileSessions::entry_of(const FoundLaunch& launch, EntryPoint* storage) const {
  for (const StrId id : pack_.slice(pack_.about->entry_points)) {
    *storage = parse_entry_point(pack_.text(id));
    if (entry_name(*storage) == launch.entry) return storage;
  }
  return nullptr;
}

// A number of nodes that the words leave open, where the carrier says it.
void FileSessions::supply_nodes(const FoundLaunch& found, std::size_t at, Word* word) const {
  const std::string_view flag = pack_.text(pack_.about->nodes_flag);
  if (flag.empty() || word->unknown.empty() || !found.facts.nnodes) return;
  const std::string number = std::to_string(*found.facts.nnodes);
  const bool joined = word->text.compare(0, flag.size() + 1, std::string(flag) + "=") == 0;
  if (!joined && (at == 0 || found.args[at - 1].text != flag)) return;
  word->text = joined ? std::string(flag) + "=" + number : number;
  word->unknown.clear();
}

Launch FileSessions::launch_of(const FoundLaunch& found, bool clear_env, const EntryPoint* entry) const {
  Launch out;
  out.clear_env = clear_env;
  for (const FoundVariable& v : found.env) {
    if (v.value.unknowns.empty()) {
      out.env.emplace_back(v.name, v.value.text);
    } else {
      out.env_unknown.emplace_back(v.name, supply(v.value.unknowns));
    }
  }
  for (const FoundWord& word : found.program) out.program.push_back(plain(word));
  std::vector<Word> words;
  for (std::size_t i = 0; i < found.args.size(); ++i) {
    words.push_back(plain(found.args[i]));
    supply_nodes(found, i, &words.back());
  }
  if (entry != nullptr) {
    hand_on(*entry, std::move(words), &out);
  } else {
    out.args = std::move(words);
  }
  return out;
}

// What the user says comes first; then the file's kind and count, each where it is known.
std::vector<std::string> FileSessions::gpus_of(const FoundLaunch& launch) const {
  std::vector<std::string> out = options_.gpus;
  const int nodes = std::clamp(launch.facts.nnodes.value_or(1), 1, kMaxNodes);
  const std::string count = launch.facts.gpus ? "x" + std::to_string(*launch.facts.gpus) : std::string();
  if (out.empty() && !launch.facts.gpu.empty()) {
    const std::string profile = gpu_names_.profile(launch.facts.gpu);
    if (!profile.empty()) out.push_back(profile);
  }
  // A profile without a count gets the file's.
  for (std::string& spec : out) {
    if (!count.empty() && count != "x0" && pack_.find_gpu(spec) != kNoIndex) spec += count;
  }
  if (out.size() == 1) out.resize(static_cast<std::size_t>(nodes), out[0]);
  return out;
}

std::string FileSessions::uncovered_version(const SessionOptions& session) const {
  if (session.version || session.image.empty()) return {};
  const auto version = runtime_version({std::nullopt, session.image, nullptr}, pack_);
  if (!version || version->source != RuntimeVersion::Source::kImage || version->exact) return {};
  const std::string_view used = pack_.version(version->index);
  if (version->installed.compare(0, used.size(), used) == 0) return {};  // a build of a release that is covered
  return "the image's version " + version->installed + " is not covered (" + pack_.versions_text() + "); --" +
         std::string(pack_.text(pack_.about->name)) + " checks against another";
}

}  // namespace gonogo
