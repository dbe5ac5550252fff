#include "cli/app.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <istream>
#include <ostream>

#include "cli/batch.h"
#include "cli/commands.h"
#include "cli/complete.h"
#include "cli/help.h"
#include "cli/manual.h"
#include "cli/policy_options.h"
#include "cli/rules_options.h"
#include "report/formats.h"

namespace gonogo {

namespace {

std::string version_text() {
  const Pack& pack = Pack::embedded();
  std::string out = std::string("gonogo ") + GONOGO_VERSION + "\nrules " + std::string(pack.text(pack.about->name)) +
                    " " + pack.hash() + ", versions " + pack.versions_text();
  return out;
}

std::string runtime_flag() { return "--" + std::string(Pack::embedded().text(Pack::embedded().about->name)); }

// What completion scripts call; it is no command, since its words may be any.
constexpr std::string_view kComplete = "__complete";

class App {
 public:
  App(Streams io)
      : io_(io), app_("Whether a launch of an LLM server will work, before it is made.", "gonogo"), rules_(io) {
    app_.formatter(std::make_shared<HelpFormatter>());
    app_.require_subcommand(1);
    app_.set_version_flag("--version", version_text());
    app_.footer(
        "Examples: gonogo check --gpu b200x8 -- python -m RUNTIME --model-path MODEL …\n"
        "          gonogo check deploy/ scripts/*.sh\n"
        "gonogo COMMAND --help says more, gonogo --version which rules these are.\n"
        "Exit codes: 0 GO, 1 NO-GO, 2 could not check, 3 UNKNOWN with --strict, 4 wrong use, 70 our fault.");
    add_check();
    add_run();
    add_lock();
    add_launches();
    add_explain();
    add_diff();
    add_migrate();
    add_plan();
    add_matrix();
    add_doctor();
    add_batch();
    add_gpu();
    rules_.add_to(app_, runtime_flag(), &command_);
    add_completions();
    add_man();
    add_examples(&app_);
  }

  ExitStatus run(std::vector<std::string> args) {
    if (!args.empty() && args[0] == kComplete) {
      io_.out << to_lines(complete(app_, Pack::embedded(), {args.begin() + 1, args.end()}));
      return ExitStatus::kGo;
    }
    const auto dashes = std::find(args.begin(), args.end(), "--");
    if (dashes != args.end()) {
      options_.session.command.assign(dashes + 1, args.end());
      has_command_ = true;
      args.erase(dashes, args.end());
    }
    std::reverse(args.begin(), args.end());
    try {
      app_.parse(args);
    } catch (const CLI::ParseError& e) {
      return app_.exit(e, io_.out, io_.err) == 0 ? ExitStatus::kGo : ExitStatus::kUsage;
    }
    if (!version_.empty()) options_.session.version = version_;
    return command_();
  }

 private:
  void session_options(CLI::App* command) {
    command
        ->add_option("--gpu", options_.session.gpus,
                     "GPUs of each node: b200x8, local, or a file of gonogo gpu --format json")
        ->type_name("GPU")
        ->allow_extra_args(false);
    command->add_option(runtime_flag(), version_, "the runtime's version, where it is not the installed one")
        ->type_name("VERSION");
    command
        ->add_option("--model-config", options_.session.model_config,
                     "config.json, or a folder with it, in place of the model's own")
        ->type_name("FILE");
    models_options(command);
  }
  void models_options(CLI::App* command) {
    command
        ->add_option("--models", options_.session.models, "a folder of models that are not where the launch has them")
        ->type_name("DIR")
        ->check(CLI::ExistingDirectory)
        ->allow_extra_args(false);
    command->add_flag("!--no-catalogue", options_.session.catalogue,
                      "don't look up a model among those that ship with gonogo");
    command->add_option("--rules", options_.session.rules, "a folder of rules laid over the built-in ones")
        ->type_name("DIR");
  }
  void format_option(CLI::App* command) {
    command->add_option("--format", options_.format, "text or json")->check(CLI::IsMember({"text", "json"}));
  }
  void color_option(CLI::App* command) {
    command->add_option("--color", options_.color, "auto, always or never")
        ->check(CLI::IsMember({"auto", "always", "never"}));
  }

  // `with`: the option without which they mean nothing.
  void verdict_options(CLI::App* command, CLI::Option* with = nullptr) {
    CLI::Option* fail_on =
        command->add_option("--fail-on", options_.fail_on, "exit 1 on a refusal (default) or also on a warning")
            ->check(CLI::IsMember({"refusal", "warning"}));
    CLI::Option* strict = command->add_flag("--strict", options_.strict, "exit 3 where the answer is UNKNOWN");
    for (CLI::Option* option : {fail_on, strict}) {
      if (with != nullptr) option->needs(with);
    }
  }

