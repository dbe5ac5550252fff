#!/usr/bin/env bash
# Install what building and testing gonogo needs, where it is missing. For Debian 12 and what has its packages.
set -euo pipefail
packages=(g++ cmake ninja-build ccache libcli11-dev libyaml-cpp-dev nlohmann-json3-dev libfmt-dev catch2 libdtl-dev libpugixml-dev libxml2-utils zlib1g-dev pkg-config libgit2-dev git python3 python3-jsonschema zsh fish mandoc)

if ! command -v dpkg-query >/dev/null; then
  echo "setup: no dpkg here; install these packages' counterparts yourself: ${packages[*]}" >&2
  exit 0  # the build says what it does not find
fi
missing=()
for package in "${packages[@]}"; do
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

echo "setup: installing ${missing[*]}"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "setup: neither root nor sudo; have an administrator run: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
install() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}
# The package lists of a fresh machine are empty or old.
install 2>/dev/null || { "${as_root[@]}" apt-get update -qq && install; }
