#include "cli/rules_options.h"

#include <CLI/CLI.hpp>

namespace gonogo {

void RulesCommands::add_to(CLI::App& app, const std::string& runtime_flag, std::function<ExitStatus()>* command) {
  CLI::App* rules = app.add_subcommand("rules", "what the rules say");
  rules->require_subcommand(1);
  CLI::App* list = rules->add_subcommand("list", "all rules, or those whose id holds a text");
  list->add_option("TEXT", what_, "part of an id")->type_name("RULE");
  list->add_option("--rules", options_.session.rules, "a folder of rules laid over the built-in ones")
      ->type_name("DIR");
  list->add_option("--format", options_.format, "text or json")->check(CLI::IsMember({"text", "json"}));
  list->callback([this, command] { *command = [this] { return rules_list_command(what_, options_, io_); }; });
  CLI::App* show = rules->add_subcommand("show", "one rule in full");
  show->add_option("ID", what_, "a rule's id")->required()->type_name("RULE");
  show->add_option("--rules", options_.session.rules, "a folder of rules laid over the built-in ones")
      ->type_name("DIR");
  show->callback([this, command] { *command = [this] { return rules_show_command(what_, options_, io_); }; });
  add_coverage(rules, runtime_flag, command);
  CLI::App* docs = rules->add_subcommand("docs", "write one Markdown page a rule, and an index");
  docs->add_option("DIR", docs_.dir, "the folder of the pages")->required();
  docs->add_option("--examples", docs_.examples, "recorded launches on both sides of rules (JSON lines)")
      ->type_name("FILE")
      ->allow_extra_args(false);
  docs->add_option("--rules", docs_.rules, "a folder of rules laid over the built-in ones")->type_name("DIR");
  docs->add_flag("--check", docs_.check, "change nothing; exit 1 where a page would change");
  docs->callback([this, command] { *command = [this] { return rules_docs_command(docs_, io_); }; });
  CLI::App* check = rules->add_subcommand("check", "compile a folder of rules and report every error");
  check->add_option("DIR", what_, "the folder")->required();
  check->add_flag("--standalone", standalone_, "a whole pack, not one laid over the built-in one");
  check->callback([this, command] { *command = [this] { return rules_check_command(what_, standalone_, io_); }; });
}

void RulesCommands::add_coverage(CLI::App* rules, const std::string& runtime_flag,
                                 std::function<ExitStatus()>* command) {
  CLI::App* coverage = rules->add_subcommand("coverage", "which rules recorded cases exercise");
  coverage->add_option("CASES", coverage_.files, "files of recorded cases, one a line, as batch reads them")
      ->required()
      ->type_name("FILE");
  coverage->add_option("--models", coverage_.models_dir, "the folder that holds the models named by cases")
      ->type_name("DIR");
  coverage->add_option(runtime_flag, coverage_.version, "only cases and rules of this version")->type_name("VERSION");
  coverage->add_option("--rules", coverage_.rules, "a folder of rules laid over the built-in ones")->type_name("DIR");
  coverage
      ->add_option("--refusals", coverage_.refusals,
                   "a table of upstream's refusals (kind, check, place, what, count); those that no rule stands for "
                   "are listed; repeatable")
      ->type_name("FILE")
      ->allow_extra_args(false);
  coverage->add_option("--cases", coverage_.kept, "at most how many cases to name for each rule in JSON (default 3)")
      ->type_name("N");
  coverage->add_option("--format", coverage_.format, "text or json")->check(CLI::IsMember({"text", "json"}));
  coverage->callback([this, command] { *command = [this] { return rules_coverage_command(coverage_, io_); }; });
}

}  // namespace gonogo
