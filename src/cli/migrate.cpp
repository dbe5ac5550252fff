// `gonogo migrate`: the words of a launch as another version's parser reads them.
#include <ostream>

#include "base/json.h"
#include "cli/commands.h"
#include "flags/argparse.h"
#include "flags/migration.h"
#include "flags/unknown_flag.h"
#include "report/json_writer.h"

namespace gonogo {

namespace {

// The version that an option names; the newest where it names none.
Result<std::uint32_t> version_of(const Pack& pack, const std::optional<std::string>& option) {
  auto version = runtime_version({option, {}, nullptr}, pack);
  if (!version) return version.error();
  return version->index;
}

std::string command_text(const std::vector<std::pair<std::string, std::string>>& env, const std::vector<Word>& program,
                         const std::vector<Word>& args) {
  std::string out;
  const auto add = [&](const std::string& word) { out += (out.empty() ? "" : " ") + word; };
  for (const auto& [name, value] : env) add(name + "=" + shell_quoted(value));
  for (const Word& word : program) add(shell_quoted(word.text));
  for (const Word& word : args) add(shell_quoted(word.text));
  return out;
}

}  // namespace

ExitStatus migrate_command(const MigrateOptions& options, Streams io) {
  const Pack& pack = Pack::embedded();
  const auto to = version_of(pack, options.to);
  if (!to) return report_error(to.error(), io);
  std::optional<std::uint32_t> from;
  if (options.from) {
    const auto known = version_of(pack, options.from);
    if (!known) return report_error(known.error(), io);
    from = *known;
  }
  auto launch = read_command(pack, options.command);
  if (!launch) return report_error(launch.error(), io);
  const auto edits = migrate(pack, launch->args, from, *to);
  const std::vector<Word> words = edited(launch->args, edits);
  Arena arena;
  const Parsed parsed = parse(pack, *to, words, arena);
  const ExitStatus status = parsed.ok() ? ExitStatus::kGo : ExitStatus::kNoGo;
  if (options.format == "json") {
    JsonWriter json;
    json.open('{');
    json.text("version", pack.version(*to));
    json.open("edits", '[');
    for (const WordEdit& edit : edits) {
      json.open('{');
      json.number("word", edit.word);
      json.text("old", edit.old_text);
      if (edit.text) json.text("new", *edit.text);
      if (!edit.why.empty()) json.text("why", edit.why);
      json.close('}');
    }
    json.close(']');
    json.open("args", '[');
    for (const Word& word : words) json.item(word.text);
    json.close(']');
    json.open("refusals", '[');
    for (const UsageFinding& refusal : parsed.refusals) json.item(refusal.message);
    json.close(']');
    json.close('}');
    io.out << json.take() << '\n';
    return status;
  }
  for (const WordEdit& edit : edits) {
    io.out << "  " << edit.old_text << (edit.text ? " -> " + *edit.text : std::string(" goes"))
           << (edit.why.empty() ? "" : "   " + edit.why) << '\n';
  }
  if (edits.empty()) io.out << "nothing to change for " << runtime_name(pack, *to) << '\n';
  for (const UsageFinding& refusal : parsed.refusals) {
    io.out << "still refused: " << refusal.message << (refusal.hint.empty() ? "" : " (" + refusal.hint + ")") << '\n';
  }
  if (!edits.empty()) io.out << '\n' << command_text(launch->env, launch->program, words) << '\n';
  return status;
}

}  // namespace gonogo
