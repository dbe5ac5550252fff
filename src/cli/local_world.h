// The world of a launch that is proposed on this machine: model folders and the Hugging Face cache, this host as far as
// it can be known to be the launch's.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "engine/world.h"
#include "facts/environment.h"
#include "facts/host.h"
#include "facts/model_source.h"
#include "rules/pack.h"

namespace gonogo {

class LocalModels : public Models {
 public:
  // `model_config` stands for the files of `model`, where it is not empty. `folders` hold models that are not where the
  // launch looks for them: "org/name" as org/name, org__name or name in one of them, the first that is there. With
  // `catalogue`, what is in none of these places is looked up among the models that ship with gonogo.
  LocalModels(const Pack& pack, Environment env, std::string model, std::string model_config,
              std::vector<std::string> folders, bool catalogue)
      : pack_(pack),
        env_(std::move(env)),
        model_(std::move(model)),
        model_config_(std::move(model_config)),
        folders_(std::move(folders)),
        catalogue_(catalogue) {}

  ModelFiles at(std::string_view path) override;

  // Why a file that is there could not be read; the check can't go on then.
  const std::optional<Error>& failure() const { return failure_; }

  // Where the main model's files were looked for, for the report; and what else the catalogue answered.
  std::string where();
  // Whether the catalogue answered for any model.
  bool used_catalogue() const { return !from_catalogue_.empty(); }

 private:
  // A model of the catalogue; unknown files where it holds none of that name.
  ModelFiles in_catalogue(std::string_view path, const Value& missing);
  ModelSource& source(std::string_view path);
  std::string in_folders(const std::string& path) const;  // empty where none holds it

  const Pack& pack_;
  Environment env_;
  std::string model_;
  std::string model_config_;
  std::vector<std::string> folders_;
  bool catalogue_;
  std::map<std::string, std::string, std::less<>> from_catalogue_;  // model → source and date
  Arena arena_;
  std::map<std::string, std::unique_ptr<ModelSource>, std::less<>> sources_;
  std::optional<Error> failure_;
};

class LocalHostFacts : public HostFacts {
 public:
  explicit LocalHostFacts(LocalHost::Options options) : host_(std::move(options)) {}
  Value file(std::string_view path) override;
  Value text(std::string_view path, Arena& arena) override;
  Value importable(std::string_view module) override;
  Value infiniband(Arena& arena) override;

 private:
  LocalHost host_;
};

}  // namespace gonogo
