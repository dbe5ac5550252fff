// `gonogo diff --base REF`: what a change does to the launches of the files that it touches. Only those are looked at,
// and of them only launches whose words, machine or files are others are checked, as the commit has them and as they
// are now.
#include <algorithm>
#include <filesystem>
#include <ostream>
#include <set>

#include "base/text.h"
#include "carriers/file_form.h"
#include "carriers/file_list.h"
#include "carriers/git_base.h"
#include "carriers/launch_match.h"
#include "carriers/secret_mask.h"
#include "cli/check_output.h"
#include "cli/commands.h"
#include "cli/file_sessions.h"
#include "report/diff.h"
#include "report/json_writer.h"
#include "report/launch_report.h"
#include "report/report.h"

namespace gonogo {

namespace {

namespace fs = std::filesystem;

constexpr int kFormatVersion = 1;

// One file as it is or was.
struct Version {
  FileLaunches file;
  std::vector<LaunchName> names;
  std::vector<Source> sources;  // as they may be shown
  std::set<std::string> reads;  // paths of the files that it and its launches read, from the repository's root
  PolicyEffect::File comments;
};

// One launch, checked and judged by the policy, or why it can't be.
struct Checked {
  std::unique_ptr<Session> session;
  LaunchReport report;

  Verdict verdict() const { return report.verdict; }
  const std::string& why() const { return report.why; }
  // "NO-GO", and what it would be without the policy where that is something else.
  std::string verdict_text(bool color) const {
    std::string out = gonogo::verdict_text(report.verdict, color);
    if (report.verdict != report.own_verdict) {
      out += " (without the policy " + std::string(verdict_word(report.own_verdict)) + ")";
    }
    return out;
  }
};

struct Totals {
  std::size_t files = 0;
  std::size_t added = 0;
  std::size_t removed = 0;
  std::size_t changed = 0;  // of them `same` resolve as before
  std::size_t same = 0;
  std::size_t untouched = 0;
};

// Empty where the current folder is gone.
std::string current_folder() {
  std::error_code failed;
  return fs::current_path(failed).string();
}

class BaseDiffer {
 public:
  BaseDiffer(const Pack& pack, const BaseDiffOptions& options, const GitBase& base, const FileSessions& sessions,
             std::vector<std::pair<std::string, std::string>> known, Streams io)
      : pack_(pack),
        options_(options),
        base_(base),
        sessions_(sessions),
        known_(std::move(known)),
        here_(current_folder()),
        color_(options.check.format != "json" && use_color(options.check.color)),
        io_(io),
        effect_(options.check.policy, pack),
        report_(new_check_report(pack, options.check)) {}

  ExitStatus run() {
    auto touched = base_.touched();
    if (!touched) return report_error(touched.error(), io_);
    if (const auto error = unknown_path(*touched)) return report_error(*error, io_);
    for (const TouchedFile& file : *touched) {
      touched_paths_.insert(file.path);
      if (!file.before.empty()) touched_paths_.insert(file.before);
    }
    json_.open('{');
    json_.number("format_version", kFormatVersion);
    json_.open("base", '{');
    json_.text("ref", options_.base);
    json_.text("commit", base_.commit());
    json_.close('}');
    json_.open("launches", '[');
    for (const TouchedFile& file : *touched) {
      if (wanted(file.path)) compare(file, false);
    }
    // Files that are as they were, and that read one that is not.
    const std::vector<std::string> all = touched->empty() ? std::vector<std::string>() : base_.files();
    for (const std::string& path : all) {
      if (touched_paths_.contains(path) || !may_carry(path.substr(path.rfind('/') + 1))) continue;
      if (names_touched(path) && wanted(path)) compare({path, path, false}, true);
    }
    json_.close(']');
    const ExitStatus status = settle_status(&report_);
    finish();
    return status;
  }

 private:
  // From the repository's root; empty where it lies outside.
  std::string in_repository(const std::string& name) const {
    const std::string path = (fs::path(here_) / name).lexically_normal().lexically_relative(base_.root()).string();
    return path.empty() || path.starts_with("..") ? std::string() : path;
  }
  // As the user would name it from here.
  std::string from_here(const std::string& path) const {
    return (fs::path(base_.root()) / path).lexically_proximate(here_).string();
  }

