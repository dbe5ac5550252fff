#include <iostream>
#include "cli/batch.h"
int main(int argc, char** argv) {
  gonogo::BatchOptions o; for (int i = 2; i + 1 < argc; i += 2) { std::string a = argv[i]; if (a == "--sglang") o.version = argv[i+1]; if (a == "--models") o.models_dir = argv[i+1]; }
  std::ios::sync_with_stdio(false);
  auto r = gonogo::run_batch(gonogo::Pack::embedded(), o, std::cin, std::cout);
  return r ? 0 : 2;
}
