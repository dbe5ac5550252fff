#include "cli/write_file.h"

#include <filesystem>
#include <fstream>

namespace gonogo {

std::optional<Error> write_file(const std::string& name, const std::string& text) {
  namespace fs = std::filesystem;
  const std::string temporary = name + ".gonogo-new";
  std::error_code failed;
  {
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    out << text;
    out.close();
    if (!out) return Error{Error::Kind::kInput, "can't write " + temporary, {name, 0, 0}, "", ""};
  }
  const fs::file_status before = fs::status(name, failed);
  if (fs::exists(before)) fs::permissions(temporary, before.permissions(), failed);
  fs::rename(temporary, name, failed);
  if (failed) return Error{Error::Kind::kInput, "can't write: " + failed.message(), {name, 0, 0}, "", ""};
  return std::nullopt;
}

}  // namespace gonogo
