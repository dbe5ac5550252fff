#include "shell/braces.h"

#include <charconv>
#include <cstdlib>
#include <string>

namespace gonogo {

namespace {

// One unquoted character, or a part that braces don't look into.
using Cells = std::vector<SyntaxPart>;

char plain(const SyntaxPart& cell) {
  const bool is_plain = cell.kind == SyntaxPart::Kind::kText && !cell.quoted && cell.text.size() == 1;
  return is_plain ? cell.text.chars()[0] : '\0';
}

Cells to_cells(const SyntaxWord& word) {
  Cells out;
  for (const SyntaxPart& part : word) {
    if (part.kind != SyntaxPart::Kind::kText || part.quoted) {
      out.push_back(part);
      continue;
    }
    for (std::size_t i = 0; i < part.text.size(); ++i) {
      SyntaxPart cell;
      cell.text = part.text.slice(i, i + 1);
      out.push_back(std::move(cell));
    }
  }
  return out;
}

SyntaxWord to_word(const Cells& cells) {
  SyntaxWord out;
  for (const SyntaxPart& cell : cells) {
    if (plain(cell) != '\0' && !out.empty() && out.back().kind == SyntaxPart::Kind::kText && !out.back().quoted) {
      out.back().text.append(cell.text);
    } else {
      out.push_back(cell);
    }
  }
  return out;
}

bool integer(const std::string& text, long* value) {
  const char* begin = text.data() + (text.size() > 1 && text[0] == '+' ? 1 : 0);
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), *value);
  return !text.empty() && error == std::errc() && end == text.data() + text.size();
}

// The texts of "from..to[..step]"; empty where it is no sequence.
std::vector<std::string> sequence(const std::string& text, std::size_t limit) {
  std::vector<std::string> ends;
  std::size_t begin = 0;
  for (std::size_t dots = text.find(".."); dots != std::string::npos; dots = text.find("..", begin)) {
    ends.push_back(text.substr(begin, dots - begin));
    begin = dots + 2;
  }
  ends.push_back(text.substr(begin));
  std::vector<std::string> out;
  long step = 1;
  if (ends.size() < 2 || ends.size() > 3 || (ends.size() == 3 && !integer(ends[2], &step))) return out;
  long from = 0;
  long to = 0;
  const bool numbers = integer(ends[0], &from) && integer(ends[1], &to);
  if (!numbers) {
    const auto letter = [](const std::string& end) {
      return end.size() == 1 && ((end[0] >= 'a' && end[0] <= 'z') || (end[0] >= 'A' && end[0] <= 'Z'));
    };
    if (!letter(ends[0]) || !letter(ends[1])) return out;
    from = ends[0][0];
    to = ends[1][0];
  }
  constexpr long kBound = 1L << 40;
  if (from > kBound || from < -kBound || to > kBound || to < -kBound || step > kBound || step < -kBound) return out;
  step = step == 0 ? 1 : std::labs(step);
  if (static_cast<std::size_t>(std::labs(to - from) / step) >= limit) return out;
  const auto padded = [](const std::string& end) { return end.size() > 1 && end[end[0] == '-' ? 1 : 0] == '0'; };
  const std::size_t width =
      numbers && (padded(ends[0]) || padded(ends[1])) ? std::max(ends[0].size(), ends[1].size()) : 0;
  for (long value = from; from <= to ? value <= to : value >= to; value += from <= to ? step : -step) {
    if (!numbers) {
      out.emplace_back(1, static_cast<char>(value));
      continue;
    }
    std::string digits = std::to_string(std::labs(value));
    const std::size_t sign = value < 0 ? 1 : 0;
    if (digits.size() + sign < width) digits.insert(0, width - digits.size() - sign, '0');
    out.push_back((sign != 0 ? "-" : "") + digits);
  }
  return out;
}

// Appends what `cells` become; false where that is too much.
bool expand(const Cells& cells, std::size_t from, std::size_t limit, int depth, std::vector<Cells>* out) {
  if (depth > 32 || out->size() > limit) return false;
  for (std::size_t open = from; open < cells.size(); ++open) {
    if (plain(cells[open]) != '{') continue;
    std::vector<std::size_t> commas;
    std::size_t close = open + 1;
    for (int nesting = 0; close < cells.size(); ++close) {
      const char c = plain(cells[close]);
      if (c == '{') ++nesting;
      if (c == '}' && nesting-- == 0) break;
      if (c == ',' && nesting == 0) commas.push_back(close);
    }
    if (close >= cells.size()) continue;
    std::vector<Cells> middles;
    if (!commas.empty()) {
      std::size_t begin = open + 1;
      commas.push_back(close);
      for (const std::size_t end : commas) {
        const Cells piece(cells.begin() + static_cast<std::ptrdiff_t>(begin),
                          cells.begin() + static_cast<std::ptrdiff_t>(end));
        if (!expand(piece, 0, limit, depth + 1, &middles)) return false;
        begin = end + 1;
      }
    } else {
      std::string text;
      for (std::size_t i = open + 1; i < close; ++i) text += plain(cells[i]);
      if (text.find('\0') != std::string::npos) continue;
      for (const std::string& value : sequence(text, limit)) {
        SyntaxPart cell;
        cell.text.append_fixed(value, cells[open].text.origin(0));
        middles.push_back({std::move(cell)});
      }
      if (middles.empty()) continue;
    }
    const Cells rest(cells.begin() + static_cast<std::ptrdiff_t>(close + 1), cells.end());
    std::vector<Cells> tails;
    if (!expand(rest, 0, limit, depth + 1, &tails)) return false;
    if (middles.size() * tails.size() + out->size() > limit) return false;
    for (const Cells& middle : middles) {
      for (const Cells& tail : tails) {
        Cells whole(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(open));
        whole.insert(whole.end(), middle.begin(), middle.end());
        whole.insert(whole.end(), tail.begin(), tail.end());
        out->push_back(std::move(whole));
      }
    }
    return true;
  }
  out->push_back(cells);
  return true;
}

}  // namespace

std::vector<SyntaxWord> expand_braces(const SyntaxWord& word, std::size_t limit) {
  bool braces = false;
  for (const SyntaxPart& part : word) {
    braces = braces ||
             (part.kind == SyntaxPart::Kind::kText && !part.quoted && part.text.chars().find('{') != std::string::npos);
  }
  std::vector<Cells> made;
  if (!braces || !expand(to_cells(word), 0, limit, 0, &made)) return {word};
  std::vector<SyntaxWord> out;
  out.reserve(made.size());
  for (const Cells& cells : made) out.push_back(to_word(cells));
  return out;
}

}  // namespace gonogo
