#include "shell/trace.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "shell/parser.h"
#include "shell/tracer.h"

namespace gonogo {

namespace {

// Paths over which one script is followed. More would take longer than anybody waits.
constexpr std::size_t kMaxPaths = 2048;

// Paths on which nothing new is found before the rest is given up: every condition has been turned by then, each alone.
constexpr std::size_t kPatience = 512;

// The same where only alternatives are missing that won't be listed anyway.
constexpr std::size_t kShortPatience = 128;

// The length of a `<placeholder>` at `at`, or 0. A redirection has a blank, a digit or a & around its signs.
std::size_t placeholder(const std::string& chars, std::size_t at) {
  if (chars[at] != '<' || at + 2 >= chars.size()) return 0;
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
           (c & 0x80) != 0;
  };
  if (!letter(chars[at + 1])) return 0;
  const std::size_t end = chars.find_first_of("<>\n`;|&", at + 1);
  if (end == std::string::npos || chars[end] != '>') return 0;
  const char last = chars[end - 1];
  const char next = end + 1 < chars.size() ? chars[end + 1] : '\n';
  if (last == ' ' || next == '&' || next == '>') return 0;
  if (end >= at + 3 && last >= '0' && last <= '9' && chars[end - 2] == ' ' && next == ' ') return 0;  // <in 2> out
  return end + 1 - at;
}

Text with_placeholders(const Text& script) {
  const std::string& chars = script.chars();
  Text out;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < chars.size();) {
    std::size_t length = placeholder(chars, at);
    if (length == 0 && chars.compare(at, 3, "...") == 0) {
      const auto blank = [&](std::size_t i) {
        return i >= chars.size() || chars[i] == ' ' || chars[i] == '\t' || chars[i] == '\n';
      };
      if ((at == 0 || blank(at - 1)) && blank(at + 3)) length = 3;
    }
    if (length == 0) {
      ++at;
      continue;
    }
    out.append(script.slice(begin, at));
    const std::string shown = script.slice(at, at + length).shown();
    out.append(Unknown{Unknown::Kind::kVariable, shown, {shown}}, script.origin(at));
    begin = at += length;
  }
  out.append(script.slice(begin, chars.size()));
  return out;
}

}  // namespace

Tracer::Tracer(const Pack& pack, Sources& sources, const ShellInput& input, const ShellLimits& limits)
    : pack_(pack), sources_(sources), input_(input), limits_(limits) {
  for (const StrId id : pack.slice(pack.about->entry_points)) {
    EntryPoint entry = parse_entry_point(pack.text(id));
    std::string name = entry_name(entry);
    if (!entry.call) entries_.push_back({std::move(name), std::move(entry)});
  }
  for (std::uint32_t i = 0; i < pack.peers.size(); ++i) {
    for (const StrId id : pack.slice(pack.peers[i].companion)) {
      EntryPoint entry = parse_entry_point(pack.text(id));
      std::string name = entry_name(entry);
      entries_.push_back({std::move(name), std::move(entry), i});
    }
  }
}

void Tracer::follow_path() {
  state_ = {};
  facts_ = input_.facts;
  through_ = input_.at;
  path_steps_ = 0;
  depth_ = 0;
  break_ = loops_ = 0;
  return_ = exit_ = end_ = muted_ = false;
  output_ = nullptr;
  input_text_.reset();
  for (const GivenVariable& given : input_.variables) {
    Variable& var = state_.variables[given.name];
    var.value = given.value;
    var.set = true;
    var.exported = given.exported;
    var.given = given.set;
  }
  if (input_.arguments.has_value()) {
    state_.arguments = *input_.arguments;
  } else {
    state_.arguments.push_back(all_arguments({}));
  }
}

