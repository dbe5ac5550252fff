#include "facts/gpu.h"

#include <string>

#include "catch.h"
#include "small_pack.h"
#include "tree.h"

using namespace gonogo;

namespace {

const SmallPack& pack() {
  static const SmallPack kPack("server", {"1.0"});
  return kPack;
}

std::string listed(const Result<GpuSet>& set) {
  if (!set) return "error: " + to_text(set.error());
  return set->text() + "; " + set->source;
}

std::string with(const std::string& gpu) { return "{\"gpus\": [" + gpu + "]}"; }

constexpr const char* kGood =
    "\"name\": \"N\", \"vendor\": \"nvidia\", \"compute_capability\": [9, 0], \"memory_mib\": 81559";

}  // namespace

TEST_CASE("a GPU profile is a key and a count") {
  const struct {
    std::string spec, answer;
  } rows[] = {
      {"b200x8", "8 x NVIDIA B200 (183359 MiB); profile b200"},
      {"b200x1", "1 x NVIDIA B200 (183359 MiB); profile b200"},
      {"B200X4", "4 x NVIDIA B200 (183359 MiB); profile b200"},
      {"b200", "8 x NVIDIA B200 (183359 MiB); profile b200, 8 of them since no count is written"},
      // Keys that end as a count would.
      {"rtx4090", "8 x NVIDIA GeForce RTX 4090 (24564 MiB); profile rtx4090, 8 of them since no count is written"},
      {"rtx4090x2", "2 x NVIDIA GeForce RTX 4090 (24564 MiB); profile rtx4090"},
      {"mi300x", "8 x AMD Instinct MI300X (196592 MiB); profile mi300x, 8 of them since no count is written"},
      {"mi300xx8", "8 x AMD Instinct MI300X (196592 MiB); profile mi300x"},
      {"b200x1024", "1024 x NVIDIA B200 (183359 MiB); profile b200"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.spec);
    CHECK(listed(gpus_of_profile(row.spec, *pack())) == row.answer);
  }
  const Result<GpuSet> amd = gpus_of_profile("mi300xx1", *pack());
  REQUIRE(amd);
  CHECK(amd->gpus[0].vendor == "amd");
  CHECK(amd->gpus[0].major == 9);
  CHECK(amd->gpus[0].minor == 4);
  CHECK(amd->gpus[0].sm_count == 304);
  CHECK(amd->gpus[0].uuid.empty());
}

TEST_CASE("a wrong GPU profile is a usage error with the nearest name") {
  const std::string profiles = "Profiles: a10, b200, rtx4090, mi300x; a file's name ends in .json)";
  const struct {
    std::string spec, error;
  } rows[] = {
      {"b20x8", "there is no GPU profile \"b20\" (did you mean b200? " + profiles},
      {"b201", "there is no GPU profile \"b201\" (did you mean b200? " + profiles},
      {"rtx4091", "there is no GPU profile \"rt\" (did you mean rtx4090? " + profiles},
      {"rtx4091x2", "there is no GPU profile \"rtx4091\" (did you mean rtx4090? " + profiles},
      {"quadro", "there is no GPU profile \"quadro\" (" + profiles},
      {"", "there is no GPU profile \"\" (" + profiles},
      {"x8", "there is no GPU profile \"x8\" (" + profiles},
      {"8xb200", "\"8xb200\" names no GPUs (did you mean b200x8?)"},
      {"b200x0", "\"b200x0\": the number of GPUs on a node must be from 1 to 1024 (did you mean b200x8?)"},
      {"b200x1025", "\"b200x1025\": the number of GPUs on a node must be from 1 to 1024 (did you mean b200x8?)"},
      {"b200x99999999999999999999",
       "\"b200x99999999999999999999\": the number of GPUs on a node must be from 1 to 1024 (did you mean "
       "b200x8?)"},
      {"b200x-1", "\"b200x-1\": the number of GPUs on a node must be from 1 to 1024 (did you mean b200x8?)"},
      {"b200x2x", "there is no GPU profile \"b200x2x\" (" + profiles},
  };
  for (const auto& row : rows) {
    CAPTURE(row.spec);
    const Result<GpuSet> set = gpus_of_profile(row.spec, *pack());
    REQUIRE_FALSE(set);
    CHECK(set.error().kind == Error::Kind::kUsage);
    CHECK(to_text(set.error()) == row.error);
  }
}

TEST_CASE("the file format is read as it is written") {
  GpuSet set;
  set.source = "NVIDIA driver 1.2";
  set.gpus.push_back({"A \"GPU\"", "nvidia", 10, 3, 275040, 148, "GPU-1"});
  set.gpus.push_back({"B", "amd", 0, 0, 196592, 0, ""});
  for (const bool pretty : {false, true}) {
    const Result<GpuSet> back = gpus_of_json(gpus_to_json(set, pretty), "f");
    REQUIRE(back);
    CHECK(back->source == set.source);
    REQUIRE(back->gpus.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(same_kind(back->gpus[i], set.gpus[i]));
      CHECK(back->gpus[i].uuid == set.gpus[i].uuid);
    }
  }
  CHECK(gpus_to_json({{}, "none"}, false) == "{\"format_version\": 1, \"source\": \"none\", \"gpus\": []}");
  CHECK(gpus_to_json(set, false).find("\"memory_mib\": 196592}") !=
        std::string::npos);  // what is not known is left out
}

