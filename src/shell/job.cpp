#include "shell/job.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace gonogo {

namespace {

std::optional<int> count(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value <= 0 || (end != text.data() + text.size() && *end != '(')) return std::nullopt;
  return value;
}

// "8", "h100:8", "h100".
void gpus(std::string_view text, CarrierFacts* facts) {
  const std::size_t colon = text.find(':');
  const std::string_view last = colon == std::string_view::npos ? text : text.substr(text.rfind(':') + 1);
  const std::optional<int> number = count(last);
  if (number.has_value()) facts->gpus = number;
  const std::string_view kind = colon != std::string_view::npos ? text.substr(0, colon)
                                : number                        ? std::string_view()
                                                                : text;
  if (!kind.empty()) facts->gpu = kind;
}

constexpr std::string_view kDirective = "#SBATCH";

template <typename Use>
void each_directive(std::string_view script, Use use) {
  while (!script.empty()) {
    const std::size_t end = std::min(script.find('\n'), script.size());
    std::string_view line = script.substr(0, end);
    script.remove_prefix(std::min(end + 1, script.size()));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.substr(0, kDirective.size()) == kDirective) {
      if (!use(line.substr(kDirective.size()))) return;
    } else if (line.find_first_not_of(" \t") != std::string_view::npos && line[line.find_first_not_of(" \t")] != '#') {
      return;  // a command
    }
  }
}

}  // namespace

void read_job_option(std::string_view name, std::string_view value, CarrierFacts* facts) {
  if (name == "--nodes" || name == "-N") {
    const std::size_t dash = value.find('-');
    const std::optional<int> nodes = count(value.substr(0, dash));
    if (nodes.has_value() && (dash == std::string_view::npos || count(value.substr(dash + 1)) == nodes))
      facts->nnodes = nodes;
  } else if (name == "--gpus-per-node") {
    gpus(value, facts);
  } else if (name == "--gres") {
    while (!value.empty()) {
      const std::size_t comma = std::min(value.find(','), value.size());
      const std::string_view one = value.substr(0, comma);
      if (one.substr(0, 4) == "gpu:") gpus(one.substr(4), facts);
      value.remove_prefix(std::min(comma + 1, value.size()));
    }
  } else if (name == "--container-image") {
    facts->image = value;
    if (const std::size_t scheme = facts->image.find("://"); scheme != std::string::npos)
      facts->image.erase(0, scheme + 3);
    std::replace(facts->image.begin(), facts->image.end(), '#', '/');  // registry#path
  }
}

bool job_option_takes_value(std::string_view option) {
  if (option.size() == 2)
    return std::string_view("AbBcCdDeGiJLmMnNopPqrRStTwWxa").find(option[1]) != std::string_view::npos;
  for (const std::string_view bare : {"--label",
                                      "--unbuffered",
                                      "--exclusive",
                                      "--overlap",
                                      "--oversubscribe",
                                      "--no-kill",
                                      "--kill-on-bad-exit",
                                      "--quiet",
                                      "--verbose",
                                      "--pty",
                                      "--contiguous",
                                      "--hold",
                                      "--immediate",
                                      "--container-mount-home",
                                      "--no-container-mount-home",
                                      "--container-writable",
                                      "--container-readonly",
                                      "--no-container-entrypoint",
                                      "--container-entrypoint",
                                      "--container-remap-root",
                                      "--no-container-remap-root",
                                      "--preserve-env",
                                      "--propagate",
                                      "--spread-job",
                                      "--use-min-nodes",
                                      "--no-allocate",
                                      "--multi-prog",
                                      "--whole",
                                      "--reboot",
                                      "--exact",
                                      "--help",
                                      "--parsable",
                                      "--requeue",
                                      "--no-requeue",
                                      "--wait-all-nodes",
                                      "--disable-status",
                                      "--slurmd-debug",
                                      "--version"}) {
    if (option == bare) return false;
  }
  return option.substr(0, 2) == "--" && option.size() > 2;
}

void read_job_directives(std::string_view script, CarrierFacts* facts) {
  each_directive(script, [&](std::string_view line) {
    while (!line.empty()) {
      const auto word = [&] {
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
        std::string_view out = line.substr(0, end);
        line.remove_prefix(end);
        return out;
      };
      const std::string_view option = word();
      if (option.empty() || option[0] != '-') break;  // a comment may follow
      const std::size_t equals = option.find('=');
      if (option.substr(0, 2) == "--" && equals != std::string_view::npos) {
        read_job_option(option.substr(0, equals), option.substr(equals + 1), facts);
      } else if (option.size() > 2 && option[1] != '-') {
        read_job_option(option.substr(0, 2), option.substr(2), facts);
      } else if (job_option_takes_value(option)) {
        read_job_option(option, word(), facts);
      }
    }
    return true;
  });
}

bool has_job_directives(std::string_view script) {
  bool found = false;
  each_directive(script, [&](std::string_view) { return !(found = true); });
  return found;
}

}  // namespace gonogo