ShellTrace Tracer::run() {
  ShellTrace out;
  ParsedScript parsed;
  if (input_.words.empty()) {
    Text script = without_carriage_returns(input_.script);
    if (script.size() > limits_.bytes) {
      out.notes.push_back("the script is larger than " + std::to_string(limits_.bytes >> 20) + " MiB and is not read");
      return out;
    }
    if (input_.placeholders) script = with_placeholders(script);
    parsed = parse_script(std::make_shared<const Text>(std::move(script)));
    if (parsed.fault.has_value()) {
      const Text& text = *parsed.root->script;
      const Place where = sources_.place(text.origin(std::min(parsed.fault->at, text.empty() ? 0 : text.size() - 1)));
      note(where.file + ":" + std::to_string(where.line) + ":" + std::to_string(where.column) + ": " +
           parsed.fault->what + "; what follows is not read");
    }
  }
  if (parsed.root != nullptr) relevance_ = Relevance(*parsed.root);
  // How many alternatives each command has, and the first of them.
  using CommandKey = std::tuple<std::string, int, std::uint32_t>;
  const auto command_of = [](const FoundLaunch& launch) {
    return CommandKey(launch.place.file, launch.place.line, launch.companion);
  };
  std::map<CommandKey, std::pair<std::size_t, std::size_t>> alternatives;
  std::size_t counted = 0;
  std::size_t wanting = 0;  // commands of which more alternatives would be listed
  std::size_t idle = 0;
  std::size_t patience = kPatience;
  const auto follow_all = [&] {
    while (steps_ < limits_.steps && idle < patience && paths_.next(kMaxPaths)) {
      follow_path();
      if (input_.words.empty()) {
        if (has_job_directives(parsed.root->script->chars()))
          read_job_directives(parsed.root->script->chars(), &facts_);
        execute(parsed.root);
      } else {
        Launcher launcher;
        launcher.words = input_.words;
        launcher.facts = facts_;
        launcher.place = input_.at.source == kNowhere ? input_.words[0].origin(0) : input_.at;
        start(std::move(launcher));
      }
      steps_ += path_steps_;
      const bool found = counted < launches_.size();
      idle = found && wanting > 0 ? 0 : idle + 1;
      for (; counted < launches_.size(); ++counted) {
        const auto [entry, fresh] = alternatives.try_emplace(command_of(launches_[counted]), 0, counted);
        if (fresh) {
          ++wanting;
          idle = 0;
        }
        if (++entry->second.first == limits_.alternatives + 1) --wanting;
      }
      patience = !launches_.empty() && wanting == 0 ? kShortPatience : kPatience;
    }
    return paths_.truncated() || steps_ >= limits_.steps || (idle >= patience && paths_.pending());
  };
  bool cut = follow_all();
  // A script that wants a dozen variables ends at each of its checks with nothing set: once more, with all of them
  // given.
  const bool none = std::all_of(launches_.begin(), launches_.end(),
                                [](const FoundLaunch& launch) { return launch.companion != kNoIndex; });
  if (cut && none) {
    given_ = true;
    paths_ = Paths();
    steps_ = idle = 0;
    cut = follow_all();
  }
  if (cut)
    note(
        "there are more ways through the script than can be followed; those that differ most from the default are left "
        "out");

  // Of a command with too many alternatives, that which happens with nothing set; where none does, as where a script
  // wants a variable, the one found first, which differs least from it.
  std::set<CommandKey> defaults;
  for (const std::size_t i : by_default_) defaults.insert(command_of(launches_[i]));
  for (std::size_t i = 0; i < launches_.size(); ++i) {
    FoundLaunch& launch = launches_[i];
    const bool is_default = by_default_.count(i) > 0;
    const CommandKey command = command_of(launch);
    const auto& [count, first] = alternatives.at(command);
    const bool many = count > limits_.alternatives;
    if (many && !is_default && (i != first || defaults.count(command) > 0)) continue;
    launch.conditional = paths_.condition(i);
    launch.by_default = is_default && launch.conditional.has_value();
    if (many && launch.conditional.has_value()) {
      launch.notes.push_back("more than " + std::to_string(limits_.alternatives) +
                             " alternatives of this command: only the one " +
                             (is_default ? "with nothing set" : "nearest to nothing set") + " is listed");
    }
    settle(pack_, &launch);
    out.launches.push_back(std::move(launch));
  }
  out.not_launches = std::move(not_launches_);
  out.notes.insert(out.notes.end(), notes_.begin(), notes_.end());
  return out;
}

ShellTrace trace(const Pack& pack, Sources& sources, const ShellInput& input, const ShellLimits& limits) {
  return Tracer(pack, sources, input, limits).run();
}

}  // namespace gonogo
