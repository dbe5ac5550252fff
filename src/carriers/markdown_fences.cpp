#include "carriers/markdown_fences.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace gonogo {

namespace {

constexpr auto kNone = std::string_view::npos;
constexpr std::array<std::string_view, 6> kShellTags = {"bash", "sh", "shell", "zsh", "console", "shell-session"};

struct Line {
  std::size_t start;
  std::string_view text;  // without its newline
};

struct Fence {
  char mark = '`';
  std::size_t length = 0;
  std::size_t margin = 0;  // columns before it
  std::size_t quotes = 0;  // how many `>` stand before it
  bool shell = false;
};

// How many bytes of `line` the markers of `wanted` nested quotations take; stops where there are fewer.
std::size_t quote_prefix(std::string_view line, std::size_t wanted, std::size_t* found) {
  std::size_t at = 0;
  *found = 0;
  while (*found < wanted) {
    std::size_t next = at;
    while (next < line.size() && line[next] == ' ' && next - at < 4) ++next;
    if (next >= line.size() || line[next] != '>') break;
    at = next + 1;
    if (at < line.size() && line[at] == ' ') ++at;
    ++*found;
  }
  return at;
}

std::size_t indent_of(std::string_view line) { return std::min(line.find_first_not_of(" \t"), line.size()); }

bool is_shell(std::string_view info) {
  const std::size_t begin = info.find_first_not_of(" \t");
  if (begin == kNone) return true;
  std::string tag;
  for (const char c : info.substr(begin)) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_' && c != '+') break;
    tag += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return std::find(kShellTags.begin(), kShellTags.end(), tag) != kShellTags.end();
}

// Where a list item's text begins, or 0 where the line is none.
std::size_t list_content(std::string_view line) {
  std::size_t at = indent_of(line);
  const std::size_t begin = at;
  if (at < line.size() && (line[at] == '-' || line[at] == '*' || line[at] == '+')) {
    ++at;
  } else {
    while (at < line.size() && std::isdigit(static_cast<unsigned char>(line[at])) != 0 && at - begin < 9) ++at;
    if (at == begin || at >= line.size() || (line[at] != '.' && line[at] != ')')) return 0;
    ++at;
  }
  if (at < line.size() && line[at] != ' ' && line[at] != '\t') return 0;
  const std::size_t content = line.find_first_not_of(" \t", at);
  return content == kNone || content - at > 4 ? at + 1 : content;
}

// How many bytes of a line its prompt takes, with the blank behind it; 0: there is none. `$ `, also behind the name of
// an environment, `(venv) $ `, or of user, machine and folder: `me@host:~/x$ `, `[root@host x]# `.
std::size_t prompt(std::string_view line) {
  std::size_t at = indent_of(line);
  if (at < line.size() && line[at] == '(') {
    const std::size_t close = line.find(") ", at);
    if (close == kNone || line.find(' ', at) < close) return 0;
    at = close + 2;
  }
  if (line.substr(at, 2) == "$ ") return at + 2;
  const std::size_t sign = line.find_first_of("$#", at);
  if (sign == kNone || sign + 1 >= line.size() || line[sign + 1] != ' ' || sign == at) return 0;
  std::string_view who = line.substr(at, sign - at);
  if (who.front() == '[' && who.find(']') != kNone) {
    who = who.substr(1, who.find(']') - 1);
  } else if (who.find(' ') != kNone) {
    return 0;
  }
  const std::size_t host = who.find('@');
  return host == kNone || host == 0 || host + 1 == who.size() ? 0 : sign + 2;
}

// The lines of a block as one script; where some have a prompt, only those and what goes on behind them.
MappedText script_of(const std::vector<Line>& lines) {
  const bool prompts = std::any_of(lines.begin(), lines.end(), [](const Line& l) { return prompt(l.text) > 0; });
  MappedText script;
  bool goes_on = false;
  bool more = false;  // a prompted command may go on
  for (Line l : lines) {
    if (prompts) {
      const std::size_t taken = prompt(l.text);
      const bool prompted = taken > 0;
      const bool further =
          !prompted && more && !l.text.empty() && l.text[0] == '>' && (l.text.size() == 1 || l.text[1] == ' ');
      if (!prompted && !further && !goes_on) {
        more = false;
        continue;
      }
      more = true;
      if (prompted || further) {
        const std::size_t skip = std::min<std::size_t>(l.text.size(), prompted ? taken : 2);
        l = {l.start + skip, l.text.substr(skip)};
      }
      goes_on = !l.text.empty() && l.text.back() == '\\';
    }
    script.append(l.text, l.start);
    script.append("\n", l.start + l.text.size());
  }
  return script;
}

class Reader {
 public:
  Reader(std::string_view text, bool mdx) : text_(text), mdx_(mdx) {}

  std::vector<MappedText> read() {
    for (std::size_t start = 0; start < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', start), text_.size());
      line({start, text_.substr(start, end - start)});
      start = end + 1;
    }
    if (open_) close();
    return std::move(out_);
  }

 private:
  void line(const Line& l) {
    if (open_) {
      inside(l);
    } else if (!comment_end_.empty()) {
      if (l.text.find(comment_end_) != kNone) comment_end_ = {};
    } else {
      outside(l);
    }
  }