  // Whether the user's paths hold a file, and a walk of the repository would come to it.
  bool wanted(const std::string& path) const {
    if (!walk_lists(base_.root(), path)) return false;
    return options_.files.files.empty() || std::any_of(options_.files.files.begin(), options_.files.files.end(),
                                                       [&](const std::string& given) { return holds(given, path); });
  }
  bool holds(const std::string& given, const std::string& path) const {
    std::string folder = in_repository(given);
    while (!folder.empty() && folder.back() == '/') folder.pop_back();
    if (folder.empty()) return false;
    return folder == "." || path == folder || path.starts_with(folder + "/") || glob_matches(folder, path);
  }

  // A path that is neither there nor was.
  std::optional<Error> unknown_path(const std::vector<TouchedFile>& touched) const {
    for (const std::string& given : options_.files.files) {
      const bool was = std::any_of(touched.begin(), touched.end(), [&](const TouchedFile& f) {
        return holds(given, f.path) || holds(given, f.before);
      });
      std::error_code failed;
      if (was || (!in_repository(given).empty() && fs::exists(given, failed))) continue;
      return Error{Error::Kind::kInput, "there is no such file or folder in this repository", {given, 0, 0}, "", ""};
    }
    return std::nullopt;
  }

  std::optional<std::string> text_before(const std::string& path) const {
    return path.empty() ? std::nullopt : base_.text(path, kMaxLaunchFile);
  }

  // The file that a word of a launch names as one of further arguments; empty where it names none.
  static std::string config_of(const Pack& pack, const FoundLaunch& launch) {
    for (std::size_t i = 0; i + 1 < launch.args.size(); ++i) {
      if (launch.args[i].text == pack.text(pack.about->config_flag)) return launch.args[i + 1].text;
    }
    return {};
  }

  // What a text holds; nothing where it does not mention the runtime.
  Result<Version> read(const std::string& path, const std::string& text, bool before) const {
    Version out;
    if (!mentions_runtime(pack_, text)) return out;
    FinderOptions finder{known_};
    if (before) finder.beside = [this](const std::string& name) { return text_before(in_repository(name)); };
    const std::string name = from_here(path);
    auto found = find_launches(pack_, name, text, finder);
    if (!found) return found.error();
    out.file = std::move(*found);
    for (const Source& source : out.file.sources) out.reads.insert(in_repository(source.name));
    for (const FoundLaunch& launch : out.file.launches) {
      out.names.push_back(name_of(pack_, name, launch));
      const std::string config = config_of(pack_, launch);
      if (config.empty()) continue;
      out.reads.insert(in_repository(config));
      if (!before) continue;
      if (auto kept = text_before(in_repository(config))) out.file.sources.push_back({config, std::move(*kept)});
    }
    out.sources = sessions_.shown_sources(out.file);
    out.comments = PolicyEffect::File(out.file);
    return out;
  }

  bool reads_touched(const Version& version) const {
    return std::any_of(version.reads.begin(), version.reads.end(),
                       [&](const std::string& path) { return touched_paths_.contains(path); });
  }

  void compare(const TouchedFile& file, bool only_if_it_reads) {
    Version before;
    Version now;
    if (!file.removed) {
      const auto text = read_file(base_.root() + "/" + file.path, kMaxLaunchFile);
      if (!text) return;  // no text, or no launch's
      auto read_now = read(file.path, *text, false);
      if (!read_now) {
        report_.errors.push_back(read_now.error());
        report_error(read_now.error(), io_);
        return;
      }
      now = std::move(*read_now);
    }
    if (const auto text = text_before(file.before)) {
      // What could not be read then held nothing that could be broken.
      if (auto read_before = read(file.before, *text, true)) before = std::move(*read_before);
    }
    if (only_if_it_reads && !reads_touched(before) && !reads_touched(now)) return;
    if (before.names.empty() && now.names.empty()) return;
    ++totals_.files;
    launches(before, now);
  }

  // Whether a file's text names a touched one by its last part; cheap, before it is taken apart.
  bool names_touched(const std::string& path) const {
    const auto text = read_file(base_.root() + "/" + path, kMaxLaunchFile);
    if (!text || !mentions_runtime(pack_, *text)) return false;
    return std::any_of(touched_paths_.begin(), touched_paths_.end(), [&](const std::string& touched) {
      return text->find(touched.substr(touched.rfind('/') + 1)) != std::string::npos;
    });
  }

