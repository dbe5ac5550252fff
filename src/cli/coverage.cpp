// `gonogo rules coverage`: recorded cases in, which rules they exercise out.
#include "report/coverage.h"

#include <fstream>
#include <optional>
#include <ostream>

#include "base/text.h"
#include "cli/case_runner.h"
#include "cli/commands.h"

namespace gonogo {

namespace {

constexpr std::size_t kMaxTable = 16u << 20;

class CoverageRun {
 public:
  CoverageRun(const Pack& pack, const CoverageOptions& options, std::optional<std::uint32_t> version, Streams io)
      : version_(version),
        io_(io),
        runner_(pack, "", options.models_dir, CaseFolders::Missing::kError),
        coverage_(pack, version ? Mask{1} << *version : ~Mask{0}, options.kept) {}

  // Whether the file was read; lines that can't be run are reported one by one.
  std::optional<Error> file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return Error{Error::Kind::kInput, "the file can't be read", {path, 0, 0}, "", ""};
    ++cases_.files;
    std::string line;
    std::vector<bool> acted;
    for (int number = 1; std::getline(in, line); ++number) {
      if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
      if (line.size() > kMaxCaseBytes)
        return Error{Error::Kind::kInput, "a case is larger than 16 MiB", {path, number, 0}, "", ""};
      const auto run = runner_.run(line, &acted);
      if (!run) {
        Error e = run.error();
        e.place = {path, number, e.place.column};
        report_error(e, io_);
        failed_ = true;
        continue;
      }
      if (version_ && run->version != *version_) {
        ++cases_.skipped;
        continue;
      }
      judge(*run);
      coverage_.add(acted, path + ":" + std::to_string(number));
    }
    if (in.bad()) return Error{Error::Kind::kInput, "the file can't be read to its end", {path, 0, 0}, "", ""};
    return std::nullopt;
  }

  const Coverage& coverage() const { return coverage_; }
  const CoverageCases& cases() const { return cases_; }
  bool failed() const { return failed_; }

 private:
  void judge(const CaseRun& run) {
    const Value* ok = run.input.find("ok");
    if (ok == nullptr || !ok->is(Kind::kBool)) return;
    ++cases_.judged;
    const bool accepted = !run.outcome.parts.empty() && !run.outcome.parts[0].refused_by;
    cases_.agreed += ok->as_bool() == accepted ? 1 : 0;
  }

  std::optional<std::uint32_t> version_;
  Streams io_;
  CaseRunner runner_;
  Coverage coverage_;
  CoverageCases cases_;
  bool failed_ = false;
};

}  // namespace

ExitStatus rules_coverage_command(const CoverageOptions& options, Streams io) {
  std::vector<Error> errors;
  std::string blob;
  auto pack = load_pack(options.rules, &blob, &errors);
  if (!pack) return report_failure(pack.error(), errors, io);
  std::optional<std::uint32_t> version;
  if (!options.version.empty()) {
    auto found = runtime_version({.option = options.version, .image = {}, .python = nullptr}, *pack);
    if (!found) return report_error(found.error(), io);
    version = found->index;
  }
  CoverageRun run(*pack, options, version, io);
  for (const std::string& path : options.files) {
    if (const auto failed = run.file(path)) return report_error(*failed, io);
  }
  std::optional<std::vector<UpstreamCheck>> checks;
  for (const std::string& path : options.refusals) {
    const auto text = read_file(path, kMaxTable);
    if (!text) return report_error(text.error(), io);
    auto read = read_upstream_checks(*text, path, *pack, version ? Mask{1} << *version : ~Mask{0});
    if (!read) return report_error(read.error(), io);
    if (checks) {
      add_checks(std::move(*read), &*checks);
    } else {
      checks = std::move(*read);
    }
  }
  const std::vector<UpstreamCheck>* const table = checks ? &*checks : nullptr;
  io.out << (options.format == "json" ? coverage_to_json(run.coverage(), run.cases(), table)
                                      : coverage_to_text(run.coverage(), run.cases(), table));
  return run.failed() ? ExitStatus::kCouldNotCheck : ExitStatus::kGo;
}

}  // namespace gonogo
