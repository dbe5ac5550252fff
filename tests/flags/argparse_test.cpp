#include "flags/argparse.h"

#include <string>
#include <vector>

#include "base/json.h"
#include "catch.h"
#include "flags/small_pack.h"

using namespace gonogo;
using namespace gonogo::testing;

namespace {

// "field=value …" of what was typed, or "kind@word: message (hint)" of each refusal, one a line.
std::string read(const std::string& line, const std::string& version = "1.1") {
  const Pack& pack = small_pack();
  Arena arena;
  const std::vector<Word> argv = words(split(line));
  const Parsed parsed = parse(pack, pack.version_index(version), argv, arena);
  std::string out;
  for (const UsageFinding& refusal : parsed.refusals) {
    if (!out.empty()) out += "\n";
    out += std::string(usage_kind_name(refusal.kind)) + "@";
    out += refusal.word == kNoIndex ? "-" : argv[refusal.word].text;
    out += ": " + refusal.message;
    if (!refusal.hint.empty()) out += " (" + refusal.hint + ")";
  }
  if (!parsed.ok()) return out;
  for (std::uint32_t field = 0; field < parsed.given.field_count; ++field) {
    if (!parsed.given.typed(field) || pack.field_name(field) == "model") continue;
    out += (out.empty() ? "" : " ") + std::string(pack.field_name(field)) + "=" + to_json(parsed.given.value(field));
  }
  return out;
}

struct Row {
  const char* line;
  const char* wanted;
};

void check_rows(const std::vector<Row>& rows, const std::string& version = "1.1") {
  for (const Row& row : rows) {
    INFO(row.line);
    CHECK(read(row.line, version) == row.wanted);
  }
}

}  // namespace

TEST_CASE("values are converted by the flag's type", "[flags]") {
  check_rows({
      {"--model m", ""},
      {"--model m --size 8", "size=8"},
      {"--model m --size=8", "size=8"},
      {"--model m --size ' 1_000 '", "size=1000"},
      {"--model m --size -1", "size=-1"},
      {"--model m --share .25", "share=0.25"},
      {"--model m --share -1e0",
       "missing-value@--share: --share needs a value (a value that starts with a dash is written --share=-1e0)\n"
       "unknown@-1e0: '-1e0' is no flag of toy 1.1"},
      {"--model m --share=-1e0", "share=-1.0"},
      {"--model m --length 128k", "length=128000"},
      {"--model m --length 2Mi", "length=2097152"},
      {"--model m --length 1.5k", "length=1500"},
      {"--model m --quant None", "quant=null"},
      {"--model m --quant ''", "quant=null"},
      {"--model m --quant int8", "quant=\"int8\""},
      {"--model m --lanes 4", "lanes=4"},
      {"--model m --extra '[1, 2.0, null]'", "extra=[1, 2.0, null]"},
      {"--model m --graph '{\"decode\": {\"max\": 8}}'", "graph={\"decode\": {\"max\": 8}}"},
  });
}

TEST_CASE("the number of words a flag takes", "[flags]") {
  check_rows({
      {"--model m --trust", "trust=true"},
      {"--model m --check", "check=\"all\""},
      {"--model m --check one", "check=\"one\""},
      {"--check --model m", "check=\"all\""},
      {"--model m --ports 1 2 3", "ports=[1, 2, 3]"},
      {"--model m --ports 1 -2", "ports=[1, -2]"},
      {"--model m --ports=1", "ports=[1]"},
      {"--model m --tags", "tags=[]"},
      {"--model m --tags a b", "tags=[\"a\", \"b\"]"},
      {"--model m --ports", "missing-value@--ports: --ports needs at least one value"},
      {"--model m --size", "missing-value@--size: --size needs a value"},
      {"--model m --size --trust", "missing-value@--size: --size needs a value"},
      {"--model m --trust=yes",
       "unwanted-value@--trust=yes: --trust takes no value, but is given 'yes' (write --trust alone, or leave it out)"},
      {"--model m --size=--", "size=[]"},
      {"--model m --check=--", "check=\"all\""},
  });
}