  // Whether nothing that a check reads is another: words, variables, machine, further arguments, ignores.
  bool untouched(const Version& before, std::size_t i, const Version& now, std::size_t j) const {
    LaunchName as_now = before.names[i];
    as_now.file = now.names[j].file;
    const FoundLaunch& a = before.file.launches[i];
    const FoundLaunch& b = now.file.launches[j];
    const auto same_words = [](const FoundWord& x, const FoundWord& y) {
      return x.text == y.text && x.unknowns == y.unknowns;
    };
    const auto same_sets = [&](const FoundVariable& x, const FoundVariable& y) {
      return x.name == y.name && same_words(x.value, y.value);
    };
    return as_now == now.names[j] && before.file.form == now.file.form && before.file.templated == now.file.templated &&
           std::equal(a.args.begin(), a.args.end(), b.args.begin(), b.args.end(), same_words) &&
           std::equal(a.env.begin(), a.env.end(), b.env.begin(), b.env.end(), same_sets) &&
           std::equal(a.program.begin(), a.program.end(), b.program.begin(), b.program.end(), same_words) &&
           a.facts.image == b.facts.image && a.facts.gpus == b.facts.gpus && a.facts.gpu == b.facts.gpu &&
           a.facts.nnodes == b.facts.nnodes &&
           before.comments.ignores_of(a.place.line, last_line(a)) ==
               now.comments.ignores_of(b.place.line, last_line(b)) &&
           !touched_paths_.contains(in_repository(config_of(pack_, b)));
  }

  void launches(Version& before, Version& now) {
    std::vector<bool> kept(before.names.size());
    const auto matches = match_launches(before.names, now.names);
    for (std::size_t j = 0; j < matches.size(); ++j) {
      if (!matches[j]) {
        added(now, j);
        continue;
      }
      kept[*matches[j]] = true;
      if (untouched(before, *matches[j], now, j)) {
        ++totals_.untouched;
      } else {
        changed(before, *matches[j], now, j);
      }
    }
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (!kept[i]) removed(before, i);
    }
  }

  Checked check(Version& version, std::size_t i, bool fixes) {
    const FoundLaunch& found = version.file.launches[i];
    Checked out;
    SessionOptions session = sessions_.options_of(found, version.file, version.sources);
    session.fixes = fixes;
    out.report.why = sessions_.uncovered_version(session);
    if (!out.why().empty()) return out;
    auto checked = check_launch(pack_, session);
    if (!checked) {
      out.report.why = mask_value(pack_, to_text(checked.error()));
      return out;
    }
    out.session = std::move(*checked);
    Verdict& verdict = out.session->outcome.verdict;
    settle_templated(verdict, version.file);
    const Place& at = found.place;
    out.report = report_of(input_of(*out.session), {at.file, at.line, at.column, at.line, at.column + 1});
    effect_.apply(&out.report, &version.comments, last_line(found));
    verdict = out.report.verdict;  // a comparison tells what the policy makes of it
    // The comparison's head names a launch by its line.
    out.session->launch.sources.push_back({std::string(kCommandLine), command_line(version.names[i])});
    return out;
  }

  // Opens the launch's object and writes its first line.
  void head(const char* change, const Version& version, std::size_t i, const std::string& verdict,
            const std::string& more) {
    const FoundLaunch& launch = version.file.launches[i];
    std::string about = launch.entry;
    for (const std::string& role : launch.roles) about += ", " + role;
    if (launch.conditional) about += ", if " + mask_value(pack_, *launch.conditional);
    text_ += launch.place.file + ":" + std::to_string(launch.place.line) + "  " + change + "  " + verdict + "  " +
             about + (more.empty() ? "" : "  " + more) + "\n";
    json_.open('{');
    json_.text("change", change);
    json_.text("file", launch.place.file);
    json_.number("line", launch.place.line);
    json_.number("column", launch.place.column);
    json_.text("entry", launch.entry);
    json_.list("roles", launch.roles);
    json_.list("argv", version.names[i].args);
  }

  void added(Version& now, std::size_t j) {
    ++totals_.added;
    const Checked checked = check(now, j, true);
    report_.launches.push_back(checked.report);
    const std::string verdict = checked.verdict_text(color_);
    if (!checked.session) {
      head("added", now, j, verdict, checked.why());
      json_.text("verdict", verdict_word(checked.verdict()));
      json_.text("why", checked.why());
    } else {
      const ReportInput input = input_of(*checked.session);
      const LaunchReport& report = checked.report;
      const std::string what = counts_text(report);
      head("added", now, j, verdict, what);
      json_.text("verdict", verdict_word(checked.verdict()));
      json_.text("why", what);
      text_ += to_details(input, report, color_);
      json_.raw("report", to_json(input, report, checked.verdict() == Verdict::kNoGo ? 1 : 0, nullptr));
    }
    json_.close('}');
  }

