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
#include "carriers/secret_mask.h"
#include "cli/commands.h"
#include "cli/file_sessions.h"
#include "cli/lock_file.h"
#include "report/json_writer.h"
#include "report/report.h"

namespace gonogo {

namespace {

// One launch's answer, as text or JSON already.
struct Answer {
  Verdict verdict = Verdict::kUnknown;
  bool warned = false;
  bool as_locked = true;  // where it was held to a lock
  std::string headline;
  std::string details;
  std::string json;
};

// One file's answers.
struct FileAnswer {
  std::vector<Answer> launches;
  std::optional<Error> error;
  bool without = false;          // no launch in it
  std::vector<LockAnswer> gone;  // what the lock holds of it and it no longer does
};

// A launch that is held to a lock.
struct Held {
  LaunchName name;
  const LockedLaunch* was = nullptr;  // null: the lock does not hold it
};

class Checker {
 public:
  Checker(const Pack& pack, const CheckOptions& options, std::vector<std::pair<std::string, std::string>> known,
          std::vector<std::pair<std::string, std::string>> gpu_names, const LockFile* lock, bool color)
      : pack_(pack),
        options_(options),
        finder_{std::move(known)},
        sessions_(pack, options.session, std::move(gpu_names)),
        lock_(lock),
        color_(color) {}

  std::optional<Error> wrong_use() const { return sessions_.wrong_use(); }

  FileAnswer check(const ListedFile& file) const {
    FileAnswer out;
    auto found = launches_of(pack_, file, finder_);
    if (!found) {
      out.error = found.error();
      return out;
    }
    out.without = found->launches.empty();
    const std::vector<Source> sources = sessions_.shown_sources(*found);
    const std::vector<Held> held = held_of(file.name, *found, &out);
    for (std::size_t i = 0; i < found->launches.size(); ++i) {
      out.launches.push_back(check(found->launches[i], *found, sources, held.empty() ? nullptr : &held[i]));
    }
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
    for (const LockedLaunch* was : matched.gone) answer->gone.push_back(lock_->gone(*was, color_));
    return out;
  }

  Answer check(const FoundLaunch& found, const FileLaunches& file, const std::vector<Source>& sources,
               const Held* held) const {
    Answer out;
    SessionOptions session = sessions_.options_of(found, file, sources);
    session.fixes = true;
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
    if (const std::string uncovered = sessions_.uncovered_version(session); !uncovered.empty()) {
      unchecked(uncovered, place, about, held, json, &out);
      return out;
    }
    auto checked = check_launch(session, &errors);
    if (!checked) {
      // What this machine can't tell (a configuration file in the container) leaves the answer open.
      unchecked(mask_value(pack_, to_text(checked.error())), place, about, held, json, &out);
      return out;
    }
    Session& s = **checked;
    settle_templated(s.outcome.verdict, file);
    const ReportInput input = input_of(s);
    for (const Finding& f : s.outcome.findings) out.warned |= f.kind == Action::kWarn || f.kind == Action::kInert;
    const std::string where = std::string(pack_.text(pack_.about->name)) + " " +
                              std::string(pack_.version(s.version.index)) + " on " + nodes_text(s.nodes);
    const Verdict verdict = s.outcome.verdict;
    json.raw("report", without_newline(to_json(input, static_cast<int>(status_of(verdict)))));
    const std::string details = verdict == Verdict::kGo ? std::string() : to_details(input, color_);
    if (held != nullptr) hold(lock_->compare(s, held->name, held->was, "", color_), json, &out);
    const std::string model = s.catalogue ? ", model from the built-in catalogue" : "";
    finish(verdict, place, about, where + model + ": " + counts_text(s.outcome), details, json, &out);
    return out;
  }

  // What a lock says, where it is more than that nothing changed.
  static void hold(const LockAnswer& lock, JsonWriter& json, Answer* out) {
    json.raw("locked", lock.json);
    out->as_locked = lock.same;
    if (!lock.same || !lock.notes.empty()) out->details = lock.text;
  }

  void unchecked(const std::string& why, const std::string& place, const std::string& about, const Held* held,
                 JsonWriter& json, Answer* out) const {
    if (held != nullptr) hold(lock_->compare_unchecked(why, held->was, "", color_), json, out);
    finish(Verdict::kUnknown, place, about, why, {}, json, out);
  }

  static std::string without_newline(std::string text) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
  }

  static ExitStatus status_of(Verdict verdict) {
    return verdict == Verdict::kNoGo ? ExitStatus::kNoGo : ExitStatus::kGo;
  }

