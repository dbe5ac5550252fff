// `gonogo check FILE…`: every launch that files hold, checked as `check -- COMMAND` would check it, on the machine that
// the file says it is for.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <mutex>
#include <ostream>
#include <thread>

#include "carriers/file_list.h"
#include "carriers/recipe.h"
#include "carriers/secret_mask.h"
#include "cli/check_output.h"
#include "cli/commands.h"
#include "cli/file_peers.h"
#include "cli/file_sessions.h"
#include "cli/lock_file.h"
#include "report/json_writer.h"
#include "report/peers.h"

namespace gonogo {

namespace {

// One launch's report, and what a format that is no whole prints of it: its details as text, or its JSON.
struct Answer {
  LaunchReport report;
  std::string rendered;
  FilePeer peer;
};

// One file's answers.
struct FileAnswer {
  std::vector<Answer> launches;
  std::vector<ReportFinding> across;  // what is not as a lock says
  PolicyEffect::File comments;        // and which of its ignores were used
  std::vector<Source> sources;        // that places refer to, masked
  std::vector<FilePeer> companions;   // that are compared with launches
  Arena arena;                        // of what launches are compared by
  std::optional<Error> error;
  std::vector<std::string> notes;  // what of the file was not read
  bool without = false;            // no launch in it
};

// A launch that is held to a lock.
struct Held {
  LaunchName name;
  const LockedLaunch* was = nullptr;  // null: the lock does not hold it
};

class Checker {
 public:
  Checker(const Pack& pack, const CheckOptions& options, std::vector<std::pair<std::string, std::string>> known,
          std::vector<std::pair<std::string, std::string>> gpu_names, const LockFile* lock, PolicyEffect* effect,
          bool color)
      : pack_(pack),
        options_(options),
        finder_{std::move(known)},
        sessions_(pack, options.session, std::move(gpu_names)),
        lock_(lock),
        effect_(effect),
        color_(color) {
    Arena arena;
    const Value recipes = pack_table(pack, "recipes", arena);
    for (std::uint32_t i = 0; recipes.is_dict() && i < recipes.size(); ++i) {
      declaring_.emplace_back(recipes.entries()[i].key.as_str());
    }
  }

  std::optional<Error> wrong_use() const { return sessions_.wrong_use(); }

  FileAnswer check(const ListedFile& file) const {
    FileAnswer out;
    auto found = launches_of(pack_, file, finder_);
    if (!found) {
      out.error = found.error();
      return out;
    }
    out.without = found->launches.empty();
    out.notes = found->notes;
    out.sources = sessions_.shown_sources(*found);
    const std::vector<Held> held = held_of(file.name, *found, &out);
    out.comments = PolicyEffect::File(*found);
    for (std::size_t i = 0; i < found->launches.size(); ++i) {
      const Held* const one = held.empty() ? nullptr : &held[i];
      out.launches.push_back(check(found->launches[i], *found, one, &out));
    }
    out.companions = companions_of(pack_, *found, declares(found->form), out.arena);
    return out;
  }

 private:
  // What the lock says of each launch, where there is one.
  std::vector<Held> held_of(const std::string& file, const FileLaunches& found, FileAnswer* answer) const {
    std::vector<Held> out;
    if (lock_ == nullptr) return out;
    std::vector<LaunchName> names;
    for (const FoundLaunch& launch : found.launches) names.push_back(name_of(pack_, file, launch));
    const LockFile::Matched matched = lock_->match(file, names);
    for (std::size_t i = 0; i < names.size(); ++i) out.push_back({std::move(names[i]), matched.launches[i]});
    for (const LockedLaunch* was : matched.gone) {
      answer->across.push_back(finding_of(lock_->gone(*was, color_), ReportSpan{file}));
    }
    return out;
  }

  // Forms that say what runs at the same time; a script may do one thing after the other.
  bool declares(const std::string& form) const {
    return std::find(declaring_.begin(), declaring_.end(), form) != declaring_.end();
  }

