#include "facts/server_log.h"

#include <algorithm>
#include <istream>
#include <string_view>

namespace gonogo {

namespace {

constexpr std::size_t kMaxLine = 512u << 10;  // the rest of a longer line is passed over
constexpr std::size_t kMaxFields = 2000;
constexpr std::size_t kMaxMessageLines = 12;
constexpr std::size_t kMaxSource = 300;

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes out terminal colours.
std::string plain(std::string_view line) {
  std::string out;
  out.reserve(line.size());
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\x1b') {
      if (line[i] != '\r') out += line[i];
      continue;
    }
    if (i + 1 < line.size() && line[i + 1] == '[') {
      i += 2;
      while (i < line.size() && (is_digit(line[i]) || line[i] == ';')) ++i;
    }
  }
  return out;
}

std::string_view stem_of(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
  if (path.ends_with(".py")) path.remove_suffix(3);
  return path;
}

// `File "a/b.py", line 3, in f`: the frame, and where it starts.
bool read_frame(std::string_view line, LogFrame* frame, std::size_t* start) {
  const std::size_t at = line.find("File \"");
  if (at == std::string_view::npos) return false;
  std::string_view rest = line.substr(at + 6);
  const std::size_t quote = rest.find('"');
  if (quote == std::string_view::npos) return false;
  const std::string_view path = rest.substr(0, quote);
  rest.remove_prefix(quote + 1);
  if (!rest.starts_with(", line ")) return false;
  rest.remove_prefix(7);
  frame->line = 0;
  while (!rest.empty() && is_digit(rest[0])) {
    frame->line = std::min(frame->line, 99'999'999) * 10 + (rest[0] - '0');
    rest.remove_prefix(1);
  }
  if (!rest.starts_with(", in ")) return false;
  rest.remove_prefix(5);
  while (!rest.empty() && rest.back() == ' ') rest.remove_suffix(1);
  frame->file = stem_of(path).substr(0, 200);
  frame->function = rest.substr(0, 200);
  *start = at;
  return true;
}

// The length of an exception's name at the start of `text`, or 0: dotted words, the last of which starts with a capital
// and is followed by ": ", or stands alone.
std::size_t exception_name(std::string_view text) {
  std::size_t end = 0;
  std::size_t last = 0;
  while (end < text.size() && (is_word(text[end]) || text[end] == '.')) {
    if (text[end] == '.') last = end + 1;
    ++end;
  }
  if (end == 0 || last >= end || text[last] < 'A' || text[last] > 'Z') return 0;
  const std::string_view name = text.substr(last, end - last);
  const bool ends = end == text.size() || (text[end] == ':' && (end + 1 == text.size() || text[end + 1] == ' '));
  const bool named = name.ends_with("Error") || name.ends_with("Exception") || name.ends_with("Exit") ||
                     name.ends_with("Interrupt") || name.ends_with("Timeout");
  return ends && named ? end : 0;
}

class Reader {
 public:
  explicit Reader(const Pack& pack) : pack_(pack) {}

  void line(std::string_view text) {
    ++log_.lines;
    const std::string clean = plain(text);
    LogFrame frame;
    std::size_t start = 0;
    if (read_frame(clean, &frame, &start)) {
      finish();
      if (!in_traceback_) frames_.clear();
      in_traceback_ = true;
      // What stands before a frame stands before the other lines of the traceback as well.
      prefix_ = start >= 2 && clean.substr(start - 2, 2) == "  " ? start - 2 : start;
      if (frames_.size() >= kMaxFrames) frames_.erase(frames_.begin());
      frames_.push_back(std::move(frame));
    } else if (in_traceback_) {
      inside(clean);
    } else if (reading_message_) {
      more(clean);
    } else {
      usage(clean);
    }
    facts(clean);
  }

  ServerLog take() {
    finish();
    return std::move(log_);
  }

  ServerLog& log() { return log_; }

