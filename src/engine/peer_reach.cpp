#include "engine/peer_reach.h"

#include <algorithm>
#include <optional>

namespace gonogo {

namespace {

std::string_view text_of(const Value& v) { return v.is_str() ? v.as_str() : std::string_view(); }

bool is_wildcard(std::string_view host) { return host == "0.0.0.0" || host == "::"; }

bool is_loopback(std::string_view host) { return host == "localhost" || host == "::1" || host.substr(0, 4) == "127."; }

bool is_number(std::string_view host) {
  return !host.empty() &&
         (host.find_first_not_of("0123456789.") == std::string_view::npos || host.find(':') != std::string_view::npos);
}

// Written so that its value depends on where it is read.
bool is_open(std::string_view host) { return host.find_first_of("$<{(") != std::string_view::npos; }

// Whether labels pick a pod: unless it has one of a key with another value, what it has not may be added to it.
std::optional<bool> picks(const Value& wanted, const std::vector<std::string>& labels) {
  bool all = wanted.is_sequence() && wanted.size() > 0;
  for (std::uint32_t i = 0; wanted.is_sequence() && i < wanted.size(); ++i) {
    const std::string_view one = wanted[i].as_str();
    if (std::find(labels.begin(), labels.end(), one) != labels.end()) continue;
    all = false;
    const std::string_view key = one.substr(0, one.find('=') + 1);
    const auto same_key = [&](const std::string& label) { return label.substr(0, key.size()) == key; };
    if (std::any_of(labels.begin(), labels.end(), same_key)) return false;
  }
  return all ? std::optional<bool>(true) : std::nullopt;
}

}  // namespace

bool is_named(const Value& to, const std::vector<ReachedName>& names) {
  const Value* const host = to.find("host");
  return host != nullptr &&
         std::any_of(names.begin(), names.end(), [&](const ReachedName& name) { return name.host == host->as_str(); });
}

Reach reach_of(const Value& to, const Listener& listener) {
  const Value* const port = to.find("port");
  const Value* const called = to.find("host");
  const std::string_view own = text_of(listener.host);
  if (port == nullptr || own.empty() || !listener.port.is_integral()) return Reach::kUnknown;
  if (const Value* const labels = to.find("labels")) {
    const std::optional<bool> picked = picks(*labels, *listener.labels);
    if (!picked.value_or(true)) return Reach::kElsewhere;
    if (!picked) return Reach::kUnknown;
    if (port->as_int() != listener.port.as_int()) return Reach::kPort;
    return is_loopback(own) ? Reach::kClosed : Reach::kAnswers;
  }
  if (called == nullptr || !port->is_integral()) return Reach::kUnknown;
  const std::string_view host = called->as_str();

  // Under a name that the carrier gives it.
  for (const ReachedName& name : *listener.names) {
    if (name.host != host) continue;
    if (name.port && *name.port != port->as_int()) continue;
    if (name.port && !name.target) return Reach::kUnknown;
    if ((name.port ? *name.target : port->as_int()) != listener.port.as_int()) continue;
    return is_loopback(own) ? Reach::kClosed : Reach::kAnswers;
  }
  if (is_named(to, *listener.names)) return Reach::kPort;
  if (listener.another) return Reach::kElsewhere;

  const bool same_port = port->as_int() == listener.port.as_int();
  const bool here = is_loopback(host) || is_wildcard(host);
  if (here && listener.one_machine) {
    if (!same_port) return listener.beside ? Reach::kPort : Reach::kElsewhere;
    if (is_loopback(own) || is_wildcard(own)) return Reach::kAnswers;
    return is_number(own) ? Reach::kClosed : Reach::kUnknown;
  }
  if (!here && host == own && (listener.one_machine || !is_open(host))) {
    if (same_port) return Reach::kAnswers;
    return listener.beside ? Reach::kPort : listener.one_machine ? Reach::kElsewhere : Reach::kUnknown;
  }
  // A container's port may be published as another one.
  return same_port || !listener.one_machine ? Reach::kUnknown : Reach::kElsewhere;
}

}  // namespace gonogo
