#include "facts/runtime_version.h"

#include "catch.h"
#include "small_pack.h"
#include "tree.h"

using namespace gonogo;

namespace {

const SmallPack& pack() {
  static const SmallPack kPack("server", {"0.5.21", "0.5.22", "0.5.23"});
  return kPack;
}

// "installed -> used[, not exact]: from", or the error.
std::string decided(const RuntimeClues& clues) {
  const Result<RuntimeVersion> version = runtime_version(clues, *pack());
  if (!version) return "error: " + to_text(version.error());
  return version->installed + " -> " + std::string((*pack()).version(version->index)) +
         (version->exact ? "" : ", not exact") + ": " + version->from;
}

}  // namespace

TEST_CASE("versions are ordered as releases are") {
  // In ascending order.
  const std::vector<std::string> rows = {"0.5.9",  "0.5.21.dev3",  "0.5.21a1",     "0.5.21b2", "0.5.21rc0", "0.5.21rc1",
                                         "0.5.21", "0.5.21.post1", "0.5.21.post2", "0.5.22",   "0.10",      "1"};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      CAPTURE(rows[i], rows[k]);
      CHECK(compare_versions(rows[i], rows[k]) == (i < k ? -1 : i > k ? 1 : 0));
    }
  }
  CHECK(compare_versions("0.5", "0.5.0") == 0);
  CHECK(compare_versions("v0.5.23", "0.5.23+cu130") == 0);
  CHECK(compare_versions("0.5.21-rc1", "0.5.21rc1") == 0);
  CHECK(compare_versions("0.99999999999999999999", "0.1") == 1);
}

TEST_CASE("an image's tag names the version") {
  const struct {
    std::string_view image;
    std::optional<std::string> version;
  } rows[] = {
      {"owner/server:v0.5.23", "0.5.23"},
      {"owner/server:0.5.23", "0.5.23"},
      {"registry.example:5000/owner/server:v0.5.23-cu130", "0.5.23"},
      {"server:v0.5.23.post1-cu130", "0.5.23.post1"},
      {"server:v0.5.23-rc1-cu130", "0.5.23-rc1"},
      {"owner/server:v0.5.23@sha256:abcd", "0.5.23"},
      {"owner/server:latest", std::nullopt},
      {"owner/server:dev-cu13", std::nullopt},
      {"owner/server:20250101", std::nullopt},  // a date
      {"owner/server", std::nullopt},
      {"registry.example:5000/owner/server", std::nullopt},
      {"owner/other:v0.5.23", std::nullopt},
      {"owner/server-extra:v0.5.23", std::nullopt},
      {"", std::nullopt},
  };
  for (const auto& row : rows) {
    CAPTURE(row.image);
    CHECK(version_of_image(row.image, "server") == row.version);
  }
}

TEST_CASE("the version comes from the first that tells it") {
  const Tree tree;
  tree.file("v/bin/python3");
  tree.directory("v/lib/python3.11/site-packages/server-0.5.22.dist-info");
  tree.file("w/bin/python3");
  tree.directory("w/lib/python3.11/site-packages");
  const Environment none({}, Environment::Below::kNothing);
  const auto with = PythonEnv::find({"/v/bin/python3", tree.path(), "."}, none);
  const auto without = PythonEnv::find({"/w/bin/python3", tree.path(), "."}, none);
  const Environment variable({{"VIRTUAL_ENV", "/v"}}, Environment::Below::kNothing);
  const auto by_variable = PythonEnv::find({"python3", tree.path(), "."}, variable);
  REQUIRE(with);
  REQUIRE(without);
  REQUIRE(by_variable);
  const struct {
    RuntimeClues clues;
    std::string answer;
  } rows[] = {
      {{"0.5.21", "owner/server:v0.5.23", &*with}, "0.5.21 -> 0.5.21: given"},
      {{"v0.5.21", "", nullptr}, "0.5.21 -> 0.5.21: given"},
      {{std::nullopt, "owner/server:v0.5.23", &*with}, "0.5.23 -> 0.5.23: tag of the image owner/server:v0.5.23"},
      {{std::nullopt, "", &*with}, "0.5.22 -> 0.5.22: installed in /v"},
      {{std::nullopt, "", &*by_variable}, "0.5.22 -> 0.5.22: installed in /v ($VIRTUAL_ENV)"},
      {{std::nullopt, "", &*without}, "0.5.23 -> 0.5.23: newest that is covered, since none was found"},
      {{std::nullopt, "", nullptr}, "0.5.23 -> 0.5.23: newest that is covered, since none was found"},
      // A launch in a container does not run the Python that is here.
      {{std::nullopt, "owner/server:latest", &*with}, "0.5.23 -> 0.5.23: newest that is covered, since none was found"},
      {{"0.5.20", "", nullptr},
       "error: version 0.5.20 of server is not covered (did you mean 0.5.21? Versions: 0.5.21, 0.5.22, "
       "0.5.23)"},
      {{"latest", "", nullptr}, "error: version latest of server is not covered (Versions: 0.5.21, 0.5.22, 0.5.23)"},
      {{"", "", nullptr}, "error: version  of server is not covered (Versions: 0.5.21, 0.5.22, 0.5.23)"},
  };
  for (const auto& row : rows) CHECK(decided(row.clues) == row.answer);
  CHECK(runtime_version({"0.4", "", nullptr}, *pack()).error().kind == Error::Kind::kUsage);
}

TEST_CASE("a version that is not covered becomes a near one, and says so") {
  const struct {
    std::string found, used;
  } rows[] = {
      {"0.5.23", "0.5.23"},
      {"0.5.23+cu130", "0.5.23"},
      {"0.5.23.post1", "0.5.23, not exact"},
      {"0.5.24", "0.5.23, not exact"},
      {"0.5.24.dev7", "0.5.23, not exact"},
      {"0.5.22rc1", "0.5.22, not exact"},  // built before it, but of it
      {"0.5.20", "0.5.21, not exact"},
      {"0.6", "0.5.23, not exact"},
  };
  for (const auto& row : rows) {
    const Tree tree;
    tree.file("v/bin/python3");
    tree.directory("v/lib/python3.11/site-packages/server-" + row.found + ".dist-info");
    const auto python =
        PythonEnv::find({"/v/bin/python3", tree.path(), "."}, Environment({}, Environment::Below::kNothing));
    REQUIRE(python);
    CHECK(decided({std::nullopt, "", &*python}) == row.found + " -> " + row.used + ": installed in /v");
  }
}
