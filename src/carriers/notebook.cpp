#include "carriers/notebook.h"

#include <algorithm>

#include "carriers/markdown_fences.h"
#include "carriers/python_launches.h"

namespace gonogo {

namespace {

constexpr auto kNone = std::string_view::npos;
constexpr std::string_view kNameChars = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.";

void add_script(MappedText text, const std::string& unit, Carried& out) {
  if (text.empty()) return;
  CarriedCommand command;
  command.kind = CarriedCommand::Kind::kScript;
  command.offset = text.offset(0);
  command.script = std::move(text);
  command.unit = unit;
  out.commands.push_back(std::move(command));
}

// Whether a cell's first line makes all of it a shell's: %%bash, %%sh, %%script bash …
bool is_shell_cell(std::string_view first) {
  for (const std::string_view magic : {"%%bash", "%%sh", "%%script bash", "%%script sh", "%%!", "%%system"}) {
    if (first.substr(0, magic.size()) == magic &&
        (first.size() == magic.size() || first[magic.size()] == ' ' || first[magic.size()] == '\r'))
      return true;
  }
  return false;
}

// A line for a shell, with marks for the names of Python that it takes in braces: {port}, {args.tp}. Braces that hold
// something else are the line's own, such as JSON's, and those of ${NAME} the shell's.
void append_filled(const MappedText& cell, std::size_t at, std::size_t end, Placeholders& marks, MappedText& out) {
  const std::string_view all = cell.text();
  while (at < end) {
    const std::size_t open = std::min(all.find('{', at), end);
    const std::size_t close = open < end ? all.find_first_not_of(kNameChars, open + 1) : kNone;
    const bool name = close != kNone && close < end && all[close] == '}' && close > open + 1 &&
                      (all[open + 1] < '0' || all[open + 1] > '9') &&
                      (open == 0 || (all[open - 1] != '$' && all[open - 1] != '{'));
    if (!name) {
      const std::size_t next = std::min(open + 1, end);
      out.append(cell, at, next);
      at = next;
      continue;
    }
    out.append(cell, at, open);
    const std::string_view inner = all.substr(open + 1, close - open - 1);
    out.append_at(marks.mark(all.substr(open, close + 1 - open), inner), cell.offset(open));
    at = close + 1;
  }
}

void read_cell(const MappedText& cell, const std::string& unit, const std::vector<std::string>& engines, Carried& out) {
  const std::string& text = cell.text();
  const std::string_view all = text;
  const std::size_t line_end = std::min(all.find('\n'), all.size());
  if (is_shell_cell(all.substr(0, line_end))) {
    MappedText script;
    script.append(cell, std::min(line_end + 1, all.size()), all.size());
    return add_script(std::move(script), unit, out);
  }
  if (all.substr(0, 2) == "%%") {
    const bool python =
        all.substr(0, 6) == "%%time" || all.substr(0, 9) == "%%capture" || all.substr(0, 8) == "%%python";
    if (!python) return;  // another language
  }
  // Lines for a shell, which Python does not see.
  MappedText python;
  MappedText shell;
  bool more = false;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find('\n', at), all.size());
    const std::string_view line = all.substr(at, end - at);
    const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
    const bool fresh = !more && begin < line.size() && line[begin] == '!';
    const bool magic = !more && begin < line.size() && line[begin] == '%';
    const std::size_t next = std::min(end + 1, all.size());
    const bool shells = fresh || more;
    if (shells) {
      append_filled(cell, fresh ? at + begin + 1 : at, next, out.marks, shell);
      more = !line.empty() && line.back() == '\\';
      if (!more) add_script(std::exchange(shell, {}), unit, out);
    }
    if (shells || magic) {
      python.append_at("\n", cell.offset(at));
    } else {
      python.append(cell, at, next);
    }
    at = end + 1;
  }
  add_script(std::move(shell), unit, out);
  const std::string kept = python.text();
  if (!kept.empty()) read_python(kept, engines, out, &python);
}

// A text taken out of `cell`, with places in the file instead of those in the cell.
MappedText through(const MappedText& part, const MappedText& cell) {
  MappedText out;
  const std::string& text = part.text();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t from = part.offset(at);
    std::size_t end = at;
    while (end < text.size() && part.offset(end) == from + (end - at) && from + (end - at) < cell.size() &&
           cell.text()[from + (end - at)] == text[end])
      ++end;
    if (end == at) {
      out.append_at(text.substr(at, 1), cell.offset(from));
      ++at;
      continue;
    }
    out.append(cell, from, from + (end - at));
    at = end;
  }
  return out;
}

}  // namespace

void read_notebook(const YamlTree& tree, const std::vector<std::string>& engines, Carried& out) {
  if (tree.documents().empty()) return;
  const YamlItem* cells = tree.documents()[0]->find("cells");
  if (cells == nullptr) return;
  std::size_t number = 0;
  for (const YamlItem* cell : cells->items) {
    ++number;
    const YamlItem* source = cell->find("source");
    const bool code = cell->scalar("cell_type") == "code";
    if (source == nullptr || (!code && cell->scalar("cell_type") != "markdown")) continue;
    MappedText text;
    if (source->is_scalar()) text = tree.mapped(*source);
    for (const YamlItem* line : source->items) {
      if (line->is_scalar()) text.append(tree.mapped(*line));
    }
    const std::string unit = "cell " + std::to_string(number);
    if (code && !text.empty()) read_cell(text, unit, engines, out);
    if (code) continue;
    for (const MappedText& fence : shell_fences(text.text(), false)) {
      if (fence.empty()) continue;
      add_script(through(fence, text), unit, out);
      out.commands.back().placeholders = true;
    }
  }
}

}  // namespace gonogo