  // A command in whose answer the team's policy has a say; its options have to be there.
  void with_policy(CLI::App* command, std::function<ExitStatus()> act) {
    add_policy_options(command, &policy_);
    command->callback([this, command, act = std::move(act)] {
      command_ = [this, command, act] { return under_policy(command, act); };
    });
  }
  ExitStatus under_policy(CLI::App* command, const std::function<ExitStatus()>& act) {
    auto policy = warn_only_ ? take_policy_or_warn(command, policy_, io_) : take_policy(command, policy_);
    if (!policy) return report_error(policy.error(), io_);
    options_.policy = std::move(*policy);
    if (!version_.empty()) options_.session.version = version_;
    return act();
  }

  void check_format_option(CLI::App* command) {
    command->add_option("--format", options_.format, "text, json, jsonl, sarif, junit, github or markdown")
        ->check(CLI::IsMember(std::vector<std::string>(kCheckFormats.begin(), kCheckFormats.end())));
  }

  ExitStatus without_command(std::string_view name) {
    io_.err << "gonogo " << name << ": the launch is missing; write it after --: gonogo " << name
            << " --gpu b200x8 -- python -m …\n";
    return ExitStatus::kUsage;
  }

  void add_check() {
    CLI::App* check =
        app_.add_subcommand("check",
                            "GO, NO-GO or UNKNOWN for a launch, or for all that files hold: gonogo check [OPTIONS] "
                            "-- COMMAND, gonogo check [OPTIONS] FILE…");
    check->add_option("FILE", files_.files, "files, folders or patterns that hold launches; - for standard input");
    file_options(check);
    gpu_name_option(check);
    session_options(check);
    check_format_option(check);
    color_option(check);
    verdict_options(check);
    check->add_option("--locked", options_.locked, "exit 1 where a launch resolves otherwise than this lock says")
        ->type_name("FILE");
    with_policy(check, [this] {
      if (has_command_ && !files_.files.empty()) {
        io_.err << "gonogo check: give files or a launch behind --, not both\n";
        return ExitStatus::kUsage;
      }
      if (!files_.files.empty()) return check_files_command(files_, options_, io_);
      return has_command_ ? check_command(options_, io_) : without_command("check");
    });
  }

  void add_run() {
    CLI::App* run = app_.add_subcommand("run",
                                        "check a launch, and become it where the answer is GO or UNKNOWN: gonogo run "
                                        "[OPTIONS] -- COMMAND");
    session_options(run);
    check_format_option(run);
    color_option(run);
    verdict_options(run);
    run->add_flag("--warn-only", warn_only_, "start it whatever the answer");
    run->footer(
        "The report goes to standard error. Exit codes: the command's own; where it is not started, those of\n"
        "check, 126 where it can't be started, 127 where it is not there.");
    with_policy(run, [this] {
      return has_command_ ? run_command({options_, warn_only_}, io_) : without_command("run");
    });
  }

  void add_lock() {
    CLI::App* lock = app_.add_subcommand("lock",
                                         "write down what launches resolve to, for check --locked: gonogo lock "
                                         "[OPTIONS] -- COMMAND, gonogo lock [OPTIONS] FILE…");
    lock->add_option("FILE", files_.files, "files, folders or patterns that hold launches; - for standard input");
    lock->add_option("-o,--output", output_, "the lock (default: gonogo.lock); - for standard output")
        ->type_name("FILE");
    file_options(lock);
    gpu_name_option(lock);
    session_options(lock);
    lock->footer("Exit codes: 0 written, whatever the verdicts, 2 could not check or write, 4 wrong use.");
    lock->callback([this] {
      command_ = [this] {
        if (has_command_ == !files_.files.empty()) return without_command("lock");
        return lock_command({options_, files_, output_}, io_);
      };
    });
  }

  void file_options(CLI::App* command, CLI::Option* with = nullptr) {
    CLI::Option* known = command->add_option("--var", files_.known, "NAME=VALUE: what a file leaves open")
                             ->type_name("NAME=VALUE")
                             ->allow_extra_args(false);
    if (with != nullptr) known->needs(with);
  }
  void gpu_name_option(CLI::App* command, CLI::Option* with = nullptr) {
    CLI::Option* names =
        command->add_option("--gpu-name", files_.gpu_names, "LABEL=PROFILE: what a file's name for a GPU stands for")
            ->type_name("LABEL=PROFILE")
            ->allow_extra_args(false);
    if (with != nullptr) names->needs(with);
  }