 private:
  // A line of a traceback that is no frame: source text, or the exception.
  void inside(std::string_view line) {
    const std::string_view rest = line.size() >= prefix_ ? line.substr(prefix_) : line;
    if (rest.starts_with(' ')) {
      const std::size_t text = rest.find_first_not_of(' ');
      if (text != std::string_view::npos && rest[text] != '~' && rest[text] != '^' && frames_.back().source.empty()) {
        frames_.back().source = rest.substr(text, kMaxSource);
      }
      return;
    }
    if (rest.starts_with('[')) return;
    const std::size_t name = exception_name(rest);
    if (name == 0) {
      if (rest.find("Traceback (most recent call last)") == std::string_view::npos) return;
      frames_.clear();
      in_traceback_ = false;
      return;
    }
    in_traceback_ = false;
    reading_message_ = true;
    message_lines_ = 0;
    now_ = {};
    const std::string_view full = rest.substr(0, name);
    const std::size_t dot = full.rfind('.');
    now_.type = full.substr(dot == std::string_view::npos ? 0 : dot + 1);
    now_.line = log_.lines;
    now_.frames = std::move(frames_);
    frames_.clear();
    if (name + 2 < rest.size()) add(rest.substr(name + 2));
  }

  // Further lines of an exception's text end where something else begins.
  void more(std::string_view line) {
    const std::string_view rest = line.size() >= prefix_ ? line.substr(prefix_) : line;
    const bool ends = rest.find_first_not_of(' ') == std::string_view::npos || rest.starts_with('[') ||
                      rest.find("Traceback (most") != std::string_view::npos ||
                      rest.find("exception occurred:") != std::string_view::npos ||
                      rest.find("direct cause of") != std::string_view::npos || ++message_lines_ > kMaxMessageLines;
    if (ends) {
      finish();
    } else {
      add(rest);
    }
  }

  void add(std::string_view text) {
    if (now_.message.size() >= kMaxMessage) return;
    if (!now_.message.empty()) now_.message += ' ';
    now_.message += text.substr(0, kMaxMessage - now_.message.size());
  }

  // "prog: error: what", as argparse ends.
  void usage(std::string_view line) {
    if (line.find("usage: ") != std::string_view::npos) usage_seen_ = true;
    const std::size_t at = line.find(": error: ");
    if (at == std::string_view::npos || !(usage_seen_ || is_argparse(line.substr(at + 9)))) return;
    now_ = {};
    now_.type = "usage";
    now_.line = log_.lines;
    prefix_ = 0;
    add(line.substr(at + 9));
    reading_message_ = true;
    finish();
    usage_seen_ = false;
  }
  static bool is_argparse(std::string_view what) {
    for (const std::string_view start :
         {"unrecognized arguments:", "ambiguous option:", "argument -", "the following arguments are required:"}) {
      if (what.starts_with(start)) return true;
    }
    return false;
  }

  void finish() {
    if (!reading_message_) return;
    reading_message_ = false;
    for (LogException& known : log_.exceptions) {
      if (known.type != now_.type || known.message != now_.message || known.frames.size() != now_.frames.size())
        continue;
      const bool same = known.frames.empty() || known.frames.back().check() == now_.frames.back().check();
      if (!same) continue;
      ++known.times;
      return;
    }
    if (log_.exceptions.size() < kMaxExceptions) log_.exceptions.push_back(std::move(now_));
  }

  // Versions, GPUs and arguments, wherever they stand.
  void facts(std::string_view line) {
    if (log_.version.empty()) {
      for (const StrId id : pack_.slice(pack_.about->log_versions)) find_version(line, pack_.text(id));
    }
    for (const GpuRec& gpu : pack_.gpus) {
      const std::string_view name = pack_.text(gpu.name);
      if (name.empty() || line.find(name) == std::string_view::npos) continue;
      const std::string key(pack_.text(gpu.key));
      if (std::find(log_.gpus.begin(), log_.gpus.end(), key) == log_.gpus.end()) log_.gpus.push_back(key);
    }
    if (pack_.about->log_arguments == 0) return;
    const std::string_view start = pack_.text(pack_.about->log_arguments);
    const std::size_t at = line.find(start);
    if (at == std::string_view::npos) return;
    auto fields = record_fields(line.substr(at + start.size()));
    if (!fields.empty()) log_.arguments = std::move(fields);
  }

