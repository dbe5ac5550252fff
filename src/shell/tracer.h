// Follows a script along one path after another, and records what it launches. One object, several files: flow
// (tracer.cpp), words (expansion.cpp, parameter.cpp), conditions (condition.cpp), the shell's own commands
// (builtins.cpp, printing.cpp, input.cpp), and programs that start others (wrappers.cpp, containers.cpp,
// terminals.cpp).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "launch/entry_point.h"
#include "shell/arithmetic.h"
#include "shell/job.h"
#include "shell/parser.h"
#include "shell/paths.h"
#include "shell/relevance.h"
#include "shell/state.h"
#include "shell/trace.h"

namespace gonogo {

// How a command ended.
enum class Status : std::uint8_t { kSuccess, kFailure, kOpen };

// What a condition comes to.
struct Decision {
  bool open = false;    // depends on what isn't known, or on a default
  bool value = false;   // what it is, or is with nothing set
  bool settled = true;  // `value` follows from known values and defaults alone
  // The condition, or one that it needs, is `name` = `literal` (or !=, where negated).
  struct Equality {
    std::string name;
    Text literal;
    bool negated = false;
  };
  std::vector<Equality> equalities;    // all hold where the condition does
  bool single = false;                 // the condition is its one equality
  std::vector<std::string> defaulted;  // variables with defaults that it reads
  std::string key;                     // the same for the same question
};

// What stands around a command that is about to start another program.
struct Launcher {
  std::vector<Text> words;                                           // from the program on
  std::vector<std::pair<std::string, std::optional<Text>>> changes;  // of the environment, in order; none: unset
  bool cleared = false;                                              // the environment starts empty
  CarrierFacts facts;
  TextOrigin place;           // where the simple command begins
  std::optional<Text> input;  // what it reads, where that is known
};

class Tracer {
 public:
  Tracer(const Pack& pack, Sources& sources, const ShellInput& input, const ShellLimits& limits);
  ShellTrace run();

 private:
  // tracer.cpp: flow
  void follow_path();
  Status execute(const CommandPtr& command);
  bool feeds(const Redirect& redirect, std::optional<Text>* fed);
  Status dispatch(const Command& command);
  Status list(const Command& command);
  Status and_or(const Command& command);
  Status conditional(const Command& command);
  Status loop_over(const Command& command);
  Status loop_arithmetic(const Command& command);
  Status loop_while(const Command& command);
  bool only_counts(const Command& loop, const std::string& counter);
  bool takes_arguments(const Command& condition) const;
  bool reads_lines(const Command& condition) const;
  Status case_of(const Command& command);
  Status pipeline(const Command& command);
  Status subshell(const std::function<Status()>& inner);
  bool condition(const CommandPtr& command);
  Status settled(const CommandPtr& command);
  bool may_launch(const Command& command) const;
  bool is_test(const Command& command) const;
  bool loop_control();
  Status simple(const Command& command);
  Status call(const CommandPtr& function, std::vector<Text> words,
              const std::vector<std::pair<std::string, Text>>& prefix);
  Status run_text(Text text, TextOrigin place, const CarrierFacts& facts);
  bool stop();  // whether nothing more happens on this path
  void note(std::string text);
  TextOrigin place_of(const Command& command) const;

  // expansion.cpp: words
  struct Builder;
  std::vector<Text> expand_words(const std::vector<SyntaxWord>& words);
  Text expand_text(const SyntaxWord& word, bool assignment = false);
  // A pattern with what was quoted behind backslashes; none where it isn't known.
  std::optional<std::string> expand_pattern(const SyntaxWord& word);
  void expand_parts(const SyntaxWord& word, bool operand, Builder* out);
  void expand_word(const SyntaxWord& word, bool assignment, Builder* out);
  void expand_command(const SyntaxPart& part, Builder* out);
  void expand_arithmetic(const SyntaxPart& part, Builder* out);
  std::optional<Text> capture(const std::function<void()>& inner);
  ArithmeticResult arithmetic(const SyntaxWord& expression, bool* defaulted);
  ArithmeticNames arithmetic_names(bool* defaulted);

  // parameter.cpp
  struct Value {
    enum class Kind : std::uint8_t { kUnset, kSet, kUnknown };
    Kind kind = Kind::kUnset;
    Text text;
  };
  void expand_parameter(const SyntaxPart& part, Builder* out);
  void expand_list(const SyntaxPart& part, Builder* out);
  Value value_of(const std::string& name, const SyntaxPart* part);
  Value element_of(const Variable& variable, const SyntaxPart& part);
  Text as_written(const SyntaxPart& part) const;
  Text transform(const SyntaxPart& part, const Text& value);
  std::optional<std::string> known_value(const std::string& name) const;
  void assign(const std::string& name, Text value, bool append = false);
  void assign(const Assignment& assignment, bool local_scope = false);
  Text named(const std::string& name, Text value) const;
  void set_unknown(const std::string& name);
  // The variable that a name stands for: its own, or that which `local -n` made it refer to.
  const std::string& referred(const std::string& name) const;
  Variable& variable(const std::string& name);

