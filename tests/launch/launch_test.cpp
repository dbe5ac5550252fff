#include "launch/launch.h"

#include <string>
#include <vector>

#include "catch.h"
#include "flags/small_pack.h"
#include "launch/entry_point.h"

using namespace gonogo;
using namespace gonogo::testing;

namespace {

// "NAME=VALUE … ; program ; arguments", or the error's text and hint.
std::string read(const std::vector<std::string>& argv) {
  const Result<Launch> launch = read_command(small_pack(), argv);
  if (!launch) return launch.error().what + " (" + launch.error().hint + ")";
  std::string out = launch->clear_env ? "-i" : "";
  for (const std::string& name : launch->unset) out += (out.empty() ? "-u " : " -u ") + name;
  for (const auto& [name, value] : launch->env) out += (out.empty() ? "" : " ") + name + "=" + value;
  out += " ;";
  for (const Word& word : launch->program) out += " " + word.text;
  out += " ;";
  for (const Word& word : launch->args) out += " " + word.text;
  return out;
}

struct Row {
  const char* line;
  const char* wanted;
};

constexpr const char* kKnown = "known are: python -m toy.launch, toy serve; or give the arguments alone";

}  // namespace

TEST_CASE("entry points start the runtime", "[launch]") {
  for (const Row& row : {
           Row{"python -m toy.launch --size 2", " ; python -m toy.launch ; --size 2"},
           {"python3 -m toy.launch", " ; python3 -m toy.launch ;"},
           {"/opt/venv/bin/python3.11 -m toy.launch --x", " ; /opt/venv/bin/python3.11 -m toy.launch ; --x"},
           {"python3 -u -m toy.launch a", " ; python3 -u -m toy.launch ; a"},
           {"python -OO -W ignore -X dev -m toy.launch a", " ; python -OO -W ignore -X dev -m toy.launch ; a"},
           {"python -Wignore -um toy.launch a", " ; python -Wignore -um toy.launch ; a"},
           {"python -mtoy.launch a", " ; python -mtoy.launch ; a"},
           {"toy serve --size 2", " ; toy serve ; --size 2"},
           {"/usr/bin/toy serve", " ; /usr/bin/toy serve ;"},
           {"--size 2", " ; ; --size 2"},
           {"A=1 --size 2", "A=1 ; ; --size 2"},
       }) {
    INFO(row.line);
    CHECK(read(split(row.line)) == row.wanted);
  }
}

TEST_CASE("what the command does before the parser", "[launch]") {
  for (const Row& row : {
           Row{"toy serve m --size 2", " ; toy serve ; --model m --size 2"},
           {"toy serve --backend llm m", " ; toy serve ; --model m"},
           {"toy serve --backend=llm --model m", " ; toy serve ; --model m"},
           {"toy serve --model m --backend", " ; toy serve ; --model m"},
           {"toy serve --backends x", " ; toy serve ; --backends x"},
           {"python -m toy.launch m --backend x", " ; python -m toy.launch ; m --backend x"},
       }) {
    INFO(row.line);
    CHECK(read(split(row.line)) == row.wanted);
  }
}

TEST_CASE("the environment before the command", "[launch]") {
  for (const Row& row : {
           Row{"A=1 _b2=x=y toy serve", "A=1 _b2=x=y ; toy serve ;"},
           {"env A=1 toy serve", "A=1 ; toy serve ;"},
           {"/usr/bin/env A= toy serve", "A= ; toy serve ;"},
           {"env -i A=1 toy serve", "-i A=1 ; toy serve ;"},
           {"env -u B --unset=C -- A=1 toy serve", "-u B -u C A=1 ; toy serve ;"},
           {"A=1 env A=2 toy serve", "A=1 A=2 ; toy serve ;"},
           {"toy serve A=1", " ; toy serve ; --model A=1"},
           {"env -S x toy serve", "env's option -S is not understood here (use -i, -u NAME and NAME=VALUE)"},
       }) {
    INFO(row.line);
    CHECK(read(split(row.line)) == row.wanted);
  }
}

