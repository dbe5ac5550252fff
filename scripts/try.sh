#!/usr/bin/env bash
# Install what is missing, build gonogo, and check a launch of a real model: MiMo-V2-Flash on eight B200 with an
# expert-parallel all-to-all backend, on the release that refuses it and on the one that runs it. No GPU, no network
# (but for missing packages).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/setup.sh
cmake --preset release --log-level=WARNING >/dev/null
cmake --build --preset release --target gonogo

# $1: the exit code that is right; the rest: the command.
shown() {
  local right=$1 status=0
  shift
  printf '\n$ %s\n' "$*"
  "$@" || status=$?
  if [ "$status" -ne "$right" ]; then
    echo "try: exit $status, not $right" >&2
    exit 1
  fi
}
launch=(python -m sglang.launch_server --model-path XiaomiMiMo/MiMo-V2-Flash --tp 8 --moe-a2a-backend deepep)
check=(build/release/gonogo check --gpu b200x8 --model-config testdata/models/XiaomiMiMo__MiMo-V2-Flash)
shown 1 "${check[@]}" --sglang 0.5.21 -- "${launch[@]}"
shown 0 "${check[@]}" --sglang 0.5.23 -- "${launch[@]}"