  void add_launches() {
    CLI::App* launches = app_.add_subcommand("launches", "the launches that files hold, unchecked");
    launches->add_option("FILE", files_.files, "files, folders or patterns; - for standard input")->required();
    file_options(launches);
    launches->add_option("--format", files_.format, "text or json")->check(CLI::IsMember({"text", "json"}));
    launches->callback([this] { command_ = [this] { return launches_command(files_, io_); }; });
  }

  void add_explain() {
    CLI::App* explain = app_.add_subcommand("explain", "every step that made a flag what it is, or what a rule says");
    explain->add_option("WHAT", what_, "a flag, a field or a rule's id")->required()->type_name("FLAG_OR_RULE");
    session_options(explain);
    format_option(explain);
    explain->callback([this] { command_ = [this] { return explain_command(what_, options_, io_); }; });
  }

  void add_diff() {
    CLI::App* diff =
        app_.add_subcommand("diff",
                            "what two settings (A..B), two launches or a change of files resolve otherwise: "
                            "gonogo diff [OPTIONS] (-- COMMAND [--- COMMAND] | --base COMMIT [FILE…])");
    diff->add_option("--gpu", options_.session.gpus, "GPUs of each node, or two kinds of them: h200x8..b200x8")
        ->type_name("GPU")
        ->allow_extra_args(false);
    diff->add_option(runtime_flag(), versions_, "two versions, A..B, or one for both sides")
        ->type_name("VERSION")
        ->allow_extra_args(false);
    diff->add_option("--model-config", model_configs_, "two config.json files or folders, A..B, or one for both sides")
        ->type_name("FILE")
        ->allow_extra_args(false);
    models_options(diff);
    format_option(diff);
    color_option(diff);
    CLI::Option* base =
        diff->add_option("--base", base_, "a commit: what the files that differ from it change; all, or FILE…");
    diff->add_option("FILE", files_.files, "with --base: files, folders or patterns");
    file_options(diff, base);
    gpu_name_option(diff, base);
    verdict_options(diff, base);
    diff->footer("Exit codes: 0 the same, 1 different, 2 could not check, 4 wrong use; with --base those of check.");
    add_policy_options(diff, &policy_, base);
    diff->callback([this, diff] {
      command_ = [this, diff] {
        if (!base_.empty()) return under_policy(diff, [this] { return base_diff(); });
        if (!files_.files.empty()) {
          io_.err << "gonogo diff: files are compared with a commit: --base COMMIT FILE…\n";
          return ExitStatus::kUsage;
        }
        return has_command_ ? diff_command({options_, versions_, model_configs_}, io_) : without_command("diff");
      };
    });
  }

  ExitStatus base_diff() {
    if (has_command_ || versions_.size() > 1 || model_configs_.size() > 1) {
      io_.err << "gonogo diff: --base compares two states of files; give one version and model config, and no launch\n";
      return ExitStatus::kUsage;
    }
    if (!versions_.empty()) options_.session.version = versions_[0];
    if (!model_configs_.empty()) options_.session.model_config = model_configs_[0];
    return base_diff_command({options_, files_, base_}, io_);
  }

  void add_migrate() {
    CLI::App* migrate = app_.add_subcommand(
        "migrate",
        "launches as another version reads them: gonogo migrate [OPTIONS] FILE… | gonogo migrate [OPTIONS] -- COMMAND");
    migrate->add_option("FILE", files_.files, "files, folders or patterns that hold launches; - for standard input");
    file_options(migrate);
    migrate->add_flag("--write", migrate_.write, "change the files; without it the change is shown");
    migrate->add_option("--from", migrate_.from, "the version that they were written for")->type_name("VERSION");
    migrate->add_option("--to", migrate_.to, "the version that shall read them (default: the newest)")
        ->type_name("VERSION");
    format_option(migrate);
    migrate->footer("Exit codes: 0 that version takes them then, 1 it refuses them still, 4 wrong use.");
    migrate->callback([this] {
      command_ = [this] {
        if (has_command_ == !files_.files.empty()) return without_command("migrate");
        migrate_.command = options_.session.command;
        migrate_.files = files_;
        migrate_.format = options_.format;
        return migrate_command(migrate_, io_);
      };
    });
  }

  void add_plan() {
    CLI::App* plan = app_.add_subcommand(
        "plan", "what a GPU's memory holds, by estimate, and what fits: gonogo plan [OPTIONS] -- COMMAND");
    session_options(plan);
    format_option(plan);
    color_option(plan);
    plan->add_option("--request-length", lengths_, "tokens of one request, to say how many fit; may be given again")
        ->type_name("TOKENS")
        ->check(CLI::PositiveNumber);
    plan->footer("Exit codes: 0 planned, 1 the launch is refused, 2 could not plan, 4 wrong use.");
    plan->callback([this] {
      command_ = [this] { return has_command_ ? plan_command({options_, lengths_}, io_) : without_command("plan"); };
    });
  }

