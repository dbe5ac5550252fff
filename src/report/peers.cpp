#include "report/peers.h"

namespace gonogo {

namespace {

constexpr std::size_t kNoPeers = static_cast<std::size_t>(-1);

// The peers whose rules a rule is one of.
std::size_t peers_of(const Pack& pack, std::uint32_t rule) {
  for (std::size_t i = 0; i < pack.peers.size(); ++i) {
    const std::uint32_t stage = pack.stages[pack.peers[i].stage].rule;
    if (stage <= rule && rule < pack.rules[stage].end) return i;
  }
  return kNoPeers;
}

// The word that a side is about: the first that the user typed for a member that the rule read, else the command.
Place word_of(std::size_t peers, const PeerSide& side, const PeerShown& shown) {
  for (const std::uint32_t member : side.members) {
    if (peers >= shown.words.size() || member >= shown.words[peers].size()) continue;
    if (shown.words[peers][member].line > 0) return shown.words[peers][member];
  }
  return shown.place;
}

ReportSpan span_at(const Place& at) { return {at.file, at.line, at.column, at.line, at.column + 1}; }

}  // namespace

ReportFinding finding_of(const Pack& pack, const PeerFinding& finding, const std::vector<PeerShown>& launches) {
  const RuleNote& note = pack.note(finding.rule);
  ReportFinding out;
  out.action = finding.kind;
  out.phase = finding.phase;
  out.rule = pack.text(pack.rules[finding.rule].id);
  out.message = finding.message;
  out.because = pack.text(note.because);
  out.check = pack.text(note.check);
  out.where = std::string(pack.text(note.file)) + ":" + std::to_string(note.line);
  for (const StrId see : pack.slice(note.see)) out.see.emplace_back(pack.text(see));
  out.own_level = out.level = level_of(finding.kind);
  const std::size_t peers = peers_of(pack, finding.rule);
  for (const PeerSide& side : finding.sides) {
    const PeerShown& shown = launches[side.launch];
    const Place word = word_of(peers, side, shown);
    out.related.push_back({side.role == 0 ? "" : std::string(pack.text(side.role)), span_at(shown.place), span_at(word),
                           excerpt(*shown.sources, word), shown.last_line});
  }
  out.span = out.related.front().word;
  out.fingerprint = fingerprint_of(out.rule, out.span->file, out.message);
  return out;
}

}  // namespace gonogo
