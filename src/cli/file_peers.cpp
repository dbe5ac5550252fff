#include "cli/file_peers.h"

#include <algorithm>

#include "rules/code.h"
#include "rules/walk.h"

namespace gonogo {

namespace {

constexpr int kMaxDepth = 3;  // of functions that a member calls

// Where the user typed a field that the code reads; line 0 where that is none.
Place typed_for(const Session& s, CodeRef code, int depth) {
  Place out;
  if (code == 0 || depth > kMaxDepth || !s.given) return out;
  walk_nodes(s.pack, code, [&](CodeRef node) {
    if (out.line > 0) return;
    const std::uint32_t w = s.pack.code[node];
    const Op op = op_of(w);
    if (op == Op::kCall) out = typed_for(s, s.runtime->pick(s.pack.functions[operand_of(w)].values), depth + 1);
    if (op != Op::kField && op != Op::kGiven && op != Op::kTyped) return;
    const Origin& origin = s.given->origins[operand_of(w)];
    const std::uint32_t word = origin.value_word != kNoIndex ? origin.value_word : origin.word;
    if (origin.typed && word < s.launch.args.size()) out = s.launch.args[word].place;
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

}  // namespace

FilePeer peer_of(const FoundLaunch& found, const FileLaunches& file, bool declares, const Session* session,
                 Arena& arena) {
  FilePeer out;
  out.launch.file = found.place.file;
  out.launch.units = found.units;
  out.launch.apart = file.form == "markdown";
  out.launch.declared = declares;
  out.launch.conditions = conditions_of(found);
  out.shown.place = found.place;
  if (session == nullptr) return out;
  const Pack& pack = session->pack;
  out.launch.version = session->version.index;
  for (std::size_t i = 0; i < session->outcome.peers.size(); ++i) {
    PeerValues values = session->outcome.peers[i];
    for (auto* list : {&values.roles, &values.key, &values.members}) {
      std::transform(list->begin(), list->end(), list->begin(), [&](const Value& v) { return deep_copy(v, arena); });
    }
    out.launch.values.push_back(std::move(values));
    std::vector<Place> words;
    const Run members = pack.peers[i].members;
    for (const NamedCode& member : pack.named.subspan(members.first, members.count)) {
      words.push_back(typed_for(*session, member.code, 0));
    }
    out.shown.words.push_back(std::move(words));
  }
  return out;
}

}  // namespace gonogo
