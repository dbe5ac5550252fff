// What a policy does to reports: levels, suppressions, and findings about ignores that are of no use any more. Launches
// may be reported from several threads.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "launch/found.h"
#include "policy/policy.h"

namespace gonogo {

class PolicyEffect {
 public:
  // Both must outlive the effect.
  PolicyEffect(const Policy& policy, const Pack& pack);

  // The ignores in a file's comments, and which of them were used.
  class File {
   public:
    File() = default;
    // `text` is the file as it stands.
    File(std::string_view text, const std::string& name);
    // The file that the launches begin in; nothing where there are none.
    explicit File(const FileLaunches& launches);

    // What the ignores beside a launch on these lines say, a line each.
    std::string ignores_of(int first_line, int last_line) const;

   private:
    friend class PolicyEffect;
    std::string name_;
    InlineIgnores found_;
    std::vector<bool> used_;
  };

  // Gives a launch's findings their levels, suppresses what is ignored and decides anew. `last_line` is the last line
  // of the launch in its file; `file` is null for a launch on the command line.
  void apply(LaunchReport* launch, File* file, int last_line);

  // What the comments of a file leave to be said, once its launches and what is about several were reported.
  std::vector<ReportFinding> leftovers(const File& file) const;

  // What the policy leaves to be said, once every launch was reported. An ignore that no launch of this run could have
  // used is not called unused: of one on the command line the policy may say much that is for others.
  std::vector<ReportFinding> leftovers() const;

  // Levels and suppressions for findings about no single launch. An ignore in one of `files` beside any of the launches
  // that a finding is about holds for it.
  void apply(std::vector<ReportFinding>* across, std::span<File> files = {});

 private:
  bool in_scope(const Ignore& ignore, const std::string& file) const;
  bool in_scope(const Ignore& ignore, const ReportFinding& across) const;
  void apply(File* file, ReportFinding* across) const;
  void level(ReportFinding* finding) const;

  const Policy& policy_;
  const Pack& pack_;
  std::unique_ptr<std::atomic<bool>[]> used_;     // by ignore
  std::unique_ptr<std::atomic<bool>[]> reached_;  // by ignore: a launch was in its scope
};

}  // namespace gonogo
