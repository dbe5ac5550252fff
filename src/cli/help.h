// --help that fits a screen: what a command does, how it is called, its options, an example. Nothing is wider than a
// report.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace gonogo {

class HelpFormatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* command, std::string path, CLI::AppFormatMode mode) const override;
};

// Gives every command that has one its example, above the footer that it has.
void add_examples(CLI::App* app);

}  // namespace gonogo
