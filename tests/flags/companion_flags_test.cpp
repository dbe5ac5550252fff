// What a companion was given, and what it calls: argparse's reading of the few flags that are known, and nothing sure
// where it may be otherwise.
#include "flags/companion_flags.h"

#include <algorithm>
#include <string>
#include <vector>

#include "catch.h"
#include "rules/compiler.h"

namespace gonogo {

namespace {

constexpr const char* kPack = R"yaml(
pack:
  name: toy
  versions: ["1.0"]
  entry_points: ["toy serve"]
  parts: {resolve: [main]}
flags:
- {flags: [--host], field: host}
- {flags: [--port], field: port, type: int, default: 1}
---
stage: main
rules: [{id: main/x, warn: x}]
---
stage: front
peers:
  roles:
    front:
      runs: [toy front]
      flags: {name: null, port: 30000, split: false, urls: [], heads: [[]], find: false, find_port: 80, tags: []}
      calls: [urls, heads]
      finds: [find, find_port, tags]
    server: port != 0
  listens: [host, port]
  members: {host: "= host", port: "= port"}
rules: [{id: front/x, warn: x}]
)yaml";

// Words; one that is not known stands in ~.
std::vector<Word> words_of(const std::vector<std::string>& texts) {
  std::vector<Word> out;
  for (std::string text : texts) {
    Word word;
    if (const std::size_t at = text.find('~'); at != std::string::npos) {
      word.unknown = "X";
      text.replace(at, 1, "${X}");
    }
    word.text = text;
    out.push_back(word);
  }
  return out;
}

std::string shown(const Value& v) { return v.is_unknown() ? "?" : to_str(v); }

// "name port split | flag text (scheme host port further) …", and "open" where more may be called.
std::string read(const std::vector<std::string>& texts) {
  const CompiledPack made = compile_pack({{"t.yaml", kPack}}, nullptr);
  REQUIRE(made.errors.empty());
  const std::vector<std::uint64_t> aligned = [&] {
    std::vector<std::uint64_t> bytes((made.blob.size() + 7) / 8);
    std::copy(made.blob.begin(), made.blob.end(), reinterpret_cast<char*>(bytes.data()));
    return bytes;
  }();
  const auto pack = Pack::open({reinterpret_cast<const char*>(aligned.data()), made.blob.size()});
  REQUIRE(pack);
  Arena arena;
  const CompanionGiven given = read_companion(*pack, pack->peers[0], words_of(texts), arena);
  std::string out = shown(given.values[0]) + " " + shown(given.values[1]) + " " + shown(given.values[2]);
  for (const CompanionCall& call : given.calls) {
    out += " | " + std::to_string(call.word) + " " + shown(*call.to.find("flag")) + " " + shown(*call.to.find("text"));
    if (const Value* labels = call.to.find("labels")) {
      out += " " + shown(*labels) + " " + shown(*call.to.find("port"));
      continue;
    }
    out += " (" + shown(*call.to.find("scheme")) + " " + shown(*call.to.find("host")) + " " +
           shown(*call.to.find("port")) + ")";
    const Value further = *call.to.find("further");
    for (std::uint32_t i = 0; i < further.size(); ++i) out += " " + shown(further[i]);
  }
  return out + (given.open ? " open" : "");
}

struct Row {
  const char* what;
  std::vector<std::string> words;
  const char* read;
};

}  // namespace

