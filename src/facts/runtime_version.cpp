#include "facts/runtime_version.h"

#include <cctype>
#include <vector>

#include "base/text.h"

namespace gonogo {

namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

// A version taken apart: numbers without trailing zeros, then a rank and number for what follows.
struct Parts {
  std::vector<long> numbers;
  int rank = 0;  // -4 dev, -3 a, -2 b, -1 rc, 0 the release, 1 post
  long serial = 0;
};

long number_at(std::string_view text, std::size_t& at) {
  long out = 0;
  for (; at < text.size() && digit(text[at]); ++at) {
    if (out < 100'000'000'000) out = out * 10 + (text[at] - '0');
  }
  return out;
}

Parts parts_of(std::string_view version) {
  Parts out;
  std::size_t at = version.substr(0, 1) == "v" ? 1 : 0;
  while (at < version.size() && digit(version[at])) {
    out.numbers.push_back(number_at(version, at));
    if (at + 1 < version.size() && version[at] == '.' && digit(version[at + 1])) ++at;
  }
  while (!out.numbers.empty() && out.numbers.back() == 0) out.numbers.pop_back();
  while (at < version.size() && (version[at] == '.' || version[at] == '-' || version[at] == '_')) ++at;
  std::string word;
  for (; at < version.size() && std::isalpha(static_cast<unsigned char>(version[at])); ++at) {
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(version[at])));
  }
  const std::pair<std::string_view, int> ranks[] = {{"dev", -4}, {"alpha", -3}, {"a", -3},  {"beta", -2},
                                                    {"b", -2},   {"rc", -1},    {"post", 1}};
  for (const auto& [name, rank] : ranks) {
    if (word == name) out.rank = rank;
  }
  if (out.rank != 0) out.serial = number_at(version, at);
  return out;
}

int sign(long a, long b) { return a < b ? -1 : a > b ? 1 : 0; }

// The pack's version for one that was found.
void choose(RuntimeVersion& out, const Pack& pack) {
  out.exact = false;
  out.index = 0;
  for (std::uint32_t i = 0; i < pack.version_count(); ++i) {
    const int order = compare_versions(pack.version(i), out.installed);
    if (order <= 0 || parts_of(pack.version(i)).numbers == parts_of(out.installed).numbers) out.index = i;
    if (order == 0) out.exact = true;
  }
}

}  // namespace

int compare_versions(std::string_view a, std::string_view b) {
  const Parts left = parts_of(a);
  const Parts right = parts_of(b);
  for (std::size_t i = 0; i < left.numbers.size() || i < right.numbers.size(); ++i) {
    const long x = i < left.numbers.size() ? left.numbers[i] : 0;
    const long y = i < right.numbers.size() ? right.numbers[i] : 0;
    if (x != y) return sign(x, y);
  }
  if (left.rank != right.rank) return sign(left.rank, right.rank);
  return sign(left.serial, right.serial);
}

std::optional<std::string> version_of_image(std::string_view image, std::string_view distribution) {
  image = image.substr(0, image.find('@'));  // a digest
  const std::size_t slash = image.rfind('/');
  const std::string_view last = slash == std::string_view::npos ? image : image.substr(slash + 1);
  const std::size_t colon = last.find(':');
  if (colon == std::string_view::npos || last.substr(0, colon) != distribution) return std::nullopt;
  std::string_view tag = last.substr(colon + 1);
  if (tag.substr(0, 1) == "v") tag.remove_prefix(1);
  // "0.5.23.post1-cu130": what follows a dash is the variant, unless it is a pre-release.
  std::size_t end = tag.find('-');
  if (end != std::string_view::npos && tag.substr(end + 1, 2) == "rc") end = tag.find('-', end + 1);
  tag = tag.substr(0, end);
  if (tag.empty() || !digit(tag[0]) || tag.find('.') == std::string_view::npos) return std::nullopt;
  return std::string(tag);
}

Result<RuntimeVersion> runtime_version(const RuntimeClues& clues, const Pack& pack) {
  const std::string name(pack.text(pack.about->name));
  RuntimeVersion out;
  if (clues.option) {
    std::string_view wanted = *clues.option;
    if (wanted.substr(0, 1) == "v") wanted.remove_prefix(1);
    std::vector<std::string_view> all;
    for (std::uint32_t i = 0; i < pack.version_count(); ++i) {
      all.push_back(pack.version(i));
      if (pack.version(i) != wanted) continue;
      out.source = RuntimeVersion::Source::kOption;
      out.installed = wanted;
      out.index = i;
      out.from = "given";
      return out;
    }
    std::string hint = did_you_mean(wanted, all);
    if (!hint.empty()) hint += " ";
    return Error{Error::Kind::kUsage,
                 "version " + std::string(*clues.option) + " of " + name + " is not covered",
                 {},
                 hint + "Versions: " + pack.versions_text(),
                 {}};
  }
  if (const auto version = version_of_image(clues.image, name)) {
    out.source = RuntimeVersion::Source::kImage;
    out.installed = *version;
    out.from = "tag of the image " + clues.image;
    choose(out, pack);
    return out;
  }
  if (clues.python != nullptr && clues.image.empty()) {
    if (const auto version = clues.python->version_of(name)) {
      out.source = RuntimeVersion::Source::kInstalled;
      out.installed = *version;
      out.from = "installed in " + clues.python->prefix();
      if (clues.python->source() == PythonEnv::Source::kVirtualEnv) out.from += " ($VIRTUAL_ENV)";
      choose(out, pack);
      return out;
    }
  }
  out.index = pack.version_count() - 1;
  out.installed = pack.version(out.index);
  out.from = "newest that is covered, since none was found";
  return out;
}

}  // namespace gonogo