  Answer check(const FoundLaunch& found, const FileLaunches& file, const Held* held, FileAnswer* of) const {
    SessionOptions session = sessions_.options_of(found, file, of->sources);
    session.fixes = true;
    session.peers = true;
    if (const std::string uncovered = sessions_.uncovered_version(session); !uncovered.empty()) {
      return unchecked(found, file, uncovered, held, of);
    }
    auto checked = check_launch(pack_, session);
    // What this machine can't tell (a configuration file in the container) leaves the answer open.
    if (!checked) return unchecked(found, file, mask_value(pack_, to_text(checked.error())), held, of);
    Session& s = **checked;
    settle_templated(s.outcome.verdict, file);
    const ReportInput input = input_of(s);
    Answer out;
    out.peer = peer_of(found, file, declares(file.form), &s, of->arena);
    out.report = report_of(input, place_of(found));
    if (s.catalogue) out.report.setting += ", model from the built-in catalogue";
    describe(found, file, &out.report);
    effect_->apply(&out.report, &of->comments, last_line(found));
    std::string lock;
    if (held != nullptr) lock = hold(lock_->compare(s, held->name, held->was, "", color_), &out.report, &of->across);
    if (options_.format == "text") {
      out.rendered = to_details(input, out.report, color_);
      out.rendered += (out.rendered.empty() || lock.empty() ? "" : "\n") + lock;
    } else if (!is_whole_format(options_.format)) {
      const int code = static_cast<int>(status_of(out.report.verdict));
      out.rendered = to_json(out.report, to_json(input, out.report, code, nullptr));
    }
    return out;
  }

  // A launch that can't be checked from here, and why.
  Answer unchecked(const FoundLaunch& found, const FileLaunches& file, const std::string& why, const Held* held,
                   FileAnswer* of) const {
    Answer out;
    out.peer = peer_of(found, file, declares(file.form), nullptr, of->arena);
    out.report.span = place_of(found);
    out.report.why = why;
    describe(found, file, &out.report);
    if (held != nullptr) {
      out.rendered = hold(lock_->compare_unchecked(why, held->was, "", color_), &out.report, &of->across);
    }
    if (options_.format == "text" || is_whole_format(options_.format)) return out;
    out.rendered = to_json(out.report, {});
    return out;
  }

  // What a lock says, as text: empty where it is only that nothing changed.
  static std::string hold(const LockAnswer& lock, LaunchReport* report, std::vector<ReportFinding>* across) {
    report->locked = lock.json;
    if (!lock.same) across->push_back(finding_of(lock, report->span));
    return lock.same && lock.notes.empty() ? std::string() : lock.text;
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

  const Pack& pack_;
  const CheckOptions& options_;
  const FinderOptions finder_;
  const FileSessions sessions_;
  const LockFile* const lock_;  // null: none
  PolicyEffect* const effect_;
  const bool color_;
  std::vector<std::string> declaring_{"kubernetes", "helm", "compose"};
};

// The launches of all files, compared with each other.
std::vector<ReportFinding> compare(const Pack& pack, const std::vector<FileAnswer>& answers) {
  std::vector<PeerLaunch> launches;
  std::vector<PeerShown> shown;
  for (const FileAnswer& answer : answers) {
    const auto add = [&](const FilePeer& peer) {
      launches.push_back(peer.launch);
      shown.push_back(peer.shown);
      shown.back().sources = &answer.sources;
    };
    for (const Answer& launch : answer.launches) add(launch.peer);
    std::for_each(answer.companions.begin(), answer.companions.end(), add);
  }
  std::vector<ReportFinding> out;
  for (const PeerFinding& f : compare_peers(pack, launches)) out.push_back(finding_of(pack, f, shown));
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

// What the formats that are no whole print of each launch, in order; `comments` gets those of each file.
std::vector<std::string> collect(std::vector<FileAnswer> answers, CheckReport* report,
                                 std::vector<PolicyEffect::File>* comments) {
  std::vector<std::string> out;
  report->files = answers.size();
  for (FileAnswer& answer : answers) {
    if (answer.error) report->errors.push_back(std::move(*answer.error));
    std::move(answer.across.begin(), answer.across.end(), std::back_inserter(report->across));
    comments->push_back(std::move(answer.comments));
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
  std::optional<LockFile> lock;
  if (!options.locked.empty()) {
    auto read = LockFile::read(*pack, options.locked);
    if (!read) return report_error(read.error(), io);
    lock = std::move(*read);
  }
  if (const auto error = unknown_rule(options.policy, *pack)) return report_error(*error, io);
  PolicyEffect effect(options.policy, *pack);
  const Checker checker(*pack, options, std::move(*known), std::move(*names), lock ? &*lock : nullptr, &effect, color);
  if (const auto error = checker.wrong_use()) return report_error(*error, io);
  CheckReport report = new_check_report(*pack, options);
  std::vector<FileAnswer> answers = check_all(checker, *listed, io.err);
  for (const FileAnswer& answer : answers) {
    for (const std::string& note : answer.notes) io.err << "note: " << note << '\n';
  }
  report.across = compare(*pack, answers);
  std::vector<PolicyEffect::File> comments;
  const std::vector<std::string> rendered = collect(std::move(answers), &report, &comments);
  settle_policy(&effect, &report, comments);
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
