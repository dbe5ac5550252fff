#include "facts/gpu_probe.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace gonogo {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxAnswer = 4u << 20;
constexpr std::string_view kHint = "--gpu NAMExCOUNT or --gpu FILE.json answers without the driver";

// The first byte of the child's answer, and what follows it.
constexpr char kGpus = 'G';      // the GPUs as JSON
constexpr char kNoDriver = 'N';  // nothing
constexpr char kFault = 'E';     // what, NUL, hint

Error failed(std::string what, std::string_view hint = kHint) {
  return {Error::Kind::kInput, std::move(what), {}, std::string(hint), {}};
}

// What the child does: asks, and returns its answer.
std::string ask(const Environment& env, const ProbeOptions& options) {
  // Both are read before either is changed: below `env` may lie this process's own environment.
  const std::optional<std::string> list = env.get("CUDA_VISIBLE_DEVICES");
  const std::optional<std::string> order = env.get("CUDA_DEVICE_ORDER");
  ::unsetenv("CUDA_VISIBLE_DEVICES");
  if (order) {
    ::setenv("CUDA_DEVICE_ORDER", order->c_str(), 1);
  } else {
    ::unsetenv("CUDA_DEVICE_ORDER");
  }
  const auto facts = ask_driver(options.libraries);
  if (!facts) return kFault + facts.error().what + '\0' + facts.error().hint;
  if (!*facts) return {kNoDriver};
  GpuSet set;
  set.gpus = visible((*facts)->devices, list);
  set.source = "NVIDIA driver";
  if (!(*facts)->version.empty()) set.source += " " + (*facts)->version;
  if (list) set.source += ", CUDA_VISIBLE_DEVICES=" + *list;
  return kGpus + gpus_to_json(set, false);
}

[[noreturn]] void child(int to, const Environment& env, const ProbeOptions& options) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a hanging child ends with its parent
  for (const int number : {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE}) ::signal(number, SIG_DFL);
  // Whatever a library prints is not ours to show.
  if (const int null = ::open("/dev/null", O_RDWR); null >= 0) {
    ::dup2(null, STDOUT_FILENO);
    ::dup2(null, STDERR_FILENO);
  }
  std::string answer;
  try {
    answer = ask(env, options);
  } catch (const std::exception& e) {
    answer = std::string(1, kFault) + "asking the GPU driver: " + e.what();
  }
  for (std::size_t at = 0; at < answer.size();) {
    const ssize_t written = ::write(to, answer.data() + at, answer.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    at += static_cast<std::size_t>(written);
  }
  ::_exit(0);  // no destructors of a driver that may be stuck
}

// Waits until the child has ended; false where it has not by the deadline.
bool wait_for(pid_t pid, int* status, Clock::time_point deadline) {
  while (true) {
    const pid_t ended = ::waitpid(pid, status, WNOHANG);
    if (ended == pid || (ended < 0 && errno != EINTR)) return true;
    if (Clock::now() >= deadline) return false;
    ::poll(nullptr, 0, 1);
  }
}

// Ends the child. One that is stuck inside the kernel can't be ended, and is left behind.
void kill_child(pid_t pid) {
  ::kill(pid, SIGKILL);
  int status = 0;
  wait_for(pid, &status, Clock::now() + std::chrono::milliseconds(500));
}

}  // namespace

Result<std::optional<GpuSet>> probe_gpus(const Environment& env, const ProbeOptions& options) {
  const Clock::time_point deadline = Clock::now() + options.time_limit;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return failed(std::string("no pipe to ask the GPU driver: ") + std::strerror(errno));
  const pid_t pid = ::fork();
  if (pid < 0) {
    const int code = errno;
    ::close(ends[0]);
    ::close(ends[1]);
    return failed(std::string("no process to ask the GPU driver: ") + std::strerror(code));
  }
  if (pid == 0) {
    ::close(ends[0]);
    child(ends[1], env, options);
  }
  ::close(ends[1]);

  std::string answer;
  bool ended = false;
  while (!ended && answer.size() <= kMaxAnswer) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    struct pollfd wait {
      ends[0], POLLIN, 0
    };
    const int ready = left > 0 ? ::poll(&wait, 1, static_cast<int>(left)) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) break;
    char buffer[4096];
    const ssize_t got = ::read(ends[0], buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got > 0) answer.append(buffer, static_cast<std::size_t>(got));
    ended = got <= 0;
  }
  ::close(ends[0]);
  if (!ended) {
    kill_child(pid);
    return failed("the GPU driver did not answer within " + std::to_string(options.time_limit.count()) + " ms");
  }
  int status = 0;
  if (!wait_for(pid, &status, deadline)) kill_child(pid);  // the answer is there, so its end does not matter
  if (WIFSIGNALED(status)) {
    return failed(std::string("the GPU driver crashed when asked (") + ::strsignal(WTERMSIG(status)) + ")");
  }

  if (answer.empty()) return failed("the GPU driver ended the process that asked it");
  const std::string_view body = std::string_view(answer).substr(1);
  if (answer[0] == kNoDriver) return std::optional<GpuSet>();
  if (answer[0] == kFault) {
    const std::size_t end = body.find('\0');
    const std::string_view hint = end == std::string_view::npos ? std::string_view() : body.substr(end + 1);
    return failed(std::string(body.substr(0, end)), hint.empty() ? kHint : hint);
  }
  Result<GpuSet> set = gpus_of_json(body, "the GPU driver");
  if (!set) return set.error();
  return std::optional(std::move(*set));
}

Result<std::optional<GpuSet>> local_gpus(const Environment& env) {
  using Key = std::pair<std::optional<std::string>, std::optional<std::string>>;
  static std::mutex mutex;
  static std::map<Key, Result<std::optional<GpuSet>>> known;
  static bool no_driver = false;
  const std::lock_guard lock(mutex);
  if (no_driver) return std::optional<GpuSet>();
  Key key{env.get("CUDA_VISIBLE_DEVICES"), env.get("CUDA_DEVICE_ORDER")};
  const auto at = known.find(key);
  if (at != known.end()) return at->second;
  auto probed = probe_gpus(env);
  no_driver = probed.ok() && !*probed;
  return known.emplace(std::move(key), std::move(probed)).first->second;
}

}  // namespace gonogo
