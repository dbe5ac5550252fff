// What a report is made from: an outcome with everything needed to say it in the user's own words. All formats carry
// the same facts; they differ in form.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/fixes.h"
#include "engine/outcome.h"
#include "facts/gpu.h"
#include "facts/runtime_version.h"
#include "flags/given.h"
#include "launch/launch.h"
#include "rules/pack.h"

namespace gonogo {

struct ReportInput {
  const Pack& pack;
  const Launch& launch;
  const RuntimeVersion& version;
  const std::vector<GpuSet>& nodes;  // empty: unknown
  const std::string& model_where;
  const Given* given;  // null where the parser refused
  const Outcome& outcome;
  const Fixes& fixes;
};

std::string_view verdict_word(Verdict verdict);  // "GO", "NO-GO", "UNKNOWN"
std::string_view action_name(Action action);     // as a rule file has it: "set", "fail" …
std::string_view phase_name(Phase phase);        // "parse", "resolve" …
std::string_view kind_name(Action action);       // "refusal", "warning", "inert", "advice"

// The rule that a finding comes from: its id, "argparse", or "unread" for a flag that no rule read.
std::string_view rule_of(const Pack& pack, const Finding& finding);

// A field's value for people and machines; a secret's is masked.
Value shown(const Pack& pack, std::uint32_t field, const Value& value);

// A change as the user would type it: "--flag value", "NAME=value", "runtime >=1.2"; without the flag: "without
// --flag".
std::string in_shell(std::span<const std::string> words);
// `words` with the values of secret flags masked.
std::vector<std::string> masked_words(const Pack& pack, const std::vector<std::string>& words);
// A mended word and what takes its place, for people and machines: nothing of a value that stays as it is, nor of what
// is left out, since nobody knows whether it is secret.
struct ShownMend {
  std::string old;
  std::vector<std::string> by;
};
ShownMend shown_mend(const ReportInput& input, const WordEdit& edit);
std::string change_text(const ReportInput& input, const FixChange& change);
std::string fix_text(const ReportInput& input, const FixTrial& trial);

// "x == 'a' (you typed it)", "model.arch = 'B'": what a finding's condition read.
std::string evidence_text(const ReportInput& input, const Evidence& evidence);

// The word of the command that a finding is about: the flag it names, or the first typed one that its condition read.
// kNoIndex where nobody typed anything of it.
std::uint32_t word_of(const ReportInput& input, const Finding& finding);

// The changes that chose values which a finding's message names and nobody typed: the first of each value, at most 3.
std::vector<const Change*> chosen_for(const ReportInput& input, const Finding& finding);

// When a refusal hits, for people: "at init: when the model is built, before weights load".
std::string_view phase_meaning(Phase phase);

// Breaks `text` at spaces so that each line, with `indent`, stays within the width; the first line is not indented.
inline constexpr std::size_t kReportWidth = 100;
std::string wrapped(std::string_view text, std::size_t indent);

// `text` in a terminal's colour ("1;31"), or as it is.
std::string painted(std::string_view text, const char* code, bool color);
std::string verdict_text(Verdict verdict, bool color);

// "8 x NVIDIA B200 (…)", of several nodes the first's; "unknown GPUs" where none are known.
std::string nodes_text(const std::vector<GpuSet>& nodes);

struct LaunchReport;
struct ReportFinding;

// `across`: what there is to say of no single launch, as text, for the report of a whole run.
std::string to_text(const ReportInput& input, const LaunchReport& report, bool color, std::string_view across = {});
// The same without the verdict's own lines and what was resolved: what there is to say beneath a headline.
std::string to_details(const ReportInput& input, const LaunchReport& report, bool color);
// `across`: findings about no single launch, for the report of a whole run; null in one of several.
std::string to_json(const ReportInput& input, const LaunchReport& report, int exit_code,
                    const std::vector<ReportFinding>* across);
// The member `"fixes":[…]` of that report alone.
std::string fixes_member(const ReportInput& input);

}  // namespace gonogo