  // condition.cpp
  struct Operand {
    Text text;
    const SyntaxWord* word = nullptr;
  };
  std::optional<Decision> test_command(const Command& command);
  Decision test_or(const std::vector<Operand>& operands, std::size_t* at);
  Decision test_and(const std::vector<Operand>& operands, std::size_t* at);
  Decision test_one(const std::vector<Operand>& operands, std::size_t* at);
  Decision test(const Condition& condition);
  Decision unary(const std::string& op, const Operand& operand);
  Decision binary(const std::string& op, const Operand& left, const Operand& right, bool pattern);
  Decision arithmetic_test(const SyntaxWord& expression);
  void read(const Operand& operand, Decision* out);
  bool decide(const Decision& verdict, const std::string& written);
  void suppose(const Decision& verdict, bool outcome);
  void refine(const std::string& name, const Text& value);
  void forget_default(const std::string& name);
  std::string single_name(const SyntaxWord& word) const;
  std::string key_of(const SyntaxWord& word) const;
  std::string fact_key(const std::string& name, const std::string& literal) const;

  // builtins.cpp
  std::optional<Status> builtin(const Command& command, std::vector<Text>& words, Launcher& launcher);
  Status declare(const Command& command, const std::vector<Text>& words);
  Status source(const std::vector<Text>& words, TextOrigin place, const std::optional<Text>& input);
  Status set_options(const std::vector<Text>& words);

  // printing.cpp
  void print(const Text& text);
  void echo(const std::vector<Text>& words);
  void format(const std::vector<Text>& words);

  // input.cpp
  Status read_input(const Command& command, const std::vector<Text>& words, const Launcher& launcher);
  void set_elements(const std::string& name, std::optional<std::vector<Text>> elements);

  // wrappers.cpp
  Status start(Launcher launcher);
  bool record(const Launcher& launcher);
  bool unwrap(Launcher* launcher, Status* status);
  Status shell(const Launcher& launcher);
  // `fed`: the text came from the launcher's input, which is used up by it.
  Status run_shell(const Launcher& launcher, Text text, std::vector<Text> arguments, bool fed = false);
  void move(Launcher* launcher, std::string name) const;
  void environment_of(Launcher* launcher);
  std::map<std::string, FoundWord> environment(const Launcher& launcher,
                                               std::map<std::string, Variable>* variables) const;
  FoundWord found(const Text& text) const;
  std::optional<Text> read_file(FileRequest::Kind kind, const Text& path);
  static std::string file_key(const Text& path);
  void write_file(const Text& path, const Text& text, bool append);

  // terminals.cpp
  bool hand_over(Launcher* launcher, Status* status);
  bool run_elsewhere(Launcher* launcher, Text text, Status* status);
  bool type_keys(Launcher* launcher, Status* status);
  bool feed_arguments(Launcher* launcher);

  // containers.cpp
  bool container(Launcher* launcher, std::size_t first);
  bool slurm_step(Launcher* launcher);
  void read_env_file(const Text& path, Launcher* launcher);

  const Pack& pack_;
  Sources& sources_;
  const ShellInput& input_;
  const ShellLimits& limits_;
  struct Entry {
    std::string name;
    EntryPoint point;
    std::uint32_t companion = kNoIndex;  // as FoundLaunch has it
  };
  std::vector<Entry> entries_;

  Paths paths_;
  ShellState state_;
  Relevance relevance_;  // of the script that is followed
  struct ReadText {
    ParsedScript parsed;
    Relevance relevance;
  };
  // By where a text begins, and how long it is.
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::size_t>, std::shared_ptr<const ReadText>> read_texts_;
  std::map<std::string, std::optional<Text>> asked_files_;  // what `files` gave, by kind and path
  std::map<const Command*, bool> counting_;                 // loops, and whether they only count
  CarrierFacts facts_;
  TextOrigin through_;  // the command that runs the present text
  std::size_t steps_ = 0;
  std::size_t path_steps_ = 0;
  std::size_t depth_ = 0;
  int break_ = 0;  // loops to leave; negative: to go on with
  int loops_ = 0;
  bool return_ = false;
  bool exit_ = false;   // of this shell
  bool end_ = false;    // of the path
  bool given_ = false;  // variables that nobody knows are taken to be there, where it can be either
  bool muted_ = false;  // later passes of a loop that counts once
  struct Output {
    Text text;
    bool known = true;
  };
  Output* output_ = nullptr;  // where printed text goes; null: to the terminal
  std::optional<Text> input_text_;

  // One launch, whatever the paths that lead to it.
  std::vector<FoundLaunch> launches_;
  std::map<std::string, std::size_t> known_launches_;
  std::set<std::size_t> by_default_;
  std::vector<NotLaunch> not_launches_;
  std::set<std::string> notes_;
};

}  // namespace gonogo
