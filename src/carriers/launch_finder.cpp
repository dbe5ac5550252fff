#include "carriers/launch_finder.h"

#include <algorithm>
#include <cctype>
#include <tuple>

#include "base/text.h"
#include "carriers/file_reader.h"
#include "launch/entry_point.h"
#include "shell/trace.h"

namespace gonogo {

namespace {

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string(".") : path.substr(0, std::max<std::size_t>(slash, 1));
}

// Takes the CR from every line that ends in CR LF; whether there was one. Places stay as they are.
bool drop_carriage_returns(std::string& text) {
  if (text.find("\r\n") == std::string::npos) return false;
  std::size_t to = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n') continue;
    text[to++] = text[at];
  }
  text.resize(to);
  return true;
}

std::optional<std::string> from_disk(const std::string& path) {
  auto read = read_file(path, kMaxLaunchFile);
  return read ? std::optional<std::string>(std::move(*read)) : std::nullopt;
}

class Finder {
 public:
  Finder(const Pack& pack, const std::string& name, const FinderOptions& options, Sources& sources)
      : pack_(pack), name_(name), folder_(folder_of(name)), options_(options), sources_(sources) {}

  Result<FileLaunches> find(std::string text) {
    FileLaunches out;
    out.crlf = drop_carriage_returns(text);
    source_ = sources_.add(name_, text);
    const std::string_view kept = sources_[source_].text;
    const ReadBeside beside = [&](std::string_view path) { return read_beside(path); };
    auto carried = read_carrier(pack_, name_, kept, beside);
    if (!carried) return carried.error();
    carried_ = &*carried;
    out.form = carried->form;
    out.templated = carried->templated;
    for (const CarriedCommand& command : carried->commands) {
      if (command.kind == CarriedCommand::Kind::kArguments) {
        add(arguments(command), command.unit, out);
      } else if (command.placeholders && !may_launch(command.script.text())) {
        // A fence of documentation that holds output, or another program's commands: nothing to say of it.
      } else {
        follow(command, out);
      }
    }
    if (out.launches.empty() && out.not_launches.empty()) note_unread(kept, out);
    for (std::string& note : out.notes) {
      if (note.rfind(name_ + ":", 0) != 0) note = name_ + ": " + note;
    }
    for (auto& [path, kept_text] : carried_files_) {
      if (kept_text) out.sources.push_back({path, std::move(*kept_text)});
    }
    for (std::size_t i = 0; i < sources_.size(); ++i) out.sources.push_back(sources_[static_cast<std::uint32_t>(i)]);
    return out;
  }

 private:
  // A file beside this one: a relative path that does not leave by an absolute way.
  std::optional<std::string> read_beside(std::string_view path) const {
    if (path.empty() || path[0] == '/' || path.find('\0') != std::string_view::npos) return std::nullopt;
    const std::string full = folder_ + "/" + std::string(path);
    std::optional<std::string> out = options_.beside ? options_.beside(full) : from_disk(full);
    if (out) drop_carriage_returns(*out);
    return out;
  }

  // A file of a form that is read in part, or not at all, may launch what was not found: that is said, not passed over.
  void note_unread(std::string_view text, FileLaunches& out) const {
    const bool whole = out.form != "other" && out.form != "yaml" && out.form != "ray-serve" && out.form != "notebook";
    if (whole || out.templated) return;
    std::string called;
    const std::size_t at = named_entry(text, &called);
    if (at == std::string_view::npos) return;
    // Python speaks of it in documentation and messages, too; a string of its own is a word of a command.
    const bool alone = at > 0 && (text[at - 1] == '"' || text[at - 1] == '\'') &&
                       text.substr(at + called.size(), 1) == text.substr(at - 1, 1);
    if (out.form == "ray-serve" && !alone) return;
    const Place place = sources_.place(origin(at));
    out.notes.push_back(place.file + ":" + std::to_string(place.line) + ": " + called +
                        " stands here in a form that is not read; give the command itself after `--`");
  }