TEST_CASE("the last one wins, and every spelling sets the same field", "[flags]") {
  check_rows({
      {"--model m --size 1 --tensor-size 2", "size=2"},
      {"--model m --fold --no-fold", "fold=false"},
      {"--model m --no-fold --fold", "fold=true"},
      {"--model m --one yes-please", "trust=true"},
      {"--model m --one no", "bad-choice@no: --one has no choice 'no' (choose from yes-please)"},
      {"--model m --tags a --tags b", "tags=[\"b\"]"},
  });
}

TEST_CASE("abbreviations", "[flags]") {
  check_rows({
      {"--mod m",
       "ambiguous@--mod: '--mod' could be --model, --model-path or --mode (write it in full)\n"
       "required@-: --model must be given"},
      {"--model-p m", ""},
      {"--model m --tr", "trust=true"},
      {"--model m --no-f", "fold=false"},
      {"--model m --le=1k", "length=1000"},
      {"--model m --out x", "out=\"x\""},
      {"--model m --Size 2", "unknown@--Size: '--Size' is no flag of toy 1.1 (did you mean --size?)"},
  });
}

TEST_CASE("one-dash flags and their clusters", "[flags]") {
  check_rows({
      {"--model m -o x", "out=\"x\""},
      {"--model m -ox", "out=\"x\""},
      {"--model m -o=x", "out=\"x\""},
      {"--model m -v", "verbose=true"},
      {"--model m -vo x", "verbose=true out=\"x\""},
      {"--model m -vvo=x", "verbose=true out=\"=x\""},
      {"--model m -vx", "unwanted-value@-vx: -v takes no value, but is given 'x' (write -v alone, or leave it out)"},
      {"--model m -x", "unknown@-x: '-x' is no flag of toy 1.1"},
      {"--model m -", "unknown@-: '-' belongs to no flag (--model takes one value; quote it if it holds spaces)"},
  });
}

TEST_CASE("values that can't be", "[flags]") {
  check_rows({
      {"--model m --size eight", "bad-value@eight: --size needs a whole number, not 'eight'"},
      {"--model m --size=1e3", "bad-value@--size=1e3: --size needs a whole number, not '1e3'"},
      {"--model m --size 99999999999999999999",
       "bad-value@99999999999999999999: --size is given a number of more than 64 bits: '99999999999999999999'"},
      {"--model m --share x", "bad-value@x: --share needs a number, not 'x'"},
      {"--model m --length 2m",
       "bad-value@2m: --length needs a whole number, such as 4096, 128k or 2Mi, not '2m' (did you mean 2M?)"},
      {"--model m --length 128K",
       "bad-value@128K: --length needs a whole number, such as 4096, 128k or 2Mi, not '128K' (did you mean 128k?)"},
      {"--model m --length 4ki",
       "bad-value@4ki: --length needs a whole number, such as 4096, 128k or 2Mi, not '4ki' (did you mean 4Ki?)"},
      {"--model m --length 10kk",
       "bad-value@10kk: --length needs a whole number, such as 4096, 128k or 2Mi, not '10kk'"},
      {"--model m --length 1.5Ki",
       "bad-value@1.5Ki: --length takes no fraction before a binary suffix: '1.5Ki' (use k, M, G or T, or a whole "
       "number)"},
      {"--model m --mode quik", "bad-choice@quik: --mode has no choice 'quik' (did you mean quick?)"},
      {"--model m --mode other", "bad-choice@other: --mode has no choice 'other' (choose from quick, slow)"},
      {"--model m --mode fast", "retired@fast: --mode no longer takes 'fast': it is quick now"},
      {"--model m --lanes 3", "bad-choice@3: --lanes has no choice '3' (choose from 1, 2, 4)"},
      {"--model m --ports 1 x 3", "bad-value@x: --ports needs a whole number, not 'x'"},
      {"--model m --graph []", "bad-value@[]: --graph needs a JSON object, not list"},
      {"--model m --graph '{\"decod\": {}}'",
       "bad-value@{\"decod\": {}}: --graph has no key 'decod' (did you mean decode?)"},
      {"--model m --graph '{\"decode\": 1}'",
       "bad-value@{\"decode\": 1}: --graph needs a JSON object at 'decode', not int"},
      {"--model m --graph '{\"decode\": {\"kin\": 1}}'",
       "bad-value@{\"decode\": {\"kin\": 1}}: --graph has no key 'kin' in 'decode' (did you mean kind?)"},
      {"--model m --graph '{\"decode\": {\"kind\": \"gone\"}}'",
       "retired@{\"decode\": {\"kind\": \"gone\"}}: --graph no longer takes 'gone' at 'decode.kind'"},
      {"--model m --extra ''", "bad-value@: --extra needs JSON, not an empty text"},
  });
  CHECK(read("--model m --extra '{\"a\": }'").rfind("bad-value@{\"a\": }: --extra needs JSON: ", 0) == 0);
  CHECK(read("--model m --extra '{\"a\": 1, \"a\": 2}'").rfind("bad-value@", 0) == 0);
}