TEST_CASE("a GPU of another vendor has no compute capability") {
  // What PyTorch calls so on ROCm is no CUDA generation.
  for (const std::string member : {"", ", \"compute_capability\": [9, 4]", ", \"compute_capability\": \"gfx942\""}) {
    CAPTURE(member);
    const Result<GpuSet> set =
        gpus_of_json(with(R"({"name": "N", "vendor": "amd", "memory_mib": 8)" + member + "}"), "f");
    REQUIRE(set);
    CHECK(set->gpus[0].vendor == "amd");
    CHECK(set->gpus[0].major == 0);
    CHECK(set->gpus[0].minor == 0);
  }
}

TEST_CASE("a GPU file that is wrong says where") {
  const struct {
    std::string json, answer;
  } rows[] = {
      {with("{" + std::string(kGood) + "}"), "1 x N (81559 MiB); f"},
      {with("{" + std::string(kGood) + ", \"later\": 1}"), "1 x N (81559 MiB); f"},
      {"{\"gpus\": []}", "no GPU; f"},
      {"[]",
       "error: f: holds no list \"gpus\" (`gonogo gpu --format json` writes such a file on the machine with "
       "the GPUs)"},
      {"{\"gpus\": [3]}",
       "error: f: gpus[0] must be an object (`gonogo gpu --format json` writes such a file on the machine "
       "with the GPUs)"},
      {"{\"format_version\": 2, \"gpus\": []}", "error: f: has format_version 2; this program reads 1"},
      {with("{\"nam\": \"N\"}"), "error: f: gpus[0].name is missing (it has \"nam\")"},
      {with("{\"name\": \"N\"}"), "error: f: gpus[0].compute_capability is missing"},
      {with("{\"name\": 3}"), "error: f: gpus[0].name must be a text, not 3"},
      {with("{\"name\": \"N\", \"compute_capability\": \"9.0\"}"),
       "error: f: gpus[0].compute_capability must be a pair such as [10, 0], not \"9.0\""},
      {with("{\"name\": \"N\", \"compute_capability\": [9]}"),
       "error: f: gpus[0].compute_capability must be a pair such as [10, 0], not [9]"},
      {with("{\"name\": \"N\", \"compute_capability\": [9, 0], \"memory_mib\": -1}"),
       "error: f: gpus[0].memory_mib must be an integer from 0 to 1099511627776, not -1"},
      {with("{\"name\": \"N\", \"compute_capability\": [9, 0], \"memory_mib\": \"80\"}"),
       "error: f: gpus[0].memory_mib must be an integer from 0 to 1099511627776, not \"80\""},
      {with("{" + std::string(kGood) + "}, {" + kGood + ", \"sm_count\": 1.5}"),
       "error: f: gpus[1].sm_count must be an integer from 0 to 1000000, not 1.5"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.json);
    CHECK(listed(gpus_of_json(row.json, "f")) == row.answer);
  }
  CHECK(listed(gpus_of_json("{\"gpus\": [}", "f")).find("error: f:1:11: not valid JSON") == 0);
  std::string many;
  for (int i = 0; i < 1025; ++i) many += (i > 0 ? ",{" : "{") + std::string(kGood) + "}";
  CHECK(listed(gpus_of_json(with(many), "f")) == "error: f: lists more than 1024 GPUs");
}

TEST_CASE("an option is a file or a profile") {
  const Tree tree;
  const std::string file = tree.file("node.json", with("{" + std::string(kGood) + "}"));
  const std::string taken = tree.file("taken.json", "{\"source\": \"NVIDIA driver 1.2\", \"gpus\": []}");
  CHECK(listed(gpus_of_option(file, *pack())) == "1 x N (81559 MiB); " + file);
  CHECK(listed(gpus_of_option(taken, *pack())) == "no GPU; " + taken + ", NVIDIA driver 1.2");
  CHECK(listed(gpus_of_option("b200x2", *pack())) == "2 x NVIDIA B200 (183359 MiB); profile b200");
  CHECK(listed(gpus_of_option("none.json", *pack())).find("error: none.json: can't be opened") == 0);
  CHECK(listed(gpus_of_option("./b200x8", *pack())).find("error: ./b200x8: can't be opened") == 0);
  CHECK(listed(gpus_of_option(tree.path(), *pack())) == "error: " + tree.path() + ": is a directory, not a file");
}

TEST_CASE("GPUs of one kind are counted together") {
  const Gpu a{"A", "nvidia", 9, 0, 100, 10, "GPU-1"};
  const Gpu b{"B", "nvidia", 9, 0, 200, 10, "GPU-2"};
  Gpu other = a;
  other.uuid = "GPU-3";
  CHECK(GpuSet{{a, other}, ""}.uniform());
  CHECK(GpuSet{{}, ""}.uniform());
  CHECK_FALSE(GpuSet{{a, b}, ""}.uniform());
  CHECK(GpuSet{{a, other, b}, ""}.text() == "2 x A (100 MiB), B (200 MiB)");
  CHECK(GpuSet{{a}, ""}.text() == "1 x A (100 MiB)");
  other.memory_mib = 99;
  CHECK_FALSE(same_kind(a, other));
}
