#include "launch/found.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "launch/entry_point.h"
#include "rules/pack.h"

namespace gonogo {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The value of the last `--flag VALUE` or `--flag=VALUE`; null where there is none.
const FoundWord* last_value(const std::vector<FoundWord>& args, std::string_view flag, std::string* value) {
  const FoundWord* found = nullptr;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::string_view word = args[i].text;
    if (word == flag && i + 1 < args.size()) {
      found = &args[i + 1];
      *value = found->text;
    } else if (word.size() > flag.size() && word.substr(0, flag.size()) == flag && word[flag.size()] == '=') {
      found = &args[i];
      *value = word.substr(flag.size() + 1);
    }
  }
  return found;
}

void add_names(const std::vector<std::string>& names, std::vector<std::string>* out) {
  for (const std::string& name : names) {
    if (std::find(out->begin(), out->end(), name) == out->end()) out->push_back(name);
  }
}

}  // namespace

int last_line(const FoundLaunch& launch) {
  int out = launch.place.line;
  for (const FoundWord& word : launch.args) {
    if (word.place.file == launch.place.file) out = std::max(out, word.place.line);
  }
  return out;
}

void settle(const Pack& pack, FoundLaunch* launch) {
  launch->unknowns.clear();
  for (const FoundWord& word : launch->args) add_names(word.unknowns, &launch->unknowns);
  for (const FoundVariable& variable : launch->env) add_names(variable.value.unknowns, &launch->unknowns);
  launch->runtime_version = version_in_image(pack, launch->facts.image);

  std::string value;
  const std::string_view nodes = pack.text(pack.about->nodes_flag);
  if (!nodes.empty() && last_value(launch->args, nodes, &value) != nullptr) {
    int count = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), count);
    if (error == std::errc() && end == value.data() + value.size() && count > 0) launch->facts.nnodes = count;
  }
  launch->roles.clear();
  const auto roles = pack.slice(pack.about->roles);
  if (!roles.empty() && last_value(launch->args, pack.text(roles[0]), &value) != nullptr) {
    for (const StrId id : roles.subspan(1)) {
      if (pack.text(id) == value) launch->roles.push_back(value);
    }
  }
  add_names(launch->facts.roles, &launch->roles);
}

std::string version_in_image(const Pack& pack, std::string_view image) {
  std::string_view rest = base_name(image);
  const std::string_view name = pack.text(pack.about->name);
  if (rest.find('@') != std::string_view::npos || rest.substr(0, name.size()) != name) return {};
  rest.remove_prefix(name.size());
  if (rest.empty() || rest[0] != ':') return {};
  rest.remove_prefix(1);
  if (!rest.empty() && rest[0] == 'v') rest.remove_prefix(1);
  std::size_t end = 0;
  for (int part = 0; part < 3; ++part) {
    const std::size_t begin = end;
    while (end < rest.size() && is_digit(rest[end])) ++end;
    if (end == begin) return {};
    if (part == 2) break;
    if (end == rest.size() || rest[end] != '.') return {};
    ++end;
  }
  for (const std::string_view suffix : {".post", "rc", ".dev"}) {
    if (rest.substr(end, suffix.size()) != suffix) continue;
    std::size_t digits = end + suffix.size();
    while (digits < rest.size() && is_digit(rest[digits])) ++digits;
    if (digits > end + suffix.size()) end = digits;
    break;
  }
  return end == rest.size() || rest[end] == '-' ? std::string(rest.substr(0, end)) : std::string();
}

}  // namespace gonogo
