#include "carriers/flag_file.h"

#include <algorithm>
#include <unordered_map>

#include "carriers/keyword_arguments.h"

namespace gonogo {

bool read_flag_file(const Pack& pack, const YamlTree& tree, Carried& out) {
  if (tree.documents().size() != 1 || !tree.documents()[0]->is_mapping()) return false;
  const YamlItem& root = *tree.documents()[0];
  std::unordered_map<std::string, bool> flags;  // name → must be given
  for (const FlagRec& flag : pack.flags) {
    for (const StrId id : pack.slice(flag.spellings)) {
      std::string name(pack.text(id));
      name.erase(0, std::min(name.find_first_not_of('-'), name.size()));
      std::replace(name.begin(), name.end(), '_', '-');
      bool& required = flags[name];
      required = required || flag.required != 0;
    }
  }
  bool required = false;
  CarriedCommand command;
  command.kind = CarriedCommand::Kind::kArguments;
  command.offset = root.entries.empty() ? 0 : root.entries[0].first->offset;
  for (const auto& [key, value] : root.entries) {
    std::string name = key->text;
    std::replace(name.begin(), name.end(), '_', '-');
    const auto it = flags.find(name);
    if (it == flags.end()) return false;
    required = required || it->second;
    for (MappedText& word : flag_words(tree, name, key->offset, *value)) command.words.push_back(std::move(word));
  }
  if (!required) return false;
  out.form = "config";
  out.commands.push_back(std::move(command));
  return true;
}

}  // namespace gonogo