TEST_CASE("named paths", "[flags]") {
  check_rows({
      {"--model m --adapters", "adapters=[]"},
      {"--model m --adapters a=/x ' /y '", "adapters=[\"a=/x\", \"/y\"]"},
      {"--model m --adapters '{\"name\": \"n\", \"path\": \"p\"}' q",
       "adapters=[{\"name\": \"n\", \"path\": \"p\"}, \"q\"]"},
      {"--model m --adapters q '{\"name\": 1}'",
       "bad-item@{\"name\": 1}: --adapters is given an object without the key 'path'"},
      {"--model m --adapters {", "adapters=[\"{\"]"},
  });
  CHECK(read("--model m --adapters {x}").rfind("bad-item@{x}: --adapters needs JSON: ", 0) == 0);
}

TEST_CASE("words that belong to nothing", "[flags]") {
  check_rows({
      {"", "required@-: --model must be given"},
      {"m", "required@-: --model must be given\nunknown@m: 'm' belongs to no flag (arguments start with a flag)"},
      {"--modle m",
       "required@--modle: --model must be given ('--modle' is no flag: did you mean --model?)\n"
       "unknown@--modle: '--modle' is no flag of toy 1.1 (did you mean --model?)"},
      {"--model m n", "unknown@n: 'n' belongs to no flag (--model takes one value; quote it if it holds spaces)"},
      {"--model m --trust yes", "unknown@yes: 'yes' belongs to no flag (--trust takes no value)"},
      {"--model m --trust size", "unknown@size: 'size' belongs to no flag (did you mean --size?)"},
      {"--model m --", "unknown@--: '--' belongs to no flag (leave the -- out: there are no arguments without a flag)"},
      {"--model m --nope a --size 2 b",
       "unknown@--nope: '--nope' is no flag of toy 1.1\n"
       "unknown@b: 'b' belongs to no flag (--size takes one value; quote it if it holds spaces)"},
      {"--model m --trsut=1", "unknown@--trsut=1: '--trsut' is no flag of toy 1.1 (did you mean --trust?)"},
      {"--model m '--size 8'",
       "unknown@--size 8: '--size 8' belongs to no flag (--model takes one value; quote it if it holds spaces)"},
  });
}

TEST_CASE("flags of other releases are named as such", "[flags]") {
  check_rows(
      {{"--model m --older", "unknown@--older: '--older' is no flag of toy 1.1 (it was a flag up to 1.0)"},
       {"--model m --parts 2",
        "unknown@--parts: '--parts' is no flag of toy 1.1 (it was a flag up to 0.9; now --size)"},
       {"--model m --out-dir x", "unknown@--out-dir: '--out-dir' is no flag of toy 1.1 (it was a flag up to 0.8)"}});
  check_rows({{"--model m --newer", "unknown@--newer: '--newer' is no flag of toy 1.0 (it comes with 1.1)"},
              {"--model m --older --mode fast", "mode=\"fast\" older=true"}},
             "1.0");
}

