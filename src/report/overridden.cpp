#include "report/overridden.h"

#include <array>

namespace gonogo {

namespace {

// A value as one would type it; what is switched off or dropped has words of its own.
std::string typed_text(const Value& value) {
  if (value.is_none()) return "unset";
  if (value.is(Kind::kBool)) return value.as_bool() ? "on" : "off";
  std::string text = to_str(value);
  constexpr std::size_t kMost = 60;
  if (text.size() > kMost) text = text.substr(0, kMost - 3) + "…";
  return text;
}

// Whether a record is what the user gave, with members filled in.
bool filled_in(const Value& given, const Value& now) {
  if (!given.is_dict() || !now.is_dict()) return identical(given, now);
  for (std::uint32_t i = 0; i < given.size(); ++i) {
    const Entry& e = given.entries()[i];
    const Value* v = e.key.is_str() ? now.find(e.key.as_str()) : nullptr;
    if (v == nullptr || !filled_in(e.value, *v)) return false;
  }
  return true;
}

}  // namespace

std::vector<Overridden> overridden(const ReportInput& input) {
  std::vector<Overridden> out;
  const Outcome& outcome = input.outcome;
  if (input.given == nullptr || outcome.parts.empty() || outcome.parts[0].refused_by) return out;
  for (std::uint32_t i = 0; i < input.pack.fields.size(); ++i) {
    if (!input.given->typed(i) || input.pack.fields[i].volatile_value != 0) continue;
    const Value& typed = input.given->value(i);
    const Value& value = outcome.fields[i];
    if (value.is_bad() || filled_in(typed, value)) continue;
    const Change* change = last_change(outcome, i);
    if (change == nullptr) continue;
    out.push_back({i, shown(input.pack, i, typed), shown(input.pack, i, value), change->rule});
  }
  return out;
}

std::string overridden_text(const ReportInput& input, const Overridden& change) {
  const Pack& pack = input.pack;
  std::string flag(pack.flag_of(change.field, input.version.index));
  if (flag.empty()) flag = pack.field_name(change.field);
  const RuleNote& note = pack.note(change.rule);
  std::string out = flag + " " + typed_text(change.typed) + " becomes " + typed_text(change.value);
  if (note.because != 0) out += ": " + std::string(pack.text(note.because));
  out += "  [" + std::string(pack.text(pack.rules[change.rule].id)) + "]";
  if (note.log == Log::kNone) return out + ", and nothing is logged";
  return out + ", which the server logs";
}

std::string_view log_name(Log log) {
  static constexpr std::array<std::string_view, 3> kNames = {"none", "info", "warning"};
  return kNames[static_cast<std::size_t>(log)];
}

}  // namespace gonogo