  void outside(const Line& l) {
    std::size_t quotes = 0;
    const std::size_t prefix = quote_prefix(l.text, 8, &quotes);
    std::string_view body = l.text.substr(prefix);
    std::size_t margin = indent_of(body);
    if (margin == body.size()) {
      blank_ = true;
      return;
    }
    // A list ends with text that stands further left, after a blank line.
    const std::size_t item = list_content(body);
    if (blank_ || item > 0 || body[margin] == '#' || opens_block(body.substr(margin))) {
      while (!lists_.empty() && lists_.back() > margin) lists_.pop_back();
    }
    blank_ = false;
    if (item > 0) {
      lists_.push_back(item);
      margin = item;
      if (margin >= body.size()) return;
    }
    const std::string_view rest = body.substr(margin);
    if (opens_block(rest)) {
      lists_.push_back(margin + 4);
      return;
    }
    if (begins_comment(rest, "<!--", "-->") || begins_comment(rest, "{/*", "*/}")) return;
    const std::size_t base = lists_.empty() ? 0 : lists_.back();
    if (!mdx_ && margin >= base + 4) return;  // an indented code block
    if (rest[0] != '`' && rest[0] != '~') return;
    const std::size_t length = std::min(rest.find_first_not_of(rest[0]), rest.size());
    const std::string_view info = rest.substr(length);
    if (length < 3 || (rest[0] == '`' && info.find('`') != kNone)) return;
    fence_ = {rest[0], length, margin, quotes, is_shell(info)};
    open_ = true;
    lines_.clear();
  }

  // `!!! note`, `??? tip "…"`, `=== "tab"`: what belongs to it stands four columns further right.
  static bool opens_block(std::string_view rest) {
    for (const std::string_view mark : {"!!! ", "??? ", "???+ ", "=== \""}) {
      if (rest.substr(0, mark.size()) == mark) return true;
    }
    return false;
  }

  bool begins_comment(std::string_view rest, std::string_view begin, std::string_view end) {
    if (rest.substr(0, begin.size()) != begin) return false;
    if (rest.find(end, begin.size()) == kNone) comment_end_ = end;
    return true;
  }

  void inside(const Line& l) {
    std::size_t quotes = 0;
    const std::size_t prefix = quote_prefix(l.text, fence_.quotes, &quotes);
    if (quotes < fence_.quotes) {  // the quotation ends, and the fence with it
      close();
      line(l);
      return;
    }
    const std::string_view body = l.text.substr(prefix);
    const std::size_t margin = indent_of(body);
    const std::string_view rest = body.substr(margin);
    const std::size_t length = std::min(rest.find_first_not_of(fence_.mark), rest.size());
    if (length >= fence_.length && rest.find_first_not_of(" \t", length) == kNone) {
      close();
      return;
    }
    const std::size_t drop = std::min(margin, fence_.margin);
    lines_.push_back({l.start + prefix + drop, body.substr(drop)});
  }

  void close() {
    open_ = false;
    blank_ = true;  // what follows goes on with no paragraph
    if (!fence_.shell) return;
    MappedText script = script_of(lines_);
    if (!script.empty()) out_.push_back(std::move(script));
  }

  std::string_view text_;
  bool mdx_;
  bool open_ = false;
  bool blank_ = true;
  Fence fence_;
  std::string_view comment_end_;
  std::vector<std::size_t> lists_;
  std::vector<Line> lines_;
  std::vector<MappedText> out_;
};

}  // namespace

std::vector<MappedText> shell_fences(std::string_view text, bool mdx) { return Reader(text, mdx).read(); }

std::vector<MappedText> rst_blocks(std::string_view text) {
  std::vector<MappedText> out;
  std::vector<Line> block;
  bool open = false;
  bool options = false;
  std::size_t margin = 0;  // of the directive
  const auto close = [&] {
    open = false;
    std::size_t least = kNone;
    for (const Line& l : block) {
      if (indent_of(l.text) < l.text.size()) least = std::min(least, indent_of(l.text));
    }
    for (Line& l : block) {
      const std::size_t drop = std::min({least, indent_of(l.text), l.text.size()});
      l = {l.start + drop, l.text.substr(drop)};
    }
    MappedText script = script_of(block);
    if (!script.empty()) out.push_back(std::move(script));
    block.clear();
  };
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const Line line{start, text.substr(start, end - start)};
    start = end + 1;
    const std::size_t indent = indent_of(line.text);
    const bool blank = indent == line.text.size();
    if (open && !blank && indent <= margin) close();
    if (open) {
      if (options && !blank && line.text[indent] == ':') continue;
      if (blank && block.empty()) {
        options = false;
        continue;
      }
      options = false;
      block.push_back(line);
      continue;
    }
    const std::string_view rest = line.text.substr(indent);
    for (const std::string_view directive : {".. code-block::", ".. code::", ".. sourcecode::", ".. prompt::"}) {
      if (rest.substr(0, directive.size()) != directive) continue;
      const std::string_view info = rest.substr(directive.size());
      if (info.find_first_not_of(" \t") == kNone || !is_shell(info)) continue;
      open = options = true;
      margin = indent;
    }
  }
  if (open) close();
  return out;
}

}  // namespace gonogo
