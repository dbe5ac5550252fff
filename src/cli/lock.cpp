// `gonogo lock`: what launches resolve to, written down for `check --locked`.
#include <ostream>

#include "carriers/file_list.h"
#include "carriers/secret_mask.h"
#include "cli/commands.h"
#include "cli/file_sessions.h"
#include "cli/lock_file.h"
#include "cli/write_file.h"

namespace gonogo {

namespace {

class Locking {
 public:
  Locking(const Pack& pack, const LockOptions& options) : pack_(pack), options_(options) {
    lock_.gonogo = GONOGO_VERSION;
    lock_.pack = pack.text(pack.about->name);
    lock_.hash = pack.hash();
  }

  std::optional<Error> command() {
    auto launch = read_command(pack_, options_.check.session.command);
    if (!launch) return launch.error();
    auto session = check_launch(pack_, options_.check.session);
    if (!session) return session.error();
    add(**session, name_of(pack_, *launch));
    return std::nullopt;
  }

  std::optional<Error> file(const ListedFile& file, const FinderOptions& finder, const FileSessions& sessions) {
    auto found = launches_of(pack_, file, finder);
    if (!found) return found.error();
    for (const FoundLaunch& launch : found->launches) {
      LaunchName name = name_of(pack_, name_beside(options_.output, file.name), launch);
      const SessionOptions session = sessions.options_of(launch, *found, {});
      std::string why = sessions.uncovered_version(session);
      if (why.empty()) {
        auto checked = check_launch(pack_, session);
        if (checked) {
          settle_templated((*checked)->outcome.verdict, *found);
          add(**checked, std::move(name));
          continue;
        }
        why = mask_value(pack_, to_text(checked.error()));
      }
      lock_.launches.push_back(locked_unchecked(std::move(name), why));
    }
    return std::nullopt;
  }

  const Lock& lock() const { return lock_; }

 private:
  void add(const Session& session, LaunchName name) {
    lock_.launches.push_back(locked(session, std::move(name), *lock_.arena));
    // The session goes; what the lock keeps must not live in it.
    LockedLaunch& launch = lock_.launches.back();
    for (auto* rows : {&launch.resolved, &launch.env, &launch.built}) {
      for (LockedRow& row : *rows) row.value = deep_copy(row.value, *lock_.arena);
    }
  }

  const Pack& pack_;
  const LockOptions& options_;
  Lock lock_;
};

std::string counts(const Lock& lock) {
  std::size_t of[3] = {0, 0, 0};
  for (const LockedLaunch& launch : lock.launches) ++of[static_cast<std::size_t>(launch.verdict)];
  std::string out = std::to_string(lock.launches.size()) + (lock.launches.size() == 1 ? " launch" : " launches") + ": ";
  return out + std::to_string(of[1]) + " NO-GO, " + std::to_string(of[2]) + " UNKNOWN, " + std::to_string(of[0]) +
         " GO";
}

}  // namespace

ExitStatus lock_command(const LockOptions& options, Streams io) {
  std::string blob;
  std::vector<Error> errors;
  auto pack = load_pack(options.check.session.rules, &blob, &errors);
  if (!pack) return report_failure(pack.error(), errors, io);
  Locking locking(*pack, options);
  if (options.files.files.empty()) {
    if (const auto error = locking.command()) return report_error(*error, io);
  } else {
    auto known = read_known(options.files.known);
    if (!known) return report_error(known.error(), io);
    auto names = read_known(options.files.gpu_names);
    if (!names) return report_error(names.error(), io);
    auto listed = list_files(*pack, options.files.files, io.in);
    if (!listed) return report_error(listed.error(), io);
    const FinderOptions finder{std::move(*known)};
    const FileSessions sessions(*pack, options.check.session, std::move(*names));
    if (const auto error = sessions.wrong_use()) return report_error(*error, io);
    for (const ListedFile& file : *listed) {
      if (const auto error = locking.file(file, finder, sessions)) errors.push_back(*error);
    }
    // Half a lock would say of the rest that it is new.
    if (!errors.empty()) return report_errors(errors, io);
    if (locking.lock().launches.empty()) {
      return report_error({Error::Kind::kInput, "no launch found, so there is nothing to lock", {}, "", ""}, io);
    }
  }
  const std::string text = lock_to_text(locking.lock());
  if (options.output == "-") {
    io.out << text;
    return ExitStatus::kGo;
  }
  if (const auto error = write_file(options.output, text)) return report_error(*error, io);
  io.out << "locked in " << options.output << ": " << counts(locking.lock()) << '\n';
  return ExitStatus::kGo;
}

}  // namespace gonogo
