// Which launches are taken to work together, and what rules then say of them.
#include "engine/peers.h"

#include <memory>
#include <string>
#include <vector>

#include "catch.h"
#include "engine/tiny_launch.h"

namespace gonogo {

namespace {

using testing::TinyLaunch;

constexpr const char* kPack = R"yaml(
pack: {name: tiny, versions: ["1.0", "2.0"], entry_points: [tiny], models: {model: "= path"}, parts: {only: [main]}}
flags:
- {flags: [--path], field: path, default: m}
- {flags: [--role], field: role}
- {flags: [--page], field: page, type: int, default: 1}
- {flags: [--rank], field: rank, type: int, default: 0}
- {flags: [--nodes], field: nodes, type: int, default: 1}
- {flags: [--bad], field: bad, action: store_true, default: false}
---
stage: main
rules:
- {when: bad, fail: "no good"}
- {when: page == 9, set: {page: "= config.page"}}
---
stage: pair
peers:
  roles: {giver: role == "give", taker: role == "take"}
  key: ["= path"]
  members: {page: "= page", path: "= path", layers: "= config.layers"}
rules:
- id: pair/page
  when: giver.page != taker.page
  let: {least: "= min(giver.page, taker.page)"}
  first:
  - {id: pair/twice, versions: ">=2.0", when: taker.page == 2 * giver.page, advise: "{taker.page} is twice {giver.page}"}
  - {fail: "{giver.page} and {taker.page}, at least {least}"}
- {id: pair/path, when: giver.path != taker.path, warn: "{giver.path} and {taker.path}"}
- {id: pair/layers, when: giver.layers != taker.layers, fail: layers}
- {id: pair/pages, when: "sum([l.page for l in launches]) > 100", warn: "{len(launches)} with {sum([l.page for l in launches])}"}
---
stage: ring
peers:
  roles: {node: nodes > 1, other: nodes > 1}
  members: {rank: "= rank", nodes: "= nodes"}
  in_turn: warn
rules:
- {id: ring/rank, when: node.rank == other.rank, fail: "rank {node.rank} twice"}
- {id: ring/together, when: together and node.nodes != other.nodes, fail: "{node.nodes} and {other.nodes}"}
)yaml";

struct L {
  std::vector<std::string> words;
  std::string file = "a";
  std::vector<std::string> units{""};
  std::vector<std::string> conditions{};
  bool refused = false;  // by the parser
  bool apart = false;
  bool declared = false;
};

L giver(std::vector<std::string> words = {}) {
  words.insert(words.begin(), {"--role", "give"});
  return {std::move(words)};
}
L taker(std::vector<std::string> words = {}) {
  words.insert(words.begin(), {"--role", "take"});
  return {std::move(words)};
}
L in(std::string file, L launch) {
  launch.file = std::move(file);
  return launch;
}
L of(std::vector<std::string> units, L launch) {
  launch.units = std::move(units);
  return launch;
}
L when(std::vector<std::string> conditions, L launch) {
  launch.conditions = std::move(conditions);
  return launch;
}
L node(const char* rank, const char* nodes = "2") { return {{"--rank", rank, "--nodes", nodes}}; }

struct Row {
  const char* about;
  std::vector<L> launches;
  std::string findings;  // "rule kind: message @ launch+launch; …"
};

std::string findings_of(const std::vector<L>& rows, const std::string& version) {
  std::vector<std::unique_ptr<TinyLaunch>> tiny;
  std::vector<PeerLaunch> launches;
  for (const L& row : rows) {
    testing::Around around;
    around.version = version;
    tiny.push_back(std::make_unique<TinyLaunch>(kPack, row.words, around));
    PeerLaunch launch;
    launch.version = tiny.back()->pack.version_index(version);
    if (!row.refused) launch.values = tiny.back()->outcome.peers;
    launch.file = row.file;
    launch.units = row.units;
    launch.apart = row.apart;
    launch.declared = row.declared;
    launch.conditions = row.conditions;
    launches.push_back(std::move(launch));
  }
  if (tiny.empty()) return "";
  const Pack& pack = tiny[0]->pack;
  std::string out;
  for (const PeerFinding& f : compare_peers(pack, launches)) {
    out += (out.empty() ? "" : "; ") + tiny[0]->rule(f.rule) +
           (f.kind == Action::kFail   ? " fail: "
            : f.kind == Action::kWarn ? " warn: "
                                      : " advise: ") +
           f.message + " @ ";
    for (std::size_t i = 0; i < f.sides.size(); ++i) {
      out += (i > 0 ? "+" : "") + std::to_string(f.sides[i].launch);
      for (const std::uint32_t member : f.sides[i].members) out += "." + std::to_string(member);
    }
  }
  return out;
}

void check(const std::vector<Row>& rows, const std::string& version = "1.0") {
  for (const Row& row : rows) {
    INFO(row.about);
    CHECK(findings_of(row.launches, version) == row.findings);
  }
}

const std::string kPages = "pair/page fail: 1 and 4, at least 1 @ 0.0+1.0";

}  // namespace