TEST_CASE("help and version launch nothing", "[flags]") {
  check_rows({
      {"--help", "help@--help: --help prints the runtime's help and launches nothing"},
      {"-h --size x", "help@-h: -h prints the runtime's help and launches nothing"},
      {"--size x -h",
       "bad-value@x: --size needs a whole number, not 'x'\nhelp@-h: -h prints the runtime's help and launches nothing"},
      {"-vh", "help@-vh: -h prints the runtime's help and launches nothing"},
      {"--vers", "version@--vers: --version prints the runtime's version and launches nothing"},
  });
}

TEST_CASE("several faults are reported in the order of the parser", "[flags]") {
  CHECK(read("--nope --size x --mode zzzzz --mod y") ==
        "ambiguous@--mod: '--mod' could be --model, --model-path or --mode (write it in full)\n"
        "bad-value@x: --size needs a whole number, not 'x'\n"
        "bad-choice@zzzzz: --mode has no choice 'zzzzz' (choose from quick, slow)\n"
        "required@-: --model must be given\n"
        "unknown@--nope: '--nope' is no flag of toy 1.1");
}

TEST_CASE("where a value was typed, and what was not", "[flags]") {
  const Pack& pack = small_pack();
  Arena arena;
  const std::vector<Word> argv = words(split("--model m --size=2 --ports 1 2 --trust"));
  const Parsed parsed = parse(pack, pack.version_index("1.1"), argv, arena);
  REQUIRE(parsed.ok());
  const auto origin = [&](const char* field) { return parsed.given.origins[pack.find_field(field)]; };
  CHECK(origin("model").word == 0);
  CHECK(origin("model").value_word == 1);
  CHECK(origin("size").word == 2);
  CHECK(origin("size").value_word == 2);
  CHECK(origin("ports").value_word == 4);
  CHECK(origin("trust").value_word == kNoIndex);
  CHECK(origin("share").word == kNoIndex);
  CHECK_FALSE(parsed.given.typed(pack.find_field("share")));
  CHECK(to_json(parsed.given.value(pack.find_field("share"))) == "0.5");
  CHECK(to_json(parsed.given.value(pack.find_field("seed"))) == "null");
}

TEST_CASE("deprecated and ineffective flags are noted", "[flags]") {
  const Pack& pack = small_pack();
  Arena arena;
  const std::vector<Word> argv = words(split("--model m --old-trust --file=x.yaml"));
  const Parsed parsed = parse(pack, pack.version_index("1.1"), argv, arena);
  REQUIRE(parsed.ok());
  REQUIRE(parsed.given.notes.size() == 2);
  CHECK(parsed.given.notes[0].kind == UsageFinding::Kind::kDeprecated);
  CHECK(parsed.given.notes[0].hint == "use --trust");
  CHECK(parsed.given.notes[0].place.column == 11);
  CHECK(parsed.given.notes[1].kind == UsageFinding::Kind::kIgnored);
  CHECK(parsed.given.notes[1].hint == "write --file and the file as two words");
}

TEST_CASE("the number of refusals is bounded", "[flags]") {
  std::string line = "--model m";
  for (int i = 0; i < 500; ++i) line += " --nope" + std::to_string(i);
  Arena arena;
  const std::vector<Word> argv = words(split(line));
  CHECK(parse(small_pack(), small_pack().version_index("1.1"), argv, arena).refusals.size() == kMaxRefusals);
}

TEST_CASE("a user's word in a message is one short line", "[flags]") {
  CHECK(quoted("a\nb\tc") == "'a b c'");
  CHECK(quoted("\xff\xc3\xa9") == "'\xef\xbf\xbd\xc3\xa9'");
  CHECK(quoted(std::string(200, 'x')) == "'" + std::string(60, 'x') + "…'");
  CHECK(quoted("") == "''");
  CHECK(quoted("\xf0\x9f") == "'\xef\xbf\xbd\xef\xbf\xbd'");
}
