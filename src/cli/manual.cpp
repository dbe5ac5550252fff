#include "cli/manual.h"

#include <CLI/CLI.hpp>
#include <string_view>
#include <vector>

#include "cli/command_table.h"

namespace gonogo {

namespace {

constexpr std::size_t kLine = 78;

// Text as roff shows it: a backslash and a dash are themselves, and no line begins with a control character.
std::string escaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\n') {
      out += ' ';
    } else if (text.substr(i).starts_with("…")) {
      out += "\\&...";
      i += std::string_view("…").size() - 1;
    } else {
      out += c;
    }
  }
  if (!out.empty() && (out[0] == '.' || out[0] == '\'')) out.insert(0, "\\&");
  return out;
}

class Manual {
 public:
  explicit Manual(const CLI::App& app) : app_(app) {}

  std::string run(const std::string& version, const std::string& runtime) {
    raw(".TH GONOGO 1 " GONOGO_DATE " \"gonogo " + version + "\"");
    section("NAME");
    raw("gonogo \\- " + escaped("whether a launch of an LLM server will work, before it is made"));
    section("SYNOPSIS");
    raw(".B gonogo");
    raw(".I COMMAND");
    raw("[OPTIONS] [\\-\\- LAUNCH]");
    section("DESCRIPTION");
    fill("gonogo reads a launch of " + runtime +
         ", the model's config.json and what is known of the GPUs, and answers GO, NO-GO or UNKNOWN as the runtime "
         "itself would, "
         "with the reason, the flag, and changes that were tried and reach GO. Nothing is executed and no GPU is "
         "needed. "
         "Everything behind -- is the launch's own.");
    section("COMMANDS");
    for (const CLI::App* command : subcommands_of(app_)) commands(*command, "gonogo");
    section("EXIT STATUS");
    // Spelled out under each command where it means something of its own.
    row("0", "GO, and UNKNOWN without --strict");
    row("1", "NO-GO");
    row("2", "an input is missing or can't be read");
    row("3", "UNKNOWN under --strict");
    row("4", "gonogo was called wrongly");
    row("70", "a fault of gonogo, which never looks like NO-GO");
    row("130", "interrupted");
    return std::move(out_);
  }

 private:
  void raw(const std::string& line) { out_ += line + "\n"; }
  void section(const std::string& name) { raw(".SH " + (name.find(' ') == name.npos ? name : "\"" + name + "\"")); }

  // Text in lines that are not too long, cut at spaces; a new line begins where a sentence does.
  void fill(std::string_view text) {
    std::string line;
    while (!text.empty()) {
      const std::size_t cut = text.find_first_of(" \n");
      const std::string word = escaped(text.substr(0, cut));
      if (!line.empty() && line.size() + 1 + word.size() > kLine) raw(std::exchange(line, ""));
      if (!word.empty()) line += (line.empty() ? "" : " ") + word;
      const bool ends = word.size() > 1 && word.back() == '.' && word != "\\&...";
      if (ends) raw(std::exchange(line, ""));
      text = cut == text.npos ? std::string_view() : text.substr(cut + 1);
    }
    if (!line.empty()) raw(line);
  }

  void row(const std::string& head, const std::string& what) {
    raw(".TP");
    raw(".B " + escaped(head));
    fill(what.empty() ? head : what);
  }

  void commands(const CLI::App& command, const std::string& before) {
    const std::string path = before + " " + command.get_name();
    const CommandText text = text_of(command, path);
    raw(".SS " + escaped(path));
    fill(text.description + ".");
    for (const std::string& line : text.usage) {
      raw(".PP");
      raw(".RS 4");
      fill(line);
      raw(".RE");
    }
    for (const CLI::Option* argument : arguments_of(command)) row(spelled(*argument), meaning_of(*argument));
    for (const CLI::Option* option : options_of(command)) row(spelled(*option), meaning_of(*option));
    const std::string footer = footer_of(command);
    for (std::size_t at = 0; at < footer.size();) {
      const std::size_t end = std::min(footer.find('\n', at), footer.size());
      raw(".PP");
      fill(footer.substr(at, end - at));
      at = end + 1;
    }
    for (const CLI::App* sub : subcommands_of(command)) commands(*sub, path);
  }

  const CLI::App& app_;
  std::string out_;
};

}  // namespace

std::string manual_of(const CLI::App& app, const std::string& version, const std::string& runtime) {
  return Manual(app).run(version, runtime);
}

}  // namespace gonogo
