#include "engine/resolver.h"

#include "engine/resolution.h"

namespace gonogo {

namespace {

// Of a version whose arguments alone are known: they were read, and more is not known.
Outcome without_rules(const Runtime& runtime, const Given& given) {
  const Pack& pack = runtime.pack();
  Outcome out;
  out.fields.assign(given.values, given.values + given.field_count);
  out.parts.resize(pack.parts.size());
  for (PartOutcome& part : out.parts) part.reached = false;
  out.missing.push_back("rules for " + std::string(pack.text(pack.about->name)) + " " +
                        std::string(pack.version(runtime.version())) + ": there are those of " + pack.versions_text());
  return out;
}

}  // namespace

Outcome resolve(Runtime& runtime, const World& world, const Given& given, Arena& arena, ResolveOptions options) {
  if (runtime.version() < runtime.pack().first_ruled()) return without_rules(runtime, given);
  return Resolution(runtime, world, given, arena, options).run();
}

Outcome refused_by_parser(const Pack& pack, std::vector<UsageFinding> refusals) {
  Outcome out;
  out.verdict = Verdict::kNoGo;
  out.parts.resize(pack.parts.size());
  for (PartOutcome& part : out.parts) part.reached = false;
  if (!out.parts.empty()) {
    out.parts[0].reached = true;
    out.parts[0].refused_by = 0;
  }
  for (UsageFinding& refusal : refusals) {
    Finding f;
    f.phase = Phase::kParse;
    f.message = refusal.message;
    f.behind_failure = !out.findings.empty();
    f.usage = std::move(refusal);
    out.findings.push_back(std::move(f));
  }
  return out;
}

const Change* last_change(const Outcome& outcome, std::uint32_t field) {
  for (auto it = outcome.history.rbegin(); it != outcome.history.rend(); ++it) {
    if (it->field == field) return &*it;
  }
  return nullptr;
}

}  // namespace gonogo
