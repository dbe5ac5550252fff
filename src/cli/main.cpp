#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "cli/app.h"
#include "cli/exit_status.h"

namespace {

// A crash must never look like NO-GO.
void on_crash(int) {
  constexpr char kText[] = "gonogo: internal error: the program crashed; this is no verdict\n";
  const auto ignored = write(STDERR_FILENO, kText, sizeof kText - 1);
  static_cast<void>(ignored);
  _exit(static_cast<int>(gonogo::ExitStatus::kInternal));
}
void on_interrupt(int) { _exit(static_cast<int>(gonogo::ExitStatus::kInterrupted)); }

}  // namespace

int main(int argc, char** argv) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(signal, on_crash);
  for (const int signal : {SIGINT, SIGTERM}) {
    // What the caller has ignored (nohup, a background job) stays ignored, here and in what `run` starts.
    if (std::signal(signal, on_interrupt) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
  std::ios::sync_with_stdio(false);
  try {
    const int status = gonogo::run_app({argv + 1, argv + argc}, std::cin, std::cout, std::cerr);
    std::cout.flush();
    if (std::cout) return status;
    std::cerr << "gonogo: standard output can't be written\n";
  } catch (const std::exception& e) {
    std::cerr << "gonogo: internal error: " << e.what() << '\n';
  }
  return static_cast<int>(gonogo::ExitStatus::kInternal);
}
