#!/usr/bin/env bash
# What bash offers: completion_check.sh GONOGO SOURCE_DIR. Each row: the words typed, then what must be offered.
set -euo pipefail
PATH=$(dirname "$1"):$PATH
source "$2/completions/gonogo.bash"
failed=0
row() {
  local want=$1
  shift
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  _gonogo
  local got="${COMPREPLY[*]}"
  if [[ $got != "$want" ]]; then
    echo "$*: want '$want', got '$got'"
    failed=1
  fi
}
row "check" gonogo ch
row "check run lock launches explain diff migrate plan matrix doctor batch gpu rules" gonogo ""
row "list show coverage docs check" gonogo rules ""
row "--model-config" gonogo check --mo
row "--strict" gonogo check --gpu b200x8 --st
row "json" gonogo check --format j
row "never" gonogo check --color n
row "warning" gonogo check --fail-on w
row "" gonogo check -- --strict
[[ $failed -eq 0 ]] && echo "9 completions are right"
exit $failed
