// `gonogo check FILE…`: every launch that files hold, checked as `check -- COMMAND` would check it, on the machine that
// the file says it is for.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <ostream>
#include <thread>

#include "carriers/file_list.h"
#include "carriers/gpu_names.h"
#include "carriers/recipe.h"
#include "carriers/secret_mask.h"
#include "cli/commands.h"
#include "cli/file_peers.h"
#include "launch/entry_point.h"
#include "report/json_writer.h"
#include "report/peers.h"
#include "report/report.h"

namespace gonogo {

namespace {

constexpr int kMaxNodes = 1024;
constexpr std::size_t kNamedUnknowns = 4;

// One launch's answer, as text or JSON already.
struct Answer {
  Verdict verdict = Verdict::kUnknown;
  bool warned = false;
  std::string headline;
  std::string details;
  std::string json;
  FilePeer peer;
};

// One file's answers.
struct FileAnswer {
  std::vector<Answer> launches;
  std::vector<Source> sources;  // that places refer to, masked
  Arena arena;                  // of what launches are compared by
  std::optional<Error> error;
  bool without = false;  // no launch in it
};

// Forms whose launches run on this machine as far as anybody knows.
bool runs_here(const std::string& form) {
  return form == "bash" || form == "makefile" || form == "justfile" || form == "systemd" || form == "config";
}

class Checker {
 public:
  Checker(const Pack& pack, const CheckOptions& options, std::vector<std::pair<std::string, std::string>> known,
          std::vector<std::pair<std::string, std::string>> gpu_names, bool color)
      : pack_(pack),
        options_(options),
        finder_{std::move(known)},
        gpu_names_(pack, std::move(gpu_names)),
        color_(color) {
    Arena arena;
    const Value recipes = pack_table(pack, "recipes", arena);
    for (std::uint32_t i = 0; recipes.is_dict() && i < recipes.size(); ++i) {
      declaring_.emplace_back(recipes.entries()[i].key.as_str());
    }
  }

  FileAnswer check(const ListedFile& file) const {
    FileAnswer out;
    auto found = launches_of(pack_, file, finder_);
    if (!found) {
      out.error = found.error();
      return out;
    }
    out.without = found->launches.empty();
    if (!found->launches.empty()) {
      for (const Source& source : found->sources) out.sources.push_back({source.name, mask_lines(pack_, source.text)});
    }
    for (const FoundLaunch& launch : found->launches) {
      out.launches.push_back(check(launch, *found, out.sources, out.arena));
    }
    return out;
  }

 private:
  const EntryPoint* entry_of(const FoundLaunch& launch, EntryPoint* storage) const {
    for (const StrId id : pack_.slice(pack_.about->entry_points)) {
      *storage = parse_entry_point(pack_.text(id));
      if (entry_name(*storage) == launch.entry) return storage;
    }
    return nullptr;
  }

  static std::string supply(const std::vector<std::string>& names) {
    std::string out;
    for (std::size_t i = 0; i < names.size() && i < kNamedUnknowns; ++i) {
      out += (i > 0 ? ", " : "") + names[i];
    }
    if (names.empty()) return out;
    return out + " (--var " + shell_quoted(names[0]) + "=…)";
  }

  // A number of nodes that the words leave open, where the carrier says it.
  void supply_nodes(const FoundLaunch& found, std::size_t at, Word* word) const {
    const std::string_view flag = pack_.text(pack_.about->nodes_flag);
    if (flag.empty() || word->unknown.empty() || !found.facts.nnodes) return;
    const std::string number = std::to_string(*found.facts.nnodes);
    const bool joined = word->text.compare(0, flag.size() + 1, std::string(flag) + "=") == 0;
    if (!joined && (at == 0 || found.args[at - 1].text != flag)) return;
    word->text = joined ? std::string(flag) + "=" + number : number;
    word->unknown.clear();
  }

