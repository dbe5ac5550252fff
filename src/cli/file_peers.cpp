#include "cli/file_peers.h"

#include <algorithm>

#include "flags/companion_flags.h"
#include "launch/entry_point.h"
#include "rules/code.h"
#include "rules/walk.h"

namespace gonogo {

namespace {

constexpr int kMaxDepth = 3;  // of functions that a member calls

// The word that the user typed for a field that the code reads; null where that is none.
const Word* typed_for(const Session& s, CodeRef code, int depth) {
  const Word* out = nullptr;
  if (code == 0 || depth > kMaxDepth || !s.given) return out;
  walk_nodes(s.pack, code, [&](CodeRef node) {
    if (out != nullptr) return;
    const std::uint32_t w = s.pack.code[node];
    const Op op = op_of(w);
    if (op == Op::kCall) out = typed_for(s, s.runtime->pick(s.pack.functions[operand_of(w)].values), depth + 1);
    if (op != Op::kField && op != Op::kGiven && op != Op::kTyped) return;
    const Origin& origin = s.given->origins[operand_of(w)];
    const std::uint32_t word = origin.value_word != kNoIndex ? origin.value_word : origin.word;
    if (origin.typed && word < s.launch.args.size()) out = &s.launch.args[word];
  });
  return out;
}

std::vector<std::string> conditions_of(const FoundLaunch& found) {
  constexpr std::string_view kAnd = " && ";
  std::vector<std::string> out;
  if (!found.conditional) return out;
  std::string_view rest = *found.conditional;
  for (std::size_t at = rest.find(kAnd); at != std::string_view::npos; at = rest.find(kAnd)) {
    out.emplace_back(rest.substr(0, at));
    rest.remove_prefix(at + kAnd.size());
  }
  out.emplace_back(rest);
  return out;
}

// What of a launch the file says, whoever it is.
FilePeer found_peer(const FoundLaunch& found, const FileLaunches& file, bool declares) {
  FilePeer out;
  out.launch.file = found.place.file;
  out.launch.units = found.units;
  out.launch.apart = file.form == "markdown";
  out.launch.loose = out.launch.apart || file.form == "makefile" || file.form == "justfile";
  out.launch.declared = declares;
  out.launch.conditions = conditions_of(found);
  out.launch.machine = found.facts.machine;
  out.launch.names = found.facts.names;
  out.launch.labels = found.facts.labels;
  out.shown.place = found.place;
  out.shown.last_line = last_line(found);
  return out;
}

// Whether the launch is no command of the runtime's own: code, or a program with flags of its own.
bool is_wrapped(const Pack& pack, const FoundLaunch& found) {
  for (const StrId id : pack.slice(pack.about->entry_points)) {
    const EntryPoint entry = parse_entry_point(pack.text(id));
    if (entry_name(entry) == found.entry) return entry.own_flags || entry.call;
  }
  return false;
}

}  // namespace

FilePeer peer_of(const FoundLaunch& found, const FileLaunches& file, bool declares, const Session* session,
                 Arena& arena) {
  FilePeer out = found_peer(found, file, declares);
  if (session == nullptr) return out;
  const Pack& pack = session->pack;
  out.launch.version = session->version.index;
  out.launch.wrapped = is_wrapped(pack, found);
  for (std::size_t i = 0; i < session->outcome.peers.size(); ++i) {
    PeerValues values = session->outcome.peers[i];
    for (auto* list : {&values.roles, &values.key, &values.members}) {
      std::transform(list->begin(), list->end(), list->begin(), [&](const Value& v) { return deep_copy(v, arena); });
    }
    std::vector<Place> words;
    const Run members = pack.peers[i].members;
    for (std::uint32_t m = 0; m < members.count; ++m) {
      const Word* word = typed_for(*session, pack.named[members.first + m].code, 0);
      words.push_back(word != nullptr ? word->place : Place());
      Value& value = values.members[m];
      if (value.is_unknown() && word != nullptr && (pack.peers[i].as_written >> m & 1) != 0) {
        value = Value::str(arena.copy(word->text));
      }
    }
    out.launch.values.push_back(std::move(values));
    out.shown.words.push_back(std::move(words));
  }
  return out;
}

std::vector<FilePeer> companions_of(const Pack& pack, const FileLaunches& file, bool declares, Arena& arena) {
  std::vector<FilePeer> out;
  // What a template's actions become may be anything.
  if (file.launches.empty() || file.templated) return out;
  for (const FoundLaunch& found : file.companions) {
    const PeerRec& peers = pack.peers[found.companion];
    std::vector<Word> words;
    for (const FoundWord& word : found.args) {
      words.push_back({word.text, word.place, word.unknowns.empty() ? "" : word.unknowns[0]});
    }
    CompanionGiven given = read_companion(pack, peers, words, arena);
    FilePeer one = found_peer(found, file, declares);
    one.launch.companion = found.companion;
    one.launch.open = given.open;
    for (std::size_t i = 0; i < pack.peers.size(); ++i) {
      one.launch.values.push_back({{Value::boolean(i == found.companion), Value::boolean(false)}, {}, {}});
    }
    std::vector<Place> places;
    for (const std::uint32_t word : given.words) places.push_back(word == kNoIndex ? Place() : words[word].place);
    const auto add = [&](const Value& to, const Place& place) {
      out.push_back(one);
      out.back().launch.given = given.values;
      out.back().launch.given.push_back(to);
      out.back().shown.words.resize(pack.peers.size());
      out.back().shown.words[found.companion] = places;
      out.back().shown.words[found.companion].push_back(place);
    };
    for (const CompanionCall& call : given.calls) add(call.to, words[call.word].place);
    if (given.calls.empty()) add(Value(), Place());
  }
  return out;
}

}  // namespace gonogo