TEST_CASE("rules compare what launches resolved to", "[engine]") {
  check({
      {"nothing to say", {giver(), taker()}, ""},
      {"one role alone", {giver(), giver({"--page", "4"})}, ""},
      {"a member differs; the sides say which", {giver(), taker({"--page", "4"})}, kPages},
      {"the order in the file does not matter",
       {taker({"--page", "4"}), giver()},
       "pair/page fail: 1 and 4, at least 1 @ 1.0+0.0"},
      {"a rule speaks once of a group", {giver(), taker({"--page", "4"}), taker({"--page", "8"})}, kPages},
      {"an unknown member says nothing", {giver({"--page", "9"}), taker({"--page", "4"})}, ""},
      {"nor does a launch that is refused", {giver({"--bad"}), taker({"--page", "4"})}, ""},
      {"all launches at once",
       {giver({"--page", "60"}), taker({"--page", "60"}), taker({"--page", "60"})},
       "pair/pages warn: 3 with 180 @ 0.0+1.0+2.0"},
      {"but where one of them is refused by the parser",
       {giver({"--page", "60"}), taker({"--page", "60"}), L{{}, "a", {""}, {}, true}},
       ""},
      {"a rule of another version",
       {giver({"--page", "2"}), taker({"--page", "4"})},
       "pair/page fail: 2 and 4, at least 2 @ 0.0+1.0"},
  });
  check({{"a ladder stops at the first that holds",
          {giver({"--page", "2"}), taker({"--page", "4"})},
          "pair/twice advise: 4 is twice 2 @ 0.0+1.0"}},
        "2.0");
}

TEST_CASE("launches belong together where something says so", "[engine]") {
  const L page4 = taker({"--page", "4"});
  const L other = taker({"--path", "n", "--page", "4"});
  check({
      {"units of a file, of one key", {of({"x"}, giver()), of({"y"}, page4)}, kPages},
      {"the unit goes first", {of({"x"}, giver()), of({"x"}, taker()), of({"y"}, page4)}, ""},
      {"a launch of several units",
       {of({"x", "y"}, giver()), of({"x"}, taker()), of({"y"}, page4)},
       "pair/page fail: 1 and 4, at least 1 @ 0.0+2.0"},
      {"in a unit, those of one key", {giver(), taker(), other}, ""},
      {"no two of one key: they differ", {giver(), other}, kPages + "; pair/path warn: m and n @ 0.1+1.1"},
      {"of two units, the only ones",
       {of({"x"}, giver()), of({"y"}, other)},
       kPages + "; pair/path warn: m and n @ 0.1+1.1"},
      {"of three, nobody knows", {of({"x"}, giver()), of({"y"}, other), of({"z"}, other)}, ""},
      {"units that have nothing to do with each other",
       {L{giver().words, "a", {"x"}, {}, false, true}, L{page4.words, "a", {"y"}, {}, false, true},
        L{taker().words, "a", {"z"}, {}, false, true}},
       ""},
      {"two files", {in("d/a", giver()), in("d/b", page4)}, kPages},
      {"of one folder", {in("d/a", giver()), in("d/b", page4), in("e/c", taker())}, kPages},
      {"several of a role may be for different machines",
       {in("d/a", giver()), in("d/b", page4), in("d/c", taker())},
       ""},
      {"in several folders", {in("d/a", giver()), in("e/b", page4)}, ""},
      {"a file that is whole needs no other", {in("d/a", giver()), in("d/a", taker()), in("d/b", page4)}, ""},
  });
}

TEST_CASE("alternatives that exclude each other are not paired", "[engine]") {
  const L page4 = taker({"--page", "4"});
  check({
      {"conditions that choose the role", {when({"$R = give"}, giver()), when({"$R = take"}, page4)}, kPages},
      {"and one for both",
       {when({"$R = give", "$H"}, giver()), when({"$R = give", "!($H)"}, giver({"--page", "4"})),
        when({"$R = take", "$H"}, taker()), when({"$R = take", "!($H)"}, page4)},
       ""},
      {"which differs",
       {when({"$R = give", "$H"}, giver()), when({"$R = give", "!($H)"}, giver({"--page", "4"})),
        when({"$R = take", "$H"}, page4), when({"$R = take", "!($H)"}, page4)},
       "pair/page fail: 1 and 4, at least 1 @ 0.0+2.0"},
      {"one side alone has alternatives",
       {when({"$H"}, giver()), when({"!($H)"}, giver({"--page", "4"})), page4},
       "pair/page fail: 1 and 4, at least 1 @ 0.0+2.0"},
  });
}

TEST_CASE("launches of one role", "[engine]") {
  const auto declared = [](L launch) {
    launch.declared = true;
    return launch;
  };
  check({
      {"alone", {node("0")}, ""},
      {"other ranks", {node("0"), node("1")}, ""},
      {"a pair stands once", {node("1"), node("1")}, "ring/rank warn: rank 1 twice @ 0.0+1.0"},
      {"surely at the same time", {declared(node("1")), declared(node("1"))}, "ring/rank fail: rank 1 twice @ 0.0+1.0"},
      {"a condition on that", {node("0", "2"), node("1", "3")}, ""},
      {"which holds", {declared(node("0", "2")), declared(node("1", "3"))}, "ring/together fail: 2 and 3 @ 0.1+1.1"},
      {"never across files", {in("d/a", node("1")), in("d/b", node("1"))}, ""},
  });
}

TEST_CASE("a file with very many launches is compared in part", "[engine]") {
  const TinyLaunch one(kPack, {"--nodes", "2"});
  std::vector<PeerLaunch> launches(5000);
  for (PeerLaunch& launch : launches) {
    launch.values = one.outcome.peers;
    launch.file = "a";
    launch.units = {""};
    launch.conditions = {"$X"};
  }
  const std::vector<PeerGroup> groups = group_peers(one.pack, 1, launches);
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].pairs.size() == 1024);
  CHECK(groups[0].launches.size() <= 256);
}

}  // namespace gonogo
