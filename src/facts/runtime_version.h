// Which version of the runtime a launch will run, and how that is known. A version that nobody names is never
// asked of the runtime itself: directories are read, nothing is executed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "facts/python_env.h"
#include "rules/pack.h"

namespace gonogo {

struct RuntimeVersion {
  enum class Source {
    kOption,     // the user said so
    kImage,      // the tag of the container image
    kInstalled,  // the metadata of the distribution in the launch's Python
    kNewest,     // none of these: the newest that the pack covers
  };
  Source source = Source::kNewest;
  std::string installed;    // as it was found: "0.5.23.post1"; the pack's newest for kNewest
  std::uint32_t index = 0;  // the pack's version that is used
  bool exact = true;        // whether `installed` is that version
  std::string from;         // for the report: "installed in /opt/venv"
};

// What is known about a launch's runtime.
struct RuntimeClues {
  std::optional<std::string> option;  // "0.5.23", "v0.5.23"
  std::string image;                  // "registry/name:v0.5.23-tag", or empty; a launch in one has no Python here
  const PythonEnv* python = nullptr;  // the launch's Python, where it is here
};

// Decides in the order of Source. An option that the pack does not cover is a usage error; an image's or an
// installed version that it does not cover becomes the release that it was built from or before, else the
// nearest below it, else the oldest, with `exact` false.
Result<RuntimeVersion> runtime_version(const RuntimeClues& clues, const Pack& pack);

// The version in an image's tag, where the image's name (without registry and owner) is `distribution`.
std::optional<std::string> version_of_image(std::string_view image, std::string_view distribution);

// <0, 0, >0 as version `a` is older than, as old as, newer than `b`: dotted numbers, then a pre-release
// (a, b, rc, dev: older) or a post-release (newer). A local part (+cu130) does not count.
int compare_versions(std::string_view a, std::string_view b);

}  // namespace gonogo
