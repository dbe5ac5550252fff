#include "base/result.h"

namespace gonogo {

std::string to_text(const Error& error) {
  std::string out = error.place.file;
  if (error.place.line > 0) {
    if (!out.empty()) out += ':';
    out += std::to_string(error.place.line);
    if (error.place.column > 0) out += ':' + std::to_string(error.place.column);
  }
  if (!out.empty()) out += ": ";
  out += error.what;
  if (!error.hint.empty()) out += " (" + error.hint + ")";
  if (!error.excerpt.empty()) out += '\n' + error.excerpt;
  return out;
}

}  // namespace gonogo
