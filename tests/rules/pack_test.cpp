// What a compiled pack accepts as a blob, which of its texts are read in place, and how its contents are named.
#include "rules/pack.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "catch.h"
#include "rules/code.h"
#include "rules/sections.h"
#include "rules/toy_pack.h"
#include "rules/walk.h"

using namespace gonogo;
using namespace gonogo::testing;

namespace {

BlobHeader header_of(const std::string& blob) {
  BlobHeader header;
  std::memcpy(&header, blob.data(), sizeof header);
  return header;
}

// `blob` with its header changed.
std::string with_header(std::string blob, const std::function<void(BlobHeader&)>& change) {
  BlobHeader header = header_of(blob);
  change(header);
  std::memcpy(blob.data(), &header, sizeof header);
  return blob;
}

bool hot(const Pack& pack, StrId id) { return id < kColdText && !pack.text(id).empty(); }

std::string hash_of(const std::string& text) { return OpenPack(compiled(text))->hash(); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error("no " + from);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a blob that is damaged is refused", "[rules]") {
  const std::string good = compiled(kToyPack);
  REQUIRE(Pack::open(good));
  struct Row {
    const char* name;
    std::string blob;
    const char* says;
  };
  const char* const kFormat = "another format";
  const char* const kTexts = "texts lie outside";
  const char* const kSection = "a section of the rule pack lies outside";
  const std::vector<Row> rows = {
      {"empty", "", "truncated"},
      {"a part of the header", good.substr(0, sizeof(BlobHeader) - 1), "truncated"},
      {"the last byte missing", good.substr(0, good.size() - 1), kFormat},
      {"bytes behind it", good + "x", kFormat},
      {"magic", with_header(good, [](BlobHeader& h) { h.magic ^= 1; }), kFormat},
      {"an older format", with_header(good, [](BlobHeader& h) { h.format = kBlobFormat - 1; }), kFormat},
      {"a newer format", with_header(good, [](BlobHeader& h) { h.format = kBlobFormat + 1; }), kFormat},
      {"texts behind the end", with_header(good, [](BlobHeader& h) { h.text_section.first = h.size + 8; }), kTexts},
      {"too many texts", with_header(good, [](BlobHeader& h) { h.text_section.count = h.size; }), kTexts},
      {"texts that wrap", with_header(good, [](BlobHeader& h) { h.text_section.count = kNoIndex; }), kTexts},
      {"texts unaligned", with_header(good, [](BlobHeader& h) { h.text_section.first += 1; }), kTexts},
      {"pool too long", with_header(good, [](BlobHeader& h) { h.pool_section.count = h.size; }), kTexts},
      {"first section", with_header(good, [](BlobHeader& h) { h.sections.front().first = h.size + 4; }), kSection},
      {"last section", with_header(good, [](BlobHeader& h) { h.sections.back().count = h.size; }), kSection},
      {"section unaligned", with_header(good, [](BlobHeader& h) { h.sections[1].first += 2; }), kSection},
      {"cold part", with_header(good, [](BlobHeader& h) { h.cold.packed = h.size; }), kSection},
      {"cold part larger than can be packed", with_header(good, [](BlobHeader& h) { h.cold.size = kNoIndex; }),
       kSection},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const auto opened = Pack::open(row.blob);
    REQUIRE_FALSE(opened);
    CHECK(opened.error().kind == Error::Kind::kInternal);
    CHECK(opened.error().what.find(row.says) != std::string::npos);
  }
}

TEST_CASE("a damaged cold part reads as empty and leaves the rest alone", "[rules]") {
  const std::string good = compiled(kToyPack);
  const ColdLayout layout = header_of(good).cold;
  std::string flipped = good;
  for (std::uint32_t i = 0; i < layout.packed; ++i)
    flipped[layout.first + i] = static_cast<char>(~flipped[layout.first + i]);
  const std::vector<std::pair<const char*, std::string>> rows = {
      {"other bytes", flipped},
      {"cut off", with_header(good, [](BlobHeader& h) { h.cold.packed /= 2; })},
      {"nothing", with_header(good, [](BlobHeader& h) { h.cold.packed = 0, h.cold.size = 0; })},
      {"a smaller size", with_header(good, [](BlobHeader& h) { h.cold.size -= 1; })},
      {"a larger size", with_header(good, [](BlobHeader& h) { h.cold.size += 1; })},
      {"more texts", with_header(good, [](BlobHeader& h) { h.cold.texts = 1u << 22; })},
      {"fewer texts", with_header(good, [](BlobHeader& h) { h.cold.texts -= 1; })},
      {"more notes", with_header(good, [](BlobHeader& h) { h.cold.records[0] = kNoIndex; })},
  };
  for (const auto& [name, blob] : rows) {
    CAPTURE(name);
    const OpenPack pack(blob);
    const std::uint32_t rule = rule_named(*pack, "main/set");
    CHECK(pack->cold().notes.empty());
    CHECK(pack->text(kColdText).empty());
    CHECK(pack->note(rule).because == 0);
    CHECK(pack->note(rule).fixes.count == 0);
    CHECK(pack->find_field("size") != kNoIndex);
  }
}

TEST_CASE("ids out of range read as nothing", "[rules]") {
  const OpenPack pack(compiled(kToyPack));
  CHECK(pack->text(0).empty());
  CHECK(pack->text(kColdText + (1u << 20)).empty());
  CHECK(pack->note(kNoIndex).file == 0);
  const Pack unopened;
  CHECK(unopened.text(kColdText).empty());
  CHECK(unopened.cold().notes.empty());
  CHECK_FALSE(unopened.unpacked());
}

TEST_CASE("what a check reads is hot", "[rules]") {
  const OpenPack pack(compiled(kToyPack));
  const auto env = [&](const char* name) { return pack->envs[pack->find_env(name)]; };
  CHECK(hot(*pack, pack->about->name));
  CHECK(pack->version(1) == "1.1");
  for (const FieldRec& field : pack->fields) CHECK(hot(*pack, field.name));
  for (const FlagRec& flag : pack->flags) {
    for (const StrId id : pack->slice(flag.spellings)) CHECK(hot(*pack, id) == (flag.versions != 0));
  }
  for (const GpuRec& gpu : pack->gpus) CHECK(hot(*pack, gpu.name));
  for (const NamedCode& label : pack->summary) CHECK(hot(*pack, label.name));
  CHECK(pack->find_gpu("a10") == 0);
  CHECK(pack->flag_of(pack->find_field("size"), 0) == "--size");
  CHECK(hot(*pack, env("TOY_READ").name));
  CHECK(hot(*pack, env("TOY_READ").former_name));
  CHECK(hot(*pack, env("TOY_ASKED").name));
  CHECK(hot(*pack, env("TOY_SET").name));
  CHECK_FALSE(pack->unpacked());
}

TEST_CASE("what only people read is cold, and unpacked at its first use", "[rules]") {
  const OpenPack pack(compiled(kToyPack));
  const Pack copy = *pack;
  CHECK_FALSE(pack->unpacked());
  const RuleNote& note = pack->note(rule_named(*pack, "main/limits"));
  CHECK(pack->unpacked());
  CHECK(copy.unpacked());  // copies share it

  const std::vector<std::pair<StrId, const char*>> texts = {
      {note.check, "toy.main"},
      {note.pass, "toy_pass"},
      {note.because, "toys are small"},
      {note.file, "toy.yaml"},
      {pack->ids[note.see.first], "toy/limits.md"},
      {pack->rules[rule_named(*pack, "main/limits")].id, "main/limits"},
      {pack->envs[pack->find_env("TOY_UNREAD")].name, "TOY_UNREAD"},
      {pack->facts[0].name, "layers"},
      {pack->functions[0].name, "double"},
      {pack->tables[0].name, "limits"},
      {pack->state[0].name, "seen"},
      {pack->stages[0].name, "main"},
  };
  for (const auto& [id, text] : texts) {
    CAPTURE(text);
    CHECK(pack->text(id) == text);
    CHECK(id >= kColdText);
  }
  CHECK(note.line == 39);
}

TEST_CASE("the parts of a message are cold, the words of its expressions are hot", "[rules]") {
  const OpenPack pack(compiled(replaced(kToyPack, "seven layers are unlucky", "{'hot words'} and more")));
  const auto rule =
      std::find_if(pack->rules.begin(), pack->rules.end(), [](const RuleRec& r) { return r.action == Action::kWarn; });
  REQUIRE(rule != pack->rules.end());
  const CodeRef code = rule->payload.first;
  REQUIRE(op_of(pack->code[code]) == Op::kText);
  REQUIRE(operand_of(pack->code[code]) == 2);
  CHECK(pack->text(operand_of(pack->code[code + 1])) == "hot words");
  CHECK_FALSE(pack->unpacked());
  CHECK(pack->text(operand_of(pack->code[code + 2])) == " and more");
  CHECK(pack->unpacked());
}

TEST_CASE("ids of rules that set something are hot", "[rules]") {
  const OpenPack pack(compiled(kToyPack));
  for (const RuleRec& rule : pack->rules) {
    if (rule.action == Action::kSet) CHECK(hot(*pack, rule.id));
  }
  const std::uint32_t group = rule_named(*pack, "main/group");
  CHECK(pack->text(pack->rules[group + 1].id) == "main/group");
  CHECK(pack->text(pack->rules[group + 2].id) == "main/group#2");
}

TEST_CASE("threads may ask for the cold part at once", "[rules]") {
  const OpenPack pack(compiled(kToyPack));
  const std::uint32_t rule = rule_named(*pack, "main/set");
  std::vector<std::string> read(8);
  std::vector<std::thread> threads;
  for (std::string& text : read) {
    threads.emplace_back([&pack, &text, rule] { text = pack->text(pack->note(rule).because); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& text : read) CHECK(text == "toys are small");
}

TEST_CASE("a rule keeps what it does apart from what is said about it", "[rules]") {
  const OpenPack pack(compiled(kToyPack));
  const std::uint32_t index = rule_named(*pack, "main/limits");
  const RuleRec& rule = pack->rules[index];
  CHECK(rule.action == Action::kFail);
  CHECK(rule.flag == pack->find_field("size"));
  CHECK(unparse(*pack, rule.when) == "size > most");
  CHECK(unparse(*pack, rule.payload.first) == "{mode} mode takes up to {most}, and not {size}");
  CHECK(rule.lets.count == 1);
  CHECK(pack->rules[rule_named(*pack, "main/set")].flag == RuleRec::kNoFlag);

  const Run fixes = pack->note(index).fixes;
  REQUIRE(fixes.count == 2);
  const FixRec& second = pack->cold().fixes[fixes.first + 1];
  REQUIRE(second.changes.count == 2);
  const AssignRec& env = pack->cold().changes[second.changes.first + 1];
  CHECK(env.kind == Target::kEnv);
  CHECK(env.target == pack->find_env("TOY_SET"));
  CHECK(unparse(*pack, env.code) == "2");
}

TEST_CASE("rows of a table that hold together are one constant", "[rules]") {
  const OpenPack pack(compiled(kToyPack));
  const Run limits = pack->tables[0].rows;
  REQUIRE(limits.count == 2);
  CHECK(unparse(*pack, pack->rows[limits.first].code) == "{'fast': 8, 'slow': 16}");
  CHECK(pack->rows[limits.first].versions == 3);
  CHECK(unparse(*pack, pack->rows[limits.first + 1].code) == "{'slower': 32, 'slowest': 64}");
  CHECK(pack->rows[limits.first + 1].versions == 2);
  const Run names = pack->tables[1].rows;
  REQUIRE(names.count == 1);
  CHECK(unparse(*pack, pack->rows[names.first].code) == "['one', 'two']");
}

TEST_CASE("the hash names the contents", "[rules]") {
  const std::string hash = hash_of(kToyPack);
  CHECK(hash.size() == 16);
  CHECK(hash == hash_of(kToyPack));
  const std::vector<std::pair<const char*, const char*>> changes = {
      {"double(size)", "double(size) + 1"},  // code
      {"fast: 8", "fast: 9"},                // a constant
      {"toys are small", "toys are tiny!"},  // a cold text of the same length
      {"seven layers", "Seven layers"},      // a message
      {"name: toy", "name: Toy"},            // the header's facts
      {"{size: =most}", "{size: 1}"},        // a fix
  };
  for (const auto& [from, to] : changes) {
    CAPTURE(from);
    CHECK(hash_of(replaced(kToyPack, from, to)) != hash);
  }
}

TEST_CASE("the embedded pack is small, and hot where it must be", "[rules]") {
  const Pack& pack = Pack::embedded();
  CHECK(pack.blob.size() <= 512 * 1024);
  for (const FieldRec& field : pack.fields) CHECK(hot(pack, field.name));
  for (const RuleRec& rule : pack.rules) {
    if (rule.action == Action::kSet && !hot(pack, rule.id)) FAIL_CHECK(pack.text(rule.id));
    if (rule.action != Action::kEnv) continue;
    for (const AssignRec& a : pack.assigns.subspan(rule.payload.first, rule.payload.count)) {
      CHECK(hot(pack, pack.envs[a.target].name));
    }
  }
  std::size_t read = 0;
  const auto visit = [&](CodeRef name) {
    const std::uint32_t w = pack.code[name];
    if (op_of(w) != Op::kEnv && op_of(w) != Op::kEnvIsSet) return;
    ++read;
    CHECK(hot(pack, pack.envs[operand_of(w)].name));
  };
  for (const RuleRec& rule : pack.rules) walk_names(pack, rule.when, visit);
  CHECK(read > 0);
}
