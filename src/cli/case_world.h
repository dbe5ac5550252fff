// The world of a recorded case: its own model files and GPUs, a machine about which everything is known, and no
// environment but its own.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/arena.h"
#include "base/result.h"
#include "engine/world.h"
#include "facts/host.h"
#include "rules/pack.h"

namespace gonogo {

// What stands for the model's folder in a case.
inline constexpr std::string_view kCaseModel = "$MODEL";

// Model folders of recorded cases, read once for a whole batch.
class CaseFolders {
 public:
  // What a folder that is not here means: it lies elsewhere, or the call was wrong.
  enum class Missing { kUnknown, kError };

  CaseFolders(const Pack& pack, std::string root, Missing missing)
      : pack_(pack), root_(std::move(root)), missing_(missing) {}

  // The JSON files of a folder by name; an error where one can't be read.
  Result<Value> files(const std::string& folder);

 private:
  const Pack& pack_;
  std::string root_;
  Missing missing_;
  Arena arena_;
  std::map<std::string, Value> known_;
};

// Models of one case: its own, those in folders below it whose files the case gives ("draft/config.json"), and no
// others on this host; what lies at a URL or in a single file is unknown.
class CaseModels : public Models {
 public:
  // `files` maps names to contents; the case's folder is `present` at all.
  CaseModels(Value files, Arena& arena);
  ModelFiles at(std::string_view path) override;

 private:
  Arena& arena_;
  Value files_;
  Value config_;
};

// The machine of one case: as ClosedHost, with what the case says that it has besides:
//   "host": {"files": {PATH: "file" | "directory"}, "modules": [NAME], "infiniband": [NAME]}
class CaseHost : public HostFacts {
 public:
  // `said` is that object; null where the case has none.
  CaseHost(const Host& host, const Value& files, const Value* said) : host_(host), files_(files), said_(said) {}
  Value file(std::string_view path) override;
  Value text(std::string_view path, Arena& arena) override;
  Value importable(std::string_view module) override;
  Value infiniband(Arena& arena) override;

 private:
  const Value* said(std::string_view key) const { return said_ == nullptr ? nullptr : said_->find(key); }

  const Host& host_;
  Value files_;
  const Value* said_;
};

}  // namespace gonogo