  // The words as the runtime's parser gets them, past what the entry point does with them.
  Launch launch_of(const FoundLaunch& found, bool clear_env, const EntryPoint* entry) const {
    Launch out;
    out.clear_env = clear_env;
    out.own_flags = entry != nullptr && entry->own_flags;
    for (const FoundVariable& v : found.env) {
      if (v.value.unknowns.empty()) {
        out.env.emplace_back(v.name, v.value.text);
      } else {
        out.env_unknown.emplace_back(v.name, supply(v.value.unknowns));
      }
    }
    for (const FoundWord& word : found.program) out.program.push_back(plain(word));
    for (std::size_t i = 0; i < found.args.size(); ++i) {
      Word word = plain(found.args[i]);
      // The group's size, where the flag takes it from the cluster.
      if (i > 0 && !word.unknown.empty() && found.facts.nnodes &&
          found.args[i - 1].text == pack_.text(pack_.about->nodes_flag)) {
        word.text = std::to_string(*found.facts.nnodes);
        word.unknown.clear();
      }
      supply_nodes(found, i, &word);
      const std::string_view text = word.text;
      const auto takes = [&](std::string_view flag) {
        return text.substr(0, flag.size()) == flag && (text.size() == flag.size() || text[flag.size()] == '=');
      };
      if (entry != nullptr) {
        const auto taken = std::find_if(entry->taken.begin(), entry->taken.end(), takes);
        if (taken != entry->taken.end()) {
          if (text.size() == taken->size()) ++i;
          continue;
        }
        if (out.args.empty() && !entry->leading.empty() && text.rfind('-', 0) != 0) {
          out.args.push_back({std::string(entry->leading), word.place, ""});
        }
      }
      out.args.push_back(std::move(word));
    }
    return out;
  }

  // A template's action is no value: what it will be is not known here.
  static void open_actions(Launch& launch) {
    for (Word& word : launch.args) {
      const std::size_t at = word.text.find("{{");
      if (at != std::string::npos) word.unknown = word.text.substr(at) + " (render the template)";
    }
  }

  static Word plain(const FoundWord& word) { return {word.text, word.place, supply(word.unknowns)}; }

  // What the user says comes first; then the file's kind and count, each where it is known.
  std::vector<std::string> gpus_of(const FoundLaunch& launch) const {
    std::vector<std::string> out = options_.session.gpus;
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

  // Forms that say what runs at the same time; a script may do one thing after the other.
  bool declares(const std::string& form) const {
    return std::find(declaring_.begin(), declaring_.end(), form) != declaring_.end();
  }

  Answer check(const FoundLaunch& found, const FileLaunches& file, const std::vector<Source>& sources,
               Arena& arena) const {
    Answer out;
    out.peer = peer_of(found, file, declares(file.form), nullptr, arena);
    EntryPoint storage;
    const EntryPoint* entry = entry_of(found, &storage);
    SessionOptions session = options_.session;
    session.command.clear();
    session.elsewhere = !found.facts.image.empty() || !runs_here(file.form);
    session.image = found.facts.image;
    session.launch = launch_of(found, session.elsewhere || file.form == "systemd", entry);
    if (file.templated) open_actions(*session.launch);
    session.launch->sources = sources;
    session.gpus = gpus_of(found);
    session.fixes = true;
    session.peers = true;
    const std::string place = found.place.file + ":" + std::to_string(found.place.line);
    std::string about = found.entry;
    for (const std::string& role : found.roles) about += ", " + role;
    if (found.conditional) about += ", if " + mask_value(pack_, *found.conditional);

    JsonWriter json;
    json.open('{');
    json.text("file", found.place.file);
    json.number("line", found.place.line);
    json.number("column", found.place.column);
    json.text("entry", found.entry);
    json.list("argv", shown_args(pack_, found.args));
    json.list("unknowns", found.unknowns);
    if (found.conditional) {
      json.text("conditional", mask_value(pack_, *found.conditional));
    } else {
      json.null("conditional");
    }
    json.list("roles", found.roles);
    if (file.templated) json.boolean("templated", true);

    std::vector<Error> errors;
    if (const std::string uncovered = uncovered_version(session); !uncovered.empty()) {
      finish(Verdict::kUnknown, place, about, uncovered, {}, json, &out);
      return out;
    }
    auto checked = check_launch(session, &errors);
    if (!checked) {
      // What this machine can't tell (a configuration file in the container) leaves the answer open.
      finish(Verdict::kUnknown, place, about, mask_value(pack_, to_text(checked.error())), {}, json, &out);
      return out;
    }
    Session& s = **checked;
    out.peer = peer_of(found, file, declares(file.form), &s, arena);
    if (file.templated && s.outcome.verdict != Verdict::kUnknown) s.outcome.verdict = Verdict::kUnknown;
    const ReportInput input = input_of(s);
    for (const Finding& f : s.outcome.findings) out.warned |= f.kind == Action::kWarn || f.kind == Action::kInert;
    const std::string where = std::string(pack_.text(pack_.about->name)) + " " +
                              std::string(pack_.version(s.version.index)) + " on " + nodes_text(s.nodes);
    const Verdict verdict = s.outcome.verdict;
    json.raw("report", without_newline(to_json(input, static_cast<int>(status_of(verdict)))));
    const std::string details = verdict == Verdict::kGo ? std::string() : to_details(input, color_);
    finish(verdict, place, about, where + ": " + counts_text(s.outcome), details, json, &out);
    return out;
  }

  static std::string without_newline(std::string text) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
  }

