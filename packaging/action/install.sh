#!/usr/bin/env bash
# Builds gonogo from the action's own checkout where the runner has none yet, and puts it on PATH for later steps.
set -euo pipefail
command -v gonogo >/dev/null && exit 0
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
"$root/scripts/setup.sh"
build=${RUNNER_TEMP:-/tmp}/gonogo-build
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF >/dev/null
cmake --build "$build" --target gonogo
echo "$build" >>"${GITHUB_PATH:?not run by GitHub Actions}"
