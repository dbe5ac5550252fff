#include "launch/launch.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "launch/entry_point.h"

namespace gonogo {

namespace {

constexpr std::string_view kMask = "***";

bool is_name_start(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }

// The length of NAME in "NAME=value"; 0 where the word is no assignment.
std::size_t assigned_name(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos || equals == 0 || !is_name_start(word[0])) return 0;
  const auto good = [](char c) { return is_name_start(c) || (c >= '0' && c <= '9'); };
  return std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals), good) ? equals : 0;
}

std::string lowered(std::string_view name) {
  std::string out(name);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '_') c = '-';
  }
  return out;
}

// The command as one line, with the place of each word in it.
class Line {
 public:
  explicit Line(const Pack& pack) : pack_(pack) {}

  Word add(const std::string& word) {
    if (!text_.empty()) {
      text_ += ' ';
      ++column_;
    }
    const std::string shown = display(word);
    Word out{word, {std::string(kCommandLine), 1, column_}};
    text_ += shown;
    column_ += static_cast<int>(columns(shown));
    return out;
  }

  std::string take() { return std::move(text_); }

 private:
  // One line, and as many columns as caret_excerpt counts: code points, or bytes that are none.
  static std::size_t columns(std::string_view text) {
    std::size_t count = 0;
    while (!text.empty()) {
      const std::size_t valid = std::min(invalid_utf8(text), text.size());
      count += code_points(text.substr(0, valid));
      if (valid < text.size()) ++count;
      text.remove_prefix(std::min(valid + 1, text.size()));
    }
    return count;
  }

  std::string display(const std::string& word) {
    const bool hidden = std::exchange(next_is_secret_, false);
    const bool flag = word.size() > 2 && word[0] == '-' && word[1] == '-';
    const std::size_t name = flag ? std::min(word.find('='), word.size()) : assigned_name(word);
    std::string shown;
    if (name > 0 && is_secret(pack_, std::string_view(word).substr(0, name))) {
      next_is_secret_ = name == word.size();
      shown = word.substr(0, name);
      if (name < word.size()) shown.append("=").append(kMask);
    } else {
      shown = hidden && !flag ? std::string(kMask) : shell_quoted(word);
    }
    std::replace(shown.begin(), shown.end(), '\n', ' ');
    return shown;
  }

  const Pack& pack_;
  std::string text_;
  int column_ = 1;
  bool next_is_secret_ = false;
};

class Reader {
 public:
  Reader(const Pack& pack, const std::vector<std::string>& words) : pack_(pack), words_(words) {}

  Result<Launch> read() {
    Line line(pack_);
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      placed_.push_back(line.add(words_[i]));
      bytes += words_[i].size();
      if (i < kMaxWords && bytes <= kMaxCommandBytes) continue;
      launch_.sources.push_back({std::string(kCommandLine), line.take()});
      return usage(i,
                   "the command has more than " + (i < kMaxWords ? std::to_string(kMaxCommandBytes >> 20) + " MiB"
                                                                 : std::to_string(kMaxWords) + " words"),
                   {});
    }
    launch_.sources.push_back({std::string(kCommandLine), line.take()});
    while (at_ < words_.size() && (read_env() || read_assignment())) {
    }
    if (problem_.has_value()) return *problem_;
    if (at_ == words_.size()) return usage(at_, "there is no command to check", known());
    if (words_[at_].empty() || words_[at_][0] == '-') {
      launch_.args.assign(placed_.begin() + static_cast<std::ptrdiff_t>(at_), placed_.end());
      return std::move(launch_);
    }
    for (const StrId id : pack_.slice(pack_.about->entry_points)) {
      const EntryPoint entry = parse_entry_point(pack_.text(id));
      if (const std::size_t count = match(entry, words_, at_); count > 0) return start(entry, count);
    }
    return unknown_command();
  }

 private:
  Error usage(std::size_t word, std::string what, std::string hint) const {
    Error error;
    error.kind = Error::Kind::kUsage;
    error.what = std::move(what);
    error.hint = std::move(hint);
    if (word < placed_.size()) {
      error.place = placed_[word].place;
      error.excerpt = excerpt(launch_, error.place);
    }
    return error;
  }

  // `env` and its options.
  bool read_env() {
    if (base_name(words_[at_]) != "env") return false;
    ++at_;
    while (at_ < words_.size() && !words_[at_].empty() && words_[at_][0] == '-') {
      const std::string& word = words_[at_];
      if (word == "-" || word == "-i" || word == "--ignore-environment") {
        launch_.clear_env = true;
      } else if (word == "-u" && at_ + 1 < words_.size()) {
        launch_.unset.push_back(words_[++at_]);
      } else if (word.rfind("--unset=", 0) == 0) {
        launch_.unset.push_back(word.substr(word.find('=') + 1));
      } else if (word == "--") {
        ++at_;
        break;
      } else {
        problem_ = usage(at_, "env's option " + word + " is not understood here", "use -i, -u NAME and NAME=VALUE");
        return false;
      }
      ++at_;
    }
    return true;
  }

  bool read_assignment() {
    const std::string& word = words_[at_];
    const std::size_t name = assigned_name(word);
    if (name == 0) return false;
    launch_.env.emplace_back(word.substr(0, name), word.substr(name + 1));
    ++at_;
    return true;
  }

  // The words up to `count` start the runtime; the rest are its arguments, as its own command hands them on.
  Launch start(const EntryPoint& entry, std::size_t count) {
    const auto begin = placed_.begin() + static_cast<std::ptrdiff_t>(at_);
    const auto first = begin + static_cast<std::ptrdiff_t>(count);
    launch_.program.assign(begin, first);
    hand_on(entry, {first, placed_.end()}, &launch_);
    return std::move(launch_);
  }

  std::string known() const {
    std::string out;
    for (const StrId id : pack_.slice(pack_.about->entry_points)) {
      const EntryPoint entry = parse_entry_point(pack_.text(id));
      if (!entry.call) out += (out.empty() ? "known are: " : ", ") + to_text(entry);
    }
    return out + (out.empty() ? "give the arguments alone" : "; or give the arguments alone");
  }

  Error unknown_command() const {
    // `python -m nearly.right` and `tool srve`: point at the word that is wrong.
    for (std::size_t i = at_ + 1; i < words_.size() && i < at_ + 8; ++i) {
      for (const StrId id : pack_.slice(pack_.about->entry_points)) {
        const EntryPoint entry = parse_entry_point(pack_.text(id));
        if (entry.command.size() < 2 || words_[i] == entry.command.back()) continue;
        const bool module = entry.command[1] == "-m" && words_[i - 1] == "-m";
        const bool command = i == at_ + 1 && base_name(words_[at_]) == entry.command[0];
        if (!module && !command) continue;
        const std::string meant = did_you_mean(words_[i], {entry.command.back()});
        if (!meant.empty()) return usage(i, "'" + words_[i] + "' does not start the runtime", meant);
      }
    }
    return usage(at_, "'" + words_[at_] + "' is not a command that starts the runtime", known());
  }

  const Pack& pack_;
  const std::vector<std::string>& words_;
  std::vector<Word> placed_;
  std::size_t at_ = 0;
  std::optional<Error> problem_;
  Launch launch_;
};

}  // namespace