  void finish(Verdict verdict, const std::string& place, const std::string& about, const std::string& why,
              const std::string& details, JsonWriter& json, Answer* out) const {
    out->verdict = verdict;
    out->headline = place + "  " + verdict_text(verdict, color_) + "  " + about + "  " + why;
    out->details = details + (details.empty() || out->details.empty() ? "" : "\n") + out->details;
    json.text("verdict", verdict_word(verdict));
    json.text("why", why);
    json.close('}');
    out->json = json.take();
  }

  const Pack& pack_;
  const CheckOptions& options_;
  const FinderOptions finder_;
  const FileSessions sessions_;
  const LockFile* const lock_;  // null: none
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

struct Totals {
  std::size_t go = 0;
  std::size_t no_go = 0;
  std::size_t unknown = 0;
  std::size_t warned = 0;
  std::size_t errors = 0;
  std::size_t without = 0;
  std::size_t with = 0;
  std::size_t not_locked = 0;  // launches that are not as a lock says

  std::size_t launches() const { return go + no_go + unknown; }
};

Totals count(const std::vector<FileAnswer>& answers) {
  Totals out;
  for (const FileAnswer& answer : answers) {
    out.errors += answer.error ? 1 : 0;
    out.without += answer.without ? 1 : 0;
    out.with += answer.launches.empty() ? 0 : 1;
    out.not_locked += answer.gone.size();
    for (const Answer& launch : answer.launches) {
      out.go += launch.verdict == Verdict::kGo ? 1 : 0;
      out.no_go += launch.verdict == Verdict::kNoGo ? 1 : 0;
      out.unknown += launch.verdict == Verdict::kUnknown ? 1 : 0;
      out.warned += launch.warned ? 1 : 0;
      out.not_locked += launch.as_locked ? 0 : 1;
    }
  }
  return out;
}

ExitStatus status_of(const Totals& totals, const CheckOptions& options) {
  if (totals.no_go > 0 || totals.not_locked > 0) return ExitStatus::kNoGo;
  if (options.fail_on == "warning" && totals.warned > 0) return ExitStatus::kNoGo;
  if (totals.errors > 0) return ExitStatus::kCouldNotCheck;
  return totals.unknown > 0 && options.strict ? ExitStatus::kUnknown : ExitStatus::kGo;
}

std::string plural(std::size_t n, const std::string& one, const std::string& many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

void write_text(const std::vector<FileAnswer>& answers, const Totals& totals, std::ostream& out) {
  for (const FileAnswer& answer : answers) {
    for (const Answer& launch : answer.launches) {
      out << launch.headline << '\n';
      if (!launch.details.empty()) out << launch.details << '\n';
    }
    for (const LockAnswer& gone : answer.gone) out << gone.text << '\n';
  }
  if (totals.launches() > 0) {
    out << plural(totals.launches(), "launch", "launches") << " in " << plural(totals.with, "file", "files") << ": "
        << totals.no_go << " NO-GO, " << totals.unknown << " UNKNOWN, " << totals.go << " GO";
  } else {
    out << "no launch found";
  }
  if (totals.not_locked > 0) out << "; " << totals.not_locked << " not as locked";
  if (totals.without > 0) out << "; " << plural(totals.without, "file holds", "files hold") << " none";
  if (totals.errors > 0) out << "; " << plural(totals.errors, "file", "files") << " could not be read";
  out << '\n';
}

void write_json(const std::vector<FileAnswer>& answers, const Totals& totals, ExitStatus status, std::ostream& out) {
  JsonWriter json;
  json.open('{');
  json.number("format_version", 1);
  const Verdict worst = totals.no_go > 0 ? Verdict::kNoGo : totals.unknown > 0 ? Verdict::kUnknown : Verdict::kGo;
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
  json.open("gone", '[');
  for (const FileAnswer& answer : answers) {
    for (const LockAnswer& gone : answer.gone) json.raw({}, gone.json);
  }
  json.close(']');
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
  std::optional<LockFile> lock;
  if (!options.locked.empty()) {
    auto read = LockFile::read(*pack, options.locked);
    if (!read) return report_error(read.error(), io);
    lock = std::move(*read);
  }
  const Checker checker(*pack, options, std::move(*known), std::move(*names), lock ? &*lock : nullptr, color);
  if (const auto error = checker.wrong_use()) return report_error(*error, io);
  const std::vector<FileAnswer> answers = check_all(checker, *listed, io.err);
  for (const FileAnswer& answer : answers) {
    if (answer.error) report_error(*answer.error, io);
  }
  const Totals totals = count(answers);
  const ExitStatus status = status_of(totals, options);
  if (options.format == "json") {
    write_json(answers, totals, status, io.out);
  } else {
    write_text(answers, totals, io.out);
  }
  return status;
}

}  // namespace gonogo
