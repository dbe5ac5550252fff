#include "cli/run_binary.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "paths.h"

namespace gonogo::test {

namespace {

std::string temporary(const char* what) {
  std::string path = std::string("/tmp/gonogo-test-") + what + "-XXXXXX";
  const int fd = mkstemp(path.data());
  if (fd >= 0) close(fd);
  return path;
}

std::string take(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  unlink(path.c_str());
  return text.str();
}

}  // namespace

Ran run_gonogo(const std::vector<std::string>& args, const std::string& input, const std::vector<std::string>& env) {
  return run_program(GONOGO_BINARY, args, input, env);
}

Ran run_program(const std::string& program, const std::vector<std::string>& args, const std::string& input,
                const std::vector<std::string>& env) {
  const std::string in = temporary("in");
  const std::string out = temporary("out");
  const std::string err = temporary("err");
  std::ofstream(in, std::ios::binary) << input;
  std::vector<std::string> words{program};
  words.insert(words.end(), args.begin(), args.end());
  std::vector<std::string> variables{"PATH=/usr/bin:/bin", "HOME=/nonexistent", "TERM=dumb"};
  variables.insert(variables.end(), env.begin(), env.end());
  const auto pointers = [](std::vector<std::string>& texts) {
    std::vector<char*> list;
    for (std::string& t : texts) list.push_back(t.data());
    list.push_back(nullptr);
    return list;
  };
  const pid_t child = fork();
  if (child == 0) {
    dup2(open(in.c_str(), O_RDONLY), STDIN_FILENO);
    dup2(open(out.c_str(), O_WRONLY | O_TRUNC), STDOUT_FILENO);
    dup2(open(err.c_str(), O_WRONLY | O_TRUNC), STDERR_FILENO);
    execve(program.c_str(), pointers(words).data(), pointers(variables).data());
    _exit(127);
  }
  Ran ran;
  int status = 0;
  waitpid(child, &status, 0);
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  unlink(in.c_str());
  ran.out = take(out);
  ran.err = take(err);
  return ran;
}

}  // namespace gonogo::test
