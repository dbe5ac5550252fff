// Well-known models' JSON files, for a model that a launch names by its repository and that is not on this machine.
// They are data beside the rules and no part of them: a blob of its own, in which each model is a small zlib stream, so
// that a check unpacks the one that it asks for and nothing else.
//
// Layout: magic, number of models, then for each, sorted by name, where its name and its stream stand; names; streams.
// A stream is the model's file as it was compiled: {"model", "source", "date", "files": {NAME: contents}}.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/result.h"
#include "base/value.h"

namespace gonogo {

struct CatalogueModel {
  std::string source;  // who publishes these values under the repository's name
  std::string date;    // when they were taken from there, YYYY-MM-DD
  Value files;         // dict from file name to contents
};

class Catalogue {
 public:
  // A view of `blob`, which must outlive it. An error: it is none, or ends before its end.
  static Result<Catalogue> open(std::string_view blob);

  // The one that was compiled into the binary.
  static const Catalogue& embedded();

  std::uint32_t size() const { return count_; }
  std::string_view name(std::uint32_t index) const;

  // A model by its repository, "org/name"; none where it is not held. An error: its stream is damaged. Values live in
  // `arena`.
  Result<std::optional<CatalogueModel>> find(std::string_view model, Arena& arena) const;

 private:
  std::string_view blob_;
  std::uint32_t count_ = 0;
};

// Compiles the models of a folder, one a file NAME.json. An error names the file that is not what it must be.
Result<std::string> compile_catalogue(const std::string& folder);

}  // namespace gonogo