  static ExitStatus status_of(Verdict verdict) {
    return verdict == Verdict::kNoGo ? ExitStatus::kNoGo : ExitStatus::kGo;
  }

  // Why an image's version can't be checked; empty where it can.
  std::string uncovered_version(const SessionOptions& session) const {
    if (session.version || session.image.empty()) return {};
    const auto version = runtime_version({std::nullopt, session.image, nullptr}, pack_);
    if (!version || version->source != RuntimeVersion::Source::kImage || version->exact) return {};
    const std::string_view used = pack_.version(version->index);
    if (version->installed.compare(0, used.size(), used) == 0) return {};  // a build of a release that is covered
    std::string all;
    for (std::uint32_t i = 0; i < pack_.version_count(); ++i)
      all += (i > 0 ? ", " : "") + std::string(pack_.version(i));
    return "the image's version " + version->installed + " is not covered (" + all + "); --" +
           std::string(pack_.text(pack_.about->name)) + " checks against another";
  }

  void finish(Verdict verdict, const std::string& place, const std::string& about, const std::string& why,
              const std::string& details, JsonWriter& json, Answer* out) const {
    out->verdict = verdict;
    out->headline = place + "  " + verdict_text(verdict, color_) + "  " + about + "  " + why;
    out->details = details;
    json.text("verdict", verdict_word(verdict));
    json.text("why", why);
    json.close('}');
    out->json = json.take();
  }

  const Pack& pack_;
  const CheckOptions& options_;
  const FinderOptions finder_;
  const GpuNames gpu_names_;
  const bool color_;
  std::vector<std::string> declaring_{"kubernetes", "helm", "compose"};
};

// The launches of all files, compared with each other.
struct Together {
  std::vector<PeerShown> shown;
  std::vector<PeerFinding> findings;
};

Together compare(const Pack& pack, const std::vector<FileAnswer>& answers) {
  Together out;
  std::vector<PeerLaunch> launches;
  for (const FileAnswer& answer : answers) {
    for (const Answer& launch : answer.launches) {
      launches.push_back(launch.peer.launch);
      out.shown.push_back(launch.peer.shown);
      out.shown.back().sources = &answer.sources;
    }
  }
  out.findings = compare_peers(pack, launches);
  return out;
}

// Says on a terminal how far a long run is.
class Progress {
 public:
  Progress(std::ostream& err, std::size_t total) : err_(err), total_(total), on_(isatty(STDERR_FILENO) == 1) {}
  ~Progress() {
    if (shown_) err_ << "\r\033[K" << std::flush;
  }
  void step() {
    const std::size_t done = ++done_;
    if (!on_) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(shown_ ? 100 : 500)) return;
    last_ = now;
    shown_ = true;
    err_ << "\r\033[Kchecked " << done << " of " << total_ << " files" << std::flush;
  }

 private:
  std::ostream& err_;
  const std::size_t total_;
  const bool on_;
  std::atomic<std::size_t> done_{0};
  std::mutex mutex_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// All answers, in the files' order, made by as many threads as there are cores and files for them.
std::vector<FileAnswer> check_all(const Checker& checker, const std::vector<ListedFile>& files, std::ostream& err) {
  std::vector<FileAnswer> out(files.size());
  Progress progress(err, files.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < files.size(); i = next++) {
      out[i] = checker.check(files[i]);
      progress.step();
    }
  };
  constexpr std::size_t kFilesAThread = 8;
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t count = std::min(cores, 1 + files.size() / kFilesAThread);
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < count; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return out;
}

struct Totals {
  std::size_t go = 0;
  std::size_t no_go = 0;
  std::size_t unknown = 0;
  std::size_t warned = 0;
  std::size_t errors = 0;
  std::size_t without = 0;
  std::size_t with = 0;
  bool apart = false;  // launches that work together do not fit each other

