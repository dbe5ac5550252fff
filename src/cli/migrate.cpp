// `gonogo migrate`: the words of launches as another version's parser reads them, on the command line or in files.
#include <algorithm>
#include <map>
#include <ostream>

#include "base/text.h"
#include "carriers/file_list.h"
#include "carriers/launch_finder.h"
#include "carriers/secret_mask.h"
#include "cli/commands.h"
#include "cli/write_file.h"
#include "flags/argparse.h"
#include "flags/migration.h"
#include "flags/unknown_flag.h"
#include "launch/edit.h"
#include "report/json_writer.h"
#include "report/report.h"

namespace gonogo {

namespace {

// What becomes of one file.
struct FileMigration {
  std::string name;
  std::string before;
  std::string after;
  std::vector<std::pair<TextEdit, std::string>> edits;  // and why
  std::vector<std::string> by_hand;                     // what can't be edited where it stands
  std::vector<std::string> refusals;                    // what the version refuses afterwards
  std::size_t launches = 0;
};

std::string at(const Place& place) { return place.file + ":" + std::to_string(place.line); }

class FileMigrator {
 public:
  FileMigrator(const Pack& pack, std::optional<std::uint32_t> from, std::uint32_t to, FinderOptions finder)
      : pack_(pack), from_(from), to_(to), finder_(std::move(finder)) {}

  Result<FileMigration> run(const std::string& name, std::string text) const {
    auto found = find_launches(pack_, name, text, finder_);
    if (!found) return found.error();
    FileMigration out;
    out.name = name;
    out.before = std::move(text);
    out.launches = found->launches.size();
    std::vector<std::vector<Word>> wanted;
    for (const FoundLaunch& launch : found->launches) {
      const std::vector<Word> words(launch.args.begin(), launch.args.end());
      const auto edits = migrate(pack_, words, written_for(launch), to_);
      wanted.push_back(rewritten(words, edits));
      collect(launch, edits, &out);
      refuse(launch, wanted.back(), &out);
    }
    if (!out.by_hand.empty()) {
      // Half of a change would be worse than none.
      out.edits.clear();
    }
    std::vector<TextEdit> edits;
    for (const auto& [edit, why] : out.edits) edits.push_back(edit);
    auto after = apply_edits(out.before, edits);
    if (!after) return after.error();
    out.after = std::move(*after);
    if (out.by_hand.empty() && !holds(out, wanted)) {
      return Error{Error::Kind::kInput,
                   "the file would not launch the same after the change",
                   {name, 0, 0},
                   "change it by hand",
                   ""};
    }
    return out;
  }

 private:
  std::optional<std::uint32_t> written_for(const FoundLaunch& launch) const {
    if (from_) return from_;
    const std::uint32_t named = pack_.version_index(launch.runtime_version);
    return named == kNoIndex ? std::nullopt : std::optional<std::uint32_t>(named);
  }

  // A word that several launches share is edited once.
  void collect(const FoundLaunch& launch, const std::vector<WordRewrite>& edits, FileMigration* out) const {
    for (const WordRewrite& edit : edits) {
      const FoundWord& word = launch.args[edit.word];
      const std::string to = edit.text ? "write " + *edit.text : std::string("leave it out");
      std::optional<TextEdit> change;
      if (word.place.file == out->name) {
        if (word.literal) change = TextEdit{word.place, edit.old_text, edit.text};
        if (!word.literal) change = key_change(out->before, word.place, edit);
      }
      if (!change) {
        const std::string hand = at(word.place) + ": " + edit.old_text + " is put together elsewhere; " + to;
        if (std::find(out->by_hand.begin(), out->by_hand.end(), hand) == out->by_hand.end()) {
          out->by_hand.push_back(hand);
        }
        continue;
      }
      const bool known = std::any_of(out->edits.begin(), out->edits.end(), [&](const auto& other) {
        return other.first.place.line == word.place.line && other.first.place.column == word.place.column;
      });
      if (!known) out->edits.push_back({std::move(*change), edit.why});
    }
  }

