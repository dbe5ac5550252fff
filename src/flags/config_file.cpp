#include "flags/config_file.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/json.h"
#include "base/text.h"
#include "base/yaml.h"
#include "flags/yaml_value.h"
#include "launch/entry_point.h"

namespace gonogo {

namespace {

using Kind_ = UsageFinding::Kind;
using Outcome = Result<std::optional<UsageFinding>>;

std::string lowered(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

std::string folded(std::string_view text) {
  std::string out(text);
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

// Whether the file's reader can give this flag: one that stores, or that takes exactly one value.
bool can_be_given(const FlagRec& flag) {
  return flag.action == FlagAction::kStore || flag.action == FlagAction::kStoreTrue || flag.nargs == 0;
}

// What a key of the file means: it may be a field or any long spelling, with - or _.
struct Meaning {
  bool supported = false;
  bool unsupported = false;
  bool store_true = false;
};

std::map<std::string, Meaning> meanings_of(const Pack& pack, std::uint32_t version) {
  std::map<std::string, Meaning> meanings;
  const auto add = [&](const std::string& key, const FlagRec& flag) {
    Meaning& meaning = meanings[key];
    (can_be_given(flag) ? meaning.supported : meaning.unsupported) = true;
    meaning.store_true = meaning.store_true || flag.action == FlagAction::kStoreTrue;
  };
  for (const FlagRec& flag : pack.flags) {
    if ((flag.versions >> version & 1) == 0 || flag.action == FlagAction::kHelp) continue;
    const auto spellings = pack.slice(flag.spellings);
    if (pack.text(spellings[0]) == pack.text(pack.about->config_flag)) continue;
    if (flag.field != FlagRec::kNoField) add(std::string(pack.field_name(flag.field)), flag);
    for (const StrId id : spellings) {
      const std::string_view spelling = pack.text(id);
      if (spelling.substr(0, 2) == "--") add(folded(spelling.substr(2)), flag);
    }
  }
  return meanings;
}

class Merger {
 public:
  Merger(const Pack& pack, std::uint32_t version, Launch* launch) : pack_(pack), version_(version), launch_(launch) {}

  Outcome run() {
    const std::string flag(pack_.text(pack_.about->config_flag));
    std::vector<Word>& args = launch_->args;
    const auto is_flag = [&](const Word& word) { return word.text == flag; };
    const auto at = std::find_if(args.begin(), args.end(), is_flag);
    if (flag.empty() || at == args.end()) return nothing();
    const auto index = static_cast<std::uint32_t>(at - args.begin());
    if (const auto second = std::find_if(at + 1, args.end(), is_flag); second != args.end()) {
      return found(Kind_::kConfigFile, *second, static_cast<std::uint32_t>(second - args.begin()),
                   flag + " is given twice", "put everything into one file");
    }
    if (at + 1 == args.end()) return found(Kind_::kMissingValue, *at, index, flag + " needs a file", {});
    const Word file = *(at + 1);
    if (file.text.empty()) return nothing();
    const std::string ending = lowered(std::string(base_name(file.text)));
    const auto ends = [&](std::string_view end) {
      return ending.size() > end.size() && ending.compare(ending.size() - end.size(), end.size(), end) == 0;
    };
    if (!ends(".yaml") && !ends(".yml")) {
      return found(Kind_::kConfigFile, file, index + 1, flag + " takes a .yaml or .yml file, not " + quoted(file.text),
                   {});
    }
    auto carried = std::find_if(launch_->sources.begin(), launch_->sources.end(),
                                [&](const Source& s) { return s.name == file.text; });
    if (carried == launch_->sources.end()) {
      Result<std::string> text = read_file(file.text, kMaxConfigBytes);
      if (!text) {
        Error error = text.error();
        error.what = "the file of " + flag + " " + error.what;
        error.place.file = file.text;
        return error;
      }
      launch_->sources.push_back({file.text, std::move(*text)});
      carried = launch_->sources.end() - 1;
    }
    const Source& source = *carried;
    source_ = &source;
    const Result<std::vector<YamlNode>> documents = parse_yaml(source.text, source.name);
    if (!documents) return with_excerpt(documents.error());
    if (documents->size() > 1) return with_excerpt(input((*documents)[1], "a file of arguments holds one document"));
    file_ = file.text;
    if (!documents->empty()) {
      if (Outcome outcome = read((*documents)[0]); !outcome || outcome->has_value()) return outcome;
    }
    args.erase(args.begin() + index, args.begin() + index + 2);
    args.insert(args.begin(), std::make_move_iterator(words_.begin()), std::make_move_iterator(words_.end()));
    return nothing();
  }

 private:
  static Outcome nothing() { return std::optional<UsageFinding>(); }

  static Outcome found(Kind_ kind, const Word& word, std::uint32_t index, std::string message, std::string hint) {
    return std::optional(UsageFinding{kind, std::move(message), std::move(hint), index, word.place});
  }

  Outcome found_in_file(const YamlNode& node, std::string message, std::string hint) const {
    return std::optional(UsageFinding{Kind_::kConfigFile, std::move(message), std::move(hint), kNoIndex, place(node)});
  }

  Place place(const YamlNode& node) const { return {file_, node.line, node.column}; }

  Error input(const YamlNode& node, std::string what) const {
    return {Error::Kind::kInput, std::move(what), {source_->name, node.line, node.column}, {}, {}};
  }

  Error with_excerpt(Error error) const {
    if (error.excerpt.empty()) error.excerpt = excerpt(*launch_, error.place);
    return error;
  }

  Outcome read(const YamlNode& root) {
    if (root.type == YamlNode::Type::kNull) return nothing();
    if (!root.is_mapping()) return found_in_file(root, "the file must hold a mapping of flags to values", {});
    meanings_ = meanings_of(pack_, version_);
    for (const auto& [key, value] : root.entries) {
      const Value name = yaml_value(key, arena_);
      if (key.plain && key.scalar == "<<") return with_excerpt(input(key, "merge keys are not understood here"));
      if (!name.is_str()) {
        return found_in_file(
            key, "the key " + quoted(key.scalar) + " is read as " + std::string(type_name(name)) + ", not as a flag",
            "put it in quotes");
      }
      if (std::optional<UsageFinding> refused = add(key, value)) return refused;
    }
    return nothing();
  }

  std::optional<UsageFinding> add(const YamlNode& key, const YamlNode& node) {
    const auto known = meanings_.find(folded(key.scalar));
    const Meaning meaning = known == meanings_.end() ? Meaning() : known->second;
    if (meaning.unsupported && !meaning.supported) {
      return UsageFinding{Kind_::kConfigFile, quoted(key.scalar) + " can't be given in a file",
                          "give it on the command line", kNoIndex, place(key)};
    }
    const Value value = yaml_value(node, arena_);
    const auto word = [&](std::string text, const YamlNode& from) { words_.push_back({std::move(text), place(from)}); };
    const std::string flag = "--" + key.scalar;
    if (value.is(Kind::kBool)) {
      if (!meaning.store_true || value.as_bool()) word(flag, key);
      if (!meaning.store_true) word(value.as_bool() ? "true" : "false", node);
    } else if (value.is_sequence()) {
      if (value.size() > 0) word(flag, key);
      for (std::uint32_t i = 0; i < value.size(); ++i) word(to_str(value[i]), node.items[i]);
    } else {
      word(flag, key);
      // An empty value has no place of its own.
      word(value.is_dict() ? to_json(value) : to_str(value), node.line > 0 ? node : key);
    }
    return {};
  }

  const Pack& pack_;
  const std::uint32_t version_;
  Launch* launch_;
  Arena arena_;
  std::string file_;
  const Source* source_ = nullptr;  // the file's, once it is read
  std::map<std::string, Meaning> meanings_;
  std::vector<Word> words_;
};

}  // namespace

Result<std::optional<UsageFinding>> merge_config_file(const Pack& pack, std::uint32_t version, Launch* launch) {
  return Merger(pack, version, launch).run();
}

}  // namespace gonogo