  void removed(Version& before, std::size_t i) {
    ++totals_.removed;
    const Checked checked = check(before, i, false);
    head("removed", before, i, "was " + checked.verdict_text(color_), checked.why());
    json_.text("verdict_before", verdict_word(checked.verdict()));
    json_.close('}');
  }

  void changed(Version& before, std::size_t i, Version& now, std::size_t j) {
    ++totals_.changed;
    const Checked old = check(before, i, false);
    const Checked checked = check(now, j, false);
    report_.launches.push_back(checked.report);
    const bool both = old.session != nullptr && checked.session != nullptr;
    std::string verdict = old.verdict_text(color_);
    if (const std::string then = checked.verdict_text(color_); then != verdict) verdict += " -> " + then;
    if (!both) {
      head("changed", now, j, verdict, !checked.why().empty() ? checked.why() : "was not checkable: " + old.why());
    } else {
      const ReportInput a = input_of(*old.session);
      const ReportInput b = input_of(*checked.session);
      const Diff diff = diff_of(a, b);
      totals_.same += diff.same() ? 1 : 0;
      head("changed", now, j, verdict, diff.same() ? "resolves as before" : "");
      if (!diff.same()) text_ += diff_to_text(a, b, diff, color_) + "\n";
      json_.raw("diff", diff_to_json(a, b, diff, diff.same() ? 0 : 1));
    }
    const Place& was = before.file.launches[i].place;
    json_.open("before", '{');
    json_.text("file", was.file);
    json_.number("line", was.line);
    json_.close('}');
    json_.text("verdict_before", verdict_word(old.verdict()));
    json_.text("verdict", verdict_word(checked.verdict()));
    if (checked.verdict() != checked.report.own_verdict) {
      json_.text("verdict_without_policy", verdict_word(checked.report.own_verdict));
    }
    json_.close('}');
  }

  void finish() {
    json_.number("files", static_cast<std::int64_t>(totals_.files));
    json_.number("untouched", static_cast<std::int64_t>(totals_.untouched));
    if (!report_.policy.empty()) json_.text("policy", report_.policy);
    json_.number("exit_code", report_.exit_code);
    json_.close('}');
    if (options_.check.format == "json") {
      io_.out << json_.take() << '\n';
      return;
    }
    const auto number = [](std::size_t n) { return std::to_string(n); };
    io_.out << text_ << "against " << options_.base << " (" << base_.commit() << "): ";
    if (totals_.files == 0) {
      io_.out << "no file with a launch is touched\n";
      return;
    }
    io_.out << number(totals_.files) << (totals_.files == 1 ? " file" : " files") << " touched; "
            << number(totals_.added) << " added, " << number(totals_.changed) << " changed (" << number(totals_.same)
            << " as before), " << number(totals_.removed) << " removed, " << number(totals_.untouched)
            << " untouched; of those added and changed " << number(report_.count(Verdict::kNoGo)) << " NO-GO, "
            << number(report_.count(Verdict::kUnknown)) << " UNKNOWN, " << number(report_.count(Verdict::kGo)) << " GO"
            << (report_.policy.empty() ? "" : "; policy " + report_.policy) << '\n';
  }

  const Pack& pack_;
  const BaseDiffOptions& options_;
  const GitBase& base_;
  const FileSessions& sessions_;
  const std::vector<std::pair<std::string, std::string>> known_;
  const std::string here_;
  const bool color_;
  Streams io_;
  std::set<std::string> touched_paths_;
  std::string text_;
  JsonWriter json_;
  Totals totals_;
  PolicyEffect effect_;
  CheckReport report_;  // of the launches that the change adds and alters
};

}  // namespace

ExitStatus base_diff_command(const BaseDiffOptions& options, Streams io) {
  std::string blob;
  std::vector<Error> errors;
  auto pack = load_pack(options.check.session.rules, &blob, &errors);
  if (!pack) return report_failure(pack.error(), errors, io);
  auto known = read_known(options.files.known);
  if (!known) return report_error(known.error(), io);
  auto names = read_known(options.files.gpu_names);
  if (!names) return report_error(names.error(), io);
  const auto base = GitBase::open(".", options.base);
  if (!base) return report_error(base.error(), io);
  if (const auto error = unknown_rule(options.check.policy, *pack)) return report_error(*error, io);
  const FileSessions sessions(*pack, options.check.session, std::move(*names));
  if (const auto error = sessions.wrong_use()) return report_error(*error, io);
  return BaseDiffer(*pack, options, **base, sessions, std::move(*known), io).run();
}

}  // namespace gonogo
