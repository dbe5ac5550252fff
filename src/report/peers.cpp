#include "report/peers.h"

#include <algorithm>

#include "report/report.h"

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

std::string_view role_name(const PeerReport& report, const PeerSide& side) {
  return side.role == 0 ? std::string_view("with them") : report.pack.text(side.role);
}

// The word that a side is about: the first that the user typed for a member that the rule read, else the command.
Place place_of(const PeerReport& report, const PeerFinding& finding, const PeerSide& side) {
  const PeerShown& shown = report.launches[side.launch];
  const std::size_t peers = peers_of(report.pack, finding.rule);
  for (const std::uint32_t member : side.members) {
    if (peers >= shown.words.size() || member >= shown.words[peers].size()) continue;
    if (shown.words[peers][member].line > 0) return shown.words[peers][member];
  }
  return shown.place;
}

std::string place_text(const Place& place) { return place.file + ":" + std::to_string(place.line); }

std::string indented(const std::string& lines) {
  std::string out = "    ";
  for (const char c : lines) {
    out += c;
    if (c == '\n') out += "    ";
  }
  out.erase(out.find_last_not_of(" \n") + 1);
  return out;
}

std::string headline(const PeerReport& report, const PeerFinding& f, bool color) {
  std::string places;
  std::string roles;
  for (std::size_t i = 0; i < std::min<std::size_t>(f.sides.size(), PeerRec::kRoles); ++i) {
    places += (i > 0 ? " + " : "") + place_text(report.launches[f.sides[i].launch].place);
    roles += (i > 0 ? " + " : "") + std::string(role_name(report, f.sides[i]));
  }
  const std::string kind = f.kind == Action::kFail   ? verdict_text(Verdict::kNoGo, color)
                           : f.kind == Action::kWarn ? painted("warning", "1;33", color)
                                                     : painted("advice", "1;36", color);
  return places + "  " + kind + "  " + roles + "\n";
}

}  // namespace

bool has_kind(const std::vector<PeerFinding>& findings, Action kind) {
  return std::any_of(findings.begin(), findings.end(), [&](const PeerFinding& f) { return f.kind == kind; });
}

std::string to_text(const PeerReport& report, bool color) {
  std::string out;
  for (const PeerFinding& f : report.findings) {
    out += headline(report, f, color) + "\n";
    if (f.kind == Action::kFail) {
      out += painted("refused", "1;31", color) + " " + std::string(phase_meaning(f.phase)) + "  [" +
             std::string(report.pack.text(report.pack.rules[f.rule].id)) + "]\n  " + wrapped(f.message, 2) + "\n";
    } else {
      out += "  " + wrapped(f.message, 2) + "  [" + std::string(report.pack.text(report.pack.rules[f.rule].id)) + "]\n";
    }
    for (const PeerSide& side : f.sides) {
      const Place place = place_of(report, f, side);
      out += "  --> " + place_text(place) + "  " + std::string(role_name(report, side)) + "\n";
      const std::string lines = excerpt(*report.launches[side.launch].sources, place);
      if (!lines.empty()) out += indented(lines) + "\n";
    }
    const RuleNote& note = report.pack.note(f.rule);
    if (note.because != 0) out += "  because " + wrapped(report.pack.text(note.because), 10) + "\n";
    out += "\n";
  }
  return out;
}

void to_json(const PeerReport& report, JsonWriter* json) {
  const Pack& pack = report.pack;
  json->open("between", '[');
  for (const PeerFinding& f : report.findings) {
    const RuleNote& note = pack.note(f.rule);
    json->open('{');
    json->text("kind", kind_name(f.kind));
    json->text("phase", phase_name(f.phase));
    json->text("rule", pack.text(pack.rules[f.rule].id));
    json->text("message", f.message);
    json->text("check", pack.text(note.check));
    json->text("because", pack.text(note.because));
    json->open("launches", '[');
    for (const PeerSide& side : f.sides) {
      const Place& launch = report.launches[side.launch].place;
      const Place word = place_of(report, f, side);
      json->open('{');
      if (side.role == 0) {
        json->null("role");
      } else {
        json->text("role", pack.text(side.role));
      }
      json->text("file", launch.file);
      json->number("line", launch.line);
      json->number("column", launch.column);
      json->open("word", '{');
      json->text("file", word.file);
      json->number("line", word.line);
      json->number("column", word.column);
      json->close('}');
      json->close('}');
    }
    json->close(']');
    json->close('}');
  }
  json->close(']');
}

}  // namespace gonogo
