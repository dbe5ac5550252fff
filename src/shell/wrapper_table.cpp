#include <string>

#include "launch/entry_point.h"
#include "shell/wrappers.h"

namespace gonogo {

namespace {

// Options are those of the programs' manuals.
constexpr Wrapper kWrappers[] = {
    {"nohup", "", "", 0},
    {"timeout", "ks", " kill-after signal ", 1},
    {"gtimeout", "ks", " kill-after signal ", 1},
    {"stdbuf", "ioe", " input output error ", 0},
    {"unbuffer", "", "", 0},
    {"taskset", "", "", 1},
    {"numactl", "CNmilpPw",
     " interleave weighted-interleave preferred preferred-many physcpubind cpunodebind membind shm file length offset "
     "shmmode ",
     0},
    {"nice", "n", " adjustment ", 0},
    {"ionice", "cn", " class classdata ", 0},
    {"chrt", "TPD", "", 1},
    {"setsid", "", "", 0},
    {"sudo", "ugpCDhrtTUR", " user group host prompt chdir chroot close-from role type other-user command-timeout ", 0},
    {"doas", "uC", "", 0},
    {"gosu", "", "", 1},
    {"su-exec", "", "", 1},
    {"setpriv", "", " reuid regid groups ", 0},
    {"time", "of", " output format ", 0},
    {"catchsegv", "", "", 0},
    {"dumb-init", "r", " rewrite ", 0},
    {"tini", "ep", "", 0},
    {"catatonit", "", "", 0},
    {"flock", "wE", " timeout wait conflict-exit-code ", 1},
    {"chroot", "", "", 1},
    {"cgexec", "g", "", 0},
    {"prlimit", "p", "", 0},
    {"systemd-run", "pupE", " property unit slice uid gid setenv working-directory description nice ", 0},
    {"strace", "oeEpsuaIOSPb", " output trace ", 0},
    {"perf stat", "eopr", " event output repeat ", 0},
    {"perf record", "eoFcgm", " event output freq count call-graph ", 0},
    {"gdb", "", " ex ", 0},
    {"nsys profile", "otfcwsebydxnpkh", "", 0, true},
    {"nsys launch", "twsebc", "", 0, true},
    {"ncu", "ockfpst", " launch-skip launch-count kernel-name export set section metrics target-processes page ", 0},
    {"compute-sanitizer", "", " tool log-file ", 0},
    {"rocprof", "iod", "", 0},
    {"rocprofv3", "iod", "", 0},
    {"py-spy record", "ofdrpt", " output format duration rate pid threads ", 0},
    {"pipx run", "", " spec python index-url pip-args ", 0},
    {"runuser", "ugGswP", " user group supp-group shell whitelist-environment ", 0},
    {"unshare", "SRGw", " setuid setgid root wd propagation ", 0},
    {"nsenter", "tSGrw", " target setuid setgid root wd ", 0},
    {"ip netns exec", "", "", 1},
    {"systemd-inhibit", "", " what who why mode ", 0},
    {"flux run", "NngcoxtqB", " nodes ntasks gpus-per-task cores-per-task setopt time-limit queue env output error ",
     0},
    {"proxychains", "f", "", 0},
    {"proxychains4", "f", "", 0},
    {"conda run", "np", " name prefix cwd ", 0},
    {"mamba run", "npea", " name prefix cwd env attach ", 0},
    {"micromamba run", "npea", " name prefix cwd env attach ", 0},
    {"uv run", "pPCfi",
     " with with-editable with-requirements extra no-extra group no-group only-group env-file python package project "
     "directory"
     " index default-index index-url extra-index-url find-links config-file cache-dir color index-strategy "
     "keyring-provider"
     " resolution prerelease upgrade-package reinstall-package refresh-package link-mode no-binary-package "
     "no-build-package"
     " config-setting exclude-newer python-platform ",
     0},
    {"uvx", "pPCfi",
     " from with with-editable with-requirements python index default-index index-url extra-index-url env-file ", 0},
    {"uv tool run", "pPCfi",
     " from with with-editable with-requirements python index default-index index-url extra-index-url env-file ", 0},
    {"poetry run", "CP", " directory project ", 0},
    {"pipenv run", "", " ", 0},
    {"pdm run", "p", " project ", 0},
    {"rye run", "", "", 0},
    {"hatch run", "", "", 0},
    {"pixi run", "e", " environment manifest-path ", 0},
    {"mpirun", "", "", 0},
    {"mpiexec", "", "", 0},
    {"srun", "", "", 0},
    {"ibrun", "no", "", 0},
    {"aprun", "nNdSj", "", 0},
    {"jsrun", "nacgprdb", "", 0},
    {"singularity exec", "BHWSe", " bind env env-file home overlay pwd workdir scratch cpus memory nvccli network ", 1},
    {"apptainer exec", "BHWSe", " bind env env-file home overlay pwd workdir scratch cpus memory network ", 1},
    {"singularity run", "BHWSe", " bind env env-file home overlay pwd workdir scratch ", 1},
    {"apptainer run", "BHWSe", " bind env env-file home overlay pwd workdir scratch ", 1},
    {"enroot start", "cemr", " conf env mount rc ", 1},
};

std::size_t name_words(std::string_view name) {
  std::size_t count = 1;
  for (const char c : name) count += c == ' ' ? 1 : 0;
  return count;
}

}  // namespace

const Wrapper* find_wrapper(const std::vector<Text>& words) {
  if (words.empty() || !words[0].known()) return nullptr;
  const std::string first(base_name(words[0].chars()));
  for (const Wrapper& wrapper : kWrappers) {
    std::string name = first;
    const std::size_t count = name_words(wrapper.name);
    for (std::size_t i = 1; i < count && i < words.size(); ++i) name += " " + words[i].shown();
    if (name == wrapper.name) return &wrapper;
  }
  return nullptr;
}

std::size_t wrapper_words(const Wrapper& wrapper, const std::vector<Text>& words) {
  std::size_t at = name_words(wrapper.name);
  for (; at < words.size(); ++at) {
    const std::string word = words[at].shown();
    if (word.size() < 2 || word[0] != '-') break;
    if (word == "--") {
      ++at;
      break;
    }
    if (word == "-m" && (wrapper.name == "uv run")) break;  // a module, as of python
    if (word[1] == '-' || wrapper.name == "gdb") {
      const std::string name = word.substr(word.find_first_not_of('-'));
      if (name.find('=') != std::string::npos) continue;
      const bool listed = wrapper.longs.find(" " + name + " ") != std::string_view::npos;
      if (listed != wrapper.all_longs) ++at;
      continue;
    }
    for (std::size_t i = 1; i < word.size(); ++i) {
      if (wrapper.shorts.find(word[i]) == std::string_view::npos) continue;
      if (i + 1 == word.size()) ++at;  // its value is the next word
      break;
    }
  }
  return at + wrapper.operands;
}

}  // namespace gonogo
