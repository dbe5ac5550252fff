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
#include "carriers/secret_mask.h"
#include "cli/check_output.h"
#include "cli/commands.h"
#include "launch/entry_point.h"
#include "report/json_writer.h"

namespace gonogo {

namespace {

constexpr int kMaxNodes = 1024;
constexpr std::size_t kNamedUnknowns = 4;

// One launch's report, and what a format that is no whole prints of it: its details as text, or its JSON.
struct Answer {
  LaunchReport report;
  std::string rendered;
};

// One file's answers.
struct FileAnswer {
  std::vector<Answer> launches;
  std::vector<ReportFinding> across;  // about the ignores in its comments
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
          std::vector<std::pair<std::string, std::string>> gpu_names, PolicyEffect* effect, bool color)
      : pack_(pack),
        options_(options),
        finder_{std::move(known)},
        gpu_names_(pack, std::move(gpu_names)),
        effect_(effect),
        color_(color) {}

  FileAnswer check(const ListedFile& file) const {
    FileAnswer out;
    auto found = launches_of(pack_, file, finder_);
    if (!found) {
      out.error = found.error();
      return out;
    }
    out.without = found->launches.empty();
    std::vector<Source> sources;
    if (!found->launches.empty()) {
      for (const Source& source : found->sources) sources.push_back({source.name, mask_lines(pack_, source.text)});
    }
    PolicyEffect::File comments = comments_of(*found);
    for (const FoundLaunch& launch : found->launches) {
      out.launches.push_back(check(launch, *found, sources, &comments));
    }
    out.across = effect_->leftovers(comments);
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

  // The words as the runtime's parser gets them, past what the entry point does with them.
  Launch launch_of(const FoundLaunch& found, bool clear_env, const EntryPoint* entry) const {
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
    for (std::size_t i = 0; i < found.args.size(); ++i) {
      Word word = plain(found.args[i]);
      // The group's size, where the flag takes it from the cluster.
      if (i > 0 && !word.unknown.empty() && found.facts.nnodes &&
          found.args[i - 1].text == pack_.text(pack_.about->nodes_flag)) {
        word.text = std::to_string(*found.facts.nnodes);
        word.unknown.clear();
      }
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

  // The ignores in the comments of the file that the launches begin in.
  static PolicyEffect::File comments_of(const FileLaunches& file) {
    for (const Source& source : file.sources) {
      if (!file.launches.empty() && source.name == file.launches[0].place.file) return {source.text, source.name};
    }
    return {"", ""};
  }

  static int last_line(const FoundLaunch& launch) {
    int out = launch.place.line;
    for (const FoundWord& word : launch.args) {
      if (word.place.file == launch.place.file) out = std::max(out, word.place.line);
    }
    return out;
  }

  Answer check(const FoundLaunch& found, const FileLaunches& file, const std::vector<Source>& sources,
               PolicyEffect::File* comments) const {
    EntryPoint storage;
    const EntryPoint* entry = entry_of(found, &storage);
    SessionOptions session = options_.session;
    session.command.clear();
    session.elsewhere = !found.facts.image.empty() || !runs_here(file.form);
    session.image = found.facts.image;
    session.own_flags = entry != nullptr && entry->own_flags;
    session.launch = launch_of(found, session.elsewhere || file.form == "systemd", entry);
    if (file.templated) open_actions(*session.launch);
    session.launch->sources = sources;
    session.gpus = gpus_of(found);
    session.fixes = true;

    if (const std::string uncovered = uncovered_version(session); !uncovered.empty()) {
      return unchecked(found, file, uncovered);
    }
    std::vector<Error> errors;
    auto checked = check_launch(session, &errors);
    // What this machine can't tell (a configuration file in the container) leaves the answer open.
    if (!checked) return unchecked(found, file, mask_value(pack_, to_text(checked.error())));
    Session& s = **checked;
    if (file.templated && s.outcome.verdict != Verdict::kUnknown) s.outcome.verdict = Verdict::kUnknown;
    const ReportInput input = input_of(s);
    Answer out;
    out.report = report_of(input, place_of(found));
    describe(found, file, &out.report);
    effect_->apply(&out.report, comments, last_line(found));
    if (options_.format == "text") {
      out.rendered = to_details(input, out.report, color_);
    } else if (!is_whole_format(options_.format)) {
      std::string json = to_json(input, out.report, static_cast<int>(status_of(out.report.verdict)), nullptr);
      json.pop_back();  // its newline
      out.rendered = to_json(out.report, json);
    }
    return out;
  }

  // A launch that can't be checked from here, and why.
  Answer unchecked(const FoundLaunch& found, const FileLaunches& file, const std::string& why) const {
    Answer out;
    out.report.span = place_of(found);
    out.report.why = why;
    describe(found, file, &out.report);
    if (options_.format != "text" && !is_whole_format(options_.format)) out.rendered = to_json(out.report, {});
    return out;
  }

  static ReportSpan place_of(const FoundLaunch& found) {
    const Place& at = found.place;
    return {at.file, at.line, at.column, at.line, at.column + 1};
  }

  void describe(const FoundLaunch& found, const FileLaunches& file, LaunchReport* report) const {
    report->entry = found.entry;
    report->argv = shown_args(pack_, found.args);
    report->unknowns = found.unknowns;
    report->templated = file.templated;
    report->roles = found.roles;
    if (found.conditional) report->condition = mask_value(pack_, *found.conditional);
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

  const Pack& pack_;
  const CheckOptions& options_;
  const FinderOptions finder_;
  const GpuNames gpu_names_;
  PolicyEffect* const effect_;
  const bool color_;
};

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

// What the formats that are no whole print of each launch, in order.
std::vector<std::string> collect(std::vector<FileAnswer> answers, CheckReport* report) {
  std::vector<std::string> out;
  report->files = answers.size();
  for (FileAnswer& answer : answers) {
    report->across.insert(report->across.end(), answer.across.begin(), answer.across.end());
    if (answer.error) report->errors.push_back(std::move(*answer.error));
    report->files_without += answer.without ? 1 : 0;
    report->files_with += answer.launches.empty() ? 0 : 1;
    for (Answer& launch : answer.launches) {
      report->launches.push_back(std::move(launch.report));
      out.push_back(std::move(launch.rendered));
    }
  }
  return out;
}

void write_text(const CheckReport& report, const std::vector<std::string>& details, bool color, std::ostream& out) {
  for (std::size_t i = 0; i < details.size(); ++i) {
    out << headline(report.launches[i], color) << '\n';
    if (!details[i].empty()) out << details[i] << '\n';
  }
  out << across_text(report, color) << totals_text(report) << '\n';
}

void write_json(const CheckReport& report, const std::vector<std::string>& launches, std::ostream& out) {
  JsonWriter json;
  json.open('{');
  json.number("format_version", 1);
  if (const auto verdict = report.verdict()) {
    json.text("verdict", verdict_word(*verdict));
  } else {
    json.null("verdict");
  }
  json.number("exit_code", report.exit_code);
  json.open("launches", '[');
  for (const std::string& launch : launches) json.raw({}, launch);
  json.close(']');
  json.open("across", '[');
  for (const ReportFinding& f : report.across) json.raw({}, to_json(f));
  json.close(']');
  json.open("errors", '[');
  for (const Error& e : report.errors) json.raw({}, to_json(e));
  json.close(']');
  json.number("files", static_cast<std::int64_t>(report.files));
  json.number("files_without_launch", static_cast<std::int64_t>(report.files_without));
  json.close('}');
  out << json.take() << '\n';
}

// A line a launch; what concerns none of them, and what could not be read, has lines of its own.
void write_lines(const CheckReport& report, const std::vector<std::string>& launches, std::ostream& out) {
  for (const std::string& launch : launches) out << launch << '\n';
  for (const ReportFinding& f : report.across) out << "{\"across\":" << to_json(f) << "}\n";
  for (const Error& e : report.errors) out << "{\"error\":" << to_json(e) << "}\n";
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
  const bool color = options.format == "text" && use_color(options.color);
  if (const auto error = unknown_rule(options.policy, *pack)) return report_error(*error, io);
  PolicyEffect effect(options.policy, *pack);
  const Checker checker(*pack, options, std::move(*known), std::move(*names), &effect, color);
  CheckReport report = new_check_report(*pack, options);
  const std::vector<std::string> rendered = collect(check_all(checker, *listed, io.err), &report);
  settle_policy(&effect, &report);
  for (const Error& error : report.errors) report_error(error, io);
  const ExitStatus status = settle_status(&report);
  if (is_whole_format(options.format)) {
    print_whole(report, options.format, io);
  } else if (options.format == "json") {
    write_json(report, rendered, io.out);
  } else if (options.format == "jsonl") {
    write_lines(report, rendered, io.out);
  } else {
    write_text(report, rendered, color, io.out);
  }
  return status;
}

}  // namespace gonogo
