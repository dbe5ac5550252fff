#include "base/text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace gonogo {

namespace {

// Length of the valid UTF-8 sequence that starts at `at`; 0 where there is none.
std::size_t sequence(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
  };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xc0) == 0x80; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xc2) return 0;  // a continuation byte, or an overlong form
  if (lead < 0xe0) return tail(1) ? 2 : 0;
  if (lead < 0xf0) {
    if (lead == 0xe0 && byte(1) < 0xa0) return 0;  // overlong
    if (lead == 0xed && byte(1) > 0x9f) return 0;  // a surrogate
    return tail(1) && tail(2) ? 3 : 0;
  }
  if (lead > 0xf4) return 0;
  if (lead == 0xf0 && byte(1) < 0x90) return 0;  // overlong
  if (lead == 0xf4 && byte(1) > 0x8f) return 0;  // past U+10FFFF
  return tail(1) && tail(2) && tail(3) ? 4 : 0;
}

// What people mix up without meaning another word: case, `_` for `-`, and the dashes in front.
std::string folded(std::string_view word) {
  word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
  std::string out(word);
  for (char& c : out) {
    if (c == '_') c = '-';
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string system_error(int code) { return std::strerror(code); }

}  // namespace

int edit_distance(std::string_view a, std::string_view b, int limit) {
  const auto over = limit + 1;
  if (std::abs(static_cast<long>(a.size()) - static_cast<long>(b.size())) > limit) return over;
  std::vector<int> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    int least = row[0];
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int change = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
      least = std::min(least, row[j]);
    }
    if (least > limit) return over;  // a swap can't come back under it: rows differ by one at most
    std::swap(before, last);
    std::swap(last, row);
  }
  return std::min(last[b.size()], over);
}

std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
  const std::string wanted = folded(word);
  if (wanted.empty()) return {};
  // A third of the word may be wrong, but never so much that any word would do.
  int best = std::clamp(static_cast<int>(wanted.size()) / 3, 1, 4) + 1;
  if (wanted.size() < 2) best = 1;
  std::string_view found;
  for (const std::string_view candidate : candidates) {
    const int distance = edit_distance(wanted, folded(candidate), best - 1);
    if (distance >= best) continue;
    best = distance;
    found = candidate;
  }
  if (!found.empty() || wanted.size() < 3) return found;
  // The beginning of exactly one candidate.
  for (const std::string_view candidate : candidates) {
    if (folded(candidate).compare(0, wanted.size(), wanted) != 0) continue;
    if (!found.empty()) return {};
    found = candidate;
  }
  return found;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates) {
  const std::string_view meant = nearest(word, candidates);
  return meant.empty() ? std::string() : "did you mean " + std::string(meant) + "?";
}

std::size_t invalid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = sequence(text, at);
    if (size == 0) return at;
    at += size;
  }
  return std::string_view::npos;
}

std::size_t code_points(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

Result<std::string> read_file(const std::string& path, std::size_t limit) {
  const auto failed = [&](std::string what) { return Error{Error::Kind::kInput, std::move(what), {path}, {}, {}}; };
  if (path.find('\0') != std::string::npos) return failed("the path holds a NUL byte");
  // Without O_NONBLOCK, opening a named pipe waits for a writer.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return failed("can't be opened: " + system_error(errno));
  struct Closer {
    int fd;
    ~Closer() { ::close(fd); }
  } closer{fd};
  struct stat info {};
  if (::fstat(fd, &info) != 0) return failed("can't be read: " + system_error(errno));
  if (S_ISDIR(info.st_mode)) return failed("is a directory, not a file");
  if (!S_ISREG(info.st_mode)) return failed("is not a regular file");
  const auto too_large = [&] { return failed("is larger than the limit of " + std::to_string(limit) + " bytes"); };
  if (info.st_size > 0 && static_cast<std::uintmax_t>(info.st_size) > limit) return too_large();
  std::string text;
  // One byte more than it should hold, so that the end is seen without another read.
  text.resize(static_cast<std::size_t>(std::max<off_t>(info.st_size, 0)) + 1);
  std::size_t size = 0;
  while (true) {
    const ssize_t got = ::read(fd, text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failed("can't be read: " + system_error(errno));
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
    if (size > limit) return too_large();
    if (size == text.size()) text.resize(size + std::max<std::size_t>(size, 4096));
  }
  text.resize(size);
  return text;
}

std::string caret_excerpt(std::string_view text, std::size_t offset, int* line, int* column) {
  constexpr std::size_t kBefore = 60;  // code points shown on either side of the place
  constexpr std::size_t kAfter = 40;
  offset = std::min(offset, text.size());
  const std::size_t before = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  std::size_t end = std::min(text.find('\n', offset), text.size());
  if (end > begin && text[end - 1] == '\r') --end;
  *line = 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));

  // Code points, or bytes that are none: each is one column.
  std::size_t caret = 0;
  const auto step = [&](std::size_t at) { return std::max<std::size_t>(sequence(text, at), 1); };
  for (std::size_t at = begin; at < end && at + step(at) <= offset; at += step(at)) ++caret;
  *column = static_cast<int>(caret) + 1;

  const std::size_t first = caret > kBefore ? caret - kBefore : 0;
  std::string out = first > 0 ? "…" : "";
  std::size_t index = 0;
  for (std::size_t at = begin; at < end; at += step(at), ++index) {
    if (index < first) continue;
    if (index == caret + kAfter) {
      out += "…";
      break;
    }
    const unsigned char c = static_cast<unsigned char>(text[at]);
    if (c == '\t') {
      out += ' ';
    } else if (c < 0x20 || c == 0x7f || sequence(text, at) == 0) {
      out += "\xef\xbf\xbd";
    } else {
      out += text.substr(at, step(at));
    }
  }
  out += '\n';
  out.append(caret - first + (first > 0 ? 1 : 0), ' ');
  out += '^';
  return out;
}

}  // namespace gonogo