void hand_on(const EntryPoint& entry, std::vector<Word> words, Launch* launch) {
  launch->own_flags = entry.own_flags;
  for (const TakenFlag& taken : entry.taken) {
    if (taken.own.empty()) continue;
    launch->started = Started::kByModel;
    launch->chosen_by = std::string(taken.flag) + " " + std::string(taken.own);
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view text = words[i].text;
    const auto takes = [&](const TakenFlag& taken) {
      const std::size_t size = taken.flag.size();
      return text.substr(0, size) == taken.flag && (text.size() == size || text[size] == '=');
    };
    const auto taken = std::find_if(entry.taken.begin(), entry.taken.end(), takes);
    if (taken == entry.taken.end()) {
      launch->args.push_back(std::move(words[i]));
      continue;
    }
    const bool apart = text.size() == taken->flag.size();
    if (apart) ++i;
    if (taken->own.empty() || i >= words.size()) continue;
    if (!words[i].unknown.empty()) {
      launch->started = Started::kOther;  // it may be any
      continue;
    }
    const std::string_view value = std::string_view(words[i].text).substr(apart ? 0 : taken->flag.size() + 1);
    launch->started = value == taken->own        ? Started::kRuntime
                      : value == taken->by_model ? Started::kByModel
                                                 : Started::kOther;
  }
  if (!entry.leading.empty() && !launch->args.empty() && launch->args[0].text.rfind('-', 0) != 0) {
    launch->args.insert(launch->args.begin(), {std::string(entry.leading), launch->args[0].place});
  }
}

Result<Launch> read_command(const Pack& pack, const std::vector<std::string>& words) {
  return Reader(pack, words).read();
}

std::string excerpt(const std::vector<Source>& sources, const Place& place) {
  if (place.line <= 0) return {};
  for (const Source& source : sources) {
    if (source.name != place.file) continue;
    const std::string_view text = source.text;
    std::size_t at = 0;
    for (int line = 1; line < place.line && at < text.size(); ++line)
      at = std::min(text.find('\n', at), text.size() - 1) + 1;
    for (int column = 1; column < place.column && at < text.size() && text[at] != '\n'; ++column) {
      ++at;
      while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) ++at;
    }
    int line = 0;
    int column = 0;
    return caret_excerpt(text, at, &line, &column);
  }
  return {};
}

std::string shell_quoted(std::string_view text) {
  constexpr std::string_view kSafe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%^";
  if (!text.empty() && text.find_first_not_of(kSafe) == std::string_view::npos) return std::string(text);
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

bool is_secret(const Pack& pack, std::string_view name) {
  const std::string folded = "-" + lowered(name) + "-";
  for (const StrId id : pack.slice(pack.about->secrets)) {
    const std::string part = "-" + lowered(pack.text(id)) + "-";
    if (folded.find(part) != std::string::npos) return true;
  }
  return false;
}

}  // namespace gonogo
