// Nothing that looks like a secret is printed: values of secret flags and variables, credentials in URLs, secret
// members of JSON text, and tokens that are known by their first letters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "launch/found.h"
#include "rules/pack.h"

namespace gonogo {

inline constexpr std::string_view kSecretMask = "***";

// `text` with every secret in it as asterisks, as many as it has characters, so that columns stay. For lines that are
// shown as they stand: of a script, a manifest, a command.
std::string mask_lines(const Pack& pack, std::string_view text);

// A value that is shown by itself: credentials in URLs, secret members of JSON and known tokens become ***.
std::string mask_value(const Pack& pack, std::string_view value);

// The arguments as they may be shown. A value that is all placeholder is no secret.
std::vector<std::string> shown_args(const Pack& pack, const std::vector<FoundWord>& args);
std::string shown_env(const Pack& pack, const FoundVariable& variable);

}  // namespace gonogo