  void add_matrix() {
    CLI::App* matrix = app_.add_subcommand(
        "matrix",
        "the verdict of every combination of flags, GPUs, versions and variables: gonogo matrix --vary "
        "NAME=VALUE,VALUE [--vary …] -- COMMAND");
    matrix
        ->add_option("--vary", matrix_.vary,
                     "NAME=VALUE,VALUE: a flag, gpu, " + runtime_flag().substr(2) +
                         " (A..B too) or env.NAME; may be given again; "
                         "(unset): without it")
        ->required()
        ->type_name("NAME=VALUE,VALUE")
        ->allow_extra_args(false);
    session_options(matrix);
    matrix->add_option("--format", options_.format, "text, json, csv, markdown or html")
        ->check(CLI::IsMember({"text", "json", "csv", "markdown", "html"}));
    color_option(matrix);
    matrix->add_flag("--any", matrix_.any, "exit 0 where at least one is GO; without it the worst decides");
    matrix->add_flag("--strict", options_.strict, "exit 3 where that is UNKNOWN");
    matrix->add_option("-j", matrix_.workers, "how many launches at once (default: one a core)")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    matrix->callback([this] {
      command_ = [this] {
        if (!has_command_) return without_command("matrix");
        matrix_.check = options_;
        return matrix_command(matrix_, io_);
      };
    });
  }

  void add_doctor() {
    CLI::App* doctor = app_.add_subcommand("doctor",
                                           "which rule explains the failure in a log, and, with the launch, what would "
                                           "go: gonogo doctor --log FILE [OPTIONS] [-- COMMAND]");
    doctor->add_option("--log", what_, "a server's log or a traceback; - reads standard input")
        ->required()
        ->type_name("FILE");
    session_options(doctor);
    format_option(doctor);
    color_option(doctor);
    doctor->footer("Exit codes: 0 explained, 2 nothing in the log is explained, 4 wrong use.");
    doctor->callback([this] { command_ = [this] { return doctor_command(what_, options_, io_); }; });
  }

  void add_batch() {
    CLI::App* batch = app_.add_subcommand("batch", "recorded cases on standard input, an answer a line");
    batch->add_option(runtime_flag(), version_, "the version for all cases")->type_name("VERSION");
    batch->add_option("--models", models_, "the folder that holds the models named by cases")->type_name("DIR");
    batch->add_flag("--fixes", with_fixes_, "search changes that reach GO for each NO-GO");
    batch->callback([this] {
      command_ = [this] {
        const auto done = run_batch(Pack::embedded(), {version_, models_, with_fixes_}, io_.in, io_.out);
        if (!done) return report_error(done.error(), io_);
        return *done ? ExitStatus::kGo : ExitStatus::kCouldNotCheck;
      };
    });
  }

  void add_gpu() {
    CLI::App* gpu = app_.add_subcommand("gpu", "this machine's GPUs as rules see them, or a profile's");
    gpu->add_option("--gpu", options_.session.gpus, "local, a profile or a file")->type_name("GPU");
    format_option(gpu);
    gpu->callback([this] { command_ = [this] { return gpu_command(options_, io_); }; });
  }

  void add_completions() {
    CLI::App* completions = app_.add_subcommand("completions", "a shell's script for completion");
    completions->add_option("SHELL", what_, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    completions->callback([this] {
      command_ = [this] {
        io_.out << completion_script(what_);
        return ExitStatus::kGo;
      };
    });
  }

  void add_man() {
    CLI::App* man = app_.add_subcommand("man", "the manual page gonogo(1)");
    man->callback([this] {
      command_ = [this] {
        io_.out << manual_of(app_, GONOGO_VERSION, runtime_flag().substr(2));
        return ExitStatus::kGo;
      };
    });
  }

  Streams io_;
  CLI::App app_;
  CheckOptions options_;
  RulesCommands rules_;
  MigrateOptions migrate_;
  MatrixOptions matrix_;
  PolicyOptions policy_;
  FilesOptions files_;
  std::string version_;
  std::vector<std::string> versions_;
  std::vector<std::string> model_configs_;
  std::vector<std::int64_t> lengths_;
  std::string models_;
  std::string what_;
  std::string base_;
  std::string output_ = "gonogo.lock";
  bool with_fixes_ = false;
  bool warn_only_ = false;
  bool has_command_ = false;
  std::function<ExitStatus()> command_;
};

}  // namespace

int run_app(const std::vector<std::string>& args, std::istream& in, std::ostream& out, std::ostream& err) {
  App app({in, out, err});
  return static_cast<int>(app.run(args));
}

}  // namespace gonogo
