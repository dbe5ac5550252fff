#include "policy/effect.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "carriers/file_list.h"

namespace gonogo {

namespace {

Suppression suppression_of(const Ignore& ignore) {
  return {ignore.reason, ignore.until ? to_text(*ignore.until) : "", ignore.by, ignore.in_source};
}

ReportFinding about(std::string_view rule, const ReportSpan& place, std::string_view because, std::string message,
                    std::string hint) {
  ReportFinding out;
  out.action = Action::kWarn;
  out.phase = Phase::kParse;
  out.rule = rule;
  out.because = because;
  out.message = std::move(message);
  out.hint = std::move(hint);
  out.own_level = out.level = Level::kWarning;
  if (!place.file.empty()) out.span = place;
  out.fingerprint = fingerprint_of(rule, place.file, out.message);
  return out;
}

constexpr std::string_view kInvalid = "a comment that is no ignore ignores nothing";

ReportFinding expired(const Ignore& i) {
  return about("policy/expired-ignore", i.place, "an ignore holds no longer than its last day",
               "the ignore of " + i.rule + " held until " + to_text(*i.until),
               "mend the launch, or renew it; its reason was: " + i.reason);
}

ReportFinding unused(const Ignore& i) {
  return about("policy/unused-ignore", i.place, "an ignore that is left behind would hide what comes later",
               "the ignore of " + i.rule + " ignores nothing", "remove it; its reason was: " + i.reason);
}

// Whether a file's name matches a pattern of a policy: by its last part, or from the policy's folder on where the
// pattern has a slash.
bool matches(std::string_view pattern, const std::string& file, const std::string& policy_file) {
  namespace fs = std::filesystem;
  if (pattern.find('/') == std::string_view::npos) return glob_matches(pattern, file.substr(file.rfind('/') + 1));
  while (pattern.starts_with("./")) pattern.remove_prefix(2);
  std::error_code error;
  const fs::path root = fs::absolute(policy_file.empty() ? "x" : policy_file, error).lexically_normal().parent_path();
  const fs::path path = fs::absolute(file, error).lexically_normal();
  return glob_matches(pattern.starts_with('/') ? pattern.substr(1) : pattern, path.lexically_relative(root).string());
}

}  // namespace

PolicyEffect::File::File(std::string_view text, const std::string& name)
    : name_(name), found_(inline_ignores(text, name)), used_(found_.ignores.size()) {}

PolicyEffect::File::File(const FileLaunches& launches) {
  for (const Source& source : launches.sources) {
    if (launches.launches.empty() || source.name != launches.launches[0].place.file) continue;
    *this = File(source.text, source.name);
    return;
  }
}

std::string PolicyEffect::File::ignores_of(int first_line, int last_line) const {
  std::string out;
  for (const Ignore& i : found_.ignores) {
    if (!found_.speaks_of(i.place.line, first_line, last_line)) continue;
    out += i.rule + " " + i.reason + (i.until ? " until " + to_text(*i.until) : "") + "\n";
  }
  return out;
}

PolicyEffect::PolicyEffect(const Policy& policy, const Pack& pack)
    : policy_(policy),
      pack_(pack),
      used_(new std::atomic<bool>[policy.ignores.size()]()),
      reached_(new std::atomic<bool>[policy.ignores.size()]()) {}

bool PolicyEffect::in_scope(const Ignore& ignore, const std::string& file) const {
  if (ignore.file.empty()) return true;
  return file != kCommandLine && matches(ignore.file, file, policy_.file);
}

bool PolicyEffect::in_scope(const Ignore& ignore, const ReportFinding& f) const {
  if (f.related.empty()) return in_scope(ignore, f.span ? f.span->file : std::string(kCommandLine));
  return std::any_of(f.related.begin(), f.related.end(),
                     [&](const RelatedLaunch& r) { return in_scope(ignore, r.launch.file); });
}

void PolicyEffect::level(ReportFinding* f) const {
  for (const Severity& s : policy_.severities) {
    if (!names_rule(s.rule, f->rule)) continue;
    f->level = s.level;
    f->level_by = s.by;
  }
}

void PolicyEffect::apply(LaunchReport* launch, File* file, int last_line) {
  launch->policy = policy_.file;
  const std::string& name = launch->span.file;
  for (ReportFinding& f : launch->findings) level(&f);
  const auto suppress = [&](const Ignore& ignore) {
    bool out = false;
    for (ReportFinding& f : launch->findings) {
      if (!names_rule(ignore.rule, f.rule)) continue;
      if (!f.suppressed) f.suppressed = suppression_of(ignore);
      out = true;
    }
    return out;
  };
  for (std::size_t i = 0; i < policy_.ignores.size(); ++i) {
    const Ignore& ignore = policy_.ignores[i];
    if (!in_scope(ignore, name)) continue;
    // A file's ignore says nothing of the one launch on a command line.
    if (name != kCommandLine || ignore.place.line == 0) reached_[i] = true;
    if (!ignore.expired(policy_.today) && suppress(ignore)) used_[i] = true;
  }
  for (std::size_t i = 0; file != nullptr && i < file->found_.ignores.size(); ++i) {
    const Ignore& ignore = file->found_.ignores[i];
    if (ignore.expired(policy_.today)) continue;
    if (!file->found_.speaks_of(ignore.place.line, launch->span.line, last_line)) continue;
    if (suppress(ignore)) file->used_[i] = true;
  }
  decide(launch);
}

std::vector<ReportFinding> PolicyEffect::leftovers(const File& file) const {
  std::vector<ReportFinding> out;
  for (const Error& e : file.found_.errors) {
    const ReportSpan place{e.place.file, e.place.line, e.place.column, e.place.line, e.place.column + 1};
    out.push_back(about("policy/invalid-ignore", place, kInvalid, e.what, e.hint));
  }
  for (std::size_t i = 0; i < file.found_.ignores.size(); ++i) {
    const Ignore& ignore = file.found_.ignores[i];
    std::string hint;
    if (const std::string what = no_such_rule(ignore.rule, pack_, &hint); !what.empty()) {
      out.push_back(about("policy/invalid-ignore", ignore.place, kInvalid, what, hint));
    } else if (ignore.expired(policy_.today)) {
      out.push_back(expired(ignore));
    } else if (!file.used_[i]) {
      out.push_back(unused(ignore));
    }
  }
  return out;
}

std::vector<ReportFinding> PolicyEffect::leftovers() const {
  std::vector<ReportFinding> out;
  for (std::size_t i = 0; i < policy_.ignores.size(); ++i) {
    const Ignore& ignore = policy_.ignores[i];
    if (ignore.expired(policy_.today)) {
      out.push_back(expired(ignore));
    } else if (reached_[i] && !used_[i]) {
      out.push_back(unused(ignore));
    }
  }
  return out;
}

void PolicyEffect::apply(File* file, ReportFinding* f) const {
  for (std::size_t i = 0; i < file->found_.ignores.size(); ++i) {
    const Ignore& ignore = file->found_.ignores[i];
    if (ignore.expired(policy_.today) || !names_rule(ignore.rule, f->rule)) continue;
    const bool beside = std::any_of(f->related.begin(), f->related.end(), [&](const RelatedLaunch& r) {
      return r.launch.file == file->name_ && file->found_.speaks_of(ignore.place.line, r.launch.line, r.last_line);
    });
    if (!beside) continue;
    if (!f->suppressed) f->suppressed = suppression_of(ignore);
    file->used_[i] = true;
  }
}

void PolicyEffect::apply(std::vector<ReportFinding>* across, std::span<File> files) {
  for (ReportFinding& f : *across) {
    level(&f);
    for (std::size_t i = 0; i < policy_.ignores.size(); ++i) {
      const Ignore& ignore = policy_.ignores[i];
      if (ignore.expired(policy_.today) || !names_rule(ignore.rule, f.rule)) continue;
      if (!in_scope(ignore, f)) continue;
      if (!f.suppressed) f.suppressed = suppression_of(ignore);
      used_[i] = true;
    }
    for (File& file : files) apply(&file, &f);
  }
}

}  // namespace gonogo