TEST_CASE("what is no entry point names those that are", "[launch]") {
  for (const Row& row : {
           Row{"", "there is no command to check"},
           {"A=1", "there is no command to check"},
           {"bash -c x", "'bash' is not a command that starts the runtime"},
           {"python app.py", "'python' is not a command that starts the runtime"},
           {"python -c x -m toy.launch", "'python' is not a command that starts the runtime"},
           {"pythonic -m toy.launch", "'pythonic' is not a command that starts the runtime"},
           {"python3. -m toy.launch", "'python3.' is not a command that starts the runtime"},
           {"python -m", "'python' is not a command that starts the runtime"},
           {"1A=1 toy serve", "'1A=1' is not a command that starts the runtime"},
       }) {
    INFO(row.line);
    const std::string text = read(split(row.line));
    CHECK(text.substr(0, text.find(" (")) == row.wanted);
    CHECK(text.find(kKnown) != std::string::npos);
  }
  CHECK(read(split("python -m toy.lanch --size 2")) ==
        "'toy.lanch' does not start the runtime (did you mean toy.launch?)");
  CHECK(read(split("/bin/toy srve m")) == "'srve' does not start the runtime (did you mean serve?)");
  const Result<Launch> launch = read_command(small_pack(), {"A=1", "bash"});
  REQUIRE_FALSE(launch.ok());
  CHECK(launch.error().kind == Error::Kind::kUsage);
  CHECK(launch.error().excerpt == "A=1 bash\n    ^");
}

TEST_CASE("every word has its place in the command as one line", "[launch]") {
  const Result<Launch> launch =
      read_command(small_pack(), {"A=b c", "toy", "serve", "m", "--tags", "\xc3\xbc", "it's", "", "--size", "2\n3"});
  REQUIRE(launch.ok());
  CHECK(launch->sources[0].name == kCommandLine);
  CHECK(launch->sources[0].text == "'A=b c' toy serve m --tags '\xc3\xbc' 'it'\\''s' '' --size '2 3'");
  std::string columns;
  for (const Word& word : launch->args) columns += std::to_string(word.place.column) + " ";
  CHECK(columns == "19 19 21 28 32 42 45 52 ");
  CHECK(excerpt(*launch, launch->args[4].place) == launch->sources[0].text + "\n" + std::string(31, ' ') + "^");
  CHECK(excerpt(*launch, Place{"elsewhere", 1, 1}).empty());
  CHECK(excerpt(*launch, Place{"argv", 0, 0}).empty());
  CHECK(excerpt(*launch, Place{"argv", 9, 900}).find('^') != std::string::npos);
}

TEST_CASE("secrets don't stand in the line", "[launch]") {
  const Result<Launch> launch = read_command(small_pack(), {"TOKEN_OF_X=abc", "toy", "serve", "m", "--api-key",
                                                            "s3cret", "--api-key=s3cret", "--api-key", "--size"});
  REQUIRE(launch.ok());
  CHECK(launch->sources[0].text == "TOKEN_OF_X=*** toy serve m --api-key *** --api-key=*** --api-key --size");
  CHECK(launch->args[3].text == "s3cret");
  CHECK(launch->env[0].second == "abc");
  CHECK(is_secret(small_pack(), "MY_API_KEY"));
  CHECK(is_secret(small_pack(), "api-key"));
  CHECK_FALSE(is_secret(small_pack(), "--max-tokens"));
  CHECK_FALSE(is_secret(small_pack(), "--api-keys"));
  CHECK_FALSE(is_secret(small_pack(), "--grapi-key"));
}

