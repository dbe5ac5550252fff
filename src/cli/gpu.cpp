#include <ostream>

#include "cli/commands.h"
#include "facts/gpu_probe.h"

namespace gonogo {

ExitStatus gpu_command(const CheckOptions& options, Streams io) {
  std::vector<std::string> wanted = options.session.gpus;
  if (wanted.empty()) wanted.emplace_back("local");
  for (const std::string& name : wanted) {
    Result<GpuSet> set = GpuSet{};
    if (name == "local") {
      auto probed = probe_gpus(Environment());
      if (!probed) return report_error(probed.error(), io);
      if (!*probed) {
        return report_error(
            {Error::Kind::kInput, "this machine has no NVIDIA driver", {}, "name a profile: --gpu b200x8", ""}, io);
      }
      set = std::move(**probed);
    } else {
      set = gpus_of_option(name, Pack::embedded());
    }
    if (!set) return report_error(set.error(), io);
    if (options.format == "json") {
      io.out << gpus_to_json(*set, true) << '\n';
      continue;
    }
    io.out << set->text() << "  (" << set->source << ")\n";
    for (std::size_t i = 0; i < set->gpus.size(); ++i) {
      const Gpu& gpu = set->gpus[i];
      io.out << "  " << i << "  " << gpu.name << "  ";
      if (gpu.major > 0) io.out << "compute capability " << gpu.major << '.' << gpu.minor << "  ";
      io.out << gpu.memory_mib << " MiB";
      if (gpu.sm_count > 0) io.out << "  " << gpu.sm_count << " SMs";
      if (!gpu.uuid.empty()) io.out << "  " << gpu.uuid;
      io.out << '\n';
    }
  }
  return ExitStatus::kGo;
}

}  // namespace gonogo
