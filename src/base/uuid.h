// Names of things as UUIDs: the same name gives the same id on every machine, so that several nodes agree on one
// without talking to each other (RFC 9562, version 5).
#pragma once

#include <string>
#include <string_view>

namespace gonogo {

// The 32 lower-case hex digits of the version 5 UUID of `name` in the namespace of URLs.
std::string uuid5_url(std::string_view name);

}  // namespace gonogo