TEST_CASE("a command is bounded", "[launch]") {
  std::vector<std::string> many = {"toy", "serve"};
  many.resize(100'000, "x");
  const Result<Launch> words = read_command(small_pack(), many);
  REQUIRE_FALSE(words.ok());
  CHECK(words.error().what == "the command has more than 16384 words");
  CHECK(words.error().place.column > 16'384);
  const Result<Launch> bytes = read_command(small_pack(), {"toy", "serve", std::string(5u << 20, 'x')});
  REQUIRE_FALSE(bytes.ok());
  CHECK(bytes.error().what == "the command has more than 4 MiB");
  CHECK(bytes.error().kind == Error::Kind::kUsage);
}

TEST_CASE("quoting for a shell", "[launch]") {
  for (const Row& row : {Row{"a", "a"},
                         {"--a=b/c:1,2", "--a=b/c:1,2"},
                         {"", "''"},
                         {"a b", "'a b'"},
                         {"$x", "'$x'"},
                         {"it's", "'it'\\''s'"},
                         {"{\"a\": 1}", "'{\"a\": 1}'"},
                         {"~", "'~'"},
                         {"*", "'*'"}}) {
    CHECK(shell_quoted(row.line) == row.wanted);
  }
}

TEST_CASE("an entry point's text", "[launch]") {
  const EntryPoint entry = parse_entry_point("  toy  serve [--model] !--a !--b=own/auto !--c=own ");
  CHECK(to_text(entry) == "toy serve");
  CHECK(entry.leading == "--model");
  std::string taken;
  for (const TakenFlag& t : entry.taken) {
    taken += std::string(t.flag) + "(" + std::string(t.own) + "," + std::string(t.by_model) + ") ";
  }
  CHECK(taken == "--a(,) --b(own,auto) --c(own,) ");
  CHECK(match(parse_entry_point(""), {"x"}, 0) == 0);
  CHECK(match(entry, {"toy"}, 0) == 0);
  CHECK(match(entry, {"toy", "serve"}, 2) == 0);
}

TEST_CASE("a command may start something else", "[launch]") {
  struct Choice {
    const char* entry;
    std::vector<std::string> words;
    const char* args;
    Started started;
  };
  const Choice rows[] = {
      {"toy", {"--size", "2"}, "--size 2", Started::kRuntime},
      {"toy !--kind", {"--kind", "other", "--size", "2"}, "--size 2", Started::kRuntime},
      {"toy !--kind=own/auto", {"--size", "2"}, "--size 2", Started::kByModel},
      {"toy !--kind=own/auto", {"--kind", "auto", "--size", "2"}, "--size 2", Started::kByModel},
      {"toy !--kind=own/auto", {"--kind=own"}, "", Started::kRuntime},
      {"toy !--kind=own/auto", {"--size", "2", "--kind", "own"}, "--size 2", Started::kRuntime},
      {"toy !--kind=own/auto", {"--kind=third", "--size", "2"}, "--size 2", Started::kOther},
      {"toy !--kind=own/auto", {"--kind"}, "", Started::kByModel},
      {"toy !--kind=own/auto", {"--kinds=third"}, "--kinds=third", Started::kByModel},
  };
  for (const Choice& row : rows) {
    std::vector<Word> words;
    std::string line = row.entry;
    for (const std::string& text : row.words) {
      words.push_back({text, {}});
      line += " " + text;
    }
    INFO(line);
    Launch launch;
    hand_on(parse_entry_point(row.entry), std::move(words), &launch);
    std::string args;
    for (const Word& word : launch.args) args += (args.empty() ? "" : " ") + word.text;
    CHECK(args == row.args);
    CHECK(launch.started == row.started);
    CHECK(launch.chosen_by == (std::string(row.entry).find('=') == std::string::npos ? "" : "--kind own"));
  }
  // What is not known may be anything.
  Launch launch;
  hand_on(parse_entry_point("toy !--kind=own/auto"), {{"--kind", {}}, {"${KIND}", {}, "KIND"}}, &launch);
  CHECK(launch.started == Started::kOther);
}