  // A flag that is written as the key of a mapping, without its dashes or with underscores, and gets another name.
  static std::optional<TextEdit> key_change(const std::string& text, const Place& place, const WordRewrite& edit) {
    if (!edit.text || !edit.old_text.starts_with("--") || edit.text->find('=') != std::string::npos)
      return std::nullopt;
    std::string old_key = edit.old_text.substr(2);
    std::string new_key = edit.text->substr(2);
    for (const bool underscores : {false, true}) {
      if (underscores) {
        std::replace(old_key.begin(), old_key.end(), '-', '_');
        std::replace(new_key.begin(), new_key.end(), '-', '_');
      }
      if (stands_at(text, place, old_key)) return TextEdit{place, old_key, new_key};
    }
    return std::nullopt;
  }

  void refuse(const FoundLaunch& launch, const std::vector<Word>& words, FileMigration* out) const {
    Arena arena;
    for (const UsageFinding& refusal : parse(pack_, to_, words, arena).refusals) {
      // A word that is not known is not refused.
      const bool open = refusal.word < words.size() && words[refusal.word].text.find('$') != std::string::npos;
      if (open && !launch.unknowns.empty()) continue;
      const std::string text = at(refusal.place.line > 0 ? refusal.place : launch.place) + ": " + refusal.message;
      if (std::find(out->refusals.begin(), out->refusals.end(), text) == out->refusals.end()) {
        out->refusals.push_back(text);
      }
    }
  }

  // Whether the file, read again, launches what was meant.
  bool holds(const FileMigration& file, const std::vector<std::vector<Word>>& wanted) const {
    const auto found = find_launches(pack_, file.name, file.after, finder_);
    if (!found || found->launches.size() != wanted.size()) return false;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const auto same = [](const Word& a, const Word& b) { return a.text == b.text; };
      const auto& args = found->launches[i].args;
      if (!std::equal(args.begin(), args.end(), wanted[i].begin(), wanted[i].end(), same)) return false;
    }
    return true;
  }

