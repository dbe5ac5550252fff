#include "cli/axis_values.h"

#include <utility>

#include "flags/argparse.h"
#include "flags/convert.h"
#include "flags/spelling.h"

namespace gonogo {

namespace {

ParsedValue parsed_whole(const Pack& pack, std::uint32_t version, const Launch& launch, const Axis& axis,
                         const AxisValue& value, Arena& arena) {
  const Launch with = with_value(pack, version, launch, axis, value);
  Parsed parsed = parse(pack, version, with.args, arena, launch.own_flags);
  ParsedValue out;
  if (!parsed.ok()) {
    out.refusal = std::move(parsed.refusals.front());
  } else {
    out.value = parsed.given.value(axis.field);
    out.typed = parsed.given.typed(axis.field);
  }
  return out;
}

ParsedValue parsed_word(const Pack& pack, const FlagRec& flag, const Axis& axis, const AxisValue& value, Arena& arena) {
  Converted converted = convert(pack, flag, value.text, arena);
  ParsedValue out;
  if (!converted.ok()) {
    out.refusal =
        UsageFinding{converted.kind, axis.name + " " + converted.problem, std::move(converted.hint), kNoIndex, {}};
  } else {
    out.value = converted.value;
    out.typed = true;
  }
  return out;
}

}  // namespace

std::vector<ParsedValue> parse_values(const Pack& pack, std::uint32_t version, const Launch& launch, const Axis& axis,
                                      Arena& arena) {
  const std::uint32_t row = Spellings(pack, version).find(axis.name);
  const bool one_word = row != kNoIndex && pack.flags[row].action == FlagAction::kStore && pack.flags[row].nargs == 0;
  bool launch_is_good = false;
  std::vector<ParsedValue> out;
  for (const AxisValue& value : axis.values) {
    const bool alone = one_word && launch_is_good && !value.unset;
    out.push_back(alone ? parsed_word(pack, pack.flags[row], axis, value, arena)
                        : parsed_whole(pack, version, launch, axis, value, arena));
    launch_is_good = launch_is_good || (!out.back().refusal && !value.unset);
  }
  return out;
}

}  // namespace gonogo