  void find_version(std::string_view line, std::string_view before) {
    const std::size_t at = line.find(before);
    if (at == std::string_view::npos || !log_.version.empty()) return;
    std::string_view rest = line.substr(at + before.size());
    while (!rest.empty() && (rest[0] == ' ' || rest[0] == '=' || rest[0] == '\'' || rest[0] == 'v' || rest[0] == ':')) {
      rest.remove_prefix(1);
    }
    std::size_t end = 0;
    while (end < rest.size() && end < 40 && (is_word(rest[end]) || rest[end] == '.')) ++end;
    while (end > 0 && rest[end - 1] == '.') --end;
    const std::string_view version = rest.substr(0, end);
    if (!version.empty() && is_digit(version[0]) && version.find('.') != std::string_view::npos) log_.version = version;
  }

  const Pack& pack_;
  ServerLog log_;
  LogException now_;
  std::vector<LogFrame> frames_;
  std::size_t prefix_ = 0;
  std::size_t message_lines_ = 0;
  bool in_traceback_ = false;
  bool reading_message_ = false;
  bool usage_seen_ = false;
};

}  // namespace

ServerLog read_server_log(std::istream& in, const Pack& pack) {
  Reader reader(pack);
  std::string line;
  std::string block(64u << 10, '\0');
  std::uint64_t bytes = 0;
  bool open = false;  // whether `line` holds the start of a line
  while (bytes < kMaxLogBytes) {
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    const auto got = static_cast<std::size_t>(in.gcount());
    if (got == 0) break;
    bytes += got;
    for (std::string_view rest(block.data(), got); !rest.empty();) {
      const std::size_t end = rest.find('\n');
      const std::string_view part = rest.substr(0, end);
      if (line.size() < kMaxLine) line += part.substr(0, kMaxLine - line.size());
      open = end == std::string_view::npos;
      rest.remove_prefix(open ? rest.size() : end + 1);
      if (open) break;
      reader.line(line);
      line.clear();
    }
  }
  if (open) reader.line(line);
  ServerLog out = reader.take();
  out.bytes = bytes;
  out.cut = bytes >= kMaxLogBytes && in.peek() != std::istream::traits_type::eof();
  return out;
}

std::vector<std::pair<std::string, std::string>> record_fields(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> out;
  std::size_t at = 0;
  while (at < text.size() && out.size() < kMaxFields) {
    while (at < text.size() && (text[at] == ' ' || text[at] == ',')) ++at;
    const std::size_t start = at;
    while (at < text.size() && is_word(text[at])) ++at;
    if (at == start || at >= text.size() || text[at] != '=') break;
    const std::string_view name = text.substr(start, at - start);
    const std::size_t value = ++at;
    int depth = 0;
    char quote = 0;
    for (; at < text.size(); ++at) {
      const char c = text[at];
      if (quote != 0) {
        if (c == '\\') {
          ++at;
        } else if (c == quote) {
          quote = 0;
        }
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else if (c == '(' || c == '[' || c == '{') {
        ++depth;
      } else if (c == ')' || c == ']' || c == '}') {
        if (depth-- == 0) break;
      } else if (c == ',' && depth == 0) {
        break;
      }
    }
    at = std::min(at, text.size());
    out.emplace_back(std::string(name), std::string(text.substr(value, at - value)));
    if (at < text.size() && text[at] != ',') break;
  }
  return out;
}

}  // namespace gonogo