  const Pack& pack_;
  std::optional<std::uint32_t> from_;
  std::uint32_t to_;
  FinderOptions finder_;
};

void open_edit(JsonWriter& json, std::string_view old_text, const std::optional<std::string>& text,
               const std::string& why) {
  json.open('{');
  json.text("old", old_text);
  if (text) {
    json.text("new", *text);
  } else {
    json.null("new");
  }
  if (!why.empty()) json.text("why", why);
}

void write_json(const FileMigration& file, bool written, JsonWriter& json) {
  json.open('{');
  json.text("file", file.name);
  json.number("launches", static_cast<std::int64_t>(file.launches));
  json.open("edits", '[');
  for (const auto& [edit, why] : file.edits) {
    open_edit(json, edit.old_text, edit.text, why);
    json.number("line", edit.place.line);
    json.number("column", edit.place.column);
    json.close('}');
  }
  json.close(']');
  json.list("by_hand", file.by_hand);
  json.list("refusals", file.refusals);
  json.boolean("written", written);
  json.close('}');
}

ExitStatus migrate_files(const MigrateOptions& options, std::optional<std::uint32_t> from, std::uint32_t to,
                         Streams io) {
  const Pack& pack = Pack::embedded();
  auto known = read_known(options.files.known);
  if (!known) return report_error(known.error(), io);
  auto files = list_files(pack, options.files.files, io.in);
  if (!files) return report_error(files.error(), io);
  const FileMigrator migrator(pack, from, to, {std::move(*known)});
  ExitStatus status = ExitStatus::kGo;
  std::size_t launches = 0;
  std::size_t changed = 0;
  JsonWriter json;
  json.open('{');
  json.text("version", pack.version(to));
  json.open("files", '[');
  for (const ListedFile& file : *files) {
    auto text = file.text ? Result<std::string>(*file.text) : read_file(file.name, kMaxLaunchFile);
    if (!text) {
      if (file.named) status = report_error(text.error(), io);
      continue;
    }
    if (!file.named && !mentions_runtime(pack, *text)) continue;
    auto done = migrator.run(file.name, std::move(*text));
    if (!done) {
      status = report_error(done.error(), io);
      continue;
    }
    launches += done->launches;
    const bool writes = options.write && !file.text && done->before != done->after;
    if (writes) {
      if (const auto error = write_file(file.name, done->after)) {
        status = report_error(*error, io);
        continue;
      }
    }
    changed += done->before == done->after ? 0 : 1;
    if (status == ExitStatus::kGo && !(done->refusals.empty() && done->by_hand.empty())) status = ExitStatus::kNoGo;
    if (done->launches > 0) write_json(*done, writes, json);
    if (options.format == "json") continue;
    io.out << unified_diff(done->name, mask_lines(pack, done->before), mask_lines(pack, done->after));
    for (const std::string& hand : done->by_hand) io.out << "by hand: " << mask_value(pack, hand) << '\n';
    for (const std::string& refusal : done->refusals) {
      io.out << "still refused: " << mask_value(pack, refusal) << '\n';
    }
  }
  json.close(']');
  json.close('}');
  if (options.format == "json") {
    io.out << json.take() << '\n';
  } else {
    io.out << launches << (launches == 1 ? " launch" : " launches") << " for " << runtime_name(pack, to) << ": "
           << changed << (changed == 1 ? " file" : " files") << (options.write ? " changed\n" : " to change\n");
  }
  return status;
}

ExitStatus migrate_words(const MigrateOptions& options, std::optional<std::uint32_t> from, std::uint32_t to,
                         Streams io) {
  const Pack& pack = Pack::embedded();
  auto launch = read_command(pack, options.command);
  if (!launch) return report_error(launch.error(), io);
  const auto edits = migrate(pack, launch->args, from, to);
  const std::vector<Word> words = rewritten(launch->args, edits);
  Arena arena;
  const Parsed parsed = parse(pack, to, words, arena);
  if (options.format == "json") {
    std::vector<std::string> texts;
    for (const Word& word : words) texts.push_back(word.text);
    JsonWriter json;
    json.open('{');
    json.text("version", pack.version(to));
    json.open("edits", '[');
    for (const WordRewrite& edit : edits) {
      open_edit(json, edit.old_text, edit.text, edit.why);
      json.number("word", edit.word);
      json.close('}');
    }
    json.close(']');
    json.list("args", masked_words(pack, texts));
    json.open("refusals", '[');
    for (const UsageFinding& refusal : parsed.refusals) json.item(refusal.message);
    json.close(']');
    json.close('}');
    io.out << json.take() << '\n';
  } else {
    for (const WordRewrite& edit : edits) {
      io.out << "  " << edit.old_text << (edit.text ? " -> " + *edit.text : std::string(" goes"))
             << (edit.why.empty() ? "" : "   " + edit.why) << '\n';
    }
    if (edits.empty()) io.out << "nothing to change for " << runtime_name(pack, to) << '\n';
    for (const UsageFinding& refusal : parsed.refusals) {
      io.out << "still refused: " << refusal.message << (refusal.hint.empty() ? "" : " (" + refusal.hint + ")") << '\n';
    }
    if (!edits.empty()) {
      std::string line;
      const auto add = [&](const std::string& word) { line += (line.empty() ? "" : " ") + word; };
      for (const auto& [name, value] : launch->env) add(name + "=" + shell_quoted(value));
      for (const Word& word : launch->program) add(shell_quoted(word.text));
      for (const Word& word : words) add(shell_quoted(word.text));
      io.out << '\n' << mask_lines(pack, line) << '\n';
    }
  }
  return parsed.ok() ? ExitStatus::kGo : ExitStatus::kNoGo;
}

}  // namespace

ExitStatus migrate_command(const MigrateOptions& options, Streams io) {
  const Pack& pack = Pack::embedded();
  std::optional<std::uint32_t> from;
  const auto to = runtime_version({options.to, {}, nullptr}, pack);
  if (!to) return report_error(to.error(), io);
  if (options.from) {
    const auto known = runtime_version({options.from, {}, nullptr}, pack);
    if (!known) return report_error(known.error(), io);
    from = known->index;
  }
  return options.command.empty() ? migrate_files(options, from, to->index, io)
                                 : migrate_words(options, from, to->index, io);
}

}  // namespace gonogo