TEST_CASE("flags by their defaults", "[flags]") {
  for (const Row& row : {
           Row{"nothing", {}, "None 30000 False"},
           Row{"one text, one number, none", {"--name", "x", "--port", "1", "--split"}, "x 1 True"},
           Row{"as one word", {"--name=x=y", "--port=1"}, "x=y 1 False"},
           Row{"the last one wins", {"--port", "1", "--port", "2"}, "None 2 False"},
           Row{"a number that is none", {"--port", "x"}, "None ? False"},
           Row{"without its value", {"--port", "--split"}, "None 30000 True"},
           Row{"a value that is not known", {"--port", "~"}, "None ? False"},
           Row{"another program's flag and its values",
               {"--other", "--name", "x", "--more", "a", "b"},
               "x 30000 False"},
           Row{"an abbreviation may be any of them", {"--na", "x"}, "? ? ? open"},
           Row{"words that are not known, where a flag may stand", {"--split", "~"}, "? ? True open"},
           Row{"a flag that is not known", {"--~", "x"}, "? ? ? open"},
           Row{"the value of a flag that is none of ours", {"--other", "~"}, "None 30000 False"},
       }) {
    INFO(row.what);
    CHECK(read(row.words) == row.read);
  }
}

TEST_CASE("what is called", "[flags]") {
  for (const Row& row : {
           Row{"a list, of which the last one counts",
               {"--urls", "http://a:1", "--urls", "http://b:2", "http://c:3"},
               "None 30000 False | 3 --urls http://b:2 (http b 2) | 4 --urls http://c:3 (http c 3)"},
           Row{"each time that it is given, with what stands behind it",
               {"--heads", "http://a:1", "8998", "--heads", "http://b:2", "none", "--heads=http://c:3"},
               "None 30000 False | 1 --heads http://a:1 (http a 1) 8998 | 4 --heads http://b:2 (http b 2) none | 6 "
               "--heads "
               "http://c:3 (http c 3)"},
           Row{"an empty list", {"--urls", "--split"}, "None 30000 True"},
           Row{"the scheme's port",
               {"--urls", "http://a", "https://b/x"},
               "None 30000 False | 1 --urls http://a (http a 80) | 2 --urls https://b (https b 443)"},
           Row{"without a scheme",
               {"--urls", "a:1", "b"},
               "None 30000 False | 1 --urls a:1 ( a 1) | 2 --urls b ( b ?)"},
           Row{"an address in brackets",
               {"--urls", "http://[::1]:80/v1"},
               "None 30000 False | 1 --urls http://[::1]:80 (http ::1 80)"},
           Row{"credentials are not shown",
               {"--urls", "http://me:key@a:1/x", "http://me:k@e(y@b:2", "http://c:3?key=x"},
               "None 30000 False | 1 --urls http://a:1 (http a 1) | 2 --urls http://b:2 (http b 2) | 3 --urls "
               "http://c:3 (http c 3)"},
           Row{"a host that is not known",
               {"--urls", "http://~:1"},
               "None 30000 False | 1 --urls http://${X}:1 (http ${X} 1)"},
           Row{"a port", {"--urls", "http://a:~"}, "None 30000 False | 1 --urls http://a:${X} (http a ?)"},
           Row{"what may hold a port", {"--urls", "http://~"}, "None 30000 False | 1 --urls http://${X} (http ${X} ?)"},
           Row{"all of it", {"--urls", "~"}, "None 30000 False | 1 --urls ${X} ( ${X} ?)"},
           Row{"what is behind it may be several words",
               {"--heads", "http://a:1", "~"},
               "? ? ? | 1 --heads http://a:1 (http a 1) ? open"},
           Row{"labels, with the port",
               {"--find", "--tags", "a=b", "c=d"},
               "None 30000 False | 2 --tags a=b c=d, port 80 ['a=b', 'c=d'] 80"},
           Row{"in one word",
               {"--find", "--find-port=1", "--tags", "a=b c=d"},
               "None 30000 False | 3 --tags a=b c=d, port 1 ['a=b', 'c=d'] 1"},
           Row{"labels that are not known", {"--find", "--tags", "a=~"}, "None 30000 False | 2 --tags  ? 80"},
           Row{"which it does not look for", {"--tags", "a=b"}, "None 30000 False"},
       }) {
    INFO(row.what);
    CHECK(read(row.words) == row.read);
  }
}

}  // namespace gonogo
