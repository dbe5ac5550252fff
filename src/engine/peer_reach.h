// Whether a launch is what a companion finds where it calls, as far as the file says where both run. An address may
// name the launch's machine as the carrier calls it (a service, a container), as the launch's own host is written, or
// as the machine that both share; labels pick the launch's pod, which is then called at its own address.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/value.h"
#include "launch/found.h"

namespace gonogo {

enum class Reach : std::uint8_t {
  kUnknown,
  kElsewhere,  // the launch is surely not what is called
  kPort,       // its machine is, and it listens on another port there
  kClosed,     // machine and port are its, but it listens on an address of its own, or for its own machine alone
  kAnswers,
};

// Where a launch listens.
struct Listener {
  Value host;
  Value port;
  const std::vector<ReachedName>* names = nullptr;
  const std::vector<std::string>* labels = nullptr;  // of its pod; others may be added to them
  bool another = false;                              // the file calls another launch's machine as the address does
  bool one_machine = false;                          // with the caller
  bool beside = false;                               // and surely at the same time
};

// Whether one of a launch's names is the host of an address.
bool is_named(const Value& to, const std::vector<ReachedName>& names);

// `to`: as CompanionCall has it.
Reach reach_of(const Value& to, const Listener& listener);

}  // namespace gonogo