  std::size_t launches() const { return go + no_go + unknown; }
};

Totals count(const std::vector<FileAnswer>& answers, const std::vector<PeerFinding>& between) {
  Totals out;
  out.apart = has_kind(between, Action::kFail);
  out.warned += has_kind(between, Action::kWarn) ? 1 : 0;
  for (const FileAnswer& answer : answers) {
    out.errors += answer.error ? 1 : 0;
    out.without += answer.without ? 1 : 0;
    out.with += answer.launches.empty() ? 0 : 1;
    for (const Answer& launch : answer.launches) {
      out.go += launch.verdict == Verdict::kGo ? 1 : 0;
      out.no_go += launch.verdict == Verdict::kNoGo ? 1 : 0;
      out.unknown += launch.verdict == Verdict::kUnknown ? 1 : 0;
      out.warned += launch.warned ? 1 : 0;
    }
  }
  return out;
}

ExitStatus status_of(const Totals& totals, const CheckOptions& options) {
  if (totals.no_go > 0 || totals.apart || (options.fail_on == "warning" && totals.warned > 0)) return ExitStatus::kNoGo;
  if (totals.errors > 0) return ExitStatus::kCouldNotCheck;
  return totals.unknown > 0 && options.strict ? ExitStatus::kUnknown : ExitStatus::kGo;
}

std::string plural(std::size_t n, const std::string& one, const std::string& many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

void write_text(const std::vector<FileAnswer>& answers, const PeerReport& between, const Totals& totals, bool color,
                std::ostream& out) {
  for (const FileAnswer& answer : answers) {
    for (const Answer& launch : answer.launches) {
      out << launch.headline << '\n';
      if (!launch.details.empty()) out << launch.details << '\n';
    }
  }
  out << to_text(between, color);
  if (totals.launches() > 0) {
    out << plural(totals.launches(), "launch", "launches") << " in " << plural(totals.with, "file", "files") << ": "
        << totals.no_go << " NO-GO, " << totals.unknown << " UNKNOWN, " << totals.go << " GO";
    if (totals.apart) out << "; together NO-GO";
  } else {
    out << "no launch found";
  }
  if (totals.without > 0) out << "; " << plural(totals.without, "file holds", "files hold") << " none";
  if (totals.errors > 0) out << "; " << plural(totals.errors, "file", "files") << " could not be read";
  out << '\n';
}

void write_json(const std::vector<FileAnswer>& answers, const PeerReport& between, const Totals& totals,
                ExitStatus status, std::ostream& out) {
  JsonWriter json;
  json.open('{');
  json.number("format_version", 1);
  const Verdict worst = totals.no_go > 0 || totals.apart ? Verdict::kNoGo
                        : totals.unknown > 0             ? Verdict::kUnknown
                                                         : Verdict::kGo;
  if (totals.launches() > 0) {
    json.text("verdict", verdict_word(worst));
  } else {
    json.null("verdict");
  }
  json.number("exit_code", static_cast<int>(status));
  json.open("launches", '[');
  for (const FileAnswer& answer : answers) {
    for (const Answer& launch : answer.launches) json.raw({}, launch.json);
  }
  json.close(']');
  to_json(between, &json);
  json.open("errors", '[');
  for (const FileAnswer& answer : answers) {
    if (!answer.error) continue;
    json.open('{');
    json.text("file", answer.error->place.file);
    json.number("line", answer.error->place.line);
    json.text("what", answer.error->what);
    json.close('}');
  }
  json.close(']');
  json.number("files", static_cast<std::int64_t>(answers.size()));
  json.number("files_without_launch", static_cast<std::int64_t>(totals.without));
  json.close('}');
  out << json.take() << '\n';
}

}  // namespace

ExitStatus check_files_command(const FilesOptions& files, const CheckOptions& options, Streams io) {
  std::string blob;
  std::vector<Error> errors;
  auto pack = load_pack(options.session.rules, &blob, &errors);
  if (!pack) return report_failure(pack.error(), errors, io);
  auto known = read_known(files.known);
  if (!known) return report_error(known.error(), io);
  auto names = read_known(files.gpu_names);
  if (!names) return report_error(names.error(), io);
  auto listed = list_files(*pack, files.files, io.in);
  if (!listed) return report_error(listed.error(), io);
  const bool color = options.format != "json" && use_color(options.color);
  const Checker checker(*pack, options, std::move(*known), std::move(*names), color);
  const std::vector<FileAnswer> answers = check_all(checker, *listed, io.err);
  for (const FileAnswer& answer : answers) {
    if (answer.error) report_error(*answer.error, io);
  }
  const Together together = compare(*pack, answers);
  const PeerReport between{*pack, together.findings, together.shown};
  const Totals totals = count(answers, together.findings);
  const ExitStatus status = status_of(totals, options);
  if (options.format == "json") {
    write_json(answers, between, totals, status, io.out);
  } else {
    write_text(answers, between, totals, color, io.out);
  }
  return status;
}

}  // namespace gonogo