  // Where a text names an entry point outside of a comment; npos where it doesn't.
  std::size_t named_entry(std::string_view text, std::string* called = nullptr) const {
    for (const StrId id : pack_.slice(pack_.about->entry_points)) {
      const EntryPoint entry = parse_entry_point(pack_.text(id));
      if (entry.call) continue;
      const std::string name = entry_name(entry);
      for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const std::size_t begin = text.find_first_not_of(" \t", text.rfind('\n', at) + 1);
        if (text[begin] == '#' || text.substr(begin, 2) == "//") {
          at = std::min(text.find('\n', at), text.size());
          continue;
        }
        if (called != nullptr) *called = name;
        return at;
      }
    }
    return std::string_view::npos;
  }

  bool may_launch(const std::string& fence) const {
    return mentions_runtime(pack_, fence) || fence.find("source ") != std::string::npos ||
           fence.find("\n. ") != std::string::npos || fence.rfind(". ", 0) == 0;
  }

  // The tracer's text: places become origins, marks unknowns.
  Text traced(const MappedText& text) const {
    Text out;
    const std::string& t = text.text();
    std::vector<std::string> names;
    std::size_t from = 0;
    for (std::size_t at = 0; at <= t.size();) {
      const bool end = at == t.size();
      const bool mark = !end && t[at] == '\xF4' && carried_->marks.any(std::string_view(t).substr(at, 4));
      // A run ends at a mark and where the file's bytes are not one behind the other.
      const bool jump = !end && at > from && text.offset(at) != text.offset(at - 1) + 1;
      if (!end && !mark && !jump) {
        ++at;
        continue;
      }
      if (at > from) put(text, from, at, out);
      from = at;
      if (mark) {
        names.clear();
        const std::string shown = carried_->marks.restore(std::string_view(t).substr(at, 4), &names);
        unknown(shown, names, origin(text.offset(at)), out);
        at += 4;
        from = at;
      } else if (end) {
        break;
      } else {
        ++at;
      }
    }
    return out;
  }

  void put(const MappedText& text, std::size_t from, std::size_t to, Text& out) const {
    const std::string_view part = std::string_view(text.text()).substr(from, to - from);
    const std::size_t offset = text.offset(from);
    const std::string_view file = sources_[source_].text;
    // An escape stands for another byte than that of the file in its place; what is around it stays literal.
    const auto same = [&](std::size_t i) { return offset + i < file.size() && file[offset + i] == part[i]; };
    for (std::size_t at = 0; at < part.size();) {
      const bool literal = same(at);
      std::size_t end = at + 1;
      while (end < part.size() && same(end) == literal) ++end;
      if (literal) {
        out.append(part.substr(at, end - at), origin(offset + at));
      } else {
        out.append_fixed(part.substr(at, end - at), origin(offset + at));
      }
      at = end;
    }
  }

  void unknown(const std::string& shown, const std::vector<std::string>& names, TextOrigin at, Text& out) const {
    if (names.size() == 1) {
      for (const auto& [name, value] : options_.known) {
        if (name == names[0]) {
          out.append_fixed(value, at);
          return;
        }
      }
    }
    Unknown what;
    what.kind = shown.rfind("${", 0) == 0 ? Unknown::Kind::kVariable : Unknown::Kind::kResult;
    what.shown = shown;
    what.names = names;
    out.append(std::move(what), at);
  }

  TextOrigin origin(std::size_t offset) const { return {source_, static_cast<std::uint32_t>(offset)}; }

  Text traced(const std::string& text, std::size_t offset) const {
    MappedText mapped;
    mapped.append_at(text, offset);
    return traced(mapped);
  }

  void follow(const CarriedCommand& command, FileLaunches& out) {
    ShellInput input;
    if (command.kind == CarriedCommand::Kind::kWords) {
      if (auto launch = direct(command)) {
        if (command.files) carry(*launch, *command.files);
        add(std::move(*launch), command.unit, out);
        return;
      }
    }
    if (command.kind == CarriedCommand::Kind::kScript) {
      input.script = traced(command.script);
    } else {
      for (const MappedText& word : command.words) input.words.push_back(traced(word));
      if (input.words.empty()) return;
      input.at = origin(command.offset);
    }
    for (const auto& [name, value] : command.env) {
      GivenVariable variable;
      variable.name = name;
      variable.value = traced(value, command.offset);
      variable.exported = true;
      input.variables.push_back(std::move(variable));
    }
    input.placeholders = command.placeholders;
    input.facts = command.facts;
    input.known = options_.known;
    input.files = [&](const FileRequest& request, Sources& sources) { return file(command, request, sources); };
    ShellTrace found = trace(pack_, sources_, input);
    for (FoundLaunch& launch : found.launches) {
      if (command.files) carry(launch, *command.files);
      if (!command.conditional.empty() && !launch.conditional) launch.conditional = command.conditional;
      add(std::move(launch), command.unit, out);
    }
    out.not_launches.insert(out.not_launches.end(), found.not_launches.begin(), found.not_launches.end());
    // What can't be read to its end, launches nothing and names nothing that would: output in a fence, another script.
    if (!found.launches.empty() || command.script.empty() || named_entry(command.script.text()) != std::string::npos)
      out.notes.insert(out.notes.end(), found.notes.begin(), found.notes.end());
  }

  // A launch whose words start the runtime themselves, as most manifests have it: there is nothing to follow.
  std::optional<FoundLaunch> direct(const CarriedCommand& command) const {
    std::vector<std::string> words;
    for (const MappedText& word : command.words) words.push_back(word.text());
    for (const StrId id : pack_.slice(pack_.about->entry_points)) {
      const EntryPoint entry = parse_entry_point(pack_.text(id));
      const std::size_t count = entry.call ? 0 : match(entry, words, 0);
      if (count == 0) continue;
      const auto asks_for_help = [](const std::string& word) { return word == "--help" || word == "-h"; };
      if (std::any_of(words.begin() + static_cast<std::ptrdiff_t>(count), words.end(), asks_for_help))
        return std::nullopt;
      CarriedCommand rest = command;
      rest.entry = entry_name(entry);
      rest.words.erase(rest.words.begin(), rest.words.begin() + static_cast<std::ptrdiff_t>(count));
      FoundLaunch launch = arguments(rest);
      for (std::size_t i = 0; i < count; ++i) launch.program.push_back(word_of(traced(command.words[i])));
      return launch;
    }
    return std::nullopt;
  }

  std::optional<Text> file(const CarriedCommand& command, const FileRequest& request, Sources& sources) const {
    if (command.files) {
      const auto it = command.files->find(request.path);
      if (it != command.files->end()) return traced(it->second);
    }
    // A script that this one calls is a file of its own; only a carrier's own scripts are followed.
    if (request.kind == FileRequest::Kind::kScript) return std::nullopt;
    const auto text = read_beside(request.path);
    if (!text) return std::nullopt;
    const std::string name = folder_ == "." ? request.path : folder_ + "/" + request.path;
    const std::uint32_t source = sources.add(name, *text);
    return Text(*text, TextOrigin{source, 0});
  }

  // Keeps the text of a carried file that an argument names. Where two containers see different ones under one path,
  // neither is kept: a path alone does not tell them apart.
  void carry(const FoundLaunch& launch, const CarriedFiles& files) {
    for (const FoundWord& word : launch.args) {
      const auto it = files.find(word.text);
      if (it == files.end()) continue;
      const auto [kept, fresh] = carried_files_.emplace(word.text, it->second.text());
      if (!fresh && kept->second != it->second.text()) kept->second.reset();
    }
  }

  // A launch whose arguments the form gives directly.
  FoundLaunch arguments(const CarriedCommand& command) const {
    FoundLaunch launch;
    launch.entry = command.entry.empty() ? first_entry() : command.entry;
    launch.place = sources_.place(origin(command.offset));
    launch.facts = command.facts;
    for (const MappedText& word : command.words) launch.args.push_back(word_of(traced(word)));
    EnvList env = command.env;
    std::sort(env.begin(), env.end());
    for (const auto& [name, value] : env) {
      if (name == "PATH" || name == "PWD" || name == "_") continue;  // every process has its own
      launch.env.push_back({name, word_of(traced(value, command.offset))});
    }
    launch.by_default = true;
    settle(pack_, &launch);
    return launch;
  }

  std::string first_entry() const {
    const auto entries = pack_.slice(pack_.about->entry_points);
    if (entries.empty()) return {};
    const EntryPoint entry = parse_entry_point(pack_.text(entries[0]));
    return entry.command.empty() ? std::string() : std::string(entry.command.back());
  }

  FoundWord word_of(const Text& text) const {
    FoundWord out;
    out.text = text.shown();
    out.place = sources_.place(text.origin(0));
    out.literal = text.literal();
    out.defaulted = text.defaulted;
    for (const auto& entry : text.unknowns()) {
      for (const std::string& name : entry.second.names) {
        if (std::find(out.unknowns.begin(), out.unknowns.end(), name) == out.unknowns.end())
          out.unknowns.push_back(name);
      }
    }
    return out;
  }

  static bool same(const FoundLaunch& a, const FoundLaunch& b) {
    const auto equal_words = [](const FoundWord& x, const FoundWord& y) { return x.text == y.text; };
    const auto equal_env = [](const FoundVariable& x, const FoundVariable& y) {
      return x.name == y.name && x.value.text == y.value.text;
    };
    return a.entry == b.entry && a.place.line == b.place.line && a.place.file == b.place.file &&
           a.conditional == b.conditional && a.facts.image == b.facts.image && a.facts.nnodes == b.facts.nnodes &&
           std::equal(a.args.begin(), a.args.end(), b.args.begin(), b.args.end(), equal_words) &&
           std::equal(a.env.begin(), a.env.end(), b.env.begin(), b.env.end(), equal_env);
  }

  // Equal launches at one place are one, which may belong to several units.
  static void add(FoundLaunch launch, const std::string& unit, FileLaunches& out) {
    constexpr std::size_t kLook = 256;  // how far back an equal one is looked for
    std::vector<FoundLaunch>& all = launch.companion == kNoIndex ? out.launches : out.companions;
    const std::size_t from = all.size() > kLook ? all.size() - kLook : 0;
    for (std::size_t i = from; i < all.size(); ++i) {
      FoundLaunch& known = all[i];
      if (!same(known, launch)) continue;
      if (std::find(known.units.begin(), known.units.end(), unit) == known.units.end()) known.units.push_back(unit);
      return;
    }
    launch.units = {unit};
    all.push_back(std::move(launch));
  }

  const Pack& pack_;
  const std::string& name_;
  const std::string folder_;
  const FinderOptions& options_;
  Sources& sources_;
  std::uint32_t source_ = kNowhere;
  const Carried* carried_ = nullptr;
  std::map<std::string, std::optional<std::string>> carried_files_;  // by path
};

}  // namespace

Result<FileLaunches> find_launches(const Pack& pack, const std::string& name, const std::string& text,
                                   const FinderOptions& options) {
  if (text.size() > kMaxLaunchFile) {
    return Error{Error::Kind::kInput, "the file is larger than 4 MiB", {name, 0, 0}, "", ""};
  }
  Sources sources;
  return Finder(pack, name, options, sources).find(text);
}

bool mentions_runtime(const Pack& pack, std::string_view text) {
  const std::string_view name = pack.text(pack.about->name);
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  return std::search(text.begin(), text.end(), name.begin(), name.end(), same) != text.end();
}

}  // namespace gonogo
