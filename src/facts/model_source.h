// Where a model's JSON files are: in a directory, in the Hugging Face cache, or out of sight. A lookup tells
// apart what rules must tell apart: the file's value, "this model has no such file", and "that can't be known
// from here". Nothing is ever downloaded.
//
// What counts as known to be absent:
//   a directory         whatever is not in it
//   a cached snapshot   what the cache itself marks as missing upstream (.no_exist), and everything else that
//                       is not there once the snapshot holds weights; before that it may just not be fetched
//                       yet
//   --model-config FILE stands for config.json, and the directory it lies in for the model's
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/result.h"
#include "base/value.h"
#include "facts/environment.h"

namespace gonogo {

// What became of a lookup.
struct ModelFile {
  enum class State { kFound, kAbsent, kUnknown };
  State state = State::kUnknown;
  Value value;       // kFound: the contents. They live as long as the ModelSource.
  std::string path;  // kFound: the file. kAbsent: where it would be. kUnknown: the model as it was named.
};

class ModelSource {
 public:
  struct Options {
    std::string model;          // as the launch names it: a path, or a repository "org/name"; may be empty
    std::string revision;       // a branch, tag or commit; empty: main
    std::string override_path;  // --model-config: a file or a directory; empty: none
    std::string cwd = ".";      // what a relative `model` is relative to
  };

  ModelSource(Options options, Environment env);
  ModelSource(const ModelSource&) = delete;
  ModelSource& operator=(const ModelSource&) = delete;

  // The JSON file `name`, a plain name that ends in ".json". config.json may have 16 MiB and must be an
  // object, others may have 4 MiB. A file that is there and can't be read is an error, as is an override that
  // is not there. Read once and remembered.
  const Result<ModelFile>& file(std::string_view name);

  // Where the model is looked for, for the report: "directory /models/x", "Hugging Face cache …, revision …",
  // "not on this machine: org/name".
  std::string where();

 private:
  enum class Place { kUndecided, kDirectory, kSnapshot, kOverrideFile, kNowhere };

  void decide();
  void decide_by_cache();
  Result<ModelFile> look_up(const std::string& name);
  Result<ModelFile> load(const std::string& path, const std::string& name);

  Options options_;
  Environment env_;
  Arena arena_;
  Place place_ = Place::kUndecided;
  std::string directory_;         // kDirectory, kSnapshot, kOverrideFile
  std::string no_exist_;          // kSnapshot: the directory of marks
  bool complete_ = false;         // kSnapshot: holds weights
  std::string reason_;            // kNowhere: why, for the report
  std::unique_ptr<Error> fault_;  // the model's place can't be read
  std::map<std::string, Result<ModelFile>, std::less<>> files_;
};

}  // namespace gonogo
